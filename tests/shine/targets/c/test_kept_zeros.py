"""Zeros beside numbers that were converted from integers keep their sign."""

from __future__ import annotations

import numpy as np
import pytest

import rise
import shine

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


def test_other_differences_are_written_plainly() -> None:
    e = rise.parse("fun(x: i32, y: f32 => [1.0 - cast{f32}(x), y - cast{f32}(x), 0.0 - y])").main
    assert "kept" not in shine.compile(e).source
