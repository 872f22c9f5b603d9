"""Contractions of two tensors on GPUs, with any subscripts in any order, as one kernel of blocks and threads.

The normal form is the same as on CPUs (`strategies.parts.contraction_nests`): batch x rows x columns around one sum.
Its groups of subscripts are mapped to the GPU as follows. A block computes a tile of rows x columns, and a thread a
smaller one in registers; the first dimension of threads runs over the columns, which include the last subscript of the
result. A tile covers adjacent elements of a group, which may have any number of subscripts; the batch is on blocks. In
each step of the sum, all threads of a block copy the tile of each operand to shared memory, in the order in which the
operand is stored.
"""

from __future__ import annotations

from typing import Any

from elevate import Predicate, Strategy, lChoice, named, where
from elevate.argument_checks import expected_term
from rise.analysis.strides import Step, reductions
from rise.terms import Expr, Lam, spine
from strategies.lowering.positions import Write
from strategies.parts.contraction_nests import (
    groups_of,
    isBatchOfMatrices,
    isContraction,
    isProductOfMatrices,
    matricise,
    nest_of,
    readyForTiles,
)
from strategies.parts.parameters import MAX_VECTOR_LENGTH, check_powers, check_sizes, check_vectors
from strategies.parts.staging import stage
from strategies.parts.thread_tiles import BATCH_LEVELS, TILE_LEVELS, stagedTiles, threadTiles
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


@named
def contractionTiles(
    rows: int = 64,
    columns: int = 64,
    depth: int = 16,
    thread_rows: int = 4,
    thread_columns: int = 4,
    vector: int = 4,
    room: int = 1,
) -> Strategy:
    """Lower a contraction of two tensors to one kernel of blocks and threads, in its normal form; any sizes.

    A block of threads computes `rows` x `columns` of the result in steps of `depth`; each thread sums `thread_rows` x
    `thread_columns` products in registers. Tiles of operands are in shared memory. An operand in which consecutive
    summands are adjacent in memory is copied along the sum, one number at a time, into rows padded by `room` numbers;
    others are copied along rows or columns, `vector` numbers at a time if they are adjacent. The last tiles may
    overrun. Raises StrategyError if the tiles do not fit into each other or into a block.
    """
    check_sizes(rows=rows, columns=columns, depth=depth)
    check_powers(1, MAX_VECTOR_LENGTH, vector=vector)
    check_sizes(0, room=room)
    tiles = threadTiles(rows, columns, depth, thread_rows, thread_columns)
    check_vectors(vector, rows=rows, columns=columns)
    width = columns // thread_columns
    along, across = stage(False, 1, room, width), stage(True, vector, 0, width)

    def lowered(left: Strategy, right: Strategy) -> Strategy:
        staged = tiles >> stagedTiles(left, right)
        return lChoice(
            where(isBatchOfMatrices) >> readyForTiles >> staged >> Write(BATCH_LEVELS),
            where(isProductOfMatrices, why=_why_not_matrices)
            >> readyForTiles
            >> staged
            >> Write(TILE_LEVELS),
        )

    left, right = where(sumsLeftAcross), where(sumsRightAcross)
    return matricise >> lChoice(
        left >> right >> lowered(across, across),
        left >> lowered(across, along),
        right >> lowered(along, across),
        lowered(along, along),
    )
