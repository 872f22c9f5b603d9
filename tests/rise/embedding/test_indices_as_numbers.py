"""Indices that numpy functions return, beside other numbers: the results are those of numpy, as i64."""

# The annotations are types of RISE, not of Python.
# ruff: noqa: F821

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import shine
from rise.embedding import program
from tests.examples import some

RANDOM = np.random.default_rng(5)
A, X = RANDOM.standard_normal((7, 6)), RANDOM.standard_normal(9)


def first_above(a: N.M.f64):
    hit = a > 1.0
    return np.where(hit.any(axis=1), hit.argmax(axis=1), -1), np.where(
        hit.any(axis=1), hit.argmax(axis=1), a.shape[1]
    )


def place_or_none(x: N.f64):
    place = np.argmax(x)
    return place if x[place] > 5.0 else -1


def early_place(x: N.f64):
    place = np.argmin(x)
    if x[place] < 0.0:
        return place
    return -1


def places_of_two_lengths(a: N.M.f64, x: K.f64):
    return np.where(a[:, 0] > 0.0, np.argmax(x), np.argmax(a, axis=1))


def nearest_neighbours(x: N.f64):
    near = np.abs(x[:, None] - x[None, :] - 0.3).argmin(axis=1)
    return np.select([x > 0.5, x > 0.0], [near, 7], default=-1), np.minimum(near, 3)


def labels(a: N.M.f64):
    label = a.argmax(axis=1)
    label[a.max(axis=1) < 1.0] = -1
    return label, (label == -1).sum()


def parts_of_an_order(x: N.f64):
    order = np.argsort(x)
    order[0] = -5
    order[2:5] += 3
    part = order[1:4]
    part[1] = order[0] - 1
    return order, part


def order_in_a_loop(x: N.f64):
    order = np.argsort(x)
    for i in range(1, len(x)):
        if x[i] > 0.5:
            order[i] = order[i - 1] - 1
    return order


def rows_in_loops(a: N.M.f64):
    order = np.argsort(a, axis=1)
    for i in range(len(a)):
        for j in range(a.shape[1]):
            if a[i, j] < 0.0:
                order[i, j] = -1
        order[i, 2:4] = -7
    return order


def last_place(a: N.M.f64):
    last = -1
    for i in range(len(a)):
        if a[i, 0] > 0.0:
            last = np.argmax(a[i])
    return last


def names_exchanged(x: N.f64):
    last, seen = -1, np.argmax(x)
    for i in range(len(x)):
        if x[i] > 0.9 and last < 0:
            last = seen
        elif x[i] > 0.5:
            last = i
            seen = -1
    return last, seen


def halved(x: N.f64):
    order = np.argsort(x)
    n = len(order)
    while n > 2:
        order[n // 2] = -n
        n //= 2
    return order


def arrays_like_an_order(x: N.f64):
    order = np.argsort(x)
    copy = np.empty_like(order)
    copy[:] = order
    return np.zeros_like(order), copy, np.full_like(order, -3)


FUNCTIONS: list[Callable[..., Any]] = [
    first_above,
    place_or_none,
    early_place,
    places_of_two_lengths,
    nearest_neighbours,
    labels,
    parts_of_an_order,
    order_in_a_loop,
    rows_in_loops,
    last_place,
    names_exchanged,
    halved,
    arrays_like_an_order,
]


def leaves(value: Any) -> list[Any]:
    return [leaf for each in value for leaf in leaves(each)] if isinstance(value, tuple) else [value]


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda function: function.__name__)
def test_indices_beside_numbers_are_numbers(function: Any) -> None:
    names = function.__code__.co_varnames[: function.__code__.co_argcount]
    arguments = [{"a": A, "x": X}[name] for name in names]
    expected = function(*(each.copy() for each in arguments))
    found = program(function)(*arguments)
    for one, other in zip(leaves(found), leaves(expected), strict=True):
        assert np.array_equal(one, other) and np.asarray(one).dtype == np.int64


@pytest.mark.parametrize("function", some([labels, rows_in_loops, names_exchanged], 1))
def test_kernels_agree(function: Any) -> None:
    argument = X if function is names_exchanged else A
    expected = function(argument.copy())
    found = shine.jit(function)(argument)
    for one, other in zip(leaves(found), leaves(expected), strict=True):
        assert np.array_equal(one, other)


def test_indices_alone_stay_indices() -> None:
    @program
    def chosen(x: N.f64):
        return x[np.where(x > 0.0, np.argmax(x), np.argmin(x))]

    assert "toIndex" not in chosen.text
