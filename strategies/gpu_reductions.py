"""Reductions and scans on a GPU, by all threads of a block or all blocks of the grid. Knows no instruction.

Each is cut into parts that are reduced at the same time. The threads of a block reduce what they read by themselves;
their results meet in a tree: of registers that lanes exchange where the operation is commutative, else in shared
memory, in order. What blocks have found is stored for a second kernel.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from elevate import Strategy, all_, child, id_, named, normalize, try_, where
from rise.primitives import applied, with_trait
from rise.terms import App, Expr, Lam, spine
from rise.types import ArrayType
from strategies.lowering.levels import SEQ, global_level, thread_level
from strategies.lowering.positions import Write, function_body, isCall, isComputed
from strategies.openmp import OutermostMaps, isElementwise
from strategies.parts.launchable import equalArrays
from strategies.parts.nests import fuse, reduceInOrder, simplify, tidy
from strategies.parts.parameters import LANES, MOST_THREADS, check_powers, check_sizes, check_switches
from strategies.parts.products import called
from strategies.parts.scans import scanParts
from strategies.rules.argmin_argmax import argmaxAsReduce, argminAsReduce
from strategies.rules.functions import betaReduction, callInside, letToCall
from strategies.rules.fusion import mapFusion
from strategies.rules.gpu import mapToMapBlock, mapToMapLane, mapToMapThreads, mapToMapWarp
from strategies.rules.gpu_reductions import (
    combineSteps,
    doubleWindows,
    mapTake,
    nameSteps,
    padCstNothing,
    reduceByBlocks,
    reduceFlagged,
    reduceHalves,
    reducePadded,
    reducePaddedInto,
    reducePairs,
    reduceParts,
    reducePartsInto,
    scanPadded,
    scanPaddedInto,
    scanWindows,
    singleWindows,
    splitScan,
    splitScanInto,
    startFromNone,
    startOutside,
    stripMap,
)
from strategies.rules.lowering import (
    copy,
    etaAbstraction,
    holdsArray,
    mapToMapSeq,
    reduceToReduceSeq,
    scanToScanSeq,
    toMemLocal,
)
from strategies.rules.movement import mapJoin, splitMap
from strategies.rules.reductions import stripReduce
from strategies.rules.staging import localToGlobal, sharedToGlobal, toMemGlobal, toMemShared
from strategies.vocabulary.traversals import FOLDS, MAPS, SCANS, argument, isFunction

#: what takes a function and an array
PATTERNS: Final = applied(MAPS | FOLDS | SCANS)
#: the place of the least or the greatest, and the function that finds it
SELECTIONS: Final = applied(with_trait("selects"))
SELECTING: Final = frozenset((name, 0) for name in with_trait("selects"))
MOST_STAGED: Final = 4096  # elements that a block copies to its shared memory


def takesFunction(e: Expr) -> bool:
    """A pattern with its function and its array."""
    return isinstance(e, App) and e.root in PATTERNS


def isLongReduction(e: Expr) -> bool:
    """A reduction of an array to a number that is worth several threads: of unknown or of many elements."""
    return e.root == ("reduce", 3) and isLong(e.children[1]) and not holdsArray(e.type)


def isLongScan(e: Expr) -> bool:
    """A scan of numbers that is worth several threads: of unknown or of many elements."""
    t = e.type
    return e.root == ("scan", 3) and isLong(e) and isinstance(t, ArrayType) and not holdsArray(t.element)


def isLongSelection(e: Expr) -> bool:
    """The place of the least or the greatest of enough elements."""
    return e.root in SELECTIONS and isLong(e.children[1])


def isMapOfSelections(e: Expr) -> bool:
    """The place of the least or the greatest of each row, by a function that is not written out."""
    return e.root == ("map", 2) and e.children[0].children[1].root in SELECTING


def isScanned(e: Expr) -> bool:
    """A long scan, or a map of its result."""
    return isLongScan(e) or (e.root == ("map", 2) and isLongScan(e.children[1]))


def isLong(xs: Expr) -> bool:
    """An array of unknown size, or of no less elements than a warp has lanes."""
    known = xs.type.size.constant if isinstance(xs.type, ArrayType) else 0
    return known is None or known >= LANES


def fitsInBlock(e: Expr) -> bool:
    """An array of few numbers, whose size is known."""
    known = e.type.size.constant if isinstance(e.type, ArrayType) else None
    return known is not None and known <= MOST_STAGED


def namesComputed(e: Expr) -> bool:
    """A name for an array that is computed, and not stored."""
    return isCall(e) and isComputed(e.children[1])


def isElementwiseLet(e: Expr) -> bool:
    """A name for an array of which each element is computed from some that are there: computing it twice is cheap."""
    return isCall(e) and isElementwise(e.children[1])


def isRows(e: Expr) -> bool:
    """A map whose function reduces or scans, in none of its own loops."""
    if e.root != ("map", 2):
        return False
    function = spine(e)[1][0]
    assert isinstance(function, Expr)
    stack = [function.body if isinstance(function, Lam) else function]
    while stack:
        node = stack.pop()
        if isLongReduction(node) or isLongScan(node):
            return True
        stack += node.children[1:] if takesFunction(node) else node.children
    return False


@dataclass(frozen=True, slots=True)
class OutsideOfLoops(Strategy):
    """Apply a strategy to the outermost terms where it fits that stand in no loop's function; never fails."""

    inner: Strategy

    def unfold(self) -> Strategy:
        return (
            self.inner
            | isFunction >> child(0)(self)
            | where(isCall) >> child(1)(self) >> child(0)(child(0)(self))
            | where(takesFunction) >> child(1)(self)
            | all_(self)
        )


#: one lane for each element, in registers
byLanes: Strategy = named("byLanes", mapToMapLane(0) >> toMemLocal)
#: one thread for each part, which reduces it from the first element to the last
partByThread: Strategy = named("partByThread", mapToMapThreads(0) >> function_body(reduceInOrder))
#: one lane for each part
partByLane: Strategy = named("partByLane", mapToMapLane(0) >> function_body(reduceInOrder) >> toMemLocal)


@named
def byThreads(threads: int) -> Strategy:
    """Do a map by the threads of a block, each an element of every `threads` ones."""
    check_sizes(threads=threads)
    strips = stripMap(threads) >> argument(argument(mapToMapThreads(0) >> function_body(mapToMapSeq)))
    return strips | mapToMapThreads(0)


@named
def copyInBlock(threads: int) -> Strategy:
    """Copy an array to shared memory by the threads of a block."""
    check_sizes(threads=threads)
    return copy >> byThreads(threads) >> toMemShared


@named
def treeOfLanes(count: int) -> Strategy:
    """Reduce what `count` lanes have, a power of two: each step adds the upper half to the lower one."""
    check_powers(1, LANES, count=count)
    steps: Strategy = id_
    while count > 1:
        count //= 2
        steps = steps >> reduceHalves(count) >> argument(byLanes)
    return steps >> reduceToReduceSeq


@named
def treeInShared(count: int) -> Strategy:
    """Reduce `count` values in shared memory, a power of two: each step combines neighbours, in order.

    The last two are read by whoever needs the result.
    """
    check_powers(1, MOST_THREADS, count=count)
    steps: Strategy = id_
    while count > 2:
        count //= 2
        steps = steps >> reducePairs >> argument(mapToMapThreads(0) >> toMemShared)
    return steps >> reduceToReduceSeq


@named
def reduceByWarps(threads: int) -> Strategy:
    """Reduce an array by the threads of a block: each its strip, then the lanes of each warp, then the warps."""
    check_powers(LANES, MOST_THREADS, threads=threads)
    strips = try_(reducePadded(threads) >> argument(try_(padCstNothing))) >> stripReduce(threads)
    if threads == LANES:
        return strips >> argument(partByLane) >> treeOfLanes(LANES)
    warps = reduceParts(LANES) >> argument(argument(splitMap) >> mapFusion >> tidy)
    lanes = argument(partByLane) >> treeOfLanes(LANES)
    warp = mapToMapWarp(0) >> function_body(lanes) >> toMemShared
    return strips >> warps >> argument(warp) >> treeOfLanes(threads // LANES)


@named
def reduceInOrderByThreads(threads: int) -> Strategy:
    """Reduce an array by the threads of a block: each a part of neighbours, then a tree that keeps the order."""
    check_powers(LANES, MOST_THREADS, threads=threads)
    whole = reducePadded(threads) >> argument(padCstNothing)
    padded = whole | reducePaddedInto(threads)
    parts = reducePartsInto(threads) >> argument(partByThread >> toMemShared)
    return padded >> parts >> treeInShared(threads)


#: elements with flags that say that they are there, so that a reduction can start from none; what it gives is unpacked
optional: Strategy = named("optional", reduceFlagged >> argument(startFromNone))


@named
def reduceInBlock(threads: int) -> Strategy:
    """Reduce an array by the threads of a block, which are a power of two from 32 on."""
    check_powers(LANES, MOST_THREADS, threads=threads)
    inParts = reduceByWarps(threads) | reduceInOrderByThreads(threads)
    return inParts | startOutside >> argument(inParts) | optional >> argument(argument(inParts))


@named
def reduceOnGrid(threads: int, items: int, atomic: int = 0) -> Strategy:
    """Reduce an array by blocks, `items` elements a thread; then one block reduces what they found, in a second kernel.

    With `atomic` each block combines what it found with the result itself, where the operation allows it.
    """
    check_powers(LANES, MOST_THREADS, threads=threads)
    check_sizes(items=items)
    check_switches(atomic=atomic)
    size = threads * items
    block = function_body(reduceInBlock(threads))
    stored = argument(mapToMapBlock(0) >> block >> toMemGlobal) >> reduceInBlock(threads)
    combined = reduceByBlocks(0) >> argument(block)
    inParts = reducePadded(size) >> reduceParts(size) >> (combined | stored if atomic else stored)
    return inParts | startOutside >> argument(inParts) | optional >> argument(argument(inParts))


@named
def windowsByLanes(size: int) -> Strategy:
    """Reduce all windows of `size` elements, a power of two, one lane each: first those of half the size."""
    check_powers(1, LANES, size=size)
    if size == 1:
        return argument(argument(padCstNothing)) >> singleWindows >> byLanes
    half = size // 2
    return doubleWindows(half) >> argument(windowsByLanes(half)) >> called(mapToMapLane(0)) >> toMemLocal


scanInOrder: Strategy = named("scanInOrder", function_body(scanToScanSeq))


@named
def scanTotals(threads: int) -> Strategy:
    """Scan what the threads of a block find: lanes of a warp scan what their parts reduce to, then each its part."""
    check_powers(LANES, MOST_THREADS, threads=threads)
    totals = argument(partByThread >> toMemShared)
    if threads == LANES:
        return totals >> argument(copy >> byLanes) >> scanWindows >> windowsByLanes(LANES)
    starts = argument(partByLane) >> scanWindows >> windowsByLanes(LANES)
    parts = splitScanInto(LANES) >> called(scanParts(starts, mapToMapLane(0) >> scanInOrder))
    return totals >> parts >> toMemShared


@named
def scanByThreads(threads: int) -> Strategy:
    """Scan equal parts by the threads of a block: first what they reduce to, then each from where it starts."""
    check_powers(LANES, MOST_THREADS, threads=threads)
    return splitScanInto(threads) >> called(scanParts(scanTotals(threads), mapToMapThreads(0) >> scanInOrder))


@named
def scanInBlock(threads: int) -> Strategy:
    """Scan an array by the threads of a block; where it is small, from shared memory."""
    check_powers(LANES, MOST_THREADS, threads=threads)
    stage = (
        argument(argument(where(fitsInBlock) >> copyInBlock(threads)))
        | where(namesComputed) >> betaReduction
        | id_
    )
    inParts = scanPaddedInto(threads) >> argument(scanByThreads(threads) >> stage)
    return inParts | startOutside >> argument(inParts) >> byThreads(threads)


#: a map of joined parts that are scanned is one of each part; what is too much is dropped after
mapOfParts: Strategy = named("mapOfParts", mapTake >> argument(mapJoin >> argument(mapFusion >> tidy)))


@named
def scanOnGrid(threads: int, items: int) -> Strategy:
    """Scan an array in three kernels: what blocks reduce to, `items` elements a thread; where each starts; the scans.

    A map of the scan's result is done where this is stored.
    """
    check_powers(LANES, MOST_THREADS, threads=threads)
    check_sizes(items=items)
    size = threads * items
    totals = argument(mapToMapBlock(0) >> function_body(reduceInBlock(threads)) >> toMemGlobal)
    starts = totals >> scanInBlock(threads) >> toMemGlobal
    cut = scanPadded(size) >> argument(splitScan(size) >> scanParts(starts, id_))
    inParts = cut | startOutside >> argument(cut) >> mapOfParts
    staged = argument(scanByThreads(threads) >> argument(argument(copyInBlock(threads))) >> toMemShared)
    whole = startOutside >> staged | argument(startOutside) >> mapFusion >> tidy >> staged
    block = mapToMapBlock(0) >> function_body(whole >> byThreads(threads))
    return (inParts | argument(inParts) >> mapOfParts) >> argument(argument(block))


#: scans of linear steps are scans of what two of these do one after the other
linear: Strategy = named("linear", try_(nameSteps >> combineSteps >> tidy))
#: places of the least and the greatest are reductions of pairs
_selections = where(isMapOfSelections, roots=[("map", 2)]) >> etaAbstraction | where(
    isLongSelection, roots=SELECTIONS
) >> (argminAsReduce | argmaxAsReduce)
#: names of arrays that are computed element by element are what they stand for, maps that feed each other are one
openNames: Strategy = named(
    "openNames",
    normalize(
        letToCall | simplify | callInside | mapFusion | where(isElementwiseLet) >> betaReduction | _selections
    ),
)


@named
def onRows(threads: int) -> Strategy:
    """Each row on a block: its reductions and scans by all threads, its maps with one thread for each element."""
    check_powers(LANES, MOST_THREADS, threads=threads)
    reductions = OutsideOfLoops(where(isLongReduction) >> reduceInBlock(threads))
    scans = OutermostMaps(where(isLongScan) >> linear >> scanInBlock(threads))
    row = reductions >> scans >> reduceInOrder >> Write((thread_level(0), SEQ))
    return try_(etaAbstraction) >> where(isRows) >> mapToMapBlock(0) >> function_body(row)


@named
def reductionsOnBlocks(threads: int = 256, items: int = 8, atomic: int = 0) -> Strategy:
    """Reductions and scans in parallel: outside of loops on the whole grid, those of rows on a block for each row.

    What is neither stays as it is, to be lowered after. Raises StrategyError unless a block's threads are whole
    warps, as many as a power of two.
    """
    check_powers(LANES, MOST_THREADS, threads=threads)
    check_sizes(items=items)
    check_switches(atomic=atomic)
    isReduction, scan = where(isLongReduction), linear >> scanOnGrid(threads, items)
    reductions = OutsideOfLoops(onRows(threads) | isReduction >> reduceOnGrid(threads, items, atomic))
    scans = OutermostMaps(where(isScanned) >> scan) >> OutsideOfLoops(where(isScanned) >> scan >> toMemGlobal)
    return openNames >> scans >> reductions


@named
def reduceOnBlocks(threads: int = 256, items: int = 8, atomic: int = 0) -> Strategy:
    """Lower a program: reductions and scans in parallel on all blocks, or on a block for each row.

    Fails where a row of a length of its own would be kept for the threads of a loop over rows.
    """
    parallel = reductionsOnBlocks(threads, items, atomic)
    lower = fuse >> Write((global_level(0), SEQ)) >> normalize(localToGlobal | sharedToGlobal)
    return parallel >> lower >> equalArrays


@named
def scanOnBlocks(threads: int = 128, items: int = 7) -> Strategy:
    """Lower a program: as `reduceOnBlocks`, with the odd number of elements a thread that suits banks in scans."""
    return reduceOnBlocks(threads, items)
