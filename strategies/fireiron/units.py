"""Assigns loops over tiles to units, on two dimensions, or on one dimension if the grids of a schedule differ.

Depends on steps, but not on terms.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest
from math import prod
from typing import Final

from elevate import Strategy
from strategies.fireiron.orders import Swap, swaps_of
from strategies.fireiron.specs import FR, GL, SH, Lane, Spec, Thread, Unit, Vector, Warp, move_of
from strategies.fireiron.steps import EpilogStep, FirstStep, LoadStep, ShareStep, StageStep, Step
from strategies.fireiron.tiles import TileStep
from strategies.lowering.levels import SEQ, Level
from strategies.parts.parameters import LANES
from strategies.parts.reduction_trees import reduceInBlock, treeInShared, treeOfLanes
from strategies.rules.lowering import mapToMapSeqUnroll, reduceToReduceSeq, toMemLocal
from strategies.rules.staging import toMemGlobal, toMemShared
from strategies.vocabulary.traversals import argument

_UNROLLED: Final = Level(mapToMapSeqUnroll)


def by_units(unit: Unit, count: int, threads: int) -> Strategy:
    """Run the loop over `count` parts of a reduction on units, then combine their results: by a tree, or in a loop for
    cores.

    The results of blocks are combined by `threads` threads of one block, in a second kernel.
    """
    run = unit.level(0).map_rule
    match unit.name:
        case "Lane":
            return argument(run >> toMemLocal) >> treeOfLanes(count)
        case "Warp":
            return argument(run >> toMemShared) >> treeOfLanes(count)
        case "Thread":
            return argument(run >> toMemShared) >> treeInShared(count)
        case "Core":
            return argument(run >> toMemLocal) >> reduceToReduceSeq
    return argument(run >> toMemGlobal) >> reduceInBlock(max(LANES, threads))


def levels_of(step: TileStep, flat: frozenset[str]) -> tuple[Level, ...]:
    """The levels of the loops over tiles: one for each axis, or one for units that are numbered along one dimension."""
    rank = len(step.sizes)
    if step.unit is None or step.unit is Vector:
        return ((_UNROLLED if step.unrolled else SEQ),) * rank
    if is_flat(step, flat):
        return (step.unit.level(0),)
    dimensions = range(rank) if step.order == "columns" else reversed(range(rank))
    return tuple(step.unit.level(dimension) for dimension in dimensions)


def levels_of_move(steps: Sequence[Step], flat: frozenset[str]) -> tuple[Level, ...]:
    """The levels of the tiles of a move, outermost first."""
    return tuple(level for step in steps if isinstance(step, TileStep) for level in levels_of(step, flat))


def is_flat(step: TileStep, flat: frozenset[str]) -> bool:
    """Whether the units of a tile of a matrix are numbered along one dimension."""
    unit = step.unit
    return unit is not None and (unit.is_row or unit.name in flat) and len(step.sizes) > 1


def swaps_of_units(step: TileStep, grid: tuple[int, ...], is_turned: bool = False) -> list[Swap]:
    """The swaps that bring the tiles of a grid, listed row by row, into the order of the units' numbers.

    If `is_turned`, the grid is transposed.
    """
    outer, inner = grid
    by_columns = (step.order == "columns") != is_turned
    if not step.bits:
        return [(outer, inner, 1)] if by_columns and min(grid) > 1 else []
    if not by_columns:
        return swaps_of(step.bits)
    high, low = outer.bit_length() - 1, inner.bit_length() - 1
    return swaps_of(tuple(bit + low if bit < high else bit - high for bit in step.bits))


def grid_of(step: TileStep, spec: Spec) -> tuple[int, ...] | None:
    """The number of tiles along each axis; None if they are not known."""
    if any(isinstance(size, str) for size in spec.shape):
        return None
    return tuple(int(size) // part for size, part in zip(spec.shape, step.shape(spec), strict=True))


def units_on_one_dimension(start: Spec, trail: Sequence[tuple[Step, Spec]]) -> frozenset[str]:
    """The kinds of units that are numbered along one dimension: those in another order, threads beside warps, lanes
    that execute matrix instructions, and those whose grids differ so much that two dimensions would start more units
    than any step has tiles.
    """
    flat: set[str] = set()
    grids: dict[str, list[tuple[int, ...]]] = {}
    for step, spec in _tiles(start, trail):
        grid = grid_of(step, spec)
        if step.unit is None or grid is None:
            continue
        if step.bits:
            flat.add(step.unit.name)
        grids.setdefault(step.unit.name, []).append(grid if step.order == "rows" else grid[::-1])
    if any(FR in spec.places for _, spec in trail):
        flat.add(Lane.name)  # instructions number the lanes of a warp along one dimension
    units = {step.unit for step, _ in _tiles(start, trail)}
    units |= {step.unit for step, _ in trail if isinstance(step, ShareStep)}
    if units & {Warp, Lane}:
        flat.add(Thread.name)  # the threads of a block with warps have one dimension
    for unit, found in grids.items():
        started = prod(map(max, zip_longest(*found, fillvalue=1)))
        if started > max(map(prod, found)):
            flat.add(unit)
    return frozenset(flat)


def width_of(start: Spec, trail: Sequence[tuple[Step, Spec]]) -> int:
    """The threads of a block along its first dimension, if threads have two; 0 if they are warps or have one."""
    for step, spec in _tiles(start, trail):
        if step.unit is Thread and len(step.sizes) > 1:
            counts = grid_of(step, spec)
            return 0 if counts is None else counts[0] if step.order == "columns" else counts[-1]
    return 0


def _tiles(start: Spec, trail: Sequence[tuple[Step, Spec]]) -> Iterator[tuple[TileStep, Spec]]:
    """The tiles of a schedule and of its moves, each with the specification that it divides."""
    spec: Spec = start
    for step, left in trail:
        match step:
            case TileStep():
                yield step, spec
            case LoadStep() if step.location is SH:
                yield from _tiles_of_move(step.move, step.moved(spec))
            case FirstStep() if step.location is not GL:
                yield from _tiles(step.start(spec), step.trail(spec))
            case EpilogStep() if step.store and isinstance(step.store[0], StageStep):
                yield from _tiles_of_move(step.store[1:], move_of(spec.shape, SH, spec.target, spec.unit))
            case _:
                pass
        spec = left


def _tiles_of_move(steps: Iterable[Step], spec: Spec) -> Iterator[tuple[TileStep, Spec]]:
    for step in steps:
        if isinstance(step, TileStep):
            yield step, spec
        spec = step.predict(spec)
