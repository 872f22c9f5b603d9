"""Values of hypothesis strategies by a seed, without a test around them. Knows no part."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar as TypeVariable

from hypothesis import HealthCheck, Phase, Verbosity, given, seed, settings
from hypothesis.strategies import SearchStrategy

T = TypeVariable("T")


def drawn(strategy: SearchStrategy[T], number: int, count: int) -> list[T]:
    """So many values, or a few less where the strategy has no more; the same ones for the same seed."""
    found: list[T] = []

    def keep(value: T) -> None:
        found.append(value)

    _tried(strategy, number, count, (Phase.generate,), keep)
    return found


def _tried(
    strategy: SearchStrategy[T], number: int, count: int, phases: tuple[Phase, ...], test: Callable[[T], None]
) -> None:
    chosen = settings(
        max_examples=count,
        deadline=None,
        database=None,
        derandomize=False,
        phases=phases,
        report_multiple_bugs=False,
        verbosity=Verbosity.quiet,
        suppress_health_check=list(HealthCheck),
        print_blob=False,
    )

    def body(value: T) -> None:
        test(value)

    seed(number)(chosen(given(strategy)(body)))()
