"""Laws of naturals: they are a field of fractions, with one normal form for each value. Independent of roundings."""

from __future__ import annotations

import operator
import random
from collections.abc import Callable
from fractions import Fraction

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from rise.diagnostics import RiseError
from rise.natural_values import evaluate_natural, substitute_naturals
from rise.naturals import Nat, const, exact_quotient, polynomial, power, scale, var
from rise.quotients import call, ceiling_quotient, floor_quotient, remainder
from tests.rise.natural_trees import (
    VARIABLES,
    A,
    B,
    C,
    K,
    M,
    N,
    Tree,
    Values,
    assignments,
    build,
    compute,
    divisors,
    polynomials,
    trees,
)

# Normal forms


@given(polynomials, polynomials, polynomials)
def test_naturals_are_a_ring(a: Nat, b: Nat, c: Nat) -> None:
    assert a + b is b + a
    assert a * b is b * a
    assert (a + b) + c is a + (b + c)
    assert (a * b) * c is a * (b * c)
    assert a * (b + c) is a * b + a * c
    assert a + 0 is a and a * 1 is a and a * 0 is const(0)
    assert a - a is const(0) and a - b is a + scale(b, -1)


@given(trees("+", "-", "*", "/^", leaves=10), assignments)
def test_building_keeps_the_value(tree: Tree, values: Values) -> None:
    by_name = {name: values[v] for name, v in VARIABLES.items()}
    try:
        expected = compute(tree, by_name)
        built = build(tree)
        found = evaluate_natural(built, values)
    except ZeroDivisionError:
        assume(False)
    assert found == expected


@given(
    st.lists(trees("+", "*", "/^", numbers=st.integers(1, 6), leaves=4).map(build), max_size=5), st.randoms()
)
def test_sums_and_products_have_the_same_form_in_any_order(items: list[Nat], choose: random.Random) -> None:
    for operation, unit in ((operator.add, const(0)), (operator.mul, const(1))):
        expected = unit
        for item in items:
            expected = operation(expected, item)
        waiting = list(items)
        while len(waiting) > 1:
            choose.shuffle(waiting)
            waiting.append(operation(waiting.pop(), waiting.pop()))
        assert (waiting or [unit])[0] is expected


@given(trees("+", "*", "/^", numbers=st.integers(1, 6)).map(build), divisors.map(build))
def test_exact_quotients_cancel(e: Nat, d: Nat) -> None:
    assert d * exact_quotient(e, d) is e
    assert exact_quotient(d * e, d) is e
    assert exact_quotient(e, d) * d is e


@given(polynomials, polynomials, polynomials, polynomials)
def test_fractions_are_a_field(a: Nat, b: Nat, c: Nat, d: Nat) -> None:
    assume(b.terms and d.terms)
    q, r = exact_quotient(a, b), exact_quotient(c, d)
    assert q * b is a
    assert exact_quotient(exact_quotient(a, b), d) is exact_quotient(a, b * d)
    assert q + r is exact_quotient(a * d + c * b, b * d)
    assert q * r is exact_quotient(a * c, b * d)
    assert (q + r) - r is q
    assert q - q is const(0)
    if a.terms:
        assert exact_quotient(1, q) is exact_quotient(b, a)


@given(trees("+", "-", "*", leaves=5).map(build), st.integers(0, 4), st.integers(0, 4))
def test_powers_are_repeated_products(a: Nat, i: int, j: int) -> None:
    product = const(1)
    for _ in range(i):
        product = product * a
    assert power(a, i) is product
    assert power(a, i) * power(a, j) is power(a, i + j)
    assert power(power(a, i), j) is power(a, i * j)
    if a.terms:
        assert power(a, i) * power(a, -j) is power(a, i - j)


EXPONENTS = trees("+", "*", names="km", numbers=st.integers(0, 3), leaves=3).map(build)
BASES = st.one_of(
    st.sampled_from([2, 3, 4, 6, 12]).map(const),
    st.sampled_from([A, B, A * B, 2 * A, A + 1, 2 * A + 2, A - B]),
)


@given(BASES, EXPONENTS, EXPONENTS, assignments)
def test_symbolic_powers_add_and_multiply_exponents(a: Nat, i: Nat, j: Nat, values: Values) -> None:
    assert power(a, i) * power(a, j) is power(a, i + j)
    assert exact_quotient(power(a, i + j), power(a, j)) is power(a, i)
    assert power(a, i) * a is power(a, i + 1)
    assert power(a, i) * power(a + 1, i) * a is power(a, i + 1) * power(a + 1, i)
    if len(a.terms) == 1:
        assert power(power(a, i), j) is power(a, i * j)
    value, exponent = evaluate_natural(a, values), evaluate_natural(i, values)
    assume(exponent < 200)
    assert evaluate_natural(power(a, i), values) == Fraction(value) ** int(exponent)


def test_named_cases_of_one_form() -> None:
    assert 32 * exact_quotient(N, 32) is N
    assert exact_quotient(A * A - B * B, A - B) is A + B
    assert exact_quotient(1, A + 1) - exact_quotient(1, A + 2) is exact_quotient(1, (A + 1) * (A + 2))
    assert exact_quotient(A + 1, A * A - 1) is exact_quotient(1, A - 1)
    assert exact_quotient(A - B, B - A) is const(-1)
    assert exact_quotient(N, 2 * A + 2 * B) is exact_quotient(exact_quotient(N, 2), A + B)
    assert power(2, K) * power(2, K + 1) is 2 * power(4, K)
    assert power(4, K) is power(power(2, K), 2)
    assert power(N, K) * N is power(N, K + 1)
    assert power(N + 1, K) * (N + 1) is power(N + 1, K + 1)
    assert exact_quotient(power(N, K + 1) + power(N, K), N + 1) is power(N, K)
    assert power(12, K) is power(3, K) * power(2, 2 * K)


@pytest.mark.parametrize("base", [A + B, A - B, A + 1, 2 * A + 3 * B])
def test_powers_of_two_terms_are_expanded_up_to_64(base: Nat) -> None:
    assert len(power(base, 64).terms) == 65
    assert exact_quotient(power(base, 64), power(base, 63)) is base


@pytest.mark.parametrize(
    "make",
    [
        lambda: power(A + B + C + K, 64),
        lambda: power(3, 1_000_000),
        lambda: power(exact_quotient(1, 7), 10**12),
        lambda: power(A + B + C, 40) * power(K + M + N, 40),
        lambda: power(A + 1, 10**400),
        lambda: ceiling_quotient(power(A, 1 << 40), A + 1),
    ],
)
def test_naturals_that_would_take_too_long_are_rejected(make: Callable[[], Nat]) -> None:
    with pytest.raises(RiseError) as refused:
        make()
    assert refused.value.diagnostic.code == "size-too-large"


def test_expensive_common_divisors_are_not_computed() -> None:
    many = [var(f"v{i}") for i in range(14)]
    left, right = const(1), const(1)
    for i in range(0, 14, 2):
        left = left * (many[i] + many[i + 1])
        right = right * (many[i] + many[(i + 3) % 14] + i)
    q = exact_quotient(left * (A + 1), (A + 1) * (A + 2))
    assert q * (A + 2) is left
    q = exact_quotient(left, right)
    values: Values = {v: 3 * i + 2 for i, v in enumerate(sorted(q.free, key=lambda v: v.order))}
    assert evaluate_natural(q, values) == Fraction(
        evaluate_natural(left, values), evaluate_natural(right, values)
    )


def test_division_by_zero_is_an_error() -> None:
    for quotient in (exact_quotient, floor_quotient, remainder, ceiling_quotient):
        with pytest.raises(ZeroDivisionError):
            quotient(N, N - N)


def test_terms_in_any_order_are_a_polynomial() -> None:
    q = exact_quotient(N + M, K + 1) + 3
    assert polynomial(reversed(q.terms)) is q
    assert polynomial([*q.terms, *q.terms]) is 2 * q
    assert polynomial(q.terms[:1]) + polynomial(q.terms[1:]) is q


def test_deep_naturals_do_not_recurse() -> None:
    deep = N
    for i in range(5000):
        deep = call("f", deep + i)
    assert substitute_naturals(deep, {VARIABLES["n"]: M}).free == {VARIABLES["m"]}
