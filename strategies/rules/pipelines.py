"""Reductions that load the elements of later steps ahead. Independent of memory, instructions and levels."""

from __future__ import annotations

from strategies.equations.rule import family, rule

nameTogether = rule(
    "(fun(left => (fun(right => f)) (r))) (l)"
    " = (fun(loaded => (fun(left => (fun(right => f)) (snd loaded))) (fst loaded))) (pair (l) (r))",
    why="Name two values as one pair, so that both are loaded by one function.",
)
reduceSeqToReducePipe = family(
    "reduceSeq (fun(acc, x => (fun(loaded => f)) (l))) i xs"
    " = reducePipe stages (fun(x => l)) (fun(acc, loaded => f)) i xs",
    parameters=("stages",),
    why="Load what later steps need while this one computes.",
)
