"""numpy's elementwise functions that are compositions of other functions."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np


def heaviside(x1: Any, x2: Any) -> Any:
    """`np.heaviside`."""
    return np.where(x1 == 0, x2, np.where(np.isnan(x1), x1, np.where(x1 < 0, np.zeros_like(x1), 1.0)))


def floats(x: Any, other: Any) -> Any:
    """Integers in the type in which numpy computes floating-point functions of them; other numbers unchanged."""
    if getattr(getattr(x, "dtype", None), "kind", "f") not in "iu":
        return x
    return x.astype(np.float64) if isinstance(other, float) else np.rint(x)


def logaddexp(x1: Any, x2: Any) -> Any:
    """`np.logaddexp`, within an error of a few units in the last place."""
    x1, x2 = floats(x1, x2), floats(x2, x1)
    greater = np.maximum(x1, x2)
    return np.where(x1 == x2, x1 + math.log(2.0), greater + np.log1p(np.exp(-np.abs(x1 - x2))))


def copysign(x1: Any, x2: Any) -> Any:
    """`np.copysign`; if the second number is NaN, its sign is taken as positive."""
    x1, x2 = floats(x1, x2), floats(x2, x1)
    if not isinstance(x1, int | float) and not isinstance(x2, int | float):
        x1 = x1.astype(np.result_type(x1.dtype, x2.dtype))
    if isinstance(x2, int | float):
        return np.abs(x1) if math.copysign(1.0, x2) > 0 else -np.abs(x1)
    if isinstance(x1, int | float):
        x1 = np.zeros_like(x2) + x1
    return np.where(signbit(x2), -np.abs(x1), np.abs(x1))


def signbit(x: Any) -> Any:
    """`np.signbit`; the sign of NaN is taken as positive."""
    return x < 0 if x.dtype.kind in "iu" else (x < 0) | ((x == 0) & (1.0 / x < 0))


def modf(x: Any) -> tuple[Any, Any]:
    """`np.modf`: the fractional and the integral part."""
    x = floats(x, 0.0)
    whole = np.trunc(x)
    return copysign(np.where(np.isinf(x), 0.0, x - whole), x), whole


def gcd(x1: Any, x2: Any) -> Any:
    """`np.gcd`, by Euclid's algorithm, which takes at most 92 steps for two numbers of 64 bits."""
    zeros = (x1 - x1) + (x2 - x2)
    greater, less = _magnitude(x1) + zeros, _magnitude(x2) + zeros
    k = 0
    while k < 92 and np.any(less != 0):
        rest = np.where(less == 0, less, greater % np.where(less == 0, 1, less))
        greater = np.where(less == 0, greater, less)
        less = rest
        k += 1
    return np.abs(greater)  # the magnitude of the least integer is that integer itself


def _magnitude(x: Any) -> Any:
    """The absolute value. For a Python number this is a Python number, since numpy's would have a type."""
    return abs(x) if isinstance(x, int) else np.abs(x)


def lcm(x1: Any, x2: Any) -> Any:
    """`np.lcm`."""
    divisor = gcd(x1, x2)
    return _magnitude(x1) // np.where(divisor == 0, 1, divisor) * _magnitude(x2)


def bitwise_count(x: Any) -> Any:
    """`np.bitwise_count`: the number of bits that are set in the magnitude, by sums of 2, 4 and 8 adjacent bits."""
    bits = 8 * x.dtype.itemsize
    pairs, fours, eights = (sum(mask << at for at in range(0, bits, 8)) for mask in (0x55, 0x33, 0x0F))
    counts = (np.abs(x) if x.dtype.kind == "i" else x).astype(np.dtype(f"u{bits // 8}"))
    counts = counts - ((counts >> 1) & pairs)
    counts = (counts & fours) + ((counts >> 2) & fours)
    counts = (counts + (counts >> 4)) & eights
    for shift in (8, 16, 32):
        if shift < bits:
            counts = counts + (counts >> shift)
    return (counts & 0x7F).astype(np.uint8)


def piecewise(x: Any, condlist: Sequence[Any], funclist: Sequence[Any]) -> Any:
    """`np.piecewise`; if several conditions hold, the last one is used."""
    values = [(f(x) if callable(f) else f) for f in funclist]
    found = np.zeros_like(x)
    if len(values) == len(condlist) + 1:
        found = np.where(np.ones_like(x, dtype=np.bool_), values[-1], found).astype(x.dtype)
    for condition, value in zip(condlist, values, strict=False):
        found = np.where(condition, value, found).astype(x.dtype)
    return found


def fix(x: Any) -> Any:
    """`np.fix`: rounded towards zero."""
    return np.trunc(x)


def float_power(x1: Any, x2: Any) -> Any:
    """`np.float_power`: powers in f64."""
    return x1.astype(np.float64) ** x2 if hasattr(x1, "astype") else x1 ** x2.astype(np.float64)


def degrees(x: Any) -> Any:
    """`np.degrees` and `np.rad2deg`."""
    return x * (180 / math.pi)


def fmax(x1: Any, x2: Any) -> Any:
    """`np.fmax`: the greater number, or the other one if one is NaN."""
    return np.where(x1 != x1, x2, np.where(x2 != x2, x1, np.maximum(x1, x2)))


def fmin(x1: Any, x2: Any) -> Any:
    """`np.fmin`: the lesser number, or the other one if one is NaN."""
    return np.where(x1 != x1, x2, np.where(x2 != x2, x1, np.minimum(x1, x2)))


def divmod_(x1: Any, x2: Any) -> tuple[Any, Any]:
    """`np.divmod`."""
    return floor_divide(x1, x2), x1 % x2


def floor_divide(x1: Any, x2: Any) -> Any:
    """`np.floor_divide`: the quotient is computed after subtracting the remainder, and rounded."""
    if not any(getattr(x, "dtype", np.dtype(type(x))).kind == "f" for x in (x1, x2)):
        return x1 // x2
    rest = x1 % x2
    quotient = (x1 - rest) / x2
    whole = np.floor(quotient)
    rounded = np.where(quotient - whole > 0.5, whole + 1.0, whole)
    rounded = np.where(quotient == 0, x1 / x2 * 0.0, rounded)  # a zero has the sign of the exact quotient
    # of a finite number and an infinite one of the other sign, the remainder is infinite
    return np.where(x2 == 0, x1 / x2, np.where(np.isinf(rest), -1.0, rounded))


def nan_to_num(
    x: Any, copy: bool = True, nan: float = 0.0, posinf: float | None = None, neginf: float | None = None
) -> Any:
    """`np.nan_to_num`; the array itself, changed, if it is not to be copied."""
    if not copy:
        x[...] = nan_to_num(x, True, nan, posinf, neginf)
        return x
    if x.dtype.kind == "c":
        real, imaginary = (nan_to_num(part, True, nan, posinf, neginf) for part in (x.real, x.imag))
        return real + 1j * imaginary
    if x.dtype.kind != "f":
        return x.copy()
    limits = np.finfo(x.dtype)
    above = float(limits.max) if posinf is None else posinf
    below = float(limits.min) if neginf is None else neginf
    return np.where(np.isnan(x), nan, np.where(x == np.inf, above, np.where(x == -np.inf, below, x)))


def sinc(x: Any) -> Any:
    """`np.sinc`."""
    angle = np.pi * np.where(x == 0, 1.0, x)
    return np.where(x == 0, 1.0, np.sin(angle) / angle)


def logaddexp2(x1: Any, x2: Any) -> Any:
    """`np.logaddexp2`, within an error of a few units in the last place."""
    x1, x2 = floats(x1, x2), floats(x2, x1)
    greater = np.maximum(x1, x2)
    return np.where(x1 == x2, x1 + 1.0, greater + np.log1p(np.exp2(-np.abs(x1 - x2))) / math.log(2.0))


def isposinf(x: Any) -> Any:
    """`np.isposinf`."""
    return x == math.inf if x.dtype.kind == "f" else np.zeros_like(x, dtype=np.bool_)


def isneginf(x: Any) -> Any:
    """`np.isneginf`."""
    return x == -math.inf if x.dtype.kind == "f" else np.zeros_like(x, dtype=np.bool_)


def isreal(x: Any) -> Any:
    """`np.isreal`: whether the imaginary part is 0."""
    return x.imag == 0 if x.dtype.kind == "c" else np.ones_like(x, dtype=np.bool_)


def iscomplex(x: Any) -> Any:
    """`np.iscomplex`: whether the imaginary part is not 0."""
    return x.imag != 0 if x.dtype.kind == "c" else np.zeros_like(x, dtype=np.bool_)
