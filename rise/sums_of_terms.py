"""Sums of terms, which are monomials with coefficients: their order, and the replacement of atoms in them.

Independent of naturals: a base is an atom (of rank 0) or a sum.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, Final, TypeAlias

from rise.monomials import as_integer, in_order, monomial_order
from rise.polynomials import check_size

#: the coefficient of each monomial
Coefficients: TypeAlias = dict[Any, int | Fraction]
Terms: TypeAlias = tuple[tuple[Any, int | Fraction], ...]


def sorted_terms(coefficients: Coefficients) -> Terms:
    """The terms that are not zero, in order. Raises what `check_size` raises."""
    terms = [(m, c if type(c) is int else as_integer(c)) for m, c in coefficients.items() if c]
    if len(terms) > 1:
        check_size(len(terms))
        if len(terms) > 2 or not _is_name(terms[0]) or terms[1][0]:  # else a name and a number are in order
            terms.sort(key=_order)
    return tuple(terms)


def _is_name(term: tuple[Any, Any]) -> bool:
    return len(term[0]) == 1 and term[0][0][1] == 1


def _order(term: tuple[Any, Any]) -> tuple[Any, ...]:
    return monomial_order(term[0])


def is_atom(terms: Terms) -> bool:
    """Whether a sum is an atom, without a coefficient or an exponent."""
    if len(terms) != 1:
        return False
    ((monomial, coefficient),) = terms
    return coefficient == 1 and len(monomial) == 1 and monomial[0][0].rank == 0 and monomial[0][1] == 1


def divisor_of(terms: Terms) -> Any:
    """The denominator of a sum, if it is itself a sum, in which case all terms have it; otherwise None."""
    return divisor_in(terms[0][0]) if terms else None


def divisor_in(monomial: tuple[tuple[Any, Any], ...]) -> Any:
    """The denominator of a monomial, if it is a sum; otherwise None."""
    for base, exponent in reversed(monomial):
        if base.rank and type(exponent) is int and exponent == -1:
            return base
    return None


def in_parts(terms: Terms, parts: Sequence[Any]) -> Coefficients | None:
    """A sum of products of atoms, with its atoms replaced, in order, by the naturals `parts`; None if the result takes
    powers of sums or of numbers, products of sums, or sums as denominators.
    """
    total: Coefficients = {}
    place = 0
    for monomial, coefficient in terms:
        end = place + len(monomial)
        terms_of_product: Terms | None
        if not monomial:
            terms_of_product = _ONE
        elif len(monomial) == 1 and monomial[0][1] == 1:
            terms_of_product = _terms_of(parts[place])
        else:
            terms_of_product = _product(monomial, parts[place:end])
        if terms_of_product is None or divisor_of(terms_of_product):
            return None
        place = end
        for factor, c in terms_of_product:
            total[factor] = total.get(factor, 0) + c * coefficient
    return total


_ONE: Final[Terms] = (((), 1),)


def _terms_of(new: Any) -> Terms:
    return new.terms if new.rank else ((((new, 1),), 1),)  # a sum or an atom


def _product(monomial: Sequence[tuple[Any, Any]], parts: Sequence[Any]) -> Terms | None:
    """The product of atoms to integer powers, with the atoms replaced; at most one of the new naturals is a sum."""
    number: int | Fraction = 1
    powers: dict[Any, int] = {}
    others: Terms | None = None
    for (base, exponent), new in zip(monomial, parts, strict=False):
        if base.rank or type(exponent) is not int:
            return None
        factor = _terms_of(new)
        if is_atom(factor):
            atom = factor[0][0][0][0]
            powers[atom] = powers.get(atom, 0) + exponent
        elif exponent != 1:
            return None
        elif not factor or (len(factor) == 1 and not factor[0][0]):
            number *= factor[0][1] if factor else 0
        elif others is None and all(b.rank == 0 and type(e) is int for m, _ in factor for b, e in m):
            others = factor
        else:
            return None
    if others is None:
        return ((in_order([(atom, e) for atom, e in powers.items() if e]), number),)
    product: list[tuple[Any, Any]] = []
    for inner, c in others:
        joined = dict(powers)
        for atom, e in inner:
            joined[atom] = joined.get(atom, 0) + e
        product.append((in_order([(atom, e) for atom, e in joined.items() if e]), c * number))
    return tuple(product)
