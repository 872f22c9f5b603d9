"""Argmin and argmax: reductions of pairs of an index and a number."""

from __future__ import annotations

from elevate import Rule
from strategies.equations.rule import rule

_START = "(pair (0 : idx[1+n]) (idx (0 : idx[1+n]) xs)) (zip (generate (fun(i => i))) xs)"

argminAsReduce = rule(
    f"argmin (xs : (1+n).t) = fst (reduce lesserPair {_START})",
    why="Keep the index of the least number so far.",
)
argmaxAsReduce = rule(
    f"argmax (xs : (1+n).t) = fst (reduce greaterPair {_START})",
    why="Keep the index of the greatest number so far.",
)

_CHOICE = "fun(a, b => if fst b {} fst a then b else a)"


def _skip(step: str, key: str, best: str, stays: str, why: str) -> Rule:
    """A block whose best number is no better than the best so far changes nothing."""
    return rule(
        f"reduce ({step}) acc xs = if (reduce {best} ({key} acc) (map {key} xs)) {stays} {key} acc"
        f" then acc else reduceSeq ({step}) acc xs",
        why=why,
        names=("acc",),
    )


_WHY = "Find the {} number alone, with vector instructions, and its index only if it is a new one."
skipUnlessGreater = _skip(_CHOICE.format(">"), "fst", "max", "<=", _WHY.format("greatest"))
skipUnlessLess = _skip(_CHOICE.format("<"), "fst", "min", ">=", _WHY.format("least"))
skipUnlessGreaterPair = _skip("greaterPair", "snd", "max", "<=", _WHY.format("greatest"))
skipUnlessLesserPair = _skip("lesserPair", "snd", "min", ">=", _WHY.format("least"))
