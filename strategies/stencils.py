"""Stencils on GPUs: tiles in the shared memory of a block, each with its halo.

Depends on windows, loops and levels of threads, but not on what is computed from a window.
"""

from __future__ import annotations

from elevate import Strategy, child, id_, named, normalize, not_, sometd, where
from rise.records import dataclass
from strategies.halos import arrange, cut, swapStencilLoops
from strategies.lowering.levels import SEQ, block_level, global_level, thread_level
from strategies.lowering.positions import Write
from strategies.lowering.predicates import isCall
from strategies.parts.memory import nameSubterm
from strategies.parts.nests import fuse, openCalls
from strategies.parts.parameters import check_divisors, check_sizes, check_threads
from strategies.parts.windows import (
    beforeWindows,
    hasSlide,
    hasStencilNest,
    isArrayOfArrays,
    isBatches,
    isBatchOfGrids,
    isSlide,
    isStencil,
    isStencilNest,
    isTotal,
    runsOverWindows,
    storesInsideBlocks,
)
from strategies.rules.gpu import mapToMapThreads
from strategies.rules.lowering import copy, etaAbstraction, mapToMapSeq, mapToMapSeqUnroll, toMemLocal
from strategies.rules.movement import (
    splitJoin,
)
from strategies.rules.staging import splitOfJoin, toMemGlobal, toMemShared
from strategies.rules.stencils import (
    joinBatch,
    splitJoinEmpty,
)
from strategies.vocabulary.traversals import argument, body, isFunction, mapped


@named
def copyTile(rows: int, columns: int) -> Strategy:
    """Copy a tile by rows x columns threads of a block, or by `columns` threads if `rows` is 0."""
    check_sizes(0, rows=rows)
    check_sizes(columns=columns)
    grid = splitJoin(columns) >> argument(mapToMapThreads(1) >> mapped(body(mapToMapThreads(0))))
    threads = grid if rows else mapToMapThreads(0)
    steps = argument(argument(mapToMapSeq >> mapped(body(threads))))
    flat = copy >> splitJoinEmpty((rows or 1) * columns) >> steps
    return where(isArrayOfArrays) >> splitOfJoin >> argument(flat) | flat


@named
def stageTile(rows: int, columns: int) -> Strategy:
    """Store the part of the array that the windows of a tile's loop read in shared memory."""
    check_sizes(0, rows=rows)
    check_sizes(columns=columns)
    store = argument(toMemShared >> argument(copyTile(rows, columns)))
    return where(runsOverWindows) >> argument(sometd(where(isSlide) >> store)) | store


#: compute all windows of a thread before storing any result, so that shared elements are read once
keepItems: Strategy = named(
    "keepItems",
    where(isTotal) >> mapToMapSeqUnroll >> toMemLocal >> copy >> mapToMapSeqUnroll | mapToMapSeqUnroll,
)


@named
def tileRow(size: int, items: int) -> Strategy:
    """Tile a one-dimensional stencil: a block computes `size` windows, a thread every (size / items)-th of these."""
    check_sizes(size=size, items=items)
    threads = size // items or 1
    share = splitJoin(threads) >> argument(mapToMapSeqUnroll)
    return where(isStencil) >> cut(size, stageTile(0, threads) >> (share if items > 1 else id_))


@named
def tileGrid(rows: int, columns: int, items: int) -> Strategy:
    """Tile a two-dimensional stencil: a block computes rows x columns windows, and a thread `items` in a column."""
    check_sizes(rows=rows, columns=columns, items=items)
    check_divisors(("items", items, 1, "rows", rows))
    share = splitJoin(items) >> argument(mapped(body(keepItems)))
    inside = swapStencilLoops >> argument(stageTile(rows // items, columns) >> (share if items > 1 else id_))
    return where(isStencilNest) >> cut(rows, swapStencilLoops >> argument(cut(columns, inside)))


#: one thread of the grid per element
_onGrid = where(isArrayOfArrays) >> Write((global_level(1), global_level(0), SEQ)) | Write(
    (global_level(0), SEQ)
)


@dataclass(frozen=True, slots=True)
class StoreBeforeWindows(Strategy):
    """Store arrays computed element by element before windows read them, each in a separate kernel; never fails."""

    def unfold(self) -> Strategy:
        inside = child(0)(child(0)(self))
        return (
            isFunction >> child(0)(self)
            | where(isCall) >> child(1)(self) >> inside
            | nameSubterm(beforeWindows) >> argument(_onGrid >> toMemGlobal) >> inside
            | id_
        )


@named
def tileStencil(rows: int = 16, columns: int = 32, items: int = 4) -> Strategy:
    """Lower maps over windows to tiles in shared memory, one kernel; fails if there are no windows.

    The threads of a block copy the part of the array that the windows of its tile of rows x columns read, then each
    computes `items` windows; `items` divides `rows`. A stencil in one dimension has tiles of rows * columns. Sizes
    need not be multiples of anything; those of windows must be known at compile time. Outer maps are
    batches. Raises StrategyError if the tile does not fit into a block.
    """
    check_sizes(rows=rows, columns=columns, items=items)
    check_divisors(("items", items, 1, "rows", rows))
    check_threads(rows, columns, items, 1)
    shared = (SEQ,) if items > 1 else ()
    levels = (
        block_level(1),
        block_level(0),
        thread_level(1),
        *shared,
        thread_level(0),
        SEQ,
    )
    grid = where(isBatchOfGrids) >> Write((block_level(2), *levels)) | Write(levels)
    row = Write((block_level(0), *shared, thread_level(0), SEQ))
    oneBatch = normalize(where(isBatches) >> joinBatch)
    isGrid = where(hasStencilNest)
    tiles = (
        isGrid >> oneBatch >> sometd(tileGrid(rows, columns, items)) >> grid
        | not_(isGrid) >> sometd(tileRow(rows * columns, items)) >> row
    ) >> not_(where(storesInsideBlocks))
    called = where(hasSlide) >> openCalls >> fuse >> normalize(etaAbstraction)
    return called >> (arrange >> tiles | StoreBeforeWindows() >> arrange >> tiles)
