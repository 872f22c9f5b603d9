"""numpy's functions of single elements that are combinations of others."""

from __future__ import annotations

import math
from typing import Any

import numpy as np


def heaviside(x1: Any, x2: Any) -> Any:
    """`np.heaviside`."""
    return np.where(x1 == 0, x2, np.where(np.isnan(x1), x1, np.where(x1 < 0, np.zeros_like(x1), 1.0)))


def _floats(x: Any, other: Any) -> Any:
    """Whole numbers in the type in which numpy computes functions of floats for them; others as they are."""
    if getattr(getattr(x, "dtype", None), "kind", "f") not in "iu":
        return x
    return x.astype(np.float64) if isinstance(other, float) else np.rint(x)


def logaddexp(x1: Any, x2: Any) -> Any:
    """`np.logaddexp`, within an error of a few units in the last place."""
    x1, x2 = _floats(x1, x2), _floats(x2, x1)
    greater = np.maximum(x1, x2)
    return np.where(x1 == x2, x1 + math.log(2.0), greater + np.log1p(np.exp(-np.abs(x1 - x2))))


def copysign(x1: Any, x2: Any) -> Any:
    """`np.copysign`; of a NaN as the second the sign counts as positive."""
    x1, x2 = _floats(x1, x2), _floats(x2, x1)
    if isinstance(x2, int | float):
        return np.abs(x1) if math.copysign(1.0, x2) > 0 else -np.abs(x1)
    if isinstance(x1, int | float):
        x1 = np.zeros_like(x2) + x1
    is_negative = (x2 < 0) | ((x2 == 0) & (1.0 / x2 < 0))
    return np.where(is_negative, -np.abs(x1), np.abs(x1))


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
    """`np.fmax`: the greater one, or the one that is no NaN."""
    return np.where(x1 != x1, x2, np.where(x2 != x2, x1, np.maximum(x1, x2)))


def fmin(x1: Any, x2: Any) -> Any:
    """`np.fmin`: the lesser one, or the one that is no NaN."""
    return np.where(x1 != x1, x2, np.where(x2 != x2, x1, np.minimum(x1, x2)))


def divmod_(x1: Any, x2: Any) -> tuple[Any, Any]:
    """`np.divmod`."""
    return floor_divide(x1, x2), x1 % x2


def floor_divide(x1: Any, x2: Any) -> Any:
    """`np.floor_divide`, which rounds the quotient of what the remainder leaves."""
    if not any(getattr(x, "dtype", np.dtype(type(x))).kind == "f" for x in (x1, x2)):
        return x1 // x2
    rest = x1 % x2
    quotient = (x1 - rest) / x2
    whole = np.floor(quotient)
    rounded = np.where(quotient - whole > 0.5, whole + 1.0, whole)
    # a finite number and an infinite one of the other sign leave infinity
    return np.where(x2 == 0, x1 / x2, np.where(np.isinf(rest), -1.0, rounded))


def nan_to_num(x: Any, nan: float = 0.0, posinf: float | None = None, neginf: float | None = None) -> Any:
    """`np.nan_to_num`."""
    if x.dtype.kind == "c":
        return nan_to_num(x.real, nan, posinf, neginf) + 1j * nan_to_num(x.imag, nan, posinf, neginf)
    if x.dtype.kind != "f":
        return x
    limits = np.finfo(x.dtype)
    above = float(limits.max) if posinf is None else posinf
    below = float(limits.min) if neginf is None else neginf
    return np.where(np.isnan(x), nan, np.where(x == np.inf, above, np.where(x == -np.inf, below, x)))


def sinc(x: Any) -> Any:
    """`np.sinc`."""
    angle = np.pi * np.where(x == 0, 1.0, x)
    return np.where(x == 0, 1.0, np.sin(angle) / angle)
