"""Numbers with bounds of their errors: running error analysis, for answers with many steps. Independent of cases.

A value is computed in float64, together with a bound of the difference from the same expression in f32: each operation
adds its rounding to the propagated errors of its operands (Higham, "Accuracy and Stability of Numerical Algorithms",
section 3.3). The bound of a sum holds for any order. Operations that are discontinuous, such as comparisons and casts
to integers, are not supported: their cases use inputs for which they are exact.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from cases.bounds import SMALLEST, Array, Expected, gamma, wide

ULPS: Final = 8  # no library's exp, log or tanh is off by more


@dataclass(frozen=True, slots=True, eq=False)
class Rounded:
    """An array of f32 numbers, with a bound of the error of each."""

    value: Array
    error: Array

    __array_ufunc__ = None  # numpy's operators defer to those below

    def __add__(self, other: Any) -> Rounded:
        b = rounded(other)
        return after(self.value + b.value, self.error + b.error)

    def __radd__(self, other: Any) -> Rounded:
        return self + other

    def __neg__(self) -> Rounded:
        return Rounded(-self.value, self.error)

    def __sub__(self, other: Any) -> Rounded:
        return self + -rounded(other)

    def __rsub__(self, other: Any) -> Rounded:
        return -self + other

    def __mul__(self, other: Any) -> Rounded:
        b = rounded(other)
        error = np.abs(self.value) * b.error + np.abs(b.value) * self.error + self.error * b.error
        return after(self.value * b.value, error)

    def __rmul__(self, other: Any) -> Rounded:
        return self * other

    def __truediv__(self, other: Any) -> Rounded:
        b = rounded(other)
        quotient = self.value / b.value
        least = np.abs(b.value) - b.error
        assert (least > 0).all(), "a divisor may be 0"
        return after(quotient, (self.error + np.abs(quotient) * b.error) / least)

    def __rtruediv__(self, other: Any) -> Rounded:
        return rounded(other) / self

    def __getitem__(self, at: Any) -> Rounded:
        return Rounded(self.value[at], self.error[at])

    def apply(self, move: Callable[[Array], Any]) -> Rounded:
        """Apply an operation that only moves elements, such as a transposition, a padding, or windows."""
        return Rounded(np.asarray(move(self.value)), np.asarray(move(self.error)))

    def sum(self, axis: int | tuple[int, ...]) -> Rounded:
        """The sum in any order, from any start value: each element goes through as many roundings as there are
        elements.
        """
        axes = (axis,) if isinstance(axis, int) else axis
        terms = int(np.prod([self.value.shape[one] for one in axes]))
        error = self.error.sum(axis=axes)
        magnitude = np.abs(self.value).sum(axis=axes) + error
        return Rounded(self.value.sum(axis=axes), error + gamma(terms + 1) * magnitude)

    @property
    def expected(self) -> Expected:
        """The value and its bounds as an answer."""
        return Expected(self.value, self.error)


def rounded(x: Any) -> Rounded:
    """An input, or a number that f32 represents exactly, without an error."""
    if isinstance(x, Rounded):
        return x
    value = wide(x)
    return Rounded(value, np.zeros(value.shape))


def constant(x: float) -> Rounded:
    """A number that a program states in decimals."""
    return after(wide(x), np.zeros(()))


def after(value: Array, error: Array, roundings: int = 1) -> Rounded:
    """The rounded result of an operation; `error` is its error before rounding, due to the errors of its operands."""
    bound = error + gamma(roundings) * (np.abs(value) + error) + roundings * SMALLEST["f32"]
    return Rounded(np.asarray(value), np.asarray(bound))


def monotone(f: Callable[[Array], Array], x: Rounded, roundings: int, least: float = -np.inf) -> Rounded:
    """An increasing function, applied to no argument below `least`."""
    value = np.asarray(f(x.value))
    high, low = f(x.value + x.error), f(np.maximum(x.value - x.error, least))
    return after(value, np.maximum(high - value, value - low), roundings)


def sqrt(x: Rounded) -> Rounded:
    return monotone(np.sqrt, x, 1, 0.0)


def exp(x: Rounded) -> Rounded:
    return monotone(np.exp, x, ULPS)


def log(x: Rounded) -> Rounded:
    assert (x.value > x.error).all(), "a logarithm may be of 0"
    return monotone(np.log, x, ULPS)


def tanh(x: Rounded) -> Rounded:
    return monotone(np.tanh, x, ULPS)


def maximum(a: Any, b: Any) -> Rounded:
    """The maximum; its error is at most that of the less exact operand."""
    x, y = rounded(a), rounded(b)
    return Rounded(np.maximum(x.value, y.value), np.maximum(x.error, y.error))


def greatest(x: Rounded, axis: int) -> Rounded:
    """The maximum along an axis that is not empty."""
    return Rounded(x.value.max(axis=axis), x.error.max(axis=axis))


def matmul(a: Any, b: Any) -> Rounded:
    """The matrix product."""
    x, y = rounded(a), rounded(b)
    return (x.apply(lambda part: part[:, :, None]) * y.apply(lambda part: part[None])).sum(axis=1)


def stack(parts: list[Rounded], axis: int = 0) -> Rounded:
    return Rounded(np.stack([one.value for one in parts], axis), np.stack([one.error for one in parts], axis))
