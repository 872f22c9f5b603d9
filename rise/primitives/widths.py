"""Checks that types have the same number of bits. Knows no primitives."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rise.diagnostics import Diagnostic, RiseError
from rise.scalars import SCALARS
from rise.types import ScalarType, VectorType


def widths_differ(types: Iterable[Any]) -> Diagnostic | None:
    """The diagnostic if two known types differ in their numbers of bits; else None."""
    known = [
        t for t in types if isinstance(t, ScalarType | VectorType) and isinstance(_element(t), ScalarType)
    ]
    for other in known[1:]:
        (bits, size), (other_bits, other_size) = _shape(known[0]), _shape(other)
        if bits != other_bits:
            title = f"expected a type of {bits} bits, as {known[0]}, found {other} of {other_bits} bits"
            same = [
                name for name, scalar in SCALARS.items() if scalar.bits == other_bits and name != str(other)
            ]
            candidates = (
                f"{other} has as many bits as {', '.join(same)}; "
                if same and isinstance(other, ScalarType)
                else ""
            )
            hint = f"{candidates}cast{{{known[0]}}}(x) converts the number"
            return Diagnostic("bit-width", title, hint=hint)
        if size != other_size:
            title = f"expected a vector as long as {known[0]}, found {other}"
            hint = "change the length of the vectors with `asScalar` and `asVector`"
            return Diagnostic("bit-width", title, hint=hint)
    return None


def refuse_widths(types: Iterable[Any]) -> None:
    """Raise RiseError if two known types differ in their numbers of bits."""
    problem = widths_differ(types)
    if problem is not None:
        raise RiseError(problem)


def _element(t: ScalarType | VectorType) -> Any:
    return t.element if isinstance(t, VectorType) else t


def _shape(t: ScalarType | VectorType) -> tuple[int, Any]:
    """The bits of a number, and the number of elements of a vector."""
    return SCALARS[_element(t).name].bits, t.size if isinstance(t, VectorType) else None
