"""Loops over the rows of dependent arrays. Knows no strategy."""

from __future__ import annotations

from strategies.equation import family, rule

depMapToDepMapSeq = rule("depMap f xs = depMapSeq f xs", why="One row after the other.")
depMapToDepMapPar = rule("depMap f xs = depMapPar f xs", why="Rows on different threads (OpenMP).")
depMapToDepMapGlobal = family(
    "depMap f xs = depMapGlobal d f xs",
    parameters=("d",),
    why="Rows on different threads of the whole grid, along one dimension.",
)
