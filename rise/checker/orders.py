"""Comparisons of numbers that follow from comparisons known to hold. Independent of lemmas.

`max(a, b) <= c` holds only if `a <= c` and `b <= c` do: it is NaN if one of them is, and no comparison of NaN holds. By
induction, if the maximum of the numbers in a fold is at most c, so is each of them; likewise for `min` and `>=`.
"""

from __future__ import annotations

from typing import Final

from rise.checker.state import State
from rise.checker.values import Fold, Operation, Value
from rise.naturals import Nat

#: for each comparison with a bound, the operation whose result satisfies it only if both operands do
BOUNDS: Final = {"le": "max", "ge": "min"}


def at_index(state: State, k: Nat, length: Nat) -> tuple[tuple[Value, bool], ...]:
    """The comparisons of numbers at an index that follow from known comparisons of their maximum or minimum below a
    length.
    """
    found: list[tuple[Value, bool]] = []
    for truth, holds in state.known.truths:
        match truth:
            case Operation(name, parameters, ((Fold() as fold, t), bound)) if holds and name in BOUNDS:
                if state.are_equal(fold.length, length):
                    item = _chosen(state, fold, k, BOUNDS[name])
                    if item is not None:
                        found.append((Operation(name, parameters, ((item, t), bound)), True))
    return tuple(found)


def _chosen(state: State, fold: Fold, k: Nat, choice: str) -> Value | None:
    """The number that a step compares with its accumulator; None if it depends on the accumulator, or if a step does
    more.
    """
    numbers: list[Value] = []
    for accumulator in (state.fresh(fold.type), state.fresh(fold.type)):
        match fold.step(accumulator, k):
            case Operation(name, _, ((first, _), (second, _))) if name == choice and first is accumulator:
                numbers.append(second)
            case _:
                return None
    return numbers[0] if state.identical(numbers[0], numbers[1], None) else None
