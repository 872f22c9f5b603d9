"""Loops on the levels of a GPU (GPGPU 2022, section 3)."""

from __future__ import annotations

from strategies.equations.rule import family

mapToMapBlock = family(
    "map f xs = mapBlock d f xs",
    parameters=("d",),
    why="Compute elements on different blocks of threads, along one dimension of the grid.",
)
mapToMapGlobal = family(
    "map f xs = mapGlobal d f xs",
    parameters=("d",),
    why="Compute elements on different threads of the whole grid, along one dimension.",
)
mapToMapThreads = family(
    "map f xs = mapThreads d f xs",
    parameters=("d",),
    why="Compute elements on different threads of a block.",
)
mapToMapLane = family(
    "map f xs = mapLane d f xs",
    parameters=("d",),
    why="Compute elements on different lanes of a warp.",
)
mapToMapWarp = family(
    "map f xs = mapWarp d f xs",
    parameters=("d",),
    why="Compute elements on different warps of a block.",
)
