"""What a run of the fast engine keeps, and compiled strategies. Knows no strategy by name.

A compiled strategy comes in one of two forms. A *direct* one is a plain call; calls nest as deep as
the strategy is written, and for one that calls itself down the term as deep as the stack has room. A *deferred* one is
a generator that asks for the answers of others, so that depth grows a list and not Python's stack.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Hashable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from elevate.engine.divergence import broken, excused, fuel_spent
from elevate.observers import Observer
from elevate.strategy import Strategy
from elevate.term import Place, Term, path_of
from elevate.trace import Entry, Fired, Step

Call: TypeAlias = Callable[[Term, Place], Term | None]
"""The rewritten term, or None for a failure, which leaves the log as it was and sets the blame."""

Asking: TypeAlias = Generator["tuple[Code, Term, Place]", Term | None, Term | None]
Start: TypeAlias = Callable[[Term, Place], Asking]


class Machine:
    """The state of one run: the log of firings, what is left of the fuel, counters, the blame."""

    __slots__ = (
        "attempts",
        "blame",
        "contracted",
        "fuel",
        "given",
        "lasting",
        "log",
        "observers",
        "room",
        "visits",
    )

    def __init__(self, fuel: int, observers: Sequence[Observer]) -> None:
        self.log: list[Entry] = []
        self.given = fuel
        self.fuel = fuel
        self.attempts = 0
        self.visits = 0
        self.blame: tuple[Strategy, Place] | None = None
        """The part that failed last and where; it stands after a call has returned None."""
        self.observers = tuple(observers)
        self.contracted = False
        """Whether the terms say what a firing must keep."""
        self.room = 0
        """How many frames of Python's stack definitions that call themselves may still take."""
        self.lasting = False
        """Whether a repetition that grows and grows is told: the caller did not say how much fuel it takes."""

    def fired(self, rule: Fired, place: Place, redex: Term, contractum: Term) -> None:
        """Write a firing down, after a look at what it answers."""
        if self.contracted and (breach := redex.breach(contractum)) is not None:  # type: ignore[attr-defined]  # it is
            if not excused(rule, breach):
                raise broken(rule, path_of(place), redex, contractum, breach)
        self.log.append((rule, place, redex, contractum))
        self.fuel -= 1
        if self.fuel < 0:
            raise fuel_spent(self.given, self.log)
        if self.observers:
            step = Step(rule, path_of(place), redex, contractum)
            for observer in self.observers:
                observer.fired(step)

    def clear(self) -> None:
        """Make it ready for another run."""
        self.log.clear()
        self.attempts = self.visits = 0
        self.blame = None

    def discard(self, mark: int) -> None:
        """Take back the firings since the log had length `mark`."""
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
    """The deferred form, where there is no direct one."""
    roots: frozenset[Hashable] | None = None
    """It fails at terms with other roots; None where that is not known."""
    depth: int | None = None
    """How many levels of children decide whether it succeeds; None for any number."""
    near: int = 0
    """Where `depth` is None: how far those parts see of which it is known."""
    far: Call | None = None
    """Where `depth` is None: the direct form without the parts that see no further than `near`."""
    frames: int = 0
    """How many frames of Python's stack its direct form takes, definitions that call themselves aside."""
    pure: bool = False
    """Whether it never changes the term."""
    guard: Callable[[Term], bool] | None = None
    """Of a predicate, and of a sequence that begins with one: the question it asks first."""
    rest: Call | None = None
    """What is left where the answer is yes."""
    alternatives: tuple[Code, ...] = ()
    """Of a choice: what it chooses from."""
    searched: Code | None = None
    """Of a direct topDown: what it looks for."""


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
