"""Polynomials with fractions that are integers all the same, as `(n^2 + n) /^ 2`. Knows no obligations."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from itertools import product
from math import prod
from typing import Any, Final

from rise.naturals import Atom, Monomial, Nat, NatVar
from rise.size_functions import SizeCall, SizeSum

LARGEST_GRID: Final = 256  # points at which a polynomial is looked at


def is_integer_valued(a: Nat) -> bool:
    """Whether a polynomial with fractions is an integer wherever its variables are, as `(n^2 + n) /^ 2` is.

    It is so if it is at the grid of the least values, as many of each variable as its degree and one more.
    """
    degrees: dict[Atom, int] = {}
    for monomial, _ in a.terms:
        for base, exponent in monomial:
            if (
                not isinstance(base, NatVar | SizeCall | SizeSum)
                or not isinstance(exponent, int)
                or exponent < 0
            ):
                return False
            degrees[base] = max(degrees.get(base, 0), exponent)
    if prod(degree + 1 for degree in degrees.values()) > LARGEST_GRID:
        return False
    for point in product(*(range(degree + 1) for degree in degrees.values())):
        values: dict[Any, int] = dict(zip(degrees, point, strict=True))
        total: Any = sum((_at_point(m, values) * c for m, c in a.terms), 0)
        if Fraction(total).denominator != 1:
            return False
    return True


def _at_point(monomial: Monomial, values: Mapping[Any, int]) -> int:
    return prod([values[base] ** exponent for base, exponent in monomial if isinstance(exponent, int)])
