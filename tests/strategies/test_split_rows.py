"""Rows of short sums that are read in other parts are stored, instead of finding the row of each element."""

# ruff: noqa: F722, UP037
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import rise
import shine
from tests import required_tools

RANDOM = np.random.default_rng(0)
M, X, T = RANDOM.random((2, 2)), RANDOM.random(48), RANDOM.random((4, 12))


def in_quarters(m: "2.2.f64", x: "48.f64", t: "4.12.f64"):
    return (m @ x.reshape(2, -1)).reshape(4, 12) * t


def transposed(m: "2.2.f64", x: "48.f64", t: "4.12.f64"):
    y = (m @ x.reshape(2, -1)).reshape(4, -1)
    return np.transpose(y.reshape(2, 2, -1), (1, 0, 2)).reshape(4, -1) + t.sum()


CASES: dict[Callable[..., Any], tuple[Any, ...]] = {
    in_quarters: (M, X, T),
    transposed: (M, X, T),
}


@required_tools.needs(required_tools.OPENMP, required_tools.has_openmp())
@pytest.mark.parametrize("function", CASES, ids=lambda f: f.__name__)
def test_the_row_of_an_element_is_never_computed(function: Callable[..., Any]) -> None:
    kernel = shine.compile(rise.program(function))
    loops = kernel.source[kernel.source.index("int kernel(") :]
    assert " % " not in loops and "floor_" not in loops
    np.testing.assert_allclose(kernel(*CASES[function]), function(*CASES[function]), rtol=1e-12)
