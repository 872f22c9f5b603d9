"""Wrong simplifications of gcc: of zeros and converted integers, and of negated numbers that are divided."""

from __future__ import annotations

import numpy as np
import pytest

import rise
import shine

NUMPY = {"i32": np.int32, "i64": np.int64, "i8": np.int8}
DIFFERENCES = (
    "-(0.0 - cast{f32}(x))",
    "-(-cast{f32}(x) + 0.0)",
    "-(-cast{f32}(x) + (cast{f32}(x) - cast{f32}(x)))",
    "-(let zero = cast{f32}(y) - cast{f32}(y) in zero - cast{f32}(x))",
    "-(0.0 * cast{f32}(y) - cast{f32}(x))",
)


@pytest.mark.parametrize("target", ["openmp", "cuda-sim"])
@pytest.mark.parametrize("t", ["u32", "i32", "u8", "i64"])
def test_zero_minus_zero_is_not_minus_zero(target: str, t: str) -> None:
    results = ", ".join(DIFFERENCES)
    e = rise.parse(f"fun(x: {t}, y: {t} => [{results}])").main
    kernel = shine.compile(e, target)
    expected = rise.evaluate(e, 0, 0)
    assert np.signbit(expected).all()
    np.testing.assert_array_equal(np.signbit(kernel(0, 0)), np.signbit(expected))


def test_other_differences_are_printed_normally() -> None:
    e = rise.parse("fun(x: i32, y: f32 => [1.0 - cast{f32}(x), y - cast{f32}(x), 0.0 - y])").main
    assert "kept" not in shine.compile(e).source


@pytest.mark.parametrize("target", ["openmp", "cuda-sim"])
@pytest.mark.parametrize("t", ["i32", "i64", "i8"])
def test_negations_of_the_smallest_integer_are_divided_correctly(target: str, t: str) -> None:
    results = "x / 2 + -x / 2", "bitAnd(x / y, floorDiv(-x, y))", "bitXor(x / 3, let z = -x in z / 3)"
    e = rise.parse(
        f"fun(xs: N.({t}, {t}) => xs |> map(fun(p => let x = fst(p) let y = snd(p) in [{', '.join(results)}])))"
    )
    least = int(np.iinfo(NUMPY[t]).min)
    xs, ys = np.array([least, 7, -7, least + 1] * 9, NUMPY[t]), np.array([2, 3, -2, 2] * 9, NUMPY[t])
    np.testing.assert_array_equal(shine.compile(e.main, target)((xs, ys)), rise.evaluate(e.main, (xs, ys)))


def test_negations_are_printed_normally_without_divisions() -> None:
    e = rise.parse("fun(xs: N.i32 => xs |> map(fun(x => -x)))").main
    assert "hidden_negative" not in shine.compile(e).source
