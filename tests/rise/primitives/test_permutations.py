"""Scatter, reorder and scatterAdd agree with numpy, and report wrong indices."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

import rise
from tests.examples import examples


def run(text: str, *arguments: Any, **sizes: int) -> Any:
    return rise.evaluate(rise.parse(text).main, *arguments, sizes=sizes)


SCATTER = "fun(is: N.idx[M], xs: N.(f32, 2.i64) => scatter(is, xs))"


@given(some.integers(0, 9), some.integers(0, 4), some.randoms(use_true_random=False))
@settings(max_examples=examples(50), deadline=None)
def test_gather_undoes_scatter(n: int, more: int, random: Any) -> None:
    places = np.array(random.sample(range(n + more), n), np.int64)
    xs = np.arange(n, dtype=np.float32), np.arange(2 * n, dtype=np.int64).reshape(n, 2)
    first, second = run(SCATTER, places, xs, M=n + more)
    expected = np.full(n + more, np.nan, np.float32)
    expected[places] = xs[0]
    np.testing.assert_array_equal(first, expected)
    np.testing.assert_array_equal(second[places], xs[1])


@given(some.integers(1, 6), some.lists(some.integers(0, 5), max_size=12), some.randoms(use_true_random=False))
@settings(max_examples=examples(50), deadline=None)
def test_sums_are_those_of_numpy_in_the_same_order(m: int, places: list[int], random: Any) -> None:
    at = np.array([place % m for place in places], np.int64)
    xs = np.array([random.random() for _ in places], np.float32)
    ys = np.array([random.random() for _ in range(m)], np.float32)
    expected = ys.copy()
    np.add.at(expected, at, xs)
    text = "fun(is: N.idx[M], xs: N.f32, ys: M.f32 => scatterAdd(is, xs, ys))"
    np.testing.assert_array_equal(run(text, at, xs, ys), expected)


@given(some.permutations(range(5)))
@settings(max_examples=examples(20), deadline=None)
def test_reordering_and_its_inverse_change_nothing(order: list[int]) -> None:
    f, g = np.array(order), np.argsort(order)
    at = "fun(i => idx(i, {}))"
    there = f"reorder({at.format('f')}, {at.format('g')})"
    back = f"reorder({at.format('g')}, {at.format('f')})"
    xs = np.arange(10, dtype=np.int32).reshape(5, 2)
    head = "fun(f: N.idx[N], g: N.idx[N], xs: N.2.i32 => xs |> "
    np.testing.assert_array_equal(run(f"{head}{there})", f, g, xs), xs[f])
    np.testing.assert_array_equal(run(f"{head}{there} |> {back})", f, g, xs), xs)


def test_branches_that_are_not_chosen_are_not_checked() -> None:
    text = "fun(c: bool, is: N.idx[N], xs: N.f32 => if c then scatter(is, xs) else xs)"
    xs = np.ones(2, np.float32)
    assert (run(text, False, np.zeros(2, np.int64), xs) == xs).all()


TWICE = """\
error[duplicate-index]: expected distinct indices, found one twice
hint: use each index once, or add the elements at the same index with `scatterAdd`"""
NO_BIJECTION = """\
error[not-a-bijection]: expected the second function of `reorder` to invert the first, found an index for which it \
does not
hint: pass a permutation and its inverse"""
OUTSIDE = """\
error[index-out-of-range]: expected indices from 0 to 3 (exclusive), found one that is out of range
hint: pass indices below the size of the result"""
F = np.ones(3, np.float32)
ERRORS = [
    ("fun(is: N.idx[N], xs: N.f32 => scatter(is, xs))", [np.array([2, 0, 2]), F], TWICE),
    (
        "fun(f: N.idx[N], xs: N.f32 => xs |> reorder(fun(i => idx(i, f)), fun(i => idx(i, f))))",
        [np.array([1, 2, 0]), F],
        NO_BIJECTION,
    ),
    (
        "fun(is: 2.idx[3], xs: 3.f32 => scatterAdd(is |> padEmpty(1), xs, xs))",
        [np.array([1, 2]), F],
        OUTSIDE,
    ),
]


@pytest.mark.parametrize(("text", "arguments", "message"), ERRORS)
def test_an_error_is_explained(text: str, arguments: list[Any], message: str) -> None:
    with pytest.raises(rise.RiseError) as caught:
        run(text, *arguments)
    assert str(caught.value) == message
