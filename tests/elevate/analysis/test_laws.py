"""The claims of analyses hold for every run: laws for random strategies and programs."""

from hypothesis import assume, event, given, settings
from hypothesis import strategies as st

from elevate import Failure, LChoice, Strategy, StrategyError, Success, info, warnings_of
from elevate.analysis.conditions import holds
from elevate.analysis.info import Answer
from elevate.analysis.shapes import fits
from elevate.analysis.warnings import Checker
from elevate.engine.run import run
from elevate.result import Success as Done
from elevate.testing import FUEL, strategies_over, toy_trees
from elevate.toy import PREDICATES, RULES, Tree
from tests.elevate.analysis.toy_rules import SHAPED
from tests.examples import examples

LEAVES = [*SHAPED, *RULES, *PREDICATES]
ANY = strategies_over(LEAVES)
SIMPLE = strategies_over([*SHAPED, *PREDICATES[:1]], max_leaves=4)


def outcome(strategy: Strategy, program: Tree) -> Done[Tree] | Failure | None:
    """The result; None if the run does not end."""
    try:
        return run(strategy, program, fuel=FUEL).result
    except StrategyError:
        return None


def check_info(strategy: Strategy, program: Tree) -> None:
    known = info(strategy)
    result = outcome(strategy, program)
    match result:
        case None:
            return
        case Success():
            assert known.fails is not Answer.ALWAYS, f"{strategy} never succeeds, says info"
            if known.unchanged is Answer.ALWAYS:
                assert result.program == program, f"{strategy} changes nothing, says info"
            if known.unchanged is Answer.NEVER:
                assert result.program != program, f"{strategy} changes the term, says info"
        case Failure():
            assert known.fails is not Answer.NEVER, f"{strategy} never fails, says info"
    assert known.diverges is not Answer.ALWAYS, f"{strategy} never ends, says info"
    event(f"fails {known.fails}, unchanged {known.unchanged}")


@settings(max_examples=examples(300))
@given(ANY, toy_trees())
def test_claims_are_true(strategy: Strategy, program: Tree) -> None:
    check_info(strategy, program)


@settings(max_examples=examples(300))
@given(SIMPLE, toy_trees())
def test_claims_about_rules_with_shapes_are_true(strategy: Strategy, program: Tree) -> None:
    check_info(strategy, program)


@settings(max_examples=examples(300))
@given(SIMPLE, toy_trees())
def test_a_strategy_that_cannot_diverge_terminates(strategy: Strategy, program: Tree) -> None:
    assume(info(strategy).diverges is Answer.NEVER)
    run(strategy, program, fuel=20 * FUEL)


@settings(max_examples=examples(400))
@given(st.one_of(SIMPLE, ANY), toy_trees())
def test_strategies_that_never_or_always_succeed_do_so(strategy: Strategy, program: Tree) -> None:
    verdict = strategy.check(program)
    event(verdict.answer)
    result = outcome(strategy, program)
    if verdict.answer == "no":
        assert not isinstance(result, Success), f"{verdict} of {strategy}"
    elif verdict.answer == "yes":
        assert isinstance(result, Success), f"{verdict} of {strategy}"


@settings(max_examples=examples(300))
@given(SIMPLE, SIMPLE, toy_trees())
def test_results_have_the_predicted_shapes(first: Strategy, second: Strategy, program: Tree) -> None:
    """Forward: the shapes of results; backward: the condition on the argument."""
    checker = Checker()
    result = outcome(first, program)
    if isinstance(result, Success):
        assert any(fits(shape, result.program) for shape in checker.outcomes.of(first))
        after = checker.needs.needed(second)
        if holds(after, result.program):
            assert holds(checker.needs.needed(first, after), program)
        enough = checker.needs.enough(second)
        assert holds(enough, result.program) or not holds(checker.needs.enough(first, enough), program)


@settings(max_examples=examples(400))
@given(st.lists(SIMPLE, min_size=2, max_size=4), toy_trees())
def test_dead_branches_never_fire(alternatives: list[Strategy], program: Tree) -> None:
    """Removing a branch that never succeeds does not change the choice."""
    choice = LChoice(tuple(alternatives))
    for warning in warnings_of(choice):
        if warning.code == "dead-branch" and warning.strategy == choice:
            event("dead")
            dead = warning.culprit
            last = len(alternatives) - 1 - alternatives[::-1].index(dead)
            before = outcome(LChoice(tuple(alternatives[:last])), program)
            if isinstance(before, Failure):
                assert not isinstance(outcome(dead, program), Success)


@settings(max_examples=examples(300))
@given(ANY, toy_trees())
def test_what_a_warning_excludes_never_happens(strategy: Strategy, program: Tree) -> None:
    for warning in warnings_of(strategy):
        event(warning.code)
        result = outcome(warning.strategy, program)
        if warning.code == "always-fails" or (
            warning.code == "never-fits" and "always fails" in warning.title
        ):
            assert not isinstance(result, Success), warning
        if warning.code == "never-ends" and "never fails" in warning.title:
            assert result is None, warning
        if warning.code == "useless-try":
            assert not isinstance(outcome(warning.culprit, program), Failure), warning
