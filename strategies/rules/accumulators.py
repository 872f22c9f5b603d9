"""Tiles of accumulators: a reduction to a matrix or a row keeps it in tiles, and matrices are copied tile by tile.

Contains equations only. A tile of r x c elements is an element of an array of rows of tiles.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from strategies.equations.rule import RuleFamily, family, rule


def type_around(depth: int, element: str) -> str:
    """The type of an array with `depth` dimensions around its elements."""
    return ".".join((*"abdeghjl"[:depth], element))


def _matrices(depth: int) -> str:
    """The type of an array of matrices with `depth` dimensions around the matrices."""
    return type_around(depth, "n.m.t")


def _in_tiles(xs: str) -> str:
    """A matrix in tiles."""
    return f"map (fun(row => transpose (map (fun(part => split c part)) row))) (split r ({xs}))"


def _out_of_tiles(xs: str) -> str:
    """The inverse of `_in_tiles`."""
    return f"join (map (fun(row => map join (transpose row))) ({xs}))"


def _each(depth: int, function: Callable[[str], str], xs: str) -> str:
    """A function applied to each element of an array of `depth` dimensions."""
    if depth == 0:
        return function(xs)
    inner = _each(depth - 1, function, f"y{depth}")
    return f"map (fun(y{depth} => {inner})) ({xs})"


def kept_form_equation(
    depth: int, shape: str, name: str, into: Callable[[str], str], back: Callable[[str], str]
) -> str:
    """The equation of a reduction that keeps its accumulator in another form, as a variable `name`; `back` undoes
    `into`.

    `into` is applied to the elements below `depth` dimensions of the accumulator, whose type is `shape`.
    """
    step = _each(depth, into, f"f ({_each(depth, back, name)}) x")
    loop = f"reduceSeq (fun({name}, x => {step})) ({_each(depth, into, 'i')}) xs"
    return f"reduceSeq f (i : {shape}) xs = {_each(depth, back, loop)}"


def _tiled_accumulator(depth: int) -> RuleFamily:
    return family(
        kept_form_equation(depth, _matrices(depth), "tiles", _in_tiles, _out_of_tiles),
        parameters=("r", "c"),
        demands=("r divides n", "c divides m"),
        why="Keep the accumulators of a matrix in tiles, so that each is updated by its own unit.",
    )


tileAccumulator = _tiled_accumulator(0)
tileAccumulatorInRows = _tiled_accumulator(1)
tileAccumulatorInTiles = _tiled_accumulator(2)
tileAccumulatorInTilesOfRows = _tiled_accumulator(3)
tileAccumulatorInTilesTwice = _tiled_accumulator(4)
tileAccumulatorInTilesOfRowsTwice = _tiled_accumulator(5)
tileAccumulatorInTilesThrice = _tiled_accumulator(6)
#: indexed by the number of dimensions of tiles around the matrices
TILED_ACCUMULATORS: Final = (
    tileAccumulator,
    tileAccumulatorInRows,
    tileAccumulatorInTiles,
    tileAccumulatorInTilesOfRows,
    tileAccumulatorInTilesTwice,
    tileAccumulatorInTilesOfRowsTwice,
    tileAccumulatorInTilesThrice,
)


def _row_accumulator(depth: int) -> RuleFamily:
    return family(
        kept_form_equation(
            depth, type_around(depth, "n.t"), "tiles", lambda xs: f"split r ({xs})", lambda xs: f"join ({xs})"
        ),
        parameters=("r",),
        demands=("r divides n",),
        why="Keep the accumulators of a row in tiles, so that each is updated by its own unit.",
    )


tileRowAccumulator = _row_accumulator(0)
tileRowAccumulatorInRows = _row_accumulator(1)
tileRowAccumulatorInTiles = _row_accumulator(2)
tileRowAccumulatorInTilesOfRows = _row_accumulator(3)
#: indexed by the number of dimensions of tiles around the rows
TILED_ROW_ACCUMULATORS: Final = (
    tileRowAccumulator,
    tileRowAccumulatorInRows,
    tileRowAccumulatorInTiles,
    tileRowAccumulatorInTilesOfRows,
)


def _fragment_accumulator(depth: int) -> RuleFamily:
    return family(
        kept_form_equation(
            depth,
            _matrices(depth),
            "fragments",
            lambda xs: f"asFragmentAcc{{k = k}} ({xs})",
            lambda xs: f"asMatrix ({xs})",
        ),
        parameters=("k",),
        why="Keep the accumulators of tiles in fragments of the tensor cores.",
    )


fragmentAccumulator = _fragment_accumulator(0)
fragmentAccumulatorInRows = _fragment_accumulator(1)
fragmentAccumulatorInTiles = _fragment_accumulator(2)
fragmentAccumulatorInTilesOfRows = _fragment_accumulator(3)
fragmentAccumulatorInTilesTwice = _fragment_accumulator(4)
fragmentAccumulatorInTilesOfRowsTwice = _fragment_accumulator(5)
fragmentAccumulatorInTilesThrice = _fragment_accumulator(6)
fragmentAccumulatorInTilesOfRowsThrice = _fragment_accumulator(7)
fragmentAccumulatorInTilesFourTimes = _fragment_accumulator(8)
#: indexed by the number of dimensions of tiles around the fragments
FRAGMENT_ACCUMULATORS: Final = (
    fragmentAccumulator,
    fragmentAccumulatorInRows,
    fragmentAccumulatorInTiles,
    fragmentAccumulatorInTilesOfRows,
    fragmentAccumulatorInTilesTwice,
    fragmentAccumulatorInTilesOfRowsTwice,
    fragmentAccumulatorInTilesThrice,
    fragmentAccumulatorInTilesOfRowsThrice,
    fragmentAccumulatorInTilesFourTimes,
)
fragmentOfMatrix = rule(
    "asFragmentAcc (asMatrix a) = a",
    why="Keep a fragment as it is, without a matrix in memory.",
)
_COPIED: Final = f"map (fun(row => map (fun(tile => tile)) row)) ({_in_tiles('xs')})"


def _with_first(change: Callable[[str], str], xs: str) -> str:
    """A pair with `change` applied to its first component."""
    return f"(fun(both => pair ({change('fst both')}) (snd both))) ({xs})"


def _kept_first(shape: str, into: Callable[[str], str], back: Callable[[str], str]) -> str:
    """The equation of a reduction to a pair that keeps the first component, of type `shape`, in another form."""
    step = _with_first(into, f"f ({_with_first(back, 'acc')}) x")
    loop = f"reduceSeq (fun(acc, x => {step})) ({_with_first(into, 'i')}) xs"
    return f"reduceSeq f (i : ({shape}, s)) xs = {_with_first(back, loop)}"


fragmentsOfFirst = family(
    _kept_first(
        _matrices(0),
        lambda xs: _each(2, lambda tile: f"asFragmentAcc{{k = k}} ({tile})", _in_tiles(xs)),
        lambda xs: _out_of_tiles(_each(2, lambda tile: f"asMatrix ({tile})", xs)),
    ),
    parameters=("r", "c", "k"),
    demands=("r divides n", "c divides m"),
    why="Keep the first part of a state, a matrix, in fragments of the tensor cores.",
)
moveInTiles = family(
    f"(xs : n.m.t) = {_out_of_tiles(_COPIED)}",
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
joinOfLet = rule(
    "join (let v (fun(x => e))) = let v (fun(x => join e))",
    why="Join below the name of a stored array.",
)
fragmentOfLet = rule(
    "asFragmentAcc (let v (fun(x => e))) = let v (fun(x => asFragmentAcc e))",
    why="Make a fragment below the name of a stored array.",
)
