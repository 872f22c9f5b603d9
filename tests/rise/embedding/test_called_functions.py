"""Functions that a program calls: made by `np.vectorize`, by decorators within it, or returned by other calls."""

# The annotations are types of RISE, not of Python.
# ruff: noqa: F821

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import rise
from rise.embedding import program

RANDOM = np.random.default_rng(3)
A, X = RANDOM.random((3, 5)), RANDOM.random(5)


def greater_or_power(x: Any, y: Any = 0.25) -> Any:
    if x > y:
        return x
    return math.exp(y)


chosen = np.vectorize(greater_or_power)


def twice(function: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(function)
    def run(x: Any) -> Any:
        return function(function(x))

    return run


def of_math(a: N.M.f64, x: M.f64):
    return np.vectorize(math.erf)(a)


def of_arrays_and_numbers(a: N.M.f64, x: M.f64):
    return chosen(a, x), chosen(x), chosen(x, y=0.75), chosen(x[0], 0.5)


def of_a_lambda(a: N.M.f64, x: M.f64):
    return np.vectorize(lambda v: int(v * 10), otypes=[float])(a), np.vectorize(lambda v: int(v * 10))(a)


def decorated(a: N.M.f64, x: M.f64):
    @np.vectorize
    def steps(v):
        count = 0.0
        while v < 1.0:
            v += 0.25
            count += v
        return count

    return steps(a)


def applied_twice(a: N.M.f64, x: M.f64):
    @twice
    def scaled(v):
        return v * 2.0 + 1.0

    @functools.lru_cache
    def root(n):
        return np.sqrt(n)

    return scaled(a) + root(2.0)


def of_a_list(a: N.M.f64, x: M.f64):
    functions = [np.sin, lambda v: max(v[0, 0], 0.5)]
    return functions[0](a), functions[1](a), functools.partial(np.sum, axis=0)(a), twice(np.cos)(x)


def leaves(value: Any) -> list[Any]:
    return [leaf for each in value for leaf in leaves(each)] if isinstance(value, tuple) else [value]


@pytest.mark.parametrize(
    "function",
    [of_math, of_arrays_and_numbers, of_a_lambda, decorated, applied_twice, of_a_list],
    ids=lambda function: function.__name__,
)
def test_called_functions_compute_what_they_do_in_python(function: Any) -> None:
    for one, other in zip(leaves(program(function)(A, X)), leaves(function(A, X)), strict=True):
        assert np.asarray(one).dtype == np.asarray(other).dtype
        np.testing.assert_allclose(one, other, rtol=1e-12)


def test_a_signature_is_refused() -> None:
    def summed(a: N.M.f64):
        return np.vectorize(np.sum, signature="(n)->()")(a)

    with pytest.raises(rise.RiseError, match="found one with a signature") as raised:
        program(summed)
    assert "apply_along_axis" in (raised.value.diagnostic.hint or "")
