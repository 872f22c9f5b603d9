"""Products with a vector that is written as a matrix of one row or column: products with a vector."""

# ruff: noqa: F722, F821, UP037
from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import rise
import shine
from elevate import Success
from strategies.sharing import share
from tests import required_tools
from tests.examples import some

needs_openmp = required_tools.needs(required_tools.OPENMP, required_tools.has_openmp())


def row(x: "1.K.f32", w: "K.N.f32"):
    return x @ w


def column(a: "N.K.f32", x: "K.1.f32"):
    return a @ x


def layer(x: "1.K.f32", w: "K.N.f32", b: "N.f32"):
    return np.tanh(x @ w + b)


def gradient(a: "N.K.f32", x: "K.1.f32", y: "N.1.f32"):
    return a.T @ (a @ x - y)


def outer(x: "N.1.f32", y: "1.N.f32"):
    return x @ y


def norms(x: "1.K.f32"):
    return np.sqrt((x * x).sum(axis=1))


SHAPES = {
    row: ((1, 5), (5, 40)),
    column: ((40, 5), (5, 1)),
    layer: ((1, 5), (5, 40), (40,)),
    gradient: ((7, 5), (5, 1), (7, 1)),
    outer: ((6, 1), (1, 6)),
    norms: ((1, 9),),
}


def rules(function: Callable[..., Any]) -> set[str]:
    result = share(rise.program(function).main)
    assert isinstance(result, Success)
    return {step.rule.name for step in result.steps}


@pytest.mark.parametrize(
    ("function", "expected"),
    [(row, "mapOneRow"), (column, "mapOneColumn"), (layer, "mapOneRow"), (gradient, "mapOneColumn")],
)
def test_the_only_row_or_column_is_computed_without_a_loop_over_it(
    function: Callable[..., Any], expected: str
) -> None:
    assert expected in rules(function)


@pytest.mark.parametrize("function", [row, column])
def test_no_panels_are_packed(function: Callable[..., Any]) -> None:
    assert "allocate" not in shine.compile(rise.program(function)).source


def test_one_row_of_each_of_many_matrices_is_not_taken_alone() -> None:
    """All rows are one product, with one packed factor."""

    def rows(x: "N.1.K.f32", w: "K.64.f32"):
        return x @ w

    assert not rules(rows) & {"mapOneRow", "mapOneColumn"}


@pytest.mark.parametrize("axes", ["inserted", "reshaped"])
def test_rows_that_are_matrices_of_one_row_are_rows_of_one_product(axes: str) -> None:
    def inserted(x: "N.M.K.f32", w: "K.64.f32"):
        return (x[:, :, None, :] @ w)[:, :, 0]

    def reshaped(x: "N.M.K.f32", w: "K.64.f32"):
        rows = np.reshape(x, (x.shape[0], x.shape[1], 1, x.shape[2])) @ w
        return np.reshape(rows, (x.shape[0], x.shape[1], 64))

    function = inserted if axes == "inserted" else reshaped
    assert axes == "inserted" or rules(function) >= {"joinOneRow", "idxOnlyBlock"}
    kernel = shine.compile(rise.program(function))
    sums = [int(count) for count in re.findall(r"_Alignas\(64\) float acc\w*\[(\d+)\]", kernel.source)]
    assert max(sums) > 64  # of tiles of several rows
    random = np.random.default_rng(1)
    x, w = (random.standard_normal(shape).astype(np.float32) for shape in ((3, 4, 5), (5, 64)))
    np.testing.assert_allclose(kernel(x, w), x @ w, rtol=1e-5, atol=1e-5)


def test_other_maps_over_one_element_are_unchanged() -> None:
    def scaled(x: "1.K.f32"):
        return x * 2

    assert not rules(scaled) & {"mapOneRow", "mapOneColumn"}


@needs_openmp
@pytest.mark.parametrize("function", some(SHAPES, 2))
def test_kernels_compute_the_same_as_numpy(function: Callable[..., Any]) -> None:
    random = np.random.default_rng(1)
    arrays = [random.standard_normal(shape).astype(np.float32) for shape in SHAPES[function]]
    found = shine.compile(rise.program(function))(*arrays)
    np.testing.assert_allclose(found, function(*arrays), rtol=1e-5, atol=1e-5)


def deviations(x: "1.C.N.f32"):
    return x.var(axis=(0, 2))


def ranges(x: "1.C.N.N.f32"):
    return ((x - x.max(axis=(0, 2, 3), keepdims=True)) ** 2).sum(axis=(0, 2, 3))


def spreads(x: "1.C.N.M.f32"):
    return x.std(axis=(0, 3))


def normalised(x: "1.C.N.f32"):
    return (x - x.mean(axis=(0, 2), keepdims=True)) / (x.max(axis=(0, 2), keepdims=True) + 1)


STATISTICS = {deviations: (1, 4, 40), ranges: (1, 4, 8, 8), spreads: (1, 4, 6, 40), normalised: (1, 4, 40)}


@pytest.mark.parametrize("function", STATISTICS)
def test_statistics_of_a_batch_of_one_are_computed_once(function: Callable[..., Any]) -> None:
    """No loop of a sum or maximum encloses the loop of another one."""
    source = shine.compile(rise.program(function), threads=1).source
    loops = [
        len(line) - len(line.lstrip()) for line in source.splitlines() if line.lstrip().startswith("for")
    ]
    assert max(loops) // 2 <= 4  # over two axes, the steps of a sum, and the numbers of a step


@needs_openmp
@pytest.mark.parametrize("function", some(STATISTICS, 2))
def test_statistics_of_a_batch_of_one_are_those_of_numpy(function: Callable[..., Any]) -> None:
    x = np.random.default_rng(2).standard_normal(STATISTICS[function]).astype(np.float32)
    np.testing.assert_allclose(shine.compile(rise.program(function))(x), function(x), rtol=1e-4, atol=1e-5)
