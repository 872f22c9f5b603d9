"""Contractions of two tensors on GPUs, with any subscripts in any order, as one kernel of blocks and threads.

The normal form is the same as on CPUs (`strategies.parts.contraction_nests`): batch x rows x columns around one sum.
Its groups of subscripts are mapped to the GPU as follows. A block computes a tile of rows x columns, and a thread a
smaller one in registers; the first dimension of threads runs over the columns, which include the last subscript of the
result. A tile covers adjacent elements of a group, which may have any number of subscripts; the batch is on blocks. In
each step of the sum, all threads of a block copy the tile of each operand to shared memory, in the order in which the
operand is stored.
"""

from __future__ import annotations

import operator
from collections.abc import Iterator
from functools import reduce
from typing import Any, Final

from elevate import Directed, Predicate, Strategy, Success, lChoice, named, normalize, topDown, where
from elevate.argument_checks import expected_term
from elevate.directed_strategies import Orders
from rise.analysis.strides import Step, reductions
from rise.hardware import Device, device
from rise.naturals import UNIT
from rise.records import dataclass
from rise.terms import Expr, Lam, spine
from rise.types import ArrayType, ScalarType
from strategies.contractions import row_of
from strategies.costs.gpu_contractions import (
    BlockTile,
    GpuContraction,
    OperandLayout,
    best_block_tile,
    predicted_cycles,
    sectors_of,
    vector_of,
)
from strategies.lowering.positions import Write
from strategies.parts.contraction_nests import (
    groups_of,
    isBatchOfMatrices,
    isContraction,
    isProductOfMatrices,
    matricise,
    nest_of,
    operands_of,
    readyForTiles,
)
from strategies.parts.machine_tiles import size_or_default
from strategies.parts.parameters import MAX_VECTOR_LENGTH, check_powers, check_sizes, check_vectors
from strategies.parts.products import isNest
from strategies.parts.staging import stage, stageAcross
from strategies.parts.thread_tiles import BATCH_LEVELS, TILE_LEVELS, stagedTiles, storeResults, threadTiles
from strategies.rules.contractions import interchangeJoined, interchangeSums, splitJoinedRows
from strategies.vocabulary.traversals import FOLDED


def isRearranged(e: Expr) -> bool:
    """Loops around a sum that are not a contraction in normal form, but may become one after rearrangement."""
    node: Any = nest_of(expected_term(e))
    while node.root == ("map", 2) and isinstance(function := spine(node)[1][0], Lam):
        node = nest_of(function)
    return node.root in FOLDED and not isContraction(e)


sumsToRearrange: Predicate = where(isRearranged)


def _why_not_matrices(e: Expr) -> str:
    names = {(2,): "both operands", (2, 1): "both operands, and of one", (1,): "one operand"}
    found = names.get(tuple(groups_of(e)), "no operand")
    return (
        f"expected subscripts of each operand alone in the result, found subscripts of {found}: choose"
        " strategies.gpu:blocksAndThreads, which computes such sums without tiles"
    )


def _steps_along(e: Expr) -> tuple[Step, ...]:
    """The distance in memory between consecutive summands of the innermost sum, for each operand."""
    return next((one.along for one in reductions(e) if len(one.along) == 2), ())


def _is_apart(step: Step) -> bool:
    return step.distance is None or step.distance.constant != 1


def sumsLeftAcross(e: Expr) -> bool:
    """A contraction whose sum reads its left operand with a stride, instead of adjacent elements."""
    steps = _steps_along(expected_term(e))
    return len(steps) == 2 and _is_apart(steps[0])


def sumsRightAcross(e: Expr) -> bool:
    """A contraction whose sum reads its right operand with a stride, instead of adjacent elements."""
    steps = _steps_along(expected_term(e))
    return len(steps) == 2 and _is_apart(steps[1])


#: the most orders of subscripts to compare
MAX_ORDERS: Final = 12
#: the GPU whose record the model uses if none is given
GPU: Final = "A100-SXM4-40GB"


@named
def turnSums(inner: int) -> Strategy:
    """Make the outer group of the subscripts of a sum the inner one; the inner group has `inner` elements.

    The result is in normal form again.
    """
    check_sizes(inner=inner)
    return topDown(interchangeSums(inner)) >> matricise >> normalize(splitJoinedRows)


#: make the outer group of the subscripts of the rows the inner one; the result is in normal form again
turnRows: Strategy = named("turnRows", topDown(isNest >> interchangeJoined) >> matricise)


@dataclass(frozen=True, slots=True)
class TilesByModel(Directed):
    """Lower a contraction in normal form with the orders of rows and of the sum, and in the tiles, that take the fewest
    cycles by the model of `strategies.costs.gpu_contractions`, if its sizes are known, and otherwise in tiles by the
    type of its numbers.
    """

    machine: Device

    def orders(self, term: Any) -> Orders:
        candidates = {
            order: (predicted_cycles(found, tile, self.machine), sectors_of(found, tile), tile)
            for order, found in _in_orders(term)
            if (tile := best_block_tile(found, self.machine)) is not None
        }
        if not candidates:
            return (yield inBlockTiles(usual_tile(scalar_of(term))), ()) is not None
        best = min(candidates, key=lambda order: candidates[order][:2])
        return (yield reduce(operator.rshift, (*best, inBlockTiles(candidates[best][2]))), ()) is not None


def _in_orders(e: Expr) -> Iterator[tuple[tuple[Strategy, ...], GpuContraction]]:
    """The sizes and layouts of a contraction for each order of its rows, and of its sum, that rotations reach, and the
    strategies that lead there.
    """
    waiting: list[tuple[tuple[Strategy, ...], Expr]] = [((), e)]
    seen: list[GpuContraction] = []
    while waiting and len(seen) < MAX_ORDERS:
        steps, term = waiting.pop(0)
        found = gpu_contraction(term)
        if found is None or found in seen:
            continue
        seen.append(found)
        yield steps, found
        turns: list[Strategy] = [] if found.left.is_read_whole else [turnRows]
        if not (found.left.is_read_whole and found.right.is_read_whole):
            turns += [turnSums(size) for size in _inner_sums(term)]
        for turn in turns:
            result = turn(term)
            if isinstance(result, Success):
                waiting.append(((*steps, turn), result.program))


def _inner_sums(e: Expr) -> Iterator[int]:
    """The number of elements of the inner group of the subscripts of a sum, if there are several."""
    sums = next((one for one in reductions(e) if len(one.along) == 2), None)
    found = {step.row.constant for step in sums.along if step.row is not None} if sums else set()
    yield from sorted(int(size) for size in found if size is not None)


def scalar_of(e: Expr) -> str:
    """The type of the numbers that a contraction adds."""
    t: Any = nest_of(expected_term(e)).type
    while isinstance(t, ArrayType):
        t = t.element
    return t.name if isinstance(t, ScalarType) else "f32"


def usual_tile(scalar: str) -> BlockTile:
    """The tile for sizes that are not known: threads load and keep whole vectors."""
    vector = min(4, vector_of(scalar))
    return BlockTile(64, 16 * vector, 8, 8, vector, vector, vector)


def gpu_contraction(e: Expr) -> GpuContraction | None:
    """The sizes and layouts of a contraction in normal form, if all sizes are known."""
    arrays, body = _loops(nest_of(e))
    operands = operands_of(nest_of(e)) or []
    counts = [_count(one) for one in (*arrays, spine(body)[1][-1])]
    sums = next((one for one in reductions(e) if len(one.along) == 2), None)
    if sums is None or sums.outer is None or [len(one) for one in operands[-2:]] != [1, 1] or None in counts:
        return None
    *batch, rows, columns, depth = (int(count or 0) for count in counts)
    if 0 in (rows, columns, depth, *batch):
        return None
    left, right = (
        OperandLayout(_run(sums.along[side], depth), _run(steps[side], count))
        for count, steps, (side,) in zip(
            (rows, columns), (sums.outer or (), sums.across or ()), operands[-2:], strict=True
        )
    )
    whole: Any = arrays[-1]
    while whole.root == ("map", 2):
        whole = whole.arg
    run = row_of(whole) or columns
    return GpuContraction(batch[0] if batch else 1, rows, columns, depth, scalar_of(e), left, right, run)


def _loops(e: Expr) -> tuple[list[Expr], Expr]:
    """The arrays over which the loops of a nest run, outermost first, and what the innermost loop computes."""
    arrays: list[Expr] = []
    node: Any = e
    while node.root == ("map", 2) and isinstance(function := spine(node)[1][0], Lam):
        arrays.append(node.arg)
        node = function.body
    return arrays, node


def _count(array: Any) -> int | None:
    size = array.type.size.constant if isinstance(array, Expr) and isinstance(array.type, ArrayType) else None
    return None if size is None else int(size)


def _run(step: Step, count: int) -> int:
    """How many adjacent elements a loop reads: 1 if neighbours are apart."""
    if step.distance != UNIT:
        return 1
    row = None if step.row is None else step.row.constant
    return count if row is None else int(row)


def inBlockTiles(tile: BlockTile) -> Strategy:
    """Lower a contraction in normal form in tiles of blocks and threads."""
    tiles = threadTiles(tile.rows, tile.columns, tile.depth, tile.thread_rows, tile.thread_columns)
    vector, width = tile.vector, tile.columns // tile.thread_columns
    along, across = stageAcross(vector, tile.room, width), stage(True, vector, 0, width)

    def lowered(left: Strategy, right: Strategy) -> Strategy:
        staged = tiles >> stagedTiles(left, right, vector) >> storeResults(tile.stored)
        return lChoice(
            where(isBatchOfMatrices) >> readyForTiles >> staged >> Write(BATCH_LEVELS),
            where(isProductOfMatrices, why=_why_not_matrices)
            >> readyForTiles
            >> staged
            >> Write(TILE_LEVELS),
        )

    left, right = where(sumsLeftAcross), where(sumsRightAcross)
    return lChoice(
        left >> right >> lowered(across, across),
        left >> lowered(across, along),
        right >> lowered(along, across),
        lowered(along, along),
    )


@named
def contractionTiles(
    rows: int | None = None,
    columns: int | None = None,
    depth: int | None = None,
    thread_rows: int | None = None,
    thread_columns: int | None = None,
    vector: int | None = None,
    room: int | None = None,
    machine: Device | str = GPU,
) -> Strategy:
    """Lower a contraction of two tensors to one kernel of blocks and threads, in its normal form; any sizes.

    A block of threads computes `rows` x `columns` of the result in steps of `depth`; each thread sums `thread_rows` x
    `thread_columns` products in registers. Tiles of operands are in shared memory, with the summands of a step in rows
    of their own, so that a thread loads `vector` adjacent numbers at once. They are copied `vector` numbers at a time
    in the order of the operand: along the sum if consecutive summands are adjacent in memory, into rows padded by
    `room` numbers, and otherwise along rows or columns. The last tiles may overrun.

    If none of these is given, a model chooses them for the record of `machine`, a GPU or its name
    (`strategies.costs.gpu_contractions`), if sizes are known. Raises StrategyError if the tiles do not fit into each
    other or into a block.
    """
    given = (rows, columns, depth, thread_rows, thread_columns, vector, room)
    gpu = device(machine) if isinstance(machine, str) else machine
    if given == (None,) * len(given):
        hasTiles = where(isBatchOfMatrices) | where(isProductOfMatrices, why=_why_not_matrices)
        return matricise >> hasTiles >> TilesByModel(gpu)
    usual = usual_tile("f32")
    tile = BlockTile(
        size_or_default(rows, usual.rows),
        size_or_default(columns, usual.columns),
        size_or_default(depth, usual.depth),
        size_or_default(thread_rows, usual.thread_rows),
        size_or_default(thread_columns, usual.thread_columns),
        size_or_default(vector, usual.vector),
        size_or_default(room, usual.room),
    )
    check_sizes(rows=tile.rows, columns=tile.columns, depth=tile.depth)
    check_powers(1, MAX_VECTOR_LENGTH, vector=tile.vector)
    check_sizes(0, room=tile.room)
    lowered = inBlockTiles(tile)
    check_vectors(tile.vector, rows=tile.rows, columns=tile.columns, depth=tile.depth)
    return matricise >> lowered
