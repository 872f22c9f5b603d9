"""Wrong simplifications of gcc, of zeros and converted integers, and of negated numbers that are divided; and a slow
one, of extremes of choices.
"""

from __future__ import annotations

import re

import numpy as np
import pytest

import rise
import shine
from rise.values import leaves

NUMPY = {"i32": np.int32, "i64": np.int64, "i8": np.int8}
DIFFERENCES = (
    "-(0.0 - cast{f32}(x))",
    "-(-cast{f32}(x) + 0.0)",
    "-(-cast{f32}(x) + (cast{f32}(x) - cast{f32}(x)))",
    "-(let zero = cast{f32}(y) - cast{f32}(y) in zero - cast{f32}(x))",
    "-(0.0 * cast{f32}(y) - cast{f32}(x))",
)


@pytest.mark.parametrize("target", ["openmp", "cuda-sim"])
def test_zero_minus_zero_is_not_minus_zero(target: str) -> None:
    results = ", ".join(DIFFERENCES)
    types = ("u32", "i32", "u8", "i64")
    inputs = ", ".join(f"x{t}: {t}, y{t}: {t}" for t in types)
    arrays = ", ".join(re.sub(r"\b([xy])\b", rf"\1{t}", f"[{results}]") for t in types)
    e = rise.parse(f"fun({inputs} => ({arrays}))").main
    numbers = [0] * 2 * len(types)
    found, expected = leaves(shine.compile(e, target)(*numbers)), leaves(rise.evaluate(e, *numbers))
    assert len(found) == len(expected) == len(types)
    assert all(one.shape == (len(DIFFERENCES),) and np.signbit(one).all() for one in (*found, *expected))


def test_other_differences_are_printed_normally() -> None:
    e = rise.parse("fun(x: i32, y: f32 => [1.0 - cast{f32}(x), y - cast{f32}(x), 0.0 - y])").main
    assert "kept" not in shine.compile(e).source


@pytest.mark.parametrize("target", ["openmp", "cuda-sim"])
def test_negations_of_the_smallest_integer_are_divided_correctly(target: str) -> None:
    results = "x / 2 + -x / 2", "bitAnd(x / y, floorDiv(-x, y))", "bitXor(x / 3, let z = -x in z / 3)"
    inputs = ", ".join(f"{t}s: N.({t}, {t})" for t in NUMPY)
    arrays = ", ".join(
        f"{t}s |> map(fun(p => let x = fst(p) let y = snd(p) in [{', '.join(results)}]))" for t in NUMPY
    )
    e = rise.parse(f"fun({inputs} => ({arrays}))").main
    given = []
    for dtype in NUMPY.values():
        least = int(np.iinfo(dtype).min)
        given.append((np.array([least, 7, -7, least + 1] * 9, dtype), np.array([2, 3, -2, 2] * 9, dtype)))
    found, expected = leaves(shine.compile(e, target)(*given)), leaves(rise.evaluate(e, *given))
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_array_equal(one, other)


def test_negations_are_printed_normally_without_divisions() -> None:
    e = rise.parse("fun(xs: N.i32 => xs |> map(fun(x => -x)))").main
    assert "hidden_negative" not in shine.compile(e).source


MASKED = "fun(m: N.bool, xs: N.f64 => zip(m, xs) |> map(fun(p => if fst(p) then snd(p) else {})) |> reduce({}, {}))"


@pytest.mark.parametrize(
    ("otherwise", "function", "first"), [("1000.0f64", "min", "1e9f64"), ("-1000.0f64", "max", "-1e9f64")]
)
def test_extremes_test_the_other_operand_than_a_choice(otherwise: str, function: str, first: str) -> None:
    """Where the second operand is a choice of a constant, gcc makes two ways of it, and no vectors."""
    e = rise.parse(MASKED.format(otherwise, function, first)).main
    kernel = shine.compile(e, threads=1)
    calls = re.findall(rf"{function}_f64\((.*), (\w+)(?:\[\w+\])?\);", kernel.source)
    of_choices = [(one, other) for one, other in calls if "?" in one or "choice" in one or "chosen" in one]
    assert of_choices and not any("?" in other or "choice" in other for _, other in calls)
    random = np.random.default_rng(1)
    for count in (0, 1, 31, 40, 5000):
        xs, mask = random.standard_normal(count), random.random(count) < 0.5
        assert kernel(mask, xs) == rise.evaluate(e, mask, xs)
    for place in (0, 2500, 4999):
        wrong = np.where(np.arange(5000) == place, np.nan, 1.0)
        assert np.isnan(kernel(np.ones(5000, bool), wrong))
        assert not np.isnan(kernel(wrong == wrong, wrong))


def test_extremes_of_other_numbers_keep_their_operands() -> None:
    e = rise.parse(
        "fun(a: f64, xs: N.f64, ys: N.f64 => zip(xs, ys) |> map(fun(p => min(a, fst(p) * snd(p)))))"
    ).main
    assert re.search(r"min_f64\(a, ", shine.compile(e).source)
