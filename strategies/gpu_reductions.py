"""Reductions and scans on a GPU, by all threads of a block or all blocks of the grid. Independent of instructions.

Each one is split into parts that are reduced in parallel. Each thread of a block first reduces the elements that it
reads; then a tree combines the threads' results: in registers that lanes exchange if the operation is commutative,
otherwise in shared memory, in order. The results of blocks are stored for a second kernel. One subject: operations that
all threads of a block compute together.
"""

from __future__ import annotations

from typing import Any, Final

from elevate import Directed, Strategy, all_, child, id_, named, normalize, try_, where
from elevate.directed_strategies import Orders
from rise.primitives import PROJECTIONS, applied, with_trait
from rise.records import dataclass
from rise.terms import App, Bound, Expr, Lam, spine
from rise.types import ArrayType, ScalarType
from strategies.fireiron.limits import REGISTER_BYTES
from strategies.gpu_rows import ACCESS_BYTES, BLOCK_REGISTERS, THREAD_REGISTERS, OnRow
from strategies.lowering.levels import SEQ, global_level, thread_level
from strategies.lowering.positions import Write, function_body
from strategies.lowering.predicates import isCall, isComputed
from strategies.parts.launchable import equalArrays, inShared
from strategies.parts.nests import fuse, reduceInOrder, simplify, tidy
from strategies.parts.outermost_maps import OutermostMaps, isElementwise
from strategies.parts.parameters import (
    LANES,
    MAX_BLOCK_THREADS,
    MAX_VECTOR_LENGTH,
    check_powers,
    check_sizes,
    check_switches,
)
from strategies.parts.products import called
from strategies.parts.reduction_trees import byLanes, optional, partByLane, partByThread, reduceInBlock
from strategies.parts.scans import scanParts
from strategies.rules.argmin_argmax import argmaxAsReduce, argminAsReduce
from strategies.rules.functions import betaReduction, callInside, letToCall
from strategies.rules.fusion import mapFusion
from strategies.rules.gpu import mapToMapBlock, mapToMapLane, mapToMapThreads
from strategies.rules.gpu_kernels import largeToGlobal, longToGlobal, size_in_bytes
from strategies.rules.gpu_reductions import (
    combineSteps,
    doubleWindows,
    mapTake,
    nameSteps,
    padCstNothing,
    reduceByBlocks,
    reducePadded,
    reduceParts,
    scanPadded,
    scanPaddedInto,
    scanWindows,
    singleWindows,
    splitScan,
    splitScanInto,
    startOutside,
    stripMap,
)
from strategies.rules.lowering import (
    copy,
    etaAbstraction,
    holdsArray,
    mapToMapSeq,
    mapToMapSeqUnroll,
    scanToScanSeq,
    toMemLocal,
)
from strategies.rules.movement import mapJoin
from strategies.rules.staging import toMemGlobal, toMemShared
from strategies.rules.vectors import vectorizeAlignedAfter
from strategies.vocabulary.traversals import FOLDS, MAPS, SCANS, argument, isFunction

#: applied primitives that take a function and an array
PATTERNS: Final = applied(MAPS | FOLDS | SCANS)
#: argmin and argmax, applied to an array, and by themselves
SELECTIONS: Final = applied(with_trait("selects"))
SELECTING: Final = frozenset((name, 0) for name in with_trait("selects"))
#: arrays whose elements in the same place are read together, and parts of pairs
READ_TOGETHER: Final = applied(("zip", *PROJECTIONS))
MAX_STAGED_ELEMENTS: Final = 4096  # of an array that a block copies to its shared memory


def takesFunction(e: Expr) -> bool:
    """A pattern applied to its function and its array."""
    return isinstance(e, App) and e.root in PATTERNS


def isLongReduction(e: Expr) -> bool:
    """A reduction of an array to a number that is long enough for several threads, or of unknown length."""
    return e.root == ("reduce", 3) and isLong(e.children[1]) and not holdsArray(e.type)


def isLongScan(e: Expr) -> bool:
    """A scan of numbers that is long enough for several threads, or of unknown length."""
    t = e.type
    return e.root == ("scan", 3) and isLong(e) and isinstance(t, ArrayType) and not holdsArray(t.element)


def isLongSelection(e: Expr) -> bool:
    """An argmin or argmax that is long enough for several threads, or of unknown length."""
    return e.root in SELECTIONS and isLong(e.children[1])


def isMapOfSelections(e: Expr) -> bool:
    """The argmin or argmax of each row, where the function is not eta-expanded."""
    return e.root == ("map", 2) and e.children[0].children[1].root in SELECTING


def isScanned(e: Expr) -> bool:
    """A long scan, or a map of its result."""
    return isLongScan(e) or (e.root == ("map", 2) and isLongScan(e.children[1]))


def isLong(xs: Expr) -> bool:
    """An array of unknown size, or of at least as many elements as a warp has lanes."""
    known = xs.type.size.constant if isinstance(xs.type, ArrayType) else 0
    return known is None or known >= LANES


def fitsInBlock(e: Expr) -> bool:
    """An array whose size is known and small enough for shared memory."""
    known = e.type.size.constant if isinstance(e.type, ArrayType) else None
    return known is not None and known <= MAX_STAGED_ELEMENTS


def namesComputed(e: Expr) -> bool:
    """A call that names an array which is computed and not stored."""
    return isCall(e) and isComputed(e.children[1])


def isElementwiseLet(e: Expr) -> bool:
    """A call that names an array which is computed element by element, so that computing it twice is cheap."""
    return isCall(e) and isElementwise(e.children[1])


def isRows(e: Expr) -> bool:
    """A map whose function reduces or scans outside of its own loops."""
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


def isBatchOfElements(e: Expr) -> bool:
    """A map over the elements of each element of an array, perhaps read together with other arrays."""
    function = spine(e)[1][0] if e.root == ("map", 2) else None
    if not isinstance(function, Lam) or function.body.root != ("map", 2):
        return False
    waiting, is_of_element = [function.body.children[1]], False
    while waiting:
        part = waiting.pop()
        if part.root in READ_TOGETHER:
            waiting += [each for each in spine(part)[1] if isinstance(each, Expr)]
        elif isinstance(part, Bound):
            is_of_element |= part.index == 0
        else:
            return False
    return is_of_element


@dataclass(frozen=True, slots=True)
class OutsideOfLoops(Strategy):
    """Apply a strategy to the outermost terms outside of the functions of loops to which it applies; never fails."""

    inner: Strategy

    def unfold(self) -> Strategy:
        return (
            self.inner
            | isFunction >> child(0)(self)
            | where(isCall) >> child(1)(self) >> child(0)(child(0)(self))
            | where(takesFunction) >> child(1)(self)
            | all_(self)
        )


@named
def byThreads(threads: int) -> Strategy:
    """Run a map on the threads of a block: each thread computes every `threads`-th element."""
    check_sizes(threads=threads)
    strips = stripMap(threads) >> argument(argument(mapToMapThreads(0) >> function_body(mapToMapSeq)))
    return strips | mapToMapThreads(0)


@named
def copyInBlock(threads: int) -> Strategy:
    """Copy an array to shared memory by the threads of a block."""
    check_sizes(threads=threads)
    return copy >> byThreads(threads) >> toMemShared


@named
def reduceOnGrid(threads: int, items: int, atomic: int = 0) -> Strategy:
    """Reduce an array by blocks, `items` elements per thread; then one block reduces their results, in a second kernel.

    With `atomic`, each block updates the result itself, if the operation allows it.
    """
    check_powers(LANES, MAX_BLOCK_THREADS, threads=threads)
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
    """Reduce all windows of `size` elements, a power of two, by one lane each, from windows of half the size."""
    check_powers(1, LANES, size=size)
    if size == 1:
        return argument(argument(padCstNothing)) >> singleWindows >> byLanes
    half = size // 2
    return doubleWindows(half) >> argument(windowsByLanes(half)) >> called(mapToMapLane(0)) >> toMemLocal


#: scan each part from the first element to the last
scanInOrder: Strategy = named("scanInOrder", function_body(scanToScanSeq))


@named
def scanTotals(threads: int) -> Strategy:
    """Scan the results of a block's threads: a warp scans the reductions of its lanes' parts, then each lane scans its
    part.
    """
    check_powers(LANES, MAX_BLOCK_THREADS, threads=threads)
    totals = argument(partByThread >> toMemShared)
    if threads == LANES:
        return totals >> argument(copy >> byLanes) >> scanWindows >> windowsByLanes(LANES)
    starts = argument(partByLane) >> scanWindows >> windowsByLanes(LANES)
    parts = splitScanInto(LANES) >> called(scanParts(starts, mapToMapLane(0) >> scanInOrder))
    return totals >> parts >> toMemShared


@named
def scanByThreads(threads: int) -> Strategy:
    """Scan equal parts by the threads of a block: first the reductions of the parts, then each part from its start
    value.
    """
    check_powers(LANES, MAX_BLOCK_THREADS, threads=threads)
    return splitScanInto(threads) >> called(scanParts(scanTotals(threads), mapToMapThreads(0) >> scanInOrder))


@named
def scanInRegisters(threads: int, vector: int) -> Strategy:
    """Scan an array by the threads of a block, which read it once, `vector` numbers at a time, into their registers.

    Each thread has equal parts of consecutive numbers; `vector` divides the numbers of a part.
    """
    check_powers(LANES, MAX_BLOCK_THREADS, threads=threads)
    check_powers(1, MAX_VECTOR_LENGTH, vector=vector)
    access = vectorizeAlignedAfter(vector) >> argument(copy >> mapToMapSeqUnroll)
    load = copy >> mapToMapThreads(0) >> function_body(access) >> toMemLocal
    part = scanToScanSeq >> toMemLocal >> access
    parts = scanParts(scanTotals(threads), mapToMapThreads(0) >> function_body(part))
    cut = splitScanInto(threads) >> called(parts) >> argument(load)
    return cut | scanPaddedInto(threads) >> argument(cut)


@dataclass(frozen=True, slots=True)
class ScanOfRow(Directed):
    """Scan an array of known length by the threads of a block, at most `threads`, if their registers hold it; otherwise
    it fails.
    """

    threads: int

    def orders(self, term: Any) -> Orders:
        shape = scan_shape(term, self.threads)
        if shape is None:
            return False
        scan = scanInRegisters(*shape)
        return (yield scan | startOutside >> argument(scan) >> byThreads(shape[0]), ()) is not None


def scan_shape(scan: Expr, threads: int) -> tuple[int, int] | None:
    """The threads of a block, at most `threads`, and the numbers in an access, for a scan of an array; None if its
    length or its numbers are not known, or if registers do not hold it.
    """
    t = scan.type
    size = t.size.constant if isinstance(t, ArrayType) else None
    number = None if size is None or not isinstance(t, ArrayType) else size_in_bytes(t.element)
    if (
        size is None
        or number is None
        or not isinstance(t, ArrayType)
        or not isinstance(t.element, ScalarType)
    ):
        return None
    count, used, vector = int(size), threads, max(1, ACCESS_BYTES // number)
    while used > LANES and count < used * vector:
        used //= 2
    part = count // used if count % used == 0 else 1 + count // used
    while vector > 1 and (part % vector or count % vector):
        vector //= 2
    registers = 2 * part * max(1, number // REGISTER_BYTES)
    fits = registers <= THREAD_REGISTERS and registers * used <= BLOCK_REGISTERS
    return (used, vector) if fits else None


@named
def scanInBlock(threads: int) -> Strategy:
    """Scan an array by the threads of a block, from shared memory if it is small."""
    check_powers(LANES, MAX_BLOCK_THREADS, threads=threads)
    stage = (
        argument(argument(where(fitsInBlock) >> copyInBlock(threads)))
        | where(namesComputed) >> betaReduction
        | id_
    )
    inParts = scanPaddedInto(threads) >> argument(scanByThreads(threads) >> stage)
    return inParts | startOutside >> argument(inParts) >> byThreads(threads)


#: map over each scanned part instead of over the joined parts, and drop the excess afterwards
mapOfParts: Strategy = named("mapOfParts", mapTake >> argument(mapJoin >> argument(mapFusion >> tidy)))


@named
def scanOnGrid(threads: int, items: int) -> Strategy:
    """Scan an array in three kernels: reductions of blocks, `items` elements per thread; start values of blocks; scans.

    A map of the scan's result is fused into the kernel that stores it.
    """
    check_powers(LANES, MAX_BLOCK_THREADS, threads=threads)
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


#: turn scans of linear steps into scans of compositions of these steps
linear: Strategy = named("linear", try_(nameSteps >> combineSteps >> tidy))
#: argmin and argmax as reductions of pairs
_selections = where(isMapOfSelections, roots=[("map", 2)]) >> etaAbstraction | where(
    isLongSelection, roots=SELECTIONS
) >> (argminAsReduce | argmaxAsReduce)
#: inline names of arrays that are computed element by element, and fuse maps
openNames: Strategy = named(
    "openNames",
    normalize(
        letToCall | simplify | callInside | mapFusion | where(isElementwiseLet) >> betaReduction | _selections
    ),
)


@named
def onRows(threads: int) -> Strategy:
    """Compute each row on a block: its reductions and scans by all threads, its maps with one thread per element."""
    check_powers(LANES, MAX_BLOCK_THREADS, threads=threads)
    reductions = OutsideOfLoops(where(isLongReduction) >> reduceInBlock(threads))
    scans = OutermostMaps(where(isLongScan) >> linear >> scanInBlock(threads))
    row = reductions >> scans >> reduceInOrder >> Write((thread_level(0), SEQ)) >> inShared
    onlyScan = where(isLongScan) >> ScanOfRow(threads) >> reduceInOrder >> Write((thread_level(0), SEQ))
    rows = (
        try_(etaAbstraction)
        >> where(isRows)
        >> mapToMapBlock(0)
        >> function_body(OnRow(threads) | onlyScan | row)
    )
    batches = where(isBatchOfElements) >> mapToMapBlock(1) >> function_body(rows)
    return rows | batches | where(isBatchOfElements) >> mapToMapBlock(2) >> function_body(batches)


@named
def reductionsOnBlocks(threads: int = 256, items: int = 8, atomic: int = 0) -> Strategy:
    """Run reductions and scans in parallel: outside of loops on the whole grid, those of rows on one block per row.

    Everything else is left to be lowered later. Raises StrategyError unless the number of a block's threads is a
    power of two and fills whole warps.
    """
    check_powers(LANES, MAX_BLOCK_THREADS, threads=threads)
    check_sizes(items=items)
    check_switches(atomic=atomic)
    isReduction, scan = where(isLongReduction), linear >> scanOnGrid(threads, items)
    reductions = OutsideOfLoops(onRows(threads) | isReduction >> reduceOnGrid(threads, items, atomic))
    scans = OutermostMaps(where(isScanned) >> scan) >> OutsideOfLoops(where(isScanned) >> scan >> toMemGlobal)
    return openNames >> scans >> reductions


@named
def reduceOnBlocks(threads: int = 256, items: int = 8, atomic: int = 0) -> Strategy:
    """Lower a program: reductions and scans in parallel on all blocks, or on one block per row.

    Fails if threads of a loop over rows would have to store rows of different lengths.
    """
    parallel = reductionsOnBlocks(threads, items, atomic)
    lower = fuse >> Write((global_level(0), SEQ)) >> normalize(longToGlobal | largeToGlobal)
    return parallel >> lower >> equalArrays


@named
def scanOnBlocks(threads: int = 128, items: int = 7) -> Strategy:
    """Like `reduceOnBlocks`, with an odd number of elements per thread, which avoids bank conflicts in scans."""
    return reduceOnBlocks(threads, items)
