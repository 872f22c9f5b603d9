"""Laws of polynomials with integer coefficients: division, divisors, integral parts. Independent of naturals."""

from __future__ import annotations

from fractions import Fraction
from math import gcd, prod

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from rise.diagnostics import RiseError
from rise.polynomials import (
    MAX_TERMS,
    Poly,
    TooCostly,
    check_size,
    common_divisor,
    divide,
    lowest_terms,
    primes,
    primitive_part,
    whole_part,
)
from tests.examples import in_whole

WIDTH = 3
EXPONENTS = st.tuples(*(st.integers(0, 2) for _ in range(WIDTH)))
POLYS = st.dictionaries(EXPONENTS, st.integers(-5, 5).filter(bool), max_size=4)
SOME = POLYS.filter(bool)


def product(a: Poly, b: Poly) -> Poly:
    made: Poly = {}
    for e, c in a.items():
        for f, d in b.items():
            place = tuple(x + y for x, y in zip(e, f, strict=True))
            made[place] = made.get(place, 0) + c * d
    return {e: c for e, c in made.items() if c}


def plus(a: Poly, b: Poly) -> Poly:
    made = {e: a.get(e, 0) + b.get(e, 0) for e in a.keys() | b.keys()}
    return {e: c for e, c in made.items() if c}


def negated(a: Poly) -> Poly:
    return {e: -c for e, c in a.items()}


@given(POLYS, SOME)
def test_division_undoes_products(a: Poly, b: Poly) -> None:
    assert divide(product(a, b), b) == a


@given(POLYS, SOME)
def test_a_quotient_is_exact_or_absent(a: Poly, b: Poly) -> None:
    quotient = divide(a, b)
    assert quotient is None or product(quotient, b) == a


@given(SOME, SOME, SOME)
def test_a_common_divisor_is_greatest(a: Poly, b: Poly, c: Poly) -> None:
    left, right = product(a, c), product(b, c)
    found = common_divisor(left, right)
    assert divide(left, found) is not None and divide(right, found) is not None
    assert divide(found, c) is not None
    assert common_divisor(right, left) in (found, negated(found))


@given(SOME, SOME, SOME)
def test_lowest_terms_keep_the_quotient(a: Poly, b: Poly, c: Poly) -> None:
    p, d = lowest_terms(product(a, c), product(b, c))
    assert product(p, b) == product(d, a)
    common = common_divisor(p, d)
    assert list(common) == [(0,) * WIDTH] and abs(common[(0,) * WIDTH]) == 1


@given(POLYS, SOME, st.lists(st.booleans(), min_size=WIDTH, max_size=WIDTH))
def test_an_integral_part_has_integer_coefficients_and_leaves_a_remainder(
    a: Poly, b: Poly, integral: list[bool]
) -> None:
    whole, rest = whole_part(a, b, integral)
    assert plus(product(whole, b), rest) == a
    assert all(fine or not row[i] for row in whole for i, fine in enumerate(integral))
    assert whole_part(rest, b, integral) == ({}, rest)


@given(SOME, st.fractions(min_value=-3, max_value=3, max_denominator=6).filter(bool))
def test_a_primitive_part_is_unique(a: Poly, factor: Fraction) -> None:
    rows = list(a)
    low, content, poly = primitive_part(rows, [c * factor for c in a.values()])
    assert {tuple(x - y for x, y in zip(row, low, strict=True)): c * factor for row, c in a.items()} == {
        row: c * content for row, c in poly.items()
    }
    assert gcd(*poly.values()) == 1 and next(iter(poly.values())) > 0
    assert primitive_part(rows, list(a.values()))[2] == poly


@given(st.fractions(min_value=Fraction(1, 500), max_value=500, max_denominator=500))
def test_primes_multiply_to_the_number(number: Fraction) -> None:
    assume(number > 0)
    assert prod(Fraction(p) ** m for p, m in primes(number)) == number
    assert all(all(p % q for q in range(2, p)) for p, _ in primes(number))


def test_factoring_a_large_prime_terminates() -> None:
    large = (1 << 89) - 1
    assert primes(Fraction(4, large)) == [(2, 2), (large, -1)]


@in_whole("tests/rise/test_naturals.py::test_expensive_common_divisors_are_not_computed")
def test_an_expensive_common_divisor_is_given_up() -> None:
    width = 12
    ones = [tuple(int(i == j) for j in range(width)) for i in range(width)]
    left: Poly = {(0,) * width: 1}
    right: Poly = {(0,) * width: 1}
    for i in range(0, width, 2):
        left = product(left, {ones[i]: 3, ones[i + 1]: 5, (0,) * width: 7})
        right = product(right, {ones[i]: 3, ones[(i + 3) % width]: -2, (0,) * width: 1})
    shared: Poly = {ones[0]: 1, ones[5]: 1, ones[7]: 1}
    try:
        found = common_divisor(product(left, shared), product(right, shared))
    except TooCostly:
        assert lowest_terms(product(left, shared), product(right, shared)) == (
            product(left, shared),
            product(right, shared),
        )
    else:
        assert divide(found, shared) is not None


def test_sizes_are_bounded() -> None:
    check_size(MAX_TERMS)
    with pytest.raises(RiseError):
        check_size(MAX_TERMS + 1)
