"""Bounds on naturals by interval arithmetic, from bounds on sizes and the ranges of loop indices.

Depends on naturals only. Bounds are conservative: an upper bound may be larger than necessary, but is never too small.
"""

from __future__ import annotations

from collections.abc import Mapping, Set
from fractions import Fraction
from math import ceil, floor
from typing import Final, TypeAlias

from rise.naturals import Atom, Base, Exponent, Monomial, Nat, NatVar, const, nat
from rise.naturals import power as natural_power
from rise.quotients import NatCall
from rise.size_functions import SizeSum

Number: TypeAlias = int | Fraction
Ends: TypeAlias = tuple[Number, Number]

MAX_BITS: Final = 4096  # of numbers that are computed exactly
#: represents all numbers with more bits, which exceed every bound in use
HUGE: Final = 1 << MAX_BITS


class UnknownSize(Exception):
    """A natural depends on a size without known bounds."""


class Reach:
    """Bounds for sizes in given ranges, both ends included.

    Loop indices are less than their `upper`. A number that is read at run time without such an end is at most `read`,
    or unknown if that is None.
    """

    __slots__ = ("_ends", "_read")

    def __init__(self, sizes: Mapping[NatVar, tuple[int, int]], read: int | None = None) -> None:
        self._ends: dict[Nat | Atom, Ends] = {size: ends for size, ends in sizes.items()}  # noqa: C416
        self._read = read

    def computing(self, a: Nat) -> int:
        """A bound on all numbers that occur while the terms of a are multiplied and added, in any order.

        The arguments of quotients, minima and so on inside it are separate numbers. Raises UnknownSize.
        """
        total: Number = 0
        for monomial, coefficient in a.terms:
            product: Number = 1  # of any subset of the factors, since the last one may be 0
            for base, exponent in monomial:
                low, high = self._power(base, exponent)
                product = min(product * max(1, -low, high), HUGE)
            outermost = _without_inner(monomial)
            if outermost is not None:
                product = min(product, self.computing(outermost))
            total += max(coefficient, -coefficient) * product
        return ceil(total)

    def ends(self, a: Nat) -> Ends:
        """A lower and an upper bound of a. Raises UnknownSize."""
        bounds = self._ends.get(a)
        if bounds is None:
            least: Number = 0
            most: Number = 0
            for monomial, coefficient in a.terms:
                low, high = self._product(monomial)
                least += coefficient * (low if coefficient > 0 else high)
                most += coefficient * (high if coefficient > 0 else low)
            bounds = self._ends[a] = max(least, -HUGE), min(most, HUGE)
        return bounds

    def most(self, a: Nat) -> int:
        """An upper bound of a, as an integer >= 0. Raises UnknownSize."""
        return max(0, floor(self.ends(a)[1]))

    def _product(self, monomial: Monomial) -> Ends:
        ends: Ends = (1, 1)
        for base, exponent in monomial:
            ends = _times(ends, self._power(base, exponent))
        low, high = ends
        if low >= 0:
            outermost = _without_inner(monomial)
            if outermost is not None:
                high = min(high, max(0, self.ends(outermost)[1]))
        return low, high

    def _power(self, base: Base, exponent: Exponent) -> Ends:
        low, high = self.ends(base) if isinstance(base, Nat) else self._atom(base)
        if exponent == 1:
            return low, high
        if isinstance(exponent, Nat):  # of a number >= 0
            least, most = self.ends(exponent)
            high = _raised(max(high, 1), ceil(most)) if most > 0 else 1
            return (_raised(floor(low), floor(least)) if least >= 0 else 0), high
        if exponent < 0:  # a divisor is an integer that is not 0
            if low < 0:
                return -1, 1
            return Fraction(1, _raised(max(high, 1), -exponent)), Fraction(1, _raised(max(low, 1), -exponent))
        if low >= 0:
            return _raised(floor(low), exponent), _raised(high, exponent)
        size = _raised(max(-low, high), exponent)
        return (-size if exponent % 2 else 0), size

    def _atom(self, atom: Atom) -> Ends:
        ends = self._ends.get(atom)
        if ends is None:
            ends = self._ends[atom] = self._of_atom(atom)
        return ends

    def _of_atom(self, atom: Atom) -> Ends:
        match atom:
            case NatVar(_, Nat() as upper):
                return 0, max(0, self.most(upper) - 1)
                # a sum is the end of an index, which is read
            case NatVar() | SizeSum() if self._read is not None:
                return 0, self._read
            case NatVar() | SizeSum():
                raise UnknownSize(atom)
            case NatCall(function, (a, b)):
                return _of_call(function, self.ends(a), self.ends(b))
        raise AssertionError(f"no text computes {atom!r}")


def _of_call(function: str, a: Ends, b: Ends) -> Ends:
    """The bounds of a function of two naturals; divisors are integers >= 1."""
    (low, high), (other_low, other_high) = a, b
    divisors = max(other_low, 1), max(other_high, 1)
    match function:
        case "floor":
            return floor(low / _widest(low, divisors)), floor(high / _narrowest(high, divisors))
        case "ceil":
            return ceil(low / _widest(low, divisors)), ceil(high / _narrowest(high, divisors))
        case "mod":
            return 0, min(high, divisors[1] - 1) if low >= 0 else divisors[1] - 1
        case "min":
            return min(low, other_low), min(high, other_high)
        case "max":
            return max(low, other_low), max(high, other_high)
        case "xor":
            return 0, (1 << max(int(high), int(other_high)).bit_length()) - 1
    raise AssertionError(f"no text computes {function} of naturals")


def _widest(low: Number, divisors: Ends) -> Fraction:
    """The divisor that gives the least quotient."""
    return Fraction(divisors[1] if low >= 0 else divisors[0])


def _narrowest(high: Number, divisors: Ends) -> Fraction:
    """The divisor that gives the greatest quotient."""
    return Fraction(divisors[0] if high >= 0 else divisors[1])


def _times(a: Ends, b: Ends) -> Ends:
    if a[0] >= 0 and b[0] >= 0:
        return a[0] * b[0], min(a[1] * b[1], HUGE)
    corners = [x * y for x in a for y in b]
    return max(min(corners), -HUGE), min(max(corners), HUGE)


def _raised(base: Number, exponent: int) -> Number:
    """A power of a number >= 0, or an upper bound of it; HUGE if it has too many bits."""
    if base <= 1 or exponent == 0:
        return base if exponent else 1
    bits = max(base.numerator, base.denominator).bit_length() * exponent
    return base**exponent if bits <= MAX_BITS else HUGE


def _without_inner(monomial: Monomial) -> Nat | None:
    """The product with the index of an inner loop replaced by its end, if that depends on the other factors: `2^i * j`
    with `j < 2^(n - i)` is at most `2^n`. None if there is no such end.
    """
    inner = [base for base, exponent in monomial if isinstance(base, NatVar) and _is_plain(base, exponent)]
    if len(monomial) < 2 or not inner:
        return None
    for index in inner:
        assert index.upper is not None
        others = {v for base, e in monomial if base is not index for v in _variables(base, e)}
        if not others.isdisjoint(index.upper.free):
            product = const(1)
            for base, exponent in monomial:
                factor = index.upper if base is index else nat(base)
                product = product * natural_power(factor, exponent)
            return product
    return None


def _is_plain(base: NatVar, exponent: Exponent) -> bool:
    """Whether a factor is an integer power of a loop index whose end is not a number."""
    return base.upper is not None and isinstance(exponent, int) and exponent > 0 and bool(base.upper.free)


def _variables(base: Base, exponent: Exponent) -> Set[object]:
    free = nat(base).free
    return free | exponent.free if isinstance(exponent, Nat) else free
