"""Lowers matrix products to fragments of tensor cores, by small rules (GPGPU 2022, section 5).

The program may scale, add a matrix or a vector, and read transposed operands: what surrounds the products is first
separated from them, and becomes an epilogue on fragments.
"""

from __future__ import annotations

from elevate import Strategy, id_, ifThenElse, named, repeat, repeatNTimes, topDown, try_, where
from rise.nodes import postorder
from rise.terms import Expr, Primitive
from strategies.gpu import onePerElement
from strategies.gpu_kernels import EachKernel, storedApart
from strategies.lowering.levels import SEQ, block_level, warp_level
from strategies.lowering.positions import Write
from strategies.parts.fragments import (
    epilogueByLanes,
    epilogueInFragments,
    loadFirst,
    multiplyFragments,
)
from strategies.parts.nests import (
    fuse,
    isolateReductions,
    liftReduction,
    reduceInOrder,
    tileNest,
    tileReduction,
)
from strategies.parts.parameters import (
    MAX_VECTOR_LENGTH,
    check_divisors,
    check_multiples,
    check_powers,
    check_shape,
    check_sizes,
    check_stages,
    check_switches,
    check_vectors,
    check_warps,
)
from strategies.parts.pipelines import pipelinedCopies
from strategies.parts.products import (
    byOrder,
    called,
    hasProduct,
    inLoop,
    isBatchOfProducts,
    isNest,
    liftLoop,
    padNest,
    padReduction,
)
from strategies.parts.staging import stage
from strategies.rules.functions import betaReduction
from strategies.rules.movement import transposeMapMap
from strategies.rules.staging import nameFirst, nameSecond
from strategies.sharing import isCallOfArray, meet
from strategies.tensor_core.fits import HasFactorsOfTensorCores
from strategies.vocabulary.traversals import FOLDS, SCANS, argument


def isCallOfElements(e: Expr) -> bool:
    """A call with an array that is computed element by element, without reductions."""
    return isCallOfArray(e) and not any(
        isinstance(node, Primitive) and node.name in FOLDS | SCANS for node in postorder(e.children[1])
    )


#: in programs of whole arrays: conversions, and what else is computed element by element, are computed where they are
#: read
openFactors: Strategy = named(
    "openFactors", meet >> repeat(topDown(where(isCallOfElements) >> betaReduction | transposeMapMap) >> meet)
)


def hasSeveralReductions(e: Expr) -> bool:
    """A program with several reductions: products, or a product and what is summed up of its rows."""
    counts: dict[Expr, int] = {}  # equal terms are one node, and count each time
    for node in postorder(e):
        if isinstance(node, Expr):
            counts[node] = sum(counts[child] for child in node.children)
            counts[node] += isinstance(node, Primitive) and node.name in FOLDS
    return counts[e] > 1


def hasFragments(e: Expr) -> bool:
    """A lowered program that multiplies on tensor cores."""
    return any(isinstance(node, Primitive) and node.name == "tensorMatMulAdd" for node in postorder(e))


multipliesFragments: Strategy = where(
    hasFragments, why=lambda e: "no matrix product found that is a kernel by itself"
)


@named
def tensorCore(rows: int = 16, columns: int = 16, depth: int = 16) -> Strategy:
    """Lower a matrix product, with whatever surrounds it, to one warp's fragments per tile of the result.

    The program's loops are two maps around a reduction of products; it may scale, add a matrix or a vector, and read
    operands transposed. The tile must have the shape of an instruction. `rise.obligations` gives the sizes that the
    tile must divide. Raises StrategyError if no instruction has that shape.
    """
    check_sizes(rows=rows, columns=columns, depth=depth)
    check_shape(rows, columns, depth)
    return (
        tileNest(rows, columns)
        >> isolateReductions
        >> reduceInOrder
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
) -> Strategy:
    """Lower a matrix product, with whatever surrounds it, to tensor cores through WMMA fragments, one kernel.

    A block of threads computes `rows` x `columns` of the result in steps of `depth`. In each step its threads copy the
    factors to shared memory, `vector` numbers at once, into rows padded by `room` numbers; each of its warps computes
    `warp_rows` x `warp_columns` in fragments of `m` x `n` x `k`, which stay in registers. What is computed from a sum
    may read numbers of its row, column and place; an outer map is the batch. `rise.obligations` gives the sizes that
    the tiles must divide. With `edges` there are none: tiles may overrun, and lanes store what exists. With
    `stages` > 1, factors are copied asynchronously, `stages - 1` steps ahead, into as many tiles in shared memory.

    Raises StrategyError if the tiles do not fit into each other, into a block or to an instruction.
    """
    shape = (m, n, k)
    return _byWarps("wmma", rows, columns, depth, warp_rows, warp_columns, shape, vector, room, edges, stages)


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
) -> Strategy:
    """Lower a matrix product, with whatever surrounds it, to tensor cores by `mma.sync`, one kernel.

    As `wmma`, with instructions whose lanes hold known numbers: factors are loaded from shared memory by `ldmatrix`,
    sums are stored from registers where they are, at any distance between rows, and warps may have larger tiles. The
    default shape is one of f16 and bf16 from sm_80 on; 16 x 8 x 8 is one from sm_75 on, 16 x 8 x 32 one of 8-bit
    integers, 16 x 8 x 4 one of f64 from sm_90 on. Rows in shared memory padded by 16 bytes have no bank conflicts. With
    `stages` > 1, factors are copied asynchronously ahead of their products.

    Raises StrategyError if the tiles do not fit into each other, into a block or to an instruction.
    """
    shape = (m, n, k)
    return _byWarps("mma", rows, columns, depth, warp_rows, warp_columns, shape, vector, room, edges, stages)


def _byWarps(
    family: str,
    rows: int,
    columns: int,
    depth: int,
    warp_rows: int,
    warp_columns: int,
    shape: tuple[int, int, int],
    vector: int,
    room: int,
    edges: int,
    stages: int,
) -> Strategy:
    """Tiles of blocks, warps and instructions of a family, through shared memory."""
    m, n, k = shape
    check_sizes(rows=rows, columns=columns, depth=depth, warp_rows=warp_rows, warp_columns=warp_columns)
    check_sizes(m=m, n=n, k=k)
    check_powers(1, MAX_VECTOR_LENGTH, vector=vector)
    check_sizes(0, room=room)
    check_shape(m, n, k, family)
    check_multiples(("warp_rows", warp_rows, "m", m), ("warp_columns", warp_columns, "n", n))
    check_multiples(("depth", depth, "k", k))
    check_vectors(vector, depth=depth, columns=columns)
    check_switches(edges=edges)
    check_stages(stages)
    check_multiples(("room", room, "16 bytes of factors", 8))
    check_divisors(("warp_rows", warp_rows, m, "rows", rows))
    check_divisors(("warp_columns", warp_columns, n, "columns", columns))
    check_warps(rows, columns, warp_rows, warp_columns)
    pad = topDown(padNest(rows, columns, empty=stages > 1)) if edges else id_
    tiles = (
        pad
        >> topDown(isNest >> tileNest(rows, columns))
        >> topDown(isNest >> tileNest(warp_rows, warp_columns))
        >> topDown(isNest >> tileNest(m, n))
        >> isolateReductions
        >> reduceInOrder
        >> (padReduction(depth) if edges else id_)
        >> tileReduction(depth)
        >> tileReduction(k)
        >> multiplyFragments
        >> (id_ if edges else epilogueInFragments)
        >> repeatNTimes(4)(topDown(liftLoop))
        >> topDown(liftReduction)
        >> loadFirst
        >> try_(epilogueByLanes(m, n, k, edges))
    )
    levels = (block_level(1), block_level(0), warp_level(1), warp_level(0), SEQ)
    lower = where(isBatchOfProducts) >> Write((block_level(2), *levels)) | Write(levels)

    def derive(left: bool, right: bool) -> Strategy:
        first = nameFirst >> argument(stage(left, vector, room))
        second = nameSecond >> argument(stage(right, vector, room))
        return tiles >> inLoop(first >> called(second)) >> lower

    inOneNest = fuse >> (hasProduct | openFactors >> fuse >> meet)
    product = inOneNest >> byOrder(derive, HasFactorsOfTensorCores(m, n, k))
    if stages > 1:
        product = product >> pipelinedCopies(stages)
    apart = openFactors >> storedApart >> EachKernel(product | onePerElement)
    return ifThenElse(where(hasSeveralReductions), apart, product) >> multipliesFragments
