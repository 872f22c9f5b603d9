"""Scoped bindings in RISE: patterns, names below binders, rules created while a strategy runs."""

import pickle

import numpy as np
import pytest

import rise
from elevate import Engine, Failure, Strategy, StrategyError, Success, id_, normalize, run, topDown
from elevate.queries import collect, contexts, count
from elevate.scopes import isBound, rewriteBound
from strategies import rule
from strategies.equations.bindings import bind, matches, matching
from strategies.rules.fusion import mapFusion
from strategies.vocabulary.traversals import body, inLambda, isAppliedMap, isAppliedZip

ENGINES: tuple[Engine, ...] = ("fast", "reference")


def rewritten(strategy: Strategy, text: str, engine: Engine) -> str:
    result = run(strategy, rise.parse_expr(text), engine=engine).result
    assert isinstance(result, Success)
    return rise.show(result.program)


@pytest.mark.parametrize("engine", ENGINES)
def test_bindings_of_a_pattern_are_known_below_binders(engine: Engine) -> None:
    """Inside the function of the map, the array that is mapped over is referred to across one more binder."""
    program = (
        "fun(a: 4.f32, b: 4.f32 => map(fun(x => reduce(add, x, zip(a, b) |> map(fun(p => fst(p))))), b))"
    )
    swap = inLambda(
        matching("map f xs")(topDown(matching("zip left right")(topDown(rewriteBound("left", "xs")))))
    )
    assert rewritten(swap, program, engine) == rewritten(
        id_, program.replace("zip(a, b)", "zip(b, b)"), engine
    )


@pytest.mark.parametrize("engine", ENGINES)
def test_a_name_is_moved_into_functions(engine: Engine) -> None:
    program = "fun(xs: 4.f32, ys: 4.f32 => pair(xs, map(fun(x => reduce(add, x, xs)), ys)))"
    strategy = inLambda(matching("pair xs rest")(inReduction("xs")))
    result = run(strategy, rise.parse_expr(program), engine=engine).result
    assert (
        isinstance(result, Success) and not result.steps
    )  # it found `xs` below `fun(x => ...)`, and changed nothing
    other = program.replace("add, x, xs", "add, x, ys")
    assert isinstance(run(strategy, rise.parse_expr(other), engine=engine).result, Failure)


def inReduction(name: str) -> Strategy:
    """The name stands in the array of a reduction, below a function."""
    return topDown(matches("reduce f i xs") >> topDown(isBound(name)))


@pytest.mark.parametrize("engine", ENGINES)
def test_terms_that_mention_a_parameter_are_not_found_outside(engine: Engine) -> None:
    program = rise.parse_expr("fun(xs: 4.4.f32 => map(fun(row => map(fun(x => x), row)), xs))")
    inner = bind("m", matches("map (fun(x => x)) ys"))
    assert isinstance(run(body(inner(topDown(isBound("m")))), program, engine=engine).result, Failure)
    outer = bind("m", isAppliedMap)(topDown(isBound("m")))
    assert isinstance(run(body(outer), program, engine=engine).result, Success)


def test_patterns_are_predicates_and_queries_take_them() -> None:
    e = rise.parse_expr("fun(xs: 4.f32 => xs |> map(abs) |> map(neg) |> map(abs))")
    assert count(isAppliedMap)(e) == 3 and count(matches("map f (map g xs)"))(e) == 2
    assert count(isAppliedZip)(e) == 0 and len(collect(mapFusion)(e)) == 2
    _, inner = contexts(mapFusion)(e)
    fused = inner.apply(mapFusion)
    assert isinstance(fused, Success)
    assert [step.path for step in fused.steps] == [inner.path]
    strategy = normalize(matching("map f xs")(isBound("f") >> mapFusion))
    assert pickle.loads(pickle.dumps(strategy)) == strategy
    assert repr(matches("map f xs")) == "matches('map f xs')"
    assert repr(matching("map f xs")(mapFusion)) == "bind('map f xs')(mapFusion)"


@pytest.mark.parametrize("engine", ENGINES)
def test_a_rule_created_by_a_strategy_keeps_the_type(engine: Engine) -> None:
    program = rise.parse_expr("fun(xs: 4.f32, y: f32 => pair(xs, y))")
    strategy = inLambda(matching("pair xs y")(topDown(rewriteBound("xs", "y"))))
    with pytest.raises(StrategyError, match="rewriteBound\\('xs', 'y'\\) changes the type") as caught:
        run(strategy, program, engine=engine)
    assert caught.value.diagnostic.code == "rule-broken"


def test_a_term_mentions_only_variables_with_one_type_on_both_sides() -> None:
    """The variable `x` is a row on the left and a column on the right, so a step that reads it cannot be moved."""
    turned = rule(
        "reduceSeq (fun(acc, x => f)) i xs = reduceSeq (fun(acc, x => f)) i (transpose xs)", why="x."
    )
    reads, ignores = (
        rise.parse_expr(f"fun(xs: 2.3.f32 => xs |> reduceSeq(fun(acc, x => acc + {step}), 0.0))")
        for step in ("reduce(add, 0.0, x)", "1.0")
    )
    assert isinstance(topDown(turned)(reads), Failure)
    found = topDown(turned)(ignores)
    assert isinstance(found, Success)
    assert rise.evaluate(found.program, np.zeros((2, 3), np.float32)) == 3
