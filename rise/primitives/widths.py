"""Types that must be as wide as each other: what is said where they are not. Knows no primitive."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rise.diagnostics import Diagnostic, RiseError
from rise.scalars import SCALARS
from rise.types import ScalarType, VectorType


def widths_differ(types: Iterable[Any]) -> Diagnostic | None:
    """The diagnostic where two known types have not as many bits."""
    known = [
        t for t in types if isinstance(t, ScalarType | VectorType) and isinstance(_element(t), ScalarType)
    ]
    for one in known[1:]:
        (wanted, wide), (found, size) = _shape(known[0]), _shape(one)
        if wanted != found:
            title = f"expected a number of {wanted} bits for {known[0]}, found {one}, of {found}"
            same = [name for name, scalar in SCALARS.items() if scalar.bits == found and name != str(one)]
            others = (
                f"its bits are those of {', '.join(same)}; " if same and isinstance(one, ScalarType) else ""
            )
            return Diagnostic("bit-width", title, hint=f"{others}cast{{{known[0]}}}(x) converts the number")
        if wide != size:
            title = f"expected as many numbers as {known[0]} has, found {one}"
            return Diagnostic("bit-width", title, hint="change the vectors' size with asScalar and asVector")
    return None


def refuse_widths(types: Iterable[Any]) -> None:
    """Raise RiseError where two known types have not as many bits."""
    found = widths_differ(types)
    if found is not None:
        raise RiseError(found)


def _element(t: ScalarType | VectorType) -> Any:
    return t.element if isinstance(t, VectorType) else t


def _shape(t: ScalarType | VectorType) -> tuple[int, Any]:
    """The bits of a number, and how many of them there are."""
    return SCALARS[_element(t).name].bits, t.size if isinstance(t, VectorType) else None
