"""Python programs at the edges of numpy's definitions: empty slices of arrays of any length, and signed zeros.

Depends on the reference semantics and on C.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np
import pytest

import shine
from tests.examples import some

F = np.float32
TARGETS: Final = ("interpret", "openmp")


def agree(function: Callable[..., Any], *arguments: Any, targets: Sequence[str] = TARGETS) -> None:
    """A program agrees with numpy, including the shapes of empty results and the signs of zeros."""
    with np.errstate(all="ignore"):
        wanted = function(*(each.copy() for each in arguments))
    for target in targets:
        found = shine.jit(function, target=target)(*(each.copy() for each in arguments))
        pairs = zip(wanted, found, strict=True) if isinstance(wanted, tuple) else [(wanted, found)]
        for one, other in pairs:
            np.testing.assert_array_equal(other, one, strict=True)
            np.testing.assert_array_equal(np.signbit(other)[one == 0], np.signbit(one)[one == 0])


def empty(x):
    return x[3:1], x[1:1], x[4:2:1], x[-1:-3], x[1:3:-1], x[-3:-1:-1], x[2:2:-1], x[3:1:2].sum()


def empty_rows(x):
    return x[3:1].sum(axis=0), x[:, 2:1].sum(axis=1), x[1:1, ::-1]


def assigned(x):
    x[3:1] = 7
    x[2:1] += 1
    x[1:2:-1] = 5
    return x


@pytest.mark.parametrize("size", some([0, 1, 3, 5], 2))
def test_slices_without_elements_are_empty_at_any_size(size: int) -> None:
    agree(empty, np.arange(size, dtype=F))
    agree(assigned, np.arange(size, dtype=F))
    agree(empty_rows, np.arange(3 * size, dtype=F).reshape(size, 3))


def divided(x, y):
    return x // y, x % y, np.floor_divide(x, y), np.remainder(x, y), np.fmod(x, y)


def divided_by_numbers(x):
    return x // 3.0, x % 3.0, x // -3.0, x % -3.0, x % 1.0, 6.0 % x


@pytest.mark.parametrize(("turn", "dtype"), some(list(enumerate((np.float16, F, np.float64))), 3))
def test_zero_quotients_and_remainders_have_numpys_signs(turn: int, dtype: type) -> None:
    """Each target computes one of the two functions with each type, and in `whole` both."""
    x = np.array([-0.0, 0.0, -0.0, 0.0, -1, 1, 3, -3, -6, 6, -0.0, 5, np.inf, np.nan, 7], dtype)
    y = np.array([5, 5, -5, -5, np.inf, np.inf, 5, 5, 3, -3, 0.5, -np.inf, 2, 2, 0], dtype)
    agree(divided, x, y, targets=some(TARGETS, len(TARGETS), first=turn))
    agree(divided_by_numbers, x, targets=some(TARGETS, len(TARGETS), first=turn + 1))
