"""Joined rows that are computed, zipped with an array: loops over the rows, which need no division for each element."""

# ruff: noqa: F722, F821, UP037
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import rise
import shine
from tests import required_tools

RANDOM = np.random.default_rng(0)
X, Y, Z = RANDOM.random(5), RANDOM.random(40), RANDOM.random(5 * 40)


def repeated(x: "N.f64", z: "(40 * N).f64"):
    return np.repeat(np.sin(x), 40) * z


def tiled(z: "(40 * N).f64", x: "N.f64"):
    return z + np.tile(np.exp(x), 40)


def raveled(x: "N.f64", y: "M.f64", z: "(N * M).f64"):
    return (np.sin(x)[:, None] * np.cos(y)).ravel() / z


def repeated_twice(x: "2.N.f64", z: "(80 * N).f64"):
    return np.repeat(np.sin(x)[..., None], 40, axis=2).reshape(-1) * z


CASES: dict[Callable[..., Any], tuple[Any, ...]] = {
    repeated: (X, Z),
    tiled: (Z, X),
    raveled: (X, Y, Z),
    repeated_twice: (np.stack([X, 2 * X]), np.concatenate([Z, Z])),
}


@required_tools.needs(required_tools.OPENMP, required_tools.has_openmp())
@pytest.mark.parametrize("function", CASES, ids=lambda f: f.__name__)
def test_elements_of_joined_rows_are_computed_row_by_row(function: Callable[..., Any]) -> None:
    kernel = shine.compile(rise.program(function))
    loops = kernel.source[kernel.source.index("int kernel(") :]
    values = [line for line in loops.splitlines() if line.strip().startswith(("output[", "const"))]
    assert values and not any(" % " in line or "] = v[at" in line or " / 40" in line for line in values)
    np.testing.assert_allclose(kernel(*CASES[function]), function(*CASES[function]), rtol=1e-12)
