"""Comprehensions and generator expressions over arrays and ranges of symbolic sizes compute the same as in Python."""

# The annotations are types of RISE, not of Python; the comprehensions are what is tested, however useless.
# ruff: noqa: F821, B905, C416, C419, RUF015

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import rise
from rise.embedding import program


def squares(x: N.f64):
    return np.array([v * v for v in x])


def numbers(x: N.f64):
    return np.array([2 * i + 1 for i in range(len(x))]), [3.0 * v for v in x][0]


def table(x: N.f64, y: M.f64):
    return np.array([[a * b for b in y] for a in x])


def flat(m: N.M.f64):
    return np.array([v + 1 for row in m for v in row])


def rows(m: N.M.f64):
    return np.array([row[0] * row for row in m])


def pairs(x: N.f64):
    return np.array([a - b for a, b in zip(x[1:], x[:-1])]), np.array([i * v for i, v in enumerate(x)])


def joined(m: N.M.f64):
    doubled = [2 * row for row in m]
    return (
        np.stack(doubled),
        np.stack([row[::-1] for row in m], axis=1),
        np.vstack(doubled),
        np.hstack(doubled),
        np.concatenate([np.array([row.min(), row.max()]) for row in m]),
        np.column_stack(doubled),
        np.concatenate([m[:, :, None] + row for row in m], axis=-1),
    )


def sums(m: N.M.f64):
    counted = sum(1 for row in m for v in row if v > 0)
    return (
        sum(m[i, j] * i for i in range(m.shape[0]) for j in range(m.shape[1])),
        counted,
        sum([v for v in m[0]]),
        sum(m[i, j] for i in range(2) for j in range(m.shape[1])),
    )


def truths(x: N.f64):
    return any(v > 1 for v in x), all(v > -9 for v in x), all([v > 0 for v in x])


def extremes(x: N.f64):
    return max(v * v for v in x), min([abs(v) for v in x]), max(x)


def forward(a: N.N.f64, b: N.f64):
    """The range of the generator depends on the loop around it."""
    x = np.zeros_like(b)
    for i in range(len(b)):
        x[i] = (b[i] - sum(a[i, j] * x[j] for j in range(i))) / (a[i, i] + 9)
    return x


def by_data(x: N.f64, count: i64):
    return sum(x[k] for k in range(count) if x[k] > 0), any(x[k] > 2 for k in range(count))


def known(x: N.f64):
    """Lists of known lengths stay lists."""
    parts = [x * k for k in range(3)]
    return parts[0] + parts[2], sum(p.sum() for p in parts), {k: v + 1 for k, v in enumerate(parts)}[1]


def nested(x: N.f64):
    """A comprehension calls functions of the program, and reads names around it."""

    def scaled(v, by):
        return v * by if v > 0 else v

    factor = x.max()
    return np.array([scaled(v, factor) for v in x])


GIVEN: dict[Callable[..., Any], tuple[Any, ...]] = {}
RNG = np.random.default_rng(3)
for one in (squares, numbers, pairs, truths, extremes, known, nested):
    GIVEN[one] = (RNG.standard_normal(5),)
GIVEN |= {
    table: (RNG.standard_normal(5), RNG.standard_normal(3)),
    flat: (RNG.standard_normal((3, 4)),),
    rows: (RNG.standard_normal((3, 4)),),
    joined: (RNG.standard_normal((3, 4)),),
    sums: (RNG.standard_normal((3, 4)),),
    forward: (RNG.standard_normal((4, 4)), RNG.standard_normal(4)),
    by_data: (RNG.standard_normal(6), 4),
}


@pytest.mark.parametrize("function", GIVEN, ids=lambda one: one.__name__)
def test_a_program_agrees_with_its_function(function: Callable[..., Any]) -> None:
    found, wanted = program(function)(*GIVEN[function]), function(*GIVEN[function])
    for mine, other in zip(leaves(found), leaves(wanted), strict=True):
        assert mine.shape == other.shape and mine.dtype == other.dtype
        np.testing.assert_allclose(mine, other)


def leaves(result: Any) -> list[Any]:
    """The arrays of a result; three results of a program are nested pairs."""
    return (
        [leaf for part in result for leaf in leaves(part)]
        if isinstance(result, tuple)
        else [np.asarray(result)]
    )


def squared_sum(x: N.f64):
    return sum(v * v for v in x)


def test_a_list_of_values_has_no_state_and_a_sum_is_a_reduction() -> None:
    assert "reduce" not in program(squares).text
    assert "reduce(add" in program(squared_sum).text


def test_generators_of_known_items_are_lazy() -> None:
    """As in Python, `any` stops at the first true value."""
    seen: list[int] = []

    def first(x: N.f64):
        found = any(seen.append(k) or k == 1 for k in range(5))
        return x + found

    assert rise.evaluate(program(first).main, np.zeros(2)).tolist() == [1.0, 1.0]
    assert seen == [0, 1]
