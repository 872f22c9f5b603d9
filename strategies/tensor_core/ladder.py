"""Ten strategies for a matrix product, from naive to fast, each adding one idea to the previous one.

`docs/tensor_cores.md` explains them step by step. The ideas are the parts of a design, and the last step is `mmaSync`
with a pipeline; sizes must be multiples of the tiles.
"""

from __future__ import annotations

from dataclasses import replace

from elevate import Strategy, named
from strategies.lowering.levels import SEQ, global_level
from strategies.lowering.positions import Write
from strategies.parts.nests import fuse
from strategies.tensor_core.designs import Design, kernel

#: 1: a thread for each element of the result, which reads a row and a column from global memory
elementPerThread: Strategy = named("elementPerThread", fuse >> Write((global_level(1), global_level(0), SEQ)))


def _fragment() -> Design:
    return Design("wmma", (16, 16, 16), 16, 16, 16, 16, 16, shared=False, vector=1, room=0)


def _warps(rows: int, columns: int) -> Design:
    return replace(_fragment(), rows=rows, columns=columns)


def _fragments(rows: int, columns: int, warp_rows: int, warp_columns: int) -> Design:
    return replace(_warps(rows, columns), warp_rows=warp_rows, warp_columns=warp_columns)


def _shared(rows: int, columns: int, depth: int, warp_rows: int, warp_columns: int) -> Design:
    return replace(_fragments(rows, columns, warp_rows, warp_columns), depth=depth, shared=True, vector=2)


def _vectors(rows: int, columns: int, depth: int, warp_rows: int, warp_columns: int) -> Design:
    return replace(_shared(rows, columns, depth, warp_rows, warp_columns), vector=8)


def _padded(rows: int, columns: int, depth: int, warp_rows: int, warp_columns: int) -> Design:
    return replace(_vectors(rows, columns, depth, warp_rows, warp_columns), room=8)


def _known(rows: int, columns: int, depth: int, warp_rows: int, warp_columns: int) -> Design:
    return replace(_padded(rows, columns, depth, warp_rows, warp_columns), family="mma", shape=(16, 8, 16))


def _asynchronous(rows: int, columns: int, depth: int, warp_rows: int, warp_columns: int) -> Design:
    return replace(_known(rows, columns, depth, warp_rows, warp_columns), asynchronous=True)


def _pipelined(rows: int, columns: int, depth: int, warp_rows: int, warp_columns: int, stages: int) -> Design:
    return replace(_asynchronous(rows, columns, depth, warp_rows, warp_columns), stages=stages)


@named
def fragmentPerWarp() -> Strategy:
    """2: a warp multiplies 16 x 16 x 16 numbers by one instruction on fragments, which it loads from global memory."""
    return kernel(_fragment())


@named
def warpsPerBlock(rows: int = 64, columns: int = 64) -> Strategy:
    """3: a block has a warp for each 16 x 16 of its `rows` x `columns`, so that fewer blocks fill a multiprocessor.

    Raises StrategyError if the tiles do not fit.
    """
    return kernel(_warps(rows, columns))


@named
def fragmentsPerWarp(
    rows: int = 128, columns: int = 128, warp_rows: int = 64, warp_columns: int = 64
) -> Strategy:
    """4: a warp keeps many sums in its registers, and multiplies each fragment that it loads several times.

    Raises StrategyError if the tiles do not fit.
    """
    return kernel(_fragments(rows, columns, warp_rows, warp_columns))


@named
def sharedTiles(
    rows: int = 128, columns: int = 128, depth: int = 32, warp_rows: int = 64, warp_columns: int = 64
) -> Strategy:
    """5: the threads of a block copy the factors of `depth` products to shared memory, number by number, for all warps.

    Raises StrategyError if the tiles do not fit.
    """
    return kernel(_shared(rows, columns, depth, warp_rows, warp_columns))


@named
def vectorCopies(
    rows: int = 128, columns: int = 128, depth: int = 32, warp_rows: int = 64, warp_columns: int = 64
) -> Strategy:
    """6: a thread copies 8 numbers of f16 at once, 16 bytes.

    Raises StrategyError if the tiles do not fit.
    """
    return kernel(_vectors(rows, columns, depth, warp_rows, warp_columns))


@named
def paddedRows(
    rows: int = 128, columns: int = 128, depth: int = 32, warp_rows: int = 64, warp_columns: int = 64
) -> Strategy:
    """7: rows in shared memory are padded by 16 bytes, so that loads of fragments have no bank conflicts.

    Raises StrategyError if the tiles do not fit.
    """
    return kernel(_padded(rows, columns, depth, warp_rows, warp_columns))


@named
def knownLanes(
    rows: int = 128, columns: int = 128, depth: int = 32, warp_rows: int = 64, warp_columns: int = 64
) -> Strategy:
    """8: `mma.sync` and `ldmatrix` instead of WMMA, so that sums are stored directly from registers.

    Raises StrategyError if the tiles do not fit.
    """
    return kernel(_known(rows, columns, depth, warp_rows, warp_columns))


@named
def asynchronousTiles(
    rows: int = 128, columns: int = 128, depth: int = 32, warp_rows: int = 64, warp_columns: int = 64
) -> Strategy:
    """9: copies into shared memory do not pass through registers, and threads wait for them only at the barrier.

    Raises StrategyError if the tiles do not fit.
    """
    return kernel(_asynchronous(rows, columns, depth, warp_rows, warp_columns))


@named
def pipelinedTiles(
    rows: int = 128,
    columns: int = 128,
    depth: int = 32,
    warp_rows: int = 64,
    warp_columns: int = 64,
    stages: int = 4,
) -> Strategy:
    """10: copies run `stages - 1` steps ahead of products. This is `mmaSync` with that parameter.

    Raises StrategyError if the tiles do not fit.
    """
    return kernel(_pipelined(rows, columns, depth, warp_rows, warp_columns, stages))
