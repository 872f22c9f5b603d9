"""Finding the least and the greatest element: reductions of pairs of an index and a number."""

from __future__ import annotations

from strategies.equation import rule

_START = "(pair (0 : idx[1+n]) (idx (0 : idx[1+n]) xs)) (zip (generate (fun(i => i))) xs)"

argminAsReduce = rule(
    f"argmin (xs : (1+n).t) = fst (reduce lesserPair {_START})",
    why="Keep the index of the least number so far.",
)
argmaxAsReduce = rule(
    f"argmax (xs : (1+n).t) = fst (reduce greaterPair {_START})",
    why="Keep the index of the greatest number so far.",
)
