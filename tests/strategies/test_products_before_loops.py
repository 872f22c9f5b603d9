"""Rows of a product that the iterations of a loop compute: one product before the loop, if they do not depend on the
loop's state.
"""

# ruff: noqa: F821
from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import rise
import shine
from elevate import Success
from strategies.choices import inline
from strategies.openmp import parallel
from strategies.sharing import share
from tests import required_tools
from tests.examples import in_whole, some

needs_openmp = required_tools.needs(required_tools.OPENMP, required_tools.has_openmp())
BEFORE = "storeRowsBefore"


def columns_with_later_ones(x: N.M.f64):
    out = np.zeros((x.shape[1], x.shape[1]))
    for i in range(x.shape[1]):
        out[i:, i] = out[i, i:] = x[:, i] @ x[:, i:] / 2.0
    return out


def all_but_the_last(x: N.M.f64):
    out = np.eye(x.shape[1])
    for i in range(x.shape[1] - 1):
        out[i + 1 :, i] = out[i, i + 1 :] = x[:, i] @ x[:, i + 1 :]
    return out


def rows_with_later_ones(x: N.M.f64):
    out = np.zeros((x.shape[0], x.shape[0]))
    for i in range(x.shape[0]):
        out[i, i:] = x[i] @ x.T[:, i:]
    return out


def powers(x: M.M.f64, v: M.f64):
    for _ in range(3):
        v = x @ v
        v = v / v.sum()
    return v


def rules_of(function: Any) -> list[str]:
    result = share(rise.program(function).main)
    assert isinstance(result, Success)
    return [step.rule.name for step in result.steps]


@pytest.mark.parametrize(
    ("function", "index", "is_before"),
    [
        (columns_with_later_ones, "mapIndicesOfColumns", True),
        (all_but_the_last, "mapIndicesOfColumns", True),
        (rows_with_later_ones, "mapIndices", True),
        (powers, "mapIndices", False),
    ],
)
def test_rows_without_state_are_one_product(function: Any, index: str, is_before: bool) -> None:
    rules = rules_of(function)
    assert (BEFORE in rules, index in rules) == (is_before, is_before)


def greatest(products: str) -> rise.Expr:
    return rise.parse(
        f"fun(x: T.{products}.f32, w: M.{products}.f32 => x |> reduceSeq(fun(best: M.f32, r =>"
        " let row = (w |> map(fun(c => zip(r, c) |> map(fun(p => fst(p) * snd(p))) |> reduce(add, 0.0))))"
        " in zip(best, row) |> map(fun(p => max(fst(p) * snd(p), snd(p))))), generate(fun(i => 0.0))))"
    ).main


@pytest.mark.parametrize(("products", "is_before"), [("24", False), ("25", True), ("N", True)])
def test_storing_a_sum_costs_as_much_as_24_products(products: str, is_before: bool) -> None:
    result = share(greatest(products))
    assert isinstance(result, Success)
    assert (BEFORE in [step.rule.name for step in result.steps]) == is_before


def test_a_row_that_is_marked_for_recomputation_is_not_moved() -> None:
    result = (inline("row") >> share)(greatest("N"))
    assert isinstance(result, Success)
    assert BEFORE not in [step.rule.name for step in result.steps]


@in_whole("tests/strategies/rules/test_symmetric_products.py::test_half_of_a_symmetric_product_is_computed")
def test_half_of_a_symmetric_product_is_computed() -> None:
    result = parallel()(rise.program(columns_with_later_ones).main)
    assert isinstance(result, Success)
    assert any(step.rule.name.startswith("symmetricBlocks") for step in result.steps)


@needs_openmp
@pytest.mark.parametrize("function", some([all_but_the_last, rows_with_later_ones], 2))
def test_results_are_those_of_numpy(function: Any) -> None:
    lowered = parallel()(rise.program(function).main)
    assert isinstance(lowered, Success)
    kernel = shine.compile(lowered.program, target="openmp", threads=1)
    for shape in ((40, 37), (3, 100), (1, 1)):
        x = np.random.default_rng(0).standard_normal(shape)
        np.testing.assert_allclose(kernel(x), function(x), rtol=1e-9, atol=1e-9)
