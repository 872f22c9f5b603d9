"""Sums of terms, which are monomials with coefficients: their order, and the replacement of atoms in them.

Independent of naturals: a base is an atom (of rank 0) or a sum.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, TypeAlias

from rise.monomials import as_integer, monomial_order
from rise.polynomials import check_size

#: the coefficient of each monomial
Coefficients: TypeAlias = dict[Any, int | Fraction]
Terms: TypeAlias = tuple[tuple[Any, int | Fraction], ...]


def sorted_terms(coefficients: Coefficients) -> Terms:
    """The terms that are not zero, in order. Raises what `check_size` raises."""
    terms = [(m, c if type(c) is int else as_integer(c)) for m, c in coefficients.items() if c]
    if len(terms) > 1:
        check_size(len(terms))
        terms.sort(key=_order)
    return tuple(terms)


def _order(term: tuple[Any, Any]) -> tuple[Any, ...]:
    return monomial_order(term[0])


def divisor_of(terms: Terms) -> Any:
    """The denominator of a sum, if it is itself a sum, in which case all terms have it; otherwise None."""
    return divisor_in(terms[0][0]) if terms else None


def divisor_in(monomial: tuple[tuple[Any, Any], ...]) -> Any:
    """The denominator of a monomial, if it is a sum; otherwise None."""
    for base, exponent in reversed(monomial):
        if base.rank and type(exponent) is int and exponent == -1:
            return base
    return None


def linear_in_parts(terms: Terms, parts: Sequence[Any]) -> Coefficients | None:
    """A sum of numbers and multiples of atoms, with its atoms replaced, in order, by the naturals `parts`; None if it
    has other terms, or if the denominator of a natural is a sum.
    """
    total: Coefficients = {}
    place = 0
    for monomial, coefficient in terms:
        if not monomial:
            total[monomial] = total.get(monomial, 0) + coefficient
            continue
        if len(monomial) > 1 or type(monomial[0][1]) is not int or monomial[0][1] != 1:
            return None
        new = parts[place]
        place += 1
        new_terms = new.terms if new.rank else ((((new, 1),), 1),)
        if divisor_of(new_terms):
            return None
        for factor, c in new_terms:
            total[factor] = total.get(factor, 0) + c * coefficient
    return total
