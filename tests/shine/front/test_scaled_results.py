"""`alpha` and `beta` of `shine.einsum`: factors of a contraction and of what `out` has."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import pytest

import rise
import shine
from rise.einsum.elaboration import Operators
from shine.front.scaled_results import scaled_text
from tests.examples import some
from tests.shine.executors import in_turn


def numbers(shape: tuple[int, ...], dtype: str = "float32", seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).integers(-4, 5, shape).astype(dtype)


FACTORS: Final = [(2, None), (None, 3), (2, -1), (0, 0), (-1, 1)]
SPECS: Final = {
    "ij,jk->ik": ((3, 4), (4, 5)),
    "abk,cdk->acbd": ((2, 3, 4), (5, 2, 4)),
    "ij,ij->": ((3, 4), (3, 4)),
    "ij->ji": ((3, 4),),
    "ij,jk,kl->il": ((3, 4), (4, 5), (5, 2)),
    "ij,jk->ki": ((0, 4), (4, 5)),
}


@pytest.mark.parametrize(
    ("spec", "factors", "dtype"),
    some(
        [
            (s, f, t)
            for (s, f), t in in_turn(
                [(s, f) for s in SPECS for f in FACTORS], ("float32", "int64", "complex64")
            )
        ],
        6,
    ),
)
def test_results_are_sums_with_factors(spec: str, factors: Any, dtype: str) -> None:
    alpha, beta = factors
    arrays = [numbers(shape, dtype, seed) for seed, shape in enumerate(SPECS[spec])]
    contracted = np.einsum(spec, *arrays)
    before = numbers(np.shape(contracted), dtype, 9)
    out = np.array(before) if beta is not None else np.full(np.shape(contracted), 77, dtype)
    expected = (1 if alpha is None else alpha) * contracted + (0 if beta is None else beta * before)
    found = shine.einsum(spec, *arrays, out=out, alpha=alpha, beta=beta, target="interpret")
    assert found is out
    np.testing.assert_array_equal(out, expected.astype(dtype))
    if beta is None:
        found = shine.einsum(spec, *arrays, alpha=alpha, target="interpret")
        np.testing.assert_array_equal(found, expected.astype(dtype))


def test_out_may_have_strides() -> None:
    """Kernels in C; the elements between those of `out` keep their values."""
    a, b, whole = numbers((3, 4)), numbers((4, 5), seed=1), numbers((6, 10), seed=2)
    before = whole.copy()
    shine.einsum("ij,jk->ik", a, b, out=whole[::2, ::-2], alpha=2, beta=3)
    np.testing.assert_array_equal(whole[::2, ::-2], 2 * (a @ b) + 3 * before[::2, ::-2])
    whole[::2, ::-2] = before[::2, ::-2]
    np.testing.assert_array_equal(whole, before)


@pytest.mark.parametrize("dtype", some(["float16", "uint8", "float64"], 1))
def test_factors_are_numbers_of_the_type_of_the_operands(dtype: str) -> None:
    a, out = np.arange(3).astype(dtype), np.ones(3, dtype)
    shine.einsum("i,i->i", a, a, out=out, alpha=np.int32(2), beta=3, target="interpret")
    np.testing.assert_array_equal(out, 2 * a * a + 3)


def test_without_beta_the_elements_of_out_are_not_read() -> None:
    a, b, out = numbers((3, 4)), numbers((4, 5), seed=1), np.full((3, 5), np.nan, "float32")
    shine.einsum("ij,jk->ik", a, b, out=out, alpha=-1, target="interpret")
    np.testing.assert_array_equal(out, -(a @ b))


def test_the_operators_are_those_of_the_contraction() -> None:
    a, b, before = numbers((3, 4)), numbers((4, 5), seed=1), numbers((3, 5), seed=2)
    out = before.copy()
    operators = ("max", "add")
    shine.einsum("ij,jk->ik", a, b, out=out, alpha=1, beta=2, operators=operators, target="interpret")
    expected = np.maximum((a[:, :, None] + b[None]).max(1) + 1, before + 2)
    np.testing.assert_array_equal(out, expected)
    x, y = numbers((3, 4)) > 2, numbers((4, 5), seed=1) > 2
    held = numbers((3, 5), seed=2) > 1
    out = held.copy()
    shine.einsum("ij,jk->ik", x, y, out=out, alpha=True, beta=True, target="interpret")
    np.testing.assert_array_equal(out, (x @ y) | held)


def test_an_operand_may_be_out_if_it_is_added() -> None:
    """The contraction is complete before `out` changes."""
    a = numbers((3, 3))
    expected = a @ a + 2 * a
    shine.einsum("ij,jk->ik", a, a, out=a, beta=2)
    np.testing.assert_array_equal(a, expected)


def test_the_text_of_the_last_step() -> None:
    usual = Operators("add", "mul", "0.0f32")
    text = scaled_text((2, 3), "f32", usual, True, True)
    assert (
        rise.parse(text).main.type
        == rise.parse("fun(result: 2.3.f32, out: 2.3.f32, alpha: f32, beta: f32 => out)").main.type
    )
    r, o = numbers((2, 3)), numbers((2, 3), seed=1)
    np.testing.assert_array_equal(rise.evaluate(rise.parse(text).main, r, o, 2.0, 3.0), 2 * r + 3 * o)
