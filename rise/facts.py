"""What follows from facts about sizes: signs, divisibility, equality. Knows no terms but `Fact`.

Answers are True only when proved; False means unknown. Every named or bound natural is an integer >= 0, and
every divisor that occurs is >= 1 (each is an obligation of its own).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import floor, gcd, lcm
from typing import Final

from rise.naturals import (
    ONE,
    UNIT,
    ZERO,
    Atom,
    Base,
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
from rise.quotients import (
    NatCall,
    ends_of,
    evaluate_natural,
    integer_fraction,
    is_integral,
    is_nonnegative,
    linear_in,
    substitute_naturals,
)
from rise.terms import Fact

RELATIONS: Final = ("divides", "<=", "<", "==", ">=", ">")
STEPS: Final = 64  # that the search for a sign may take
DEPTH: Final = 6  # of what is subtracted from a fraction to show that it is an integer


@dataclass(frozen=True, slots=True)
class Facts:
    """What is known: promises of the author, or obligations that hold already."""

    facts: tuple[Fact, ...] = ()

    def __post_init__(self) -> None:
        assert all(fact.relation in RELATIONS for fact in self.facts), f"a relation is none of {RELATIONS}"

    def and_also(self, *more: Fact) -> Facts:
        """These facts and more."""
        return Facts((*self.facts, *more))


def evaluate_fact(fact: Fact, values: Mapping[Atom, int]) -> bool:
    """Whether a fact holds for numbers. Raises as `evaluate_natural` does."""
    left, right = evaluate_natural(fact.left, values), evaluate_natural(fact.right, values)
    match fact.relation:
        case "divides":
            return right == 0 if left == 0 else Fraction(right) % Fraction(left) == 0
        case "<=":
            return left <= right
        case "<":
            return left < right
        case "==":
            return left == right
        case ">=":
            return left >= right
        case relation:
            assert relation == ">", f"{relation} is no relation"
            return left > right


def holds(fact: Fact, facts: Facts) -> bool:
    """Whether a fact follows from others."""
    match fact.relation:
        case "divides":
            return holds_divides(fact.left, fact.right, facts)
        case "==":
            return holds_equal(fact.left, fact.right, facts)
        case "<=":
            return holds_nonnegative(fact.right - fact.left, facts)
        case ">=":
            return holds_nonnegative(fact.left - fact.right, facts)
        case "<":
            return holds_positive(fact.right - fact.left, facts)
        case relation:
            assert relation == ">", f"{relation} is no relation"
            return holds_positive(fact.left - fact.right, facts)


def holds_nonnegative(a: Nat, facts: Facts) -> bool:
    """Whether a >= 0."""
    known = _known(facts)
    goal = known.rewrite(a)
    return goal is not None and _is_at_least_zero(goal, known)


def holds_positive(a: Nat, facts: Facts) -> bool:
    """Whether a >= 1."""
    return holds_nonnegative(a - 1, facts)


def holds_integral(a: Nat, facts: Facts) -> bool:
    """Whether a is an integer."""
    known = _known(facts)
    goal = known.rewrite(a)
    return goal is not None and _is_integral(goal, known.integers, DEPTH)


def holds_divides(d: Nat, a: Nat, facts: Facts) -> bool:
    """Whether a is a multiple of d."""
    return holds_equal(a, ZERO, facts) if not d.terms else holds_integral(exact_quotient(a, d), facts)


def holds_equal(a: Nat, b: Nat, facts: Facts) -> bool:
    """Whether a = b."""
    known = _known(facts)
    difference = known.rewrite(a - b)
    if difference is None:
        return False
    opposite = scale(difference, -1)
    return difference is ZERO or (_is_at_least_zero(difference, known) and _is_at_least_zero(opposite, known))


@dataclass(frozen=True, slots=True)
class _Known:
    """Facts put to use: replacements, one after the other, then what is >= 0 and what is an integer."""

    replacements: tuple[tuple[Atom, Nat], ...]
    positives: tuple[Nat, ...]
    integers: tuple[Nat, ...]

    def rewrite(self, a: Nat) -> Nat | None:
        """The same natural in the variables that are left; None where it would divide by zero."""
        try:
            for atom, value in self.replacements:
                a = substitute_naturals(a, {atom: value})
        except ZeroDivisionError:
            return None
        return a

    def rewritten(self, naturals: Iterable[Nat]) -> tuple[Nat, ...]:
        """Those of the naturals that divide by zero nowhere."""
        return tuple(b for b in map(self.rewrite, naturals) if b is not None)


class _Gathering:
    """What is known so far, while facts are put to use."""

    def __init__(self) -> None:
        self.replacements: list[tuple[Atom, Nat]] = []
        self.positives: list[Nat] = []
        self.integers: list[Nat] = []

    @property
    def known(self) -> _Known:
        """What is known, signs apart."""
        known = _Known(tuple(self.replacements), (), ())
        return _Known(known.replacements, (), known.rewritten(self.integers))

    def replace(self, atom: Atom, value: Nat) -> None:
        """From now on the atom is the value, which is a natural in the atom's range."""
        self.replacements.append((atom, value))
        self.positives.append(value)
        if isinstance(atom, NatVar) and atom.upper is not None:
            self.positives.append(atom.upper - 1 - value)
        if not is_integral(value):
            self.integers.append(value)


@lru_cache(maxsize=1 << 10)
def _known(facts: Facts) -> _Known:
    found = _Gathering()
    for fact in facts.facts:
        if fact.relation == "==" or (fact.relation == "divides" and not fact.left.terms):
            _use_equality(found, fact.left - fact.right)
    waiting = [fact for fact in facts.facts if fact.relation == "divides" and fact.left.terms]
    for number, fact in enumerate(waiting):
        _use_divisibility(found, exact_quotient(fact.right, fact.left), number)
    for fact in facts.facts:
        match fact.relation:
            case "<=" | "<":
                _use_order(found, fact.right - fact.left, fact.relation == "<")
            case ">=" | ">":
                _use_order(found, fact.left - fact.right, fact.relation == ">")
    known = found.known
    positives = tuple(_tightened(a, known) for a in known.rewritten(found.positives))
    return _Known(known.replacements, positives, known.integers)


def _use_equality(found: _Gathering, difference: Nat) -> None:
    """Replace a variable by what it equals; else both signs are known."""
    zero = found.known.rewrite(difference)
    if zero is None:
        return
    for atom in _variables(zero):
        linear = linear_in(zero, atom)
        if linear is not None and [m for m, _ in linear[0].terms] == [ONE]:
            slope, rest = linear
            found.replace(atom, exact_quotient(scale(rest, -1), slope))
            return
    found.positives += [zero, scale(zero, -1)]


def _use_divisibility(found: _Gathering, integer: Nat, number: int) -> None:
    """Replace a variable by a multiple; else the quotient is known to be an integer."""
    quotient = found.known.rewrite(integer)
    if quotient is None:
        return
    match quotient.terms:
        case ((monomial, coefficient),) if not any(isinstance(b, Nat) for b, _ in monomial):
            above = [b for b, e in monomial if e == 1]
            below = [b for b, e in monomial if isinstance(e, int) and e < 0]
            match above:
                case [NatVar() | NatBound() as atom] if len(above) + len(below) == len(monomial):
                    times = Fraction(coefficient).numerator
                    if not below or abs(times) == 1:
                        # times/d * v is an integer, times and d are coprime: d divides v
                        d = exact_quotient(times * nat(atom), quotient)
                        if linear_in(d, atom) is not None:
                            found.replace(atom, d * nat(NatVar(f" {number}", None)))
                            return
    found.integers.append(quotient)


def _use_order(found: _Gathering, difference: Nat, strict: bool) -> None:
    whole = strict and is_integral(difference)
    found.positives.append(difference - 1 if whole else difference)


def _variables(a: Nat) -> list[Atom]:
    """The variables of a, those with a plain factor +1 or -1 first."""
    found: dict[Atom, bool] = {}
    for monomial, coefficient in a.terms:
        match monomial:
            case ((NatVar() | NatBound() as atom, 1),):
                found[atom] = abs(coefficient) == 1
    return sorted(found, key=lambda atom: not found[atom])


def _is_integral(a: Nat, integers: tuple[Nat, ...], depth: int) -> bool:
    """Subtract multiples of integers until only integers are left."""
    rest = polynomial(t for t in a.terms if not _is_integral_term(Nat((t,)), integers, depth))
    if not rest.terms:
        return True
    if depth == 0:
        return False
    first = polynomial(rest.terms[:1])
    for integer in integers:
        for term in integer.terms:
            factor = exact_quotient(first, polynomial((term,)))
            if _is_nearer(factor, first) and _is_integral(factor, integers, depth - 1):
                if _is_integral(rest - factor * integer, integers, depth - 1):
                    return True
    return False


def _is_nearer(a: Nat, b: Nat) -> bool:
    """Whether one has a smaller denominator than the other, in no part a larger one."""
    (number, below), (other, other_below) = _denominator(a), _denominator(b)
    smaller = (number, below) != (other, other_below)
    return smaller and number <= other and all(e <= other_below.get(base, 0) for base, e in below.items())


def _denominator(a: Nat) -> tuple[int, dict[Base, int]]:
    below: dict[Base, int] = {}
    for base, exponent in (power for monomial, _ in a.terms for power in monomial):
        if isinstance(exponent, int) and exponent < 0:
            below[base] = max(below.get(base, 0), -exponent)
    return lcm(*(Fraction(c).denominator for _, c in a.terms)), below


def _is_integral_term(a: Nat, integers: tuple[Nat, ...], depth: int) -> bool:
    if is_integral(a):
        return True
    ((monomial, coefficient),) = a.terms
    if depth == 0 or not isinstance(coefficient, int):
        return False
    for base, exponent in monomial:
        if not is_integral(Nat(((((base, exponent),), 1),))):
            match base, exponent:
                case NatCall("min" | "max", args), int() if exponent > 0:
                    if not all(_is_integral(x, integers, depth - 1) for x in args):
                        return False
                case _:
                    return False
    return True


def _is_at_least_zero(a: Nat, known: _Known) -> bool:
    """Search: put variables at an end of their range, subtract multiples of what is >= 0."""
    waiting = [_tightened(a, known)]
    seen = set(waiting)
    for _ in range(STEPS):
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


def _easier(a: Nat, known: _Known) -> Iterator[Nat]:
    """Naturals that are at most a."""
    negative = next((polynomial((t,)) for t in a.terms if t[1] < 0), None)
    if negative is None:
        return
    for positive in known.positives:
        for term in positive.terms:
            if term[1] < 0:
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


def _with_longer_ceilings(a: Nat) -> Iterator[Nat]:
    """With `d * ceil(n, d*b)`, which is at least `ceil(n, b)`, for it where that is subtracted."""
    ceilings = [
        base
        for base in {base: None for m, _ in a.terms for base, _ in m}
        if isinstance(base, NatCall) and base.function == "ceil"
    ]
    for one in ceilings:
        linear = linear_in(a, one)
        if linear is None or not is_nonnegative(scale(linear[0], -1)):
            continue
        for other in ceilings:
            times = exact_quotient(other.args[1], one.args[1])
            if other is not one and other.args[0] == one.args[0] and is_integral(times):
                if is_nonnegative(times - 1):
                    yield linear[1] + linear[0] * times * nat(other)


def _tightened(a: Nat, known: _Known) -> Nat:
    """Something >= 0 exactly if a is: without divisors, and divided by what divides all but a constant."""
    if not a.terms:
        return a
    numerator, divisor = fraction_of(a)
    if divisor is not UNIT and not is_nonnegative(divisor):
        if not is_nonnegative(scale(divisor, -1)):
            return a
        numerator = scale(numerator, -1)
    generators, p, _ = integer_fraction(numerator)
    constant = next((c for row, c in p.items() if not any(row)), 0)
    moving = sum_of({row: c for row, c in p.items() if any(row)}, generators)
    common = gcd(*(c for row, c in p.items() if any(row)))
    if common <= 1 or not _is_integral(moving, known.integers, 1):
        return moving + constant
    return scale(moving, Fraction(1, common)) + floor(Fraction(constant, common))
