"""Equations with contexts, several forms, predicates on single terms, computed terms and types of functions."""

from __future__ import annotations

from typing import Any

import pytest

import rise
from elevate import Failure, StrategyError, Success
from rise.terms import App, Bound, Expr, Literal, Primitive, spine
from strategies import rule
from strategies.equations.contexts import abstracted, candidates, outside
from strategies.equations.matcher import Bindings
from strategies.testing import check

NAMES = {"xs": "6.f32", "ys": "6.f32", "a": "f32", "b": "f32", "m": "4.6.f32", "p": "(f32, f32)"}


def isRoot(e: Expr) -> bool:
    """A square root."""
    return e.root == ("sqrt", 1)


def isMore(e: Expr) -> bool:
    """Something else than a square root."""
    return not isRoot(e)


def isNegation(e: Expr) -> bool:
    """A function that negates."""
    return isinstance(e, Primitive) and e.name == "neg"


def itsLiteral(bindings: Bindings) -> Expr | None:
    """A literal to start from"""
    start = bindings.term("i")
    return start if isinstance(start, Literal) else None


nameRoot = rule(
    "f[e] = (fun(root => f[root])) e",
    why="Name the first square root of a term.",
    of={"f": isMore, "e": isRoot},
)
nameRoots = rule(
    "map (fun(x => f[g x])) xs = map (fun(x_ => f[x_])) (map g xs)",
    why="Call a function before the rest.",
)
negateBefore = rule(
    "map (fun(p => f[fst p, c (snd p)])) (zip xs ys) = map (fun(p_ => f[fst p_, snd p_])) (zip xs (map c ys))",
    why="Negate an array instead of its elements.",
    of={"c": isNegation},
)
nameInnerRoots = rule(
    "map (fun(x => f[map (fun(y => g[e])) ys])) xs = (fun(roots => map (fun(x => f[map"
    " (fun(p => (fun(y, root => g[root])) (fst p) (snd p))) (zip ys roots)])) xs)) (map (fun(y => e)) ys)",
    why="Compute the roots in an inner loop before the outer loop.",
    of={"e": isRoot},
)
absOrNeg = rule(
    "abs (abs x) = abs x",
    also=("neg (neg x) = x", "abs (neg (x : f32)) = abs x"),
    why="Signs that do not matter, in one rule.",
)
startTwice = rule(
    "reduce max i xs = max i (reduce max again xs)",
    why="Put a literal start value in twice.",
    compute={"again": itsLiteral},
)


def rewritten(law: Any, text: str) -> str:
    """The result of a rule on a term; empty if it does not match."""
    result = law(rise.parse_expr(text, NAMES))
    assert isinstance(result, Success | Failure)
    return str(result.program) if isinstance(result, Success) else ""


def test_a_part_is_replaced_at_all_its_places() -> None:
    assert rewritten(nameRoot, "sqrt(a) * (b + sqrt(a))") == "sqrt(a) |> fun(root: f32 => root * (b + root))"


def test_the_first_part_is_found_from_outside_in_and_left_to_right() -> None:
    assert rewritten(nameRoot, "neg(sqrt(b)) + sqrt(a)") == "sqrt(b) |> fun(root: f32 => -root + sqrt(a))"


def test_variables_bound_in_between_cannot_be_mentioned() -> None:
    assert rewritten(nameRoot, "map(fun(x => sqrt(x)), xs)") == ""
    found = rewritten(nameRoot, "map(fun(x => sqrt(x) + sqrt(a)), xs)")
    assert found == "sqrt(a) |> fun(root: f32 => xs |> map(fun(x: f32 => sqrt(x) + root)))"


def test_a_predicate_on_a_context_applies_to_the_whole_term() -> None:
    assert rewritten(nameRoot, "sqrt(sqrt(a))") == ""


def test_a_binder_with_an_underscore_keeps_the_name_of_the_author() -> None:
    found = rewritten(nameRoots, "map(fun(number => exp(number) + 1.0), xs)")
    assert found == "xs |> map(exp{f32}) |> map(fun(number: f32 => number + 1.0))"


def test_a_binder_that_only_holes_may_mention_occurs_nowhere_else() -> None:
    assert rewritten(nameRoots, "map(fun(x => exp(x) + x), xs)") == ""


def test_several_holes_are_filled_together() -> None:
    found = rewritten(negateBefore, "map(fun(p => fst(p) * neg(snd(p)) + fst(p)), zip(xs, ys))")
    assert found == "zip(xs, map(neg{f32}, ys)) |> map(fun(p: (f32, f32) => fst(p) * snd(p) + fst(p)))"
    assert rewritten(negateBefore, "map(fun(p => neg(snd(p)) + snd(p)), zip(xs, ys))") == ""
    assert rewritten(negateBefore, "map(fun(p => fst(p) * abs(snd(p))), zip(xs, ys))") == ""


def test_a_hole_may_be_absent_if_it_is_known() -> None:
    found = rewritten(negateBefore, "map(fun(p => neg(snd(p))), zip(xs, ys))")
    assert found == "zip(xs, map(neg{f32}, ys)) |> map(fun(p: (f32, f32) => snd(p)))"


def test_a_hole_may_contain_a_context() -> None:
    found = rewritten(nameInnerRoots, "map(fun(x => reduce(add, x, map(fun(y => x * sqrt(y)), ys))), xs)")
    assert " ".join(found.split()) == (
        "ys |> map(fun(y: f32 => sqrt(y))) |> fun(roots: 6.f32 => xs |> map(fun(x: f32 => zip(ys, roots)"
        " |> map(fun(p: (f32, f32) => fun(y: f32, root: f32 => x * root)(fst(p), snd(p)))) |> reduce(add{f32}, x))))"
    )


@pytest.mark.parametrize("root", ["sqrt(x)", "abs(y)", "sqrt(x + y)"])
def test_a_context_in_a_hole_mentions_what_both_sides_allow(root: str) -> None:
    text = f"map(fun(x => reduce(add, x, map(fun(y => x * {root}), ys))), xs)"
    assert rewritten(nameInnerRoots, text) == ""


def test_a_rule_with_a_context_in_a_hole_is_checked() -> None:
    text = "fun(xs: 3.f32, ys: 4.f32 => map(fun(x => reduce(add, x, map(fun(y => x * sqrt(y)), ys))), xs))"
    assert check(nameInnerRoots, examples=1, given_programs=[rise.parse_expr(text, {})]) > 0


@pytest.mark.parametrize(
    ("before", "after"), [("abs(abs(a))", "abs(a)"), ("-(-a)", "a"), ("abs(-a)", "abs(a)")]
)
def test_the_first_equation_that_matches_is_taken(before: str, after: str) -> None:
    assert rewritten(absOrNeg, before) == after


def test_a_rule_of_several_equations_is_one_rule() -> None:
    assert [form.equation for form in absOrNeg.forms][1:] == list(absOrNeg.also)
    assert {form.name for form in absOrNeg.forms} == {"absOrNeg"}
    assert absOrNeg.roots == {("abs", 1), ("neg", 1)}
    assert len(absOrNeg.shapes() or ()) == 3
    assert check(absOrNeg, examples=10) > 0
    assert "abs (abs x)" in str(absOrNeg(rise.parse_expr("sqrt(a)", NAMES)).explain())  # type: ignore[union-attr]


def test_each_equation_of_a_rule_is_checked() -> None:
    wrong = rule("abs (abs x) = abs x", also=("neg (neg x) = neg x",), why="The second is wrong.")
    with pytest.raises(StrategyError, match=r"changes what a program computes"):
        check(wrong, examples=10)


def test_a_term_may_be_computed_by_a_function() -> None:
    assert rewritten(startTwice, "reduce(max, 2.0, xs)") == "max(2.0, reduce(max{f32}, 2.0, xs))"
    assert rewritten(startTwice, "reduce(max, a, xs)") == ""
    failure = startTwice(rise.parse_expr("reduce(max, a, xs)", NAMES))
    assert isinstance(failure, Failure) and "a literal to start from" in str(failure.explain())


def test_a_rule_with_a_context_has_no_inverse() -> None:
    with pytest.raises(StrategyError, match=r"has no inverse: its left side has a context"):
        nameRoots.inv  # noqa: B018 - it raises


def test_a_function_that_a_predicate_determines_is_not_read_back() -> None:
    called = rule("map f xs = map (fun(x => f (f x))) xs", why="Not true.", of={"f": isNegation})
    with pytest.raises(StrategyError, match=r"its right side calls `f`"):
        called.inv  # noqa: B018 - it raises


def test_types_of_functions_may_be_required() -> None:
    data = rule("fun(x => f x) = f", why="Functions of data that give data.")
    any_type = rule("fun(x : any1 => (f x : any2)) = f", why="All functions.")
    curried = rise.parse_expr("fun(x: f32 => add(x))", {})
    assert isinstance(data(curried), Failure)
    assert isinstance(any_type(curried), Success)


def test_a_failing_rule_reports_which_hole_found_nothing() -> None:
    said = str(nameRoot(rise.parse_expr("a + b", NAMES)).explain())  # type: ignore[union-attr]
    assert "a part that fits the holes" in said


def test_brackets_after_a_space_are_an_array() -> None:
    wrapped = rule("idx 0 [x] = x", why="The only element.")
    assert rewritten(wrapped, "idx(0, [a])") == "a"


def test_sub_terms_are_expressed_from_outside() -> None:
    body = rise.parse_expr("fun(x => x + sqrt(a))", {**NAMES}).children[0]  # type: ignore[attr-defined]
    found = list(candidates(body, isRoot))
    assert [str(one) for one in found] == ["sqrt(a)"]
    assert outside(Bound(0, found[0].type), 1) is None  # type: ignore[arg-type]
    assert abstracted(found[0], (found[0],)) == Bound(0, found[0].type)


def test_terms_that_occur_often_are_visited_once() -> None:
    """The sum of a sum with itself, and so on: 2^60 places."""
    add = spine(rise.parse_expr("a + b", NAMES))[0]
    e = root = rise.parse_expr("sqrt(a)", NAMES)
    for _ in range(60):
        e = App(App(add, e), e)
    assert list(candidates(e, isRoot)) == [root]
