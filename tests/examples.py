"""The number of examples of a law, and of cases of a test, in the active profile.

Independent of laws and tests.
"""

from collections.abc import Iterable
from typing import Any, TypeVar

import pytest
from hypothesis import settings

T = TypeVar("T")

USUAL = 50  # examples of a law that does not state a number
SAMPLE = 5  # examples in the profile that runs some of many similar cases
#: the distance between cases that this profile runs, as a multiple of that in `some`: its ten minutes are on two cores
SPARSER = 2

THOROUGH = settings.default.max_examples > USUAL
"""Whether every combination is tried, and terms have the full depth that is claimed to work: in the profile `soak`."""

SAMPLED = settings.default.max_examples <= SAMPLE
"""Whether tests of many similar cases run some of them only: in the profile `ci`, whose time is limited."""

LEAST = 2 if SAMPLED else 3  # examples of a law, however few it asks for


def deep(count: int) -> int:
    """A depth; in profiles that do not try everything, a tenth of it, which still exceeds Python's recursion limit."""
    return count if THOROUGH else count // 10


def some(cases: Iterable[T], apart: int, first: int = 0) -> list[T]:
    """Some of many similar cases, at most every nth, beginning with the first; all of them in `whole` and `soak`.

    It is called where cases are passed to a test, so that the test shows what is left out. At least one is chosen, if
    there are n.
    """
    found = list(cases)
    sparser = int(apart * SPARSER)
    step = sparser if sparser < len(found) else apart
    return found[first % step :: step] if SAMPLED else found


def in_turns(cases: Iterable[Any], others: Iterable[Any]) -> list[tuple[Any, ...]]:
    """Pairs in which each case and each of the others occurs: the more of the two with one of the fewer each, in turn.
    In `whole` and `soak`, all pairs.

    Tuples are joined. The turns shift by one after each round, as those of `tests.shine.executors.in_turn`.
    """
    rows, columns = list(cases), list(others)
    few = min(len(rows), len(columns))

    def is_its_turn(one: int, other: int) -> bool:
        number, turn = (one, other) if few == len(columns) else (other, one)
        return turn == (number + number // few) % few

    return [
        (*_parts(row), *_parts(column))
        for one, row in enumerate(rows)
        for other, column in enumerate(columns)
        if not SAMPLED or is_its_turn(one, other)
    ]


def _parts(case: Any) -> tuple[Any, ...]:
    return case if isinstance(case, tuple) else (case,)


def in_whole(like: str) -> pytest.MarkDecorator:
    """Mark a slow test that `ci` leaves out, since another one finds the same mistakes: `like`, a test of its file or
    of another, as in `tests/cuda/test_edges.py::test_products_of_any_size_are_correct`, or all tests of another file.
    """
    return pytest.mark.whole(like)


def examples(count: int) -> int:
    """A number of examples that is given for the profile with 50 examples, scaled: `ci` uses a tenth of it,
    `whole` a fifth, `soak` a hundred times as many.
    """
    return max(LEAST, count * settings.default.max_examples // USUAL)
