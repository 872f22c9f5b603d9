"""Static analyses of rules and strategies of RISE hold for every run. Depends on the registry."""

from functools import cache
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings

import rise
from elevate import Answer, Failure, Strategy, StrategyError, Success, info, topDown, try_, warnings_of
from elevate.analysis.shapes import fits
from elevate.analysis.termination import rewrites_of
from elevate.engine.run import run
from elevate.testing import strategies_over
from strategies import load, registry, rule
from strategies.equations.rule import EquationRule, RuleFamily
from strategies.parts.memory import NameSubterm
from strategies.rules.functions import fstPair
from strategies.rules.fusion import mapFusion, mapIdentity, reduceMapFusion
from strategies.rules.lowering import mapToMapSeq, reduceToReduceSeq
from strategies.rules.movement import joinSplit, mapJoin, splitJoin, splitMap, transposeTranspose
from strategies.testing import instances, programs
from strategies.vocabulary.traversals import isAppliedMap, isAppliedReduce
from tests.examples import examples, some
from tests.strategies import corpus

SIZE = 4


def at_sizes(entry: registry.RuleEntry) -> EquationRule:
    """The rule, or the rule of a family."""
    return entry.rule(*[SIZE] * len(entry.parameters)) if isinstance(entry.rule, RuleFamily) else entry.rule


RULES = [at_sizes(entry) for entry in registry.rules().values()]
BY_EQUATION = [one for one in RULES if one.by is None]


def check_firing(one: EquationRule, term: Any) -> None:
    """Check that a term on which a rule fires, and its result, have the shapes that the rule declares, in both
    directions.
    """
    result = one.apply(term)
    rewrites = rewrites_of(one)
    if rewrites is None:
        return
    if result is None:
        assert not any(each.exact and fits(each.left, term) for each in rewrites), f"{one} is not sure"
        return
    assert any(fits(each.left, term) and fits(each.right, result) for each in rewrites), one
    if info(one).unchanged is Answer.NEVER:
        assert result != term


@pytest.mark.parametrize("one", some(BY_EQUATION, 5), ids=str)
def test_a_rule_has_the_shapes_of_its_sides(one: EquationRule) -> None:
    @settings(max_examples=examples(4), suppress_health_check=list(HealthCheck), deadline=None)
    @given(instances(one))
    def check(instance: Any) -> None:
        check_firing(one, instance.left)

    check()


@pytest.mark.parametrize("name", some(corpus.NAMES[::5], 3))
def test_the_steps_of_derivations_have_the_shapes_of_their_rules(name: str) -> None:
    for step in list(corpus.derived(name, 1).steps)[:150]:
        assert isinstance(step.rule, EquationRule | NameSubterm)
        if isinstance(step.rule, EquationRule):
            check_firing(step.rule, step.redex)


@settings(max_examples=examples(20), deadline=None)
@given(programs())
def test_shapes_hold_anywhere_in_programs(program: rise.Expr) -> None:
    waiting = [program]
    seen: set[rise.Expr] = set()
    while waiting and len(seen) < 60:
        term = waiting.pop()
        if term not in seen:
            seen.add(term)
            waiting += term.children
            for one in sure():
                check_firing(one, term)


@cache
def sure() -> list[EquationRule]:
    """The rules whose shapes decide whether they match; found when a test needs them, since this compiles all rules."""
    return [one for one in BY_EQUATION if any(each.exact for each in rewrites_of(one) or ())]


LEAVES = [mapFusion, mapIdentity, splitJoin(2), joinSplit, mapToMapSeq, reduceToReduceSeq, fstPair, mapJoin]
SOME = strategies_over(
    [*LEAVES, reduceMapFusion, splitMap, transposeTranspose, isAppliedMap, isAppliedReduce], max_leaves=4
)


@settings(max_examples=examples(80), deadline=None, suppress_health_check=list(HealthCheck))
@given(SOME, programs())
def test_claims_about_strategies_are_true(strategy: Strategy, program: rise.Expr) -> None:
    it, verdict = info(strategy), strategy.check(program)
    try:
        result = run(strategy, program, fuel=200).result
    except StrategyError:
        assume(False)
        raise
    assert it.diverges is not Answer.ALWAYS
    if isinstance(result, Failure):
        assert it.fails is not Answer.NEVER and verdict.answer != "yes", verdict
    else:
        assert it.fails is not Answer.ALWAYS and verdict.answer != "no", verdict
        assert it.unchanged is Answer.MAY or (it.unchanged is Answer.ALWAYS) == (result.program == program)


def test_the_shape_of_map_fusion() -> None:
    assert str(mapFusion.requires()) == "map _ (map _ _)"
    assert str(topDown(mapFusion).requires()) == "somewhere map _ (map _ _)"
    assert str((mapFusion >> mapFusion).requires()) == "map _ (map _ (map _ _))"
    e = rise.parse("fun(xs: N.f32 => xs |> map(fun(x => x + 1.0)) |> map(fun(y => y * y)))").main
    assert topDown(mapFusion).check(e).answer == "yes"
    assert topDown(mapFusion >> mapFusion).check(e).answer == "no"
    assert mapFusion.check(e).answer == "no"
    assert isinstance(topDown(mapFusion)(e), Success)


def test_a_composition_that_never_matches_is_reported_with_both_shapes() -> None:
    (warning,) = warnings_of(mapFusion >> joinSplit)
    assert warning.code == "never-fits"
    assert warning.notes == ("`mapFusion` gives `map Lam(_) _`", "`joinSplit` needs `join (split _)`")


def test_an_explicit_type_is_a_condition() -> None:
    """A type annotation is not part of a shape, so it is not certain that the rule matches."""
    square = rule("transpose (xs : n.n.t) = xs", why="A test.")
    plain = rule("transpose (transpose xs) = xs", why="A test.")
    assert not square.shapes()[0].exact  # type: ignore[index]  # it has an equation
    assert plain.shapes()[0].exact  # type: ignore[index]  # it has an equation


def test_a_rule_that_decreases_the_size_terminates() -> None:
    assert info(try_(transposeTranspose)).fails is Answer.NEVER
    assert info(transposeTranspose).unchanged is Answer.NEVER


@pytest.mark.parametrize("address", some(registry.strategies(), 101))
def test_built_in_strategies_have_no_serious_warnings(address: str) -> None:
    """Every warning is about something that the strategy does; a `try` of what never fails does no harm."""
    found = built(address)
    for warning in warnings_of(found):
        assert warning.code == "useless-try", warning
    assert info(found).fails is not Answer.ALWAYS
    assert str(found.requires())


def built(address: str) -> Strategy:
    """A strategy, with sizes or a name for parameters without a default."""
    entry = registry.strategies()[address]
    needed = [name for name in entry.parameters if "=" not in name]
    for value in (4, 32, 256, 1, "e"):
        try:
            return load(address, **dict.fromkeys(needed, value))
        except StrategyError as error:
            if error.diagnostic.code != "tiles" or value == "e":
                raise
    raise AssertionError(address)
