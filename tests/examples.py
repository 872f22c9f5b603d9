"""How many examples a law gets: more or fewer than others, by what the profile asks for. Knows no law."""

from hypothesis import settings

USUAL = 50  # examples of a law that says nothing
LEAST = 3


THOROUGH = settings.default.max_examples > USUAL
"""Whether every combination is tried, and every term as deep as it is said to work: in `soak`."""


def deep(count: int) -> int:
    """A depth: a fifth of it where not all is tried."""
    return count if THOROUGH else count // 5


def examples(count: int) -> int:
    """So many where the usual number is 50, else in proportion: `ci` takes half of it, `soak` a hundred times."""
    return max(LEAST, count * settings.default.max_examples // USUAL)
