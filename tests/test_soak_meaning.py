"""Results that the soak accepts: exactly those that derivations of a class may compute."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import rise
from elevate import FloatClass
from rise.scalars import SCALARS
from tests.examples import examples, some
from tests.soak.comparison import compare
from tests.soak.meaning import meaning

F32 = np.float32
DOT = "fun(xs: N.{t}, ys: N.{t} => zip(xs, ys) |> map(fun(p => fst(p) * snd(p))) |> reduce(add, 0.0{s}))"


def agrees(text: str, found: Any, *arguments: Any, allowed: FloatClass = FloatClass.EXACT) -> bool:
    e = rise.parse(text).main
    return not compare(found, meaning(e, arguments, {}, allowed)).wrong


def test_a_fused_product_does_not_overflow() -> None:
    """An infinity and a product beyond the largest number: NaN in two steps, an infinity in one."""
    xs, ys = np.array([np.inf, -3e38], F32), np.array([1.0, 3e38], F32)
    dot = DOT.format(t="f32", s="")
    assert agrees(dot, F32(np.nan), xs, ys)
    assert not agrees(dot, F32(np.inf), xs, ys)
    assert agrees(dot, F32(np.inf), xs, ys, allowed=FloatClass.CONTRACTING)
    assert not agrees(dot, F32(1.0), xs[1:], ys[1:], allowed=FloatClass.EXACT)


def test_sums_in_another_order_do_not_overflow() -> None:
    xs = np.array([3e38, 3e38, -3e38], F32)
    total = "fun(xs: N.f32 => xs |> reduce(add, 0.0))"
    assert agrees(total, F32(3e38), xs, allowed=FloatClass.REASSOCIATING)
    assert not agrees(total, F32(3e38), xs)


@pytest.mark.parametrize(
    ("f", "start", "numbers", "found"),
    some(
        [
            ("add", "0.0", [3e38, -3e38, 3e38], np.inf),
            ("mul", "1.0", [1e-3, 1e20, 1e20], np.inf),
            ("mul", "1.0", [1e30, 1e-30, 1e-30], 0.0),
            ("mul", "1.0", [1e-3, 1e20, -1e20], -np.inf),
        ],
        2,
    ),
)
def test_sums_and_products_in_another_order_may_overflow_or_underflow(
    f: str, start: str, numbers: list[float], found: float
) -> None:
    """Found by the soak (SEED=2 AT=288.24): a finite product whose last factors alone overflow."""
    xs, text = np.array(numbers, F32), f"fun(xs: N.f32 => xs |> reduce({f}, {start}))"
    assert agrees(text, F32(found), xs, allowed=FloatClass.REASSOCIATING)
    assert not agrees(text, F32(found), xs, allowed=FloatClass.CONTRACTING)
    assert not agrees(text, F32(found), xs / xs, allowed=FloatClass.REASSOCIATING)


@pytest.mark.parametrize(
    ("t", "suffix"), some([("f32", ""), ("f64", "f64"), ("f16", "f16"), ("bf16", "bf16")], 2)
)
def test_sums_of_products_may_cancel(t: str, suffix: str) -> None:
    """Sums that are rounded after each addition in three orders, or once, agree; a sum without one of its terms does
    not.
    """
    random, dot = np.random.default_rng(3), DOT.format(t=t, s=suffix)
    dtype = SCALARS[t].dtype
    for _ in range(examples(16)):
        xs, ys = (random.normal(0, 1, 30).astype(dtype) for _ in range(2))
        once = dtype.type(np.sum(xs.astype(np.float64) * ys.astype(np.float64)))
        backwards = dtype.type(0)
        for x, y in zip(xs[::-1], ys[::-1], strict=True):
            backwards = dtype.type(dtype.type(x * y) + backwards)
        for found in (once, backwards):
            assert agrees(dot, found, xs, ys, allowed=FloatClass.REASSOCIATING)


def test_a_missing_element_is_found() -> None:
    random, dot = np.random.default_rng(4), DOT.format(t="f32", s="")
    for _ in range(examples(10)):
        xs, ys = (random.normal(0, 1, 30).astype(F32) for _ in range(2))
        assert not agrees(dot, F32(np.dot(xs[1:], ys[1:])), xs, ys, allowed=FloatClass.REASSOCIATING)


@pytest.mark.parametrize("t", some(["c64", "c128"], 2))
def test_complex_sums_of_products_may_cancel_in_either_part(t: str) -> None:
    random, dot = np.random.default_rng(5), DOT.format(t=t, s="").replace("0.0", f"(0 : {t})")
    dtype = SCALARS[t].dtype
    for _ in range(examples(10)):
        xs, ys = ((random.normal(0, 1, 30) + 1j * random.normal(0, 1, 30)).astype(dtype) for _ in range(2))
        found = [np.sum(xs * ys), np.sum((xs * ys)[::-1]), np.sum(xs[1:] * ys[1:])]
        judged = [agrees(dot, dtype.type(one), xs, ys, allowed=FloatClass.REASSOCIATING) for one in found]
        assert judged == [True, True, False]


def test_parts_of_complex_numbers_are_judged_by_their_bits() -> None:
    same = "fun(xs: N.c64 => xs |> map(conj))"
    xs = np.array([complex(np.nan, 0.0), complex(1.0, 0.0), complex(np.inf, np.nan)], np.complex64)
    assert agrees(same, np.conj(xs), xs)
    assert not agrees(same, xs, xs)  # the signs of zeros


def test_either_zero_may_be_the_maximum() -> None:
    text = "fun(xs: 3.f32 => xs |> scan(max, -1.0) |> map(fun(x => atan(acos(x) / x))))"
    zeros, quarter = np.array([-0.0, 0.0, -0.0], F32), np.float32(np.pi / 2)
    assert agrees(text, np.full(3, -quarter), zeros)  # the first of them
    assert agrees(text, np.array([-quarter, quarter, -quarter]), zeros)  # each one
    assert not agrees(text, np.full(3, quarter), zeros / 2 + 0.5)


def test_numbers_next_to_zero_differ_by_few_steps() -> None:
    xs = np.array([1e-45, 3e-45, 1e-45], F32)
    text = "fun(xs: N.f32 => xs |> map(fun(x => x * 0.7 + x)))"
    exact = rise.evaluate(rise.parse(text).main, xs)
    assert agrees(text, exact + F32(1e-45), xs, allowed=FloatClass.CONTRACTING)
    assert not agrees(text, exact + F32(1e-45), xs)
    assert not agrees(text, exact + F32(1e-43), xs, allowed=FloatClass.CONTRACTING)


def test_products_in_another_order_may_be_an_infinity_times_zero() -> None:
    xs = np.array([0.0, 3e38, 3e38], F32)
    product = "fun(xs: N.f32 => xs |> reduce(mul, 1.0))"
    assert agrees(product, F32(np.nan), xs, allowed=FloatClass.REASSOCIATING)
    assert not agrees(product, F32(np.nan), xs)
    assert not agrees(product, F32(np.nan), xs[1:] / F32(1e30), allowed=FloatClass.REASSOCIATING)


def test_elements_are_scattered_in_any_order() -> None:
    xs = np.random.default_rng(5).normal(0, 1, 60).astype(np.float16)
    places = np.arange(60) % 3
    text = "fun(is: N.idx[3], xs: N.f16 => scatterAdd(is, xs, generate(fun(i: idx[3] => 0.1f16))))"
    backwards = np.full(3, 0.1, np.float16)
    for place, x in zip(places[::-1], xs[::-1], strict=True):
        backwards[place] += x
    assert agrees(text, backwards, places, xs, allowed=FloatClass.REASSOCIATING)
    assert not agrees(text, backwards + np.float16(0.5), places, xs, allowed=FloatClass.REASSOCIATING)


def test_the_padding_of_an_empty_array_is_unspecified() -> None:
    text = "fun(xs: N.f32 => xs |> padClamp(1, 1) |> map(fun(x => x * 2.0)))"
    assert agrees(text, np.array([7.0, 8.0], F32), np.zeros(0, F32))
    assert not agrees(text, np.array([7.0, 8.0, 9.0], F32), np.ones(1, F32))
    least = "fun(xs: N.u16 => xs |> padClamp(1, 1) |> reduce(min, 1u16))"
    assert agrees(least, np.uint16(0), np.zeros(0, np.uint16))


def test_a_fused_underflow_has_the_sign_of_the_exact_sum() -> None:
    """-1e-60 rounds to -0.0, and 0.0 + -0.0 is 0.0; fused, the sum is -0.0."""
    text = "fun(x: f32, y: f32 => 1.0 / (0.0 + x * y))"
    assert agrees(text, F32(-np.inf), F32(-1e-30), F32(1e-30), allowed=FloatClass.CONTRACTING)
    assert not agrees(text, F32(-np.inf), F32(-1e-30), F32(1e-30))


def test_remainders_by_less_than_a_rounding_error_are_unspecified() -> None:
    """The last digit of `exp` is unspecified, and it is larger than the divisor here; with a larger divisor, the result
    is judged.
    """
    remainder = "fun(x: f32, y: f32 => exp(x) % y)"
    assert agrees(remainder, F32(6.1e-9), F32(0.1), F32(2.4915254e-8))
    assert not agrees(remainder, F32(0.2), F32(0.1), F32(0.7))
    assert not agrees("fun(x: f32, y: f32 => x % y)", F32(6.1e-9), F32(1.1), F32(2.4915254e-8))


def test_infinite_products_may_be_an_infinity_times_zero() -> None:
    product = "fun(xs: N.f32 => xs |> reduce(mul, 1.0))"
    xs = np.array([1e30, 1e30, 1e-30, 1e-30], F32)
    assert agrees(product, F32(np.nan), xs, allowed=FloatClass.REASSOCIATING)
    assert not agrees(product, F32(np.nan), xs)
    assert not agrees(product, F32(np.nan), xs[2:] * F32(1e25), allowed=FloatClass.REASSOCIATING)


def test_a_nan_of_eight_bits_is_any_nan() -> None:
    """Found by the soak (SEED=8 AT=7.32)."""
    xs = np.array([np.nan, 1.0], SCALARS["f8e4m3"].dtype)
    assert agrees("fun(xs: N.f8e4m3 => xs)", xs, xs)
    assert not agrees("fun(xs: N.f8e4m3 => xs)", xs[::-1], xs)
