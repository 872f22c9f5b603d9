"""Sums by claimed laws: what each law allows, and what it does not."""

from typing import Final
from unittest.mock import patch

import pytest

import rise
from rise.checker import Operator, check
from rise.terms import Var, apply
from rise.types import F32, FunType

SUM: Final = "fun(n: nat, xs: (4*n).f32 => reduce(add, 0.0, xs))"
MONOID: Final = Operator("add", neutral=0)
COMMUTING: Final = Operator("add", neutral=0, commutes=True)
BLOCKS: Final = (
    "fun(n: nat, xs: (4*n).f32 => xs |> split(4) |> map(fun(block => reduce(add, 0.0, block)))"
    " |> reduce(add, 0.0))"
)
STRIPS: Final = (
    "fun(n: nat, xs: (4*n).f32 => xs |> split(4) |> transpose"
    " |> map(fun(strip => reduce(add, 0.0, strip))) |> reduce(add, 0.0))"
)
PAIRS: Final = (
    "fun(n: nat, xs: (4*n).f32 => xs |> split(2) |> map(fun(p => idx(0, p) + idx(1, p))) |> reduce(add, 0.0))"
)
PADDED: Final = "fun(n: nat, xs: (4*n).f32 => reduce(add, 0.0, padCst(2, 3, 0.0, xs)))"
WRONG_PADDING: Final = "fun(n: nat, xs: (4*n).f32 => reduce(add, 0.0, padCst(2, 3, 1.0, xs)))"
WRONG_START: Final = BLOCKS.replace("add, 0.0, block", "add, 1.0, block")
SOME: Final = BLOCKS.replace("split(4)", "take(3) |> split(3)")
TWICE: Final = "fun(n: nat, xs: (4*n).f32 => reduce(max, 0.0, padCst(0, 3, 0.0, xs)))"


@pytest.mark.parametrize(
    ("result", "operators", "expected"),
    [
        (BLOCKS, (), False),
        (BLOCKS, (Operator("add"),), False),  # each block starts with 0.0
        (BLOCKS, (MONOID,), True),
        (STRIPS, (MONOID,), False),
        (STRIPS, (COMMUTING,), True),
        (STRIPS, (Operator("add", commutes=True),), False),
        (PAIRS, (Operator("add"),), True),
        (PADDED, (Operator("add"),), False),
        (PADDED, (MONOID,), True),
        (WRONG_PADDING, (COMMUTING,), False),
        (WRONG_START, (COMMUTING,), False),
        (SOME, (COMMUTING,), False),
    ],
)
def test_a_law_allows_its_consequences(result: str, operators: tuple[Operator, ...], expected: bool) -> None:
    assert check(rise.parse_expr(SUM), rise.parse_expr(result), operators).is_checked is expected


def test_what_a_proof_tried_in_vain_is_not_printed() -> None:
    """A comparison that fails is often one of several attempts, and printing its sides takes longer than comparing."""
    with patch("rise.checker.state.side_text", side_effect=AssertionError) as text:
        assert check(rise.parse_expr(SUM), rise.parse_expr(STRIPS), (COMMUTING,))
        assert not text.called
        with pytest.raises(AssertionError):
            check(rise.parse_expr(SUM), rise.parse_expr(STRIPS), (MONOID,))


def test_repeated_items_may_be_omitted_if_the_operation_is_idempotent() -> None:
    given = rise.parse_expr("fun(n: nat, xs: (4*n).f32 => reduce(max, 0.0, xs))")
    assert check(given, rise.parse_expr(TWICE), (Operator("max", commutes=True, idempotent=True),))
    assert not check(given, rise.parse_expr(TWICE), (Operator("max", commutes=True),))


def test_a_product_and_a_sum_may_be_rounded_once_if_the_check_contracts() -> None:
    given = rise.parse_expr("fun(x: f32, y: f32, z: f32 => z + x * y)")
    result = rise.parse_expr("fun(x: f32, y: f32, z: f32 => fma(x, y, z))")
    assert not check(given, result)
    assert check(given, result, contracts=True).uses == ("contraction",)
    assert not check(given, rise.parse_expr("fun(x: f32, y: f32, z: f32 => fma(x, z, y))"), contracts=True)


def test_a_step_that_uses_the_accumulator_twice_is_not_a_sum() -> None:
    given = rise.parse_expr("fun(n: nat, xs: n.f32 => reduceSeq(fun(a, x => a + a * x), 0.0, xs))")
    result = rise.parse_expr("fun(n: nat, xs: n.f32 => 0.0 + reduceSeq(fun(a, x => a + a * x), 0.0, xs))")
    assert check(given, result, (COMMUTING,))  # 0.0 is neutral
    other = rise.parse_expr("fun(n: nat, xs: n.f32 => reduceSeq(fun(a, x => a + 0.0 * x), 0.0, xs))")
    assert not check(given, other, (COMMUTING,))


def test_a_law_is_about_functions_of_two_values_of_one_type() -> None:
    of_three = FunType(F32, FunType(F32, FunType(F32, F32)))
    f, x, y, z = Var("f", of_three), Var("x", F32), Var("y", F32), Var("z", F32)
    assert not check(apply(f, x, y, z), apply(f, y, x, z), (Operator("f", commutes=True),))
    g = Var("g", FunType(F32, FunType(F32, F32)))
    assert check(apply(g, x, y), apply(g, y, x), (Operator("g", commutes=True),))


def test_choices_by_sums_that_are_equal_by_laws_have_equal_sides() -> None:
    def chosen(sum_: str, yes: str, no: str) -> rise.Expr:
        body = sum_.partition("=> ")[2].removesuffix(")")
        return rise.parse_expr(f"fun(n: nat, xs: (4*n).f32 => if ({body}) < 1.0 then {yes} else {no})")

    given = chosen(SUM, "2.0", "3.0")
    assert check(given, chosen(BLOCKS, "2.0", "3.0"), (MONOID,))
    assert not check(given, chosen(BLOCKS, "2.0", "3.0"))
    assert not check(given, chosen(BLOCKS, "3.0", "2.0"), (MONOID,))
    assert not check(given, chosen(WRONG_START, "2.0", "3.0"), (MONOID,))


def test_operands_are_swapped_of_the_same_function() -> None:
    inputs = dict.fromkeys("fg", "f32 -> f32 -> f32")
    given, swapped, other = (
        rise.parse_expr(f"fun(x: f32, y: f32 => {call})", inputs)
        for call in ("f(x, y)", "f(y, x)", "g(y, x)")
    )
    commuting = Operator("f", commutes=True, associates=False)
    assert check(given, swapped, (commuting,))
    assert not check(given, other, (commuting,))
    assert not check(given, other, (commuting, Operator("g", commutes=True, associates=False)))
