"""Prints literals: the fewest digits that give the number back at its type. Knows no other terms.

An `i32` is an integer and an `f32` has a point or an exponent; other scalars carry their suffix, and any
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

#: numbers that have no digits
NAMED: Final = ("inf", "-inf", "nan")
_LONGEST: Final = 17  # digits that tell any two numbers of 64 bits apart


def literal_text(literal: Literal) -> tuple[str, bool]:
    """The characters of a literal, and whether its type must be ascribed to them.

    >>> literal_text(Literal(2, ScalarType("u8")))
    ('2u8', False)
    """
    value = literal.value
    match literal.given:
        case ScalarType("bool"):
            return ("true" if value else "false"), False
        case ScalarType(name) if "floating" not in SCALARS[name].classes:
            return (f"{value}" if name == "i32" else f"{value}{name}"), False
        case ScalarType(name):
            digits = number_text(value, name)
            return (digits, name != "f32") if digits in NAMED else (digits + _suffix(name), False)
        case _:
            return number_text(value, None), True


def _suffix(name: str) -> str:
    return "" if name == "f32" else name


def number_text(value: int | float | Fraction, scalar: str | None) -> str:
    """A number's digits; `scalar` names the type that they must tell numbers of apart, None an exact one.

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
    for digits in range(_LONGEST):
        short = float(f"{number:.{digits}e}")
        if _gives_back(short, number, scalar):
            return repr(short)
    return repr(number)


def _gives_back(short: float, number: float, scalar: str) -> bool:
    """Whether rounding to the type gives the number, whether or not it is rounded to 64 bits before."""
    if scalar == "f64":
        return short == number
    rounded = SCALARS[scalar].dtype.type
    with np.errstate(over="ignore"):
        near = (math.nextafter(short, -math.inf), short, math.nextafter(short, math.inf))
        return all(float(rounded(one)) == number for one in near)


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
