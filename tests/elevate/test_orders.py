"""Orders of children: one strategy in three orders, both engines, composite strategies, errors."""

import pickle
from collections.abc import Callable, Sequence
from itertools import islice

import pytest
from hypothesis import given, settings

from elevate import (
    Engine,
    Failure,
    Strategy,
    StrategyError,
    Success,
    Traversal,
    all_,
    bottomUp,
    id_,
    named,
    normalize,
    one,
    position,
    run,
    seq,
    skip,
    some,
    topDown,
    try_,
)
from elevate.directed_strategies import at
from elevate.orders import InOrder, Order, firstToLast, inOrder, lastToFirst
from elevate.testing import BY_LABEL, check_engines_agree, check_replay, result_of, strategies_over, toy_trees
from elevate.toy import PREDICATES, RULES, Tree, dropG, fToG, isF, tree
from tests.examples import SAMPLED, deep, examples

fa, fb, ga, gb = tree("f", "a"), tree("f", "b"), tree("g", "a"), tree("g", "b")
pair = tree("p", fa, fb)
MOSTLY_TERMINATING = strategies_over([*RULES[:5], *PREDICATES])
SMALL = strategies_over([*RULES[:5], *PREDICATES], max_leaves=4)

REWRITES = [
    (topDown(fToG), pair, tree("p", fa, gb)),
    (bottomUp(fToG), tree("p", fa, tree("f", fb)), tree("p", fa, tree("f", gb))),
    (one(fToG), pair, tree("p", fa, gb)),
    (position(1)(fToG), pair, tree("p", fa, gb)),
    (position(3)(fToG), pair, tree("p", ga, fb)),
    (skip(1)(fToG), pair, tree("p", ga, fb)),
    (skip(1)(isF >> fToG), pair, tree("p", ga, fb)),
    (named("there", topDown(fToG)) >> id_, pair, tree("p", fa, gb)),
    (try_(topDown(fToG)) | id_, pair, tree("p", fa, gb)),
    (at("0")(topDown(fToG)), tree("h", pair), tree("h", tree("p", fa, gb))),
    (inOrder(firstToLast)(topDown(fToG)), pair, tree("p", ga, fb)),
]


@pytest.mark.parametrize("engine", ["fast", "reference"])
@pytest.mark.parametrize(("strategy", "program", "expected"), REWRITES, ids=str)
def test_the_last_child_first(strategy: Strategy, program: Tree, expected: Tree, engine: Engine) -> None:
    result = run(inOrder(lastToFirst)(strategy), program, engine=engine).result
    assert isinstance(result, Success)
    assert result.program is expected


@pytest.mark.parametrize("engine", ["fast", "reference"])
@pytest.mark.parametrize("traversal", [all_, some, normalize], ids=["all_", "some", "normalize"])
def test_steps_follow_the_order(traversal: Callable[[Strategy], Strategy], engine: Engine) -> None:
    result = run(inOrder(lastToFirst)(traversal(fToG)), pair, engine=engine).result
    assert isinstance(result, Success)
    assert [step.path for step in result.steps] == [(1,), (0,)]


@settings(max_examples=examples(200))
@given(strategies_over([*RULES, *PREDICATES]), toy_trees(max_leaves=6))
def test_engines_agree_in_any_order(strategy: Strategy, program: Tree) -> None:
    check_engines_agree(inOrder(lastToFirst)(strategy), program)
    check_engines_agree(inOrder(BY_LABEL)(strategy), program)


@settings(max_examples=examples(80))
@given(MOSTLY_TERMINATING, toy_trees(max_leaves=6))
def test_the_usual_order_is_first_to_last(strategy: Strategy, program: Tree) -> None:
    default, explicit = result_of(strategy, program), result_of(inOrder(firstToLast)(strategy), program)
    assert default == explicit if isinstance(default, Success) else isinstance(explicit, Failure)


def mirrored(program: Tree) -> Tree:
    """A tree with the children of every node reversed."""
    return tree(program.label, *map(mirrored, reversed(program.children)), remark=program.remark)


def is_symmetric(strategy: Strategy) -> bool:
    """Whether a strategy does not refer to positions of children, as `child(0)` and rules about pairs do."""
    return "child" not in repr(strategy) and "emptyPair" not in repr(strategy)


@settings(max_examples=examples(80))
@given(strategies_over([*RULES[:4], *PREDICATES]).filter(is_symmetric), toy_trees(max_leaves=6))
def test_the_reverse_order_is_the_usual_order_on_mirrored_trees(strategy: Strategy, program: Tree) -> None:
    if "byLabel" in repr(strategy) or "lastToFirst" in repr(strategy):
        return
    in_mirror = result_of(strategy, mirrored(program))
    result = result_of(inOrder(lastToFirst)(strategy), program)
    assert type(in_mirror) is type(result)
    if isinstance(in_mirror, Success) and isinstance(result, Success):
        assert isinstance(result.program, Tree)
        assert mirrored(result.program) == in_mirror.program
        assert len(result.steps) == len(in_mirror.steps)


@given(MOSTLY_TERMINATING, toy_trees())
def test_steps_in_another_order_replay(strategy: Strategy, program: Tree) -> None:
    check_replay(inOrder(BY_LABEL)(strategy), program)


COMPOSITE: list[Callable[[Strategy, Strategy], Strategy]] = [
    lambda a, b: a >> b,
    lambda a, b: a | b,
    lambda a, b: named("both", a >> b),
    lambda a, b: seq(a, try_(b), b | id_),
]


@pytest.mark.parametrize("whole", [lambda s: s, inOrder(lastToFirst)], ids=["usual", "lastToFirst"])
@pytest.mark.parametrize("compose", COMPOSITE, ids=["seq", "choice", "named", "nested"])
@pytest.mark.parametrize("n", [1] if SAMPLED else [0, 1, 2])
def test_position_and_skip_take_composite_strategies_as_one(
    n: int, compose: Callable[[Strategy, Strategy], Strategy], whole: Traversal
) -> None:
    @settings(max_examples=examples(20))
    @given(SMALL, SMALL, toy_trees(max_leaves=4))
    def check(a: Strategy, b: Strategy, program: Tree) -> None:
        inner = compose(a, b)
        results = (result_of(whole(position(place)(inner)), program) for place in range(40))
        successes = (result for result in results if isinstance(result, Success))
        skipped = result_of(whole(skip(n)(inner)), program)
        expected = next(islice(successes, n, None), None)
        if expected is None:
            assert isinstance(skipped, Failure)
        else:
            assert skipped == expected

    check()


@pytest.mark.parametrize("engine", ["fast", "reference"])
def test_the_defect_of_the_original_is_fixed(engine: Engine) -> None:
    """In the original, skip(0) of `isF ; toG` looked for the part that had failed, and succeeded without rewriting."""
    program = tree("h", tree("p", ga, fb))
    for strategy in (skip(0)(isF >> fToG), skip(0)(named("there", isF >> fToG))):
        result = run(strategy, program, engine=engine).result
        assert isinstance(result, Success)
        assert result.program is tree("h", tree("p", ga, gb))
    assert isinstance(run(skip(0)(isF >> dropG), program, engine=engine).result, Failure)


def _too_few(term: Tree) -> Sequence[int]:
    return [0] * len(term.children)


@pytest.mark.parametrize("engine", ["fast", "reference"])
def test_an_order_names_every_child_once(engine: Engine) -> None:
    with pytest.raises(StrategyError) as caught:
        run(inOrder(Order("tooFew", _too_few))(topDown(fToG)), tree("p", "a", "b"), engine=engine)
    assert caught.value.diagnostic.code == "no-order"
    assert "expected the order tooFew to list each of 2 children once, found [0, 0]" in str(caught.value)


def test_strategies_in_order_are_data() -> None:
    strategy = inOrder(lastToFirst)(topDown(fToG))
    assert repr(strategy) == "inOrder(lastToFirst)(topDown(fToG))"
    assert strategy == inOrder(lastToFirst)(topDown(fToG)) != inOrder(firstToLast)(topDown(fToG))
    assert pickle.loads(pickle.dumps(strategy)) == strategy
    assert inOrder(lastToFirst)(fToG) == fToG
    failure = strategy(ga)
    assert isinstance(failure, Failure) and failure.strategy == strategy
    assert "fToG" in str(failure.explain())


def test_deep_terms_do_not_recurse() -> None:
    program = fa
    for _ in range(deep(20_000)):
        program = tree("h", program)
    for traversal in (topDown, bottomUp, normalize):
        assert isinstance(InOrder(lastToFirst, traversal(fToG))(program), Success)
