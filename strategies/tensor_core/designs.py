"""Kernels for matrix products on tensor cores, as designs with optional parts.

A design says what a kernel consists of, and `kernel` composes the strategy from the same parts for all designs.
Independent of particular tiles.
"""

from __future__ import annotations

from elevate import Strategy, id_, ifThenElse, named, normalize, repeat, repeatNTimes, topDown, try_, where
from rise.nodes import postorder
from rise.records import dataclass
from rise.terms import Expr, Primitive, has_primitive
from strategies.gpu import onePerElement
from strategies.gpu_kernels import EachKernel, storedApart
from strategies.lowering.levels import SEQ, block_level, warp_level
from strategies.lowering.positions import Write
from strategies.parts.fragments import (
    epilogueByLanes,
    epilogueInFragments,
    loadFirst,
    multiplyFragments,
    multiplyRounded,
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
from strategies.parts.product_checks import SumsProducts
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
from strategies.parts.staging import asynchronousCopies, stage
from strategies.rules.functions import betaReduction
from strategies.rules.movement import transposeMapMap
from strategies.rules.staging import nameFirst, nameSecond
from strategies.rules.tensor_cores import startAtZero
from strategies.sharing import isCallOfElements, meet
from strategies.tensor_core.supported_types import HasFactorsOfTensorCores
from strategies.vocabulary.traversals import FOLDS, argument


@dataclass(frozen=True, slots=True)
class Design:
    """The design of a kernel for a matrix product.

    A block of threads computes `rows` x `columns` of the result in steps of `depth`, each of its warps `warp_rows` x
    `warp_columns`, in fragments of the shape m x n x k of an instruction of the `family`. If it is `shared`, threads
    copy factors to shared memory, `vector` numbers at a time, into rows padded by `room` numbers; the copies may be
    `asynchronous`, or, with several `stages`, run `stages - 1` steps ahead. With `edges`, tiles may overrun. With
    `tf32`, factors are f32, and rounded to tf32.
    """

    family: str
    shape: tuple[int, int, int]
    rows: int
    columns: int
    depth: int
    warp_rows: int
    warp_columns: int
    shared: bool = True
    vector: int = 8
    room: int = 8
    edges: int = 0
    asynchronous: bool = False
    stages: int = 1
    tf32: int = 0


#: in programs on whole arrays, compute conversions and other functions of single elements where they are read
openFactors: Strategy = named(
    "openFactors", meet >> repeat(topDown(where(isCallOfElements) >> betaReduction | transposeMapMap) >> meet)
)


def hasSeveralReductions(e: Expr) -> bool:
    """A program with several reductions: several products, or a product and sums over its rows."""
    counts: dict[Expr, int] = {}  # equal terms are the same node, which counts each time
    for node in postorder(e):
        if isinstance(node, Expr):
            counts[node] = sum(counts[child] for child in node.children)
            counts[node] += isinstance(node, Primitive) and node.name in FOLDS
    return counts[e] > 1


def hasFragments(e: Expr) -> bool:
    """A lowered program that multiplies on tensor cores."""
    return has_primitive(e, "tensorMatMulAdd")


multipliesFragments: Strategy = where(
    hasFragments, why=lambda e: "no matrix product found that could be a kernel by itself"
)


def fitting(design: Design) -> Design:
    """The design. Raises StrategyError if its tiles do not fit into each other, into a block or to an instruction."""
    d, (m, n, k) = design, design.shape
    check_sizes(rows=d.rows, columns=d.columns, depth=d.depth)
    check_sizes(warp_rows=d.warp_rows, warp_columns=d.warp_columns, m=m, n=n, k=k)
    check_powers(1, MAX_VECTOR_LENGTH, vector=d.vector)
    check_sizes(0, room=d.room)
    check_switches(edges=d.edges, tf32=d.tf32)
    check_shape(m, n, k, d.family, d.tf32)
    check_multiples(("warp_rows", d.warp_rows, "m", m), ("warp_columns", d.warp_columns, "n", n))
    check_multiples(("depth", d.depth, "k", k))
    check_vectors(d.vector, depth=d.depth, columns=d.columns)
    check_stages(d.stages)
    check_multiples(("room", d.room, "16 bytes of factors", 8))
    check_divisors(("warp_rows", d.warp_rows, m, "rows", d.rows))
    check_divisors(("warp_columns", d.warp_columns, n, "columns", d.columns))
    check_warps(d.rows, d.columns, d.warp_rows, d.warp_columns)
    return design


def tiles(design: Design) -> Strategy:
    """Tile a product for blocks, warps and instructions, in fragments, without lowering it."""
    d, (m, n, k) = design, design.shape
    return (
        (topDown(padNest(d.rows, d.columns, empty=d.stages > 1)) if d.edges else id_)
        >> topDown(isNest >> tileNest(d.rows, d.columns))
        >> topDown(isNest >> tileNest(d.warp_rows, d.warp_columns))
        >> topDown(isNest >> tileNest(m, n))
        >> isolateReductions
        >> reduceInOrder
        >> (padReduction(d.depth) if d.edges else id_)
        >> tileReduction(d.depth)
        >> tileReduction(k)
        >> (multiplyRounded if d.tf32 else multiplyFragments)
        >> (id_ if d.edges else epilogueInFragments)
        >> repeatNTimes(4)(topDown(liftLoop))
        >> topDown(liftReduction)
        >> loadFirst
        >> try_(epilogueByLanes(m, n, k, d.edges))
    )


def lowered(design: Design, left: bool, right: bool) -> Strategy:
    """Tile a product, copy its factors if the design has them in shared memory, and lower it: the loops over blocks and
    warps. `left` and `right`: whether a factor is copied in the order of its columns.
    """
    d = design
    levels = (block_level(1), block_level(0), warp_level(1), warp_level(0), SEQ)
    first = nameFirst >> argument(stage(left, d.vector, d.room))
    second = nameSecond >> argument(stage(right, d.vector, d.room))
    copied = inLoop(first >> called(second)) if d.shared else id_
    return (
        tiles(d) >> copied >> (where(isBatchOfProducts) >> Write((block_level(2), *levels)) | Write(levels))
    )


def copyAhead(design: Design, product: Strategy) -> Strategy:
    """A strategy for a product, whose factors are copied asynchronously if the design says so: ahead of their steps, if
    it has several stages.
    """
    if design.stages > 1:
        return product >> pipelinedCopies(design.stages)
    return product >> asynchronousCopies if design.asynchronous else product


def kernel(design: Design) -> Strategy:
    """Lower a matrix product to the kernel of a design, or each of several products to a separate kernel."""
    d = fitting(design)

    def derive(left: bool, right: bool) -> Strategy:
        return lowered(d, left, right)

    inOneNest = fuse >> (hasProduct | openFactors >> fuse >> meet) >> normalize(startAtZero)
    product = inOneNest >> byOrder(derive, SumsProducts(1) >> HasFactorsOfTensorCores(*d.shape, d.tf32))
    product = copyAhead(d, product)
    apart = openFactors >> storedApart >> EachKernel(product | onePerElement)
    return ifThenElse(where(hasSeveralReductions), apart, product) >> multipliesFragments
