"""The number of examples of a law, and of cases of a test, in the active profile.

Independent of laws and tests.
"""

from collections.abc import Iterable
from typing import TypeVar

from hypothesis import settings

T = TypeVar("T")

USUAL = 50  # examples of a law that says nothing
LEAST = 3


THOROUGH = settings.default.max_examples > USUAL
"""Whether every combination is tried, and every term as deep as it is said to work: in `soak`."""


def deep(count: int) -> int:
    """A depth: a tenth of it where not all is tried, which is still more than Python lets functions recurse."""
    return count if THOROUGH else count // 10


def some(cases: Iterable[T], apart: int, first: int = 0) -> list[T]:
    """Of cases much like each other, every one that many apart, from the first on; all of them in `soak`.

    Named where a test is given its cases, which says what is left out.
    """
    found = list(cases)
    return found if THOROUGH else found[first % apart :: apart]


def examples(count: int) -> int:
    """So many where the usual number is 50, else in proportion: `ci` takes half of it, `soak` a hundred times."""
    return max(LEAST, count * settings.default.max_examples // USUAL)
