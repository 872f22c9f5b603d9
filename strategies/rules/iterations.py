"""Loops whose iterations are independent, or only accumulate a value. Independent of Python.

Such a loop is a `reduceSeq` over the numbers of its iterations.
"""

from __future__ import annotations

from typing import Final

from elevate import FloatClass
from strategies.equations.rule import rule
from strategies.rules.reductions import is_commutative

#: iteration i assigns `{0}` to element i of the state
_REPLACING: Final = (
    "reduceSeq (fun(acc, i => let new = {0} in"
    " generate (fun(j : idx[n] => if indexAsInt j == indexAsInt i then new else idx j acc))))"
    " (xs : n.t) (generate (fun(k => k)) : n.idx[n])"
)
#: iteration i combines the result so far with a value; the same as a `reduce`
_ACCUMULATED: Final = (
    "reduceSeq (fun(acc, i => {0})) x (generate (fun(k => k)) : n.idx[n])"
    " = reduce f x (generate (fun(i : idx[n] => e)))"
)

independentIterations = rule(
    f"{_REPLACING.format('f[idx i acc]')} = generate (fun(i => f[idx i xs]))",
    why="Compute the elements in any order: no iteration reads an element that another one assigns.",
)
accumulatingIterations = rule(
    _ACCUMULATED.format("f acc (e)"),
    why="Combine the values of the iterations in any order: they do not depend on the result so far.",
    where=is_commutative,
    float_class=FloatClass.REASSOCIATING,
)
accumulatingIterationsSwapped = rule(
    _ACCUMULATED.format("f (e) acc"),
    why="Combine the values of the iterations in any order: they do not depend on the result so far.",
    where=is_commutative,
    float_class=FloatClass.REASSOCIATING,
)
