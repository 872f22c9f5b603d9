"""Strategies, steps and results as data: they print, compare, hash, pickle and replay."""

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from elevate import (
    FloatClass,
    FunctionRule,
    Named,
    Path,
    Step,
    Steps,
    Strategy,
    StrategyError,
    Success,
    all_,
    child,
    contains,
    downup2,
    fail,
    id_,
    ifThenElse,
    isEqualTo,
    lChoice,
    named,
    normalize,
    not_,
    outermost,
    position,
    repeatNTimes,
    replay,
    rule,
    seq,
    skip,
    topDown,
    try_,
    where,
)
from elevate.testing import strategies_over, toy_trees
from elevate.toy import PREDICATES, RULES, Tree, dropG, fToG, isF, mergeH, sinkH, tree
from tests.examples import deep

fa = tree("f", "a")


@named
def tile(rows: int, cols: int = 32) -> Strategy:
    """A strategy that prints with its parameters."""
    return repeatNTimes(rows)(topDown(fToG)) >> repeatNTimes(cols)(id_)


@named
def everywhere(inner: Strategy) -> Strategy:
    return normalize(inner)


PRINTED = [
    (topDown(fToG) >> dropG, "topDown(fToG) >> dropG"),
    (topDown(fToG | dropG), "topDown(fToG | dropG)"),
    ((fToG | dropG) >> mergeH, "(fToG | dropG) >> mergeH"),
    (fToG >> dropG | mergeH, "fToG >> dropG | mergeH"),
    (fToG @ topDown >> dropG, "topDown(fToG) >> dropG"),
    (try_(not_(isF)), "try_(not_(isF))"),
    (all_(id_) | fail, "all_(id_) | fail"),
    (repeatNTimes(3)(fToG >> dropG), "repeatNTimes(3)(fToG >> dropG)"),
    (child(1)(fToG), "child(1)(fToG)"),
    (position(2)(fToG), "position(2)(fToG)"),
    (skip(0)(fToG), "skip(0)(fToG)"),
    (ifThenElse(isF, fToG, id_), "ifThenElse(isF, fToG, id_)"),
    (downup2(fToG, dropG), "downup2(fToG, dropG)"),
    (tile(2), "tile(2)"),
    (tile(rows=2, cols=4), "tile(2, cols=4)"),
    (fToG @ outermost(isF), "outermost(isF)(fToG)"),
    (contains(fa), "contains(f(a))"),
    (named("cnf", fToG), "cnf"),
    (everywhere(fToG | dropG), "everywhere(fToG | dropG)"),
    (isEqualTo(fa), "isEqualTo(f(a))"),
]


@pytest.mark.parametrize(("strategy", "text"), PRINTED, ids=lambda value: str(value))
def test_print(strategy: Strategy, text: str) -> None:
    assert repr(strategy) == str(strategy) == text


def test_a_lambda_is_printed_as_such() -> None:
    guard = where(lambda term: True)
    assert repr(guard).startswith("where(<lambda at test_data.py:")
    assert guard == guard
    assert guard != where(lambda term: True)


def test_sequence_and_choice_are_monoids_of_data() -> None:
    assert (fToG >> dropG) >> mergeH == fToG >> (dropG >> mergeH) == seq(fToG, dropG, mergeH)
    assert (fToG | dropG) | mergeH == fToG | (dropG | mergeH) == lChoice(fToG, dropG, mergeH)
    assert seq() == id_
    assert lChoice() == fail
    assert seq(fToG) is fToG


def test_equal_strategies_have_equal_hashes() -> None:
    assert tile(2) == tile(2, 32)
    assert hash(tile(2)) == hash(tile(2, 32))
    assert tile(2) != tile(3)
    assert topDown(fToG) != topDown(dropG)
    assert isinstance(tile(2), Named)


@given(strategies_over([*RULES, *PREDICATES]))
def test_strategies_pickle(strategy: Strategy) -> None:
    assert pickle.loads(pickle.dumps(strategy)) == strategy


renamed = rule(name="renamed", roots=[("g", 1)])(lambda term: term.children[0])


def test_rules_pickle_by_the_name_that_holds_them() -> None:
    assert pickle.loads(pickle.dumps(fToG)) is fToG
    assert pickle.loads(pickle.dumps(isF)) is isF
    assert pickle.loads(pickle.dumps(renamed)) is renamed
    assert isinstance(renamed, FunctionRule)


def test_a_rule_that_no_variable_holds_does_not_pickle() -> None:
    @rule
    def local(term: Tree) -> Tree | None:
        return None

    with pytest.raises(pickle.PicklingError, match="no variable of its module holds it"):
        pickle.dumps(local)


def test_a_success_pickles_with_its_steps() -> None:
    result = normalize(fToG)(tree("p", fa, fa))
    again = pickle.loads(pickle.dumps(result))
    assert again == result
    assert isinstance(again, Success)
    assert again.program is tree("p", tree("g", "a"), tree("g", "a"))


def test_a_derivation_knows_its_float_class() -> None:
    result = normalize(fToG | mergeH)(tree("f", tree("h", tree("h", "a"))))
    assert isinstance(result, Success)
    assert result.float_class == FloatClass.REASSOCIATING
    assert [step.rule.float_class for step in result.steps] == [FloatClass.EXACT, FloatClass.REASSOCIATING]
    nothing = id_(fa)
    assert isinstance(nothing, Success)
    assert nothing.float_class == FloatClass.EXACT
    assert str(FloatClass.CONTRACTING) == "contracting"
    assert sinkH.float_class < mergeH.float_class


paths = st.lists(st.integers(0, 2), max_size=3).map(tuple)
some_steps = st.lists(st.builds(Step, st.sampled_from(RULES), paths, toy_trees(1), toy_trees(1)), max_size=4)


@given(some_steps, some_steps, paths, paths)
def test_the_rope_is_a_list_of_steps(first: list[Step], second: list[Step], outer: Path, inner: Path) -> None:
    rope = (Steps(first).under(inner) + Steps(second)).under(outer)
    plain = [Step(s.rule, (*outer, *inner, *s.path), s.redex, s.contractum) for s in first]
    plain += [Step(s.rule, (*outer, *s.path), s.redex, s.contractum) for s in second]
    assert list(rope) == plain
    assert len(rope) == len(plain)
    assert rope == Steps(plain)
    assert hash(rope) == hash(Steps(plain))
    assert pickle.loads(pickle.dumps(rope)) == rope


def test_a_long_rope_does_not_recurse() -> None:
    step = Step(fToG, (), fa, tree("g", "a"))
    rope = Steps()
    count = deep(50_000)
    for _ in range(count):
        rope = (rope + Steps([step])).under(()) + Steps()
    for _ in range(count):
        rope = Steps([step]).under((0,)) + rope
    assert len(list(rope)) == len(rope) == 2 * count
    below = Steps([step])
    for _ in range(count):
        below = below.under((1,))
    assert len(next(iter(below)).path) == count


def test_replay_shows_the_programs_between() -> None:
    program = tree("f", fa)
    result = (topDown(fToG) >> topDown(dropG) >> fToG >> dropG)(program)
    assert isinstance(result, Success)
    programs = [str(current) for current in replay(program, result.steps)]
    assert programs == ["f(f(a))", "g(f(a))", "f(a)", "g(a)", "a"]


def test_replay_checks_the_places_of_redexes() -> None:
    result = topDown(fToG)(tree("p", "b", fa))
    assert isinstance(result, Success)
    with pytest.raises(StrategyError) as caught:
        list(replay(tree("p", fa, "b"), result.steps))
    assert str(caught.value) == (
        "error[replay-differs]: step 1 (fToG) expects f(a), found b\n"
        "note: the position is 1\n"
        "hint: replay the steps on the program they were derived from, or derive them again"
    )
    with pytest.raises(StrategyError, match="the program has no such position"):
        list(replay(tree("b"), result.steps))


def test_the_text_of_steps() -> None:
    result = topDown(fToG)(tree("p", "b", fa))
    assert isinstance(result, Success)
    assert [str(step) for step in result.steps] == ["fToG at 1: f(a) = g(a)"]
    assert repr(result.steps) == "<1 steps: fToG>"


def test_equality_of_terms_ignores_remarks() -> None:
    seen = tree("f", tree("a", remark="seen"))
    assert seen == fa
    assert seen is not fa
    assert hash(seen) == hash(fa)
    assert topDown(isEqualTo(tree("a")))(seen).program is seen
    assert pickle.loads(pickle.dumps(seen)) is seen
