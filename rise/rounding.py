"""Arithmetic that must round only once: conversions between scalar types, exact numbers, fused multiply-add.

Depends on numpy's types, but not on terms. A conversion through a wider type rounds twice. Here the first step rounds
to odd: it chooses the neighbour of the exact value whose last bit is set, which makes the second rounding correct
(Boldo and Melquiond, "Emulation of FMA and correctly rounded sums", IEEE TC, 2008).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Final

import ml_dtypes
import numpy as np
from numpy.typing import NDArray

from rise.complex_numbers import joined
from rise.diagnostics import Diagnostic, RiseError

Array = NDArray[Any]

BF16: Final = np.dtype(ml_dtypes.bfloat16)
F16: Final = np.dtype(np.float16)
F32: Final = np.dtype(np.float32)
F64: Final = np.dtype(np.float64)
_BITS: Final[Mapping[np.dtype[Any], np.dtype[Any]]] = {F32: np.dtype(np.uint32), F64: np.dtype(np.uint64)}
_ADDED: Final = (BF16, np.dtype(ml_dtypes.float8_e4m3fn), np.dtype(ml_dtypes.float8_e5m2))
_SAFE_EXPONENT: Final = 400  # below it, no step of the emulated fma overflows or underflows


def is_integral(dtype: np.dtype[Any]) -> bool:
    """Whether a numpy type is an integer type."""
    return dtype.kind in "iu"


def convert(x: Array, dtype: np.dtype[Any]) -> Array:
    """`cast`: the nearest number of another type.

    Floats to integers truncate and saturate, NaN becomes 0; integers to integers wrap.
    """
    if x.dtype == dtype:
        return x
    if dtype.kind == "c":
        return convert_to_complex(x, dtype)
    if is_integral(x.dtype):
        return x.astype(dtype) if is_integral(dtype) or dtype in (F32, F64) else _narrow(_sticky(x), dtype)
    return _saturate(x, dtype) if is_integral(dtype) else _narrow(x, dtype)


def part_type(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """The type of the parts of complex numbers."""
    return F32 if dtype.itemsize == 8 else F64


def convert_to_complex(x: Array, dtype: np.dtype[Any]) -> Array:
    """The nearest complex number; a real number has the imaginary part 0."""
    part = part_type(dtype)
    if x.dtype.kind == "c":
        return joined(convert(x.real, part), convert(x.imag, part), dtype=dtype)
    return joined(convert(x, part), part.type(0), dtype=dtype)


class NumberRangeError(RiseError, OverflowError):
    """Raised for a number that its type cannot represent; `why` is a short explanation."""

    def __init__(self, why: str) -> None:
        hint = "choose a type or a size at which the number fits, or change the number"
        super().__init__(Diagnostic("number", why, hint=hint))
        self.why = why


def round_number(value: int | float | Fraction, dtype: np.dtype[Any]) -> Array:
    """An exact number as a 0-d array, rounded once. Raises NumberRangeError if an integer type cannot represent it."""
    if is_integral(dtype):
        limits = np.iinfo(dtype)
        if value != int(value) or not int(limits.min) <= value <= int(limits.max):
            raise NumberRangeError(f"{value} does not fit {dtype}")
        return np.array(int(value), dtype)
    if dtype.kind == "b":
        return np.array(bool(value), dtype)
    if dtype.kind == "c":
        return joined(round_number(value, part_type(dtype)), 0, dtype=dtype)
    nearest = _nearest(value)
    with np.errstate(all="ignore"):
        if dtype == F64 or isinstance(value, float) or not math.isfinite(nearest):
            return convert(np.array(nearest, F64), dtype)
        error = Fraction(value) - Fraction(nearest)
        direction = np.array((error > 0) - (error < 0), F64)
        return _narrow(_to_odd(np.array(nearest, F64), direction), dtype)


def fma(a: Array, b: Array, c: Array) -> Array:
    """a * b + c with one rounding, or with two of each part of complex numbers; all three have the same type."""
    if a.dtype.kind == "c":
        real = fma(a.real, b.real, fma(-a.imag, b.imag, c.real))
        return joined(real, fma(a.real, b.imag, fma(a.imag, b.real, c.imag)), dtype=a.dtype)
    if a.dtype == F64:
        if a.ndim or b.ndim or c.ndim:
            return _fma64(a, b, c)
        return np.array(_exact_fma(float(a), float(b), float(c)))
    # A product of two numbers of at most 24 bits is exact with 53 bits.
    product = a.astype(F64) * b.astype(F64)
    addend = c.astype(F64)
    return _narrow(_sum_to_odd(product, addend), a.dtype)


def _nearest(value: float | Fraction) -> float:
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf


def _to_odd(nearest: Array, error: Array) -> Array:
    """The exact `nearest + error` rounded to odd; only the error's sign counts."""
    is_even = (np.asarray(nearest).view(_BITS[nearest.dtype]) & np.array(1, _BITS[nearest.dtype])) == 0
    moves = is_even & (error != 0) & ~np.isnan(error)
    infinity = np.array(np.inf, nearest.dtype)
    toward = np.nextafter(nearest, np.where(error > 0, infinity, -infinity))
    return np.asarray(np.where(moves, toward, nearest))


def _two_sum(a: Array, b: Array) -> tuple[Array, Array]:
    """The rounded sum and its exact error (Knuth)."""
    total = a + b
    virtual = total - a
    return total, (a - (total - virtual)) + (b - virtual)


def _sum_to_odd(a: Array, b: Array) -> Array:
    total, error = _two_sum(a, b)
    return _to_odd(np.asarray(total), np.where(np.isfinite(total), error, 0.0))


def _narrow(x: Array, dtype: np.dtype[Any]) -> Array:
    """A float to another float type. ml_dtypes converts f64 to its types through f32, which rounds twice."""
    if dtype in _ADDED and x.dtype == F64:
        single = np.asarray(x.astype(F32))
        error = np.where(np.isfinite(x), x - single.astype(F64), 0.0)
        x = _to_odd(single, error)
    return x.astype(dtype)


def _sticky(x: Array) -> Array:
    """Integers as f64, rounded to odd: bits that do not fit set the last bit."""
    widened = (
        x if x.dtype.kind == "u" else x.astype(np.int64)
    )  # -(-128) is not an i8; the least i64 becomes 2^63 below
    magnitude = np.where(x < 0, np.negative(widened), widened).astype(np.uint64)
    big = magnitude >= np.uint64(1 << 32)
    low = (magnitude & np.uint64(0xFFFF)) != 0
    top = np.where(big, (magnitude >> np.uint64(16)) | low.astype(np.uint64), magnitude)
    size = top.astype(F64) * np.where(big, 65536.0, 1.0)
    return np.asarray(np.where(x < 0, -size, size))


def _saturate(x: Array, dtype: np.dtype[Any]) -> Array:
    limits = np.iinfo(dtype)
    exact = np.trunc(x.astype(F64))
    inside = (exact < float(int(limits.max) + 1)) & (exact >= float(limits.min))
    saturated = np.where(exact > 0, np.array(limits.max, dtype), np.array(limits.min, dtype))
    saturated = np.where(np.isnan(exact), np.array(0, dtype), saturated)
    return np.asarray(np.where(inside, np.where(inside, exact, 0.0).astype(dtype), saturated))


def _fma64(a: Array, b: Array, c: Array) -> Array:
    a, b, c = np.broadcast_arrays(a, b, c)
    # A product of finite numbers is never infinite before the sum is rounded.
    result = np.where(np.isfinite(a) & np.isfinite(b) & np.isinf(c), c, a * b + c)
    exponents = [np.frexp(x)[1] for x in (a, b, c)]
    is_safe = np.abs(np.stack(exponents)).max(axis=0) < _SAFE_EXPONENT
    finite = np.isfinite(a) & np.isfinite(b) & np.isfinite(c) & (a != 0) & (b != 0)
    emulated = _fma64_safe(np.asarray(a), np.asarray(b), np.asarray(c))
    result = np.where(finite & is_safe, emulated, result)
    slow = finite & ~is_safe
    if slow.any():
        numbers = (x[slow].tolist() for x in (a, b, c))
        result[slow] = [_exact_fma(*one) for one in zip(*numbers, strict=True)]
    return np.asarray(result)


def _exact_fma(a: float, b: float, c: float) -> float:
    """a * b + c with one rounding: quotients of integers are rounded once."""
    if not (math.isfinite(a) and math.isfinite(b)):
        return a * b + c
    if not math.isfinite(c):
        return c
    (a_over, a_under), (b_over, b_under), (c_over, c_under) = map(float.as_integer_ratio, (a, b, c))
    under = a_under * b_under
    over = a_over * b_over * c_under + c_over * under
    if not over:  # both terms are zero, or they cancel exactly: no rounding
        return a * b + c
    try:
        return over / (under * c_under)
    except OverflowError:
        return math.inf if over > 0 else -math.inf


def _fma64_safe(a: Array, b: Array, c: Array) -> Array:
    high, low = _two_product(a, b)
    inner, inner_error = _two_sum(c, low)
    outer, outer_error = _two_sum(high, inner)
    return np.asarray(outer + _sum_to_odd(inner_error, outer_error))


def _two_product(a: Array, b: Array) -> tuple[Array, Array]:
    """The rounded product and its exact error (Dekker and Veltkamp)."""
    product = a * b
    (a1, a2), (b1, b2) = _halves(a), _halves(b)
    return product, ((a1 * b1 - product) + a1 * b2 + a2 * b1) + a2 * b2


def _halves(x: Array) -> tuple[Array, Array]:
    scaled = 134217729.0 * x  # 2^27 + 1
    high = scaled - (scaled - x)
    return high, x - high
