"""Check that no block reads or changes what another block of its kernel wrote: blocks cannot wait for each other.

Knows no target.
"""

from __future__ import annotations

from typing import Final, NoReturn

from shine.imperative.errors import fail
from shine.imperative.kernels import GpuKernel
from shine.imperative.nodes import Level, LevelName
from shine.passes.gpu.conflicts import independent, is_told_apart, never_meet
from shine.passes.gpu.effects import Around, Effect, effects_of, watched_buffers

_WIDE: Final[tuple[LevelName, ...]] = ("block", "global")


def check_grid(kernel: GpuKernel) -> GpuKernel:
    """The kernel as it is. Raises a diagnostic where two blocks may touch one element, one of them to change it."""
    around = Around(watched_buffers(kernel.body), counts_blocks=True)
    found = [effect for statement in kernel.body.statements for effect in effects_of(statement, around)]
    shared = list(dict.fromkeys(effect for effect in found if effect.buffer.space == "Global"))
    for position, one in enumerate(shared):
        for other in shared[position:]:
            if _may_meet(kernel, one, other):
                _refuse(one, other)
    return kernel


def _may_meet(kernel: GpuKernel, first: Effect, second: Effect) -> bool:
    """Whether different blocks may touch one element that one of two effects changes."""
    if first.buffer.name != second.buffer.name or {first.kind, second.kind} in ({"read"}, {"update"}):
        return False
    parted = dict(kernel.parted).get(first.buffer.name, frozenset())
    shared = [d for d, extent in enumerate(kernel.launch.grid) if extent.constant != 1 and d not in parted]
    one, other = independent(first), independent(second)
    if one is None or other is None:
        return bool(shared)
    if never_meet(one, other):
        return False
    return any(
        not any(is_told_apart(one, other, Level(level, dimension)) for level in _WIDE) for dimension in shared
    )


def _refuse(first: Effect, second: Effect) -> NoReturn:
    writer, other = (second, first) if first.kind == "read" else (first, second)
    name = writer.buffer.name
    does = "read" if other.kind == "read" else "changed"
    title = f"expected each block to keep to what it wrote, found {name} {does} by other blocks of the same kernel"
    hint = (
        f"end the map over blocks, or over the grid, where {name} is stored; or store it in Shared or Local"
    )
    fail("levels", title, hint, other.origin)
