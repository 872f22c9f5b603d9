"""Compares results of programs: bit by bit as far as bits are specified, or with a tolerance. Independent of rules."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rise.records import dataclass
from rise.values import poison


@dataclass(frozen=True, slots=True)
class Likeness:
    """How similar results must be. The bits of NaN are never compared."""

    tolerance: float
    """The relative difference of floats that is attributed to rounding; 0 requires identical bits."""
    ignores_zero_signs: bool
    """Whether the signs of zeros are ignored: `min` and `max` may return either."""
    ignores_unspecified: bool
    """Whether elements that are unspecified in the expected result may have any value."""
    rounds_integers: bool
    """Whether the tolerance also applies to integers, which may be rounded floats."""


def same(expected: Any, actual: Any, alike: Likeness) -> bool:
    """Whether the results for one input are similar."""
    return not differing(_as_row(expected), _as_row(actual), alike, 1)


def differing(expected: Any, actual: Any, alike: Likeness, count: int) -> list[int]:
    """The rows in which the results for `count` inputs differ."""
    return [int(row) for row in np.flatnonzero(_differs(expected, actual, alike, count))]


def _as_row(value: Any) -> Any:
    if isinstance(value, tuple | list):
        return tuple(map(_as_row, value))
    return np.asarray(value)[None]


def _differs(expected: Any, actual: Any, alike: Likeness, count: int) -> NDArray[np.bool_]:
    """For each row, whether the results differ."""
    if isinstance(expected, tuple | list):
        differs = np.zeros(count, np.bool_)
        for one, other in zip(expected, actual, strict=True):
            differs |= _differs(one, other, alike, count)
        return differs
    if expected.dtype != actual.dtype or expected.shape != actual.shape:
        return np.ones(count, np.bool_)
    if expected.tobytes() == actual.tobytes():
        return np.zeros(count, np.bool_)
    equal = _equal(expected, actual, alike)
    return np.asarray(~equal.reshape(count, -1).all(axis=1))


def _equal(expected: NDArray[Any], actual: NDArray[Any], alike: Likeness) -> NDArray[np.bool_]:
    if expected.dtype.kind == "c":
        return _equal(expected.real, actual.real, alike) & _equal(expected.imag, actual.imag, alike)
    is_float = expected.dtype.kind not in "iub"
    with np.errstate(all="ignore"):
        equal = np.asarray(expected == actual)
        if is_float:
            a, b = expected.astype(np.float64), actual.astype(np.float64)
            if not (alike.tolerance or alike.ignores_zero_signs):
                equal &= np.signbit(a) == np.signbit(b)
            equal |= np.isnan(a) & np.isnan(b)
        if alike.tolerance and (is_float or alike.rounds_integers):
            a, b = expected.astype(np.float64), actual.astype(np.float64)
            equal |= np.abs(a - b) <= alike.tolerance * np.maximum(1.0, np.abs(a))
        if alike.ignores_unspecified:
            unspecified = poison((1,), expected.dtype)[0]
            equal |= (expected == unspecified) | (expected != expected)
    return equal
