"""Folds that are functions of other folds, step by step: proved by induction in decision 0027. Independent of laws.

If `h(j) = i` and `h(t(b, k)) = s(h(b), k)` for all b and all k below n, then `F(n, s, i) = h(F(n, t, j))`. The function
h is obtained from the value that the fold is compared with, by abstracting over its folds of n steps. If there are
none, h is constant. It must be the same function before the first step and in each step: a fold of n steps that is
computed again, with more facts, is replaced as well, or else the lemma does not apply.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeAlias

from rise.checker.comparison import Comparison
from rise.checker.orders import at_index
from rise.checker.proposals import divisors_of, folds_of
from rise.checker.state import DifferentError, State
from rise.checker.values import (
    Array,
    Call,
    Choice,
    Element,
    Fold,
    Half,
    Holds,
    Operation,
    Pair,
    Value,
    array_form,
    elements_of,
)
from rise.naturals import Nat
from rise.types import PairType, Type

Replaced: TypeAlias = "Sequence[tuple[Fold, Value]]"


def fused(comparison: Comparison, a: Value, b: Value, t: Type | None) -> None:
    """Compare a fold with a function of other folds. Raises DifferentError."""
    stopped = DifferentError(a, b, tuple(divisors_of(a, b)))
    for side, other in ((a, b), (b, a)):
        fold = _whole(comparison.state, side, t)
        if fold is None:
            continue
        try:
            _step_by_step(comparison, fold, other, side is a)
            comparison.state.used.add("fusion of folds")
            return
        except DifferentError as error:
            stopped = error
        for leaf, _ in _leaves(comparison.state, other, fold.type):
            if isinstance(leaf, Choice) and comparison.state.decide(leaf.condition) is None:
                comparison.by_cases(leaf.condition, lambda: comparison.compare(a, b, t))
                return
    raise stopped


def _step_by_step(comparison: Comparison, fold: Fold, other: Value, is_first: bool) -> None:
    state, t = comparison.state, fold.type
    folds: list[Fold] = []
    for leaf, _ in _leaves(state, other, t):
        for found in folds_of(state, leaf):
            if found is fold:
                raise DifferentError(fold, other)
            if found not in folds and state.are_equal(found.length, fold.length):
                folds.append(found)

    def related(value: Value, replaced: Replaced) -> None:
        sides = (value, _image(state, other, t, replaced))
        comparison.compare(*(sides if is_first else sides[::-1]), t)

    accumulators = [(one, state.fresh(one.type)) for one in folds]
    related(fold.start, [(one, one.start) for one in folds])
    before = _image(state, other, t, accumulators)

    def step(k: Nat) -> None:
        with state.knowing(truths=at_index(state, k, fold.length)):
            related(fold.step(before, k), [(one, one.step(x, k)) for one, x in accumulators])

    comparison.for_each_index(fold.length, step)


def _whole(state: State, value: Value, t: Type | None) -> Fold | None:
    """The fold that a value is. An array may be decomposed into all elements of a fold. None for other values."""
    if t is None or (elements_of(t) is None and not isinstance(t, PairType)):
        is_number = isinstance(value, Fold) and elements_of(value.type) is None
        return value if is_number and not isinstance(value.type, PairType) else None
    root: Value = None
    for leaf, place in _leaves(state, value, t):
        path: list[Nat | int] = []
        while isinstance(leaf, Element | Half):
            path.append(leaf.index if isinstance(leaf, Element) else leaf.which)
            leaf = leaf.of
        if not isinstance(leaf, Fold) or path[::-1] != place or root not in (None, leaf):
            return None
        root = leaf
    return root if root is not None and array_form(root.type) == array_form(t) else None


def _leaves(state: State, value: Value, t: Type) -> Iterator[tuple[Value, list[Nat | int]]]:
    """The numbers in a value, at fresh indices of arrays, and their paths."""
    array = elements_of(t)
    if array is not None:
        k = state.fresh_index(array[0])
        for leaf, place in _leaves(state, state.element(value, k), array[1](k)):
            yield leaf, [k, *place]
    elif isinstance(t, PairType):
        for which, (half, of) in enumerate(((value.first, t.first), (value.second, t.second))):
            for leaf, place in _leaves(state, half, of):
                yield leaf, [which, *place]
    else:
        yield value, []


def _image(state: State, value: Value, t: Type, replaced: Replaced) -> Value:
    """A value of a type with folds replaced by others. Folds inside of functions are not replaced."""
    array = elements_of(t)
    if array is not None:
        return Array(array[0], lambda k: _image(state, state.element(value, k), array[1](k), replaced))
    if isinstance(t, PairType):
        halves = ((value.first, t.first), (value.second, t.second))
        return Pair(*(_image(state, half, of, replaced) for half, of in halves))
    return _with(state, value, t, replaced)


def _with(state: State, value: Value, t: Type | None, replaced: Replaced) -> Value:
    """Raises DifferentError for a fold of as many steps as a replaced one, if it is none of these."""

    def inner(part: Value) -> Value:
        return _with(state, part, None, replaced)

    match value:
        case Fold():
            alike = [(one, other) for one, other in replaced if one.length == value.length]
            for one, other in alike:
                if one is value or state.identical(one, value, None):
                    return other
            if alike:
                raise DifferentError(value, alike[0][0])
        case Element(of, index):
            array = inner(of)
            return state.element(array, index) if isinstance(array, Array) else Element(array, index)
        case Half(of, which):
            pair = inner(of)
            return (pair.first, pair.second)[which] if isinstance(pair, Pair) else Half(pair, which)
        case Call(of, argument, given) if given is not None:
            return Call(inner(of), inner(argument), given)
        case Operation(name, parameters, operands):
            return Operation(name, parameters, tuple((inner(x), of) for x, of in operands))
        case Pair(first, second):
            return Pair(inner(first), inner(second))
        case Choice(condition, yes, no):
            known = state.decide(condition)
            if known is None and isinstance(condition, Holds):
                condition = Holds(inner(condition.value))
                known = state.decide(condition)
            if known is not None:
                return inner((yes if known else no)())
            return Choice(condition, lambda: inner(yes()), lambda: inner(no()))
    return value
