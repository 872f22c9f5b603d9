"""Lemmas about folds, at small lengths: the other form of a fold has the same result as its steps, one after the
other.
"""

from collections.abc import Callable

import pytest

from rise.checker.folds import flattened
from rise.checker.state import State
from rise.checker.values import Array, Equal, Fold, Index, Less, Pair, Value
from rise.naturals import Nat, const, nat
from rise.types import F32, ArrayType, FunType, IndexType, PairType, Type

ACCUMULATE = FunType(F32, FunType(IndexType(const(9)), FunType(IndexType(const(9)), F32)))


def opaque(state: State) -> Callable[..., Value]:
    """An unknown step, of an accumulator and two indices."""
    function = state.symbol("s", ACCUMULATE)

    def step(accumulator: Value, *indices: Nat) -> Value:
        return state.call(function, accumulator, *map(Index, indices))

    return step


def unrolled(step: Callable[[Value, Nat], Value], length: int, start: Value) -> Value:
    """The result of the steps, one after the other."""
    for k in range(length):
        start = step(start, const(k))
    return start


@pytest.mark.parametrize(("rows", "width"), [(2, 2), (2, 3), (3, 2)])
def test_nested_folds_become_one_fold(rows: int, width: int) -> None:
    state = State()
    step, start = opaque(state), state.symbol("i", F32)

    def row(accumulator: Value, q: Nat) -> Value:
        return state.fold(const(width), lambda a, r: step(a, q, r), accumulator, F32)

    nested = state.fold(const(rows), row, start, F32)
    assert isinstance(nested, Fold)
    flat = flattened(state, nested)
    assert flat.length == const(rows * width)

    def row_by_row(accumulator: Value, q: Nat) -> Value:
        return unrolled(lambda a, r: step(a, q, r), width, accumulator)

    assert state.identical(
        unrolled(flat.step, rows * width, flat.start), unrolled(row_by_row, rows, start), F32
    )


@pytest.mark.parametrize(("first", "second"), [(2, 2), (2, 3), (4, 2)])
def test_consecutive_folds_become_one_fold(first: int, second: int) -> None:
    state = State()
    step, start = opaque(state), state.symbol("i", F32)
    before = state.fold(const(first), lambda a, k: step(a, k, const(0)), start, F32)
    fold = state.fold(const(second), lambda a, k: step(a, k, const(1)), before, F32)
    flat = flattened(state, fold)
    assert flat.length == const(first + second)
    expected = unrolled(lambda a, k: step(a, k, const(0)), first, start)
    expected = unrolled(lambda a, k: step(a, k, const(1)), second, expected)
    assert state.identical(unrolled(flat.step, first + second, flat.start), expected, F32)


def test_steps_that_use_the_outer_accumulator_stay_nested() -> None:
    state = State()
    step, start = opaque(state), state.symbol("i", F32)
    add = state.symbol("f", FunType(F32, FunType(F32, F32)))

    def row(accumulator: Value, q: Nat) -> Value:
        return state.fold(
            const(3), lambda a, r: state.call(add, step(a, q, r), accumulator), accumulator, F32
        )

    nested = state.fold(const(2), row, start, F32)
    assert flattened(state, nested).length == const(2)


@pytest.mark.parametrize("length", [2, 3])
def test_a_fold_of_arrays_is_an_array_of_folds(length: int) -> None:
    state, t = State(), ArrayType(const(4), F32)
    step, start = opaque(state), state.symbol("i", t)

    def each(accumulator: Array, k: Nat) -> Array:
        return Array(const(4), lambda j: step(state.element(accumulator, j), k, j))

    found = state.fold(const(length), each, start, t)
    assert "fold of arrays" in state.used
    expected = unrolled(each, length, start)
    for j in range(4):
        one = state.element(found, const(j))
        assert isinstance(one, Fold)
        assert state.identical(unrolled(one.step, length, one.start), state.element(expected, const(j)), F32)


def test_a_fold_that_mixes_elements_is_not_an_array_of_folds() -> None:
    state, t = State(), ArrayType(const(4), F32)
    step, start = opaque(state), state.symbol("i", t)

    def turned(accumulator: Array, k: Nat) -> Array:
        return Array(const(4), lambda j: step(state.element(accumulator, 3 - j), k, j))

    state.fold(const(2), turned, start, t)
    assert "fold of arrays" not in state.used


@pytest.mark.parametrize("swaps", [False, True])
def test_a_fold_of_pairs_is_a_pair_of_folds_unless_steps_mix_them(swaps: bool) -> None:
    state = State()
    t: Type = PairType(F32, F32)
    step, start = opaque(state), state.symbol("i", t)

    def each(accumulator: Pair, k: Nat) -> Pair:
        first, second = (
            (accumulator.second, accumulator.first) if swaps else (accumulator.first, accumulator.second)
        )
        return Pair(step(first, k, const(0)), step(second, k, const(1)))

    found = state.fold(const(3), each, start, t)
    assert ("fold of pairs" in state.used) is not swaps
    if not swaps:
        expected = unrolled(each, 3, start)
        assert state.identical(unrolled(found.first.step, 3, found.first.start), expected.first, F32)
        assert state.identical(unrolled(found.second.step, 3, found.second.start), expected.second, F32)


def test_a_fold_without_steps_is_its_start_value() -> None:
    state = State()
    start = state.symbol("i", F32)
    assert state.fold(nat(0), opaque(state), start, F32) is start


@pytest.mark.parametrize("length", [2, 3])
@pytest.mark.parametrize("only", [0, 1])
def test_a_fold_of_which_one_step_changes_the_value_is_that_step(length: int, only: int) -> None:
    state = State()
    step, start = opaque(state), state.symbol("i", F32)

    def each(accumulator: Value, k: Nat) -> Value:
        changed = Equal(k, const(only))
        return state.choose(changed, lambda: step(accumulator, k, k), lambda: accumulator, F32)

    fold = state.fold(const(length), each, start, F32)
    assert not isinstance(fold, Fold)
    assert state.identical(fold, unrolled(each, length, start), F32)


def test_pairs_of_which_one_step_changes_both_halves_together() -> None:
    state = State()
    t = PairType(F32, F32)
    step, start = opaque(state), state.symbol("i", t)

    def each(accumulator: Pair, k: Nat) -> Value:
        both = Pair(step(accumulator.second, k, k), step(accumulator.first, k, k))
        return state.choose(Equal(k, const(1)), lambda: both, lambda: accumulator, t)

    fold = state.fold(const(3), each, start, t)
    assert state.identical(fold, unrolled(each, 3, start), t)


@pytest.mark.parametrize(
    "changed",
    [
        lambda k, j: Less(k, j),  # j steps
        lambda k, j: Equal(k, k),  # each step
        lambda k, j: Equal(2 * k, j),  # the step is not j
    ],
)
def test_other_steps_stay_a_fold(changed: Callable[[Nat, Nat], Less | Equal]) -> None:
    state = State()
    step, start, j = opaque(state), state.symbol("i", F32), state.fresh_size()

    def each(accumulator: Value, k: Nat) -> Value:
        return state.choose(changed(k, j), lambda: step(accumulator, k, k), lambda: accumulator, F32)

    assert isinstance(state.fold(state.fresh_size(), each, start, F32), Fold)


def test_a_fold_whose_other_steps_change_something_else_stays_a_fold() -> None:
    state = State()
    step, start, j = opaque(state), state.symbol("i", F32), state.fresh_size()

    def each(accumulator: Value, k: Nat) -> Value:
        first, other = step(accumulator, k, k), step(accumulator, k, const(0))
        return state.choose(Equal(k, j), lambda: first, lambda: other, F32)

    assert isinstance(state.fold(state.fresh_size(), each, start, F32), Fold)
