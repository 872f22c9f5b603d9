"""`shine.jit`: parameters that are lengths of arrays, or determine them."""

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
    """Lengths that equal a parameter have its name, so that the program does not convert between both."""

    def solved(n: Any, a: Any, y: Any) -> Any:
        t = np.zeros((n, n))
        for k in range(2):
            t += a[k]
        return np.linalg.solve(t, y)

    def reshaped(rows: Any, columns: Any, a: Any, w: Any) -> Any:
        return np.reshape(np.reshape(a, (rows, 1, columns)) @ w, (rows, columns))

    a, y = np.random.default_rng(0).random((2, 9, 9)) + np.eye(9), np.ones((9, 7))
    jitted = jit(solved)
    assert type_of(jitted, 9, a, y).endswith("(n: nat) -> N.n.n.f64 -> n.M.f64 -> n.M.f64")
    np.testing.assert_allclose(jitted(9, a, y), solved(9, a, y))
    np.testing.assert_allclose(jitted(6, a[:, :6, :6], y[:6]), solved(6, a[:, :6, :6], y[:6]))
    assert kernels(jitted) == 1
    with pytest.raises(RiseError):
        jitted(4, a, y)
    np.testing.assert_allclose(jitted(6, a[:, :6, :6], y[:6]), solved(6, a[:, :6, :6], y[:6]))
    x, w = np.random.default_rng(1).random((6, 5)), np.random.default_rng(2).random((5, 5))
    jitted = jit(reshaped)
    assert "columns.columns.f64" in type_of(jitted, 6, 5, x, w)
    np.testing.assert_allclose(jitted(6, 5, x, w), reshaped(6, 5, x, w))


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        (lambda a, n: np.zeros((n, n)) + a, "{N: nat} -> N.N.f64 -> N.N.f64"),
        (lambda a, n, k: np.eye(n) * k + a, "{N: nat} -> N.N.f64 -> (k: nat) -> N.N.f64"),
        (lambda n, a, b: np.zeros(n) + a + b, "(n: nat) -> n.n.f64 -> n.n.f64 -> n.n.f64"),
        (lambda a, n, b: np.zeros(n) + a + b, "{N: nat} -> N.N.f64 -> N.N.f64 -> N.N.f64"),
    ],
)
def test_a_parameter_after_an_array_is_its_length(function: Any, expected: str) -> None:
    """A parameter that equals the length of an array before it is that length, and no parameter of the kernel."""
    names = function.__code__.co_varnames
    x = np.arange(81.0).reshape(9, 9)
    arguments = [{"a": x, "b": 2 * x, "n": 9, "k": 3}[name] for name in names]
    jitted = jit(function)
    assert type_of(jitted, *arguments) == expected
    for _ in range(2):
        np.testing.assert_allclose(jitted(*arguments), function(*arguments))
    wrong = [8 if name == "n" else one for name, one in zip(names, arguments, strict=True)]
    with pytest.raises(RiseError):
        jitted(*wrong)
    np.testing.assert_allclose(jitted(*arguments), function(*arguments))


@pytest.mark.parametrize("swapped", [False, True])
def test_a_call_with_another_number_has_another_kernel(swapped: bool) -> None:
    """That a number equals a length may be chance: then later calls say so."""

    def scaled(a: Any, n: Any) -> Any:
        return a * n

    jitted = jit((lambda n, a: scaled(a, n)) if swapped else scaled)
    a = np.arange(1.0, 8.0)
    for array, n in ((a, 7), (a, 7), (a, 5), (a, 7), (a[:5], 7), (a[:5], 5), (a, 5), (a, 7)):
        found = jitted(n, array) if swapped else jitted(array, n)
        np.testing.assert_array_equal(found, array * n)
    assert kernels(jitted) == 2
    with pytest.raises(RiseError, match="argument"):
        jitted(*((7, a) if swapped else (a, 7)), 7)


def test_numbers_that_cannot_be_lengths_are_not() -> None:
    """A function that does not compile with a length in place of a number compiles as if the two were unrelated."""
    a = np.random.default_rng(0).random((2, 3, 5))

    def summed(a: Any, axis: Any) -> Any:
        return a.sum(axis)

    np.testing.assert_allclose(jit(summed)(a, 2), a.sum(2))


def test_loops_over_a_length_assign_in_place() -> None:
    """Loops up to a parameter that is the length of the array change the array in place: no copy in each iteration."""

    def swept(u: Any, n: Any) -> Any:
        p = u.copy()
        for j in range(1, n - 1):
            p[1 : n - 1, j] = -2.0 / (3.0 * p[1 : n - 1, j - 1] + 4.0)
        return p

    u = np.random.default_rng(0).random((9, 9))
    jitted = jit(swept)
    np.testing.assert_allclose(jitted(u, 9), swept(u, 9))
    assert "allocate" not in jitted.lower(u, 9).source


def simulated(x: Any, rate: float, dt: float = 0.25, duration: float = 2.0) -> Any:
    u = np.zeros(int(duration / dt))
    u[0] = x[0]
    for i in range(1, len(u)):
        u[i] = u[i - 1] * (1 - rate * dt) + x[i]
    return u


def wavelet(x: Any, dt: float, f: float = 0.5) -> Any:
    t = np.arange(-1.0, 1.0, dt)
    return np.convolve(x, (1 - f * t**2) * np.exp(-f * t**2), mode="same")


@pytest.mark.parametrize("function", [simulated, wavelet])
def test_floats_that_determine_lengths_are_part_of_the_program(function: Any) -> None:
    """Each of their values has its own kernel; other floats stay parameters."""
    jitted, x = jit(function), np.arange(12.0)
    for numbers in ((0.5, 0.25), (0.25, 0.5), (0.5, 0.75)):
        np.testing.assert_allclose(jitted(x, *numbers), function(x, *numbers), rtol=1e-12)
    assert kernels(jitted) == (3 if function is simulated else 2)
    if function is simulated:
        jitted(x, 0.125, 0.25)
        assert kernels(jitted) == 3


def test_a_number_that_is_no_index_is_said_where_it_is_used() -> None:
    """Not where it is compared with a length, which is not known before the function is compiled for the number."""

    def guarded(x: Any, k: Any) -> Any:
        found = 0.0
        if k < len(x):
            found = 1.0
        return found + x[k]

    jitted, x = jit(guarded), np.ones(5)
    assert jitted(x, 2) == 2.0
    with pytest.raises(RiseError) as caught:
        jitted(x, 9)
    said = str(caught.value)
    assert "expected an index from -5 to 4, found 9" in said and "return found + x[k]" in said
