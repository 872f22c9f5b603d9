"""Chooses the innermost loop of each reduction, by the strides of consecutive iterations.

A reduction inside a map can be computed in two orders: along, one result at a time, where several partial results hide
the latency of an addition; and across, adjacent results together, which the target computes as vectors
(`unrollAndJam`). The order that reads fewer cache lines is chosen. Independent of targets.
"""

from __future__ import annotations

from typing import Any, Final

from elevate import Directed, Strategy, named, normalize, where
from elevate.directed_strategies import Orders
from rise.analysis.strides import Reduction, Step, joins_rows, reductions
from rise.hardware import DEFAULT
from rise.naturals import Nat, const
from rise.quotients import is_nonnegative
from rise.records import dataclass
from rise.size_functions import has_functions
from rise.terms import Expr
from rise.types import ArrayType, Type
from strategies.parts.memory import nameStored
from strategies.parts.nests import tidy
from strategies.rules.fusion import mapFusion
from strategies.rules.lowering import toMemLocal
from strategies.rules.movement import mapJoin
from strategies.rules.shapes import joinJoin
from strategies.rules.sliding import separateSumHV
from strategies.vocabulary.traversals import argument

#: numbers of four bytes in a cache line. Only two orders on the same machine are compared, and longer lines reduce both
#: counts, so the record of any processor will do.
LINE: Final = DEFAULT.line_words
#: results that vectors compute together; fewer are computed one by one. `unrollAndJam` makes loops of 32.
LEAST_TOGETHER: Final = DEFAULT.neighbours
#: elements of a row; shorter rows are reduced in order
SHORT_ROW: Final = 64


def lines_read(steps: tuple[Step, ...]) -> int:
    """The number of cache lines that a loop reads in 16 iterations."""
    distances = (None if step.distance is None else step.distance.constant for step in steps)
    return sum(LINE if distance is None else min(LINE, abs(int(distance))) for distance in distances)


def readsAcross(one: Reduction) -> bool:
    """Whether a reduction reads memory with a stride, and adjacent results read fewer cache lines than its steps."""
    if one.across is None or isFew(one.columns, LEAST_TOGETHER):
        return False
    return lines_read(one.across) < lines_read(one.along) > len(one.along)


def isFew(count: Nat | None, enough: int) -> bool:
    """Whether a number is known to be less than `enough`."""
    return count is not None and is_nonnegative(const(enough - 1) - count)


def isShort(t: Type) -> bool:
    """An array that is known to have few elements, or whose number of elements is an input, such as a sparse row."""
    return isinstance(t, ArrayType) and (isFew(t.size, SHORT_ROW) or has_functions(t.size))


def runsInRows(one: Reduction) -> bool:
    """Whether a reduction runs over joined rows that are dense and not short, but not adjacent in memory."""
    rows = [step.row for step in one.along if step.row is not None]
    return (
        bool(rows)
        and lines_read(one.along) <= len(one.along)
        and not any(isFew(row, SHORT_ROW) for row in rows)
    )


@dataclass(frozen=True, slots=True)
class ByRows(Directed):
    """Apply a strategy to each reduction that runs over joined rows, until there is none left; never fails.

    `is_repeated` selects reductions inside loops; otherwise those outside of loops are selected.
    """

    inner: Strategy
    is_repeated: bool = True

    def orders(self, term: Any) -> Orders:
        before = None if joins_rows(term) else term
        while term is not before:
            before = term
            for one in reductions(term):
                if one.is_repeated == self.is_repeated and runsInRows(one) and not readsAcross(one):
                    happened = yield self.inner, one.path
                    term = term if happened is None else happened.term
        return True


def reducesResultsOfColumns(e: Expr) -> bool:
    """A reduction over the results of reductions that read fewer cache lines if adjacent ones run together."""
    if e.root != ("reduce", 3) or e.children[1].root != ("map", 2):
        return False
    return any(one.around == (1,) and readsAcross(one) for one in reductions(e))


#: store the results of reductions that run across memory before these results are reduced
storeColumns: Strategy = named(
    "storeColumns", normalize(where(reducesResultsOfColumns) >> argument(toMemLocal) >> nameStored)
)
#: reduce each of the joined rows of an array, then combine the results
rowByRow: Strategy = named(
    "rowByRow",
    argument(normalize(mapJoin | joinJoin)) >> separateSumHV >> argument(normalize(mapFusion) >> tidy),
)
#: reduce the joined rows of arrays outside of loops, on different threads
joinedRowsFirst: Strategy = named(
    "joinedRowsFirst", ByRows(rowByRow >> argument(toMemLocal) >> nameStored, is_repeated=False)
)


@dataclass(frozen=True, slots=True)
class Along(Directed):
    """Apply a strategy to each reduction to a number that is inside a loop and computed along, or, with `selects`, to
    each such search for an index; never fails.
    """

    inner: Strategy
    selects: bool = False

    def orders(self, term: Any) -> Orders:
        for one in reductions(term, self.selects):  # inner reductions come first
            is_joined = any(step.row is not None for step in one.along)  # then each step would divide
            is_once = one.is_repeated and not one.is_demanded  # an element that is read often has no memory
            if is_once and not is_joined and not readsAcross(one):
                yield self.inner, one.path
        return True
