"""Obligations: the conditions on sizes under which a term is valid. Computed from the term, never stored in it.

Every length and every natural argument is an integer >= 0, every divisor is >= 1. Facts on the binders
discharge obligations that follow from them; obligations that others imply are omitted. Bound sizes keep their names.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import islice, product
from math import gcd, prod
from typing import Any, Final, TypeAlias
from typing import Literal as OneOf

from rise.analysis.size_places import has_plain_size, is_plain, naturals_in
from rise.argument_checks import Termlike, term_of
from rise.arguments.mismatches import MAX_SIZE
from rise.diagnostics import Diagnostic, RiseError
from rise.facts import Facts, evaluate_fact, holds
from rise.garbage_collection import collections_off
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
from rise.node_predicates import Everywhere
from rise.nodes import postorder
from rise.polynomials import whole_part
from rise.quotients import NatCall, integer_fraction, integer_terms, is_integral, is_nonnegative
from rise.records import dataclass
from rise.size_functions import SizeCall, SizeSum
from rise.sums_of_terms import divisor_of
from rise.terms import Expr, Fact
from rise.text.nat_printer import show_nat
from rise.tracebacks import ends_at_the_users_line

Relation: TypeAlias = OneOf["divides", "<=", "positive"]
MAX_COMPARED: Final = 64  # obligations compared with all others
MAX_OBLIGATIONS: Final = 5_000  # of several definitions together
MAX_PROOF_FACTS: Final = 6_000  # in proofs of a term's obligations; a proof from n facts counts as n + 8


@dataclass(frozen=True, slots=True)
class Obligation:
    """One condition on sizes: `subject` is an integer (`divides`), is >= 0 (`<=`), or is >= 1 (`positive`).

    `reason` says what requires it, `path` leads there through the children of terms.
    """

    relation: Relation
    subject: Nat
    reason: str
    path: Sequence[int]

    @property
    def fact(self) -> Fact:
        """The obligation as a fact: `32 divides n`, `3 <= n`."""
        if self.relation == "divides":
            generators, p, d = integer_fraction(self.subject)
            return Fact("divides", sum_of(d, generators), sum_of(p, generators))
        least = self.subject if self.relation == "<=" else self.subject - 1
        if divisor_of(least.terms):
            below = polynomial((m, -c) for m, c in least.terms if c < 0)
            return Fact("<=", below, least + below)
        below = Nat(tuple([(m, -c) for m, c in least.terms if c < 0]))
        return Fact("<=", below, Nat(tuple([term for term in least.terms if term[1] > 0])))

    @property
    def condition(self) -> str:
        """The condition as text: `32 divides n`, `n >= 3`."""
        fact = self.fact
        left, right = show_nat(fact.left), show_nat(fact.right)
        return f"{left} divides {right}" if fact.relation == "divides" else f"{right} >= {left}"

    def __str__(self) -> str:
        return f"{self.condition} ({self.reason})"


@ends_at_the_users_line
def obligations(e: Termlike) -> list[Obligation]:
    """The conditions on the sizes of a term, in the order in which it computes; their paths lead into e.

    Free and bound sizes have their names. Obligations that others imply are omitted; if there are very many, only those
    that the first ones imply, and beyond a limit none.
    """
    return _without_implied(list(_unproved(term_of(e), Everywhere(has_plain_size))))


def obligations_of_all(
    terms: Mapping[str, Expr], most: int = MAX_OBLIGATIONS
) -> Iterator[tuple[str, list[Obligation]]]:
    """The `obligations` of several terms, which may share most of their parts. Raises RiseError if there are more than
    `most` of them.
    """
    are_plain = Everywhere(has_plain_size)
    remaining = most
    for name, e in terms.items():
        with collections_off():
            unproved = list(islice(_unproved(e, are_plain), remaining + 1))
        remaining -= len(unproved)
        if remaining < 0:
            title = f"the definitions up to `{name}` have more than {most:,} conditions on sizes together"
            raise RiseError(Diagnostic("too-many-conditions", title, hint="look at one of them: --def NAME"))
        yield name, _without_implied(unproved)


def _unproved(e: Expr, are_plain: Everywhere) -> Iterator[Obligation]:
    """The obligations that do not follow from facts or from earlier obligations."""
    considered: set[tuple[Relation, Nat, int]] = set()
    #: sizes whose requirements were considered, with the identity of the facts, which the values keep valid
    seen: dict[tuple[Nat, int], Facts] = {}
    assumed: list[Fact] = []
    remaining = MAX_PROOF_FACTS
    for size, place in naturals_in(e, are_plain):
        facts = place.scope.facts
        if (size, id(facts)) in seen:
            continue
        seen[size, id(facts)] = facts
        for relation, subject in requirements(size):
            if (relation, subject, id(facts)) not in considered:
                considered.add((relation, subject, id(facts)))
                obligation = Obligation(relation, subject, "", ())
                fact = obligation.fact
                known = facts.about(fact.left, fact.right)
                if len(assumed) < MAX_COMPARED:
                    known = known.and_also(*assumed)
                remaining -= 8 + len(known.facts)
                if remaining < 0 or not holds(fact, known):
                    yield replace(obligation, reason=place.reason, path=(place.top or place).path)
                    assumed.append(fact)


def check_obligations(conditions: list[Obligation], values: Mapping[str, int]) -> Obligation | None:
    """The first obligation that fails for sizes given by name; obligations about other sizes are ignored."""
    for obligation in conditions:
        variables = _variables(obligation.subject)
        if all(v.name in values for v in variables):
            if not _holds_for(obligation, {v: values[v.name] for v in variables}):
                return obligation
    return None


def too_large(e: Termlike) -> tuple[int, tuple[int, ...]] | None:
    """The first size of a term that is known to be 2^63 or more, and the path of the part that contains it."""
    e = term_of(e)
    if not any(isinstance(node, Nat) and (node.constant or 0) > MAX_SIZE for node in postorder(e)):
        return None
    known = ((a.constant or 0, (place.top or place).path.steps) for a, place in naturals_in(e))
    return next(((number, path) for number, path in known if number > MAX_SIZE), None)


def requirements(a: Nat) -> Iterator[tuple[Relation, Nat]]:
    """The conditions for a to be a natural: naturals that are integers or >= 0, divisors that are >= 1."""
    if is_plain(a):
        return
    if integer_terms(a) is not None:
        if not is_nonnegative(a):
            yield "<=", _numerator(a)
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
    """The naturals inside a that must be integers, too."""
    for node in postorder(a):
        match node:
            case NatCall(function, args) if function not in ("floor", "ceil"):
                yield from args
            case Nat(terms):
                yield from (e for m, _ in terms for _, e in m if isinstance(e, Nat))


def _fraction(a: Nat) -> Nat:
    """The part of a that decides whether a is an integer, simplified; 0 if a is one."""
    remaining = polynomial(t for t in a.terms if not _is_whole_term(t))
    if not remaining.terms or is_integer_valued(remaining):
        return const(0)
    generators, p, d = integer_fraction(remaining)
    whole_terms, _ = whole_part(p, d, [not part for _, part, _ in generators])
    if whole_terms:
        return _fraction(remaining - sum_of(whole_terms, generators))
    if all(c < 0 for _, c in remaining.terms):
        remaining = scale(remaining, -1)
        p = {row: -c for row, c in p.items()}
    content = gcd(*p.values())
    return scale(remaining, Fraction(1, content)) if len(d) == 1 and not any(next(iter(d))) else remaining


def _is_whole_term(term: Term) -> bool:
    monomial, coefficient = term
    return isinstance(coefficient, int) and all(
        exponent > 0 if isinstance(exponent, int) else is_integral(exponent) and is_nonnegative(exponent)
        for _, exponent in monomial
    )


def _numerator(a: Nat) -> Nat:
    """A natural that is >= 0 exactly if a is, given that divisors are positive."""
    if (terms := integer_terms(a)) is not None:
        return scale(a, Fraction(1, gcd(*(c for _, c in terms))))
    numerator, divisor = fraction_of(a)
    if is_nonnegative(scale(divisor, -1)):
        numerator = scale(numerator, -1)
    generators, p, _ = integer_fraction(numerator)
    content = gcd(*p.values())
    return _without_floor(sum_of({row: c // content for row, c in p.items()}, generators))


def _without_floor(a: Nat) -> Nat:
    """An integer that is >= 0 exactly if a is, without the quotient if a is one that is rounded down, plus a number."""
    for term in a.terms:
        match term:
            case (((NatCall("floor", (dividend, divisor)), 1),), 1):
                number, size = (a - polynomial((term,))).constant, divisor.constant
                if number is not None and size is not None and size > 0 and is_integral(dividend):
                    return dividend + number * size
    return a


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
    """The natural that must be >= 1: the divisor, or its negation if both sides of the quotient are negative."""
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


def _without_implied(candidates: list[Obligation]) -> list[Obligation]:
    """The obligations without those that follow from others, removed in order; if there are very many, all of them."""
    remaining = list(candidates)
    for obligation in candidates if len(candidates) <= MAX_COMPARED else ():
        others = [other for other in remaining if other is not obligation]
        if holds(obligation.fact, Facts(tuple(other.fact for other in others))):
            remaining = others
    return remaining


MAX_GRID_POINTS: Final = 256  # at which a polynomial is evaluated


def is_integer_valued(a: Nat) -> bool:
    """Whether a polynomial with fractions is an integer for all integer values of its variables, as `(n^2 + n) /^ 2`.

    It is if it is an integer on the grid of the values from 0 to its degree in each variable.
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
    if all(not monomial or (len(monomial) == 1 and monomial[0][1] == 1) for monomial, _ in a.terms):
        return all(isinstance(coefficient, int) for _, coefficient in a.terms)  # a linear one
    if prod(degree + 1 for degree in degrees.values()) > MAX_GRID_POINTS:
        return False
    for point in product(*(range(degree + 1) for degree in degrees.values())):
        values: dict[Any, int] = dict(zip(degrees, point, strict=True))
        total: Any = sum((_at_point(m, values) * c for m, c in a.terms), 0)
        if Fraction(total).denominator != 1:
            return False
    return True


def _at_point(monomial: Monomial, values: Mapping[Any, int]) -> int:
    return prod([values[base] ** exponent for base, exponent in monomial if isinstance(exponent, int)])
