"""The effects that a rewrite may have on floating-point results. Independent of arithmetic."""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum
from typing import Any

from elevate.diagnostics import Diagnostic, StrategyError
from elevate.tracebacks import ends_at_the_users_line


class FloatClass(IntEnum):
    """How far a rule may change rounding, least first; a derivation has the join of its steps."""

    EXACT = 0
    """Results stay the same bit for bit."""
    CONTRACTING = 1
    """A product and a sum may be rounded once instead of twice."""
    REASSOCIATING = 2
    """Sums and products may be evaluated in another order, in which other intermediate results may overflow."""
    APPROXIMATE = 3
    """Anything else, such as a narrower type."""

    def __str__(self) -> str:
        return self.name.lower()


@ends_at_the_users_line
def join(classes: Iterable[FloatClass]) -> FloatClass:
    """The least class that allows all of them."""
    argument: Any = classes
    members = tuple(argument) if isinstance(argument, Iterable) else (argument,)
    for member in members:
        if not isinstance(member, FloatClass):
            title = f"expected values of FloatClass, found a value of type {type(member).__name__}"
            hint = "write `join((FloatClass.EXACT, ...))`; the class of a rule is `rule.float_class`"
            raise StrategyError(Diagnostic("no-float-class", title, hint=hint))
    return max(members, default=FloatClass.EXACT)
