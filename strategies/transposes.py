"""Transposed matrices on GPUs, in tiles in the shared memory of a block, which are read and written along rows.

Depends on loops, levels of threads and memory, but not on what is computed from a number.
"""

from __future__ import annotations

from elevate import Strategy, named, normalize, sometd, topDown, try_, where
from strategies.halos import cut, swapStencilLoops
from strategies.lowering.levels import SEQ, block_level, thread_level
from strategies.lowering.positions import Write
from strategies.parts.nests import fuse
from strategies.parts.parameters import check_divisors, check_sizes, check_threads
from strategies.parts.transposed_reads import isTransposedMatrix, isTransposedNest
from strategies.parts.windows import isBatchOfGrids
from strategies.rules.lowering import copy, mapToMapSeqUnroll, recomputed
from strategies.rules.movement import splitJoin
from strategies.rules.staging import padRows, toMemShared
from strategies.stencils import copyTile
from strategies.vocabulary.traversals import argument, body, mapped


@named
def tileTransposed(size: int = 32, items: int = 8) -> Strategy:
    """Lower maps over a transposed matrix in tiles of `size` x `size` numbers; fails if there is none.

    The threads of a block copy a tile along the rows of the matrix; then each computes `items` numbers, along the rows
    of the result. Rows of the tile are padded by one number, so that the elements of a column are in different banks.
    `items` divides `size`; the matrix may have any size. Raises StrategyError if the tile does not fit into a block.
    """
    check_sizes(size=size, items=items)
    check_divisors(("items", items, 1, "size", size))
    check_threads(size, size, items, 1)
    tile = toMemShared >> padRows(1) >> argument(argument(argument(copyTile(size // items, size))))
    stage = argument(sometd(where(isTransposedMatrix) >> argument(tile)))
    share = splitJoin(items) >> argument(mapped(body(mapToMapSeqUnroll)))
    inside = swapStencilLoops >> argument(stage >> share)
    tiles = where(isTransposedNest) >> cut(size, swapStencilLoops >> argument(cut(size, inside)))
    levels = (block_level(1), block_level(0), thread_level(1), SEQ, thread_level(0), SEQ)
    lower = where(isBatchOfGrids) >> Write((block_level(2), *levels)) | Write(levels)
    # `recompute` prevents the copies of a matrix that is only transposed from being removed
    written = where(isTransposedMatrix) >> copy >> mapped(body(copy >> mapped(body(recomputed))))
    return fuse >> try_(written) >> topDown(tiles) >> normalize(recomputed.inv) >> lower
