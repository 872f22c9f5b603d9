"""Wrong simplifications of gcc: of zeros and converted integers, and of negated numbers that are divided."""

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
