"""Matrix products that sum over the rows of both factors, such as `x.T @ y`, in steps of a few rows.

A step reads its rows of both factors once, in the order of memory, and adds to the sums of the previous steps.
"""

from __future__ import annotations

from typing import Final

from strategies.equations.rule import family

#: the products of all columns of two matrices
_PRODUCT: Final = "map (fun(r => map (fun(c => reduceSeq f {2} (zip r c))) (transpose {1}))) (transpose {0})"
#: the same, each added to a given sum
_CONTINUED: Final = (
    "(fun(columns => map (fun(p => map (fun(q => reduceSeq f (snd q) (zip (fst p) (fst q))))"
    " (zip (transpose columns) (snd p)))) (zip (transpose {0}) {2}))) ({1})"
)
_TAKEN: Final = _PRODUCT.format("(take (n * (m / n)) xs)", "(take (n * (m / n)) ys)", "start")
_DROPPED: Final = _CONTINUED.format("(drop (n * (m / n)) xs)", "drop (n * (m / n)) ys", "sums")

continueProducts = family(
    f"{_PRODUCT.format('(xs : m.k.s)', 'ys', 'i')} = (fun(start => (fun(sums => {_DROPPED})) ({_TAKEN}))) i",
    parameters=("n",),
    why="Cut the sums of a matrix product into whole steps of n rows, and the remainder, which starts from those sums.",
)
productsInSteps = family(
    f"{_PRODUCT.format('xs', 'ys', 'i')}"
    f" = reduceSeq (fun(sums, step => {_CONTINUED.format('(fst step)', 'snd step', 'sums')}))"
    " (map (fun(r => map (fun(c => i)) (transpose ys))) (transpose xs)) (zip (split n xs) (split n ys))",
    parameters=("n",),
    why="Sum a matrix product in steps of n rows of both factors, each of which is read once, in order.",
)
productBySize = family(
    "map (fun(x => map f (ys : m.t))) xs"
    " = if indexAsInt (natAsIndex(m) : idx[m+1]) < indexAsInt (natAsIndex(n) : idx[n+1])"
    " then map (fun(x => map f ys)) xs else map (fun(x => map f ys)) xs",
    parameters=("n",),
    why="Choose at run time between two ways to compute a matrix product: for fewer than n columns, and for others.",
)
