"""Obligations: what sizes must satisfy for a term to make sense. Computed from the term, never stored in it.

Every length and every natural argument is an integer >= 0, every divisor is >= 1. Facts on the binders
discharge what follows from them; what the others imply is left out. Bound sizes keep their names.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import islice, product
from math import gcd, prod
from typing import Any, Final, TypeAlias
from typing import Literal as OneOf

from rise.analysis.size_places import has_plain_size, is_plain, naturals_in
from rise.arguments.mismatches import GREATEST
from rise.collections_off import collections_off
from rise.diagnostics import Diagnostic, RiseError
from rise.expected import Termlike, term_of
from rise.facts import Facts, evaluate_fact, holds
from rise.naturals import (
    Atom,
    Monomial,
    Nat,
    NatVar,
    Term,
    const,
    fraction_of,
    nat,
    polynomial,
    scale,
    sum_of,
)
from rise.nodes import Everywhere, postorder
from rise.polynomials import whole_part
from rise.quotients import NatCall, integer_fraction, is_integral, is_nonnegative
from rise.size_functions import SizeCall, SizeSum
from rise.terms import Expr, Fact
from rise.text.nat_printer import show_nat

Relation: TypeAlias = OneOf["divides", "<=", "positive"]
MOST_COMPARED: Final = 64  # obligations that are compared with all others
MOST_TOLD: Final = 5_000  # obligations of several definitions together
MOST_PROOFS: Final = 6_000  # of obligations of a term, a proof from n facts counted as n + 8


@dataclass(frozen=True, slots=True)
class Obligation:
    """One condition on sizes: `subject` is an integer (`divides`), is >= 0 (`<=`), or is >= 1 (`positive`).

    `reason` says what needs it, `path` leads there through the children of terms.
    """

    relation: Relation
    subject: Nat
    reason: str
    path: Sequence[int]

    @property
    def fact(self) -> Fact:
        """The same as a fact: `32 divides n`, `3 <= n`."""
        if self.relation == "divides":
            generators, p, d = integer_fraction(self.subject)
            return Fact("divides", sum_of(d, generators), sum_of(p, generators))
        least = self.subject if self.relation == "<=" else self.subject - 1
        below = polynomial((m, -c) for m, c in least.terms if c < 0)
        return Fact("<=", below, least + below)

    @property
    def condition(self) -> str:
        """The condition as text: `32 divides n`, `n >= 3`."""
        fact = self.fact
        left, right = show_nat(fact.left), show_nat(fact.right)
        return f"{left} divides {right}" if fact.relation == "divides" else f"{right} >= {left}"

    def __str__(self) -> str:
        return f"{self.condition} ({self.reason})"


def obligations(e: Termlike) -> list[Obligation]:
    """What must hold of the sizes of a term, in the order in which it computes; their paths lead into e.

    Free sizes and those that the term binds are told by name. What follows from the others is left out; of very many
    only what follows from the first ones, and of more than that nothing.
    """
    return _without_implied(list(_unproved(term_of(e), Everywhere(has_plain_size))))


def obligations_of_all(
    terms: Mapping[str, Expr], most: int = MOST_TOLD
) -> Iterator[tuple[str, list[Obligation]]]:
    """The `obligations` of several terms, which may have most of their parts in common. Raises RiseError when they are
    more than `most`, too many to be told.
    """
    are_plain = Everywhere(has_plain_size)
    left = most
    for name, e in terms.items():
        with collections_off():
            found = list(islice(_unproved(e, are_plain), left + 1))
        left -= len(found)
        if left < 0:
            title = f"the definitions up to `{name}` have more than {most:,} conditions on sizes together"
            raise RiseError(Diagnostic("too-many-conditions", title, hint="look at one of them: --def NAME"))
        yield name, _without_implied(found)


def _unproved(e: Expr, are_plain: Everywhere) -> Iterator[Obligation]:
    """What must hold and does not follow from facts, or from what must hold before."""
    considered: set[tuple[Relation, Nat, int]] = set()
    assumed: list[Fact] = []
    kept: list[Facts] = []  # so that their identities stay
    left = MOST_PROOFS
    for size, place in naturals_in(e, are_plain):
        facts = place.scope.facts
        kept.append(facts)
        for relation, subject in requirements(size):
            if (relation, subject, id(facts)) not in considered:
                considered.add((relation, subject, id(facts)))
                obligation = Obligation(relation, subject, "", ())
                fact = obligation.fact
                known = facts.about(fact.left, fact.right)
                if len(assumed) < MOST_COMPARED:
                    known = known.and_also(*assumed)
                left -= 8 + len(known.facts)
                if left < 0 or not holds(fact, known):
                    yield replace(obligation, reason=place.reason, path=(place.top or place).path)
                    assumed.append(fact)


def check_obligations(found: list[Obligation], values: Mapping[str, int]) -> Obligation | None:
    """The first obligation that fails for sizes given by name; one about other sizes is passed over."""
    for obligation in found:
        variables = _variables(obligation.subject)
        if all(v.name in values for v in variables):
            if not _holds_for(obligation, {v: values[v.name] for v in variables}):
                return obligation
    return None


def too_large(e: Termlike) -> tuple[int, tuple[int, ...]] | None:
    """The first size of a term that is known to be 2^63 or more, and the path of the part that has it."""
    e = term_of(e)
    if not any(isinstance(node, Nat) and (node.constant or 0) > GREATEST for node in postorder(e)):
        return None
    known = ((a.constant or 0, (place.top or place).path.steps) for a, place in naturals_in(e))
    return next(((number, path) for number, path in known if number > GREATEST), None)


def requirements(a: Nat) -> Iterator[tuple[Relation, Nat]]:
    """What it takes for a to be a natural: what is an integer, what is >= 0, which divisors are >= 1."""
    if is_plain(a):
        return
    for part in dict.fromkeys((*_parts(a), a)):
        fraction = _fraction(part)
        if fraction.terms:
            yield "divides", fraction
        if part is a and not is_nonnegative(a):
            yield "<=", _numerator(a)
    for divisor in dict.fromkeys(_divisors(a)):
        if not is_nonnegative(divisor - 1):
            yield "positive", divisor


def _parts(a: Nat) -> Iterator[Nat]:
    """The naturals inside that must be integers themselves."""
    for node in postorder(a):
        match node:
            case NatCall(function, args) if function not in ("floor", "ceil"):
                yield from args
            case Nat(terms):
                yield from (e for m, _ in terms for _, e in m if isinstance(e, Nat))


def _fraction(a: Nat) -> Nat:
    """What of a decides whether it is an integer, as simple as possible."""
    rest = polynomial(t for t in a.terms if not _is_whole_term(t))
    if not rest.terms or is_integer_valued(rest):
        return const(0)
    generators, p, d = integer_fraction(rest)
    whole, _ = whole_part(p, d, [not part for _, part, _ in generators])
    if whole:
        return _fraction(rest - sum_of(whole, generators))
    if all(c < 0 for _, c in rest.terms):
        rest = scale(rest, -1)
        p = {row: -c for row, c in p.items()}
    content = gcd(*p.values())
    return scale(rest, Fraction(1, content)) if len(d) == 1 and not any(next(iter(d))) else rest


def _is_whole_term(term: Term) -> bool:
    monomial, coefficient = term
    return isinstance(coefficient, int) and all(
        exponent > 0 if isinstance(exponent, int) else is_integral(exponent) and is_nonnegative(exponent)
        for _, exponent in monomial
    )


def _numerator(a: Nat) -> Nat:
    """Something >= 0 exactly if a is, divisors being positive."""
    numerator, divisor = fraction_of(a)
    if is_nonnegative(scale(divisor, -1)):
        numerator = scale(numerator, -1)
    generators, p, _ = integer_fraction(numerator)
    content = gcd(*p.values())
    return sum_of({row: c // content for row, c in p.items()}, generators)


def _divisors(a: Nat) -> Iterator[Nat]:
    for node in postorder(a):
        match node:
            case NatCall("floor" | "ceil", (_, divisor)):
                yield divisor
            case Nat(terms):
                for monomial, _ in terms:
                    for base, exponent in monomial:
                        if isinstance(exponent, int) and exponent < 0:
                            yield _positive(nat(base), node)


def _positive(divisor: Nat, quotient: Nat) -> Nat:
    """What must be >= 1 of a divisor: it, or its negation where both sides of the quotient are negative."""
    if is_nonnegative(divisor) or not is_nonnegative(scale(fraction_of(quotient)[0], -1)):
        return divisor
    return scale(divisor, -1)


def _variables(a: Nat) -> frozenset[NatVar]:
    return frozenset(name for name in a.free if isinstance(name, NatVar))


def _holds_for(obligation: Obligation, values: Mapping[Atom, int]) -> bool:
    try:
        return evaluate_fact(obligation.fact, values)
    except ZeroDivisionError:
        return False


def _without_implied(found: list[Obligation]) -> list[Obligation]:
    """Drop what follows from the others, the first such first; of very many only equal ones are dropped."""
    kept = list(found)
    for obligation in found if len(found) <= MOST_COMPARED else ():
        others = [other for other in kept if other is not obligation]
        if holds(obligation.fact, Facts(tuple(other.fact for other in others))):
            kept = others
    return kept


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
