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
SPARSER = 1.5

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
    """Similar cases with one of the others each, in turn; in `whole` and `soak`, each with all of them.

    Tuples are joined. The turns shift by one after each round, as those of `tests.shine.executors.in_turn`.
    """
    turns = list(others)
    return [
        (*_parts(case), *_parts(other))
        for number, case in enumerate(cases)
        for turn, other in enumerate(turns)
        if not SAMPLED or turn == (number + number // len(turns)) % len(turns)
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
