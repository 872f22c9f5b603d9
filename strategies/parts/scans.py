"""Computes scans in parts, each of which starts from the reduction of the preceding parts.

Independent of threads and targets.
"""

from __future__ import annotations

from elevate import Predicate, Strategy, child, id_, named, where
from rise.terms import Expr, Lam, spine
from strategies.parts.memory import nameSubterm
from strategies.rules.gpu_reductions import reduceParts, scanReduced, scanRest, splitScan
from strategies.vocabulary.traversals import argument


def scanParts(starts: Strategy, parts: Strategy) -> Strategy:
    """Apply `starts` to the scan of the parts' reductions, and `parts` to the map that scans the parts."""
    before = argument(argument(argument(scanReduced >> starts)))
    return argument(argument(child(0)(before)) >> parts)


def isOfParts(e: Expr) -> bool:
    """The reductions of the parts of an array."""
    if e.root != ("map", 2):
        return False
    _, (function, parts) = spine(e)
    if not isinstance(function, Lam) or not isinstance(parts, Expr):
        return False
    return function.body.root == ("reduce", 3) and parts.root == ("split", 1)


#: the reductions of the parts of an array
partReductions: Predicate = where(isOfParts)


@named
def scanInParts(size: int, sums: Strategy, starts: Strategy) -> Strategy:
    """Scan parts of `size` elements separately, then the remainder; each part is reduced once.

    `sums` is applied to the map that reduces the parts, `starts` to the scan that computes the start value of each
    part.
    """
    parts = splitScan(size) >> scanParts(starts, id_)
    rest = child(0)(argument(reduceParts(size)))
    once = nameSubterm(partReductions) >> argument(sums)
    return scanRest(size) >> child(0)(argument(parts)) >> argument(rest) >> once
