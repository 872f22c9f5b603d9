"""`redex`: programs in which a rule fires, for tests of users' own, and what a failed test prints."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import rise
from elevate import StrategyError, replaced, subterm
from rise.testing.comparison import same
from strategies import rule
from strategies.rules import functions, fusion, movement, reductions
from strategies.testing import Redex, redex
from strategies.testing.rows import likeness
from tests.examples import examples

FUSION = fusion.mapFusion
DROPPED = rule("map f (map g xs) = map f (map f (map g xs))", why="Wrong.")


@pytest.mark.parametrize(
    "one",
    [FUSION, movement.splitJoin(2), movement.transposeZip, functions.fstPair, reductions.splitReduceSeq(2)],
    ids=lambda one: one.name,
)
@settings(max_examples=examples(50), suppress_health_check=list(HealthCheck))
@given(st.data())
def test_a_redex_fires_and_computes_the_same(one: Any, data: st.DataObject) -> None:
    found = data.draw(redex(one))
    assert not found.program.free
    assert found.contracted.type == found.program.type
    assert one.apply(found.redex) == found.contractum
    assert replaced(found.program, found.path, found.contractum) == found.contracted
    assert subterm(found.program, found.path) == found.redex
    with np.errstate(all="ignore"):
        before, after = (rise.evaluate(e, *found.arguments) for e in (found.program, found.contracted))
    assert same(before, after, likeness(found.program, found.contracted, one.float_class))


def test_redexes_stand_at_several_places() -> None:
    paths: set[Any] = set()

    @settings(max_examples=60, database=None, derandomize=True)
    @given(redex(FUSION))
    def collect(found: Redex) -> None:
        paths.add(found.path)

    collect()
    assert len({len(path) for path in paths}) > 3


def test_a_failed_test_prints_the_programs() -> None:
    @settings(max_examples=200, database=None, derandomize=True, print_blob=False)
    @given(redex(DROPPED))
    def keeps_results(found: Redex) -> None:
        before, after = (rise.evaluate(e, *found.arguments) for e in (found.program, found.contracted))
        assert same(before, after, likeness(found.program, found.contracted, DROPPED.float_class))

    with pytest.raises(AssertionError) as caught, np.errstate(all="ignore"):
        keeps_results()
    notes = "\n".join(caught.value.__notes__)
    assert (
        "a redex of " in notes
        and "before: fun(" in notes
        and "after: fun(" in notes
        and "arguments: " in notes
    )
    assert len(notes) < 2_000


@pytest.mark.parametrize(
    ("wrong", "title"),
    [
        (movement.splitJoin, "expected a rule, found the family splitJoin without its parameters"),
        (functions.betaReduction, "expected a rule with an equation, found betaReduction"),
        ("mapFusion", "expected a rule, found a str"),
    ],
)
def test_only_rules_with_an_equation_have_redexes(wrong: Any, title: str) -> None:
    with pytest.raises(StrategyError) as caught:
        redex(wrong)
    assert caught.value.diagnostic.title.startswith(title)
