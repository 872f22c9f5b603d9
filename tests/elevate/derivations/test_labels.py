"""Labels: the term at a label is the one that was labelled, up to the steps that fired inside it."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

import elevate
from elevate import (
    StrategyError,
    Success,
    at,
    atLabel,
    fail,
    follow,
    id_,
    labelled,
    normalize,
    repeat,
    repeatNTimes,
    topDown,
    try_,
)
from elevate.derivations.records import step_at
from elevate.normal_forms import thenKeeping
from elevate.term import path_of, preorder, replaced, subterm
from elevate.testing import strategies_over, toy_trees
from elevate.toy import PREDICATES, RULES, Tree, dropG, fToG, isF, mergeH, sinkH, swap, tree
from tests.examples import examples

FUEL = 40


@settings(max_examples=examples(60))
@given(toy_trees(), strategies_over([*RULES, *PREDICATES]), some.data())
def test_a_label_stays_with_its_subterm(
    program: Tree, strategy: elevate.Strategy, data: some.DataObject
) -> None:
    """The steps inside it, applied to the labelled subterm, result in the term at the label."""
    try:
        result = elevate.run(try_(strategy), program, fuel=FUEL).result
    except StrategyError:
        return
    assert isinstance(result, Success)
    path = path_of(data.draw(some.sampled_from([place for _, place in preorder(program)])))
    followed = follow(path, result.steps)
    for place in followed.places:
        current = subterm(program, path)
        assert current is not None
        for step in place.inside:
            repeated = step_at(step.rule, step.path, current)  # type: ignore[arg-type]  # a rule
            assert repeated is not None
            current = replaced(current, step.path, repeated.contractum)
        assert subterm(result.program, place.path) == current
    assert followed.places or followed.gone


def test_a_dropped_place_names_the_rule() -> None:
    steps = [elevate.Step(dropG, (0,), tree("g", "a"), tree("a"))]
    assert follow("0.0", steps).paths == ((0,),)
    result = (topDown(mergeH) >> topDown(dropG))(tree("h", tree("h", tree("g", "a"))))
    assert isinstance(result, Success)
    assert follow("0.0.0", result.steps).paths == ((0,),)
    assert follow("0", result.steps).paths == ((),) or follow("0", result.steps).gone


PROGRAM = tree("h", tree("h", tree("p", tree("f", "a"), tree("f", "b"))))


@pytest.mark.parametrize("engine", ["fast", "reference"])
def test_a_strategy_at_a_label(engine: elevate.Engine) -> None:
    strategy = labelled(inner="0.0.1")(mergeH >> topDown(swap) >> atLabel("inner")(fToG))
    result = elevate.run(strategy, PROGRAM, engine=engine).result
    assert isinstance(result, Success)
    assert result.program == tree("h", tree("p", tree("g", "b"), tree("f", "a")))
    by_predicate = labelled(first=isF)(topDown(swap) >> try_(mergeH >> atLabel("first")(fToG)))
    result = elevate.run(by_predicate, PROGRAM, engine=engine).result
    assert isinstance(result, Success)
    assert result.program == tree("h", tree("p", tree("f", "b"), tree("g", "a")))


@given(toy_trees(), strategies_over([*RULES, *PREDICATES]), some.sampled_from(("0", "", "0.0", "1")))
@settings(max_examples=examples(20))
def test_both_engines_follow_labels_in_the_same_way(
    program: Tree, strategy: elevate.Strategy, path: str
) -> None:
    whole = labelled(x=path)(try_(strategy) >> atLabel("x")(topDown(fToG | dropG | sinkH)))
    try:
        expected = elevate.run(whole, program, engine="reference", fuel=FUEL).result
    except StrategyError:
        return
    assert elevate.run(whole, program, fuel=20 * FUEL).result == expected


@pytest.mark.parametrize("engine", ["fast", "reference"])
def test_a_label_moves_while_a_strategy_is_repeated(engine: elevate.Engine) -> None:
    """Each round starts with the label where the previous one left it: first the `h` above it is dropped, then the `f`
    at it.
    """
    program = tree("h", tree("h", tree("h", tree("p", tree("f", tree("f", "a")), "b"))))
    step = mergeH | atLabel("x")(topDown(fToG))
    for repetition in (
        repeat(step),
        repeatNTimes(4)(step),
        try_(repeat(step)),
        thenKeeping(id_)(step, repeat(step)),
    ):
        result = elevate.run(
            labelled(x="0.0.0.0")(repetition >> atLabel("x")(id_)), program, engine=engine
        ).result
        assert isinstance(result, Success), repetition
        assert result.program == tree("h", tree("p", tree("g", tree("g", "a")), "b"))


@pytest.mark.parametrize("engine", ["fast", "reference"])
def test_a_repetition_at_a_label_that_never_ends_is_reported(engine: elevate.Engine) -> None:
    program = tree("h", tree("p", "a", "b"))
    with pytest.raises(StrategyError, match="reaches the same program again by firing swap"):
        elevate.run(labelled(x="0")(repeat(atLabel("x")(swap))), program, engine=engine)
    with pytest.raises(StrategyError, match="succeeds without changing the program"):
        elevate.run(labelled(x="0")(repeat(atLabel("x")(id_))), program, engine=engine)


@given(toy_trees(), some.sampled_from(("0", "", "0.0", "1")))
@settings(max_examples=examples(60))
def test_at_a_label_and_repetition_commute(program: Tree, path: str) -> None:
    """The label does not move unless something else fires, so the repetition may be inside or outside of it."""
    inside = topDown(fToG | dropG)
    outside = labelled(x=path)(repeat(atLabel("x")(inside)) >> try_(atLabel("x")(id_)))
    assert outside(program) == try_(at(path)(repeat(inside)))(program)


def test_removed_and_unknown_labels_are_reported() -> None:
    program = tree("p", tree("f", "a"), "b")
    gone = labelled(x="0")(elevate.toy.fToG | topDown(fToG) >> atLabel("x")(dropG) >> atLabel("x")(fToG))
    assert isinstance(gone(program), elevate.Failure)
    unknown = atLabel("x")(id_)(program)
    assert isinstance(unknown, elevate.Failure)
    assert "no label x is defined here" in str(unknown.explain())
    nowhere = labelled(x=fail)(id_)(program)
    assert isinstance(nowhere, elevate.Failure)


def test_labels_print_as_they_are_written() -> None:
    strategy = labelled(x="0.1", y=isF)(atLabel("x")(fToG) >> normalize(swap))
    assert str(strategy) == "labelled(x=\"0.1\", y=isF)(atLabel('x')(fToG) >> normalize(swap))"
    assert at("0.1")(fToG) == at((0, 1))(fToG)
    with pytest.raises(StrategyError, match=r"expected a path as 1\.0\.2"):
        at("0.x")
