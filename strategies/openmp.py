"""Parallel loops for processors with OpenMP: outer loops on threads, matrix products in register tiles."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from elevate import Strategy, alltd, child, named, normalize, not_, topDown, try_, where
from rise.naturals import Nat
from rise.nodes import postorder
from rise.terms import Expr, Lam, Primitive, spine
from strategies.lowering import Operands, Write, hasLoop, isCall, isFunction, isWritable
from strategies.nests import align, fuse, liftReduction, push, reduceInOrder, separate, simplify, tidy
from strategies.rules.conversions import convertBefore
from strategies.rules.lowering import copy, holdsArray, mapToMapPar, mapToMapSeq, toMemLocal
from strategies.rules.matrix_products import isProductNest, mulAddToFma, packConverted, packOperand
from strategies.rules.movement import (
    columnsFirst,
    columnsFirstDependent,
    constantMap,
    splitJoinPadded,
    transposeTranspose,
)
from strategies.rules.reductions import liftReduceSeq, splitReduce, stripReduce, stripReduceRest
from strategies.tiles import LARGEST, check_sizes
from strategies.traversals import argument, body, mapped

LANES: Final = 16  # partial results of a row: a vector of the widest processors
SHORT: Final = 4 * LANES
#: the inner loop of a nest comes outside
swap: Strategy = named("swap", (columnsFirst | columnsFirstDependent) >> argument(align))


@named
def registerTiles(rows: int, columns: int) -> Strategy:
    """Compute a matrix product in tiles of rows x columns that stay in registers while the products are summed.

    The loop over blocks of columns is outermost; a block of the right operand is stored in the order of reading. The
    last tiles may run over: what is too much is computed and dropped.
    """
    check_sizes(rows=rows, columns=columns)
    nest = where(isProductNest)
    tile = nest >> separate >> topDown(liftReduction >> normalize(constantMap | convertBefore | mulAddToFma))
    block = nest >> swap >> topDown(splitJoinPadded(rows) >> align) >> topDown(tile)
    store = argument(copy >> toMemLocal)
    pack = topDown(packOperand >> store) >> try_(topDown(packConverted >> store))
    return topDown(nest >> swap >> topDown(splitJoinPadded(columns) >> align) >> topDown(block) >> pack)


@dataclass(frozen=True, slots=True)
class OutermostMaps(Strategy):
    """Apply a strategy to the maps that fill a program's result, where it fits; never fails."""

    inner: Strategy

    def unfold(self) -> Strategy:
        return (
            where(isFunction) >> child(0)(self)
            | where(isCall) >> child(0)(child(0)(self))
            | where(isWritable) >> Operands(self)
            | try_(self.inner)
        )


def isElementwise(e: Expr) -> bool:
    """A map whose function computes a number by no loop."""
    if e.root != ("map", 2):
        return False
    _, (function, _) = spine(e)
    return isinstance(function, Lam) and not holdsArray(function.body.type) and not hasLoop(function.body)


def isTopReduction(e: Expr) -> bool:
    """A reduction of an array to a number."""
    return e.root == ("reduce", 3) and not holdsArray(e.type)


#: many reductions become one of rows
together: Strategy = named(
    "together", reduceInOrder >> liftReduceSeq >> normalize(simplify | transposeTranspose | constantMap)
)


@named
def blockedReduction(size: int, lanes: int) -> Strategy:
    """Reduce blocks of `size` on different threads, in `lanes` partial results each, where one number is the result."""
    check_sizes(size=size, lanes=lanes)
    block = stripReduce(lanes) >> argument(together)
    blocks = argument(mapped(body(block)) >> toMemLocal)
    return OutermostMaps(where(isTopReduction) >> splitReduce(size) >> child(0)(argument(blocks)))


def isLongReduction(e: Expr) -> bool:
    """A reduction of an array to a number that is not known to be short."""
    if e.root != ("reduce", 3) or holdsArray(e.type):
        return False
    size = e.children[1].type.parts[0]
    return not (isinstance(size, Nat) and size.constant is not None and size.constant < SHORT)


def isOverColumns(e: Expr) -> bool:
    """A map that reduces each column of an array to a number."""
    if e.root != ("map", 2):
        return False
    _, (function, columns) = spine(e)
    if not isinstance(function, Lam) or not isinstance(columns, Expr) or columns.root != ("transpose", 1):
        return False
    return function.body.root == ("reduce", 3) and not holdsArray(function.body.type)


def hasWindows(e: Expr) -> bool:
    """Whether a program has windows of a size that is not known, which are taken to be small."""
    return any(
        isinstance(node, Primitive) and node.name == "slide" and any(one.free for one in node.implicits)
        for node in postorder(e)
    )


@named
def strips(lanes: int) -> Strategy:
    """Reduce rows to a number each in `lanes` partial results, which vector instructions advance together."""
    check_sizes(lanes=lanes)
    partial = child(0)(argument(argument(together)))
    columns = where(isOverColumns) >> reduceInOrder >> liftReduceSeq >> push
    strip = where(isLongReduction) >> stripReduceRest(lanes) >> partial
    return tidy >> try_(not_(where(hasWindows)) >> alltd(mapped(body(alltd(columns | strip)))))


@named
def parallel(tile: int = 32, rows: int = 8) -> Strategy:
    """Lower any program: outermost loops run on threads, matrix products in register tiles of rows x tile.

    Loops over numbers are cut into blocks of `tile`, which the compiler turns into vector instructions. Sizes need
    not be multiples of anything.
    """
    check_sizes(tile=tile, rows=rows)
    blocks = OutermostMaps(where(isElementwise) >> splitJoinPadded(tile) >> align)
    sums = blockedReduction(min(64 * tile, LARGEST), tile)
    lower = Write((mapToMapPar, mapToMapSeq))
    nests = fuse >> registerTiles(rows, tile) | strips(LANES) >> fuse
    return sums >> nests >> blocks >> lower
