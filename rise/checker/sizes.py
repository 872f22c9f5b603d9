"""Decides signs of naturals under assumptions, by linear arithmetic over monomials. Independent of values.

True means proved, False unknown. A proof adds up inequalities over integers, in which each product is a variable, until
a negative number is >= 0; quotients, minima and ranges of variables are inequalities, too. `elimination` finds the
proofs, which are checked here.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from math import gcd, lcm
from typing import Final

from rise.checker.elimination import (
    Combination,
    Row,
    contradiction,
    is_negative_somewhere,
    is_open,
    products,
    related,
)
from rise.monomials import monomial_order
from rise.naturals import ONE, Atom, Monomial, Nat, NatVar, const, exact_quotient, nat
from rise.quotients import NatCall, is_integral, is_nonnegative

MAX_CONSTRAINTS: Final = 48  # at the start of an elimination


def follows(a: Nat, assumed: tuple[Nat, ...]) -> bool:
    """Whether a >= 0 follows from the assumption that these naturals are >= 0, and all divisors >= 1.

    >>> from rise.naturals import var
    >>> n, m = var("n"), var("m")
    >>> follows(2 * n - m, (n - m,)), follows(n - m, ())
    (True, False)
    """
    return is_nonnegative(a) or _follows(a, assumed)


def contradict(assumed: tuple[Nat, ...]) -> bool:
    """Whether these naturals cannot all be >= 0."""
    return _follows(const(-1), assumed)


def are_equal(a: Nat, b: Nat, assumed: tuple[Nat, ...]) -> bool:
    """Whether two naturals are equal if the assumed ones are >= 0."""
    difference = a - b
    if a == b or is_open(difference, assumed):
        return a == b
    return follows(difference, assumed) and follows(-1 * difference, assumed)


@lru_cache(maxsize=1 << 14)
def _follows(a: Nat, assumed: tuple[Nat, ...]) -> bool:
    if (a.constant is not None and not assumed) or not is_integral(a):
        return False
    relevant = related(a, assumed)
    if is_negative_somewhere(a, relevant):
        return False
    constraints = [-1 - a, *(one for one in assumed if one in relevant)]
    known = dict.fromkeys(constraints)
    for constraint in constraints:  # the list grows
        for atom in _atoms(constraint):
            for bound in _bounds(atom):
                if bound not in known and len(known) < MAX_CONSTRAINTS:
                    known[bound] = None
                    constraints.append(bound)
    constraints += [quotient for constraint in constraints for quotient in _divided(constraint)]
    proposed = products(constraints, MAX_CONSTRAINTS)
    constraints += [constraints[place] * factor for place, factor in proposed if is_nonnegative(factor)]
    rows = dict.fromkeys(row for constraint in constraints if (row := _row(constraint)) is not None)
    monomials = dict.fromkeys(monomial for terms, _ in rows for monomial, _ in terms)
    rows |= dict.fromkeys((((m, 1),), 0) for m in monomials if is_nonnegative(Nat(((m, 1),))))
    return _are_refuted(list(rows), contradiction(list(rows), combined))


def _are_refuted(rows: list[Row], steps: Sequence[Combination]) -> bool:
    """Whether sums of inequalities, each with positive factors, lead to a negative number that is >= 0."""
    for i, p, j, q in steps:
        assert p > 0 < q, (p, q)
        rows.append(combined(rows[i], p, rows[j], q))
    return not rows[-1][0] and rows[-1][1] < 0


def _atoms(a: Nat) -> Iterator[Atom]:
    for monomial, _ in a.terms:
        for base, exponent in monomial:
            if isinstance(base, Atom) and isinstance(exponent, int) and exponent > 0:
                yield base


def _bounds(atom: Atom) -> tuple[Nat, ...]:
    """Naturals that are >= 0 by the definition of an atom."""
    match atom:
        case NatVar(_, Nat() as upper):
            return (upper - 1 - nat(atom),)
        case NatCall("floor" | "ceil" as function, (a, b)):
            rest = (a - b * nat(atom)) * (1 if function == "floor" else -1)
            found = (rest, b - rest - (1 if is_integral(a) and is_integral(b) else 0), b - 1)
            match (
                function,
                a.terms,
                b.constant,
            ):  # elimination would forget that the last quotient is an integer
                case "floor", ((((NatVar(_, Nat(constant=int(end))), 1),), 1),), int(divisor) if divisor > 0:
                    return (*found, (end - 1) // divisor - nat(atom))
            return found
        case NatCall("min", args):
            return tuple(b - nat(atom) for b in args)
        case NatCall("max", args):
            return tuple(nat(atom) - b for b in args)
    return ()


def _divided(a: Nat) -> Iterator[Nat]:
    """A natural q that is >= 0 because `d * q + r` is, where r is an index below d minus a positive number: q > -1."""
    for ((index, exponent),), coefficient in (term for term in a.terms if len(term[0]) == 1):
        upper = getattr(index, "upper", None)
        if exponent != 1 or coefficient != 1 or upper is None:
            continue
        rest = a - nat(index)
        number = next((int(c) for monomial, c in rest.terms if monomial is ONE), 0)
        quotient = exact_quotient(rest - number, upper)
        if number <= 0 and is_integral(quotient):
            yield quotient


def _row(a: Nat) -> Row | None:
    """The inequality a >= 0 with integer coefficients.

    If all monomials are integers, the coefficients are made coprime, and the constant is rounded down.
    """
    scale = lcm(*(Fraction(c).denominator for _, c in a.terms))
    terms = {monomial: int(c * scale) for monomial, c in a.terms}
    constant = terms.pop(ONE, 0)
    return _made(terms, constant)


def _made(terms: dict[Monomial, int], constant: int) -> Row:
    terms = {m: c for m, c in terms.items() if c}
    common = gcd(*terms.values()) if terms else 1
    if common > 1 and all(is_integral(Nat(((m, 1),))) for m in terms):
        terms = {m: c // common for m, c in terms.items()}
        constant //= common
    return (tuple(sorted(terms.items(), key=lambda term: monomial_order(term[0]))), constant)


def combined(low: Row, p: int, high: Row, q: int) -> Row:
    """The sum of two inequalities with these factors."""
    total = {m: c * p for m, c in low[0]}
    for m, c in high[0]:
        total[m] = total.get(m, 0) + c * q
    return _made(total, low[1] * p + high[1] * q)
