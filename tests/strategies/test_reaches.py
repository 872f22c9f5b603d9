"""Reaches of rules are true: with them, normal forms take the same steps as without, and attempts stay few."""

# The annotations are types of RISE, not of Python.
# ruff: noqa: F821

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import rise
from elevate import FunctionRule, Reach, Strategy, Success, normalize, run
from elevate.engine.compiler import Compiler
from elevate.engine.machine import Code
from elevate.engine.run import unused
from elevate.testing import check_engines_agree
from rise.replacement import MAX_MENTIONS
from rise.terms import Expr, Literal
from strategies.parts.nests import align, fuse, push, tidy
from strategies.rules.functions import betaReduction, fstPair, gentleBeta, isCalledFunction, sndPair
from strategies.rules.fusion import mapFusion
from strategies.rules.let_floating import betaPair
from strategies.sharing import fuseShared, meet
from strategies.testing.terms import programs
from tests.examples import examples
from tests.strategies import corpus

NORMAL_FORMS = [meet, fuse, tidy, align, push]


def smoothed(u: N.M.f32, w: f32):
    """Slices that are updated one after the other, from temporaries."""
    c = w / (1.0 + w)
    v = u.copy()
    flux = c * (u[1:, :] - u[:-1, :])
    v[1:-1, 1:-1] += c * flux[1:, 1:-1]
    v[1:-1, 1:-1] -= c * flux[:-1, 1:-1]
    v[0, :] = u[1, :]
    v[:, -1] = w * u[:, -2]
    return v


def stepped(u: N.f32, v: N.f32, dt: f32):
    """Two arrays that a loop changes."""
    for _ in range(3):
        old = u.copy()
        u[1:-1] = old[1:-1] - dt * (v[1:-1] - v[:-2]) * old[1:-1]
        u[0] = u[1]
        v[1:-1] = v[1:-1] + dt * (u[2:] - 2 * u[1:-1] + u[:-2])
        v[-1] = 0
    return u, v


def scored(x: B.K.f32, w1: K.M.f32, w2: M.C.f32):
    """A network of two layers, whose rows are normalised."""
    h = np.maximum(x @ w1, 0)
    h = (h - h.mean(axis=1, keepdims=True)) / (1e-5 + h.std(axis=1, keepdims=True))
    z = h @ w2
    e = np.exp(z - z.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


def named_arrays(length: int, plain: int = 0) -> Expr:
    """A program that names this number of arrays, each computed by two maps from the previous one, which is read twice;
    the first `plain` ones by one map.
    """
    body = f"zip(y{length}, y0) |> map(fun(p => fst(p) + snd(p)))"
    for number in range(length, 0, -1):
        last, more = f"y{number - 1}", "" if number <= plain else " |> map(fun(x => x + d))"
        body = f"(fun(y{number} => {body}))(zip({last}, {last}) |> map(fun(p => fst(p) * snd(p))){more})"
    return rise.parse(f"val main = fun(y0: N.f32, d: f32 => {body})").main


@pytest.fixture
def without_reaches(monkeypatch: pytest.MonkeyPatch) -> Callable[[Strategy, Expr], Any]:
    """Runs a strategy by an engine that ignores reaches."""

    def reaching(code: Code, reach: Reach | None) -> Code:
        return code

    def outcome(strategy: Strategy, program: Expr) -> Any:
        with monkeypatch.context() as patch:
            patch.setattr(Compiler, "reaching", staticmethod(reaching))
            unused.cache_clear()
            found = run(strategy, program)
        unused.cache_clear()
        return found

    return outcome


@pytest.mark.parametrize("function", [smoothed, stepped, scored], ids=lambda function: str(function.__name__))
def test_reaches_change_no_step_on_programs(
    function: Callable[..., Any], without_reaches: Callable[[Strategy, Expr], Any]
) -> None:
    program = rise.program(function).main
    expected, actual = without_reaches(fuseShared, program), run(fuseShared, program)
    assert isinstance(actual.result, Success) and actual.result.steps
    assert actual.result == expected.result
    assert list(actual.result.steps) == list(expected.result.steps)
    assert actual.counters.attempts < expected.counters.attempts


def test_reaches_change_no_step_below_more_functions_than_are_told_apart(
    without_reaches: Callable[[Strategy, Expr], Any],
) -> None:
    program = named_arrays(MAX_MENTIONS + 10, plain=MAX_MENTIONS)
    strategy = normalize(gentleBeta | mapFusion)
    expected, actual = without_reaches(strategy, program), run(strategy, program)
    assert list(actual.result.steps) == list(expected.result.steps)


SIMPLIFY = normalize(betaPair | gentleBeta | fstPair | sndPair)
#: programs in which the change of a term far below a call makes a rule apply there, and the name of that rule
FAR_CHANGES = {
    "one of two uses is dropped": (
        "fun(x: f32, y: f32 => (fun(a => exp(exp(exp(exp(fst(pair(a, a))))))))(x * y))",
        gentleBeta,
    ),
    "the use that is left is beside the change": (
        "fun(x: f32, y: f32 => (fun(a => exp(exp(exp(exp(fst(pair(x, a)))))) * a))(x * y))",
        gentleBeta,
    ),
    "one of two uses is dropped, below another call": (
        "fun(x: f32, y: f32 => (fun(a => (fun(b => b * b))(exp(exp(exp(fst(pair(a, a))))))))(x * y))",
        gentleBeta,
    ),
    "the argument becomes cheap": (
        "fun(x: f32 => (fun(a => pair(a, a)))(pair(pair(pair(pair(fst(pair(x, exp(x))), x), x), x), x)))",
        gentleBeta,
    ),
    "a whole pair is no longer used": (
        "fun(x: f32, y: f32 => (fun(p => exp(exp(exp(fst(pair(fst(p) * snd(p), p)))))))(pair(x * y, x + y)))",
        betaPair,
    ),
    "the function of a pair becomes a projection": (
        "fun(x: f32, y: f32 => (fun(p => exp(exp(exp((fun(u => fst))(x)(p) * snd(p))))))(pair(x * y, x + y)))",
        betaPair,
    ),
}


@pytest.mark.parametrize("name", FAR_CHANGES)
def test_a_rule_applies_after_a_change_far_below(name: str) -> None:
    text, expected = FAR_CHANGES[name]
    program = rise.parse(text).main
    check_engines_agree(SIMPLIFY, program)
    steps = list(run(SIMPLIFY, program).result.steps)
    assert steps[0].rule is not expected or len(steps) == 1
    assert any(step.rule is expected and len(step.path) < 3 for step in steps[1:])


def test_a_rule_that_reads_beside_a_variable_applies_after_a_change_there() -> None:
    """The changed term does not mention the variable, but the term around it does."""

    def is_added_to_literal(term: Any) -> bool:
        waiting = [term.children[0].children[0]]
        while waiting:
            node = waiting.pop()
            if node.root == ("add", 2) and node.children[0].children[1].root == "Bound":
                return isinstance(node.children[1], Literal)
            waiting += node.children
        return False

    def inline(term: Any) -> Any:
        return betaReduction.apply(term) if is_added_to_literal(term) else None

    reach = Reach(1, whole=(), variables_of=((0,),), fits=isCalledFunction)
    atLiteral = FunctionRule("atLiteral", inline, frozenset(["App"]), reach=reach)
    program = rise.parse("fun(x: f32 => (fun(a => exp(exp(exp(a + fst(pair(1.0, x)))))))(x * x))").main
    check_engines_agree(normalize(fstPair | atLiteral), program)
    assert [str(step.rule) for step in normalize(fstPair | atLiteral)(program).steps] == [
        "fstPair",
        "atLiteral",
    ]


def test_a_use_is_dropped_below_more_functions_than_are_told_apart() -> None:
    body = "fst(pair(1.0, y))"
    for number in range(MAX_MENTIONS + 10):
        body = f"(fun(z{number} => {body} * z{number} * z{number}))(2.0 * 3.0)"
    program = rise.parse(f"fun(x: f32 => (fun(y => {body} * y))(x * x))").main
    steps = list(normalize(gentleBeta | fstPair)(program).steps)
    assert [(str(step.rule), len(step.path) > MAX_MENTIONS) for step in steps] == [
        ("fstPair", True),
        ("gentleBeta", False),
    ]


@settings(max_examples=examples(40), suppress_health_check=list(HealthCheck))
@given(st.sampled_from(NORMAL_FORMS), programs())
def test_normal_forms_agree_with_the_reference_on_random_programs(strategy: Strategy, program: Expr) -> None:
    check_engines_agree(strategy, program)


@settings(max_examples=examples(20), suppress_health_check=list(HealthCheck))
@given(st.sampled_from(NORMAL_FORMS), st.sampled_from(corpus.NAMES))
def test_normal_forms_agree_with_the_reference_on_ordinary_programs(strategy: Strategy, name: str) -> None:
    check_engines_agree(strategy, corpus.program(name))


@pytest.mark.parametrize("strategy", [meet, fuse], ids=str)
def test_the_cost_of_normalising_named_arrays_is_linear_in_the_firings(strategy: Strategy) -> None:
    costs = []
    for length in (20, 40, 80):
        counters = run(strategy, named_arrays(length)).counters
        assert counters.firings >= length
        costs.append((counters.attempts / counters.firings, counters.visits / counters.firings))
    for least, most in zip(costs[0], costs[-1], strict=True):
        assert most <= 1.1 * least, costs
