"""Functions of numpy that create arrays from sizes, and functions on matrices, give the same results as numpy."""

# The annotations are types of RISE, not of Python.
# ruff: noqa: F821

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import rise
from rise.embedding import program
from tests.examples import some


def units(x: N.M.f64):
    n, m = x.shape
    return np.eye(n) + x[:, :1], np.eye(n, m, 1), np.identity(m, dtype=np.int64), np.tri(n, m, -1)


def counted(x: N.M.f64):
    n, m = x.shape
    return np.arange(n) + x[:, 0], np.arange(1, m + 1), np.arange(n, n + 2 * m, 2), np.arange(n, dtype="f4")


def spaced(x: N.M.f64, low: f64):
    n, m = x.shape
    high = x[0, 0]
    return np.linspace(low, high, n), np.linspace(0.0, 1.0, m), np.linspace(low, n, m, endpoint=False)


def alone(x: N.M.f64):
    return np.linspace(x[0, 0], 7.0, 1), np.linspace(2.0, x.shape[0], num=2)


def triangular(x: N.M.f64):
    return np.triu(x), np.tril(x, -1), np.triu(x, k=1), np.tril(x.astype(np.int32), 2), np.triu(x > 0)


def on_the_diagonal(x: N.M.f64):
    square = x @ x.T
    return np.trace(square), np.diagonal(square)


def varied(x: N.M.f64):
    return np.cov(x), np.cov(np.transpose(x), bias=True), np.cov(x, rowvar=False, ddof=0), np.cov(x[0])


def empty(x: N.M.f64):
    y, z = np.empty_like(x), np.ndarray((x.shape[1], 2), dtype=np.float64)
    y[:] = 1.0
    z[:, :] = 2.0
    return y, z


def ranks(x: N.M.f64):
    order = np.argsort(x[:, 0])
    places = np.empty_like(order)
    places[order] = np.arange(len(x))
    return places, np.zeros_like(order)


def assigned(x: N.M.f64):
    a = np.eye(x.shape[0])
    for i in range(x.shape[0]):
        a[i, i] += x[i, 0]
    return a


def with_default(x: N.M.f64, by=3, more=0.5):
    for i in range(x.shape[0]):
        x[i] = x[i] * by + more
    return x


FUNCTIONS = (
    units, counted, spaced, alone, triangular, on_the_diagonal, varied, empty, ranks, assigned, with_default,
)  # fmt: skip


def leaves(result: Any) -> list[Any]:
    return [leaf for part in result for leaf in leaves(part)] if isinstance(result, tuple) else [result]


@pytest.mark.parametrize("function", some(FUNCTIONS, 2), ids=lambda one: one.__name__)
def test_creators_agree_with_numpy(function: Any) -> None:
    rng = np.random.default_rng(1)
    built = program(function)
    for n, m in ((3, 4), (4, 2), (2, 5)):
        given = [rng.standard_normal((n, m)), np.float64(-1.5)][: len(function.__annotations__)]
        wanted = function(*(each.copy() for each in given))
        for mine, theirs in zip(leaves(built(*given)), leaves(wanted), strict=True):
            assert mine.dtype == theirs.dtype
            assert np.shape(mine) == np.shape(theirs)
            assert np.allclose(mine, theirs, rtol=1e-13, atol=1e-13)
    assert rise.parse(built.text).main == built.main


def test_creators_with_known_sizes_are_evaluated_by_numpy() -> None:
    def gaps(x: N.f64):
        return x[:3] * np.linspace(0.0, 1.0, 3) + np.arange(3.0)

    assert "linspace" not in program(gaps).text
    x = np.ones(4)
    assert np.array_equal(program(gaps)(x), gaps(x))


def test_a_default_without_a_type_is_part_of_the_program() -> None:
    assert str(program(with_default).type) == "{N: nat} -> {M: nat} -> N.M.f64 -> N.M.f64"


def decomposed(x: N.M.f64):
    return np.linalg.cholesky(x @ x.T + np.eye(x.shape[0]))


def binned(x: N.M.f64):
    counts, edges = np.histogram(x, x.shape[1])
    return counts, edges, np.histogram(x[0], bins=4)[0], np.histogram(x, 3, weights=x + 2.0)


def even(x: N.M.f64):
    return np.histogram(0.0 * x, 5), np.histogram(np.round(8 * x) / 8, x.shape[0])


@pytest.mark.parametrize("function", some([decomposed, binned, even], 3), ids=lambda one: one.__name__)
def test_functions_that_are_loops_agree_with_numpy(function: Any) -> None:
    rng = np.random.default_rng(2)
    built = program(function)
    for n, m in ((1, 2), (3, 4), (5, 7)):
        x = rng.standard_normal((n, m))
        for mine, theirs in zip(leaves(built(x)), leaves(function(x)), strict=True):
            assert mine.dtype == theirs.dtype
            assert np.allclose(mine, theirs, rtol=1e-13, atol=1e-13)
    assert rise.parse(built.text).main == built.main


def test_stacks_of_matrices_are_rejected() -> None:
    def both(x: N.M.M.f64):
        return np.linalg.cholesky(x)

    with pytest.raises(rise.RiseError, match="expected one matrix, found an array of 3 axes"):
        program(both)


def test_wrong_arguments_are_reported_at_the_line_of_the_user() -> None:
    def ranged(x: N.f64):
        return np.interp(x, x, x, period=2.0)

    with pytest.raises(
        rise.RiseError, match=r"programs do not support `np\.interp` with these arguments"
    ) as caught:
        program(ranged)
    assert "its parameters are x, xp, fp, left, right" in str(caught.value)
    assert "np.interp(x, x, x, period=2.0)" in str(caught.value)
