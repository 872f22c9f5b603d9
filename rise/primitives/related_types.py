"""Checks that the types at which a primitive is used are related as its record requires.

Independent of any particular primitive.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rise.diagnostics import Diagnostic, RiseError
from rise.primitives.record import Relation
from rise.scalars import SCALARS, complex_of, is_complex
from rise.types import ScalarType, VectorType


def unrelated(relation: Relation, types: Iterable[Any]) -> Diagnostic | None:
    """The diagnostic if the known types among a primitive's implicit arguments are not related as required; otherwise
    None.
    """
    match relation:
        case "same width":
            return _widths_differ(types)
        case "parts":
            return _parts_differ(types)
        case "conversion":
            return _loses_part(*types)
    return None


def partner(relation: Relation, t: Any) -> Any:
    """The type that is related to another one; None if there is none."""
    if relation != "parts":
        return t
    name = SCALARS[t.name].part or complex_of(t.name) if isinstance(t, ScalarType) else None
    return ScalarType(name) if name else None


def refuse_unrelated(relation: Relation, types: Iterable[Any]) -> None:
    """Raise RiseError if known types are not related as required."""
    problem = unrelated(relation, types)
    if problem is not None:
        raise RiseError(problem)


def _parts_differ(types: Iterable[Any]) -> Diagnostic | None:
    names = [str(t) for t in types if isinstance(t, ScalarType | VectorType)]
    for name in filter(is_complex, names):
        wanted = SCALARS[name].part
        found = next((other for other in names if other != name), wanted)
        if found != wanted:
            title = f"expected {wanted} as the parts of {name}, found {found}"
            other = complex_of(found)
            hint = f"{other} has parts of {found}; " if other else ""
            return Diagnostic("complex-parts", title, hint=f"{hint}cast{{{wanted}}}(x) converts a number")
    return None


def _loses_part(target: Any, source: Any) -> Diagnostic | None:
    known = isinstance(target, ScalarType) and isinstance(source, ScalarType)
    if not known or not is_complex(source.name) or is_complex(target.name):
        return None
    title = f"expected a complex type to convert {source.name} to, found {target.name}"
    hint = "`realPart` and `imagPart` give the parts of a complex number, which can be converted"
    return Diagnostic("complex-parts", title, hint=hint)


def _widths_differ(types: Iterable[Any]) -> Diagnostic | None:
    """The diagnostic if two known types differ in their number of bits; otherwise None."""
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


def _element(t: ScalarType | VectorType) -> Any:
    return t.element if isinstance(t, VectorType) else t


def _shape(t: ScalarType | VectorType) -> tuple[int, Any]:
    """The number of bits of a number, and the number of elements of a vector."""
    return SCALARS[_element(t).name].bits, t.size if isinstance(t, VectorType) else None
