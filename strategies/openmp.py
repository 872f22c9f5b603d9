"""Parallel loops for CPUs with OpenMP: outer loops on threads, matrix products in register tiles."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from elevate import Strategy, alltd, child, id_, named, normalize, not_, topDown, try_, where
from rise.naturals import Nat
from rise.nodes import Node, postorder
from rise.terms import App, Expr, Lam, Primitive, spine
from rise.types import ArrayType
from strategies.lowering.levels import PAR, SEQ
from strategies.lowering.positions import (
    COMPUTING,
    Operands,
    Write,
    hasLoop,
    head,
    isCall,
    isPlain,
    isWritable,
)
from strategies.parts.nests import (
    Parameters,
    align,
    fuse,
    push,
    reduceInOrder,
    simplify,
    simplifyAroundCopies,
    tidy,
)
from strategies.parts.one_thread import oneThreadUnlessApart
from strategies.parts.parameters import MAX_COUNT, check_sizes
from strategies.parts.register_tiles import RowsFirst, columnsByRows, productsInRegisters, storeProducts
from strategies.parts.scans import scanInParts
from strategies.parts.schedules import allowChanges
from strategies.parts.windows import side_by_side
from strategies.rules.argmin_argmax import (
    argmaxAsReduce,
    argminAsReduce,
    skipUnlessGreater,
    skipUnlessGreaterPair,
    skipUnlessLess,
    skipUnlessLesserPair,
)
from strategies.rules.dependent import depTileJoin
from strategies.rules.invariants import nameSum, nameSums
from strategies.rules.lowering import copy, holdsArray, toMemLocal
from strategies.rules.movement import (
    constantMap,
    splitJoinPadded,
    transposeTranspose,
)
from strategies.rules.permutations import scatterAddRest, scatterAddTables, splitScatterAdd
from strategies.rules.reductions import (
    liftReduceSeq,
    splitReduce,
    stepReduceRest,
    stripReduce,
    stripReduceRest,
)
from strategies.vocabulary.traversals import argument, body, isFunction, mapped

PARTIALS_PER_ROW: Final = (
    32  # partial results of a row: two vectors of the widest processors, which take turns
)
SHORT_ROW: Final = 2 * PARTIALS_PER_ROW
SELECTION_CHUNK: Final = (
    1 << 16
)  # elements of which a thread finds the best, or that it adds to a table of its own
SCAN_CHUNK: Final = 1 << 14  # elements that a thread scans
PAIRS_TOGETHER: Final = 512  # pairs that are looked at together


def isOfNumbers(e: Expr) -> bool:
    """A number computed from others by no loop."""
    return isinstance(e, App) and isPlain(e) and head(e) != "" and head(e) not in COMPUTING


@dataclass(frozen=True, slots=True)
class OutermostMaps(Strategy):
    """Apply a strategy to the maps that fill a program's result, and to the numbers that it is computed from, where it
    fits; never fails.
    """

    inner: Strategy

    def unfold(self) -> Strategy:
        ofNumbers = where(isPlain) >> self | id_
        return (
            isFunction >> child(0)(self)
            | where(isCall) >> child(0)(child(0)(self)) >> child(1)(ofNumbers)
            | where(isOfNumbers) >> Operands(ofNumbers)
            | where(isWritable) >> Operands(self)
            | try_(self.inner)
        )


@dataclass(frozen=True, slots=True)
class Result(Strategy):
    """Apply a strategy to what a program gives, where it fits; never fails."""

    inner: Strategy

    def unfold(self) -> Strategy:
        body = isFunction >> child(0)(self) | where(isCall) >> child(0)(child(0)(self))
        return body | try_(self.inner)


def isElementwise(e: Expr) -> bool:
    """A map whose function computes a number by no loop."""
    if e.root != ("map", 2):
        return False
    _, (function, _) = spine(e)
    return isinstance(function, Lam) and not holdsArray(function.body.type) and not hasLoop(function.body)


def hasOnlyMaps(e: Node) -> bool:
    """Whether a term runs no loop but maps."""
    return not any(isinstance(node, Primitive) and node.name in COMPUTING - {"map"} for node in postorder(e))


def isTopReduction(e: Expr) -> bool:
    """A reduction of an array to a number."""
    return e.root == ("reduce", 3) and not holdsArray(e.type)


#: many reductions become one of rows
together: Strategy = named(
    "together", reduceInOrder >> liftReduceSeq >> normalize(simplify | transposeTranspose | constantMap)
)


#: where a selection is of the best pair, blocks that have none are passed over
skip: Strategy = skipUnlessGreater | skipUnlessLess | skipUnlessGreaterPair | skipUnlessLesserPair


@named
def blockedSelection(size: int, few: int, lanes: int) -> Strategy:
    """Choose the best pair of blocks of `size` on different threads; only those of `few` are looked at that have it."""
    check_sizes(size=size, few=few, lanes=lanes)
    best = topDown(skip >> topDown(stripReduce(lanes) >> argument(together)))
    steps = stepReduceRest(few) >> best
    blocks = argument(argument(mapped(body(steps)) >> toMemLocal))
    return splitReduce(size) >> child(0)(blocks) >> steps


@named
def blockedReduction(size: int, lanes: int) -> Strategy:
    """Reduce blocks of `size` on different threads, sums in `lanes` partial results, where one value is the result."""
    check_sizes(size=size, lanes=lanes)
    block = stripReduce(lanes) >> argument(together)
    blocks = argument(mapped(body(try_(block))) >> toMemLocal)
    sums = splitReduce(size) >> child(0)(argument(blocks))
    return OutermostMaps(
        where(isTopReduction) >> (blockedSelection(SELECTION_CHUNK, PAIRS_TOGETHER, lanes) | sums)
    )


def isTopScan(e: Expr) -> bool:
    """A scan of numbers that are there, or computed by no loop of their own: they may be asked for twice."""
    if e.root != ("scan", 3) or not isinstance(e.type, ArrayType) or holdsArray(e.type.element):
        return False
    return hasOnlyMaps(e.children[1])


@named
def blockedScan(size: int, lanes: int) -> Strategy:
    """Scan blocks of `size` on different threads, each from the sum of those before; sums in `lanes` partial results.

    Elements are read twice, which costs little beside the scan's steps, as each of these waits for the one before.
    """
    check_sizes(size=size, lanes=lanes)
    sums = mapped(body(try_(stripReduce(lanes) >> argument(together)))) >> toMemLocal
    return OutermostMaps(where(isTopScan) >> scanInParts(size, sums, toMemLocal))


@named
def tables(size: int) -> Strategy:
    """Add scattered numbers into a table for each block of `size` elements and more, on different threads."""
    check_sizes(size=size)
    blocks = splitScatterAdd(size) >> scatterAddTables >> argument(toMemLocal)
    return scatterAddRest(size) >> argument(blocks)


def fillsStrips(e: Expr) -> bool:
    """A reduction of an array to a number that is not known to be short."""
    if e.root != ("reduce", 3) or holdsArray(e.type):
        return False
    size = e.children[1].type.parts[0]
    return not (isinstance(size, Nat) and size.constant is not None and size.constant < SHORT_ROW)


def reducesColumns(e: Expr) -> bool:
    """A map that reduces each column of an array to a number."""
    if e.root != ("map", 2):
        return False
    _, (function, columns) = spine(e)
    if not isinstance(function, Lam) or not isinstance(columns, Expr) or columns.root != ("transpose", 1):
        return False
    return function.body.root == ("reduce", 3) and not holdsArray(function.body.type)


def hasWindows(e: Expr) -> bool:
    """Whether a program has windows: neighbours are reduced together then, each in order, and not a row in strips."""
    return any(isinstance(node, Primitive) and node.name == "slide" for node in postorder(e))


def mapsColumns(e: Expr) -> bool:
    """A map over the columns of a matrix and what stands beside them: neighbours are reduced together, in order."""
    if e.root != ("map", 2):
        return False
    return any(xs.root == ("transpose", 1) for xs in side_by_side(e.children[1]))


@named
def partialResults(lanes: int) -> Strategy:
    """Reduce rows to a number each in `lanes` partial results, which vector instructions advance together."""
    check_sizes(lanes=lanes)
    partial = child(0)(argument(argument(together)))
    columns = where(reducesColumns) >> reduceInOrder >> liftReduceSeq >> push
    strip = where(fillsStrips) >> stripReduceRest(lanes) >> partial
    rows = not_(where(mapsColumns)) >> mapped(body(alltd(columns | strip)))
    return normalize(simplifyAroundCopies) >> try_(not_(where(hasWindows)) >> alltd(rows))


def fillsColumns(e: Expr) -> bool:
    """A transposed map that computes each number by no loop, so that the rows can as well be filled one by one."""
    if e.root != ("transpose", 1):
        return False
    columns = spine(e)[1][0]
    if not isinstance(columns, Expr) or columns.root != ("map", 2):
        return False
    return hasOnlyMaps(spine(columns)[1][0])


def isOfGathered(e: Expr) -> bool:
    """Windows of what is gathered: each element would be looked for once in each window."""
    return head(e) == "slide" and isinstance(e, App) and head(e.arg) == "gather"


#: what windows read again is gathered once
gatherOnce: Strategy = named("gatherOnce", alltd(where(isOfGathered) >> argument(toMemLocal)))
#: sums that are the same in each turn of a loop come out of it
sumOnce: Strategy = named("sumOnce", tidy >> normalize(nameSums >> tidy) >> normalize(nameSum))


@named
def parallel(
    tile: int = 32,
    rows: int = 6,
    columns: int = 64,
    borders: bool = True,
    together: bool = True,
    prefetch: bool = True,
) -> Strategy:
    """Lower any program: outermost loops run on threads, matrix products in register tiles of rows x columns.

    Loops over numbers are cut into blocks of `tile`, which the compiler turns into vector instructions. Sizes need
    not be multiples of anything. `borders`, `together` and `prefetch` are what the target is allowed to do with loops.
    """
    check_sizes(tile=tile)
    blocks = OutermostMaps(where(isElementwise) >> splitJoinPadded(tile) >> align)
    byRows = Result(where(fillsColumns) >> copy)
    lower = Write((PAR, SEQ))
    nests = (
        storeProducts
        >> fuse
        >> try_(topDown(columnsByRows))
        >> alltd(RowsFirst())
        >> productsInRegisters(rows, columns)
        >> partialResults(PARTIALS_PER_ROW)
        | partialResults(PARTIALS_PER_ROW) >> fuse
    )
    sums = (
        normalize(argminAsReduce | argmaxAsReduce)
        >> sumOnce
        >> blockedReduction(min(64 * tile, MAX_COUNT), tile)
        >> blockedScan(SCAN_CHUNK, tile)
        >> OutermostMaps(tables(SELECTION_CHUNK))
    )
    changes = allowChanges(borders, together, prefetch)
    return (
        Parameters()
        >> sums
        >> nests
        >> byRows
        >> blocks
        >> gatherOnce
        >> lower
        >> oneThreadUnlessApart
        >> changes
    )


@named
def depTiled(tile: int = 32, borders: bool = True, prefetch: bool = True) -> Strategy:
    """Lower any program: loops over numbers run in tiles on threads, the last as long as what `tile` leaves."""
    check_sizes(tile=tile)
    tiles = OutermostMaps(where(isElementwise) >> depTileJoin(tile))
    changes = allowChanges(borders, together=False, prefetch=prefetch)
    return fuse >> tiles >> Write((PAR, SEQ)) >> oneThreadUnlessApart >> changes
