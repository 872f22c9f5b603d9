"""Dependent arrays, their rows and tiles, and dependent pairs. Independent of strategies."""

from __future__ import annotations

from typing import Final

from rise.naturals import NatVar
from rise.quotients import ceiling_quotient, minimum
from rise.size_functions import size_map, size_sum
from rise.types import ArrayType, abstract_dependent
from strategies.equations.matcher import Bindings
from strategies.equations.rule import family, rule

_TILE: Final = NatVar("%tile", None)


def fillArray(bindings: Bindings) -> bool:
    """Sizes for which the tiles are proved to have the total length of the array"""
    t, n = bindings.term("xs").type, bindings.size("n")
    if not isinstance(t, ArrayType):
        return False
    length = minimum(n, t.size - n * _TILE)
    tiles = size_sum(ceiling_quotient(t.size, n), size_map("i", abstract_dependent(length, _TILE)))
    return tiles == t.size


depMapToDepMapSeq = rule("depMap f xs = depMapSeq f xs", why="Compute one row after the other.")
depMapToDepMapPar = rule("depMap f xs = depMapPar f xs", why="Compute rows on different threads (OpenMP).")
depMapToDepMapGlobal = family(
    "depMap f xs = depMapGlobal d f xs",
    parameters=("d",),
    why="Compute rows on different threads of the whole grid, along one dimension.",
)
depMapToDepMapBlock = family(
    "depMap f xs = depMapBlock d f xs",
    parameters=("d",),
    why="Compute rows on different blocks of threads, along one dimension of the grid.",
)
depMapToDepMapThreads = family(
    "depMap f xs = depMapThreads d f xs",
    parameters=("d",),
    why="Compute rows on different threads of a block.",
)
depMapToDepMapWarp = family(
    "depMap f xs = depMapWarp d f xs",
    parameters=("d",),
    why="Compute rows on different warps of a block.",
)
depMapToDepMapLane = family(
    "depMap f xs = depMapLane d f xs",
    parameters=("d",),
    why="Compute rows on different lanes of a warp.",
)
joinDepTile = rule(
    "depJoin (depTile n 0 xs) = xs", why="Remove tiles that no later step used.", where=fillArray
)
depTileJoin = family(
    "map f xs = depJoin (depMap (fun(i: nat, tile => map f tile)) (depTile n 0 xs))",
    parameters=("n",),
    why="Split a loop into tiles of n, the last one with the remainder: n need not divide its size.",
    where=fillArray,
)
dmatchMake = rule(
    "dmatch (makeDepPair n x) f = f n x", why="Use the components of a dependent pair that was just built."
)
