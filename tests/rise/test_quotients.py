"""Laws of roundings, minima and ranges: one normal form, the right value, sound signs. Independent of facts."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from rise.natural_values import evaluate_natural, substitute_naturals
from rise.naturals import Atom, Nat, NatBound, NatVar, const, exact_quotient, nat, power, scale, var
from rise.nodes import postorder
from rise.polynomials import NotComputed
from rise.quotients import (
    NatCall,
    call,
    ceiling_quotient,
    floor_quotient,
    is_integral,
    is_nonnegative,
    maximum,
    minimum,
    remainder,
)
from rise.text.remainders import in_remainders
from tests.rise.natural_trees import (
    VARIABLES,
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
    sizes,
    trees,
)

FEW = minimum(floor_quotient(N, 32), 3)

# Substitution


@given(trees("+", "*", "floor", "ceil", "mod", "min", "max", numbers=st.integers(1, 6)), sizes, assignments)
def test_substitution_commutes_with_evaluation(tree: Tree, other: Tree, values: Values) -> None:
    by_name = {name: values[v] for name, v in VARIABLES.items()}
    replacement = build(other) + 1
    by_name["n"] = int(compute(other, by_name)) + 1
    try:
        expected = compute(tree, by_name)
        built = build(tree)
    except ZeroDivisionError:
        assume(False)
    substituted = substitute_naturals(built, {VARIABLES["n"]: replacement})
    assert evaluate_natural(substituted, values) == expected


@given(polynomials, polynomials, polynomials)
def test_substitution_is_a_homomorphism(a: Nat, b: Nat, c: Nat) -> None:
    values = {VARIABLES["n"]: c, VARIABLES["m"]: N + 1}
    assert substitute_naturals(a * b, values) is substitute_naturals(a, values) * substitute_naturals(
        b, values
    )
    assert substitute_naturals(a + b, values) is substitute_naturals(a, values) + substitute_naturals(
        b, values
    )


def test_a_range_is_substituted_into() -> None:
    i = NatVar("i", N)
    assert substitute_naturals(nat(i), {VARIABLES["n"]: M + 1}) is var("i", M + 1)
    assert substitute_naturals(nat(i), {i: M}) is M


# Roundings

OTHERS = {name: NatVar(name, None) for name in "xyz"}
INNER = trees("+", "-", "*", "floor", "ceil", "min", "max", numbers=st.integers(-9, 40), leaves=6)


@given(INNER, divisors, assignments)
def test_roundings_keep_the_value(tree: Tree, divisor: Tree, values: Values) -> None:
    by_name = {name: values[v] for name, v in VARIABLES.items()}
    for function in ("floor", "ceil", "mod"):
        whole = Tree(function, (tree, divisor))
        try:
            expected = compute(whole, by_name)
            built = build(whole)
        except ZeroDivisionError:
            assume(False)
        positive = all(
            evaluate_natural(node.args[1], values) > 0
            for node in postorder(built)
            if isinstance(node, NatCall) and node.function in ("floor", "ceil")
        )
        assume(positive or evaluate_natural(built, values) == expected)
        assert evaluate_natural(built, values) == expected


DIFFERENCES = trees("+", "-", "*")


@given(DIFFERENCES, DIFFERENCES, assignments)
def test_divisors_stay_at_least_one(tree: Tree, divisor: Tree, values: Values) -> None:
    """Code that computes quotients of sizes relies on it, since division in C rounds towards zero."""
    by_name = {name: values[v] for name, v in VARIABLES.items()}
    assume(compute(divisor, by_name) > 0)
    for function in ("floor", "ceil", "mod"):
        built = build(Tree(function, (tree, divisor)))
        calls = [node for node in postorder(built) if isinstance(node, NatCall)]
        assert all(evaluate_natural(node.args[1], values) > 0 for node in calls), built
        assert evaluate_natural(built, values) == compute(Tree(function, (tree, divisor)), by_name)


@given(INNER, divisors, trees("+", "-", "*", names="xyz").map(lambda tree: build(tree, OTHERS)))
def test_integral_parts_are_moved_outside(tree: Tree, divisor: Tree, whole: Nat) -> None:
    try:
        a, d = build(tree), build(divisor)
    except ZeroDivisionError:
        assume(False)
    assert floor_quotient(a + d * whole, d) is floor_quotient(a, d) + whole
    assert ceiling_quotient(a + d * whole, d) is ceiling_quotient(a, d) + whole
    assert remainder(a + d * whole, d) is remainder(a, d)
    assert d * floor_quotient(a, d) + remainder(a, d) is a
    assert remainder(remainder(a, d), d) is remainder(a, d)


with_powers = polynomials.map(lambda a: substitute_naturals(a, {NatVar("k", None): power(M, N)}))


@given(polynomials | with_powers, st.integers(1, 12), st.integers(1, 6))
def test_quotients_have_one_normal_form(a: Nat, d: int, e: int) -> None:
    assert floor_quotient(a * e, d * e) is floor_quotient(a, d)
    assert floor_quotient(a * N, N * d) is floor_quotient(a, d)
    assert floor_quotient(exact_quotient(a, e), d) is floor_quotient(a, d * e)
    assert floor_quotient(floor_quotient(a, d), e) is floor_quotient(a, d * e)
    assert ceiling_quotient(ceiling_quotient(a, d), e) is ceiling_quotient(a, d * e)
    assert ceiling_quotient(a, d) is floor_quotient(a + d - 1, d)
    assert ceiling_quotient(a, N) is floor_quotient(a + N - 1, N)
    assert floor_quotient(scale(a, -1), d) is scale(ceiling_quotient(a, d), -1)


def test_named_cases_of_rounding() -> None:
    i, j = var("i", const(32)), var("j", N)
    assert floor_quotient(i, 32) is const(0)
    assert remainder(i, 32) is i
    assert floor_quotient(32 * K + i, 32) is K
    assert remainder(32 * K + i, 32) is i
    assert floor_quotient(N * K + j, N) is K and remainder(N * K + j, N) is j
    assert 32 * floor_quotient(K, 32) + remainder(K, 32) is K
    assert exact_quotient(32 * floor_quotient(K, 32), 32) is floor_quotient(K, 32)
    assert floor_quotient(N + 35, 32) is 1 + floor_quotient(N + 3, 32)
    assert floor_quotient(N + 31, 32) is ceiling_quotient(N, 32)
    assert remainder(8 - remainder(N, 8), 8) is remainder(-1 * N, 8)
    assert floor_quotient((M + 1) * N + K, M + 1) is N + floor_quotient(K, M + 1)
    assert floor_quotient(var("i", M + 1), M + 1) is const(0)
    assert ceiling_quotient(32 * K, 32) is K
    assert ceiling_quotient(power(M, N) + 1, 8) is 1 + floor_quotient(power(M, N), 8)
    assert ceiling_quotient(7, 2) is const(4) and floor_quotient(-7, 2) is const(-4)


# Ranges

BOUNDS = (3, 4, 8)
RANGED = {name: NatVar(name, const(bound)) for name, bound in zip("ijl", BOUNDS, strict=True)}
ranged_trees = trees(
    "+", "-", "*", "floor", "ceil", "mod", "min", "max", names="ijln", numbers=st.integers(0, 9)
)


@given(ranged_trees, st.tuples(*(st.integers(0, b - 1) for b in BOUNDS), st.integers(0, 12)))
def test_ranges_are_used_correctly(tree: Tree, drawn: tuple[int, ...]) -> None:
    variables: dict[str, Atom] = {**RANGED, "n": VARIABLES["n"]}
    by_name = dict(zip("ijln", drawn, strict=True))
    values = {variables[name]: value for name, value in by_name.items()}
    if not divisors_are_positive(tree, by_name):
        return
    try:
        built = build(tree, variables)
    except ZeroDivisionError:
        return
    value = compute(tree, by_name)
    assert evaluate_natural(built, values) == value
    assert not is_nonnegative(built) or value >= 0
    assert not is_integral(built) or value.denominator == 1


def divisors_are_positive(tree: Tree, values: Mapping[str, int]) -> bool:
    if not all(divisors_are_positive(a, values) for a in tree.args):
        return False
    return tree.head not in ("floor", "ceil", "mod") or compute(tree.args[1], values) > 0


@given(ranged_trees, ranged_trees, st.integers(1, 9))
def test_minimum_and_maximum_are_a_lattice(left: Tree, right: Tree, number: int) -> None:
    variables: dict[str, Atom] = {**RANGED, "n": VARIABLES["n"]}
    try:
        a, b = build(left, variables), build(right, variables)
    except ZeroDivisionError:
        assume(False)
    for least in (minimum, maximum):
        assert least(a, b) is least(b, a)
        assert least(a, a) is a
        assert least(a, least(a, b)) is least(a, b)
        assert least(least(a, b), nat(number)) is least(a, least(nat(number), b))


@pytest.mark.parametrize(
    ("size", "known"),
    [
        (N, True),
        (N - 1, False),
        (floor_quotient(N - 3, 4), False),
        (minimum(N - 3, 5), False),
        (maximum(N - 3, 0), True),
        (N - floor_quotient(N, 4), True),
        (N * M - M * var("j", N) - 1, False),
        (N * M - M * var("j", N) - M, True),
        (N - 4 * floor_quotient(N, 4), True),
        (3 - remainder(N, 4), True),
        (2 - remainder(N, 4), False),
        (4 * ceiling_quotient(N, 4) - N, True),
        (N + 3 - 4 * ceiling_quotient(N, 4), True),
        (N + 2 - 4 * ceiling_quotient(N, 4), False),
        (N - minimum(N, M), True),
        (M - minimum(N, M), True),
        (N * M - var("i", N) * M - var("j", M) - 1, True),
        (exact_quotient(N, M + 1), True),
        (exact_quotient(N, M - 1), False),
        (power(N - M, 2), False),
        (nat(NatBound(0)), True),
    ],
)
def test_consequences_of_ranges(size: Nat, known: bool) -> None:
    assert is_nonnegative(size) is known


@pytest.mark.parametrize(
    ("size", "known"),
    [
        (floor_quotient(N, 32) - 64 * floor_quotient(N, 2048), True),
        (3 * floor_quotient(N, 4) - 6 * floor_quotient(N, 8), True),
        (floor_quotient(N, 32) - 65 * floor_quotient(N, 2048), False),
        (floor_quotient(N, 2048) - floor_quotient(N, 32), False),
        (floor_quotient(N, 3) - floor_quotient(N, 2), False),
        (floor_quotient(M, 32) - 64 * floor_quotient(N, 2048), False),
        (floor_quotient(N + 1, 32) + minimum(N, 3) - floor_quotient(N, 32), True),
        (floor_quotient(N - 1, 32) + minimum(N, 3) - floor_quotient(N, 32), False),
        (floor_quotient(N, 32) - FEW - 128 * floor_quotient(N - 32 * FEW, 4096), True),
        (floor_quotient(N, 32) - FEW - 129 * floor_quotient(N - 32 * FEW, 4096), False),
    ],
)
def test_quotients_of_greater_numbers_and_by_smaller_ones_are_no_smaller(size: Nat, known: bool) -> None:
    assert is_nonnegative(size) == known


def test_remainders_are_printed_as_such() -> None:
    shown = in_remainders(remainder(N, 32) * M + K)
    assert NatCall("mod", (N, const(32))) in list(postorder(shown))
    assert not any(isinstance(p, NatCall) and p.function == "floor" for p in postorder(shown))
    assert in_remainders(N - floor_quotient(N, 4)) is N - floor_quotient(N, 4)
    values: Values = {VARIABLES["n"]: 45, VARIABLES["m"]: 3, VARIABLES["k"]: 1}
    assert evaluate_natural(shown, values) == 13 * 3 + 1


def test_an_unknown_function_stays_opaque() -> None:
    crossed = call("xor", N, M)
    assert crossed is call("xor", N, M) and crossed is not call("xor", M, N)
    assert evaluate_natural(crossed + 1, {VARIABLES["n"]: 6, VARIABLES["m"]: 3}) == 6
    assert substitute_naturals(crossed, {VARIABLES["n"]: M}) is call("xor", M, M)


def test_evaluation_reports_missing_values() -> None:
    with pytest.raises(KeyError):
        evaluate_natural(N + M, {VARIABLES["n"]: 1})
    with pytest.raises(ZeroDivisionError):
        evaluate_natural(exact_quotient(1, N), {VARIABLES["n"]: 0})
    with pytest.raises(NotComputed, match=r"^2\^\(1/2\)$"):
        evaluate_natural(power(2, exact_quotient(K, 2)), {VARIABLES["k"]: 1})
