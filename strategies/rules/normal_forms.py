"""Rules that normal forms need: functions written out, and maps cut behind the last thing that they do."""

from __future__ import annotations

from typing import Any

from rise.terms import Bound, Expr, Lam
from rise.types import FunType, is_data
from strategies.equations.matcher import Bindings
from strategies.equations.rule import rule
from strategies.rules.lowering import expanded


def _written_out(term: Any) -> Expr | None:
    t = term.type
    wanted = isinstance(t, FunType) and is_data(t.parameter) and not isinstance(term, Lam)
    return expanded(term) if wanted else None


def computesData(bindings: Bindings) -> bool:
    """something that computes a value, not a variable and not a function, before the last function"""
    g = bindings.term("g")
    return not isinstance(g, Bound) and is_data(g.type)


writeOut = rule(
    "f = fun(x => f(x))",
    why="Write the parameter of a function of data out: the opposite of eta reduction.",
    by=_written_out,
)
mapLastFission = rule(
    "map (fun(x => f (g))) xs = map f (map (fun(x => g)) xs)",
    why="Walk once more for the last function that is applied, so that it can be scheduled by itself.",
    where=computesData,
)
