"""Batches of products with one right factor: one product of all rows, unless it is better to distribute the batch over
threads.
"""

# ruff: noqa: F821
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import rise
import shine
from elevate import Success
from strategies.openmp import parallel
from tests import required_tools
from tests.examples import some

JOINS = ("joinRows", "joinPairedRows", "joinSwappedRows")
needs_openmp = required_tools.needs(required_tools.OPENMP, required_tools.has_openmp())


def layer(x: B.T.D.f32, w: D.E.f32, b: E.f32, r: B.T.E.f32):
    return np.maximum(x @ w + b, 0) + r


def two_layers(x: B.T.D.f32, w: D.E.f32, v: E.D.f32):
    return x + np.maximum(x @ w, 0) @ v


def weighted(x: B.T.D.f32, w: D.E.f32):
    e = np.exp(x @ w)
    return e / e.sum(axis=-1, keepdims=True)


def factors(x: B.T.D.f32, y: B.D.E.f32):
    return x @ y


def batch(sizes: str, columns: str) -> rise.Expr:
    depth = sizes.count(".") + 1
    row = "fun(r => transpose(w) |> map(fun(c => zip(r, c) |> map(fun(p => fst(p) * snd(p))) |> reduce(add, 0.0))))"
    maps = "map(" * depth + row + ")" * depth
    return rise.parse(f"fun(x: {sizes}.D.f32, w: D.{columns}.f32 => x |> {maps})").main


def joins(e: rise.Expr) -> int:
    result = parallel()(e)
    assert isinstance(result, Success)
    return sum(step.rule.name in JOINS for step in result.steps)


@pytest.mark.parametrize(
    ("sizes", "columns", "joined"),
    some(
        [
            ("B.T", "E", 1),
            ("B.T", "65", 1),
            ("A.B.T", "E", 2),
            ("T", "E", 0),
            # one panel, which is not distributed over threads: only products with fewer rows than a tile are joined
            ("B.T", "64", 0),
            ("B.6", "64", 0),
            ("B.5", "64", 1),
            ("B.T.1", "64", 1),
        ],
        2,
    ),
)
def test_rows_are_joined_unless_the_batch_is_distributed_over_threads(
    sizes: str, columns: str, joined: int
) -> None:
    assert joins(batch(sizes, columns)) == joined


@pytest.mark.parametrize(
    ("function", "joined"), some([(layer, 1), (two_layers, 2), (weighted, 1), (factors, 0)], 2)
)
def test_operations_around_a_product_stay_with_it(function: Callable[..., object], joined: int) -> None:
    assert joins(rise.program(function).main) == joined


@needs_openmp
@pytest.mark.parametrize("function", some([layer, two_layers], 2))
def test_results_are_those_of_numpy(function: Any) -> None:
    rng = np.random.default_rng(0)
    kernel = shine.compile(rise.program(function), target="openmp", threads=1)
    sizes = {"x": "BTD", "w": "DE", "v": "ED", "b": "E", "r": "BTE"}
    for lengths in (
        {"B": 3, "T": 5, "D": 7, "E": 70},
        {"B": 1, "T": 1, "D": 1, "E": 1},
        {"B": 4, "T": 1, "D": 33, "E": 65},
    ):
        given = [
            rng.standard_normal([lengths[size] for size in sizes[name]]).astype(np.float32)
            for name in function.__code__.co_varnames[: function.__code__.co_argcount]
        ]
        np.testing.assert_allclose(kernel(*given), function(*given), rtol=1e-4, atol=1e-4)
