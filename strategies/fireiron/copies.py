"""Copies of matrices by the tiles of moves. Depends on units and steps, but not on places in a program."""

from __future__ import annotations

from collections.abc import Sequence

from elevate import Strategy, id_
from strategies.fireiron.micro_kernels import CallOnArrays
from strategies.fireiron.specs import Spec
from strategies.fireiron.steps import DoneStep, Step, hint_of_types
from strategies.fireiron.tiles import TileStep
from strategies.fireiron.units import grid_of, is_flat, levels_of, swaps_of_units
from strategies.lowering.levels import SEQ
from strategies.lowering.positions import function_body
from strategies.rules.accumulators import moveInTiles
from strategies.rules.lowering import copy
from strategies.rules.movement import splitJoin
from strategies.rules.staging import splitOfJoin, vectorsOf
from strategies.rules.strides import rowsInOneLoop, swapRows
from strategies.rules.vectors import vectorizeAlignedAfter
from strategies.vocabulary.traversals import argument


def copyInTiles(steps: Sequence[Step], spec: Spec, flat: frozenset[str], is_turned: bool = False) -> Strategy:
    """Copy a matrix by the tiles of a move; if `is_turned`, the matrix is transposed compared to the move."""
    if not steps:
        return copy >> SEQ.map_rule >> function_body(copy >> SEQ.map_rule >> function_body(id_))
    step, *rest = steps
    if isinstance(step, DoneStep):
        inner = copyInTiles((), spec, flat)
        if step.kernel is None:
            return inner
        return inner >> CallOnArrays(step.kernel, hint=hint_of_types(step.kernel, spec))
    assert isinstance(step, TileStep) and not step.strides, "moves of operands consist of tiles"
    rows, columns = reversed(step.sizes) if is_turned else step.sizes
    each = copyInTiles(rest, step.predict(spec), flat, is_turned)
    if step.vector:
        return vectorsOf(columns) >> argument(_on_units(step, spec, flat, is_turned, copy, splitOfJoin, id_))
    return moveInTiles(rows, columns) >> argument(
        argument(_on_units(step, spec, flat, is_turned, id_, rowsInOneLoop, each))
    )


def _on_units(
    step: TileStep,
    spec: Spec,
    flat: frozenset[str],
    is_turned: bool,
    start: Strategy,
    join: Strategy,
    each: Strategy,
) -> Strategy:
    """Run the loops over tiles on their units."""
    if not is_flat(step, flat):
        outer, inner = reversed(levels_of(step, flat)) if is_turned else levels_of(step, flat)
        return start >> outer.map_rule >> function_body(start >> inner.map_rule >> function_body(each))
    (level,) = levels_of(step, flat)
    grid = grid_of(step, spec)
    assert grid is not None
    loop = level.map_rule >> function_body(each)
    for swap in reversed(swaps_of_units(step, grid[::-1] if is_turned else grid, is_turned)):
        loop = swapRows(*swap) >> argument(argument(argument(loop)))
    return join >> argument(start >> loop)


def copyRow(steps: Sequence[Step]) -> Strategy:
    """Copy one row, or one column, by the tiles of a move."""
    if not steps or isinstance(steps[0], DoneStep):
        return copy
    step, *rest = steps
    assert isinstance(step, TileStep) and step.unit is None, "moves to registers are of one thread"
    number, (level, _) = max(step.sizes), levels_of(step, frozenset())
    if step.vector:
        return vectorizeAlignedAfter(number) >> argument(copy >> level.map_rule)
    inside = level.map_rule >> function_body(copyRow(rest))
    return copy >> splitJoin(number) >> argument(inside)
