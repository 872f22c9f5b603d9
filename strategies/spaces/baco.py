"""The seven RISE benchmarks of BaCO (ASPLOS 2023) as spaces: six on GPUs, a matrix product on CPUs.

BaCO searches the numbers of a given program: tiles, parts of threads, lengths of vectors, local and global sizes. Here
the same choices are parameters of strategies. Sizes of launches follow from tiles, so they are no choices of their own.
Constraints that no strategy states are in `where`; those on sizes of arrays are obligations of the derived program.
"""

from __future__ import annotations

from itertools import permutations
from typing import Final

from elevate import Strategy, id_
from rise.hardware import Processor
from strategies.cpu_gemm import lowerToC, onVectors, tiled
from strategies.gpu import productTiles
from strategies.gpu_reductions import reduceOnBlocks
from strategies.lowering.levels import SEQ, block_level, thread_level
from strategies.lowering.positions import Write
from strategies.normal_forms import followedBy
from strategies.parts.nests import fuse
from strategies.parts.parameters import LANES, MAX_BLOCK_THREADS
from strategies.rules.movement import splitJoin
from strategies.spaces.holes import choose, space
from strategies.stencils import tileStencil
from strategies.tiling import Inside, OutermostLoop, reorder
from strategies.vectorizing import vectorize

#: powers of two, the sizes of all choices
POWERS: Final = tuple(2**exponent for exponent in range(11))
#: of reductions: whole warps
WARPS: Final = tuple(size for size in POWERS if size >= LANES)
VECTORS: Final = (1, 2, 4)
COLUMNS_OF_TILE: Final = 4
#: the orders of the six loops of a tiled product in which loops over tiles are outside, and columns of a tile innermost
ORDERS: Final = {
    " ".join(map(str, order)): order
    for order in permutations((1, 2, 3, 4, 5, 6))
    if order[-1] == COLUMNS_OF_TILE and order.index(1) < order.index(3) and order.index(5) < order.index(6)
}


@space
def mm_cpu(machine: Processor) -> Strategy:
    """A matrix product in tiles, summed in steps, in any order of its six loops, with columns on vectors."""
    rows, columns, depth = (choose(name, POWERS) for name in ("rows", "columns", "depth"))
    vectors = [machine.lanes * count for count in VECTORS]
    width = choose("vector", vectors, where=lambda width: columns % width == 0)
    order = ORDERS[choose("order", tuple(ORDERS))]
    return followedBy(tiled(rows, columns, depth), reorder(*order), onVectors(width)) >> lowerToC


@space
def mm_gpu() -> Strategy:
    """A matrix product in tiles of blocks and threads, with both factors in shared memory."""
    rows, columns, depth = (choose(name, POWERS[2:]) for name in ("rows", "columns", "depth"))
    of_thread = choose("thread_rows", POWERS, where=lambda size: rows % size == 0)
    parts = rows // of_thread
    thread_columns = choose(
        "thread_columns",
        POWERS,
        where=lambda size: columns % size == 0 and parts * (columns // size) <= MAX_BLOCK_THREADS,
    )
    vector = choose("vector", VECTORS, where=lambda width: depth % width == 0 and columns % width == 0)
    return productTiles(rows, columns, depth, of_thread, thread_columns, vector)


@space
def asum() -> Strategy:
    """A sum of magnitudes by blocks of threads, each of which adds some numbers."""
    return reduceOnBlocks(choose("threads", WARPS), choose("items", POWERS), choose("atomic", (0, 1)))


@space
def scal() -> Strategy:
    """A map over numbers by blocks of threads, each of which computes some vectors."""
    return _by_threads(choose("threads", POWERS), choose("items", POWERS), choose("vector", VECTORS))


@space
def kmeans() -> Strategy:
    """A map over points by blocks of threads, each of which finds the nearest centres of some points."""
    return _by_threads(choose("threads", POWERS), choose("items", POWERS), 1)


@space
def acoustic() -> Strategy:
    """A stencil in tiles with their borders in shared memory."""
    return _tiles_of_windows()


@space
def harris() -> Strategy:
    """The detector of corners in one kernel, in tiles with their borders in shared memory."""
    return _tiles_of_windows()


def _tiles_of_windows() -> Strategy:
    rows, columns = choose("rows", POWERS), choose("columns", POWERS)
    items = choose(
        "items",
        POWERS,
        where=lambda items: rows % items == 0 and rows // items * columns <= MAX_BLOCK_THREADS,
    )
    return tileStencil(rows, columns, items)


def _by_threads(threads: int, items: int, vector: int) -> Strategy:
    """The outermost map on blocks of threads, each of which computes `items` vectors."""
    wide = OutermostLoop(vectorize(vector)) if vector > 1 else id_
    blocks = OutermostLoop(splitJoin(threads * items)) >> OutermostLoop(Inside(splitJoin(items)))
    return fuse >> wide >> blocks >> Write((block_level(0), thread_level(0), SEQ))
