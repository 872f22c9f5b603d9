"""Decides signs of naturals under assumptions, by linear arithmetic over monomials. Independent of values.

True means proved, False unknown. The method is Fourier-Motzkin elimination on integers, in which each product is a
variable; quotients, minima and ranges of variables add inequalities. The work is bounded.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from functools import lru_cache
from math import gcd, lcm
from typing import Final, TypeAlias

from rise.naturals import ONE, Atom, Monomial, Nat, NatVar, const, exact_quotient, nat
from rise.quotients import NatCall, is_integral, is_nonnegative

Row: TypeAlias = "tuple[tuple[tuple[Monomial, int], ...], int]"  # sum + constant >= 0

MAX_CONSTRAINTS: Final = 48  # at the start of an elimination
MAX_ROWS: Final = 240  # at any point of an elimination


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
    if a == b:
        return True
    difference = a - b
    if _is_open(difference, assumed):
        return False
    return follows(difference, assumed) and follows(-1 * difference, assumed)


def _is_open(a: Nat, assumed: tuple[Nat, ...]) -> bool:
    """Whether a natural has an index as a summand of which nothing is assumed, so that it is not always 0."""
    parts = [Nat(((monomial, 1),)) for monomial, _ in a.terms]
    for part in parts:
        match part.terms:
            case ((((NatVar(_, Nat() as upper) as index, 1),), _),) if upper.constant != 1:
                if sum(index in one.free for one in (*parts, *assumed)) == 1:
                    return True
    return False


@lru_cache(maxsize=1 << 14)
def _follows(a: Nat, assumed: tuple[Nat, ...]) -> bool:
    if (a.constant is not None and not assumed) or not is_integral(a):
        return False
    constraints = [-1 - a, *_related(a, assumed)]
    known = dict.fromkeys(constraints)
    for constraint in constraints:  # the list grows
        for atom in _atoms(constraint):
            for bound in _bounds(atom):
                if bound not in known and len(known) < MAX_CONSTRAINTS:
                    known[bound] = None
                    constraints.append(bound)
    constraints += [quotient for constraint in constraints for quotient in _divided(constraint)]
    constraints += [product for product in _products(constraints) if product not in known]
    rows = {row for constraint in constraints if (row := _row(constraint)) is not None}
    monomials = {monomial for terms, _ in rows for monomial, _ in terms}
    rows |= {(((m, 1),), 0) for m in monomials if is_nonnegative(Nat(((m, 1),)))}
    return _is_infeasible(rows)


def _related(a: Nat, assumed: tuple[Nat, ...]) -> list[Nat]:
    """The assumptions that share variables with a, directly or through other assumptions; all assumptions if a is a
    number.
    """
    if a.constant is not None:
        return list(assumed)
    names = set(a.free)
    rest, found = list(assumed), []
    while near := [b for b in rest if not names.isdisjoint(b.free)]:
        found += near
        rest = [b for b in rest if b not in near]
        names.update(name for b in near for name in b.free)
    return found


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
        case NatCall("floor", (a, b)):
            rest = a - b * nat(atom)
            return (rest, b - rest - (1 if is_integral(a) and is_integral(b) else 0), b - 1)
        case NatCall("ceil", (a, b)):
            rest = b * nat(atom) - a
            return (rest, b - rest - (1 if is_integral(a) and is_integral(b) else 0), b - 1)
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


def _products(constraints: list[Nat]) -> list[Nat]:
    """For products one factor of which occurs in a constraint, that constraint times the other factors."""
    found: dict[Nat, None] = {}
    wanted = dict.fromkeys(m for c in constraints for m, _ in c.terms if sum(1 for _ in m) > 1)
    for monomial in wanted:
        for base, exponent in monomial:
            if not isinstance(base, Atom) or not isinstance(exponent, int) or exponent < 1:
                continue
            others = tuple(
                (b, e if b is not base else e - 1) for b, e in monomial if b is not base or exponent > 1
            )
            cofactor = Nat(((others, 1),))
            if not is_nonnegative(cofactor):
                continue
            single = ((base, 1),)
            for constraint in constraints:
                if len(found) < MAX_CONSTRAINTS and any(m == single for m, _ in constraint.terms):
                    found[constraint * cofactor] = None
    return list(found)


def _row(a: Nat) -> Row | None:
    """The inequality a >= 0 with integer coefficients.

    If all monomials are integers, the coefficients are made coprime, and the constant is rounded down.
    """
    scale = lcm(*(Fraction(c).denominator for _, c in a.terms))
    terms = {monomial: int(c * scale) for monomial, c in a.terms}
    constant = terms.pop(ONE, 0)
    if not terms:
        return ((), constant)
    return _made(terms, constant)


def _made(terms: dict[Monomial, int], constant: int) -> Row:
    terms = {m: c for m, c in terms.items() if c}
    common = gcd(*terms.values()) if terms else 1
    if common > 1 and all(is_integral(Nat(((m, 1),))) for m in terms):
        terms = {m: c // common for m, c in terms.items()}
        constant //= common
    return (tuple(sorted(terms.items(), key=lambda term: id(term[0]))), constant)


def _is_infeasible(rows: Iterable[Row]) -> bool:
    rows = _strongest(rows)
    while True:
        if any(not terms and constant < 0 for terms, constant in rows):
            return True
        signs: dict[Monomial, list[int]] = {}
        for terms, _ in rows:
            for monomial, coefficient in terms:
                signs.setdefault(monomial, [0, 0])[coefficient > 0] += 1
        if not signs or len(rows) > MAX_ROWS:
            return False
        chosen = min(signs, key=lambda m: (signs[m][0] * signs[m][1] - sum(signs[m]), id(m)))
        below: list[tuple[dict[Monomial, int], int]] = []
        above: list[tuple[dict[Monomial, int], int]] = []
        rest: list[Row] = []
        for terms, constant in rows:
            row = dict(terms)
            if chosen not in row:
                rest.append((terms, constant))
            else:
                (above if row[chosen] > 0 else below).append((row, constant))
        if len(above) * len(below) > MAX_ROWS:
            return False
        for low, a in above:
            for high, b in below:
                p, q = -high[chosen], low[chosen]
                total = {m: c * p for m, c in low.items()}
                for m, c in high.items():
                    total[m] = total.get(m, 0) + c * q
                rest.append(_made(total, a * p + b * q))
        rows = _strongest(rest)


def _strongest(rows: Iterable[Row]) -> list[Row]:
    least: dict[tuple[tuple[Monomial, int], ...], int] = {}
    for terms, constant in rows:
        least[terms] = min(constant, least.get(terms, constant))
    return list(least.items())
