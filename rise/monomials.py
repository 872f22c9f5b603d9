"""Monomials, which are products of powers: their order, and the order of their factors. Independent of sums.

Bases are ordered by their `rank` and `order`; an exponent is an integer or has an `order`.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from functools import lru_cache
from math import floor
from typing import Any


def as_integer(value: int | Fraction) -> int | Fraction:
    """A coefficient, as an int if it is an integer."""
    return value if type(value) is int or value.denominator != 1 else value.numerator


@lru_cache(maxsize=1 << 12)
def monomial_order(monomial: tuple[tuple[Any, Any], ...]) -> tuple[Any, ...]:
    """The sort key of a monomial in a sum: higher degrees first."""
    powers = tuple((*base_order(b), *((e, ()) if isinstance(e, int) else (0, e.order))) for b, e in monomial)
    return (-sum(e for _, e in monomial if isinstance(e, int)), powers)


def base_order(base: Any) -> tuple[Any, ...]:
    """The sort key of a base in a product."""
    return (base.rank, base.order)


def in_order(factors: Iterable[tuple[Any, Any]]) -> tuple[tuple[Any, Any], ...]:
    """The monomial with these factors."""
    ordered = list(factors)
    if len(ordered) > 1:
        ordered.sort(key=_factor_order)
    return tuple(ordered)


def _factor_order(factor: tuple[Any, Any]) -> tuple[Any, ...]:
    return base_order(factor[0])


def exponents_of(monomial: tuple[tuple[Any, Any], ...]) -> dict[tuple[Any, tuple[Any, ...], int], int]:
    """A monomial as powers of generators; a generator is a base to the power of an exponent's term over a number."""
    exponents: dict[tuple[Any, tuple[Any, ...], int], int] = {}
    for base, exponent in monomial:
        for part, c in (((), exponent),) if isinstance(exponent, int) else exponent.terms:
            exponents[(base, part, c.denominator)] = c.numerator
    return exponents


def plain_exponent(exponent: Any) -> Any:
    """An exponent as an int, if it is a known number."""
    known = exponent if isinstance(exponent, int) else exponent.constant
    return exponent if known is None else known


def whole_in(exponent: Any) -> int:
    """The integer part of the constant term of an exponent."""
    return next((floor(c) for m, c in exponent.terms if m == ()), 0)
