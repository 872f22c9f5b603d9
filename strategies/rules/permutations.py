"""Loops for sums that are scattered: how elements that meet in one place are added there."""

from __future__ import annotations

from elevate import FloatClass
from strategies.equation import family, rule

scatterAddToSeq = rule("scatterAdd is xs ys = scatterAddSeq is xs ys", why="Add one element after the other.")
scatterAddToPar = rule(
    "scatterAdd is xs ys = scatterAddPar is xs ys",
    why="Add elements on different threads (OpenMP), each undivided.",
    float_class=FloatClass.REASSOCIATING,
)
scatterAddToGlobal = family(
    "scatterAdd is xs ys = scatterAddGlobal d is xs ys",
    parameters=("d",),
    why="Add elements on different threads of the whole grid, each undivided.",
    float_class=FloatClass.REASSOCIATING,
)
