"""Assignments to the columns of an array, one after the other: any order, any parts, and kernels that stay small."""

# The annotations are types of RISE, not of Python.
# ruff: noqa: F722

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import rise
import shine
from rise.embedding import program
from tests.examples import some

RANDOM = np.random.default_rng(8)
X, Y = RANDOM.standard_normal(5), RANDOM.standard_normal(5)


@rise.program
def rotations(q: "N.4.f64"):
    w, x, y, z = q.T
    r = np.empty((len(q), 3, 3))
    r[:, 0, 0] = 1 - 2 * (y * y + z * z)
    r[:, 0, 1] = 2 * (x * y - z * w)
    r[:, 0, 2] = 2 * (x * z + y * w)
    r[:, 1, 0] = 2 * (x * y + z * w)
    r[:, 1, 1] = 1 - 2 * (x * x + z * z)
    r[:, 1, 2] = 2 * (y * z - x * w)
    r[:, 2, 0] = 2 * (x * z - y * w)
    r[:, 2, 1] = 2 * (y * z + x * w)
    r[:, 2, 2] = 1 - 2 * (x * x + y * y)
    return r


def transformed(x: Any, y: Any) -> Any:
    t = np.zeros((len(x), 4, 4))
    t[:, 3, 3] = 1.0
    t[:, :3, 3] = np.stack([x, y, x * y], axis=1)
    t[:, 0] += t[:, 3]
    t[:, 0, :2] = y[:, None]
    t[:, 1, 1] = x
    t[:, 1, -3] *= 2.0
    t[..., 2, 0] = x - t[..., 0, 0]
    return t


def chained(x: Any, y: Any) -> Any:
    d = np.zeros((len(x), 3))
    d[:, 0] = x
    d[:, 2] = d[:, 0] + y
    before = d[:, 2] * 1.0
    d[:, 2] -= d[:, 0] * 2.0
    d[:, -1] += 1.0
    d[0] = 7.0
    d[:, 1] = before
    return d


def chosen(x: Any, y: Any) -> Any:
    d = np.ones((len(x), 2))
    d[:, 0] = x
    if y[0] > 0.0:
        d[:, 1] = y
        d[:, 0] = 2.0
    for k in range(2):
        d[:, k] += k
    return d


@pytest.mark.parametrize("function", [transformed, chained, chosen], ids=lambda function: function.__name__)
def test_assignments_to_columns_are_in_order(function: Any) -> None:
    for y in (Y, -Y):
        found = program(function, types={"x": "N.f64", "y": "N.f64"})(X, y)
        assert np.array_equal(found, function(X, y))


@pytest.mark.parametrize("seed", some(range(12), 4))
def test_random_assignments_to_parts_of_rows(seed: int) -> None:
    random = np.random.default_rng(seed)
    items = [0, 1, 2, -1, slice(None), slice(1, 3), slice(None, 2)]
    steps = [
        (slice(None), *(items[k] for k in random.integers(0, len(items), random.integers(1, 3))))
        for _ in range(7)
    ]

    def changed(x: Any) -> Any:
        d = np.zeros((len(x), 3, 3))
        for number, step in enumerate(steps):
            d[step] = d[step] * 0.5 + number + (x[:, None] if d[step].ndim == 2 else x[0])
        return d

    assert np.array_equal(program(changed, types={"x": "N.f64"})(X), changed(X))


def test_each_row_is_written_once() -> None:
    q = RANDOM.standard_normal((6, 4))
    assert np.allclose(shine.jit(rotations)(q), rotations.python(q), rtol=1e-12)
    assert rotations.text.count("concat") == 0  # nine in a row, which fusion would copy three times each


def test_few_assignments_leave_a_row_as_it_is() -> None:
    @rise.program
    def marked(a: "N.100.f64"):
        a[:, 3] = 1.0
        a[:, 7] = 2.0
        return a

    assert marked.text.count("idx") == 0
    a = RANDOM.standard_normal((3, 100))
    assert np.array_equal(marked(a), marked.python(a.copy()))
