"""`check` finds wrong rules, shows how they are wrong, and does not accept rules that it could hardly test."""

from __future__ import annotations

import contextlib
import io
import traceback
from collections.abc import Callable
from typing import Any

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis.vendor.pretty import pretty

import rise
from elevate import Diagnostic, FloatClass, StrategyError
from rise.scalars import SCALARS
from rise.terms import Expr, spine
from rise.testing.edges import pool, rows
from strategies import EquationRule, RuleFamily, family, rule
from strategies.rules import fusion, lowering, movement
from strategies.testing import check
from strategies.testing.evidence import INNER, MOST_SEARCHES
from strategies.testing.rows import difference
from strategies.testing.sweeps import swept
from tests.examples import some


def refuted(found: EquationRule | RuleFamily, **more: Any) -> Diagnostic:
    with pytest.raises(StrategyError) as caught:
        check(found, **more)
    diagnostic: Diagnostic = caught.value.diagnostic
    return diagnostic


WRONG = [
    "0.0 - x = neg x",
    "x - x = 0.0",
    "neg (x - y) = y - x",
    "x == x = true",
    "(x : i32) < x + 1 = true",
    "((x : i8) * 2) / 2 = x",
    "((x : i32) * y) / y = x",
    "sqrt ((x : f32) * x) = abs x",
    "(x : f32) + 0.0 = x",
    "if (x : f32) < y then y else x = max x y",
    "(x : bf16) / y = x * (1.0 / y)",
    "scan f i xs = map (f i) xs",
    "reduce f i (join xs) = reduce f i (join (transpose xs))",
    "reduce f i xs = reduce (fun(x, y => f y x)) i xs",
    "join (map transpose xs) = join xs",
    "take k (drop m xs) = take k xs",
]


@pytest.mark.parametrize("equation", some(WRONG, 2))
def test_a_wrong_rule_is_refuted_and_the_snippet_shows_it(equation: str) -> None:
    diagnostic = refuted(rule(equation, why="Wrong."))
    assert diagnostic.code == "wrong-rule"
    (text,) = (note for note in diagnostic.notes if note.startswith("to see it, run"))
    code = "\n".join(line.removeprefix("    ") for line in text.splitlines()[1:])
    seen: dict[str, Any] = {}
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        exec(code, seen)
    assert printed.getvalue()
    before, after = np.asarray(seen["before"]), np.asarray(seen["after"])
    assert before.dtype == after.dtype
    assert before.tobytes() != after.tobytes()


def test_the_error_has_no_notes_of_the_library_that_found_the_example() -> None:
    with pytest.raises(StrategyError) as refusal:
        check(rule("join (map transpose xs) = join xs", why="Wrong."))
    assert "".join(traceback.format_exception_only(refusal.value)).endswith("hint: correct the rule\n")


def test_a_reassociating_rule_may_not_permute() -> None:
    swapped = rule(
        "reduce f i (join xs) = reduce f i (join (transpose xs))",
        why="Needs a function that commutes, and `reduce` only promises that it is associative.",
        float_class=FloatClass.REASSOCIATING,
    )
    assert refuted(swapped).code == "wrong-rule"


def test_sizes_are_named() -> None:
    diagnostic = refuted(rule("join (map transpose (xs : n.m.m.t)) = join xs", why="Wrong where m > 1."))
    assert diagnostic.title.endswith("where m = 2, n = 1")


def test_a_reduction_promises_nothing_about_its_start() -> None:
    """Each row starts once more, which only a neutral start allows."""
    wrong = rule(
        "reduce f i (map (fun(row => reduce f i row)) (xs : n.m.t)) = reduce f i (join xs)",
        why="Needs a neutral start.",
        float_class=FloatClass.REASSOCIATING,
    )
    assert refuted(wrong).code == "wrong-rule"


def test_conditions_that_only_the_right_side_has_are_refuted_unless_stated() -> None:
    """They are part of the law: the left side is valid at sizes at which the right side is not."""
    equation = "reduceSeq f i (xs : m.t) = reduceSeq f i (join (split n xs))"
    diagnostic = refuted(family(equation, parameters=("n",), why="Right for multiples."))
    assert diagnostic.title.endswith(
        "demands that n divides m, which its left side does not where m = 1, n = 2"
    )
    assert diagnostic.hint == "if the rule may demand it, state it: demands=('n divides m',)"
    assert any(note.startswith("to see it, run") for note in diagnostic.notes)
    stated = family(equation, parameters=("n",), demands=("n divides m",), why="Right for multiples.")
    assert check(stated, examples=4).demands == ("n >= 1", "n divides m")
    assert check(fusion.mapFusion).demands == ()


def test_a_condition_is_refuted_if_another_one_is_stated() -> None:
    wrong = rule(
        "reduceSeq f i (xs : m.t) = reduceSeq f i (join (split 2 xs))",
        demands=("m >= 1",),
        why="Wrong for odd lengths.",
    )
    assert "demands that 2 divides m" in refuted(wrong).title


def test_conditions_that_hold_at_small_sizes_are_refuted_at_larger_ones() -> None:
    """The padding is negative from n = 6 on, where t = 2."""
    wrong = family(
        "map f (xs : n.s) = take n (map f (padEmpty (t + ceil(n, t) - n) xs))",
        parameters=("t",),
        why="Wrong.",
    )
    assert refuted(wrong).title.endswith("does not where n = 6, t = 2")


def test_rows_of_one_length_become_rows_of_several() -> None:
    """The function of such a rule depends on the index, and the type of what it takes does not."""
    wrong = family(
        "depMap f xs = depMapThreads d f (map (fun(z => z)) (transpose xs))", parameters=("d",), why="Wrong."
    )
    assert refuted(wrong).code == "wrong-rule"


def test_hypothesis_prints_a_rule_without_its_module() -> None:
    """It prints the arguments of a strategy in notes, and to find out whether they are the same."""
    assert len(pretty(rule("map id xs = xs", why="Right."))) < 1_000


def selected(term: Any) -> Expr | None:
    found = spine(term)[1][1]
    return found if isinstance(found, Expr) else None


def dropped(term: Any) -> Expr | None:
    found = spine(term)[1][1]
    return found if isinstance(found, Expr) and found.type == term.type else None


def never(term: Any) -> Expr | None:
    return None


def sequential(term: Any) -> Expr | None:
    return lowering.mapToMapSeq.apply(term)


def raising(term: Any) -> Expr | None:
    raise KeyError("xs")


MAP, SELECT = (("map", 2),), (("select", 3),)


def test_rules_by_functions_are_tested_on_their_left_sides() -> None:
    for wrong in (
        rule("select c x y = x", why="Wrong.", by=selected, roots=SELECT),
        rule("map f xs = xs", why="Wrong.", by=dropped, roots=MAP),
        rule("map f xs = xs", why="Raises.", by=raising, roots=MAP),
    ):
        assert refuted(wrong).code == "wrong-rule"
    right = check(rule("map f xs = mapSeq f xs", why="Right.", by=sequential, roots=MAP))
    assert right > 30
    assert right.metavariables == {"f": 2, "xs": 2}


def test_a_rule_by_a_function_without_an_equation_needs_a_generator() -> None:
    prose = rule("a map, whatever its function is", why="Prose.", by=sequential, roots=MAP)
    texts = (
        f"fun(xs: 4.f32 => map({one}, map({other}, xs)))" for one, other in (("exp", "sqrt"), ("neg", "abs"))
    )
    programs = [rise.parse(text).main for text in texts]
    assert check(prose, generator=st.sampled_from(programs)) >= 4
    assert check(prose, given_programs=programs) >= 4


HARDLY_TESTED = {
    "never": (rule("map f xs = xs", why="Never.", by=never, roots=MAP), "never fires"),
    "refused": (
        rule("map f xs = mapSeq f xs", why="A condition that never holds.", where=lambda bindings: False),
        "never fires",
    ),
    "only empty arrays": (
        rule("map f (xs : n.t) = mapSeq f xs", why="Of no elements.", where=lambda b: b.size("n") == 0),
        "",
    ),
    "one branch": (
        rule("x = if (x : i32) == 12345 then x else x", why="Hardly ever taken."),
        "was never taken",
    ),
}


def test_branches_inside_functions_are_looked_for_in_few_instances() -> None:
    """That of `then` is never taken, and need not be."""
    record = swept(
        rule("map (map (fun(x => if (x : i32) < x then 0 else x))) xs = xs", why="It is never taken.")
    )
    (then,) = (name for name in record.branches if name.startswith(f"{INNER}`then`"))
    assert (record.branches[then], record.attempts[then]) == (0, MOST_SEARCHES)
    assert record.firings > MOST_SEARCHES and record.is_complete()


@pytest.mark.parametrize("name", some(HARDLY_TESTED, 2))
def test_rules_that_are_hardly_tested_do_not_pass(name: str) -> None:
    found, said = HARDLY_TESTED[name]
    diagnostic = refuted(found, examples=4)
    assert diagnostic.code == "little-power"
    assert said in diagnostic.title
    assert "given_programs" in diagnostic.hint


def test_few_examples_of_a_rule_that_never_fires_cost_little() -> None:
    asked: list[Any] = []

    def refuse(term: Any) -> Expr | None:
        asked.append(term)
        return None

    for refused in (
        rule("map f xs = mapSeq f xs", why="Never.", by=refuse, roots=MAP),
        rule("map f xs = mapSeq f xs", why="Never.", where=lambda bindings: refuse(bindings) is not None),
    ):
        asked.clear()
        assert refuted(refused, examples=2).code == "little-power"
        assert 25 < len(asked) < 150


def test_the_result_reports_what_was_exercised() -> None:
    tested = check(movement.splitMap)
    assert all(tested.metavariables[name] >= 2 for name in ("f", "xs"))
    assert set(tested.sizes) == {"n", "m"}
    assert tested.sizes["n"].keys() >= {1, 2, 3}
    assert tested.relations.keys() >= {"m < n", "m = n", "m > n"}
    assert tested.inputs > tested
    assert "metavariables: f (" in str(tested)


def test_a_choice_counts_both_branches() -> None:
    tested = check(rule("if c then x else y = if !c then y else x", why="Right."))
    assert len(tested.branches) == 4
    assert all(tested.branches.values())


CALLS: dict[str, Callable[[], Any]] = {
    "a text": lambda: check("map id xs = xs"),  # type: ignore[arg-type]
    "no examples": lambda: check(fusion.mapFusion, examples=0),
    "examples in words": lambda: check(fusion.mapFusion, examples="many"),  # type: ignore[arg-type]
    "a text as program": lambda: check(fusion.mapFusion, given_programs=["x"]),  # type: ignore[list-item]
    "a number of programs": lambda: check(fusion.mapFusion, given_programs=5),  # type: ignore[arg-type]
    "an open program": lambda: check(
        fusion.mapFusion, given_programs=[rise.parse_expr("x + 1.0", {"x": "f32"})]
    ),
    "no generator": lambda: check(fusion.mapFusion, generator=5),  # type: ignore[arg-type]
    "a condition that raises": lambda: check(
        rule("map f xs = mapSeq f xs", why="", where=lambda b: 1 / 0 > 0)
    ),
    "a predicate that raises": lambda: check(
        rule("map f xs = mapSeq f xs", why="", of={"f": lambda e: e.nothing})  # type: ignore[attr-defined]
    ),
    "a computed text": lambda: check(
        rule("map f xs = take k (padEmpty k (map f xs))", why="", compute={"k": lambda b: "two"})  # type: ignore[dict-item,return-value]
    ),
}


@pytest.mark.parametrize("name", CALLS)
def test_errors_are_diagnostics(name: str) -> None:
    with pytest.raises((StrategyError, rise.RiseError)) as caught:
        CALLS[name]()
    assert caught.value.diagnostic.hint


@pytest.mark.parametrize("name", SCALARS)
def test_edges_of_scalars_are_among_the_inputs(name: str) -> None:
    facts = SCALARS[name]
    count, (values,) = rows([rise.types.ScalarType(name)], is_whole=False, seed=0)
    assert len(values) == count and values.dtype == facts.dtype
    edges = pool(name, is_whole=False).tolist()
    assert {str(edge) for edge in edges} <= {str(value) for value in values.tolist()}
    if "floating" in facts.classes:
        assert {"0.0", "-0.0", "inf", "-inf", "nan"} <= {str(edge) for edge in edges}
    elif "num" in facts.classes:
        assert {np.iinfo(facts.dtype).min, np.iinfo(facts.dtype).max} <= set(edges)


def test_an_input_on_which_the_left_side_fails_promises_nothing() -> None:
    before, after = (rise.parse(text).main for text in ("fun(x: i32 => x / x)", "fun(x: i32 => 1)"))
    tested, found = difference(before, after, FloatClass.EXACT)
    assert tested and found is None
    tested, found = difference(after, before, FloatClass.EXACT)
    assert found is not None and isinstance(found.after, rise.RiseError)


def test_which_zero_a_maximum_returns_is_unspecified() -> None:
    assert check(rule("max x y = max y x", why="Right: semantics.md leaves the sign of the zero open."))
