"""Expected numbers, and the largest errors that results may have. Independent of RISE and cases.

Note [Bounds]
u is half the distance from 1 to the next number of the type: 2^-24 for f32. A program of sums, differences
and products, in which no value goes through more than k roundings, is off by at most gamma(k) =
k u / (1 - k u) times its magnitude: the same expression with all inputs and terms made positive (Higham,
"Accuracy and Stability of Numerical Algorithms", section 3.1), in whatever order it sums. `within` is given
the answer, the magnitude and k. An underflow adds at most the smallest number of the type for each rounding.
Integers, and operations that only select inputs, are exact. What goes through `exp` says its bound where it
stands.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

Array: TypeAlias = NDArray[Any]
Tree: TypeAlias = "Expected | tuple[Tree, Tree]"

UNIT: Final[Mapping[str, float]] = {"f16": 2.0**-11, "f32": 2.0**-24, "f64": 2.0**-53}
SMALLEST: Final[Mapping[str, float]] = {"f16": 2.0**-24, "f32": 2.0**-149, "f64": 2.0**-1074}


@dataclass(frozen=True, slots=True)
class Expected:
    """The right numbers, and for each how far off a result may be."""

    value: Array
    bound: Array


def gamma(roundings: int, of: str = "f32") -> float:
    """The relative error of that many roundings, each to the nearest number of a type."""
    error = roundings * UNIT[of]
    return error / (1 - error)


def within(value: Any, magnitude: Any, roundings: int, of: str = "f32") -> Expected:
    """See Note [Bounds]."""
    bound = gamma(roundings, of) * np.asarray(magnitude) + roundings * SMALLEST[of]
    return Expected(np.asarray(value), bound)


def exactly(value: Any) -> Expected:
    """A result that no rounding touches."""
    return Expected(np.asarray(value), np.zeros(np.shape(value)))


def wide(x: Any) -> Array:
    """Numbers of any type, as float64: exact."""
    return np.asarray(x).astype(np.float64)


def polynomial(
    f: Callable[..., Any], roundings: Callable[..., int], of: str = "f32"
) -> Callable[..., Expected]:
    """The answer of sums of products without a minus: its magnitude is itself, of inputs made positive."""

    def answer(*arguments: Any) -> Expected:
        numbers = [wide(x) for x in arguments]
        return within(f(*numbers), f(*map(np.abs, numbers)), roundings(*numbers), of)

    return answer


def product(f: Callable[..., Any], left: int = 0) -> Callable[..., Expected]:
    """The answer of products of matrices, scaled or added to or both; argument `left` is the first factor."""
    return polynomial(f, lambda *arguments: sum(arguments[left].shape) + 4)
