"""Functions of Python's module `math` that are compositions of numpy's functions. Their arguments are numbers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np


def isqrt(n: Any) -> Any:
    """`math.isqrt`: the root is computed in f64, and corrected by 1 where that was rounded."""
    root = np.sqrt(n.astype(np.float64)).astype(np.int64)
    root = root - (root * root > n).astype(np.int64)
    return root + (n - root * root > 2 * root).astype(np.int64)


def gcd(*integers: Any) -> Any:
    """`math.gcd`."""
    divisor = np.abs(integers[0])
    for each in integers[1:]:
        divisor = np.gcd(divisor, each)
    return divisor


def lcm(*integers: Any) -> Any:
    """`math.lcm`."""
    multiple = np.abs(integers[0])
    for each in integers[1:]:
        multiple = np.lcm(multiple, each)
    return multiple


def isclose(a: Any, b: Any, *, rel_tol: float = 1e-9, abs_tol: float = 0.0) -> Any:
    """`math.isclose`."""
    distance, greatest = np.abs(a - b), np.maximum(np.abs(a), np.abs(b))
    is_near = (distance <= rel_tol * greatest) | (distance <= abs_tol)
    return (a == b) | (is_near & np.isfinite(distance) & np.isfinite(greatest))


def hypot(*coordinates: Any) -> Any:
    """`math.hypot`."""
    length = np.abs(coordinates[0])
    for each in coordinates[1:]:
        length = np.hypot(length, each)
    return length


def dist(p: Sequence[Any], q: Sequence[Any]) -> Any:
    """`math.dist`."""
    return hypot(*(a - b for a, b in zip(p, q, strict=True)))


def log(x: Any, base: Any = math.e) -> Any:
    """`math.log`."""
    if isinstance(base, int | float):
        return np.log(x) if base == math.e else np.log(x) / math.log(base)
    return (math.log(x) if isinstance(x, int | float) else np.log(x)) / np.log(base)


def remainder(x: Any, y: Any) -> Any:
    """`math.remainder`: the difference to the nearest multiple of y, which is exact; of two that are equally near, to
    the even one.
    """
    size, step = np.abs(x), np.abs(y)
    rest = np.where(np.isinf(step), size, np.fmod(size, step + step))
    above = rest - step
    rest = np.where(rest + rest > step, np.where(above + above >= step, above - step, above), rest)
    return np.where(x < 0, -rest, rest)
