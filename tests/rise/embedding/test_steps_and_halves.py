"""Assignments to slices with steps, parts of an axis whose equal lengths are only known at the call, wrapped
indices.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import rise
import shine
from rise import RiseError
from tests.examples import some


def every_second(x: Any) -> Any:
    x[::2] += 1
    x[1::3] *= 2.0
    return x


def downwards(x: Any) -> Any:
    x[::-1] = x * 2
    x[-2::-3] -= 1
    return x


def between(x: Any) -> Any:
    x[1:-1:2] = (x[:-2:2] + x[2::2]) / 2
    return x


def swapped(x: Any) -> Any:
    x[::2], x[1::2] = x[1::2].copy(), x[::2].copy()
    return x


def corners(a: Any) -> Any:
    a[::2, 1::2] = 0
    a[1::2, 0] = a[::2, -1]
    a[:, ::-2] += a[:, ::2]
    return a


def halves(x: Any) -> Any:
    n = len(x) // 2
    return x[:n] + x[n:], x[:n] @ x[n:], np.where(x[::2] > 2, x[::2], x[1::2]), np.stack([x[:n], x[n:]])


def pooled(a: Any) -> Any:
    return (a[::2, ::2] + a[1::2, ::2] + a[::2, 1::2] + a[1::2, 1::2]) / 4


def circular(x: Any) -> Any:
    n = len(x)
    y = np.zeros_like(x)
    for i in range(n):
        y[i] = x[(i - 1) % n] - 2 * x[i] + x[(i + 3) % n]
    return y


X, A = np.arange(1.0, 9), np.arange(24.0).reshape(4, 6)
CASES: list[tuple[Callable[..., Any], Any]] = [
    *((one, x) for one in (every_second, downwards, circular) for x in (X, X[:7])),
    (between, X[:7]),
    (swapped, X),
    (corners, A),
    (halves, X),
    (pooled, A),
]


@pytest.mark.parametrize(("function", "x"), some(CASES, 2), ids=lambda given: getattr(given, "__name__", ""))
def test_a_program_agrees_with_numpy(function: Callable[..., Any], x: Any) -> None:
    name = "a" if x.ndim == 2 else "x"
    program = rise.program(function, types={name: "N.M.f64" if x.ndim == 2 else "N.f64"})
    expected = function(x.copy())
    for run in (program, shine.compile(program, target="interpret")):
        found = _listed(run(x))
        for one, other in zip(found, expected if isinstance(expected, tuple) else (expected,), strict=True):
            np.testing.assert_array_equal(one, other)


def _listed(found: Any) -> list[Any]:
    return [found[0], *_listed(found[1])] if isinstance(found, tuple) else [found]


def test_a_call_checks_that_parts_have_equal_lengths() -> None:
    program = rise.program(halves, types={"x": "N.f64"})
    with pytest.raises(RiseError, match="promises"):
        program(X[:7])
    with pytest.raises(RiseError, match="expected arrays of the same shape"):
        rise.program(lambda x, y: x + y[1:], types={"x": "N.f64", "y": "M.f64"})
    with pytest.raises(RiseError, match="expected arrays of the same shape"):
        rise.program(lambda x: x + x[1:], types={"x": "N.f64"})
