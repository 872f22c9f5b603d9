"""Chooses at run time how to reduce rows that may be short, such as points with three coordinates.

A row with fewer numbers than a vector leaves most of the vector empty, and combining its partial results takes longer
than the sum; vectors with one number from each of several rows are full. Independent of targets.
"""

from __future__ import annotations

from typing import Any

from elevate import Directed, Strategy, named
from elevate.directed_strategies import Orders
from rise.analysis.strides import reductions
from rise.naturals import Nat, const
from rise.nodes import postorder
from rise.primitives import has_trait
from rise.quotients import is_nonnegative
from rise.records import dataclass
from rise.terms import Expr, Lam, Primitive
from rise.types import ArrayType, PairType
from strategies.lowering.predicates import COMPUTING
from strategies.parts.loop_order import isShort
from strategies.parts.nests import align, reduceInOrder
from strategies.parts.parameters import check_sizes
from strategies.parts.products import liftLoop
from strategies.parts.register_tiles import inWholeBlocks
from strategies.rules.lowering import holdsArray
from strategies.rules.movement import splitJoinRest
from strategies.rules.reductions import pairedRowsBySize, rowsBySize
from strategies.vocabulary.traversals import body, mapped


def row_size(e: Expr) -> Nat | None:
    """The length of the rows in `map f rows`, or of the first rows of pairs, if f computes one number from each row by
    a single reduction, and rows are contiguous in memory; None for other terms.
    """
    if e.root != ("map", 2) or not isinstance(e.type, ArrayType) or holdsArray(e.type.element):
        return None
    function, rows = e.children[0].children[1], e.children[1].type
    if not isinstance(function, Lam) or not isinstance(rows, ArrayType):
        return None
    row = rows.element.first if isinstance(rows.element, PairType) else rows.element
    if not isinstance(row, ArrayType) or isShort(row) or has_several_loops(function):
        return None
    found = reductions(e)
    if len(found) != 1 or found[0].around != () or found[0].across is None:
        return None
    return row.size if any(step.distance == row.size for step in found[0].across) else None


def has_several_loops(function: Lam) -> bool:
    """Whether a function has more than one loop other than maps."""
    names = [node.name for node in postorder(function.body) if isinstance(node, Primitive)]
    return sum(name in COMPUTING and not has_trait(name, "maps") for name in names) > 1


@named
def severalRows(count: int) -> Strategy:
    """Reduce rows in blocks of `count`, each row in order, so that vectors hold numbers from different rows."""
    check_sizes(count=count)
    return (
        mapped(body(reduceInOrder)) >> splitJoinRest(count) >> align >> inWholeBlocks(mapped(body(liftLoop)))
    )


@dataclass(frozen=True, slots=True)
class ByLength(Directed):
    """Reduce rows of at most `limit` elements, or pairs of rows of at most half as many, `count` at a time, and longer
    ones one by one; the choice is made at run time. Fails for other terms, and for rows that are known to be longer.
    """

    limit: int
    count: int

    def orders(self, term: Any) -> Orders:
        size = row_size(term)
        single, pair = self.limit, max(1, self.limit // 2)
        if size is None or is_nonnegative(size - const(single + 1)):
            return False
        choice = rowsBySize(single + 1) | pairedRowsBySize(pair + 1)
        for strategy, path in ((choice, ()), (severalRows(self.count), (0, 1))):
            if (yield strategy, path) is None:
                return False
        return True
