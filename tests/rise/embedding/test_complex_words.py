"""Python programs with complex numbers compute the same as their functions do on numpy arrays."""

# The annotations are types of RISE, not of Python.
# ruff: noqa: F821

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest

import rise
import shine
from rise.diagnostics import RiseError
from rise.embedding import program
from tests.examples import some


def words(x: N.c128) -> Any:
    return np.conj(x) * np.abs(x) + x.real * 1j - x.imag + x.conj() / (2 - 1j) + np.real(x) - np.imag(x)


def functions(x: N.c128) -> Any:
    return np.exp(x) + np.sqrt(x) * np.log(x) - np.angle(x) + x**2 + x**0.5 + x**-1 + abs(x)


def powers(x: N.c128, y: N.f64) -> Any:
    return x**y + x ** (1j * y) + y**x + x**2.5 + 2j**y + np.power(x, 20) * 1e-9


def mixed(x: N.f64, y: N.c64, i: N.i64) -> Any:
    return x * y + 2 * y - 1j * x + i * y


def single(x: N.f32, y: N.c64) -> Any:
    return x * y + 2 * y - 1j * x + 0.5


def statistics(a: N.M.c128) -> Any:
    return np.sum(a, axis=0) + a.mean(axis=0) * np.prod(a, axis=0) - np.cumsum(a, axis=0)[-1]


def spread(a: N.c128) -> Any:
    return np.var(a) + np.linalg.norm(a) + np.std(a)


def products(a: N.M.c128, b: M.K.c128, v: M.c128) -> Any:
    return a @ b + np.vdot(v, v) * np.dot(v, v) + np.einsum("ij,j->i", a, v)[:, None]


def shifted(a: N.c128) -> Any:
    y = np.zeros(a.shape, dtype=np.complex128)
    y[1:] = a[:-1]
    y[0] = 2j
    y[-1] += a.real[0]
    return np.where(y == 2j, 1, y)


def mandelbrot(x: N.f64, y: M.f64, steps: nat) -> Any:
    c = x + y[:, None] * 1j
    z = np.zeros(c.shape, dtype=np.complex128)
    count = np.zeros(c.shape, dtype=np.int64)
    for n in range(steps):
        inside = np.less(abs(z), 2.0)
        count[inside] = n
        z[inside] = z[inside] ** 2 + c[inside]
    return z, count


def fourier(x: N.c128) -> Any:
    k = np.arange(x.shape[0])
    return np.exp(-2j * np.pi * np.outer(k, k) / x.shape[0]) @ x


def walk(left: N.c128, right: N.c128, steps: nat) -> Any:
    """The probabilities of a quantum walk on a circle, with the Hadamard coin."""
    for _ in range(steps):
        up = (left + right) / np.sqrt(2.0)
        down = (left - right) / np.sqrt(2.0)
        left = np.roll(up, -1)
        right = np.roll(down, 1)
    return np.abs(left) ** 2 + np.abs(right) ** 2


RNG: Final = np.random.default_rng(11)


def numbers(*shape: int, dtype: Any = np.complex128) -> Any:
    return (RNG.normal(size=shape) + 1j * RNG.normal(size=shape)).astype(dtype)


ARGUMENTS: Final[dict[Callable[..., Any], tuple[Any, ...]]] = {
    words: (numbers(5),),
    functions: (np.append(numbers(5), [-4, complex(-4, -0.0), 1j, -2j]),),
    mixed: (RNG.normal(size=4), numbers(4, dtype=np.complex64), np.arange(4)),
    single: (RNG.normal(size=4).astype(np.float32), numbers(4, dtype=np.complex64)),
    statistics: (numbers(3, 4),),
    spread: (numbers(6),),
    products: (numbers(3, 4), numbers(4, 2), numbers(4)),
    shifted: (numbers(5),),
    mandelbrot: (np.linspace(-2, 0.5, 9), np.linspace(-1, 1, 7), 6),
    fourier: (numbers(12),),
    walk: (np.eye(1, 16)[0] + 0j, np.zeros(16, np.complex128), 5),
}
COMPILED = some(ARGUMENTS, 4)


def close(found: Any, expected: Any) -> bool:
    if isinstance(expected, tuple):
        return all(close(one, other) for one, other in zip(found, expected, strict=True))
    narrow = expected.dtype in (np.complex64, np.float32)
    return found.dtype == expected.dtype and np.allclose(
        found, expected, rtol=1e-5 if narrow else 1e-13, atol=1e-12
    )


@pytest.mark.parametrize("function", some(ARGUMENTS, 2), ids=lambda f: f.__name__)
def test_a_program_agrees_with_numpy(function: Callable[..., Any], cache: Path) -> None:
    given = ARGUMENTS[function]
    built = program(function)
    expected = function(*given)
    assert close(built(*given), expected)
    if function in COMPILED:
        assert close(shine.compile(built, "openmp", cache=str(cache))(*given), expected)


def to_real(x: N.c64) -> Any:
    return x.astype("f32")


def ordered(x: N.c64) -> Any:
    return x < 1


def greatest(x: N.c64) -> Any:
    return x.max()


def into_real(x: N.f64) -> Any:
    y = np.zeros_like(x)
    y[0] = 1j
    return y


def into_part(x: N.c64) -> Any:
    x.real[0] = 1.0
    return x


def rounded(x: N.c64) -> Any:
    return np.floor(x)


REFUSED: Final = {
    to_real: "expected a complex type to convert c64 to, found f32",
    ordered: "`<` expected ord, found c64",
    greatest: "`maximum` expected numbers",
    into_real: "expected a number of type f64, found 1j",
    into_part: "expected an array, found a view|cannot be assigned|view",
    rounded: "`floor` expected numbers, found c64",
}


@pytest.mark.parametrize("function", REFUSED, ids=lambda f: f.__name__)
def test_unsupported_operations_on_complex_numbers_are_rejected(function: Callable[..., Any]) -> None:
    with pytest.raises(RiseError, match=REFUSED[function]):
        program(function)


def test_einsum_takes_complex_arrays() -> None:
    a, b = numbers(3, 4), numbers(5, 4, 3)
    assert close(shine.einsum("ij,kji->k", a, b), np.einsum("ij,kji->k", a, b))
    assert rise.c128 is rise.embedding.c128
