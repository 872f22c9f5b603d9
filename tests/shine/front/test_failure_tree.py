"""Printed failure trees omit alternatives that were not tried, and keep all other reasons."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as some

from elevate import FailureTree
from shine.front.failure_tree import (
    CHOICE_REASON,
    MAX_LINE_CHARACTERS,
    MAX_LINES,
    NOT_TRIED_REASONS,
    leaves,
    nearest,
    tree_lines,
)

REASONS = some.sampled_from(("does not match", "3 does not divide 4", *NOT_TRIED_REASONS))
LEAVES = some.builds(FailureTree, some.sampled_from(("a", "b" * 100)), some.just((0,)), REASONS)


def above(parts: some.SearchStrategy[FailureTree]) -> some.SearchStrategy[FailureTree]:
    return some.builds(
        FailureTree,
        some.just("s"),
        some.just(()),
        some.sampled_from((CHOICE_REASON, "part 1 of 2 failed")),
        parts=some.lists(parts, min_size=1, max_size=4).map(tuple),
    )


TREES = some.recursive(LEAVES, above, max_leaves=12)


def reasons(tree: FailureTree) -> set[str]:
    return {leaf.reason for leaf in leaves(tree)}


@given(TREES)
def test_every_reason_of_a_candidate_is_kept(tree: FailureTree) -> None:
    before, after = reasons(tree), reasons(nearest(tree))
    assert before - {*NOT_TRIED_REASONS} == after - {*NOT_TRIED_REASONS}
    assert after and after <= before


@given(TREES)
def test_the_tree_is_short(tree: FailureTree) -> None:
    lines = list(tree_lines(tree))
    assert 1 <= len(lines) <= MAX_LINES + 1
    assert all(len(line) <= MAX_LINE_CHARACTERS + 3 for line in lines)


@given(TREES)
def test_no_choice_has_a_single_part_or_equal_parts(tree: FailureTree) -> None:
    waiting = [nearest(tree)]
    while waiting:
        one = waiting.pop()
        waiting += one.parts
        if one.reason == CHOICE_REASON:
            assert len(one.parts) > 1 and len(set(one.parts)) == len(one.parts)
