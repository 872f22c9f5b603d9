"""Derivations that are truncated, branched, and written as calculations."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

import elevate
from elevate import Derivation, StrategyError, Success, calc, derive, normalize, repeat, topDown, try_
from elevate.testing import strategies_over, toy_trees
from elevate.toy import PREDICATES, RULES, Tree, dropG, fToG, isF, mergeH, swap, tree
from tests.examples import examples

PROGRAM = tree("h", tree("h", tree("p", tree("f", "a"), tree("f", "b"))))
WHOLE = derive(mergeH >> normalize(fToG), PROGRAM)


@settings(max_examples=examples(40))
@given(toy_trees(), strategies_over([*RULES, *PREDICATES]), some.data())
def test_every_step_is_a_checkpoint(program: Tree, strategy: elevate.Strategy, data: some.DataObject) -> None:
    """Every prefix is a derivation, and repeating the remaining steps gives the whole."""
    try:
        result = elevate.run(try_(strategy), program, fuel=40).result
    except StrategyError:
        return
    assert isinstance(result, Success)
    whole = Derivation(program, result.steps, result.program)
    number = data.draw(some.integers(0, len(whole.steps)))
    part = whole.until(number)
    assert list(part.programs()) == list(whole.programs())[: number + 1]
    for step in list(whole.steps)[number:]:
        assert isinstance(step.rule, elevate.Rule)
        part = part.then(elevate.at(step.path)(step.rule))
    assert part == whole


def test_branches_are_independent() -> None:
    merged = WHOLE.until(1)
    swapped, other = merged.then(topDown(swap)), merged.then(topDown(fToG))
    assert swapped.result == tree("h", tree("p", tree("f", "b"), tree("f", "a")))
    assert other == WHOLE.until(2)
    assert WHOLE.until(len(WHOLE.steps)) == WHOLE


def test_missing_checkpoints_and_failing_strategies_are_errors() -> None:
    with pytest.raises(StrategyError, match="expected a number of steps, 0 to 3, found 4"):
        WHOLE.until(4)
    with pytest.raises(StrategyError, match="dropG"):
        WHOLE.until(0).then(dropG)


def test_a_calculation_is_the_derivation_of_its_lines() -> None:
    derivation = calc(
        PROGRAM,
        (mergeH, tree("h", tree("p", tree("f", "a"), tree("f", "b")))),
        (topDown(fToG), topDown(isF)),
        (repeat(topDown(fToG)), tree("h", tree("p", tree("g", "a"), tree("g", "b")))),
    )
    assert derivation == WHOLE
    assert calc(PROGRAM) == Derivation(PROGRAM, elevate.Steps(), PROGRAM)


WRONG = [
    (
        (mergeH, tree("h", tree("p", tree("f", "a"), tree("f", "c")))),
        "error[calculation-differs]: line 1 (mergeH) gives a different program: at 0.1.0 expected c, found b\n"
        "hint: change the strategy, or what is expected after it; `derive` shows the steps of the line alone",
    ),
    (
        (mergeH, tree("h", tree("p", tree("f", "x"), tree("f", "c")))),
        "error[calculation-differs]: line 1 (mergeH) gives a different program: at 0 expected p(f(x), f(c)),"
        " found p(f(a), f(b))\n"
        "hint: change the strategy, or what is expected after it; `derive` shows the steps of the line alone",
    ),
    (
        (mergeH, isF),
        "error[calculation-differs]: line 1 (mergeH): expected a program on which isF succeeds\n"
        "note: isF at the root: does not hold\n"
        "note:   found    h(p(f(a), f(b)))\n"
        "hint: change the strategy, or what is expected after it; `derive` shows the steps of the line alone",
    ),
]


@pytest.mark.parametrize(("line", "message"), WRONG)
def test_the_first_line_that_differs_is_reported(line: tuple[elevate.Strategy, Tree], message: str) -> None:
    with pytest.raises(StrategyError) as error:
        calc(PROGRAM, line, (mergeH, PROGRAM))
    assert str(error.value) == message
