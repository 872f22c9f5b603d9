"""Terms that are computed where an element is asked for, inside of the loop that asks. Knows no strategy."""

from __future__ import annotations

from typing import Final

from rise.terms import Expr
from strategies.rules.lowering import holdsArray

#: what computes its last two operands only where they are asked for
DEFERRED: Final = (("select", 3), ("pair", 2))


def isDeferred(e: Expr) -> bool:
    """Two arrays, or one of two, none of which is computed before an element is asked for."""
    return e.root in DEFERRED and holdsArray(e.type)
