"""Applies facts about sizes: replaces variables, and searches for proofs of signs and integers. Independent of syntax.

An answer is True only if proved; False means unknown. A search ends after a fixed number of steps.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from functools import lru_cache
from math import floor, gcd, isnan, lcm, nan
from typing import Final

from rise.natural_values import substitute_naturals
from rise.naturals import (
    ONE,
    UNIT,
    Atom,
    Base,
    Monomial,
    Nat,
    NatBound,
    NatVar,
    exact_quotient,
    fraction_of,
    nat,
    polynomial,
    scale,
    sum_of,
)
from rise.nodes import postorder
from rise.quotients import (
    NatCall,
    ends_of,
    integer_fraction,
    integer_terms,
    is_integral,
    is_nonnegative,
    linear_in,
)
from rise.records import dataclass
from rise.terms import Fact

MAX_SIGN_STEPS: Final = 64  # of a search for a sign
MAX_INTEGRALITY_TRIES: Final = 256  # naturals inspected to show that one is an integer
MAX_SUBTRACTION_DEPTH: Final = 6  # nested subtractions from a fraction to show that it is an integer
MAX_WEIGHT: Final = 256  # of a natural whose sign is searched for


@dataclass(frozen=True, slots=True)
class Known:
    """The consequences of facts: values of variables in terms of the remaining ones, naturals >= 0, and integers.

    A value is None if it would divide by zero.
    """

    replacements: Mapping[Atom, Nat | None]
    positives: tuple[Nat, ...]
    integers: tuple[Nat, ...]

    def rewrite(self, a: Nat) -> Nat | None:
        """The natural in terms of the remaining variables; None if it would divide by zero."""
        return _rewritten(a, self.replacements)

    def rewritten(self, naturals: Iterable[Nat]) -> tuple[Nat, ...]:
        """The naturals in terms of the remaining variables, without those that would divide by zero."""
        return tuple(b for b in map(self.rewrite, naturals) if b is not None)


class _KnownBuilder:
    """Collects the consequences of facts, one fact after the other."""

    def __init__(self) -> None:
        self.replacements: dict[Atom, Nat | None] = {}
        self.positives: list[Nat] = []
        self.integers: list[Nat] = []

    @property
    def known(self) -> Known:
        """The consequences known so far, without signs."""
        known = Known(self.replacements, (), ())
        return Known(known.replacements, (), known.rewritten(self.integers))

    def replace(self, atom: Atom, value: Nat) -> None:
        """From now on, replace the atom by the value, which is a natural in the atom's range."""
        for other, before in self.replacements.items():
            if before is not None:
                self.replacements[other] = _rewritten(before, {atom: value})
        self.replacements[atom] = value
        self.positives.append(value)
        if isinstance(atom, NatVar) and atom.upper is not None:
            self.positives.append(atom.upper - 1 - value)
        if not is_integral(value):
            self.integers.append(value)


def _rewritten(a: Nat, replacements: Mapping[Atom, Nat | None]) -> Nat | None:
    """A natural with its atoms replaced by values; None if it would divide by zero."""
    mentioned = {atom: replacements[atom] for atom in _atoms(a) if atom in replacements}
    if not mentioned:
        return a
    if None in mentioned.values():
        return None
    try:
        return substitute_naturals(a, mentioned)
    except ZeroDivisionError:
        return None


def _atoms(a: Nat) -> Iterable[Atom]:
    """The variables in a natural."""
    bound = [node for node in postorder(a) if isinstance(node, NatBound)] if a.dep_loose else ()
    return (*a.free, *bound)


@lru_cache(maxsize=1 << 10)
def known_from(facts: tuple[Fact, ...]) -> Known:
    """The direct consequences of facts; facts about very long sizes are not used.

    Raises RiseError if they lead to sizes that are too long.
    """
    builder = _KnownBuilder()
    facts = tuple(fact for fact in facts if fact.left.weight + fact.right.weight <= MAX_WEIGHT)
    for fact in facts:
        if fact.relation == "==" or (fact.relation == "divides" and not fact.left.terms):
            _use_equality(builder, fact.left - fact.right)
    divisibilities = [fact for fact in facts if fact.relation == "divides" and fact.left.terms]
    for number, fact in enumerate(divisibilities):
        _use_divisibility(builder, exact_quotient(fact.right, fact.left), number)
    for fact in facts:
        match fact.relation:
            case "<=" | "<":
                _use_order(builder, fact.right - fact.left, fact.relation == "<")
            case ">=" | ">":
                _use_order(builder, fact.left - fact.right, fact.relation == ">")
    known = builder.known
    positives = tuple(_tightened(a, known) for a in known.rewritten(builder.positives))
    return Known(known.replacements, positives, known.integers)


def _use_equality(builder: _KnownBuilder, difference: Nat) -> None:
    """Replace a variable by what it equals; if none can be replaced, add that the difference is both >= 0 and <= 0."""
    zero = builder.known.rewrite(difference)
    if zero is None:
        return
    for atom in _variables(zero):
        linear = linear_in(zero, atom)
        if linear is not None and [m for m, _ in linear[0].terms] == [ONE]:
            slope, rest = linear
            builder.replace(atom, exact_quotient(scale(rest, -1), slope))
            return
    builder.positives += [zero, scale(zero, -1)]


def _use_divisibility(builder: _KnownBuilder, integer: Nat, number: int) -> None:
    """Replace a variable by a multiple; if none can be replaced, add that the quotient is an integer."""
    quotient = builder.known.rewrite(integer)
    if quotient is None:
        return
    match quotient.terms:
        case ((monomial, coefficient),) if not any(isinstance(b, Nat) for b, _ in monomial):
            above = [b for b, e in monomial if e == 1]
            below = [b for b, e in monomial if isinstance(e, int) and e < 0]
            match above:
                case [NatVar() | NatBound() as atom] if len(above) + len(below) == len(monomial):
                    times = coefficient.numerator
                    if not below or abs(times) == 1:
                        # times/d * v is an integer, times and d are coprime: d divides v
                        d = exact_quotient(times * nat(atom), quotient)
                        if linear_in(d, atom) is not None:
                            builder.replace(atom, d * nat(NatVar(f" {number}", None)))
                            return
    builder.integers.append(quotient)


def _use_order(builder: _KnownBuilder, difference: Nat, strict: bool) -> None:
    is_strict_integer = strict and is_integral(difference)
    builder.positives.append(difference - 1 if is_strict_integer else difference)


def _variables(a: Nat) -> list[Atom]:
    """The variables of a, those with a plain factor +1 or -1 first."""
    variables: dict[Atom, bool] = {}
    for monomial, coefficient in a.terms:
        match monomial:
            case ((NatVar() | NatBound() as atom, 1),):
                variables[atom] = abs(coefficient) == 1
    return sorted(variables, key=lambda atom: not variables[atom])


def is_known_integral(a: Nat, known: Known) -> bool:
    """Whether a is an integer; False means unknown."""
    if a.weight > MAX_WEIGHT:
        return is_integral(a)
    return _Search(known.integers, MAX_INTEGRALITY_TRIES).is_integral(a, MAX_SUBTRACTION_DEPTH)


@dataclass(slots=True)
class _Search:
    """A search that proves that a natural is an integer: it subtracts multiples of integers until only integers are
    left.
    """

    integers: tuple[Nat, ...]
    tries_left: int

    def is_integral(self, a: Nat, depth: int) -> bool:
        self.tries_left -= 1
        rest = polynomial(t for t in a.terms if not self.is_integral_term(Nat((t,)), depth))
        if not rest.terms:
            return True
        if depth == 0 or self.tries_left < 0:
            return False
        first = polynomial(rest.terms[:1])
        for integer in self.integers:
            for term in integer.terms:
                factor = exact_quotient(first, polynomial((term,)))
                if _is_nearer(factor, first) and self.is_integral(factor, depth - 1):
                    if self.is_integral(rest - factor * integer, depth - 1):
                        return True
        return False

    def is_integral_term(self, a: Nat, depth: int) -> bool:
        if is_integral(a):
            return True
        ((monomial, coefficient),) = a.terms
        if depth == 0 or not isinstance(coefficient, int):
            return False
        for base, exponent in monomial:
            if not is_integral(Nat(((((base, exponent),), 1),))):
                match base, exponent:
                    case NatCall("min" | "max", args), int() if exponent > 0:
                        if not all(self.is_integral(x, depth - 1) for x in args):
                            return False
                    case _:
                        return False
        return True


def _is_nearer(a: Nat, b: Nat) -> bool:
    """Whether a has a smaller denominator than b, and no part of it is larger."""
    (number, below), (other, other_below) = _denominator(a), _denominator(b)
    smaller = (number, below) != (other, other_below)
    return smaller and number <= other and all(e <= other_below.get(base, 0) for base, e in below.items())


def _denominator(a: Nat) -> tuple[int, dict[Base, int]]:
    below: dict[Base, int] = {}
    for base, exponent in (power for monomial, _ in a.terms for power in monomial):
        if isinstance(exponent, int) and exponent < 0:
            below[base] = max(below.get(base, 0), -exponent)
    return lcm(*[c.denominator for _, c in a.terms]), below


def is_at_least_zero(a: Nat, known: Known) -> bool:
    """Whether a >= 0; False means unknown.

    The search sets variables to an end of their range, and subtracts multiples of naturals that are >= 0.
    """
    if a.weight > MAX_WEIGHT:
        return is_nonnegative(a)
    waiting = [_tightened(a, known)]
    seen = set(waiting)
    for _ in range(MAX_SIGN_STEPS):
        if not waiting:
            return False
        goal = waiting.pop()
        if is_nonnegative(goal):
            return True
        for easier in _easier(goal, known):
            easier = _tightened(easier, known)
            if easier not in seen:
                seen.add(easier)
                waiting.insert(0, easier)
    return False


def _easier(a: Nat, known: Known) -> Iterator[Nat]:
    """Lower bounds of a."""
    lowered = next((t for t in a.terms if t[1] < 0), None)
    if lowered is None:
        return
    negative, most, of_negative = polynomial((lowered,)), _degree(a), _degree_of(lowered[0])
    for positive in known.positives:
        most_of_factor = most - _degree(positive)
        for term in positive.terms:
            if term[1] < 0 and not of_negative - _degree_of(term[0]) > most_of_factor:
                factor = exact_quotient(negative, polynomial((term,)))
                if not _denominator(factor)[1] and is_nonnegative(factor):
                    yield a - factor * positive
    yield from _with_longer_ceilings(a)
    for atom in {base: None for m, _ in a.terms for base, _ in m if isinstance(base, Atom)}:
        lows, highs = ends_of(atom)
        linear = linear_in(a, atom) if lows or highs else None
        if linear is not None:
            slope, rest = linear
            for ends, sign in ((lows, slope), (highs, scale(slope, -1))):
                if ends and is_nonnegative(sign):
                    yield from (rest + slope * end for end in ends)


def _degree(a: Nat) -> float:
    """The largest degree of a term, or NaN. Lower bounds with a larger degree than the goal are not searched, since no
    later bound has a smaller one again.
    """
    degrees = [_degree_of(monomial) for monomial, _ in a.terms]
    return nan if any(map(isnan, degrees)) else max(degrees, default=0)


def _degree_of(monomial: Monomial) -> float:
    """The sum of the exponents; NaN, for which no comparison holds, if one is not a known number."""
    return sum([exponent if isinstance(exponent, int) else nan for _, exponent in monomial])


def _with_longer_ceilings(a: Nat) -> Iterator[Nat]:
    """Lower bounds of a with `d * ceil(n, d*b)`, which is at least `ceil(n, b)`, where the latter is subtracted."""
    ceilings = [
        base
        for base in {base: None for m, _ in a.terms for base, _ in m}
        if isinstance(base, NatCall) and base.function == "ceil"
    ]
    for ceiling in ceilings:
        linear = linear_in(a, ceiling)
        if linear is None or not is_nonnegative(scale(linear[0], -1)):
            continue
        for other in ceilings:
            times = exact_quotient(other.args[1], ceiling.args[1])
            if other is not ceiling and other.args[0] == ceiling.args[0] and is_integral(times):
                if is_nonnegative(times - 1):
                    yield linear[1] + linear[0] * times * nat(other)


def _tightened(a: Nat, known: Known) -> Nat:
    """A natural that is >= 0 if and only if a is: without divisors, and divided by the common divisor of all terms
    except the constant.
    """
    if not a.terms:
        return a
    if (terms := integer_terms(a)) is not None:
        common = gcd(*[c for m, c in terms if m])
        return (
            a
            if common <= 1
            else Nat(tuple([(m, c // common) for m, c in terms if m or c >= common or c < 0]))
        )
    numerator, divisor = fraction_of(a)
    if divisor is not UNIT and not is_nonnegative(divisor):
        if not is_nonnegative(scale(divisor, -1)):
            return a
        numerator = scale(numerator, -1)
    generators, p, _ = integer_fraction(numerator)
    constant = next((c for row, c in p.items() if not any(row)), 0)
    moving = sum_of({row: c for row, c in p.items() if any(row)}, generators)
    common = gcd(*(c for row, c in p.items() if any(row)))
    if common <= 1 or not _Search(known.integers, MAX_INTEGRALITY_TRIES).is_integral(moving, 1):
        return moving + constant
    return scale(moving, Fraction(1, common)) + floor(Fraction(constant, common))
