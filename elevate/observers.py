"""Observers of a run. Independent of engines."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from time import perf_counter
from typing import TYPE_CHECKING

from elevate.term import path_of
from elevate.trace import Step

if TYPE_CHECKING:
    from elevate.term import Path, Place, Term
    from elevate.trace import Fired


class Observer:
    """Override the events you want to see. They come in the order of the run."""

    def attempted(self, rule: Fired, term: Term, place: Place) -> None:
        """A rule is tried at a place, whose path is `path_of(place)`.

        The fast engine makes fewer attempts than the reference engine.
        """

    def fired(self, step: Step) -> None:
        """A rule fired; an enclosing strategy may still fail and discard the step."""

    def settled(self, rule: Fired, is_fired: bool) -> None:
        """The attempt is over; if the rule fired, `fired` was called before."""

    def discarded(self, count: int) -> None:
        """The last `count` firings not yet discarded are discarded."""


@dataclass(frozen=True, slots=True)
class Event:
    """A firing with the time that the rule took, in seconds; `elevate.bindings_of(step)` has its bindings."""

    step: Step
    seconds: float


@dataclass
class Events(Observer):
    """All firings that were not discarded, with their times."""

    fires: list[Event] = field(default_factory=list)
    clock: Callable[[], float] = perf_counter
    _since: float = 0.0

    def attempted(self, rule: Fired, term: Term, place: Place) -> None:
        self._since = self.clock()

    def fired(self, step: Step) -> None:
        self.fires.append(Event(step, self.clock() - self._since))

    def discarded(self, count: int) -> None:
        del self.fires[len(self.fires) - count :]


@dataclass(frozen=True, slots=True)
class Row:
    """The cost of one rule in a run."""

    rule: str
    firings: int
    """Firings that were not discarded."""
    attempts: int
    """How often it was tried."""
    visits: int
    """At how many distinct places it was tried."""
    seconds: float
    """The time of the rule itself, all attempts together."""


@dataclass
class Profile(Observer):
    """Counts attempts, places, firings and time by rule name."""

    attempts: Counter[str] = field(default_factory=Counter)
    firings: Counter[str] = field(default_factory=Counter)
    """Firings that were not discarded."""
    seconds: dict[str, float] = field(default_factory=dict)
    clock: Callable[[], float] = perf_counter
    _places: dict[str, set[Path]] = field(default_factory=dict)
    _fired: list[str] = field(default_factory=list)
    _since: float = 0.0
    _runs: bool = False

    def attempted(self, rule: Fired, term: Term, place: Place) -> None:
        name = rule.name
        self.attempts[name] += 1
        self._places.setdefault(name, set()).add(path_of(place))
        self._runs = True
        self._since = self.clock()

    def fired(self, step: Step) -> None:
        self._stop(step.rule.name)
        self.firings[step.rule.name] += 1
        self._fired.append(step.rule.name)

    def settled(self, rule: Fired, is_fired: bool) -> None:
        if self._runs:
            self._stop(rule.name)

    def discarded(self, count: int) -> None:
        for _ in range(count):
            self.firings[self._fired.pop()] -= 1

    def _stop(self, name: str) -> None:
        self.seconds[name] = self.seconds.get(name, 0.0) + self.clock() - self._since
        self._runs = False

    def rows(self) -> list[Row]:
        """A row for each rule that was tried, sorted by firings, then attempts, most first."""
        unsorted = [
            Row(name, self.firings[name], attempts, len(self._places[name]), self.seconds.get(name, 0.0))
            for name, attempts in self.attempts.items()
        ]
        return sorted(unsorted, key=lambda row: (-row.firings, -row.attempts, row.rule))
