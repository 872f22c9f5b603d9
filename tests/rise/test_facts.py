"""Facts: what is proved from them is true of all numbers that satisfy them. Independent of terms."""

from __future__ import annotations

import itertools
from fractions import Fraction
from math import gcd
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rise.analysis.obligations import requirements
from rise.facts import (
    Facts,
    evaluate_fact,
    holds,
    holds_divides,
    holds_equal,
    holds_integral,
    holds_nonnegative,
    holds_positive,
)
from rise.natural_values import evaluate_natural
from rise.naturals import Atom, Nat, NatVar, const, exact_quotient, nat, power, sum_of, var
from rise.nodes import postorder
from rise.quotients import (
    NatCall,
    ceiling_quotient,
    floor_quotient,
    integer_fraction,
    integer_terms,
    maximum,
    minimum,
    remainder,
)
from rise.terms import Fact

NAMES = ("n", "m", "s", "z")
N, M, S, Z = (var(name) for name in NAMES)
ATOMS: tuple[Atom, ...] = tuple(NatVar(name, None) for name in NAMES)


def facts(*written: tuple[Nat | int, str, Nat | int]) -> Facts:
    return Facts(tuple(Fact(relation, nat(left), nat(right)) for left, relation, right in written))


# Soundness: small numbers are searched for a counterexample

SIZES = st.recursive(
    st.one_of(st.sampled_from([N, M, S, Z]), st.integers(0, 8).map(const)),
    lambda inner: st.one_of(
        st.builds(lambda a, b: a + b, inner, inner),
        st.builds(lambda a, b: a - b, inner, inner),
        st.builds(lambda a, b: a * b, inner, inner),
        st.builds(
            lambda a, b: exact_quotient(a, b),
            inner,
            st.sampled_from([const(2), const(3), const(4), S, S + 1]),
        ),
        st.builds(lambda f, a, b: f(a, b), st.sampled_from([minimum, maximum]), inner, inner),
        st.builds(
            lambda f, a, b: f(a, b),
            st.sampled_from([floor_quotient, ceiling_quotient]),
            inner,
            st.sampled_from([const(2), const(4), S]),
        ),
    ),
    max_leaves=5,
)
SIMPLE = st.one_of(
    st.sampled_from([N, M, S, Z]),
    st.integers(0, 8).map(const),
    st.sampled_from([N - Z, N - M, 2 * N, 3 * M, N * M, M + 1, N + Z, 4 * S, N - 2 * Z]),
)
FACTS = st.lists(
    st.one_of(
        st.builds(
            Fact,
            st.just("divides"),
            st.sampled_from([const(2), const(3), const(4), const(6), S, 2 * S, S + 1]),
            SIMPLE,
        ),
        st.builds(Fact, st.sampled_from(["<=", "<", "==", ">=", ">"]), SIMPLE, SIMPLE),
    ),
    max_size=4,
).map(lambda found: Facts(tuple(found)))
WORLDS = [
    dict(zip(ATOMS, world, strict=True))
    for world in itertools.product((0, 1, 2, 3, 4, 6, 12), (0, 1, 2, 4, 5), (1, 2, 3), (0, 1, 3, 4))
]


def divisors_are_positive(a: Nat, world: dict[Atom, int]) -> bool:
    for node in postorder(a):
        match node:
            case NatCall("floor" | "ceil", (_, divisor)) if evaluate_natural(divisor, world) < 1:
                return False
            case Nat(terms):
                for monomial, _ in terms:
                    for base, exponent in monomial:
                        if (
                            isinstance(exponent, int)
                            and exponent < 0
                            and evaluate_natural(base if isinstance(base, Nat) else nat(base), world) < 1
                        ):
                            return False
    return True


def worlds(known: Facts, *naturals: Nat) -> list[dict[Atom, int]]:
    return [
        world
        for world in WORLDS
        if all(divisors_are_positive(a, world) for a in naturals)
        and all(
            divisors_are_positive(side, world) for fact in known.facts for side in (fact.left, fact.right)
        )
        and all(evaluate_fact(fact, world) for fact in known.facts)
    ]


@given(SIZES, FACTS)
def test_what_is_proved_of_a_size_is_true(a: Nat, known: Facts) -> None:
    nonnegative, positive = holds_nonnegative(a, known), holds_positive(a, known)
    integral = holds_integral(a, known)
    if nonnegative or positive or integral:
        for world in worlds(known, a):
            value = evaluate_natural(a, world)
            assert not nonnegative or value >= 0
            assert not positive or value >= 1
            assert not integral or Fraction(value).denominator == 1


@given(SIMPLE, SIMPLE, FACTS, st.sampled_from(["divides", "<=", "<", "==", ">=", ">"]))
def test_what_is_proved_of_two_sizes_is_true(a: Nat, b: Nat, known: Facts, relation: str) -> None:
    goal = Fact(relation, a, b)
    if holds(goal, known):
        assert all(evaluate_fact(goal, world) for world in worlds(known))


@given(FACTS)
def test_facts_prove_themselves(known: Facts) -> None:
    for fact in known.facts:
        if fact.relation in ("<=", ">=", "==", "divides"):
            assert holds(fact, known) or not worlds(known)


@given(FACTS, SIMPLE, SIMPLE)
def test_more_facts_do_not_contradict_true_conditions(known: Facts, a: Nat, b: Nat) -> None:
    for goal in (Fact("divides", a * a + 1, b), Fact("<=", a, b)):
        more = known.and_also(goal)
        assert holds(goal, more) or not worlds(more)


# Completeness: the cases that occur in tiling


@pytest.mark.parametrize(
    ("a", "known"),
    [
        (exact_quotient(N, 32), facts((32, "divides", N))),
        (exact_quotient(N, 8), facts((32, "divides", N))),
        (exact_quotient(N, 32) * M, facts((32, "divides", N))),
        (exact_quotient(exact_quotient(N, 32), 4), facts((128, "divides", N))),
        (exact_quotient(N * M, 128), facts((32, "divides", N), (4, "divides", M))),
        (exact_quotient(N, 6), facts((2, "divides", N), (3, "divides", N))),
        (exact_quotient(N * N, 1024), facts((32, "divides", N))),
        (exact_quotient(N - Z, S) + 1, facts((S, "divides", N - Z))),
        (exact_quotient((N - Z) * M, S), facts((S, "divides", N - Z))),
        (exact_quotient(N, S) * exact_quotient(M, Z), facts((S, "divides", N), (Z, "divides", M))),
        (exact_quotient(N * M, S), facts((S, "divides", N * M))),
        (exact_quotient(N, S), facts((S * M, "divides", N))),
        (exact_quotient(N * M, S + 1), facts((S + 1, "divides", N))),
        (exact_quotient(N, 4), facts((N, "==", 4 * M))),
        (exact_quotient(N, 4), facts((N, "==", 8 * M - 4))),
        (exact_quotient(N, 32), facts((N, "==", M), (32, "divides", M))),
        (exact_quotient(N + M, 32), facts((32, "divides", N), (32, "divides", M))),
        (exact_quotient(N + M, 32), facts((32, "divides", N + M))),
        (ceiling_quotient(N, 32) * 5, facts()),
        (minimum(exact_quotient(N, 4), M), facts((4, "divides", N))),
        (exact_quotient(power(2, M), 2), facts((2, "divides", power(2, M)))),
        (exact_quotient(minimum(N, M), 4), facts((4, "divides", minimum(N, M)))),
    ],
)
def test_sizes_that_are_integers(a: Nat, known: Facts) -> None:
    assert holds_integral(a, known)
    assert a.constant is not None or not holds_integral(a + exact_quotient(1, 7), known)


@pytest.mark.parametrize(
    ("a", "known"),
    [
        (exact_quotient(N, 32), facts()),
        (exact_quotient(N, 32), facts((16, "divides", N))),
        (exact_quotient(N, 32), facts((32, "divides", M))),
        (exact_quotient(N * M, 128), facts((32, "divides", N), (2, "divides", M))),
        (exact_quotient(N, 8), facts((4, "divides", N), (2, "divides", N))),
        (exact_quotient(N, S), facts((M, "divides", N))),
        (exact_quotient(N, S + 1), facts((S, "divides", N))),
        (exact_quotient(1, S), facts((S, "divides", N))),
    ],
)
def test_sizes_that_need_not_be_integers(a: Nat, known: Facts) -> None:
    assert not holds_integral(a, known)


@pytest.mark.parametrize(
    ("a", "known"),
    [
        (N - 3, facts((3, "<=", N))),
        (N - 3, facts((N, ">", 2))),
        (N - 3, facts((N, ">=", M), (M, ">=", 3))),
        (N - 3, facts((N, "==", M + 3))),
        (exact_quotient(N - Z, S), facts((Z, "<=", N))),
        (exact_quotient(N - Z, S) + 1, facts((Z, "<=", N))),
        (N - Z + S, facts((Z, "<=", N))),
        (N * M - 1, facts((N, ">=", 1), (M, ">=", 1))),
        (exact_quotient(N, 32) - 1, facts((32, "divides", N), (N, ">=", 1))),
        (N - 32, facts((32, "divides", N), (N, ">", 0))),
        (M - var("i", N) - 1, facts((N, "<=", M))),
        (N - remainder(N, 32), facts()),
        (N - minimum(N, M), facts()),
        (M * N - N * Z, facts((Z, "<=", M))),
        (N - M, facts((N, "==", M))),
    ],
)
def test_sizes_that_are_not_negative(a: Nat, known: Facts) -> None:
    assert holds_nonnegative(a, known)
    assert holds_positive(a + 1, known)


def test_sizes_that_may_be_negative() -> None:
    assert not holds_nonnegative(N - 3, facts((2, "<=", N)))
    assert not holds_nonnegative(N - M, facts((N, "<=", M)))
    assert not holds_nonnegative(exact_quotient(N, 32) - 1, facts((32, "divides", N)))
    assert not holds_positive(N, facts())
    assert not holds_nonnegative(exact_quotient(N, Z - S), facts())


def test_equality() -> None:
    known = facts((N, "==", 4 * M), (M, "==", Z + 1))
    assert holds_equal(N, 4 * Z + 4, known)
    assert holds_equal(exact_quotient(N, 4), Z + 1, known)
    assert not holds_equal(N, 4 * Z, known)
    assert holds_equal(N, M, facts((N, "<=", M), (M, "<=", N)))
    assert holds_equal(N * M, Z, facts((N * M, "==", Z)))


def test_divisibility() -> None:
    assert holds_divides(const(8), N, facts((32, "divides", N)))
    assert holds_divides(S, N - Z, facts((S, "divides", N), (S, "divides", Z)))
    assert holds_divides(N, N * M, facts())
    assert holds_divides(const(0), N - N, facts()) and not holds_divides(const(0), N, facts())


def test_proofs_from_many_facts_terminate() -> None:
    many = [var(f"v{i}") for i in range(12)]
    known = facts(
        *((a, "<=", b) for a in many for b in many), *((S, "divides", a + b) for a in many for b in many[:4])
    )
    assert holds_nonnegative(many[3] - many[7], known)
    assert not holds_nonnegative(many[3] - many[7] - 1, known)
    assert not holds_integral(exact_quotient(many[9], 7 * S), known)


def test_an_unknown_relation_is_a_bug() -> None:
    with pytest.raises(AssertionError):
        facts((N, "~", M))


def test_a_scaled_ceiling_is_not_less_than_the_ceiling() -> None:
    """a * ceil(n, a * b) >= ceil(n, b), for numbers and for sizes; the converse is unknown."""
    n, b = var("n"), var("b")
    for size in range(40):
        for times, by in ((1, 3), (2, 3), (4, 2), (5, 1)):
            assert times * -(-size // (times * by)) >= -(-size // by)
    nothing = Facts()
    assert holds_nonnegative(256 * ceiling_quotient(n, 524288) - ceiling_quotient(n, 2048), nothing)
    assert holds_nonnegative(3 * ceiling_quotient(n, 6) - ceiling_quotient(n, 2) + b, nothing)
    assert not holds_nonnegative(2 * ceiling_quotient(n, 6) - ceiling_quotient(n, 2), nothing)
    assert not holds_nonnegative(ceiling_quotient(n, 2) - 3 * ceiling_quotient(n, 6), nothing)
    assert not holds_nonnegative(3 * ceiling_quotient(n, 6) - ceiling_quotient(b, 2), nothing)
    assert not holds_nonnegative(2 * ceiling_quotient(n, 5) - ceiling_quotient(n, 2), nothing)


def test_integer_polynomials_are_their_own_numerators() -> None:
    """The faster method for these agrees with the method for all naturals."""
    below = nat(NatVar("i", N))
    random = Random(1)
    for _ in range(200):
        a = const(random.randrange(-9, 9))
        for _ in range(random.randrange(4)):
            factors = random.sample([N, M, N, Z], 2)
            a += random.choice([1, 2, -3, 4, -6]) * factors[0] * random.choice([const(1), factors[1]])
        generators, numerator, _ = integer_fraction(a)
        assert integer_terms(a) is not None and sum_of(numerator, generators) is a
        content = gcd(*numerator.values())
        primitive = sum_of({row: c // content for row, c in numerator.items()}, generators) if content else a
        assert [size for _, size in requirements(a)] in ([], [primitive])
        assert holds_nonnegative(2 * a + 1, facts((0, "<=", a)))
        assert holds_nonnegative(a, facts((0, "<=", 2 * a + 1)))
    for other in (
        exact_quotient(N, 2),
        exact_quotient(N, M),
        below,
        floor_quotient(N, 2),
        power(const(2), N),
    ):
        assert integer_terms(other - 1) is None
