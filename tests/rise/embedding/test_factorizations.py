"""Functions of `np.linalg` that compute blocks, for sizes around multiples of a block."""

# The annotations are types of RISE, not of Python.
# ruff: noqa: F821

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

import shine
from rise.embedding import program
from tests.examples import some

SIZES = (1, 31, 32, 33, 64, 65, 100, 130)


def lower_f32(a: N.N.f32):
    return np.linalg.cholesky(a)


def lower_f64(a: N.N.f64):
    return np.linalg.cholesky(a)


def lower_c128(a: N.N.c128):
    return np.linalg.cholesky(a)


#: functions, with the type and the number of rows of a block
LOWER: dict[Any, tuple[str, int]] = {lower_f64: ("f8", 32), lower_f32: ("f4", 64), lower_c128: ("c16", 32)}


def matrix(n: int, dtype: str) -> Any:
    rng = np.random.default_rng(n)
    found = rng.standard_normal((n, n)).astype(dtype)
    if dtype[0] == "c":
        found += 1j * rng.standard_normal((n, n))
    return found


def positive(n: int, dtype: str, least: float = 1.0) -> Any:
    """A positive definite matrix with eigenvalues from `least` to 1."""
    vectors = np.linalg.qr(matrix(n, dtype))[0]
    return ((vectors * np.geomspace(least, 1.0, n)) @ vectors.conj().T).astype(dtype)


@pytest.mark.parametrize("function", some(LOWER, 2), ids=lambda one: one.__name__)
def test_cholesky_agrees_with_numpy(function: Any) -> None:
    dtype, block = LOWER[function]
    kernel = shine.compile(program(function), target="openmp")
    # a sum of products, of the blocks from the diagonal on
    assert re.search(r"\bfmaf?\(", kernel.source) or dtype[0] == "c"
    assert re.search(rf"< N / {block} - n_\w+_block \+ 1;", kernel.source)
    epsilon = np.finfo(dtype).eps
    for n in SIZES:
        a = positive(n, dtype, 0.01)
        a[np.triu_indices(n, 1)] = np.nan  # not read
        found = kernel(a)
        assert found.dtype == a.dtype
        np.testing.assert_allclose(found, np.linalg.cholesky(a), rtol=0, atol=400 * epsilon)
    a = positive(130, dtype, float(epsilon) * 1000)
    found = kernel(a)
    assert np.abs(found @ found.conj().T - a).max() < 30 * epsilon
    for last in (40, 129):  # in a block, and after the blocks
        a = positive(130, dtype, 0.01)
        a[last, last] = -1
        found = np.diagonal(kernel(a))
        assert np.isfinite(found[:last]).all()
        assert np.isnan(found[last:]).all()


def test_cholesky_of_a_known_size_has_blocks_only_if_it_is_large() -> None:
    def lower(a: Any) -> Any:
        return np.linalg.cholesky(a)

    for n in (40, 70):
        kernel = shine.compile(program(lower, types={"a": f"{n}.{n}.f64"}), target="openmp")
        assert ("fma(" in kernel.source) == (n == 70)
        a = positive(n, "f8", 0.01)
        np.testing.assert_allclose(kernel(a), lower(a), rtol=0, atol=1e-13)


def test_cholesky_of_integers_is_that_of_floats() -> None:
    def of_integers(a: N.N.i64):
        return np.linalg.cholesky(a)

    a = np.array([[4, 2, 2], [2, 5, 3], [2, 3, 6]])
    np.testing.assert_allclose(program(of_integers)(a), of_integers(a), rtol=1e-14)
