"""The fast engine on typed programs: it agrees with the reference, at a cost linear in the firings; and contracts."""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import rise
from elevate import (
    FunctionRule,
    Rule,
    Strategy,
    StrategyError,
    Success,
    lChoice,
    normalize,
    repeat,
    run,
    topDown,
    where,
)
from elevate.testing import check_engines_agree, strategies_over
from rise.terms import App, Bound, Expr, Lam, Var
from rise.types import F32
from strategies import rule
from strategies.equations.rule import EquationRule, RuleFamily
from strategies.registry import RULE_MODULES
from strategies.rules.functions import betaReduction, etaReduction, gentleBeta
from strategies.rules.fusion import mapFusion
from strategies.rules.let_floating import betaPair, narrowZip
from strategies.rules.movement import splitJoinRest
from strategies.testing.terms import programs
from tests.examples import examples, in_whole
from tests.strategies import corpus

RULES: list[Rule] = [
    found(*[2] * len(found.parameters)) if isinstance(found, RuleFamily) else found
    for module in RULE_MODULES
    for found in vars(module).values()
    if isinstance(found, RuleFamily | EquationRule) and found is not splitJoinRest
]
"""Not `splitJoinRest`: each firing deepens the types, so that the reference takes minutes for repeated firings."""
COMMON = [betaReduction, gentleBeta, etaReduction, mapFusion, betaPair, narrowZip]
PREDICATES = [
    where(lambda e: isinstance(e, Lam)),
    where(lambda e: isinstance(e, App) and e.root == ("map", 2)),
]
ANY = strategies_over([*RULES, *COMMON * 4, *PREDICATES])


@settings(max_examples=examples(120), suppress_health_check=list(HealthCheck))
@given(ANY, programs())
def test_the_engines_agree_on_random_programs(strategy: Strategy, program: Expr) -> None:
    check_engines_agree(strategy, program)


@settings(max_examples=examples(60), suppress_health_check=list(HealthCheck))
@given(ANY, st.sampled_from(corpus.NAMES))
def test_the_engines_agree_on_ordinary_programs(strategy: Strategy, name: str) -> None:
    check_engines_agree(strategy, corpus.program(name))


@settings(max_examples=examples(16), suppress_health_check=list(HealthCheck))
@given(st.lists(st.sampled_from(RULES), min_size=1, max_size=12), programs())
def test_the_engines_agree_on_normal_forms_of_many_rules(chosen: list[Rule], program: Expr) -> None:
    """Rules with large and with small patterns, together."""
    check_engines_agree(normalize(lChoice(*COMMON, *chosen)), program)


def chain(length: int) -> Expr:
    """A program with this number of consecutive maps."""
    maps = "".join(f" |> map(fun(x => x + {number}.0))" for number in range(length))
    return rise.parse(f"val main = fun(xs: N.f32 => xs{maps})").main


@pytest.mark.parametrize(
    "strategy",
    [
        normalize(mapFusion),
        normalize(mapFusion | gentleBeta),
        normalize(gentleBeta | mapFusion | etaReduction),
    ],
    ids=str,
)
def test_the_cost_of_normalising_is_linear_in_the_firings(strategy: Strategy) -> None:
    costs = []
    for length in (40, 80, 160):
        counters = run(strategy, chain(length)).counters
        assert counters.firings >= length - 1
        costs.append((counters.attempts / counters.firings, counters.visits / counters.firings))
    for least, most in zip(costs[0], costs[-1], strict=True):
        assert most <= 1.1 * least, costs


PROGRAM = rise.parse("fun(xs: 8.f32, y: f32 => xs |> map(fun(x => x + y)))").main


def another_type(term: Any) -> Any:
    return Var("z", F32)


def no_term(term: Any) -> Any:
    return "map"


def captures(term: Any) -> Any:
    return App(term.fun, Bound(3, term.arg.type))


def makes_up(term: Any) -> Any:
    return App(term.fun, Var("zs", term.arg.type))


def raises(term: Any) -> Any:
    return term.nothing


@pytest.mark.parametrize("engine", ["fast", "reference"])
@pytest.mark.parametrize(
    ("function", "title"),
    [
        (another_type, "changes the type at 0.0: expected 8.f32, found f32"),
        (no_term, "does not return a term at 0.0: expected a term of type 8.f32, found 'map'"),
        (captures, "captures a variable at 0.0: expected only variables of functions that occur in"),
        (
            makes_up,
            "introduces a variable at 0.0: expected only variables that occur in the term it rewrites, found zs",
        ),
    ],
)
@pytest.mark.parametrize("traversal", [topDown, normalize, lambda s: repeat(topDown(s))])
def test_a_rule_with_an_invalid_result_is_reported(
    traversal: Callable[[Strategy], Strategy], function: Callable[[Any], Any], title: str, engine: Any
) -> None:
    def only_maps(term: Any) -> Any:
        return function(term) if term.root == ("map", 2) else None

    wrong = FunctionRule("wrong", only_maps, frozenset([("map", 2)]), None)
    with pytest.raises(StrategyError) as caught:
        run(traversal(wrong), PROGRAM, engine=engine)
    diagnostic = caught.value.diagnostic
    assert diagnostic.code == "rule-broken"
    assert diagnostic.title.startswith(f"wrong {title}"), diagnostic.title
    assert diagnostic.notes and diagnostic.hint


def test_growth_of_a_typed_program_is_reported() -> None:
    grow = rule("map f xs = map f (map id xs)", why="There is always one more.")
    with pytest.raises(StrategyError) as caught:
        normalize(grow)(PROGRAM)
    diagnostic = caught.value.diagnostic
    assert diagnostic.code == "endless-growth"
    assert "firings of the rules rule('map f xs = map f (map id xs)')" in diagnostic.title


def test_no_derivation_of_the_corpus_breaks_a_contract_or_grows_too_much() -> None:
    for name in corpus.NAMES:
        assert isinstance(corpus.derived(name, 0), Success)


@in_whole("tests/elevate/engine/test_nontermination.py::test_growth_without_end_is_reported_early")
def test_a_rule_that_splits_blocks_endlessly_is_reported_as_growth() -> None:
    with pytest.raises(
        StrategyError, match=r"splitJoinRest\(2\) makes the program grow without bound"
    ) as told:
        run(normalize(splitJoinRest(2)), chain(1))
    assert told.value.diagnostic.code == "endless-growth"
    assert "\n" not in told.value.diagnostic.title
