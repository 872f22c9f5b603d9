"""Loops for scattered sums, and how elements with the same index are added."""

from __future__ import annotations

from elevate import FloatClass
from strategies.equations.rule import family, rule

scatterAddToSeq = rule("scatterAdd is xs ys = scatterAddSeq is xs ys", why="Add one element after the other.")
scatterAddToPar = rule(
    "scatterAdd is xs ys = scatterAddPar is xs ys",
    why="Add elements atomically, on different threads (OpenMP).",
    float_class=FloatClass.REASSOCIATING,
)
scatterAddToGlobal = family(
    "scatterAdd is xs ys = scatterAddGlobal d is xs ys",
    parameters=("d",),
    why="Add elements atomically, on different threads of the whole grid.",
    float_class=FloatClass.REASSOCIATING,
)
_BLOCK = "(n + 8 * m)"
_WHOLE = f"({_BLOCK} * (k / {_BLOCK}))"
scatterAddRest = family(
    f"scatterAdd (is : k.idx[m]) (xs : k.t) ys = scatterAdd (drop {_WHOLE} is) (drop {_WHOLE} xs)"
    f" (scatterAdd (take {_WHOLE} is) (take {_WHOLE} xs) ys)",
    parameters=("n",),
    why="Add whole blocks first, each of n elements plus eight per sum; then the remainder.",
)
splitScatterAdd = family(
    f"scatterAdd (is : ({_BLOCK} * q).idx[m]) (xs : ({_BLOCK} * q).t) ys"
    " = reduceSeq (fun(acc, block => scatterAdd (fst (unzip block)) (snd (unzip block)) acc)) ys"
    f" (split {_BLOCK} (zip is xs))",
    parameters=("n",),
    why="Add one block after the other.",
)
scatterAddTables = rule(
    "reduceSeq (fun(acc, b => scatterAdd (is) (xs) acc)) ys bs"
    " = reduceSeq (fun(acc, table => map (fun(p => fst p + snd p)) (zip acc table))) ys"
    " (map (fun(b => scatterAdd (is) (xs) (generate (fun(i => (0 : t)))))) bs)",
    why="Add each block into a separate table, so that threads do not share tables, and add up the tables.",
    float_class=FloatClass.REASSOCIATING,
)
