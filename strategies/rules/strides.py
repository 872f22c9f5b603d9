"""Permutations of rows that swap two digits of row indices, by views only.

With them, tiles take rows with a stride, and units process tiles in another order.

Contains equations only. The index of a row is ((block * q + i) * r + j) * s + k with i < q, j < r and k < s; swapping i
and j again undoes the permutation.
"""

from __future__ import annotations

from typing import Final

from strategies.equations.rule import EquationRule, RuleFamily, family, rule
from strategies.rules.accumulators import kept_form_equation, type_around

_PARAMETERS: Final = ("q", "r", "s")
_ROWS: Final = "(c * q * r * s).t"


def _swapped(xs: str) -> str:
    """An array permuted by swapping i and j in its indices."""
    block = "join (map (fun(part => join part)) (transpose (map (fun(part => split s part)) (split (r * s) block))))"
    return f"join (map (fun(block => {block})) (split (q * r * s) ({xs})))"


def _restored(xs: str) -> str:
    """The inverse of `_swapped`. It is another term also where q and r are equal: maps take in `_swapped` only."""
    block = "join (map (fun(part => join part)) (transpose (split q (split s block))))"
    return f"join (map (fun(block => {block})) (split (q * r * s) ({xs})))"


swapRows = family(
    f"map f (xs : {_ROWS}) = " + _restored(f"map f ({_swapped('xs')})"),
    parameters=_PARAMETERS,
    why="Run a loop in another order.",
)
swapColumns = family(
    f"map (fun(x => map (fun(y => f)) (ys : {_ROWS}))) xs = map (fun(row => {_restored('row')}))"
    f" (map (fun(x => map (fun(y => f)) ({_swapped('ys')}))) xs)",
    parameters=_PARAMETERS,
    why="Run the inner one of two loops in another order.",
)

permutedRowsOutside = family(
    f"map (fun(x => {_restored(f'map (fun(y => f)) (ys : {_ROWS})')})) xs = map (fun(row => {_restored('row')}))"
    " (map (fun(x => map (fun(y => f)) (ys))) xs)",
    parameters=_PARAMETERS,
    why="Undo the permutation of columns outside of both loops.",
)


def _swapped_accumulator(depth: int) -> RuleFamily:
    return family(
        kept_form_equation(depth, type_around(depth, _ROWS), "tiles", _swapped, _restored),
        parameters=_PARAMETERS,
        why="Keep the accumulators of a loop in the order in which it computes them.",
    )


swapAccumulator = _swapped_accumulator(0)
swapAccumulatorInRows = _swapped_accumulator(1)
swapAccumulatorInTiles = _swapped_accumulator(2)
swapAccumulatorInTilesOfRows = _swapped_accumulator(3)
swapAccumulatorInTilesTwice = _swapped_accumulator(4)
swapAccumulatorInTilesOfRowsTwice = _swapped_accumulator(5)
swapAccumulatorInTilesThrice = _swapped_accumulator(6)
swapAccumulatorInTilesOfRowsThrice = _swapped_accumulator(7)
#: indexed by the number of dimensions around the permuted array
SWAPPED_ACCUMULATORS: Final = (
    swapAccumulator,
    swapAccumulatorInRows,
    swapAccumulatorInTiles,
    swapAccumulatorInTilesOfRows,
    swapAccumulatorInTilesTwice,
    swapAccumulatorInTilesOfRowsTwice,
    swapAccumulatorInTilesThrice,
    swapAccumulatorInTilesOfRowsThrice,
)
swapTwice = family(
    f"{_swapped(_restored(f'xs : {_ROWS}'))} = xs",
    parameters=_PARAMETERS,
    why="Remove a permutation and its inverse.",
)
swapOfMap = family(
    f"{_swapped(f'map f (xs : {_ROWS})')} = map f ({_swapped('xs')})",
    parameters=_PARAMETERS,
    why="Permute what a map reads.",
)
swapOfZip = family(
    f"{_swapped(f'zip (xs : {_ROWS}) ys')} = zip ({_swapped('xs')}) ({_swapped('ys')})",
    parameters=_PARAMETERS,
    why="Permute both arrays instead of their zip.",
)
oneBlock = rule(
    "join (map f (split n (xs : n.t))) = f xs",
    why="Replace a single block by the whole array.",
)
viewsOutsideGrid = rule(
    "map (fun(x => map join (transpose (ys)))) xs = map (fun(y => map join (transpose y))) (map (fun(x => ys)) xs)",
    why="Undo the tiling of a matrix outside of both loops over tiles.",
)
rowsInOneLoop = rule(
    "map (fun(x => map f x)) (xs : n.m.t) = split m (map f (join xs))",
    why="Run two loops as one.",
)
gridInOneLoop = rule(
    "map (fun(x => map (fun(y => f)) (ys : m.t))) xs = split m (map (fun(p => "
    "(fun(x => (fun(y => f)) (snd p))) (fst p))) (join (map (fun(x => map (fun(y => pair x y)) ys)) xs)))",
    why="Run both loops over tiles as one.",
)
numbersInOneLoop = rule(
    "map (fun(x => map (fun(y => f)) (ys))) (xs : n.t) = split m (map (fun(p => "
    "(fun(x => (fun(y => f)) (snd p))) (fst p))) (join (map (fun(x => map (fun(y => pair x y)) (ys : m.s))) xs)))",
    why="Compute the numbers of a matrix in one loop, also from arrays with a row for each row of it.",
)
computeOutsideGrid = rule(
    "join (map (fun(x => map (fun(y => pair (map f x) y)) ys)) xs) = map (fun(p => pair (map f (fst p)) (snd p)))"
    " (join (map (fun(x => map (fun(y => pair x y)) ys)) xs))",
    why="Compute the rows of a tile in the loop over all tiles, instead of where tiles are numbered.",
)
computeColumnsOutsideGrid = rule(
    "join (map (fun(x => map (fun(y => pair x (map f y))) ys)) xs) = map (fun(p => pair (fst p) (map f (snd p))))"
    " (join (map (fun(x => map (fun(y => pair x y)) ys)) xs))",
    why="Compute the columns of a tile in the loop over all tiles, instead of where tiles are numbered.",
)
accumulatingGridInOneLoop = rule(
    "map (fun(x => (fun(row => map (fun(y => f)) (zip (fst x) (ys : m.t)))) (snd x))) (zip ts xs) = "
    "split m (map (fun(p => (fun(row => (fun(y => f)) (pair (fst p) (snd (snd p))))) (fst (snd p))))"
    " (zip (join ts) (join (map (fun(row => map (fun(column => pair row column)) ys)) xs))))",
    why="Run both loops over tiles as one, with the accumulators of each tile.",
)


def _joined_accumulator(depth: int) -> EquationRule:
    return rule(
        kept_form_equation(
            depth,
            type_around(depth, "n.m.t"),
            "tiles",
            lambda xs: f"join ({xs})",
            lambda xs: f"split m ({xs})",
        ),
        why="Keep the accumulators of all tiles in one row.",
    )


joinAccumulator = _joined_accumulator(0)
joinAccumulatorInRows = _joined_accumulator(1)
joinAccumulatorInTiles = _joined_accumulator(2)
joinAccumulatorInTilesOfRows = _joined_accumulator(3)
joinAccumulatorInTilesTwice = _joined_accumulator(4)
joinAccumulatorInTilesOfRowsTwice = _joined_accumulator(5)
joinAccumulatorInTilesThrice = _joined_accumulator(6)
#: indexed by the number of dimensions around the grid
JOINED_ACCUMULATORS: Final = (
    joinAccumulator,
    joinAccumulatorInRows,
    joinAccumulatorInTiles,
    joinAccumulatorInTilesOfRows,
    joinAccumulatorInTilesTwice,
    joinAccumulatorInTilesOfRowsTwice,
    joinAccumulatorInTilesThrice,
)
