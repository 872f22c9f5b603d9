"""The last step of strategies for CPUs: permissions for the target to transform loops.

A target changes only loops that the program allows it to change (`peelBorders` and the like), so that a lowered program
has exactly one kernel, and a derivation shows what was allowed.
"""

from __future__ import annotations

from elevate import Strategy, id_, named, topDown, try_, where
from rise.nodes import postorder
from rise.primitives import lookup
from rise.quotients import is_nonnegative
from rise.terms import App, Expr
from rise.types import ArrayType, DepArrayType
from strategies.lowering.predicates import hasLoop, head
from strategies.parts.parameters import check_switches
from strategies.rules.schedules import (
    allowJamming,
    allowPeeling,
    allowPrefetching,
    allowUnjoining,
    omitCopyPrefetches,
    omitResultPrefetches,
    omitRowPrefetches,
)


@named
def allowChanges(borders: bool = True, together: bool = True, prefetch: bool = True) -> Strategy:
    """Allow a target to peel borders, to run adjacent iterations as vectors, and to prefetch rows; never fails."""
    check_switches(borders=borders, together=together, prefetch=prefetch)
    asked = (
        (allowPeeling, borders),
        (allowJamming, together),
        (allowUnjoining, together),
        (allowPrefetching, prefetch),
    )
    allowed: Strategy = id_
    for rule in (rule for rule, is_asked in asked if is_asked):
        allowed = allowed >> try_(topDown(where(hasLoop) >> rule))
    return allowed


@named
def onlyPrefetch(copies: bool = False, results: bool = False, rows: bool = False) -> Strategy:
    """Prefetch only some of what register tiles need: rows of panels that are copied, the memory of results, rows that
    the next tile reads; never fails.
    """
    check_switches(copies=copies, results=results, rows=rows)
    omitted = ((omitCopyPrefetches, copies), (omitResultPrefetches, results), (omitRowPrefetches, rows))
    strategy: Strategy = id_
    for rule in (rule for rule, is_wanted in omitted if not is_wanted):
        strategy = strategy >> try_(topDown(where(hasLoop) >> rule))
    return strategy


def hasBorders(e: Expr) -> bool:
    """A program that reads an array beyond its ends, or reads parts that end where the array does."""
    return any(isinstance(node, App) and _meets_border(node) for node in postorder(e))


def _meets_border(e: App) -> bool:
    record = lookup(head(e))
    if record is None or record.level != "view":
        return False
    match e.type, e.arg.type:
        case ArrayType(longer, element), ArrayType(size, of):
            return element == of and longer != size and is_nonnegative(longer - size)
        case DepArrayType(), ArrayType():
            return True
    return False


#: allow a target to peel borders if a program has any
allowBorders: Strategy = named(
    "allowBorders", try_(where(hasBorders) >> topDown(where(hasLoop) >> allowPeeling))
)
