"""numpy's functions on the exponents and the bits of floating-point numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

from rise.embedding.numpy_definitions.elementwise import floats

#: by the width of a format in bits: the number of bits of the fraction, and the stored exponent of 1
_FORMATS = {2: (10, 15), 4: (23, 127), 8: (52, 1023)}


def ldexp(x1: Any, x2: Any) -> Any:
    """`np.ldexp`: x1 * 2**x2, rounded once."""
    x1 = np.zeros_like(x2, dtype=np.float64) + x1 if isinstance(x1, int | float) else floats(x1, None)
    if x1.dtype.itemsize == 2:
        return ldexp(x1.astype(np.float32), x2).astype(x1.dtype)  # all its numbers are normal in f32
    fraction, bias = _FORMATS[x1.dtype.itemsize]
    exponent = np.clip(x2, -4 * bias, 4 * bias).astype(np.int32)
    for _ in range(2):
        # above the least exponent, so that only the last product rounds
        step = np.where(exponent > bias, bias, np.where(exponent < 1 - bias, 1 - bias + fraction + 1, 0))
        x1 = x1 * _power_of_two(step, x1.dtype)
        exponent = exponent - step
    return x1 * _power_of_two(np.clip(exponent, 1 - bias, bias), x1.dtype)


def frexp(x: Any) -> tuple[Any, Any]:
    """`np.frexp`: a fraction with a magnitude from 0.5 to 1, and the exponent of 2; for zero, infinities and NaN, the
    number and 0.
    """
    x = floats(x, None)
    fraction, bias = _FORMATS[x.dtype.itemsize]
    is_plain = np.isfinite(x) & (x != 0)
    is_small = np.abs(x) < np.finfo(x.dtype).smallest_normal
    normal = np.where(is_small, x * float(2 ** (fraction + 1)), x)
    bits = _bits(normal)
    stored = (bits >> fraction) & (2 * bias + 1)
    kept = (bits & ~((2 * bias + 1) << fraction)) | ((bias - 1) << fraction)
    exponent = stored.astype(np.int32) - (bias - 1) - np.where(is_small, fraction + 1, 0).astype(np.int32)
    return np.where(is_plain, kept.view(x.dtype), x), np.where(is_plain, exponent, 0)


def nextafter(x1: Any, x2: Any) -> Any:
    """`np.nextafter`: the next number after x1 in the direction of x2."""
    x1, x2 = floats(x1, x2), floats(x2, x1)
    if isinstance(x2, int | float):
        x2 = np.zeros_like(x1) + x2
    elif isinstance(x1, int | float):
        x1 = np.zeros_like(x2) + x1
    bits = _bits(x1)
    is_away = (x2 > x1) == (x1 > 0)
    beside = np.where(is_away, bits + 1, bits - 1).view(x1.dtype)
    least = float(np.finfo(x1.dtype).smallest_subnormal)
    from_zero = np.where(x2 > 0, least, -least).astype(x1.dtype)
    found = np.where(x1 == x2, x2, np.where(x1 == 0, from_zero, beside))
    return np.where(np.isnan(x1) | np.isnan(x2), x1 + x2, found)


def spacing(x: Any) -> Any:
    """`np.spacing`: the distance to the next number away from 0; that of a negative number is negative."""
    x = floats(x, None)
    return nextafter(x, np.where(x < 0, -np.inf, np.inf).astype(x.dtype)) - x


def _bits(x: Any) -> Any:
    """Floating-point numbers as signed integers with the same bits."""
    return x.view(np.dtype(f"i{x.dtype.itemsize}"))


def _power_of_two(exponent: Any, dtype: Any) -> Any:
    """Powers of 2 that are normal numbers."""
    fraction, bias = _FORMATS[dtype.itemsize]
    return ((exponent.astype(np.dtype(f"i{dtype.itemsize}")) + bias) << fraction).view(dtype)
