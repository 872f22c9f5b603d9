"""Lowers matrix products to fragments of tensor cores, by small rules (GPGPU 2022, section 5).

The program may read transposed operands, and compute any function of each sum and of values that belong to its row,
column or position: these computations are separated from the products and become an epilogue on fragments or lanes.
"""

from __future__ import annotations

from elevate import Strategy, named, try_
from strategies.lowering.levels import SEQ, block_level
from strategies.lowering.positions import Write
from strategies.parts.fragments import epilogueByLanes, epilogueInFragments, multiplyFragments
from strategies.parts.nests import isolateReductions, reduceInOrder, tileNest, tileReduction
from strategies.parts.parameters import check_shape, check_sizes
from strategies.parts.product_checks import SumsProducts
from strategies.tensor_core.designs import Design, kernel
from strategies.tensor_core.supported_types import HasFactorsOfTensorCores


@named
def tensorCore(rows: int = 16, columns: int = 16, depth: int = 16) -> Strategy:
    """Lower a matrix product with its prologue and epilogue to fragments, one warp per tile of the result.

    The program's loops are two maps around a reduction of products; it may scale, add a matrix or a vector, and read
    transposed operands. The tile must have the shape of an instruction. `rise.obligations` returns the sizes that the
    tile must divide. Raises StrategyError if no instruction has that shape.
    """
    check_sizes(rows=rows, columns=columns, depth=depth)
    check_shape(rows, columns, depth)
    return (
        tileNest(rows, columns)
        >> isolateReductions
        >> reduceInOrder
        >> SumsProducts(1)
        >> HasFactorsOfTensorCores(rows, columns, depth)
        >> tileReduction(depth)
        >> multiplyFragments
        >> epilogueInFragments
        >> try_(epilogueByLanes(rows, columns, depth))
        >> Write((block_level(1), block_level(0), SEQ))
    )


@named
def wmma(
    rows: int = 128,
    columns: int = 128,
    depth: int = 32,
    warp_rows: int = 64,
    warp_columns: int = 32,
    m: int = 16,
    n: int = 16,
    k: int = 16,
    vector: int = 8,
    room: int = 8,
    edges: int = 0,
    stages: int = 1,
    tf32: int = 0,
) -> Strategy:
    """Lower a matrix product with its prologue and epilogue to tensor cores through WMMA fragments, as one kernel.

    A block of threads computes `rows` x `columns` of the result in steps of `depth`. In each step, its threads copy the
    factors to shared memory, `vector` numbers at a time, into rows padded by `room` numbers; each of its warps computes
    `warp_rows` x `warp_columns` in fragments of `m` x `n` x `k`, which stay in registers. The epilogue of a sum may
    read numbers of its row, column and position; an outer map is the batch. `rise.obligations` returns the sizes that
    the tiles must divide. With `edges`, there are none: tiles may overrun, and lanes store only elements in range. With
    `stages` > 1, factors are copied asynchronously, `stages - 1` steps ahead, into as many tiles in shared memory. With
    `tf32` and the shape 16 x 16 x 8, factors are f32, and rounded to tf32, which has 11 significant bits and the range
    of f32.

    Raises StrategyError if the tiles do not fit into each other, into a block or to an instruction.
    """
    return kernel(
        Design(
            "wmma",
            (m, n, k),
            rows,
            columns,
            depth,
            warp_rows,
            warp_columns,
            vector=vector,
            room=room,
            edges=edges,
            stages=stages,
            tf32=tf32,
        )
    )


@named
def mmaSync(
    rows: int = 128,
    columns: int = 128,
    depth: int = 32,
    warp_rows: int = 64,
    warp_columns: int = 64,
    m: int = 16,
    n: int = 8,
    k: int = 16,
    vector: int = 8,
    room: int = 8,
    edges: int = 0,
    stages: int = 1,
    tf32: int = 0,
) -> Strategy:
    """Lower a matrix product with its prologue and epilogue to tensor cores by `mma.sync`, as one kernel.

    Like `wmma`, with instructions for which the elements that each lane holds are known: factors are loaded from shared
    memory by `ldmatrix`, sums are stored directly from registers, with any stride between rows, and warps may have
    larger tiles. The default shape is for f16 and bf16 from sm_80 on; 16 x 8 x 8 is supported from sm_75 on, 16 x 8 x
    32 is for 8-bit integers, and 16 x 8 x 4 for f64 from sm_90 on. Rows in shared memory padded by 16 bytes have no
    bank conflicts. With `stages` > 1, factors are copied asynchronously ahead of their products; with `tf32` and the
    shape 16 x 8 x 8, they are f32, and rounded to tf32.

    Raises StrategyError if the tiles do not fit into each other, into a block or to an instruction.
    """
    return kernel(
        Design(
            "mma",
            (m, n, k),
            rows,
            columns,
            depth,
            warp_rows,
            warp_columns,
            vector=vector,
            room=room,
            edges=edges,
            stages=stages,
            tf32=tf32,
        )
    )
