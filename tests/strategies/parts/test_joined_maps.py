"""Maps over several axes that compute each number from elements in the order of memory: one loop over all elements."""

# ruff: noqa: F722, F821
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import rise
import shine
from elevate import Success
from strategies.openmp import parallel
from strategies.parts.joined_maps import joinNests
from tests import required_tools
from tests.examples import some

needs_openmp = required_tools.needs(required_tools.OPENMP, required_tools.has_openmp())


def scaled(x: N.M.f32):
    return x * 2


def clipped(x: N.M.K.f32, low: f32):
    return np.maximum(x, low)


def blended(x: N.M.K.f32, y: N.M.K.f32, m: N.M.K.bool):
    return np.where(m, x, x * y)


def both(x: N.M.f32, y: N.M.f32):
    return x - y, np.exp(x)


def of_rows(x: N.M.f32, y: M.f32):
    return x - y


def of_columns(x: N.M.f32, y: N.f32):
    return x - y[:, None]


def transposed(x: N.M.f32, y: M.N.f32):
    return x - y.T


def interior(x: "N.(M+2).f32"):
    return x[:, 1:-1] * 2


def sums(x: N.M.f32):
    return np.exp(x).sum(axis=1)


def joins(function: Callable[..., Any]) -> int:
    result = parallel()(rise.program(function).main)
    assert isinstance(result, Success)
    return sum(step.rule.name == "joinMaps" for step in result.steps)


@pytest.mark.parametrize(("function", "joined"), [(scaled, 1), (clipped, 2), (blended, 2), (both, 2)])
def test_axes_in_order_are_joined(function: Callable[..., Any], joined: int) -> None:
    assert joins(function) == joined


@pytest.mark.parametrize("function", [of_rows, of_columns, transposed, interior, sums])
def test_other_axes_are_not_joined(function: Callable[..., Any]) -> None:
    assert joins(function) == 0


def test_the_joined_loop_reads_both_arrays_in_order() -> None:
    assert "output_1st[at_m] = x[at_m] - y[at_m];" in shine.compile(rise.program(both)).source


@needs_openmp
@pytest.mark.parametrize(
    ("function", "shapes"),
    some(
        [
            (scaled, ((5, 3),)),
            (scaled, ((0, 3),)),
            (scaled, ((3, 0),)),
            (clipped, ((7, 5, 3), ())),
            (blended, ((4, 9, 3), (4, 9, 3), (4, 9, 3))),
            (both, ((41, 3), (41, 3))),
            (of_rows, ((41, 3), (3,))),
        ],
        2,
    ),
)
def test_kernels_compute_the_same_as_numpy(
    function: Callable[..., Any], shapes: tuple[tuple[int, ...], ...]
) -> None:
    random = np.random.default_rng(1)
    arrays = [random.standard_normal(shape).astype(np.float32) for shape in shapes]
    if function is blended:
        arrays[2] = arrays[2] > 0
    found = shine.compile(rise.program(function))(*arrays)
    expected = function(*arrays)
    pairs = zip(found, expected, strict=True) if isinstance(expected, tuple) else ((found, expected),)
    for one, other in pairs:
        np.testing.assert_allclose(one, other, rtol=1e-6)


def test_the_strategy_never_fails() -> None:
    unchanged = rise.parse("fun(x: N.f32 => x |> reduce(add, 0.0))").main
    result = joinNests(unchanged)
    assert isinstance(result, Success)
    assert result.program is unchanged
