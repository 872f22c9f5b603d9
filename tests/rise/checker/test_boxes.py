"""Sums in any order: those in lanes, blocks and rests are proved for all sizes, but none with a number too many."""

from typing import Final

import pytest

import rise
from rise.checker import Answer, Operator, check
from rise.checker.boxes import separated_at
from rise.checker.state import DEFAULT_EFFORT
from rise.checker.values import Box
from rise.naturals import NatVar, nat

ADD: Final = Operator("add", neutral=0, commutes=True)
MAX: Final = Operator("max", commutes=True, idempotent=True)
SUM: Final = "fun(n: nat, xs: n.f32 => xs |> map(exp) |> reduce(add, 0.0))"
#: a sum in 4 lanes, and the elements that remain in the first ones
LANES: Final = """
fun(n: nat, xs: n.f32 =>
  zip(
    xs |> map(exp) |> take(4 * (n / 4)) |> split(4)
    |> reduceSeq(
      fun(acc: 4.f32, row: 4.f32 => zip(acc, row) |> map(fun(p => fst(p) + snd(p)))),
      generate(fun(i: idx[4] => 0.0))),
    xs |> map(exp) |> drop(4 * (n / 4)) |> padCst(0, 4 - n % 4, 0.0))
  |> map(fun(p => snd(p) + fst(p)))
  |> fun(lanes: 4.f32 =>
    zip(take(2, lanes), drop(2, lanes)) |> map(fun(p => fst(p) + snd(p))) |> reduce(add, 0.0)))
"""
#: blocks of 8, each in 4 lanes; then the rest
BLOCKS: Final = """
fun(n: nat, xs: n.f32 =>
  (xs |> map(exp) |> take(8 * (n / 8)) |> split(8)
    |> map(fun(block => block |> split(4) |> transpose
      |> map(fun(lane => reduce(add, 0.0, lane))) |> reduce(add, 0.0)))
    |> reduce(add, 0.0))
  + (xs |> drop(8 * (n / 8)) |> map(exp) |> reduce(add, 0.0)))
"""
COLUMNS: Final = (
    "fun(n: nat, m: nat, xs: n.m.f32 => xs |> transpose |> map(fun(column => reduce(add, 0.0, column)))"
    " |> reduce(add, 0.0))"
)
ROWS: Final = (
    "fun(n: nat, m: nat, xs: n.m.f32 => xs |> map(fun(r => reduce(add, 0.0, r))) |> reduce(add, 0.0))"
)


def answer(given: str, result: str, *operators: Operator, effort: int = DEFAULT_EFFORT) -> Answer:
    return check(rise.parse_expr(given), rise.parse_expr(result), operators, effort=effort)


def with_max(text: str) -> str:
    """A program of sums as one of maxima."""
    for sum_ in ("fst(p) + snd(p)", "snd(p) + fst(p)"):
        text = text.replace(sum_, f"max({', '.join(sum_.split(' + '))})")
    return text.replace("0.0", "-inf").replace("(add", "(max")


@pytest.mark.parametrize("result", [LANES, BLOCKS])
def test_a_sum_in_lanes_or_blocks_is_the_sum(result: str) -> None:
    assert answer(SUM, result, ADD)
    assert answer(result, SUM, ADD)
    assert not answer(SUM, result, Operator("add", neutral=0))  # which does not commute
    assert not answer(SUM, result, Operator("add", commutes=True))  # nothing is neutral


def test_lanes_are_blocks() -> None:
    assert answer(LANES, BLOCKS, ADD)


def test_rows_and_columns_have_the_same_sum() -> None:
    assert answer(ROWS, COLUMNS, ADD)
    assert answer(COLUMNS, ROWS, ADD)
    for one in (ROWS, COLUMNS):
        flat = "fun(n: nat, m: nat, xs: n.m.f32 => reduce(add, 0.0, join(xs)))"
        assert answer(one, flat, ADD)
        assert answer(flat, one, ADD)


def test_the_start_value_of_a_maximum_may_occur_in_each_lane() -> None:
    assert answer(with_max(SUM), with_max(LANES), MAX)
    assert not answer(with_max(SUM), with_max(LANES), Operator("max", commutes=True))
    assert not answer(with_max(SUM), with_max(LANES).replace("4 - n % 4, -inf", "4 - n % 4, 0.0"), MAX)


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("4 - n % 4, 0.0", "4 - n % 4, 1.0"),  # a number too many in some lanes
        ("idx[4] => 0.0", "idx[4] => 1.0"),
        ("drop(4 * (n / 4))", "take(n % 4)"),  # the first elements instead of the last ones
        ("drop(2, lanes)", "take(2, lanes)"),  # lanes twice
        ("snd(p) + fst(p)", "fst(p) + fst(p)"),  # no rest
        ("snd(p) + fst(p)", "snd(p) + fst(p) + fst(p)"),
        ("xs |> map(exp) |> drop", "xs |> map(neg) |> drop"),
        ("split(4)\n", "split(4) |> map(fun(row => concat(take(1, row), take(3, row))))\n"),
    ],
)
def test_a_sum_of_other_numbers_is_not_proved(right: str, wrong: str) -> None:
    assert right in LANES
    result = LANES.replace(right, wrong)
    for given, other in ((SUM, result), (result, SUM)):
        found = answer(given, other, ADD, effort=400_000)
        assert not found
        assert "steps" not in found.reason  # all attempts ended


GUARDED: Final = """
fun(n: nat, m: nat, xs: n.f32, ys: n.f32, zs: (n + m).f32 =>
  zip(concat(xs, generate(fun(i: idx[m] => 0.0))), zs) |> map(fun(p => fst(p) + snd(p))) |> reduce(add, 0.0))
"""
#: the same sum, and then some numbers again
APART: Final = """
fun(n: nat, m: nat, xs: n.f32, ys: n.f32, zs: (n + m).f32 => reduce(add, 0.0, zs) + reduce(add, 0.0, xs){more})
"""


def test_items_of_a_choice_are_counted_once() -> None:
    """Below n, a step adds two numbers, and from there on one; or, if xs are sums, one more."""
    sums = GUARDED.replace("concat(xs", "concat(zip(xs, ys) |> map(fun(p => fst(p) + snd(p)))")
    assert answer(GUARDED, APART.format(more=""), ADD)
    assert answer(APART.format(more=""), GUARDED, ADD)
    for given, rest in ((GUARDED, ""), (sums, " + reduce(add, 0.0, ys)")):
        for more in ("drop(n, zs)", "take(n, zs)", "zs", "xs", "ys"):
            result = APART.format(more=f"{rest} + reduce(add, 0.0, {more})")
            assert not answer(given, result, ADD)
            assert not answer(result, given, ADD)


#: a sum of at most one number, as `1 - n` must not be negative
ONE_OR_NONE: Final = "fun(n: nat, xs: n.f32 => reduce(add, 0.0, xs) + idx(0, padCst(0, 1 - n, 0.0, xs)))"


def test_a_sum_of_one_number_is_this_number() -> None:
    """Where n is 1 but not written as 1, a sum has as many items as a single number."""
    one = ONE_OR_NONE.replace("reduce(add, 0.0, xs)", "idx(0, take(1, xs))")
    found = answer(ONE_OR_NONE, one, ADD)
    assert found
    assert [each.condition for each in found.demands] == ["n >= 1"]
    assert answer(one, ONE_OR_NONE, ADD)
    wrong = one.replace("idx(0, padCst(0, 1 - n, 0.0, xs))", "idx(0, padCst(0, 1 - n, 0.0, map(neg, xs)))")
    assert not answer(ONE_OR_NONE, wrong, ADD)
    assert not answer(wrong, ONE_OR_NONE, ADD)


PRODUCTS: Final = (
    "fun(n: nat, m: nat, xs: (m*n).f32, ys: (m*n).f32 =>"
    " zip({}, {}) |> map(fun(p => fst(p) * snd(p))) |> reduce(add, 0.0))"
)
TURNED: Final = "({} |> split(n) |> transpose |> join)"


def test_groups_of_subscripts_are_interchanged() -> None:
    """The items of one side depend on the quotient and the remainder of an index, those of the other on the index."""
    plain, turned = PRODUCTS.format("xs", "ys"), PRODUCTS.format(TURNED.format("xs"), TURNED.format("ys"))
    assert answer(plain, turned, ADD)
    assert answer(turned, plain, ADD)
    assert not answer(plain, PRODUCTS.format(TURNED.format("xs"), "ys"), ADD)
    assert not answer(plain, turned, Operator("add", neutral=0))  # which does not commute


def test_a_box_is_separated_only_at_divisors_of_its_length() -> None:
    n, m = (nat(NatVar(name, None)) for name in "nm")
    with pytest.raises(AssertionError):
        separated_at(Box((n * m,), lambda k: [k]), 0, n, n)
    separated = separated_at(Box((n * m, m), lambda k, j: [k + j]), 0, n, m)
    i, j = n - 1, m - 1
    assert separated.lengths == (n, m, m)
    assert separated.items(i, j, j) == [n * m - 1 + j]
