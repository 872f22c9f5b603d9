"""Rules for normal forms: eta-expansion of functions, and fission of maps after their last step."""

from __future__ import annotations

from rise.terms import Bound
from rise.types import is_data
from strategies.equations.matcher import Bindings
from strategies.equations.rule import rule
from strategies.rules.lowering import isNotWrittenOut


def computesData(bindings: Bindings) -> bool:
    """A last function that is applied to a computed value, not to a variable or a function"""
    g = bindings.term("g")
    return not isinstance(g, Bound) and is_data(g.type)


writeOut = rule(
    "(f : s -> any) = fun(x => f x)",
    why="Eta-expand a function of data.",
    where=isNotWrittenOut,
)
mapLastFission = rule(
    "map (fun(x => f (g))) xs = map f (map (fun(x => g)) xs)",
    why="Apply the last function in a separate loop, so that it can be scheduled separately.",
    where=computesData,
)
