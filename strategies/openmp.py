"""Parallel loops for CPUs with OpenMP: outer loops on threads, matrix products in register tiles."""

from __future__ import annotations

from typing import Final

from elevate import Strategy, alltd, child, named, normalize, topDown, try_, where
from rise.hardware import DEFAULT, Processor
from rise.primitives import has_trait, operands_of
from rise.primitives.traits import Trait
from rise.records import dataclass
from rise.terms import App, Expr, Lam, occurs, spine
from rise.types import ArrayType, is_data
from strategies.costs.decisions import is_computed
from strategies.lowering.levels import PAR, SEQ
from strategies.lowering.positions import Write
from strategies.lowering.predicates import head, isCall, isStored
from strategies.lowering.rows import isSized, sized_body
from strategies.parts.batched_products import joinBatches
from strategies.parts.few_columns import FewColumns
from strategies.parts.joined_maps import joinNests
from strategies.parts.lists import storeLists
from strategies.parts.loop_order import (
    SHORT_ROW,
    isFew,
    joinedRowsFirst,
    storeColumns,
)
from strategies.parts.machine_tiles import (
    long_row_results,
    machine_of,
    partial_results,
    row_results,
    scan_chunk,
    selection_chunk,
    short_row,
    size_or_default,
)
from strategies.parts.memory import nameStored
from strategies.parts.nests import (
    align,
    fuse,
    tidy,
)
from strategies.parts.outermost_maps import OutermostMaps, isElementwise
from strategies.parts.parameters import MAX_COUNT, check_sizes
from strategies.parts.partial_results import (
    fillsStrips,
    hasOnlyMaps,
    inHalves,
    inStrips,
    partialResults,
    together,
    toPartialResults,
)
from strategies.parts.register_tiles import (
    RowsFirst,
    productsInRegisters,
    storeColumnsByRows,
    storeProducts,
)
from strategies.parts.scans import scanInParts
from strategies.parts.schedules import allowChanges
from strategies.parts.searches import searches, searchInVectors
from strategies.parts.short_rows import ByLength
from strategies.parts.transposed_reads import tileTransposedReads
from strategies.rules.argmin_argmax import (
    argmaxAsReduce,
    argminAsReduce,
    skipOrSearchGreatest,
    skipOrSearchLeast,
    skipUnlessGreater,
    skipUnlessGreaterPair,
    skipUnlessLess,
    skipUnlessLesserPair,
)
from strategies.rules.dependent import depTileJoin
from strategies.rules.lowering import copy, holdsArray, toMemLocal
from strategies.rules.movement import (
    splitJoinPadded,
)
from strategies.rules.permutations import scatterAddRest, scatterAddTables, splitScatterAdd
from strategies.rules.reductions import (
    splitReduce,
    splitReduceApart,
    stepReduce,
    stepReduceRest,
    stripReduce,
)
from strategies.sharing import share
from strategies.vocabulary.traversals import argument, body, isFunction, mapped

#: traits of primitives that compute an array in order, or as a whole
AS_A_WHOLE: Final[tuple[Trait, ...]] = ("scans", "scatters", "sorts", "compresses")
#: additions or comparisons per partial result before all partial results are combined: enough to make combining them
#: cheap
STEPS_PER_SUM: Final = 128
STEPS_PER_SELECTION: Final = 16
#: chunks from which a thread selects the best number: each chunk begins without a number that is better than most
CHUNKS_PER_SELECTION: Final = 4


@dataclass(frozen=True, slots=True)
class Result(Strategy):
    """Apply a strategy to the result of a program, if it applies; never fails."""

    inner: Strategy

    def unfold(self) -> Strategy:
        body = isFunction >> child(0)(self) | where(isCall) >> child(0)(child(0)(self))
        return body | where(isSized) >> sized_body(self) | try_(self.inner)


def mapsItsElements(e: Expr) -> bool:
    """A map whose function maps over its argument, unlike in a matrix product."""
    function = e.children[0].children[1] if e.root == ("map", 2) else None
    if not isinstance(function, Lam) or function.body.root != ("map", 2):
        return False
    elements = function.body.children[1]
    return occurs(elements, 0)


@dataclass(frozen=True, slots=True)
class ShortRows(Strategy):
    """Reduce rows of at most `limit` elements `count` at a time, in maps that fill a program's result, at any depth,
    such as for the channels of each pixel of an image; never fails.
    """

    limit: int
    count: int

    def unfold(self) -> Strategy:
        return OutermostMaps(ByLength(self.limit, self.count) | where(mapsItsElements) >> mapped(body(self)))


def isTopReduction(e: Expr) -> bool:
    """A reduction of an array to a number."""
    return e.root == ("reduce", 3) and not holdsArray(e.type)


def isOneBlock(e: Expr) -> bool:
    """A reduction of an array that is known to be no longer than a block."""
    xs = e.arg.type if isinstance(e, App) else None
    return isinstance(xs, ArrayType) and isFew(xs.size, STEPS_PER_SUM * DEFAULT.neighbours + 1)


def isComputedInOrder(e: Expr) -> bool:
    """An array that a scan, a scatter, a sort, or a loop that changes it in each step computes."""
    waiting = [e]
    while waiting:
        term = waiting.pop()
        if any(has_trait(head(term), trait) for trait in AS_A_WHOLE) or _changes_array(term):
            return True
        operands = spine(term)[1] if isinstance(term, App) and not isStored(term) else ()
        waiting += [one for one in operands if isinstance(one, Expr) and is_data(one.type)]
    return False


def _changes_array(e: Expr) -> bool:
    """Whether a term is a sequential loop with an array as its state."""
    name = head(e)
    carries = has_trait(name, "reduces") or has_trait(name, "rereads")
    return carries and has_trait(name, "loops") and isinstance(e.type, ArrayType)


def isSelection(e: Expr) -> bool:
    """The index of the least or greatest number of an array."""
    return has_trait(head(e), "selects") and len(spine(e)[1]) == operands_of(head(e))


def readsWhole(e: Expr) -> bool:
    """A reduction of an array that is computed in order, or a search in an array that is computed by loops: both are
    split, so that several loops read the array.
    """
    if not isSelection(e) and e.root != ("reduce", 3):
        return False
    xs = e.children[1]
    if not is_computed(xs):
        return False
    if isSelection(e):
        return not hasOnlyMaps(xs)
    return isComputedInOrder(xs)


#: store what several loops would recompute
storeWhole: Strategy = named("storeWhole", normalize(where(readsWhole) >> argument(toMemLocal) >> nameStored))
#: when searching for the best pair, skip blocks without a better one
skip: Strategy = skipUnlessGreater | skipUnlessLess | skipUnlessGreaterPair | skipUnlessLesserPair


@named
def blockedSelection(size: int, few: int, lanes: int) -> Strategy:
    """Search for the best pair in blocks of `size` on different threads; skip groups of `few` pairs without a better
    one.
    """
    check_sizes(size=size, few=few, lanes=lanes)
    inBlock = (skipOrSearchGreatest | skipOrSearchLeast) >> tidy >> topDown(searchInVectors(lanes))
    greatest = topDown(stripReduce(lanes) >> argument(together) >> try_(inHalves(lanes)))
    searched, best = topDown(inBlock >> greatest), topDown((inBlock | skip) >> greatest)
    steps = stepReduceRest(few) >> best
    blocks = argument(argument(mapped(body(steps)) >> toMemLocal))
    rest = stepReduceRest(min(SHORT_ROW, few)) >> searched
    twice = stepReduce(few) >> child(0)(argument(searched)) >> rest
    return splitReduce(size) >> child(0)(blocks) >> (twice | steps)


@named
def blockedReduction(size: int, lanes: int, selected: int) -> Strategy:
    """Reduce an array to a number in blocks of `size` on different threads, each by `lanes` partial results; select the
    best pair in blocks of `selected`.
    """
    check_sizes(size=size, lanes=lanes, selected=selected)
    strip = try_(where(fillsStrips) >> (toPartialResults(lanes) | inStrips(lanes)))
    block = try_(stripReduce(lanes) >> argument(together))
    blocks = child(0)(argument(argument(mapped(body(block)) >> toMemLocal)))
    sums = splitReduceApart(size) >> blocks >> argument(strip)
    selection = blockedSelection(selected, min(STEPS_PER_SELECTION * lanes, MAX_COUNT), lanes)
    return OutermostMaps(where(isTopReduction) >> (selection | where(isOneBlock) >> strip | sums))


def isTopScan(e: Expr) -> bool:
    """A scan of numbers that are stored or cheap to compute, so that they can be read twice."""
    if e.root != ("scan", 3) or not isinstance(e.type, ArrayType) or holdsArray(e.type.element):
        return False
    return hasOnlyMaps(e.children[1])


@named
def blockedScan(size: int, lanes: int) -> Strategy:
    """Scan blocks of `size` on different threads, each from the sum of the previous ones; sums use `lanes` partial
    results.

    Elements are read twice, which costs little compared with the steps of the scan, each of which depends on the
    previous one.
    """
    check_sizes(size=size, lanes=lanes)
    sums = mapped(body(try_(stripReduce(lanes) >> argument(together)))) >> toMemLocal
    return OutermostMaps(where(isTopScan) >> scanInParts(size, sums, toMemLocal))


@named
def tables(size: int) -> Strategy:
    """Add scattered numbers into one table per block of at least `size` elements, on different threads."""
    check_sizes(size=size)
    blocks = splitScatterAdd(size) >> scatterAddTables >> argument(toMemLocal)
    return scatterAddRest(size) >> argument(blocks)


def fillsColumns(e: Expr) -> bool:
    """A transposed map that computes each number without a loop, so that its rows can be filled one by one instead."""
    if e.root != ("transpose", 1):
        return False
    columns = spine(e)[1][0]
    if not isinstance(columns, Expr) or columns.root != ("map", 2):
        return False
    return hasOnlyMaps(spine(columns)[1][0])


def isOfGathered(e: Expr) -> bool:
    """Windows of a gathered array, of which each element would be gathered once per window."""
    return head(e) == "slide" and isinstance(e, App) and head(e.arg) == "gather"


#: gather elements once that several windows read
gatherOnce: Strategy = named("gatherOnce", alltd(where(isOfGathered) >> argument(toMemLocal)))


@named
def parallel(
    tile: int | None = None,
    rows: int | None = None,
    columns: int | None = None,
    borders: bool = True,
    together: bool = True,
    prefetch: bool = True,
    machine: Processor | str = DEFAULT,
    accumulators: int | None = None,
) -> Strategy:
    """Lower any program: outermost loops run on threads, matrix products in register tiles of rows x columns.

    Loops over numbers are split into blocks of `tile`, which the C compiler vectorises. Sizes need not be multiples
    of anything. `borders`, `together` and `prefetch` are changes of loops that the target is allowed to make. Each sum
    of many rows has `accumulators` partial results, by default depending on the length of rows, if it is known. Tile
    sizes that are not given follow from `machine`, a processor or its name (`strategies.parts.machine_tiles`).
    """
    processor = machine_of(machine)
    lanes, tile = (
        size_or_default(tile, partial_results(processor)),
        size_or_default(tile, processor.neighbours),
    )
    selected = selection_chunk(processor)
    check_sizes(tile=tile)
    blocks = OutermostMaps(where(isElementwise) >> splitJoinPadded(tile) >> align)
    byRows = Result(where(fillsColumns) >> copy)
    lower = Write((PAR, SEQ))
    inRows = FewColumns(processor) >> (
        partialResults(row_results(processor), long_row_results(processor))
        if accumulators is None
        else partialResults(accumulators)
    )
    nests = (
        storeProducts
        >> fuse
        >> storeColumnsByRows
        >> alltd(RowsFirst())
        >> joinBatches(rows, columns, processor)
        >> productsInRegisters(rows, columns, processor)
        >> inRows
        | inRows >> fuse
    )
    sums = (
        storeWhole
        >> storeLists
        >> searches(lanes)
        >> normalize(argminAsReduce | argmaxAsReduce)
        >> tidy
        >> storeColumns
        >> joinedRowsFirst
        >> blockedReduction(
            min(STEPS_PER_SUM * lanes, MAX_COUNT), lanes, min(CHUNKS_PER_SELECTION * selected, MAX_COUNT)
        )
        >> blockedScan(scan_chunk(processor), lanes)
        >> OutermostMaps(tables(selected))
        >> ShortRows(short_row(processor), processor.neighbours)
    )
    changes = allowChanges(borders, together, prefetch)
    return (
        share
        >> sums
        >> nests
        >> byRows
        >> tileTransposedReads(processor)
        >> joinNests
        >> blocks
        >> gatherOnce
        >> lower
        >> changes
    )


@named
def depTiled(
    tile: int | None = None,
    borders: bool = True,
    prefetch: bool = True,
    machine: Processor | str = DEFAULT,
) -> Strategy:
    """Lower any program: loops over numbers run in tiles on threads; the last tile has the remainder of `tile`."""
    tile = size_or_default(tile, machine_of(machine).neighbours)
    check_sizes(tile=tile)
    tiles = OutermostMaps(where(isElementwise) >> depTileJoin(tile))
    changes = allowChanges(borders, together=False, prefetch=prefetch)
    return fuse >> tiles >> Write((PAR, SEQ)) >> changes
