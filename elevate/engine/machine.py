"""The state of a run of the fast engine, and compiled strategies. Independent of any particular strategy.

A compiled strategy has one of two forms. A *direct* one is a plain function; calls nest as deeply as the strategy,
and for a recursive definition as deeply as the stack permits. A *deferred* one is a generator that asks for the
answers of others, so that depth needs a list, not Python's stack.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Hashable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from elevate.engine.divergence import broken, excused, fuel_spent
from elevate.observers import Observer
from elevate.rules import Reach
from elevate.strategy import Strategy
from elevate.term import Place, Term, path_of
from elevate.trace import Entry, Fired, Step

Call: TypeAlias = Callable[[Term, Place], Term | None]
"""The rewritten term, or None for a failure, which leaves the log as it was and sets the blame."""

Asking: TypeAlias = Generator["tuple[Code, Term, Place]", Term | None, Term | None]
Start: TypeAlias = Callable[[Term, Place], Asking]


class Machine:
    """The state of one run: the log of firings, the remaining fuel, counters, the blame."""

    __slots__ = (
        "attempts",
        "blame",
        "has_contract",
        "fuel",
        "fuel_limit",
        "reports_growth",
        "log",
        "observers",
        "free_frames",
        "visits",
    )

    def __init__(self, fuel: int, observers: Sequence[Observer]) -> None:
        self.log: list[Entry] = []
        self.fuel_limit = fuel
        self.fuel = fuel
        self.attempts = 0
        self.visits = 0
        self.blame: tuple[Strategy, Place] | None = None
        """The part that failed last, and where; defined after a call has returned None."""
        self.observers = tuple(observers)
        self.has_contract = False
        """Whether the terms have a contract that every firing must keep."""
        self.free_frames = 0
        """How many frames of Python's stack recursive definitions may still use."""
        self.reports_growth = False
        """Whether endless growth is an error: only if the caller does not give the fuel."""

    def fired(self, rule: Fired, place: Place, redex: Term, contractum: Term) -> None:
        """Log a firing, after a check of its result."""
        if self.has_contract and (breach := redex.breach(contractum)) is not None:  # type: ignore[attr-defined]  # has_contract says so
            if not excused(rule, breach):
                raise broken(rule, path_of(place), redex, contractum, breach)
        self.log.append((rule, place, redex, contractum))
        self.fuel -= 1
        if self.fuel < 0:
            raise fuel_spent(self.fuel_limit, self.log)
        if self.observers:
            step = Step(rule, path_of(place), redex, contractum)
            for observer in self.observers:
                observer.fired(step)

    def clear(self) -> None:
        """Reset it for another run."""
        self.log.clear()
        self.attempts = self.visits = 0
        self.blame = None

    def discard(self, mark: int) -> None:
        """Discard the firings since the log had length `mark`."""
        count = len(self.log) - mark
        if count:
            del self.log[mark:]
            for observer in self.observers:
                observer.discarded(count)


@dataclass(slots=True)
class Code:
    """A compiled strategy."""

    strategy: Strategy
    call: Call | None = None
    """The direct form."""
    start: Start | None = None
    """The deferred form, if there is no direct one."""
    roots: frozenset[Hashable] | None = None
    """It fails at terms with other roots; None if they are not known."""
    depth: int | None = None
    """How many levels of children decide whether it succeeds; None for any number."""
    reach: Reach | None = None
    """What decides whether it succeeds; None if nothing is known beyond the depth."""
    near: int = 0
    """If `depth` is None: the largest depth of the parts that have one, and of the reaches of the others."""
    far: Call | None = None
    """If `depth` is None: the direct form of only the parts without a depth."""
    frames: int = 0
    """How many frames of Python's stack its direct form takes, except for recursive calls."""
    pure: bool = False
    """Whether it never changes the term."""
    guard: Callable[[Term], bool] | None = None
    """For a predicate, or a sequence that begins with one: its test."""
    rest: Call | None = None
    """The code to run if the guard holds."""
    alternatives: tuple[Code, ...] = ()
    """The alternatives of a choice."""
    searched: Code | None = None
    """For a direct topDown: the code of its argument."""


def answer(code: Code, term: Term, place: Place) -> Term | None:
    """Run compiled code to its end."""
    if code.call is not None:
        return code.call(term, place)
    waiting: list[Asking] = []
    assert code.start is not None, code
    asking = code.start(term, place)
    value: Term | None = None
    while True:
        try:
            wanted, term, place = asking.send(value)
        except StopIteration as done:
            value = done.value
            if not waiting:
                return value
            asking = waiting.pop()
            continue
        if wanted.call is not None:
            value = wanted.call(term, place)
        else:
            waiting.append(asking)
            assert wanted.start is not None, wanted
            asking = wanted.start(term, place)
            value = None
