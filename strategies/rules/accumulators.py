"""Tiles of accumulators: a reduction to a matrix keeps that matrix in tiles, and copies of matrices run over tiles.

Knows equations only. A tile of r x c elements is an element of an array of rows of tiles.
"""

from __future__ import annotations

from typing import Final

from strategies.equations.rule import RuleFamily, family, rule

_SHAPES: Final = ("n.m.t", "a.b.n.m.t", "a.b.d.e.n.m.t")


def _in_tiles(depth: int, xs: str) -> str:
    """The matrices at a depth of an array of tiles, in tiles."""
    if depth == 0:
        return f"map (fun(row => transpose (map (fun(part => split c part)) row))) (split r ({xs}))"
    inner = _in_tiles(depth - 1, f"y{depth}")
    return f"map (fun(x{depth} => map (fun(y{depth} => {inner})) x{depth})) ({xs})"


def _out_of_tiles(depth: int, xs: str) -> str:
    """The inverse of `_in_tiles`."""
    if depth == 0:
        return f"join (map (fun(row => map join (transpose row))) ({xs}))"
    inner = _out_of_tiles(depth - 1, f"y{depth}")
    return f"map (fun(x{depth} => map (fun(y{depth} => {inner})) x{depth})) ({xs})"


def _tiled_accumulator(depth: int) -> RuleFamily:
    step = _in_tiles(depth, f"f ({_out_of_tiles(depth, 'tiles')}) x")
    loop = f"reduceSeq (fun(tiles, x => {step})) ({_in_tiles(depth, 'i')}) xs"
    return family(
        f"reduceSeq f (i : {_SHAPES[depth]}) xs = {_out_of_tiles(depth, loop)}",
        parameters=("r", "c"),
        demands=("r divides n", "c divides m"),
        why="Keep the accumulators of a matrix in tiles, so that each is updated by its own unit.",
    )


tileAccumulator = _tiled_accumulator(0)
tileAccumulatorInTiles = _tiled_accumulator(1)
#: by the depth of the matrices in arrays of tiles
TILED_ACCUMULATORS: Final = (
    tileAccumulator,
    tileAccumulatorInTiles,
)


def _each(depth: int, function: str, xs: str) -> str:
    """A function applied to each matrix at a depth of an array of tiles."""
    if depth == 0:
        return f"{function} ({xs})"
    inner = _each(depth - 1, function, f"y{depth}")
    return f"map (fun(x{depth} => map (fun(y{depth} => {inner})) x{depth})) ({xs})"


def _fragment_accumulator(depth: int) -> RuleFamily:
    step = _each(depth, "asFragmentAcc{k = k}", f"f ({_each(depth, 'asMatrix', 'fragments')}) x")
    loop = f"reduceSeq (fun(fragments, x => {step})) ({_each(depth, 'asFragmentAcc{k = k}', 'i')}) xs"
    return family(
        f"reduceSeq f (i : {_SHAPES[depth]}) xs = {_each(depth, 'asMatrix', loop)}",
        parameters=("k",),
        why="Keep the accumulators of tiles in fragments of the tensor cores.",
    )


fragmentAccumulator = _fragment_accumulator(0)
fragmentAccumulatorInTiles = _fragment_accumulator(1)
fragmentAccumulatorInTilesTwice = _fragment_accumulator(2)
#: by the depth of the matrices in arrays of tiles
FRAGMENT_ACCUMULATORS: Final = (
    fragmentAccumulator,
    fragmentAccumulatorInTiles,
    fragmentAccumulatorInTilesTwice,
)
fragmentOfMatrix = rule(
    "asFragmentAcc (asMatrix a) = a",
    why="Keep a fragment as it is, without a matrix in memory.",
)
_COPIED: Final = f"map (fun(row => map (fun(tile => tile)) row)) ({_in_tiles(0, 'xs')})"
moveInTiles = family(
    f"(xs : n.m.t) = {_out_of_tiles(0, _COPIED)}",
    parameters=("r", "c"),
    demands=("r divides n", "c divides m"),
    why="Copy a matrix tile by tile.",
)
nameRowOperand = rule(
    "map f (xs : n.t) = (fun(left => map f left)) xs",
    why="Name the array that a nest reads by rows, so that it can be copied before it is used.",
)
nameColumnOperand = rule(
    "map (fun(x => map f ys)) xs = (fun(right => map (fun(x => map f right)) xs)) ys",
    why="Name the array that each row of a nest reads, so that it can be copied before it is used.",
)
mapOfLet = rule(
    "map f (let v (fun(x => e))) = let v (fun(x => map f e))",
    why="Map below the name of a stored array.",
)
splitOfLet = rule(
    "split n (let v (fun(x => e))) = let v (fun(x => split n e))",
    why="Split below the name of a stored array.",
)
fragmentOfLet = rule(
    "asFragmentAcc (let v (fun(x => e))) = let v (fun(x => asFragmentAcc e))",
    why="Make a fragment below the name of a stored array.",
)
