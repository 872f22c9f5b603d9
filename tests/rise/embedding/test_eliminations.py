"""np.linalg.solve, inv, det and slogdet, for sizes around multiples of a panel, against numpy."""

# The annotations are types of RISE, not of Python.
# ruff: noqa: F821

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import shine
from rise.embedding import program
from tests.examples import some

#: without panels, with one, and with a few; some have no last columns
SIZES = (1, 31, 64, 127, 128, 129, 160, 200)


def solved(a: N.N.f64, b: N.M.f64):
    return np.linalg.solve(a, b)


def solved_c128(a: N.N.c128, b: N.f64):
    return np.linalg.solve(a, b)


def inverted(a: N.N.f32):
    return np.linalg.inv(a)


def determined(a: N.N.f64):
    return np.linalg.det(a)


def determined_c64(a: N.N.c64):
    return np.linalg.slogdet(a)


TYPES: dict[Any, str] = {
    solved: "f8",
    solved_c128: "c16",
    inverted: "f4",
    determined: "f8",
    determined_c64: "c8",
}


def matrix(n: int, m: int, dtype: str) -> Any:
    """Numbers for which pivots are chosen in most columns."""
    rng = np.random.default_rng(n)
    found = rng.standard_normal((n, m))
    return (found + 1j * rng.standard_normal((n, m)) if dtype[0] == "c" else found).astype(dtype)


def each(results: Any) -> tuple[Any, ...]:
    return results if isinstance(results, tuple) else (results,)


def agree(found: Any, expected: Any, unit: float) -> None:
    expected = np.asarray(expected)
    assert found.dtype == expected.dtype
    assert np.abs(found - expected).max(initial=0) <= unit * np.abs(expected).max(initial=1)


@pytest.mark.parametrize("function", some(TYPES, 2), ids=lambda one: one.__name__)
def test_any_size_agrees_with_numpy(function: Any) -> None:
    dtype = TYPES[function]
    kernel = shine.compile(program(function), target="openmp")
    assert "where" not in kernel.source.partition("\n")[0]  # the same kernel for all sizes
    right = {solved: lambda n: (matrix(n, 37, dtype),), solved_c128: lambda n: (matrix(n, 1, "f8")[:, 0],)}
    for n in SIZES:
        a = matrix(n, n, dtype) / np.sqrt(n).astype(dtype)
        arguments = (a, *right.get(function, lambda n: ())(n))
        unit = 50 * float(np.finfo(dtype).eps) * np.linalg.cond(a)
        for one, other in zip(each(kernel(*arguments)), each(function(*arguments)), strict=True):
            agree(one, other, unit)
    for column in (3, 150, 198):  # in a panel, and after the panels
        singular = matrix(200, 200, dtype) / np.sqrt(200).astype(dtype)
        singular[:, column] = 0
        found = each(kernel(singular, *arguments[1:]))
        if function in (solved, solved_c128, inverted):
            assert not np.isfinite(found[0]).all(0).any()
        else:
            assert found[0] == 0 and (len(found) == 1 or found[1] == -np.inf)


def np_slogdet(a: Any) -> Any:
    return np.linalg.slogdet(a)


def test_a_determinant_beyond_the_range_of_floats_has_a_logarithm() -> None:
    a = 1e3 * matrix(200, 200, "f8")
    sign, size = shine.jit(np_slogdet)(a)
    expected = np.linalg.slogdet(a)
    assert sign == expected[0] and np.isfinite(size)
    assert size == pytest.approx(expected[1], rel=1e-14)


def test_a_call_decides_whether_there_are_panels() -> None:
    def inverse(a: Any) -> Any:
        return np.linalg.inv(a)

    jitted = shine.jit(inverse)
    for n, where in ((9, "127 >= N"), (130, "N >= 128")):
        a = matrix(n, n, "f8")
        np.testing.assert_allclose(jitted(a), inverse(a), rtol=0, atol=1e-10)
        assert where in jitted.lower(a).kernel.source.partition("\n")[0]


def test_types_are_combined_as_in_numpy() -> None:
    def of_several(a: Any, b: Any) -> Any:
        return np.linalg.solve(a, b)

    a, b = np.array([[2, 1], [1, 3]]), np.array([[1.5], [2j]])
    for left, right in ((a, b), (b @ b.T + a, a), (a, a), (a.astype("f4"), b.real.astype("f4"))):
        found = shine.jit(of_several)(left, right)
        agree(found, of_several(left, right), 1e-6 if found.dtype == np.float32 else 1e-13)


def test_a_loop_solves_equations_in_panels() -> None:
    def each_shifted(a: Any, shifts: Any, b: Any) -> Any:
        found = np.zeros_like(b)
        for s in shifts:
            found += np.linalg.solve(a + s * np.eye(len(a)), b)
        return found

    n = 140
    arguments = (matrix(n, n, "f8") / np.sqrt(n), np.array([3.0, 4.0]), matrix(n, 3, "f8"))
    agree(shine.jit(each_shifted)(*arguments), each_shifted(*arguments), 1e-13)
