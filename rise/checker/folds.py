"""Lemmas about folds, each proved by induction in docs/decisions/0027-proofs.md. Independent of laws of operators.

A fold of `n` steps from `i` is written `F(n, s, i)`: `F(0, s, i) = i`, `F(n + 1, s, i) = s(F(n, s, i), n)`.
"""

from __future__ import annotations

from rise.checker.comparison import Comparison
from rise.checker.proposals import divisors_of
from rise.checker.state import DifferentError, State
from rise.checker.values import Choice, Fold, Less, Operation, Value, is_free_of
from rise.naturals import Nat
from rise.quotients import floor_quotient, remainder
from rise.types import Type


def flattened(state: State, fold: Fold) -> Fold:
    """Nested folds as one fold, and a fold that starts with the result of another one as one fold.

    - nested: `F(n, (a, q) -> F(m, (b, r) -> s(b, q, r), a), i) = F(n * m, (a, k) -> s(a, k / m, k % m), i)`
    - one after the other: `F(m, t, F(n, s, i)) = F(n + m, (a, k) -> if k < n then s(a, k) else t(a, k - n), i)`
    """
    fold = _unnested(state, fold)
    start = fold.start
    if isinstance(start, Choice):
        known = state.decide(start.condition)
        if known is not None:
            start = (start.yes if known else start.no)()
    if not isinstance(start, Fold):
        return Fold(fold.length, fold.step, start, fold.type)
    first = flattened(state, start)
    state.used.add("folds one after the other")

    def step(accumulator: Value, k: Nat) -> Value:
        return state.choose(
            Less(k, first.length),
            lambda: first.step(accumulator, k),
            lambda: fold.step(accumulator, k - first.length),
            fold.type,
        )

    return Fold(first.length + fold.length, step, first.start, fold.type)


def _unnested(state: State, fold: Fold) -> Fold:
    accumulators = state.fresh(fold.type), state.fresh(fold.type)
    places = state.fresh_index(fold.length), state.fresh_index(fold.length)
    inner = fold.step(accumulators[0], places[0])
    if (
        not isinstance(inner, Fold)
        or inner.type != fold.type
        or not state.identical(inner.start, accumulators[0], None)
    ):
        return fold
    other = fold.step(accumulators[1], places[0])
    elsewhere = fold.step(accumulators[0], places[1])
    if not isinstance(other, Fold) or not isinstance(elsewhere, Fold):
        return fold
    width = inner.length
    if width != elsewhere.length or not is_free_of(width, places[:1]):
        return fold
    a, k = state.fresh(fold.type), state.fresh_index(width)
    if not state.identical(inner.step(a, k), other.step(a, k), fold.type):
        return fold  # the inner steps use the accumulator of the outer steps
    state.used.add("nested folds")

    def step(accumulator: Value, index: Nat) -> Value:
        row = fold.step(accumulators[0], floor_quotient(index, width))
        if not isinstance(row, Fold) or row.length != width:
            raise DifferentError(fold, row)
        return row.step(accumulator, remainder(index, width))

    return _unnested(state, Fold(fold.length * width, step, fold.start, fold.type))


def as_one_fold(comparison: Comparison, a: Value, b: Value, t: Type | None) -> None:
    """Compare two folds after flattening both. Raises DifferentError."""
    state = comparison.state
    if not isinstance(a, Fold) or not isinstance(b, Fold):
        raise DifferentError(a, b, tuple(divisors_of(a, b)))
    left, right = flattened(state, a), flattened(state, b)
    for one in (left, right):
        if isinstance(one.start, Choice):
            comparison.by_cases(one.start.condition, lambda: comparison.compare(a, b, t))
            return
    comparison.folds(left, right)


def contracted(comparison: Comparison, a: Value, b: Value, t: Type | None) -> None:
    """Compare a value with one that is rounded once, `fma(x, y, z)`, which is treated as `z + x * y`, rounded twice."""
    left, right = _uncontracted(a), _uncontracted(b)
    if left is a and right is b:
        raise DifferentError(a, b)
    comparison.state.used.add("contraction")
    comparison.compare(left, right, t)


def _uncontracted(value: Value) -> Value:
    match value:
        case Operation("fma", parameters, ((x, t), (y, _), (z, _))):
            product = Operation("mul", parameters, ((x, t), (y, t)))
            return Operation("add", parameters, ((z, t), (product, t)))
    return value
