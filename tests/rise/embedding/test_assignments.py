"""Assignments to parts of arrays have the same effect as in numpy, also through views, aliases and functions."""

# The annotations are types of RISE, not of Python.
# ruff: noqa: F821

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import rise
import shine
from rise.embedding import program
from rise.scalars import SCALARS
from tests.examples import some


def borders(x: M.N.f64):
    y = np.zeros_like(x)
    y[1:-1, 1:-1] = 0.25 * (x[:-2, 1:-1] + x[2:, 1:-1] + x[1:-1, :-2] + x[1:-1, 2:])
    y[0], y[-1] = 1, x[0]
    y[:, 0] = y[:, 1]
    y[:, -1] += 2.0
    return y


def updated(x: M.N.f64, v: N.f64):
    x[:] = v
    x[..., 0] = 4
    x += v
    x[1, 1] -= 3
    x[1:, 2:] *= 2.0
    x /= 2
    np.maximum(x, 0.5, out=x)
    return x


def aliased(x: M.N.f64):
    y = x.copy()
    same, row, below = y, y[1], y[1:]
    row[:] = 0
    same[2:] += 1
    below[0][1:] = 5
    turned = y.T
    y[0, 0] = 7
    before = y + 0.0
    y[0, 0] = 8
    return y, turned, row, same[2], before, x


def copied(x: N.f64):
    y, z = x * 1, +x
    y[0], z[1] = 5, 6
    a = x[[0, 1]]
    x[0] = 9
    return x, y, z, a


def masked(x: M.N.f64):
    y = x.copy()
    y[y < 0] = 0
    y[x > 1] = x.max()
    y[x[:, 1] > 0] = 1
    return y


def indices(x: M.N.f64):
    places, floats, flags = np.zeros((3, len(x[0])), dtype=np.int64), np.zeros(3), np.ones(3, dtype=bool)
    places[1] = x.argmax(axis=0)
    places[2, 1:] = x[:, 1:].argmin(axis=0)
    floats[0], flags[1] = x[0].argmax(), x[:1].argmax(axis=0)[0]
    return places, floats, flags


def shifted(x: N.f64):
    def forward(xs, by):
        xs[1:] = xs[:-1] + by

    forward(x, 1.0)
    forward(x[2:], 2.0)
    return x


def in_place(x: N.f64, y: N.f64):
    x[1:] = y[:-1]
    y[0] = 0


def mixed(x: M.N.f64, k: N.i32, w: N.i64, b: N.u8):
    far = k * w + b
    k[1:] = far[:-1]
    x[0] = k + (x[1] > 0)
    x += b
    return far, k, x * k, k - x[2], np.where(x > 0, k, x), (x[0] > 0) * w, np.maximum(b, w)


def truth(x: N.f64, k: N.i32):
    m, deep = x > 0, np.ones((2, len(x)), bool)
    m[0], m[-1] = 1, len(x) - 5
    m[1:3] = x[:2]
    m[k > 1] = 0.5
    deep[1] = k - 1
    for i in range(len(x)):
        deep[0, i] = x[i] - 1
    return m, deep


def started(x: N.f64, k: N.i64):
    """Known arrays become arrays of the program if it changes them."""
    centres, counts, order = np.array([-1.0, 0.0, 1.0]), np.arange(4), np.arange(4)
    order[1] = 7
    weights = np.linspace(0, 1, 4)
    for j in range(3):
        centres[j] = np.where(x > centres[j], x, 0).max()
    for i in range(len(x)):
        counts[k[i] % 4] += order[i % 4]
    if x[0] > 0:
        weights[2] = x[1]
    return centres, counts, order, weights


def elsewhere(x: N.N.f64):
    y, z = x.copy(), x.copy()
    for j in range(1, len(x) - 1):
        y[1:, j] = x[1:, j] - y[:-1, j - 1]
        z[j] = y[1] * y[-1] + z[j - 1] * y[j]
        y[0, j - 1 : j + 1] = z[j - 1, :2] + y[-1, j]
        z[:2, 1:3] = z[2:4, -2:] - z[0, 0]
    return y, z


FUNCTIONS = (
    borders,
    updated,
    aliased,
    copied,
    masked,
    indices,
    shifted,
    in_place,
    mixed,
    truth,
    started,
    elsewhere,
)
SHAPES = {"M": 4, "N": 5}


def leaves(result: Any) -> list[Any]:
    return [leaf for part in result for leaf in leaves(part)] if isinstance(result, tuple) else [result]


@pytest.mark.parametrize("function", some(FUNCTIONS, 2), ids=lambda one: one.__name__)
def test_assignments_have_the_effect_of_numpy(function) -> None:
    rng = np.random.default_rng(1)
    given = [
        (8 * rng.random([SHAPES[size] for size in sizes]) - 4 * (element[0] != "u")).astype(
            SCALARS[element].dtype
        )
        for *sizes, element in (one.split(".") for one in function.__annotations__.values())
    ]
    copies = [each.copy() for each in given]
    wanted = function(*copies)
    wanted = tuple(copies) if wanted is None else wanted
    built = program(function)
    kernel = shine.compile(built, target="interpret")
    for found in (built(*given), kernel(*given)):
        for mine, theirs in zip(leaves(found), leaves(wanted), strict=True):
            assert mine.dtype == theirs.dtype and np.array_equal(mine, theirs)
    assert rise.parse(built.text).main == built.main


def test_a_function_without_a_result_returns_the_arrays_that_it_assigns() -> None:
    def first(x: N.f64, y: N.f64):
        y[0] = x[0]

    assert str(program(first).type) == "{N: nat} -> N.f64 -> N.f64 -> N.f64"


def test_loops_that_read_what_they_assign_write_in_place() -> None:
    """Also if two arrays are assigned, and one is read to compute the other."""

    def swept(p: N.N.f64, q: N.N.f64):
        for j in range(1, len(p)):
            p[1:-1, j] = p[1:-1, j - 1] / 2
            q[1:-1, j] = q[1:-1, j - 1] + p[1:-1, j - 1]
        return p, q

    source = shine.compile(program(swept), target="openmp", reuse=False).source
    assert source.count("allocate(N * N") == 2, "the two arrays, and no copy in an iteration"
    assert "allocate(" not in shine.compile(program(swept), target="openmp").source, (
        "in the results themselves"
    )


def test_elements_are_read_from_before_assignments_to_others() -> None:
    """Otherwise each read goes through all earlier assignments: the program's kernel has 2,500 lines for nine rows."""

    def rolled(f: N.M.f64):
        for k in range(4):
            f[k] = np.roll(f[k], k) + f[-1]

    built = program(rolled)
    assert all(f"f |> idx({k})" in built.text for k in (1, 2, 3))
    x = np.random.default_rng(3).random((6, 5))
    wanted = x.copy()
    rolled(wanted)
    assert np.array_equal(built(x), wanted)
