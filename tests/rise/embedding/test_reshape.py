"""Reshaped arrays in Python programs: which axes are joined and split."""
# ruff: noqa: F722

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import rise


@pytest.mark.parametrize(
    ("shape", "program"),
    [
        ((-1, 2, 2, 6), "map(map{2}(split{2, i32}(6)), x)"),
        ((-1, 24), "map(join{2, 12, i32}, x)"),
        ((-1, 12), "join(x)"),
        ((1, -1, 2, 12), "split(B, x)"),
        ((-1, 1, 2, 3, 4), "x |> join |> join |> split(4) |> split(3) |> split(2) |> split(1)"),
        ((-1, 8), "x |> join |> join |> split(8)"),
    ],
)
def test_reshape_keeps_axes(shape: tuple[int, ...], program: str) -> None:
    def reshaped(x: "B.2.12.i32") -> Any:
        return x.reshape(shape)

    made = rise.program(reshaped)
    x = np.arange(4 * 24, dtype=np.int32).reshape(4, 2, 12)
    np.testing.assert_array_equal(rise.evaluate(made.main, x), x.reshape(shape))
    assert made.text.strip() == f"val reshaped = fun({{B: nat}}, x: B.2.12.i32 => {program})"
