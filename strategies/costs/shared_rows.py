"""Decides whether two results are computed in one loop over the rows that both read. Independent of rules."""

from __future__ import annotations

from collections.abc import Sequence

from rise.terms import App, Bound, Expr, Lam, occurrences, spine
from rise.types import ArrayType, is_data
from strategies.costs.decisions import computes_product, has_cheap_rows, is_computed, is_in_order
from strategies.costs.prices import PROCESSOR, Prices


def is_read_by_rows_of_both(e: Expr, prices: Prices = PROCESSOR) -> bool:
    """A call with an array whose rows are read by both maps of a pair, which is the result, or by maps of values that
    are named for these. In one loop, both read a row where it is computed, and the array is not stored.
    """
    match e:
        case App(Lam(_, ArrayType(), body), v) if is_computed(v) and not is_in_order(v):
            return has_cheap_rows(v, prices) and not computes_product(e) and _reaches_both(body)
    return False


def _reaches_both(body: Expr) -> bool:
    """Whether both maps of a pair read rows of the innermost variable, perhaps through values named in between."""
    readers = [True]  # for each variable, innermost first: whether its rows depend on the same row only
    while isinstance(body, App) and isinstance(body.fun, Lam):
        reads = _reads_rows(body.arg, readers)
        if reads is None:
            return False
        readers.insert(0, reads)
        body = body.fun.body
    if body.root != ("pair", 2):
        return False
    return all(
        _reads_rows(part, readers) for part in spine(body)[1] if isinstance(part, Expr) and is_data(part.type)
    )


def _reads_rows(e: Expr, readers: Sequence[bool]) -> bool | None:
    """Whether a value is a map that reads corresponding rows of these variables; None if it reads them otherwise."""
    read = [index for index, is_reader in enumerate(readers) if is_reader and occurrences(e, index)]
    if not read:
        return False
    if e.root != ("map", 2):
        return None
    function, source = e.children[0].children[1], e.children[1]
    if any(occurrences(function, index) for index in read):
        return None
    waiting = [source]
    while waiting:
        xs = waiting.pop()
        if xs.root == ("zip", 2):
            waiting += (xs.children[0].children[1], xs.children[1])
        elif not isinstance(xs, Bound) and any(occurrences(xs, index) for index in read):
            return None
    return True
