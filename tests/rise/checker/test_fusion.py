"""Folds that are functions of other folds: what the lemma proves, and where it stops."""

from typing import Final

import pytest

import rise
from rise.checker import check
from tests.examples import some

_HEAD: Final = "fun(n: nat, m: nat, f: (2*m).f32 -> f32 -> (2*m).f32, i: (2*m).f32, xs: n.f32 => "
FLAT: Final = f"{_HEAD}reduceSeq(f, i, xs))"
ROWS: Final = f"{_HEAD}reduceSeq(fun(a, x => f(join(a), x) |> split(2)), split(2, i), xs) |> join)"
COLUMNS: Final = (
    f"{_HEAD}reduceSeq(fun(a, x => f(join(transpose(a)), x) |> split(2) |> transpose),"
    " split(2, i) |> transpose, xs) |> transpose |> join)"
)
HALVES: Final = (
    f"{_HEAD}reduceSeq(fun(a, x => (fun(b => pair(take(m, b), drop(m, b))))(f(concat(fst(a), snd(a)), x))),"
    " pair(take(m, i), drop(m, i)), xs) |> fun(r => concat(fst(r), snd(r))))"
)
CONSTANT: Final = "fun(n: nat, f: f32 -> f32, x: f32, xs: n.f32 => reduceSeq(fun(a, y => {}), x, xs))"


@pytest.mark.parametrize("other", [ROWS, COLUMNS, HALVES], ids=["rows", "columns", "halves"])
@pytest.mark.parametrize("is_turned", [False, True])
def test_an_accumulator_may_have_another_form(other: str, is_turned: bool) -> None:
    sides = [rise.parse_expr(FLAT), rise.parse_expr(other)]
    answer = check(*(reversed(sides) if is_turned else sides))
    assert answer, answer.reason
    assert "fusion of folds" in answer.uses


WRONG: Final = (
    ROWS.replace("xs) |> join)", "xs) |> transpose |> join)"),
    ROWS.replace("split(2, i)", "split(2, f(i, 0.0))"),
    ROWS.replace("f(join(a), x)", "f(i, x)"),
    COLUMNS.replace("split(2, i) |> transpose, xs", "split(m, i), xs"),
    HALVES.replace("concat(fst(a), snd(a))", "concat(snd(a), fst(a))"),
    HALVES.replace("concat(fst(r), snd(r))", "concat(snd(r), fst(r))"),
    FLAT.replace("reduceSeq(f, i, xs)", "reduceSeq(f, i, take(n, concat(xs, xs)) |> map(neg))"),
)


@pytest.mark.parametrize(("turn", "wrong"), some(enumerate(WRONG), 5, first=1))
def test_another_form_in_only_one_place_is_unknown(turn: int, wrong: str) -> None:
    """On either side; in a sample, the sides take turns."""
    assert rise.parse_expr(wrong).type == rise.parse_expr(FLAT).type
    for left, right in some([(FLAT, wrong), (wrong, FLAT)], 2, first=turn // 2):
        assert not check(rise.parse_expr(left), rise.parse_expr(right))


def test_a_fold_whose_steps_change_nothing_is_its_start_value() -> None:
    start = rise.parse_expr("fun(n: nat, f: f32 -> f32, x: f32, xs: n.f32 => x)")
    assert check(rise.parse_expr(CONSTANT.format("if y < 0.0 then a else a")), start)
    assert not check(rise.parse_expr(CONSTANT.format("if y < 0.0 then a else f(a)")), start)
    assert not check(rise.parse_expr(CONSTANT.format("y")), start)


def test_a_function_of_a_fold_takes_the_same_steps() -> None:
    """`neg(F(n, s, x)) = F(n, t, neg(x))` if `neg(s(a, y)) = t(neg(a), y)` for all a."""
    inside = (
        CONSTANT.format("neg(f(y))")
        .replace("x, xs))", "x, xs)) |> neg)")
        .replace("xs)) |> neg", "xs) |> neg")
    )
    outside = CONSTANT.format("neg(neg(f(y)))").replace("x, xs))", "neg(x), xs))")
    assert check(rise.parse_expr(inside), rise.parse_expr(outside))
    assert not check(rise.parse_expr(inside), rise.parse_expr(outside.replace("neg(neg(f(y)))", "neg(f(y))")))
    assert not check(rise.parse_expr(inside), rise.parse_expr(outside.replace("neg(x), xs", "x, xs")))


def test_a_fold_that_is_computed_again_is_not_taken_for_a_constant() -> None:
    """Inside of a choice, folds are computed again for each state of what is known. One that is replaced before the
    first step, but not in the steps, would be constant in these: a fold that changes nothing would be any value.
    """
    head = "fun(n: nat, m: nat, xss: m.n.f32, yss: m.n.f32, zs: n.f32 => generate(fun(i: idx[m + m] => "
    zeros = "generate(fun(j: idx[m] => 0.0))"
    none = f"{head}reduceSeq(fun(a, z => a), neg(idx(i, concat({zeros}, {zeros}))), zs))))"
    sums = f"{head}neg(idx(i, concat(map(reduceSeq(add, 0.0), xss), map(reduceSeq(add, 0.0), yss)))))))"
    assert not check(rise.parse_expr(none), rise.parse_expr(sums))
    assert not check(rise.parse_expr(sums), rise.parse_expr(none))
    assert check(rise.parse_expr(sums), rise.parse_expr(sums))
