"""Declarations that are visible together."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from shine.imperative.name_conflicts import Blocks, meeting

BLOCKS = st.lists(st.integers(0, 2), max_size=3).map(tuple)
DECLARED = st.lists(st.lists(BLOCKS, min_size=1, max_size=2), max_size=8)


def meet(some: Sequence[Blocks], others: Sequence[Blocks]) -> bool:
    """Whether one of the blocks contains one of the others, or vice versa."""
    return any(one[: len(other)] == other[: len(one)] for one in some for other in others)


@given(DECLARED)
def test_declarations_conflict_if_one_block_contains_the_other(blocks: list[list[Blocks]]) -> None:
    declared = dict(enumerate(blocks))
    found = meeting(declared)
    together = {
        one: {other for other in declared if meet(declared[one], declared[other])} for one in declared
    }
    assert list(found.things) == [one for one in declared if len(together[one]) > 1]
    for one, place in found.things.items():
        around = found.around[place]
        assert len(set(around)) == len(around)
        assert {other for other in found.things if found.things[other] in around} == together[one]


@given(DECLARED, st.lists(st.lists(st.sampled_from("abc"), max_size=3), min_size=8, max_size=8))
def test_words_are_counted_once_per_declaration(blocks: list[list[Blocks]], words: list[list[str]]) -> None:
    declared, said = dict(enumerate(blocks)), dict(enumerate(words))
    found = meeting(declared)
    counts = found.shared(said)
    for one, place in found.things.items():
        for word in "abc":
            having = [
                other for other in declared if meet(declared[one], declared[other]) and word in said[other]
            ]
            assert counts[place][word] == len(having)


def test_a_declaration_alone_has_no_conflicts() -> None:
    assert meeting({"a": [(0,)], "b": [(1,)], "c": [(1, 2)]}).things == {
        "b": frozenset([(1,)]),
        "c": frozenset([(1, 2)]),
    }
