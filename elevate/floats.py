"""What a rewrite may do to floating-point results. Knows nothing of any arithmetic."""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum
from typing import Any

from elevate.diagnostics import Diagnostic, StrategyError


class FloatClass(IntEnum):
    """How far a rule may change rounding, least first; a derivation has the join of its steps."""

    EXACT = 0
    """Every bit stays."""
    CONTRACTING = 1
    """A product and a sum may round once instead of twice."""
    REASSOCIATING = 2
    """Sums may be taken in another order."""
    APPROXIMATE = 3
    """Anything else, such as a narrower type."""

    def __str__(self) -> str:
        return self.name.lower()


def join(classes: Iterable[FloatClass]) -> FloatClass:
    """The least class that allows all of them."""
    given: Any = classes
    found = tuple(given) if isinstance(given, Iterable) else (given,)
    for one in found:
        if not isinstance(one, FloatClass):
            title = f"expected classes of rounding, found a value of type {type(one).__name__}"
            hint = "write `join((FloatClass.EXACT, ...))`; a rule's class is `rule.float_class`"
            raise StrategyError(Diagnostic("no-float-class", title, hint=hint))
    return max(found, default=FloatClass.EXACT)
