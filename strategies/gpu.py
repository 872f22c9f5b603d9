"""Kernels for GPUs without tensor cores: blocks and threads, shared memory, registers.

`blocksAndThreads` lowers any program: matrix products and stencils in tiles, reductions and scans in parallel, and
everything else with one thread per element.
"""

from __future__ import annotations

from typing import Final

from elevate import Strategy, named, normalize, where
from rise.nodes import postorder
from rise.primitives import running_on
from rise.terms import App, DepApp, DepLam, Expr, Lam, has_primitive, spine
from rise.types import ArrayType, DepArrayType, DepPairType, Space, Type
from strategies.costs.decisions import is_view
from strategies.gpu_contractions import contractionTiles, isRearranged
from strategies.gpu_kernels import (
    EachKernel,
    changesOneElement,
    isInSteps,
    keepsNothingOfThreads,
    nestsNoSteps,
    runsStepsOnThreads,
    storedApart,
)
from strategies.gpu_products import LargeProducts
from strategies.gpu_reductions import OutsideOfLoops, isLongReduction, reduceOnBlocks
from strategies.lowering.levels import SEQ, block_level, global_level, thread_level
from strategies.lowering.positions import Write, fold_body
from strategies.lowering.predicates import isWritable
from strategies.parts.contraction_nests import isContraction
from strategies.parts.launchable import (
    fitsShared,
    inShared,
    keepsOwn,
    keepsWithinBlocks,
    nestsLevels,
    ordersThreads,
    runsOutsideOfViews,
    startsOnGrid,
    startsOutsideOfLoops,
    startsThreads,
    storesLoops,
    viewsComputeNothing,
)
from strategies.parts.nests import (
    Parameters,
    fuse,
)
from strategies.parts.parameters import (
    LANES,
    MAX_VECTOR_LENGTH,
    check_multiples,
    check_powers,
    check_sizes,
    check_vectors,
)
from strategies.parts.product_checks import HasVectors, SumsProducts
from strategies.parts.products import (
    byOrder,
    isBatchOfProducts,
)
from strategies.parts.reduction_trees import reduceInBlock
from strategies.parts.staging import stage
from strategies.parts.thread_tiles import BATCH_LEVELS, TILE_LEVELS, stagedTiles, threadTiles
from strategies.parts.windows import hasKnownTiles, isArrayOfArrays, storesInside
from strategies.rules.functions import betaReduction, letToCall
from strategies.rules.gpu_kernels import largeToGlobal, longToGlobal, size_in_bytes
from strategies.rules.reductions import sumOfOnes
from strategies.rules.staging import localToGlobal
from strategies.stencils import tileStencil
from strategies.transposes import tileTransposed
from strategies.vocabulary.traversals import FOLDS, SCANS, maps_on

#: the primitives that run on blocks of threads
BLOCK_PRIMITIVES: Final = running_on("block")
#: loops over all threads of the grid
ON_GRID: Final = maps_on("global")
#: the primitives that combine elements one after the other
FOLDS_AND_SCANS: Final = FOLDS | SCANS
#: maximum bytes of a row that one thread computes alone, with the intermediate values that it stores
SHORT_ROW_BYTES: Final = 128


@named
def productTiles(
    rows: int = 64,
    columns: int = 64,
    depth: int = 16,
    thread_rows: int = 4,
    thread_columns: int = 4,
    vector: int = 4,
    room: int = 0,
    edges: int = 1,
) -> Strategy:
    """Lower a matrix product with its prologue and epilogue to one kernel of blocks and threads.

    A block of threads computes `rows` x `columns` of the result in steps of `depth`: its threads copy the factors to
    shared memory, `vector` numbers at a time, into rows padded by `room` numbers, and each sums `thread_rows` x
    `thread_columns` products in registers. With `edges`, tiles may overrun; without, `rise.obligations` returns the
    sizes that they must divide. Raises StrategyError if the tiles do not fit into each other or into a block.
    """
    check_sizes(rows=rows, columns=columns, depth=depth)
    check_powers(1, MAX_VECTOR_LENGTH, vector=vector)
    check_sizes(0, room=room)
    tiles = threadTiles(rows, columns, depth, thread_rows, thread_columns, edges)
    check_vectors(vector, depth=depth, columns=columns)
    width = columns // thread_columns
    lower = where(isBatchOfProducts) >> Write(BATCH_LEVELS) | Write(TILE_LEVELS)

    def derive(left: bool, right: bool) -> Strategy:
        staged = stagedTiles(stage(left, vector, room, width), stage(right, vector, room, width))
        return tiles >> staged >> lower

    fits: Strategy = HasVectors(vector)
    if edges:
        fits = SumsProducts() >> fits
    return byOrder(derive, fits)


def depthOfMaps(e: Expr) -> int:
    """The number of nested maps that write a program's result, up to 3."""
    depth = 0
    while True:
        if isinstance(e, Lam | DepLam):
            e = e.body
        elif isinstance(e, App) and isinstance(e.fun, Lam):
            e = e.fun.body
        elif depth < 3 and isinstance(e.type, ArrayType) and is_view(e):
            return min(3, depth + long_dimensions(e.type))
        elif e.root == ("map", 2) and isinstance(e.type, ArrayType) and depth < 3:
            function = spine(e)[1][0]
            depth += 1
            if not isinstance(function, Lam):
                return depth
            e = function.body
        elif isWritable(e) and isinstance(e, App):
            e = e.arg
        else:
            return depth


def long_dimensions(t: Type) -> int:
    """The number of outer dimensions of an array that are not known to be short."""
    count = 0
    while isinstance(t, ArrayType) and (t.size.constant is None or t.size.constant >= LANES):
        count, t = count + 1, t.element
    return count


def isNested(e: Expr) -> bool:
    """A program that maps over rows, and over the elements of each."""
    return depthOfMaps(e) > 1


def isNestedTwice(e: Expr) -> bool:
    """A program that maps over matrices, over their rows, and over the elements of these."""
    return depthOfMaps(e) > 2


def isOfShortRows(e: Expr) -> bool:
    """A program that maps over rows that are known to be short, and stores arrays for each row."""
    while isinstance(e, Lam | DepLam):
        e = e.body
    size = size_in_bytes(e.type.element) if isinstance(e.type, ArrayType) else None
    return size is not None and size <= SHORT_ROW_BYTES


def keepsNothingInside(e: Expr) -> bool:
    """A lowered program in which no map over the grid stores arrays that its threads would have to share."""
    return not storesInside(ON_GRID, e, frozenset({Space("Global"), Space("Shared")}))


_grid = (global_level(2), global_level(1), global_level(0), SEQ)
#: check that the translation accepts a program: each loop's result is stored, and levels are nested correctly
isLaunchable: Strategy = named(
    "isLaunchable",
    where(nestsLevels) >> where(runsOutsideOfViews) >> where(storesLoops) >> where(startsOutsideOfLoops),
)
_alone = where(keepsNothingInside) >> where(keepsOwn) >> isLaunchable
_large = normalize(longToGlobal | largeToGlobal)
#: one thread per element of the result or, if rows need intermediate arrays, one block per row
onePerElement: Strategy = named(
    "onePerElement",
    fuse
    >> (
        where(isNestedTwice) >> Write(_grid) >> _alone >> _large
        | where(isNested) >> Write(_grid[1:]) >> _alone >> _large
        | where(isOfShortRows) >> Write(_grid[2:]) >> _alone >> _large
        | where(isNested)
        >> Write((block_level(0), thread_level(0), SEQ))
        >> inShared
        >> _large
        >> where(keepsNothingOfThreads)
        >> isLaunchable
        | Write(_grid[2:]) >> _large
    ),
)
#: the threads of a single block, with barriers in the enclosing loops
inOneBlock: Strategy = named(
    "inOneBlock",
    fuse
    >> (
        where(isArrayOfArrays) >> Write((thread_level(1), thread_level(0), SEQ))
        | Write((thread_level(0), SEQ))
    )
    >> inShared
    >> _large
    >> where(keepsNothingOfThreads)
    >> where(nestsNoSteps)
    >> where(startsThreads)
    >> isLaunchable,
)
#: one thread, sequentially
byOneThread: Strategy = named("byOneThread", fuse >> Write((SEQ,)) >> normalize(longToGlobal))


def keepsNothingShared(e: Expr) -> bool:
    """A lowered program that stores nothing in shared memory, where arrays of rows of unknown length have no place."""
    return Space("Shared") not in spaces(e)


def spaces(e: Expr) -> list[Space]:
    """The address spaces in which a lowered program keeps arrays."""
    return [
        node.argument
        for node in postorder(e)
        if isinstance(node, DepApp) and isinstance(node.argument, Space)
    ]


def hasBlocks(e: Expr) -> bool:
    """A lowered program that uses blocks of threads."""
    return has_primitive(e, *BLOCK_PRIMITIVES)


def givesRows(e: Expr) -> bool:
    """A program whose result is rows of different lengths, without reductions or scans."""
    if has_primitive(e, *FOLDS_AND_SCANS):
        return False
    while True:
        match e:
            case Lam() | DepLam():
                e = e.body
            case App(Lam() as function, _):
                e = function.body
            case _ if e.root == ("depMap", 2):
                return isinstance(e.type, DepArrayType)
            case App() if isWritable(e):
                e = e.arg
            case _:
                return False


def hasRows(e: Expr) -> bool:
    """A program that maps over rows of different lengths."""
    return has_primitive(e, "depMap")


#: one block per row of the result, however long, and one thread per element
rowsOnBlocks: Strategy = named(
    "rowsOnBlocks",
    where(givesRows)
    >> fuse
    >> Write((block_level(0), thread_level(0), SEQ))
    >> where(keepsNothingShared)
    >> normalize(localToGlobal),
)


def namesArray(e: Expr) -> bool:
    """A term that names an array by `let` or by an immediately applied function."""
    value = named_value(e)
    return value is not None and isinstance(value.type, ArrayType)


def namesPair(e: Expr) -> bool:
    """A term that names a dependent pair by `let` or by an immediately applied function."""
    value = named_value(e)
    return value is not None and isPair(value)


def named_value(e: Expr) -> Expr | None:
    """The value that `let` or an immediately applied function names."""
    match e:
        case App(Lam(), given):
            return given
    value = spine(e)[1][0] if e.root == ("let", 2) else None
    return value if isinstance(value, Expr) else None


def isPair(e: Expr) -> bool:
    """A dependent pair."""
    return isinstance(e.type, DepPairType)


def choosesPair(e: Expr) -> bool:
    """A program that chooses between dependent pairs. Values that it computes from a pair are in a condition, hence in
    one kernel, where blocks cannot wait for values that others store.
    """
    return any(
        isinstance(node, Expr) and node.root == ("select", 3) and isPair(node) for node in postorder(e)
    )


_called = letToCall >> betaReduction | betaReduction
#: one thread per element for programs that choose between pairs; names of pairs are inlined, since a named pair would
#: be stored for other blocks to read
chosenPairs: Strategy = named(
    "chosenPairs", where(choosesPair) >> normalize(where(namesPair) >> _called) >> onePerElement
)
#: one thread per row of any length; intermediate arrays are computed where they are read, and never stored
rowsOnThreads: Strategy = named(
    "rowsOnThreads",
    onePerElement >> _alone | normalize(where(namesArray) >> _called) >> onePerElement >> _alone,
)


@named
def stepsInOneBlock(threads: int) -> Strategy:
    """The threads of a single block for a loop in steps; they also share the reductions to numbers in each step if they
    are in one dimension.
    """
    reduced = OutsideOfLoops(where(isLongReduction) >> reduceInBlock(threads))
    return fold_body(reduced) >> inOneBlock >> where(ordersThreads) | inOneBlock


@named
def blocksAndThreads(
    rows: int = 64, columns: int = 64, depth: int = 16, threads: int = 256, items: int = 8, atomic: int = 0
) -> Strategy:
    """Lower any program for a GPU; sizes need not be multiples of anything.

    Matrix products are computed in tiles of `rows` x `columns` x `depth`, contractions in tiles that follow from their
    sizes; maps over windows in tiles with their borders; reductions and scans by blocks of `threads` threads with
    `items` elements each, whose results are combined by a second kernel or, with `atomic`, by atomic updates;
    everything else by one thread per element. Rows of different lengths take one block each, or one thread each if they
    are summed. Raises StrategyError if the tiles or the threads do not fit into a block.
    """
    check_sizes(rows=rows, columns=columns, depth=depth)
    check_multiples(
        ("rows", rows, "a thread's", 4),
        ("columns", columns, "a thread's", 4),
        ("depth", depth, "a vector's", 4),
    )
    fits = where(keepsWithinBlocks) >> where(fitsShared)
    onGrid = where(startsOnGrid) >> where(viewsComputeNothing) >> fits >> isLaunchable
    kernel = (
        where(changesOneElement) >> byOneThread
        | where(isInSteps) >> stepsInOneBlock(threads) >> where(runsStepsOnThreads)
        | where(isRearranged) >> contractionTiles() >> onGrid
        | LargeProducts() >> onGrid
        | productTiles(rows, columns, depth) >> onGrid
        | where(isContraction) >> contractionTiles() >> onGrid
        | tileStencil() >> where(hasKnownTiles) >> onGrid
        | tileTransposed() >> where(hasKnownTiles) >> onGrid
        | reduceOnBlocks(threads, items, atomic) >> where(hasBlocks) >> isLaunchable
        | onePerElement >> where(startsThreads) >> isLaunchable
        | inOneBlock
        | byOneThread
    )
    return (
        Parameters()
        >> normalize(sumOfOnes)
        >> (
            where(hasRows) >> (rowsOnBlocks | rowsOnThreads | onePerElement)
            | chosenPairs
            | storedApart >> EachKernel(kernel)
        )
    )
