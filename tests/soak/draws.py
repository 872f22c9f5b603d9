"""Draws values of Hypothesis strategies by a seed, outside of a test. Independent of parts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeVar as TypeVariable

from hypothesis import HealthCheck, Phase, Verbosity, given, seed, settings
from hypothesis.strategies import SearchStrategy

T = TypeVariable("T")


def distinct(values: Iterable[T]) -> Iterator[tuple[int, T]]:
    """The values that do not equal an earlier one, with their positions."""
    seen: set[T] = set()
    for position, value in enumerate(values):
        if value not in seen:
            seen.add(value)
            yield position, value


def drawn(strategy: SearchStrategy[T], number: int, count: int) -> list[T]:
    """`count` values, or fewer if the strategy has no more; the same values for the same seed."""
    values: list[T] = []

    run_settings = settings(
        max_examples=count,
        deadline=None,
        database=None,
        derandomize=False,
        phases=(Phase.generate,),
        report_multiple_bugs=False,
        verbosity=Verbosity.quiet,
        suppress_health_check=list(HealthCheck),
        print_blob=False,
    )

    def keep(value: T) -> None:
        values.append(value)

    seed(number)(run_settings(given(strategy)(keep)))()
    return values
