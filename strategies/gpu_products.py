"""Matrix products on GPUs without tensor cores, in large tiles: a thread has 8 x 8 sums, and copies run ahead of them.

Depends on tiles of blocks and threads, but not on what is computed from a sum.
"""

from __future__ import annotations

from typing import Any, Final

from elevate import Directed, Strategy, child, id_, named, normalize, topDown, try_, where
from elevate.directed_strategies import Orders
from rise.hardware import DEVICES
from rise.records import dataclass
from rise.scalars import SCALARS
from rise.terms import Expr
from rise.types import ArrayType, ScalarType
from strategies.fireiron.limits import REGISTER_BYTES
from strategies.gpu_rows import ACCESS_BYTES, THREAD_REGISTERS
from strategies.lowering.positions import Operands, Write, function_body
from strategies.lowering.predicates import isCall, isLowered, isPlain, isViewMap, isWritable
from strategies.parts.launchable import LEAST_SHARED
from strategies.parts.nests import fuse
from strategies.parts.parameters import (
    MAX_VECTOR_LENGTH,
    check_powers,
    check_sizes,
    check_stages,
    check_vectors,
)
from strategies.parts.pipelines import pipelinedCopies
from strategies.parts.product_checks import HasVectors, SumsProducts
from strategies.parts.products import (
    appliesReduceSeq,
    byOrder,
    factors,
    inLoop,
    isBatchOfProducts,
    nests,
)
from strategies.parts.staging import stage
from strategies.parts.thread_tiles import BATCH_LEVELS, TILE_LEVELS, stagedTiles, threadTiles
from strategies.rules.gpu_reductions import padCstNothing
from strategies.rules.lowering import copy, mapToMapSeqUnroll, reduceSeqToUnroll, toMemLocal
from strategies.rules.movement import takeAll, takeAllOfRows
from strategies.rules.vectors import vectorizeAlignedAfter
from strategies.vocabulary.traversals import argument, isFunction

#: rows and columns of the tile of a block, and of a thread, and the depth of a step
TILE: Final = 128
THREAD_TILE: Final = 8
DEPTH: Final = 16
#: steps whose factors are in shared memory, if it holds them
STAGES: Final = 3
#: multiprocessors of the smallest device of which there is a record
MULTIPROCESSORS: Final = min(one.multiprocessors for one in DEVICES.values())


def isRowOfNumbers(e: Expr) -> bool:
    """A lowered map of one thread that computes numbers."""
    return (
        e.root == ("mapSeq", 2) and isinstance(e.type, ArrayType) and isinstance(e.type.element, ScalarType)
    )


@dataclass(frozen=True, slots=True)
class ThreadRows(Strategy):
    """Apply a strategy to the innermost maps of a lowered program that fill its result, if it applies; never fails."""

    inner: Strategy

    def unfold(self) -> Strategy:
        return (
            isFunction >> child(0)(self)
            | where(isCall) >> child(0)(child(0)(self))
            | where(isRowOfNumbers) >> try_(self.inner)
            | where(isLowered) >> function_body(self)
            | where(isViewMap) >> child(1)(self)
            | where(isPlain)
            | where(isWritable) >> Operands(self)
            | id_
        )


@named
def writeVectors(vector: int) -> Strategy:
    """Compute the numbers of a thread in registers, and write `vector` of them at a time."""
    check_powers(1, MAX_VECTOR_LENGTH, vector=vector)
    return ThreadRows(toMemLocal >> vectorizeAlignedAfter(vector) >> argument(copy >> mapToMapSeqUnroll))


#: unroll the loop over the summands of a step, so that what a thread reads in several iterations is loaded together
unrollSteps: Strategy = named("unrollSteps", inLoop(topDown(where(appliesReduceSeq) >> reduceSeqToUnroll)))


@named
def largeProductTiles(
    rows: int = TILE,
    columns: int = TILE,
    depth: int = DEPTH,
    thread_rows: int = THREAD_TILE,
    thread_columns: int = THREAD_TILE,
    vector: int = 4,
    stages: int = STAGES,
    edges: int = 1,
) -> Strategy:
    """Lower a matrix product to one kernel whose blocks copy the factors of later steps while they multiply.

    A block of threads computes `rows` x `columns` of the result in steps of `depth`, and each thread `thread_rows` x
    `thread_columns` of these. Factors of up to `stages` steps are in shared memory. Copies and stores move `vector`
    numbers at a time where rows begin at multiples of these. With `edges`, tiles may overrun; without,
    `rise.obligations` returns the sizes that they must divide. Raises StrategyError if the tiles do not fit into each
    other or into a block.
    """
    check_sizes(rows=rows, columns=columns, depth=depth)
    check_powers(1, MAX_VECTOR_LENGTH, vector=vector)
    check_stages(stages)
    tiles = threadTiles(rows, columns, depth, thread_rows, thread_columns, edges, empty=True)
    check_vectors(vector, depth=depth, columns=columns)
    width = columns // thread_columns
    lower = where(isBatchOfProducts) >> Write(BATCH_LEVELS) | Write(TILE_LEVELS)

    def derive(left: bool, right: bool) -> Strategy:
        staged = stagedTiles(stage(left, vector, 0, width), stage(right, vector, 0, width))
        return tiles >> staged >> normalize(takeAll | takeAllOfRows | padCstNothing) >> lower

    fits: Strategy = HasVectors(vector)
    if edges:
        fits = SumsProducts() >> fits
    return byOrder(derive, fits) >> unrollSteps >> writeVectors(vector) >> pipelinedCopies(stages)


@dataclass(frozen=True, slots=True)
class LargeProducts(Directed):
    """Lower a product of known size by `largeProductTiles`, with accesses of 16 bytes and as many stages as every
    architecture has shared memory for. Fails if the tiles would leave multiprocessors without work, if most of them
    would be outside of the result, or if registers do not hold the sums of a thread.
    """

    def orders(self, term: Any) -> Orders:
        if (fused := (yield fuse, ())) is None:
            return False
        design = design_for(fused.term)
        return design is not None and (yield largeProductTiles(**design), ()) is not None


def design_for(e: Any) -> dict[str, int] | None:
    """The parameters of `largeProductTiles` that depend on a program's product; None if these tiles do not suit it."""
    found = list(nests(e))
    widths = [bits for nest in found if (bits := _bits(nest)) is not None]
    if len(found) != 1 or len(widths) != 1:
        return None
    t, (factor, total) = found[0].type, widths[0]
    assert isinstance(t, ArrayType) and isinstance(t.element, ArrayType)
    rows, columns = t.size.constant, t.element.size.constant
    if rows is None or columns is None:
        return None
    blocks = -(-rows // TILE) * -(-columns // TILE)
    registers = THREAD_TILE * THREAD_TILE * max(1, total // (8 * REGISTER_BYTES))
    wasted = blocks * TILE * TILE - rows * columns
    if blocks < MULTIPROCESSORS or wasted > rows * columns or registers > THREAD_REGISTERS:
        return None
    stages = LEAST_SHARED // (2 * TILE * DEPTH * factor // 8)
    return {"vector": 8 * ACCESS_BYTES // factor, "stages": max(1, min(STAGES, stages))}


def _bits(nest: Expr) -> tuple[int, int] | None:
    """The bits of the wider factor of a product, and of a result; None if they are not numbers."""
    t = nest.type
    while isinstance(t, ArrayType):
        t = t.element
    read = factors(nest)
    if read is None or not all(isinstance(each, ScalarType) for each in (*read, t)):
        return None
    left, right, total = (SCALARS[str(each)].bits for each in (*read, t))
    return (max(left, right), total) if left == right else None
