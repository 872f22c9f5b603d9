"""Checks the nesting of loops over levels: blocks contain threads or warps, warps contain lanes.

Independent of targets.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import prod
from typing import Final, NoReturn

from rise.primitives import PARALLEL, PRIMITIVES, running_on, with_trait
from shine.imperative.errors import fail
from shine.imperative.kernels import GpuKernel
from shine.imperative.levels import level_of, works_on_fragments
from shine.imperative.nodes import For, FragmentStatement, Level, LevelName, Origin
from shine.imperative.walk import statements

#: the levels that may enclose each level, besides other dimensions of the same level
ENCLOSING_LEVELS: Final[Mapping[LevelName, frozenset[LevelName]]] = {
    "global": frozenset(),
    "block": frozenset(),
    "threads": frozenset({"block"}),
    "warp": frozenset({"block"}),
    "lane": frozenset({"block", "warp"}),
}
#: the map that runs on each level
MAPS: Final[Mapping[str, str]] = {
    PRIMITIVES[name].runs_on: name for name in with_trait("maps") & PARALLEL - running_on("processor")
}


def check_levels(kernel: GpuKernel) -> None:
    """Raise TranslationError unless levels are nested as on a GPU, and fragments are used by whole warps."""
    for statement, loops in statements(kernel.body):
        around = [level for loop in loops if (level := level_of(loop)) is not None]
        if works_on_fragments(statement):
            _check_fragment(kernel, statement, loops, around)
        elif isinstance(statement, For) and isinstance(statement.kind, Level):
            _check_loop(kernel, statement.kind, around, statement.origin)


def _check_loop(kernel: GpuKernel, level: Level, around: list[Level], origin: Origin) -> None:
    name = MAPS[level.name]
    for outer in around:
        if outer == level:
            hint = f"use another dimension for the inner one: `{name}({(level.dimension + 1) % 3}, ...)`, or mapSeq"
            _refuse(f"{name} in dimension {level.dimension}", "another of the same dimension", hint, origin)
        if outer.name != level.name and outer.name not in ENCLOSING_LEVELS[level.name]:
            hint = "nest levels as mapBlock > mapThreads, or as mapBlock > mapWarp > mapLane"
            _refuse(name, MAPS[outer.name], hint, origin)
    if level.name == "threads" and level.dimension > 0 and kernel.launch.warps is not None:
        title = "expected the threads of a block in one dimension where it has warps, found another dimension"
        fail("levels", title, "join the arrays and use `mapThreads(0, ...)`", origin)


def _refuse(inner: str, outer: str, hint: str, origin: Origin) -> NoReturn:
    fail(
        "levels",
        f"expected levels from the widest to the narrowest, found {inner} inside {outer}",
        hint,
        origin,
    )


def _check_fragment(
    kernel: GpuKernel, statement: FragmentStatement, loops: tuple[For, ...], around: list[Level]
) -> None:
    origin = statement.origin
    inside = [level for level in around if level.name in ("threads", "lane", "global")]
    if inside:
        title = f"expected a fragment to be used by a whole warp, found its use inside {MAPS[inside[0].name]}"
        fail("levels", title, "map over warps instead: mapWarp(0, ...)", origin)
    warps = kernel.launch.warps
    assert warps is not None, "a kernel with fragments has warps"
    if prod(warps) > 1 and not any(level.name == "warp" for level in around):
        title = f"expected fragments inside mapWarp in a block of {prod(warps)} warps, found them outside"
        fail("levels", title, "map over warps: mapWarp(0, ...)", origin)
    for loop in loops:
        level = level_of(loop)
        if level is not None and level.name == "warp" and kernel.launch.share(loop) != "one":
            title = "expected a loop that uses fragments to have an iteration for each warp of the block, found fewer"
            fail("levels", title, "give all loops over warps the same number of iterations", loop.origin)
