"""Polynomials with integer coefficients: exact division, common divisors, bounds. Independent of naturals.

A polynomial maps exponents, one per variable and none negative, to coefficients that are not zero.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import gcd, lcm
from typing import Final, TypeAlias

from rise.diagnostics import Diagnostic, RiseError

Exponents: TypeAlias = tuple[int, ...]
Poly: TypeAlias = dict[Exponents, int]

PRIME: Final = (1 << 61) - 1
MAX_PRODUCTS_OF_SEARCH: Final = 200_000  # of coefficients, in a search for a common divisor
MAX_TERMS: Final = 2048  # of a polynomial
MAX_PRODUCTS: Final = 1 << 14  # of terms, in one multiplication
MAX_BITS: Final = 256  # of a number in a size
MAX_NUMBER: Final = (1 << MAX_BITS) - 1


class TooCostly(Exception):
    """Raised if finding a common divisor would take too long."""


class NotComputed(ArithmeticError):
    """Raised for a size that is too large to compute; the argument is the size as text."""


def check_size(terms: int = 0, products: int = 0, bits: int = 0) -> None:
    """Raise RiseError for a size that would take too long to multiply out."""
    if terms > MAX_TERMS or products > MAX_PRODUCTS or bits > MAX_BITS:
        title = f"a size has at most {MAX_TERMS} terms and {MAX_BITS} bits, but this one would have more"
        raise RiseError(Diagnostic("size-too-large", title, hint="give the inner size its own name"))


def primitive_part(
    rows: Sequence[Exponents], coefficients: Sequence[int | Fraction]
) -> tuple[Exponents, Fraction, Poly]:
    """The least exponents, a factor with the sign of the first coefficient, and the polynomial divided by both."""
    fractions = [Fraction(c) for c in coefficients]
    low = tuple(map(min, zip(*rows, strict=True)))
    factor = Fraction(gcd(*(c.numerator for c in fractions)), lcm(*(c.denominator for c in fractions)))
    if fractions[0] < 0:
        factor = -factor
    poly = {
        tuple(x - y for x, y in zip(row, low, strict=True)): int(c / factor)
        for row, c in zip(rows, fractions, strict=True)
    }
    return low, factor, poly


def lowest_terms(a: Poly, b: Poly) -> tuple[Poly, Poly]:
    """a and b divided by their common divisor; unchanged if that is too costly to find."""
    try:
        common = common_divisor(a, b)
        return divide(a, common) or a, divide(b, common) or b
    except TooCostly:
        return a, b


def primes(number: Fraction) -> list[tuple[int, int]]:
    """The prime factors with multiplicities; the unfactored rest of a very large number is treated as prime."""
    factors: list[tuple[int, int]] = []
    for part, sign in ((number.numerator, 1), (number.denominator, -1)):
        candidate = 2
        while candidate * candidate <= part and candidate < 1 << 16:
            if part % candidate == 0:
                multiplicity = 0
                while part % candidate == 0:
                    part //= candidate
                    multiplicity += 1
                factors.append((candidate, sign * multiplicity))
            candidate += 1 + candidate % 2  # 2, then the odd numbers
        if part > 1:
            factors.append((part, sign))
    return factors


def divide(a: Poly, b: Poly) -> Poly | None:
    """a / b, or None if b does not divide a. Raises TooCostly beyond a bound."""
    lead, low = max(b), min(b)
    if not a:
        return {}
    if not (_at_least(max(a), lead) and _at_least(min(a), low)):
        return None
    quotient: Poly = {}
    rest = dict(a)
    while rest:
        top = max(rest)
        factor, remainder = divmod(rest[top], b[lead])
        if remainder or not _at_least(top, lead):
            return None
        shift = tuple(x - y for x, y in zip(top, lead, strict=True))
        quotient[shift] = factor
        if len(quotient) * len(b) > MAX_PRODUCTS_OF_SEARCH:
            raise TooCostly
        _subtract(rest, b, shift, factor)
    return quotient


def whole_part(a: Poly, b: Poly, integral: Sequence[bool]) -> tuple[Poly, Poly]:
    """(whole, rest) with a = whole * b + rest, where whole uses only variables that are integers, and rest is small.

    Rest is the remainder of a division by b's leading term: quotients are rounded towards zero, but a constant over a
    constant is rounded down. Raises RiseError if the whole part has too many terms.
    """
    lead = max(b)
    whole: Poly = {}
    rest: Poly = {}
    remaining = dict(a)
    while remaining:
        top = max(remaining)
        shift = tuple(x - y for x, y in zip(top, lead, strict=True))
        factor = 0
        if all(x >= 0 and (x == 0 or is_integer) for x, is_integer in zip(shift, integral, strict=True)):
            rounded = remaining[top] // b[lead]
            factor = rounded if rounded >= 0 or not any(top) else -(-remaining[top] // b[lead])
        if factor:
            whole[shift] = factor
            check_size(len(whole), len(whole) * len(b))
            _subtract(remaining, b, shift, factor)
        if top in remaining:
            rest[top] = remaining.pop(top)
    return whole, rest


def common_divisor(a: Poly, b: Poly) -> Poly:
    """A greatest common divisor up to its sign; raises TooCostly beyond a bound."""
    if not a or not b:
        return a or b
    if _coprime(a, b):
        width = len(next(iter(a)))
        return {(0,) * width: gcd(*a.values(), *b.values())}
    if divide(a, b) is not None:
        return b
    return _Search(MAX_PRODUCTS_OF_SEARCH).common_divisor(a, b)


def _at_least(a: Exponents, b: Exponents) -> bool:
    return all(x >= y for x, y in zip(a, b, strict=True))


def _subtract(rest: Poly, b: Poly, shift: Exponents, factor: int) -> None:
    for exponents, coefficient in b.items():
        place = tuple(x + y for x, y in zip(exponents, shift, strict=True))
        value = rest.get(place, 0) - factor * coefficient
        if value:
            rest[place] = value
        else:
            rest.pop(place, None)


def _coprime(a: Poly, b: Poly) -> bool:
    """Whether images of a and b modulo a prime prove that no variable occurs in a common divisor.

    For each variable the others are replaced by numbers; if no degree drops, a common divisor's degree in that
    variable is at most the degree of the images' common divisor.
    """
    width = len(next(iter(a)))
    for variable in range(width):
        images = []
        for poly in (a, b):
            degree = max(e[variable] for e in poly)
            image = [0] * (degree + 1)
            for exponents, coefficient in poly.items():
                value = coefficient
                for other, exponent in enumerate(exponents):
                    if other != variable and exponent:
                        value = value * pow(1_000_003 + 7919 * other, exponent, PRIME) % PRIME
                image[exponents[variable]] = (image[exponents[variable]] + value) % PRIME
            if not image[-1]:
                return False
            images.append(image)
        if len(_modular_divisor(*images)) > 1:
            return False
    return True


def _modular_divisor(a: list[int], b: list[int]) -> list[int]:
    while b:
        inverse = pow(b[-1], -1, PRIME)
        while len(a) >= len(b):
            factor = a[-1] * inverse % PRIME
            offset = len(a) - len(b)
            a = [(x - factor * b[i - offset]) % PRIME if i >= offset else x for i, x in enumerate(a)]
            while a and not a[-1]:
                a.pop()
        a, b = b, a
    return a


class _Search:
    """The primitive remainder sequence in the first variable, with a bound on the work."""

    __slots__ = ("left",)

    def __init__(self, work: int) -> None:
        self.left = work

    def common_divisor(self, a: Poly, b: Poly) -> Poly:
        if not a or not b:
            return a or b
        width = len(next(iter(a)))
        if not any(map(any, a)) or not any(map(any, b)):
            return {(0,) * width: gcd(*a.values(), *b.values())}
        f, g = _by_first(a), _by_first(b)
        common_f, common_g = self.content(f.values()), self.content(g.values())
        common = self.common_divisor(common_f, common_g)
        f, g = _over(f, common_f), _over(g, common_g)
        while g:
            f, g = g, self.remainder(f, g)
            if g:
                g = _over(g, self.content(g.values()))
        if max(f) == 0:
            return {(0, *e): c for e, c in common.items()}
        return {(d, *e): c for d, inner in f.items() for e, c in self.product(inner, common).items()}

    def content(self, coefficients: Iterable[Poly]) -> Poly:
        common: Poly = {}
        for coefficient in sorted(coefficients, key=len):
            common = self.common_divisor(common, coefficient)
        return common

    def remainder(self, f: dict[int, Poly], g: dict[int, Poly]) -> dict[int, Poly]:
        degree = max(g)
        lead = g[degree]
        rest = dict(f)
        while rest and max(rest) >= degree:
            top = max(rest)
            factor = rest.pop(top)
            rest = {d: self.product(inner, lead) for d, inner in rest.items()}
            for d, inner in g.items():
                if d != degree:
                    place = d + top - degree
                    value = dict(rest.get(place, {}))
                    for e, c in self.product(inner, factor).items():
                        value[e] = value.get(e, 0) - c
                    rest[place] = {e: c for e, c in value.items() if c}
            rest = {d: inner for d, inner in rest.items() if inner}
        return rest

    def product(self, a: Poly, b: Poly) -> Poly:
        self.left -= len(a) * len(b)
        if self.left < 0:
            raise TooCostly
        product: Poly = {}
        for e, c in a.items():
            for f, d in b.items():
                place = tuple(x + y for x, y in zip(e, f, strict=True))
                product[place] = product.get(place, 0) + c * d
        return {e: c for e, c in product.items() if c}


def _by_first(a: Poly) -> dict[int, Poly]:
    by_degree: dict[int, Poly] = {}
    for (first, *others), coefficient in a.items():
        by_degree.setdefault(first, {})[tuple(others)] = coefficient
    return by_degree


def _over(a: dict[int, Poly], divisor: Poly) -> dict[int, Poly]:
    quotients = {}
    for degree, inner in a.items():
        quotient = divide(inner, divisor)
        assert quotient is not None, "a content divides every coefficient"
        quotients[degree] = quotient
    return quotients
