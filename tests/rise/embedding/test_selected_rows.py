"""Rows that a mask selects, `x[m]` with a mask of the first axes, and masks beside other indices, as in numpy."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import shine
from rise import RiseError
from tests.examples import some

RANDOM = np.random.default_rng(4)
X, Y, ROW = RANDOM.standard_normal((7, 3)), RANDOM.standard_normal((7, 3)), RANDOM.standard_normal(3)
CUBE = RANDOM.standard_normal((4, 5, 3))
KEEP = np.array([True, False, True, True, False, False, True])
GRID = RANDOM.standard_normal((4, 5)) > 0


def normalised(x: Any, m: Any) -> Any:
    rows = x[m]
    return ((rows - rows.mean(axis=0)) ** 2).sum(axis=0)


def cleared(x: Any, m: Any) -> Any:
    x[m] = 0
    return x


def scaled(x: Any, m: Any) -> Any:
    x[m] = x[m] * 2 + 1
    return x


def added(x: Any, m: Any) -> Any:
    x[m] += 1
    return x


def columns(x: Any, m: Any) -> Any:
    x[:, m] = 0
    x[1:, m] = x[0, 0]
    return x


def beside(x: Any, m: Any) -> Any:
    x[m, 1] = 5
    x[m, 1:] += 2
    x[m, -1] = x[m, 0] * x[m, 1]
    x[1, m[:3]] = 4
    return x, x[m, 1:].sum(axis=0), x[m, 0].max()


def repeated(x: Any, m: Any, row: Any) -> Any:
    x[m] = row
    x[m, :2] = row[1:]
    x[:, row > 0] = x[:, :1]
    return x


def in_loops(x: Any, m: Any) -> Any:
    for i in range(x.shape[1]):
        x[m, i] += i
        x[x[:, 0] > i, i] = 0
    return x


def of_classes(x: Any, labels: Any) -> Any:
    return np.stack([x[labels == k].mean(axis=0) for k in range(3)])


FUNCTIONS: list[tuple[Callable[..., Any], tuple[Any, ...]]] = [
    (lambda x, m: x[m].sum(), (X, KEEP)),
    (lambda x, m: x[m].sum(axis=0), (X, KEEP)),
    (lambda x, m: x[m].sum(axis=-2), (X, KEEP)),
    (lambda x, m: x[m].sum(axis=1).max(), (X, KEEP)),
    (lambda x, m: x[m].mean(), (X, KEEP)),
    (lambda x, m: x[m].mean(axis=0), (X, KEEP)),
    (lambda x, m: x[m].mean(axis=1).sum(), (X, KEEP)),
    (lambda x, m: x[m].mean(axis=(0, 1)), (X, KEEP)),
    (lambda x, m: x[m].max(axis=0, keepdims=True), (X, KEEP)),
    (lambda x, m: x[m].min(axis=0), (X, KEEP)),
    (lambda x, m: np.prod(x[m], axis=0), (X, KEEP)),
    (lambda x, m: np.exp(-x[m]).sum(axis=0), (X, KEEP)),
    (lambda x, m, r: (x[m] - r).sum(axis=0), (X, KEEP, ROW)),
    (lambda x, y, m: (x[m] * y[m]).sum(axis=0), (X, Y, KEEP)),
    (lambda x, m: x[m].shape[0] * x[m].shape[1], (X, KEEP)),
    (lambda x, m: x[~m].sum(axis=0) - x[m].sum(axis=0), (X, KEEP)),
    (lambda x: x[x[:, 0] > 0].sum(axis=0), (X,)),
    (lambda x, m: x[m].sum(axis=0), (CUBE, GRID)),
    (lambda x, m: x[m].sum(axis=1).min(), (CUBE, GRID)),
    (lambda x, m: x[m].mean(axis=0), (CUBE, GRID)),
    (lambda x, m: x[m].sum(axis=0, keepdims=True), (CUBE, GRID)),
    (lambda x, m: x[m].sum(axis=1, keepdims=True).sum(axis=0), (CUBE, GRID)),
    (lambda x, m: x[m].max(keepdims=True), (CUBE, GRID)),
    (lambda x, m: x[m].mean(keepdims=True), (CUBE, CUBE > 0)),
    (lambda x, m: x[m].sum(axis=(0, 2)), (CUBE, KEEP[:4])),
    (lambda x, m: x[m].mean(axis=(0, 2)), (CUBE, KEEP[:4])),
    (lambda x, m: x[m].sum(axis=0), (X, X > 0)),
    (of_classes, (X, np.array([0, 1, 2, 0, 1, 2, 0]))),
    (normalised, (X, KEEP)),
    (cleared, (X, KEEP)),
    (scaled, (X, KEEP)),
    (added, (CUBE, GRID)),
]
#: assignments to the columns of a square matrix and of others, and next to other indices
ASSIGNMENTS: list[tuple[Callable[..., Any], tuple[Any, ...]]] = [
    (columns, (RANDOM.standard_normal((7, 7)), KEEP)),
    (columns, (X[:, [0, 1, 2, 1, 0, 1]], KEEP[:6])),
    (beside, (X, KEEP)),
    (repeated, (X, KEEP, ROW)),
    (in_loops, (X, KEEP)),
]


@pytest.mark.parametrize(("function", "arguments"), some(FUNCTIONS, 2))
def test_a_program_agrees_with_numpy(function: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
    expected = function(*(one.copy() for one in arguments))
    found = shine.jit(function, target="interpret")(*(one.copy() for one in arguments))
    assert np.shape(found) == np.shape(expected)
    np.testing.assert_allclose(found, expected, rtol=1e-12)


@pytest.mark.parametrize(("function", "arguments"), ASSIGNMENTS)
def test_assignments_beside_masks_change_the_argument(function: Any, arguments: tuple[Any, ...]) -> None:
    theirs, mine = ([one.copy() for one in arguments] for _ in range(2))
    expected, found = function(*theirs), shine.jit(function, target="interpret")(*mine)
    for one, other in zip((*mine, *tuple(found)), (*theirs, *tuple(expected)), strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-12)


WRONG: dict[str, tuple[Callable[..., Any], tuple[Any, ...], str]] = {
    "another length": (
        lambda x, m: x[m].sum(),
        (X, KEEP[:4]),
        "expected a mask of the shape (N, 3), found (M,)",
    ),
    "no axis": (lambda x, m: x[m].sum(axis=2), (X, KEEP), "axis"),
    "rows in another order": (lambda x, m: np.roll(x[m], 1), (X, KEEP), "mask"),
    "another mask": (lambda x, m: (x[m] + x[~m]).sum(), (X, KEEP), "expected elements of one mask"),
    "fewer axes": (
        lambda x, y, m: (x[m] * y[m]).sum(),
        (X, X[:, 0], KEEP),
        "repeat the elements along the rows",
    ),
    "columns": (lambda x, m: x[:, m[:3]].sum(), (X, KEEP), "found truth values"),
    "an array": (lambda x, m: (x[m] + x).sum(), (X, KEEP), "select from the array by the same mask"),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_not_supported_is_refused(name: str) -> None:
    function, arguments, message = WRONG[name]
    with pytest.raises(RiseError) as refused:
        shine.jit(function, target="interpret")(*arguments)
    assert message in str(refused.value) and refused.value.diagnostic.hint
