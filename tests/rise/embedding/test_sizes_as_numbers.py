"""Sizes in arithmetic, and numbers whose type no array determines: programs compute the same as numpy, with its
types.
"""

# The annotations are types of RISE, not of Python.
# ruff: noqa: F722, F821

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import rise
import shine
from rise.embedding import arange, generate, program, scan


def halves(x: N.f64):
    return x * (x.shape[0] * 0.5), x / (1.5 + x.shape[0])


def unbiased(x: N.f64):
    return x / (x.shape[0] - 1.5), (2.0 - x.shape[0]) * x


def scaled(x: N.f64):
    return x / np.sqrt(x.shape[0]), x * np.float64(3) * x.shape[0]


def squared(x: N.f64):
    n = x.shape[0]
    return x * n**2, x * 2**n, x * n**-1, x * n**0.5, n % 2 * x, n % 0.7 * x, 7 // n * x


def shares(x: N.f64):
    n = x.shape[0]
    return 0.15 / n + 0.85 * x, x * (1 / n), -(1 / n) * x, abs(1 / n - 1) * x, 2 * np.pi / n + x


def chosen(x: N.f64):
    return np.where(x > 0, 1.0, 0.0) * x, np.where(x.shape[0] / 2 > 2.0, x, -x), x * np.float32(0.1)


def running(x: N.f64):
    return scan(lambda state, v: (state.first + v, state.second * v), (0.0, 1.0), x).second


def single(x: N.f32):
    n = x.shape[0]
    return x * (1 / n), x * (n * 0.5), np.where(x > 0, 1.0, 0.0) * x, x / np.sqrt(n)


def diagonal(x: N.f32):
    n = x.shape[0]
    return generate(lambda i, j: np.where(i == j, x[i], 0.0), n, n), generate(lambda i: i + 2 * i, n)


def mixed(a: K.M.N.f32, b: "1.N.M.f32", c: "(1+1).1.N.M.f32"):
    return a @ b, a @ c, c @ a[:1]


def counted(x: N.f32):
    n = x.shape[0]
    return arange(2 * n + 1).sum(), generate(lambda i, j: i < j, n, n + 1), arange(n).astype(np.float32)


def flat(result: Any) -> list[Any]:
    return [leaf for part in result for leaf in flat(part)] if isinstance(result, tuple) else [result]


@pytest.mark.parametrize("function", [halves, unbiased, scaled, squared, shares, chosen, single])
@pytest.mark.parametrize("n", [1, 4, 7])
def test_sizes_are_numbers(function, n: int) -> None:
    built = program(function)
    x = np.linspace(-2, 2, n).astype(np.float32 if function is single else np.float64)
    for found, wanted in zip(flat(built(x)), flat(function(x)), strict=True):
        assert found.dtype == x.dtype
        assert np.allclose(found, wanted, rtol=1e-6)
    assert rise.parse(built.text).main == built.main


@pytest.mark.parametrize("function", [diagonal, counted])
def test_indices_are_compared_and_counted(function) -> None:
    x = np.arange(4, dtype=np.float32) + 1
    for found, wanted in zip(flat(program(function)(x)), flat(function(x)), strict=True):
        assert np.array_equal(found, wanted)


def every_other_in_rows(x: N.M.f64, k: nat, l: nat):
    return x[:, ::2].reshape(k, l).sum(axis=1)


def in_three_rows(x: N.f64):
    return x.reshape(3, 4)


def layer(x: N.M.f64, w: K.L.f64, k: nat):
    return x.reshape(x.shape[0], k) @ w


@pytest.mark.parametrize(
    ("function", "right", "wrong"),
    [
        (every_other_in_rows, [((4, 6), 3, 4), ((4, 5), 6, 2)], [((4, 6), 3, 3), ((4, 6), 3, 5)]),
        (in_three_rows, [((12,),)], [((11,),), ((13,),)]),
        (layer, [((2, 3), (3, 4), 3)], [((2, 3), (4, 4), 3), ((2, 3), (3, 4), 2), ((2, 3), (2, 2), 2)]),
    ],
)
def test_equal_sizes_may_be_checked_at_the_call(function, right: Any, wrong: Any) -> None:
    built = program(function)
    kernel = shine.compile(built, target="interpret")
    for sizes in right:
        given = [
            np.arange(float(np.prod(each))).reshape(each) if isinstance(each, tuple) else each
            for each in sizes
        ]
        for found in (built(*given), kernel(*given)):
            assert np.array_equal(found, function(*given))
    for sizes in wrong:
        given = [np.ones(each) if isinstance(each, tuple) else each for each in sizes]
        with pytest.raises(ValueError):  # noqa: PT011  # numpy's message is its own
            function(*given)
        for run, code in ((built, "fact"), (kernel, "size-mismatch")):
            with pytest.raises(rise.RiseError) as error:
                run(*given)
            assert error.value.diagnostic.code == code
            assert "promises" in str(error.value)


def between_borders(x: N.f64, steps: nat):
    for _ in range(steps):
        x[1:-1] = x[2:] - x[:-2]
    return x


def test_a_size_that_is_too_small_is_named_in_a_function_of_sizes() -> None:
    with pytest.raises(rise.RiseError) as error:
        program(between_borders)(np.ones(1), 2)
    assert error.value.diagnostic.title == "expected the size `N - 2` to be a natural number, found -1"


def test_start_values_of_scans_have_the_type_of_the_program() -> None:
    assert program(running)(np.array([2.0, 3.0])).tolist() == [2, 6]


def test_products_of_stacks_broadcast_their_leading_axes() -> None:
    rng = np.random.default_rng(0)
    a, b, c = (rng.random(shape, np.float32) for shape in ((3, 2, 4), (1, 4, 2), (2, 1, 4, 2)))
    for found, wanted in zip(flat(program(mixed)(a, b, c)), mixed(a, b, c), strict=True):
        assert found.shape == wanted.shape
        assert np.allclose(found, wanted)


def test_floats_are_f32_without_f64_arrays() -> None:
    assert str(program(ones_where_positive).type) == "{N: nat} -> N.f32 -> N.f32"


def ones_where_positive(x: N.f32):
    return np.where(x > 0, 1.0, 0.0)
