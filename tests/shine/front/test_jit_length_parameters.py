"""`shine.jit`: parameters that are lengths of arrays."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from rise import RiseError
from shine.front.jit import jit
from tests import required_tools
from tests.shine.front.test_jit import kernels, type_of

pytestmark = required_tools.needs(required_tools.OPENMP, required_tools.has_openmp())


def test_a_parameter_that_is_a_length_names_it() -> None:
    """Lengths that must be equal to a parameter have its name, so that the program does not convert between both."""

    def solved(n: Any, a: Any, y: Any) -> Any:
        t = np.zeros((n, n))
        for k in range(2):
            t += a[k]
        return np.linalg.solve(t, y)

    def reshaped(rows: Any, columns: Any, a: Any, w: Any) -> Any:
        return np.reshape(np.reshape(a, (rows, 1, columns)) @ w, (rows, columns))

    a, y = np.random.default_rng(0).random((2, 9, 9)) + np.eye(9), np.ones((9, 7))
    jitted = jit(solved)
    assert type_of(jitted, 9, a, y).endswith("(n: nat) -> N.n.n.f64 -> n.K.f64 -> n.K.f64")
    np.testing.assert_allclose(jitted(9, a, y), solved(9, a, y))
    np.testing.assert_allclose(jitted(6, a[:, :6, :6], y[:6]), solved(6, a[:, :6, :6], y[:6]))
    assert kernels(jitted) == 1
    with pytest.raises(RiseError):
        jitted(4, a, y)
    x, w = np.random.default_rng(1).random((6, 5)), np.random.default_rng(2).random((5, 5))
    jitted = jit(reshaped)
    assert "columns.columns.f64" in type_of(jitted, 6, 5, x, w)
    np.testing.assert_allclose(jitted(6, 5, x, w), reshaped(6, 5, x, w))


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        (lambda a, n: np.zeros((n, n)) + a, "{N: nat} -> N.N.f64 -> (n: nat) -> n.n.f64"),
        (lambda a, n, k: np.eye(n) * k + a, "{N: nat} -> N.N.f64 -> (n: nat) -> (k: nat) -> n.n.f64"),
        (lambda n, a, b: np.zeros(n) + a + b, "(n: nat) -> n.n.f64 -> n.n.f64 -> n.n.f64"),
        (lambda a, n, b: np.zeros(n) + a + b, "{N: nat} -> N.N.f64 -> (n: nat) -> N.N.f64 -> N.n.f64"),
    ],
)
def test_only_arrays_after_a_parameter_are_named_after_it(function: Any, expected: str) -> None:
    """Other lengths are promised to be equal to it."""
    names = function.__code__.co_varnames
    x = np.arange(81.0).reshape(9, 9)
    arguments = [{"a": x, "b": 2 * x, "n": 9, "k": 3}[name] for name in names]
    jitted = jit(function)
    assert type_of(jitted, *arguments) == expected
    np.testing.assert_allclose(jitted(*arguments), function(*arguments))
    wrong = [8 if name == "n" else one for name, one in zip(names, arguments, strict=True)]
    with pytest.raises(RiseError):
        jitted(*wrong)
