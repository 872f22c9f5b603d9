"""Maintained normal forms: the result equals normalising the whole program, and the cost is that of what has
changed.
"""

import pickle

import pytest
from hypothesis import given, settings

from elevate import Strategy, Success, normalize, position, run, topDown, tryAll
from elevate.normal_forms import thenKeeping
from elevate.testing import check_engines_agree, result_of, strategies_over, toy_trees
from elevate.toy import PREDICATES, RULES, Tree, dropG, fToG, mergeH, tree
from tests.examples import examples

MOSTLY_TERMINATING = strategies_over([*RULES[:5], *PREDICATES])
FORMS = (normalize(dropG), normalize(dropG | mergeH), tryAll(dropG | mergeH), normalize(fToG))


@pytest.mark.parametrize("form", FORMS, ids=str)
def test_it_agrees_with_normalising_the_whole_program_each_time(form: Strategy) -> None:
    @settings(max_examples=examples(60))
    @given(MOSTLY_TERMINATING, MOSTLY_TERMINATING, toy_trees(max_leaves=6))
    def check(a: Strategy, b: Strategy, program: Tree) -> None:
        kept = result_of(thenKeeping(form)(form, a, b), program)
        check_engines_agree(thenKeeping(form)(form, a, b), program)
        expected: Tree = program
        for part in (form, form, a, form, b):  # each in a separate run, without memos
            result = result_of(part, expected)
            if not isinstance(result, Success):
                assert not isinstance(kept, Success)
                return
            assert isinstance(result.program, Tree)
            expected = result.program
        assert isinstance(kept, Success) and kept.program is expected

    check()


def comb(size: int) -> Tree:
    """A tree of `size` distinct parts, each with a redex."""
    program = tree("a")
    for number in range(size):
        program = tree("p", tree("f", f"x{number}"), program)
    return program


@pytest.mark.parametrize("form", FORMS[:3], ids=str)
def test_unchanged_parts_are_not_visited(form: Strategy) -> None:
    """After a step near the root of a large program, rules are tried at only a few places."""

    def cost(strategy: Strategy, program: Tree) -> int:
        return run(strategy, program).counters.attempts

    for size in (50, 400):
        program = comb(size)
        step = topDown(fToG)
        kept = cost(thenKeeping(form)(form, *[step] * 10), program)
        once = cost(form, program)
        assert kept - once <= 60 * 10 and kept < 2 * once + 600


def test_a_normal_form_is_data() -> None:
    strategy = thenKeeping(normalize(dropG))(fToG >> dropG, position(0)(fToG))
    assert repr(strategy) == "thenKeeping(normalize(dropG))(fToG >> dropG, position(0)(fToG))"
    assert pickle.loads(pickle.dumps(strategy)) == strategy
    assert thenKeeping(normalize(dropG))(fToG)(tree("f", "a")).program is tree("g", "a")
