"""Checks that no block reads or changes what another block of its kernel wrote, since blocks cannot wait for each
other.

Independent of targets.
"""

from __future__ import annotations

from typing import Final, NoReturn

from shine.imperative.errors import fail
from shine.imperative.kernels import GpuKernel
from shine.imperative.levels import GRID
from shine.imperative.nodes import Level, LevelName
from shine.passes.gpu.conflicts import are_distinguished, independent, never_meet
from shine.passes.gpu.effects import Around, Effect, effects_of, watched_buffers

_GRID_LEVELS: Final[tuple[LevelName, ...]] = ("block", "global")


def check_grid(kernel: GpuKernel) -> GpuKernel:
    """The unchanged kernel. Raises TranslationError if one block may read or change an element that another changes."""
    around = Around(watched_buffers(kernel.body), counts_blocks=True)
    effects = [effect for statement in kernel.body.statements for effect in effects_of(statement, around)]
    shared = list(dict.fromkeys(effect for effect in effects if effect.buffer.space == "Global"))
    for position, first in enumerate(shared):
        for second in shared[position:]:
            if _may_meet(kernel, first, second):
                _refuse(first, second)
    return kernel


def _may_meet(kernel: GpuKernel, first: Effect, second: Effect) -> bool:
    """Whether different blocks may touch the same element, where at least one of the two effects changes it."""
    if first.buffer.name != second.buffer.name or {first.kind, second.kind} in ({"read"}, {"update"}):
        return False
    levels = dict(kernel.parted).get(first.buffer.name, frozenset())
    parted = {level.dimension for level in levels if level.name in GRID}
    shared = [d for d, extent in enumerate(kernel.launch.grid) if extent.constant != 1 and d not in parted]
    first_effect, second_effect = independent(first), independent(second)
    if first_effect is None or second_effect is None:
        return bool(shared)
    if never_meet(first_effect, second_effect):
        return False
    return any(
        not any(
            are_distinguished(first_effect, second_effect, Level(level, dimension)) for level in _GRID_LEVELS
        )
        for dimension in shared
    )


def _refuse(first: Effect, second: Effect) -> NoReturn:
    writer, other = (second, first) if first.kind == "read" else (first, second)
    name = writer.buffer.name
    action = "read" if other.kind == "read" else "changed"
    title = f"expected each block to use only its own results, found {name} {action} by other blocks of the same kernel"
    hint = (
        f"end the map over blocks, or over the grid, where {name} is stored; or store it in Shared or Local"
    )
    fail("levels", title, hint, other.origin)
