"""Shrinking a derivation to the steps that matter for a property of its result (delta debugging).

Independent of languages.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic

from elevate.derivations.derivation import Derivation, derivation_of, expected_derivation
from elevate.derivations.rebase import rebase
from elevate.diagnostics import Diagnostic, StrategyError, described
from elevate.result import PC
from elevate.term import P
from elevate.tracebacks import ends_at_the_users_line

MAX_TRIES = 2_000
"""How many shorter derivations are tried."""


@dataclass(frozen=True, slots=True)
class Shrunk(Generic[PC]):
    """The shorter derivation, how many were tried, and whether dropping any further step loses the property."""

    derivation: Derivation[PC]
    tries: int
    is_minimal: bool


@ends_at_the_users_line
def shrink(derivation: Derivation[P], holds: Callable[[P], bool], tries: int = MAX_TRIES) -> Shrunk[P]:
    """A derivation from the same program by some of the steps, whose result still has the property.

    The steps after the first program with the property are dropped first, then smaller and smaller runs of steps. A
    step that depends on a dropped one is dropped, too. Raises StrategyError if the result lacks the property.
    """
    if not callable(holds):
        title = f"expected a property as a function of a program, found {described(holds)}"
        raise StrategyError(
            Diagnostic("no-property", title, hint="write `shrink(derivation, lambda e: ...)`")
        )
    if not holds(expected_derivation(derivation).result):
        title = "expected a property that the result of the derivation has, found one that it lacks"
        raise StrategyError(
            Diagnostic(
                "nothing-to-shrink", title, hint="pass a property that the result has, and that is to be kept"
            )
        )
    current = _up_to_first(derivation, holds)
    count = 0
    size = max(len(current.steps) // 2, 1)
    while len(current.steps):
        length = len(current.steps)
        end = length
        while end > 0:
            if count == tries:
                return Shrunk(current, count, False)
            count += 1
            dropped = frozenset(range(max(end - size, 0) + 1, end + 1))
            shorter = rebase(current, dropped, {}, goes_on=True)
            if len(shorter.derivation.steps) < len(current.steps) and holds(shorter.derivation.result):
                current = shorter.derivation
            end = min(end - size, len(current.steps))
        if size == 1 and len(current.steps) == length:
            break
        size = min(max(size // 2, 1), max(len(current.steps), 1))
    return Shrunk(current, count, True)


def _up_to_first(derivation: Derivation[P], holds: Callable[[P], bool]) -> Derivation[P]:
    """The derivation up to the first program with the property."""
    steps = list(derivation.steps)
    for count, program in enumerate(derivation.programs()):
        if holds(program):
            return derivation_of(derivation.given, steps[:count], program)
    raise AssertionError("the result has the property")
