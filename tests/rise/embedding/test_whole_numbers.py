"""Integers and Booleans where numpy computes floats, and Booleans in arithmetic: types and values."""

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import rise
from rise.scalars import SCALARS
from tests.examples import some

#: expressions of an array u, whose elements are from 1 to 120
OF_NUMBERS: dict[str, Callable[[Any], Any]] = {
    "quotient": lambda u: u / 255,
    "quotient of arrays": lambda u: u / (u + u),
    "float": lambda u: u * 0.5 + u,
    "float first": lambda u: 1.5 - u,
    "choice": lambda u: np.where(u > 1, u, 0.5),
    "comparison": lambda u: u > 1.5,
    "bounds": lambda u: np.clip(u, 1.5, 100.5),
    "greater": lambda u: np.maximum(u, 2.5),
    "remainder": lambda u: u % 0.75,
    "root": np.sqrt,
    "sine": np.sin,
    "angle": lambda u: np.arctan2(u, u),
    "power": lambda u: u**0.5,
    "square": lambda u: u**2.0,
    "powers of a float": lambda u: 1.01**u,
    "mean": lambda u: u - u.mean(),
    "part": lambda u: u / u.shape[0],
    "rounded": lambda u: np.floor(u) + np.trunc(u) - np.ceil(u),
    "finite": np.isfinite,
    "count": lambda u: np.count_nonzero(u > 3) * 1.5,
    "sign": lambda u: np.copysign(u, -1.0),
    "sum of exponentials": lambda u: np.logaddexp(u, u),
    "gradient": np.gradient,
    "weights": lambda u: np.average(u, weights=u),
    "true": lambda u: u * True,
}
#: expressions of an array m of Booleans
OF_TRUTH: dict[str, Callable[[Any], Any]] = {
    "and": lambda m: m * m[::-1],
    "or": lambda m: m + m[::-1],
    "absolute": abs,
    "greater": lambda m: np.maximum(m, m[::-1]),
    "lesser": lambda m: np.minimum(m, m[::-1]),
    "outer": lambda m: np.outer(m, m),
    "product": lambda m: m @ m,
    "matrices": lambda m: m[:, None] @ m[None, :],
    "one more": lambda m: m + 1,
    "halves": lambda m: m * 0.5,
    "thirds": lambda m: m / 3,
    "is one": lambda m: m == 1,
    "choice": lambda m: np.where(m, m, 2),
}
TYPES = ("u8", "i8", "u16", "i32", "i64")


@pytest.mark.parametrize(("name", "type"), some(itertools.product(OF_NUMBERS, TYPES), 2))
def test_integers_become_the_same_floats_as_in_numpy(name: str, type: str) -> None:
    u = np.array([1, 100, 120, 3, 7, 1]).astype(SCALARS[type].dtype)
    function = OF_NUMBERS[name]
    expected = np.asarray(function(u))  # a count was a Python number before numpy 2.3
    found = rise.program(lambda u: function(u), types={"u": f"N.{type}"})(u)
    assert found.dtype == expected.dtype
    assert np.allclose(found, expected, rtol=1e-3 if expected.dtype == np.float16 else 1e-6)


@pytest.mark.parametrize("name", OF_TRUTH)
def test_booleans_in_arithmetic_agree_with_numpy(name: str) -> None:
    m = np.array([True, False, True, True])
    function = OF_TRUTH[name]
    found = rise.program(lambda m: function(m), types={"m": "N.bool"})(m)
    assert found.dtype == function(m).dtype and found.tolist() == function(m).tolist()


def test_operations_that_numpy_rejects_are_rejected() -> None:
    for function in (lambda m: m - m, lambda m: -m):
        with pytest.raises(rise.RiseError, match="found bool"):
            rise.program(function, types={"m": "N.bool"})
    with pytest.raises(rise.RiseError, match="`reciprocal` expected a floating type"):
        rise.program(lambda u: np.reciprocal(u), types={"u": "N.i32"})
