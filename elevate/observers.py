"""Observers: who watches a run without changing its strategy. Knows no engine."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from elevate.trace import Step

if TYPE_CHECKING:
    from elevate.term import Place, Term
    from elevate.trace import Fired


class Observer:
    """Override what you want to see. Events come in the order of the run."""

    def attempted(self, rule: Fired, term: Term, place: Place) -> None:
        """A rule is tried at a place, whose path is `path_of(place)`.

        The fast engine tries fewer than the reference engine.
        """

    def fired(self, step: Step) -> None:
        """A rule fired; a surrounding strategy may still fail and discard it."""

    def discarded(self, count: int) -> None:
        """The last `count` firings that stand are taken back."""


@dataclass
class Profile(Observer):
    """Counts attempts and firings by the name of the rule."""

    attempts: Counter[str] = field(default_factory=Counter)
    firings: Counter[str] = field(default_factory=Counter)
    """Firings that stand."""
    _standing: list[str] = field(default_factory=list)

    def attempted(self, rule: Fired, term: Term, place: Place) -> None:
        self.attempts[rule.name] += 1

    def fired(self, step: Step) -> None:
        self.firings[step.rule.name] += 1
        self._standing.append(step.rule.name)

    def discarded(self, count: int) -> None:
        for _ in range(count):
            self.firings[self._standing.pop()] -= 1
