"""Facts about sizes put to use: variables replaced, signs and integers searched for. Knows no relations of texts.

Answers are True only when proved; False means unknown. A search ends after some steps, however much is known.
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
from rise.nodes import postorder
from rise.quotients import (
    NatCall,
    ends_of,
    integer_fraction,
    is_integral,
    is_nonnegative,
    linear_in,
    substitute_naturals,
)
from rise.terms import Fact

STEPS: Final = 64  # that the search for a sign may take
TRIES: Final = 256  # naturals that are looked at to show that one is an integer
DEPTH: Final = 6  # of what is subtracted from a fraction to show that it is an integer
LONGEST: Final = 256  # weight of a natural whose sign is searched for


@dataclass(frozen=True, slots=True)
class Known:
    """Facts put to use: what variables are in terms of those that are left, then what is >= 0 and what is an integer.

    A value is None where it would divide by zero.
    """

    replacements: Mapping[Atom, Nat | None]
    positives: tuple[Nat, ...]
    integers: tuple[Nat, ...]

    def rewrite(self, a: Nat) -> Nat | None:
        """The same natural in the variables that are left; None where it would divide by zero."""
        return _rewritten(a, self.replacements)

    def rewritten(self, naturals: Iterable[Nat]) -> tuple[Nat, ...]:
        """Those of the naturals that divide by zero nowhere."""
        return tuple(b for b in map(self.rewrite, naturals) if b is not None)


class _Gathering:
    """What is known so far, while facts are put to use."""

    def __init__(self) -> None:
        self.replacements: dict[Atom, Nat | None] = {}
        self.positives: list[Nat] = []
        self.integers: list[Nat] = []

    @property
    def known(self) -> Known:
        """What is known, signs apart."""
        known = Known(self.replacements, (), ())
        return Known(known.replacements, (), known.rewritten(self.integers))

    def replace(self, atom: Atom, value: Nat) -> None:
        """From now on the atom is the value, which is a natural in the atom's range."""
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
    """A natural with values for atoms, or None where it would divide by zero."""
    mentioned = {one: replacements[one] for one in _atoms(a) if one in replacements}
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
    bound = [one for one in postorder(a) if isinstance(one, NatBound)] if a.dep_loose else ()
    return (*a.free, *bound)


@lru_cache(maxsize=1 << 10)
def put_to_use(facts: tuple[Fact, ...]) -> Known:
    """What follows from facts at once; those about very long sizes are not used.

    Raises RiseError where they lead to sizes that are too long.
    """
    found = _Gathering()
    facts = tuple(fact for fact in facts if fact.left.weight + fact.right.weight <= LONGEST)
    for fact in facts:
        if fact.relation == "==" or (fact.relation == "divides" and not fact.left.terms):
            _use_equality(found, fact.left - fact.right)
    waiting = [fact for fact in facts if fact.relation == "divides" and fact.left.terms]
    for number, fact in enumerate(waiting):
        _use_divisibility(found, exact_quotient(fact.right, fact.left), number)
    for fact in facts:
        match fact.relation:
            case "<=" | "<":
                _use_order(found, fact.right - fact.left, fact.relation == "<")
            case ">=" | ">":
                _use_order(found, fact.left - fact.right, fact.relation == ">")
    known = found.known
    positives = tuple(_tightened(a, known) for a in known.rewritten(found.positives))
    return Known(known.replacements, positives, known.integers)


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


def is_known_integral(a: Nat, known: Known) -> bool:
    """Whether a is an integer; False means unknown."""
    if a.weight > LONGEST:
        return is_integral(a)
    return _Search(known.integers, TRIES).is_integral(a, DEPTH)


@dataclass(slots=True)
class _Search:
    """A proof that something is an integer: multiples of integers are subtracted until only integers are left."""

    integers: tuple[Nat, ...]
    left: int  # tries

    def is_integral(self, a: Nat, depth: int) -> bool:
        self.left -= 1
        rest = polynomial(t for t in a.terms if not self.is_integral_term(Nat((t,)), depth))
        if not rest.terms:
            return True
        if depth == 0 or self.left < 0:
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


def is_at_least_zero(a: Nat, known: Known) -> bool:
    """Whether a >= 0; False means unknown.

    The search puts variables at an end of their range, and subtracts multiples of what is >= 0.
    """
    if a.weight > LONGEST:
        return is_nonnegative(a)
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


def _easier(a: Nat, known: Known) -> Iterator[Nat]:
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


def _tightened(a: Nat, known: Known) -> Nat:
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
    if common <= 1 or not _Search(known.integers, TRIES).is_integral(moving, 1):
        return moving + constant
    return scale(moving, Fraction(1, common)) + floor(Fraction(constant, common))
