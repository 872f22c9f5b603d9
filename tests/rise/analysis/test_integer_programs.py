"""Programs over integers: equal to the original ones where all numbers are integers, and linear for other functions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import rise
from rise.analysis.integer_programs import with_integers
from rise.terms import Expr

TYPES = {"f16": np.int16, "bf16": np.int16, "f32": np.int32, "f64": np.int64}


def over_integers(text: str) -> Expr:
    return with_integers(rise.parse(text).main).term


@pytest.mark.parametrize(
    "text",
    [
        "fun(xs: N.f32, ys: N.f32 => zip(xs, ys) |> map(fun(x, y => x * y)) |> reduce(add, 0.0))",
        "fun(xs: N.f32, ys: N.f32 => zip(xs, ys) |> map(fun(x, y => fma(x, y, 3.0) - neg(x))))",
        "fun(xs: N.f32, ys: N.f32 => zip(xs, ys) |> map(fun(x, y => max(x, min(y, 2.0)))))",
        "fun(xs: N.f32, ys: N.f32 => zip(xs, ys) |> map(fun(x, y => if x < y then abs(x) else y)))",
        "fun(xs: N.f32, ys: N.f32 => zip(xs, ys) |> map(fun(x, y => cast{f32}(cast{f16}(x)) + y)))",
        "fun(xs: (1 + N).f32, ys: N.f32 => idx(argmin(xs), xs))",
    ],
)
def test_small_integers_have_the_results_of_floats(text: str) -> None:
    e = rise.parse(text).main
    random = np.random.default_rng(2)
    for n in (0, 1, 5):
        xs, ys = (random.integers(-9, 10, n + ("1 + N" in text and k == 0)) for k in range(2))
        floats = rise.evaluate(e, xs.astype(np.float32), ys.astype(np.float32))
        integers = rise.evaluate(with_integers(e).term, xs.astype(np.int32), ys.astype(np.int32))
        assert np.array_equal(floats, integers)


@pytest.mark.parametrize("t", TYPES)
def test_sums_are_equal_in_any_order(t: str) -> None:
    sum_of = over_integers(f"fun(xs: N.{t} => xs |> reduce(add, 0.0{t if t != 'f32' else ''}))")
    found = with_integers(rise.parse(f"fun(xs: N.{t} => xs |> map(neg))").main)
    assert found.has_floats and found.functions == ()
    xs = np.random.default_rng(3).integers(-(2**15), 2**15, 100).astype(TYPES[t])
    assert rise.evaluate(sum_of, xs) == rise.evaluate(sum_of, xs[::-1].copy())


def test_other_functions_are_linear() -> None:
    found = with_integers(rise.parse("fun(x: f32, y: f32 => pow(x, y) / exp(x))").main)
    assert found.functions == ("div", "exp", "pow")

    def value(x: int, y: int) -> int:
        result: Any = rise.evaluate(found.term, np.int32(x), np.int32(y))
        return int(result)

    assert (value(3, 5) - value(2, 5) - (value(12, 5) - value(11, 5))) % 2**32 == 0
    assert len({value(x, y) for x in range(9) for y in range(9)}) == 81
    assert with_integers(rise.parse("fun(x: f32, y: f32 => pow(x, y) / exp(x))").main) == found


def test_rounded_numbers_are_near_and_not_equal() -> None:
    found = with_integers(rise.parse("fun(x: f32 => x - floor(x))").main)
    assert found.functions == ("floor",)
    assert int(rise.evaluate(found.term, np.int32(7))) == -1


def test_numbers_have_their_own_integers() -> None:
    numbers = ["0.0", "1.0", "0.5", "0.25", "-0.5", "1e30", "3e38", "infinity", "nan"]
    values = {
        int(rise.evaluate(over_integers(f"fun(x: f32 => x + {number})"), np.int32(0)))
        for number in numbers[:7]
    }
    assert len(values) == 7
    assert {0, 1} <= values


def test_truth_values_indices_and_integers_stay() -> None:
    e = rise.parse("fun(xs: 4.u8, i: idx[4], b: bool => if b then idx(i, xs) else 3u8)").main
    found = with_integers(e)
    assert found.term == e
    assert not found.has_floats


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("fun(x: c64 => x * x)", "complex numbers"),
        (
            "foreign blend : f32 -> f32\nval main = fun(xs: N.f32 => xs |> map(blend))",
            "foreign functions, blend",
        ),
    ],
)
def test_programs_without_integers_are_refused(text: str, what: str) -> None:
    with pytest.raises(rise.RiseError) as caught:
        with_integers(rise.parse(text).main)
    assert caught.value.diagnostic.code == "no-integers"
    assert what in caught.value.diagnostic.title
