"""Parallel loops for processors with OpenMP: outer loops on threads, matrix products in register tiles."""

from __future__ import annotations

from dataclasses import dataclass

from elevate import Strategy, child, named, normalize, topDown, try_, where
from rise.terms import Expr, Lam, spine
from strategies.lowering import Operands, Write, hasLoop, isCall, isFunction, isWritable
from strategies.nests import (
    align,
    argument,
    body,
    fuse,
    liftReduction,
    mapped,
    reduceInOrder,
    separate,
    simplify,
)
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
from strategies.rules.reductions import liftReduceSeq, splitReduce, stripReduce

#: the inner loop of a nest comes outside
swap: Strategy = named("swap", (columnsFirst | columnsFirstDependent) >> argument(align))


@named
def registerTiles(rows: int, columns: int) -> Strategy:
    """Compute a matrix product in tiles of rows x columns that stay in registers while the products are summed.

    The loop over blocks of columns is outermost; a block of the right operand is stored in the order of reading. The
    last tiles may run over: what is too much is computed and dropped.
    """
    nest = where(isProductNest)
    tile = (
        nest
        >> try_(separate)
        >> topDown(liftReduction >> normalize(constantMap | convertBefore | mulAddToFma))
    )
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


@named
def blockedReduction(size: int, lanes: int) -> Strategy:
    """Reduce blocks of `size` on different threads, in `lanes` partial results each, where one number is the result."""
    together = reduceInOrder >> liftReduceSeq >> normalize(simplify | transposeTranspose | constantMap)
    block = stripReduce(lanes) >> argument(together)
    blocks = argument(mapped(body(block)) >> toMemLocal)
    return OutermostMaps(where(isTopReduction) >> splitReduce(size) >> child(0)(argument(blocks)))


@named
def parallel(tile: int = 32, rows: int = 8) -> Strategy:
    """Lower any program: outermost loops run on threads, matrix products in register tiles of rows x tile.

    Loops over numbers are cut into blocks of `tile`, which the compiler turns into vector instructions. Sizes need
    not be multiples of anything.
    """
    blocks = OutermostMaps(where(isElementwise) >> splitJoinPadded(tile) >> align)
    sums = blockedReduction(64 * tile, tile)
    lower = Write((mapToMapPar, mapToMapSeq))
    return sums >> fuse >> try_(registerTiles(rows, tile)) >> blocks >> lower
