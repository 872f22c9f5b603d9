"""Sums of the few columns of a long matrix, computed together: each row is read once, in the order of memory.

Computed one by one, such as by `transpose(X) |> map(sum)` for X of N x 3, each sum would read every third number. The
numbers of a single row would not fill a vector, so several rows are added at once, each to sums of its own.
"""

from __future__ import annotations

from typing import Any

from elevate import Directed, Strategy, child, named, normalize, topDown, where
from elevate.directed_strategies import Orders
from elevate.term import subterm
from rise.analysis.strides import Reduction, reductions
from rise.hardware import Processor
from rise.records import dataclass
from rise.terms import Expr, Lam, spine
from strategies.parts.loop_order import LEAST_TOGETHER, lines_read
from strategies.parts.machine_tiles import rows_together
from strategies.parts.memory import nameStored, nameSubterm
from strategies.parts.nests import align, liftReduction, reduceInOrder, tidy
from strategies.parts.parameters import check_sizes
from strategies.parts.partial_results import fillsStrips, isOfWholeLines
from strategies.parts.register_tiles import isZip
from strategies.rules.fusion import mapFissionZip
from strategies.rules.lowering import toMemLocal
from strategies.rules.movement import columnsFirst, columnsFirstDependent, constantMap
from strategies.rules.reductions import stripReduce, stripReduceRest
from strategies.vocabulary.traversals import argument, body, mapped


def isOfReductions(e: Expr) -> bool:
    """A map whose function reduces each of several arrays."""
    if e.root != ("map", 2):
        return False
    function = spine(e)[1][0]
    return isinstance(function, Lam) and function.body.root == ("reduce", 3)


#: compute the partial sums of all columns by one loop over rows
byRows: Strategy = named(
    "byRows",
    (columnsFirst | columnsFirstDependent)
    >> argument(
        align
        >> mapped(body(mapped(body(reduceInOrder))))
        >> liftReduction
        >> normalize(constantMap)
        >> toMemLocal
    ),
)


@named
def sumsByRows(count: int) -> Strategy:
    """Reduce the columns of a matrix together, `count` rows at once: each column has as many partial results, which are
    then combined. Applies to a map over columns whose function contains a reduction.
    """
    check_sizes(count=count)
    strips = where(isOfWholeLines) >> stripReduce(count) | stripReduceRest(count)
    parts = mapped(body(topDown(where(fillsStrips) >> strips) >> nameSubterm(where(isOfReductions))))
    partial = where(isZip) >> child(0)(child(1)(byRows)) | byRows
    return parts >> mapFissionZip >> tidy >> argument(partial) >> nameStored


@dataclass(frozen=True, slots=True)
class FewColumns(Directed):
    """Compute the sums of few columns together wherever that reads memory in order; never fails."""

    machine: Processor

    def orders(self, term: Any) -> Orders:
        before = None
        while term is not before:
            before = term
            for candidate in reductions(term):
                count, reduction = known_columns(candidate), subterm(term, candidate.path)
                if count is None or candidate.around is None or not isinstance(reduction, Expr):
                    continue
                if not fillsStrips(reduction):
                    continue
                happened = yield sumsByRows(rows_together(self.machine, count)), candidate.around
                if happened is not None:
                    term = happened.term
                    break
        return True


def known_columns(one: Reduction) -> int | None:
    """The number of columns, if it is known and small, and their sums read fewer cache lines together."""
    count = None if one.columns is None else one.columns.constant
    if one.across is None or count is None or not 1 < count < LEAST_TOGETHER:
        return None
    return count if lines_read(one.across) < lines_read(one.along) else None
