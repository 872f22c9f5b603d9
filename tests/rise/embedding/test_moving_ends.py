"""Slices in loops over a size whose bounds change, count from the end, or are beyond it: as in numpy."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np
import pytest

import rise
import shine
from rise.embedding import program

X: Final = np.arange(1.0, 14.0)


def without_ends(x):
    s = 0.0
    for i in range(len(x) // 2):
        s = s * 0.5 + x[i:-i].sum() + x[:-i].sum() - x[-i:].sum()
    return s


def halved_rings(x):
    y = x.copy()
    for i in range(1, len(x) // 2):
        y[i:-i] *= 0.5
        y[:-i] += x[i:]
        y[-i:] -= x[:i]
    return y


def windows_from_the_end(x):
    s = 0.0
    for i in range(3, len(x)):
        s = s * 0.5 + x[-i : -i + 2].sum() + x[-i - 1 : -i + 3].sum()
    return s


def ends_of_either_sign(x):
    s = 0.0
    for i in range(len(x)):
        s = s * 0.5 + x[: i - 3].sum() + x[i - 3 :].sum() + x[i - 3 : i].sum()
    return s


def beyond_the_end(x):
    s = 0.0
    for i in range(len(x)):
        s = s * 0.5 + x[: i + 5].mean() + x[-i - 3 :].mean() + x[i + 2 :].sum()
    return s


def autocorrelation(x):
    r = np.zeros(len(x))
    for lag in range(1, len(x)):
        r[lag] = (x[:-lag] * x[lag:]).mean()
    return r


def knapsack(x):
    best = np.zeros_like(x)
    for i in range(len(x)):
        w = i % 7 + 1
        best[w:] = np.maximum(best[w:], best[:-w] + x[i])
    return best


def rings_of_a_matrix(x):
    m = np.outer(x, x)
    for i in range(1, len(x) // 2):
        m[i:-i, i:-i] += 1.0
        m[i:, :-i] -= m[:-i, i:]
    return m


CASES: Final[tuple[Callable[[Any], Any], ...]] = (
    without_ends,
    halved_rings,
    windows_from_the_end,
    ends_of_either_sign,
    beyond_the_end,
    autocorrelation,
    knapsack,
    rings_of_a_matrix,
)


@pytest.mark.parametrize("function", CASES, ids=lambda f: f.__name__)
@pytest.mark.parametrize("size", [13, 6])
def test_slices_are_those_of_numpy(function: Callable[[Any], Any], size: int) -> None:
    x = X[:size]
    built = program(function, types={"x": "N.f64"})
    np.testing.assert_allclose(rise.evaluate(built.main, x), function(x.copy()), rtol=1e-12)


def moment(b):
    total = 0.0
    for k in range(1, 256):
        total += (np.arange(k) * b[:k]).sum() / k
    return total


def test_a_call_checks_that_slices_of_a_loop_are_not_cut_short() -> None:
    """`b[:k]` has `k` elements for all `k` below 256 if `b` has 255; numpy cannot multiply the others, either."""
    kernel = shine.compile(program(moment, types={"b": "N.f64"}, unroll=4), target="interpret")
    b = np.random.default_rng(7).random(255)
    np.testing.assert_allclose(kernel(b), moment(b))
    with pytest.raises(rise.RiseError, match="N >= 255, found N = 254"):
        kernel(b[1:])
    with pytest.raises(ValueError, match="broadcast"):
        moment(b[1:])
