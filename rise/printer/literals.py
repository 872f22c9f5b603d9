"""Prints literals with the fewest digits that round to the number in its type. Handles no other terms.

An `i32` is an integer and an `f32` has a point or an exponent; other scalars have their suffix, and any
other type is ascribed, as in `(0 : t)`.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Final

import numpy as np

from rise.scalars import SCALARS
from rise.terms import Literal
from rise.types import ScalarType

#: numbers printed as words
WORDS: Final = ("inf", "-inf", "nan")
_MAX_DIGITS: Final = 17  # enough to distinguish any two f64


def literal_text(literal: Literal) -> tuple[str, bool]:
    """The text of a literal, and whether its type must be ascribed.

    >>> literal_text(Literal(2, ScalarType("u8")))
    ('2u8', False)
    """
    value = literal.value
    match literal.given:
        case ScalarType("bool"):
            return ("true" if value else "false"), False
        case ScalarType(name) if part := SCALARS[name].part:
            return number_text(value, part), True
        case ScalarType(name) if "floating" not in SCALARS[name].classes:
            return (f"{value}" if name == "i32" else f"{value}{name}"), False
        case ScalarType(name):
            digits = number_text(value, name)
            return (digits, name != "f32") if digits in WORDS else (digits + _suffix(name), False)
        case _:
            return number_text(value, None), True


def _suffix(name: str) -> str:
    return "" if name == "f32" else name


def number_text(value: int | float | Fraction, scalar: str | None) -> str:
    """Digits that identify a number among the numbers of the type `scalar`; all digits if that is None.

    >>> number_text(float(np.float32(0.1)), "f32"), number_text(Fraction(1, 8), None)
    ('0.1', '0.125')
    """
    if not isinstance(value, float):
        return number_text(float(value), scalar) if scalar else _exact_digits(value)
    number = value
    if not math.isfinite(number) or number == 0:
        return repr(number)
    if scalar is None:
        return _exact_digits(number)
    for digits in range(_MAX_DIGITS):
        short = float(f"{number:.{digits}e}")
        if _rounds_back(short, number, scalar):
            return repr(short)
    return repr(number)


def _rounds_back(short: float, number: float, scalar: str) -> bool:
    """Whether rounding to the type gives the number, with or without rounding to 64 bits first."""
    if scalar == "f64":
        return short == number
    rounded = SCALARS[scalar].dtype.type
    with np.errstate(over="ignore"):
        near = (math.nextafter(short, -math.inf), short, math.nextafter(short, math.inf))
        return all(float(rounded(neighbour)) == number for neighbour in near)


def _exact_digits(value: float | Fraction) -> str:
    """All decimal digits of a number that has finitely many."""
    exact = Fraction(value)
    if exact.denominator == 1:
        return str(exact.numerator)
    places = 0
    while exact.denominator != 1:
        assert places < 2000, f"{value} has no finite decimal digits"
        exact *= 10
        places += 1
    digits = f"{abs(exact.numerator):0{places + 1}}"
    sign = "-" if exact < 0 else ""
    return f"{sign}{digits[:-places]}.{digits[-places:]}"
