"""Whether a kernel's result is what the program means, within a tolerance. Knows no strategy."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Final

import ml_dtypes
import numpy as np

from elevate import FloatClass
from rise.diagnostics import Diagnostic, RiseError
from rise.values import Leaf, leaves
from shine.cli.work import Precision

MOST_OPERATIONS: Final = 1 << 24
#: the distance from 1 to the next number
EPSILON: Final = {
    "f16": 2.0**-10,
    "bf16": 2.0**-7,
    "f32": 2.0**-23,
    "f64": 2.0**-52,
}
ROUNDINGS: Final = 16
LIBRARY_UNITS: Final = 64  # last places, relative to the greatest result
_FLOATS: Final = {
    np.dtype(np.float16): "f16",
    np.dtype(ml_dtypes.bfloat16): "bf16",
    np.dtype(np.float32): "f32",
    np.dtype(np.float64): "f64",
}


@dataclass(frozen=True, slots=True)
class Tolerance:
    """How far results may lie apart: `units` last places of the greatest one, at the precision computed in.

    The derivation's class decides: an exact one allows nothing, but for functions whose last digits differ
    between libraries. Any other allows what roundings of as many operations as there are for a result add up to:
    all of them where these are few, else 16 times the root of their number, as they go either way; an approximate
    one 16 times that.
    """

    float_class: FloatClass
    precision: Precision
    units: float

    def of(self, expected: Leaf) -> float:
        """The tolerance for one array of results."""
        if expected.dtype not in _FLOATS or not self.units:
            return 0.0
        names = {*self.precision.floats, _FLOATS[expected.dtype]}
        magnitudes = np.abs(expected.astype(np.float64))
        greatest = float(np.max(magnitudes, initial=0.0, where=np.isfinite(magnitudes)))
        return self.units * max(EPSILON[name] for name in names) * greatest


@dataclass(frozen=True, slots=True)
class Agreement:
    """How far the results lie apart, and how far they may: the greatest of all arrays."""

    error: float
    tolerance: float

    def __str__(self) -> str:
        if not self.error:
            return "equal in every bit"
        return f"within {self.error:.2g}, where {self.tolerance:.2g} is allowed"


def tolerance(float_class: FloatClass, precision: Precision, operations: int, results: int) -> Tolerance:
    """The tolerance of a derivation's class, for that many operations and results."""
    each = max(operations / max(results, 1), 1.0)
    each = min(each, ROUNDINGS * math.sqrt(each))
    match float_class:
        case FloatClass.EXACT:
            units = 0.0
        case FloatClass.APPROXIMATE:
            units = 16 * each
        case _:
            units = each
    if precision.uses_library:
        units = max(units, LIBRARY_UNITS)
    return Tolerance(float_class, precision, units)


def compare(found: Any, expected: Any, allowed: Tolerance) -> Agreement:
    """Compare results. Raises RiseError where they differ by more than is allowed."""
    error = limit = 0.0
    for one, other in zip(leaves(found), leaves(expected), strict=True):
        bound = allowed.of(other)
        apart = distance(one, other)
        worst = float(np.max(apart, initial=0.0))
        if worst > bound:
            place = tuple(map(int, np.unravel_index(int(np.argmax(apart)), apart.shape)))
            where = f" at {place}" if place else ""
            title = f"expected {other[place]}{where}, as the program means, found {one[place]}"
            wrong = int(np.count_nonzero(apart > bound))
            notes = (
                f"{wrong} of {apart.size} results are further apart than {bound:.2g}",
                f"the derivation is {allowed.float_class} in what it does to floating-point results",
            )
            hint = (
                "a rule or the compiler is wrong: find the step with `shine show --stage derivation --full`"
            )
            raise RiseError(Diagnostic("wrong-result", title, hint=hint, notes=notes))
        error, limit = max(error, worst), max(limit, bound)
    return Agreement(error, limit)


def distance(found: Leaf, expected: Leaf) -> Leaf:
    """How far numbers lie apart; equal ones, infinities and what is no number included, do not."""
    if found.dtype not in _FLOATS:
        return np.where(found != expected, 1.0, 0.0)
    one, other = found.astype(np.float64), expected.astype(np.float64)
    with np.errstate(all="ignore"):
        apart = np.abs(one - other)
    is_same = (one == other) | (np.isnan(one) & np.isnan(other))
    result: Leaf = np.where(is_same, 0.0, np.where(np.isnan(apart), np.inf, apart))
    return result
