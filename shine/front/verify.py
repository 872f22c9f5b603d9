"""Checks that the result of a kernel agrees with the meaning of the program, within a tolerance.

Independent of strategies.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, Final

import numpy as np

from elevate import FloatClass
from rise.diagnostics import Diagnostic, RiseError
from rise.records import dataclass
from rise.scalars import SCALARS
from rise.values import Leaf, leaves
from shine.front.work import Precision

MAX_OPERATIONS: Final = 1 << 24
#: the distance from 1 to the next number
EPSILON: Final = {
    "f16": 2.0**-10,
    "bf16": 2.0**-7,
    "f32": 2.0**-23,
    "f64": 2.0**-52,
    "c64": 2.0**-23,
    "c128": 2.0**-52,
}
RANDOM_WALK_FACTOR: Final = 16
MIN_LIBRARY_UNITS: Final = 64  # units in the last place of the greatest result
_FLOATS: Final = {SCALARS[name].dtype.name: name for name in EPSILON}


@dataclass(frozen=True, slots=True)
class Tolerance:
    """The allowed difference of results: `units` in the last place of the greatest one, at the precision of
    computation.

    It depends on the derivation's class. Exact derivations allow no difference, except for functions whose last digits
    differ between libraries. Others allow the sum of the rounding errors of n operations per result: n units, or 16
    times the square root of n if that is less, since rounding errors partly cancel. Approximate ones allow 16 times as
    much.
    """

    float_class: FloatClass
    precision: Precision
    units: float

    def of(self, expected: Leaf) -> float:
        """The tolerance for one array of results."""
        if expected.dtype.name not in _FLOATS or not self.units:
            return 0.0
        names = {*self.precision.floats, _FLOATS[expected.dtype.name]}
        parts = (expected.real, expected.imag) if expected.dtype.kind == "c" else (expected,)
        magnitudes = np.abs(np.stack([part.astype(np.float64) for part in parts]))
        greatest = float(np.max(magnitudes, initial=0.0, where=np.isfinite(magnitudes)))
        return self.units * max(EPSILON[name] for name in names) * greatest


@dataclass(frozen=True, slots=True)
class Agreement:
    """The difference of results, and the allowed difference: the maximum over all arrays."""

    error: float
    tolerance: float

    def __str__(self) -> str:
        if not self.error:
            return "bitwise equal"
        return f"within {self.error:.2g}, where {self.tolerance:.2g} is allowed"


def tolerance(float_class: FloatClass, precision: Precision, operations: int, results: int) -> Tolerance:
    """The tolerance for a derivation's class and these numbers of operations and results."""
    each = max(operations / max(results, 1), 1.0)
    each = min(each, RANDOM_WALK_FACTOR * math.sqrt(each))
    match float_class:
        case FloatClass.EXACT:
            units = 0.0
        case FloatClass.APPROXIMATE:
            units = 16 * each
        case _:
            units = each
    if precision.uses_library:
        units = max(units, MIN_LIBRARY_UNITS)
    return Tolerance(float_class, precision, units)


def arrays(results: Any) -> Iterator[Leaf]:
    """The arrays of a result; rows of different lengths are one array each."""
    for part in leaves(results):
        if isinstance(part, list):
            yield from part
        else:
            yield part


def compare(results: Any, expected: Any, bounds: Tolerance) -> Agreement:
    """Compare results. Raises RiseError if they differ by more than is allowed."""
    error = limit = 0.0
    for result, reference in zip(arrays(results), arrays(expected), strict=True):
        bound = bounds.of(reference)
        distances = distance(result, reference)
        greatest = float(np.max(distances, initial=0.0))
        if greatest > bound:
            place = tuple(map(int, np.unravel_index(int(np.argmax(distances)), distances.shape)))
            where = f" at {place}" if place else ""
            title = f"expected the program's value {reference[place]}{where}, found {result[place]}"
            wrong_count = int(np.count_nonzero(distances > bound))
            notes = (
                f"{wrong_count} of {distances.size} results are further apart than {bound:.2g}",
                f"the derivation is {bounds.float_class} in its effect on floating-point results",
            )
            hint = (
                "a rule or the compiler is wrong: find the step with `shine show --stage derivation --full`"
            )
            raise RiseError(Diagnostic("wrong-result", title, hint=hint, notes=notes))
        error, limit = max(error, greatest), max(limit, bound)
    return Agreement(error, limit)


def distance(results: Leaf, expected: Leaf) -> Leaf:
    """The distances between numbers: 0 for equal numbers, including equal infinities and two NaNs. For complex numbers,
    the greater distance of their parts.
    """
    if results.dtype.kind == "c":
        real, imaginary = (
            distance(getattr(results, part), getattr(expected, part)) for part in ("real", "imag")
        )
        return np.maximum(real, imaginary)
    if results.dtype.name not in _FLOATS:
        return np.where(results != expected, 1.0, 0.0)
    values, references = results.astype(np.float64), expected.astype(np.float64)
    with np.errstate(all="ignore"):
        distances = np.abs(values - references)
    are_equal = (values == references) | (np.isnan(values) & np.isnan(references))
    result: Leaf = np.where(are_equal, 0.0, np.where(np.isnan(distances), np.inf, distances))
    return result
