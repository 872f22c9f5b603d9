"""Laws of all strategies: both engines agree; the equations of the combinators; replay."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from elevate import Rule, Strategy
from elevate.testing import (
    LAWS,
    Law,
    check_declared,
    check_engines_agree,
    check_explained,
    check_replay,
    strategies_over,
    toy_trees,
)
from elevate.toy import PREDICATES, RULES, Tree
from tests.examples import examples

TERMINATING = RULES[:5]
ANY = strategies_over([*RULES, *PREDICATES])
MOSTLY_TERMINATING = strategies_over([*TERMINATING, *PREDICATES])


@settings(max_examples=examples(400))
@given(ANY, toy_trees())
def test_the_fast_engine_agrees_with_the_reference(strategy: Strategy, program: Tree) -> None:
    check_engines_agree(strategy, program)


@settings(max_examples=examples(400))
@given(MOSTLY_TERMINATING, toy_trees(max_leaves=12))
def test_the_engines_agree_on_larger_programs(strategy: Strategy, program: Tree) -> None:
    check_engines_agree(strategy, program)


@given(MOSTLY_TERMINATING, toy_trees())
def test_steps_replay(strategy: Strategy, program: Tree) -> None:
    check_replay(strategy, program)


@given(MOSTLY_TERMINATING, toy_trees())
def test_failures_explain_themselves(strategy: Strategy, program: Tree) -> None:
    check_explained(strategy, program)


@given(st.sampled_from(RULES), toy_trees())
def test_rules_fire_where_they_declare(rule: Rule, program: Tree) -> None:
    check_declared(rule, program)


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.name)
def test_law(law: Law) -> None:
    small = strategies_over([*TERMINATING, *PREDICATES], max_leaves=3)

    @settings(max_examples=examples(25))
    @given(small, small, small, toy_trees(max_leaves=2))
    def check(a: Strategy, b: Strategy, c: Strategy, program: Tree) -> None:
        law.check(a, b, c, program)

    check()
