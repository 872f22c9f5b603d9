"""Running a strategy on a program, by the fast engine or by the reference. Knows no strategy by name."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Generic, Literal, TypeAlias

from elevate.engine import reference
from elevate.engine.compiler import DEEPEST, Compiler
from elevate.engine.divergence import FUEL, too_deep
from elevate.engine.machine import Code, Machine, answer
from elevate.expected import expected_term
from elevate.observers import Observer
from elevate.result import PC, Counters, Success
from elevate.strategy import Failure, Result, Strategy, expected_strategy
from elevate.term import Contracted, P, Place, Term, path_of
from elevate.trace import Steps

Engine: TypeAlias = Literal["fast", "reference"]

LEFT: Final = 400
"""How many frames of Python's stack are left to what does not call itself: twice as many as strategies may nest."""


@dataclass(frozen=True, slots=True)
class Outcome(Generic[PC]):
    """A result and what it cost."""

    result: Success[PC] | Failure
    counters: Counters


def run(
    strategy: Strategy,
    program: P,
    *,
    engine: Engine = "fast",
    observers: Sequence[Observer] = (),
    fuel: int | None = None,
) -> Outcome[P]:
    """Apply a strategy at the root of a program, and say what that cost.

    `fuel` bounds the firings, discarded ones included. Raises StrategyError where it is spent, where a
    repetition comes back to a program it has met, where a rule raises, and where it answers what the terms'
    contract forbids. Without `fuel`, also where a repetition makes the program larger and larger by the same rules.
    """
    given = FUEL if fuel is None else fuel
    strategy, program = expected_strategy(strategy), expected_term(program)
    if engine == "reference":
        return _run_reference(strategy, program, observers, given, fuel is None)
    prepared = compiled(strategy, observers)
    machine = prepared.machine
    machine.fuel = machine.given = given
    machine.lasting = fuel is None
    machine.contracted = isinstance(program, Contracted)
    if prepared.goes_down:
        machine.room = stack_room()
        term = answer_roomily(prepared.code, program, None)
    else:
        term = answer(prepared.code, program, None)
    result: Result[P]
    if term is None:
        assert machine.blame is not None and not machine.log, strategy
        blamed, place = machine.blame
        result = Failure(blamed, path_of(place), strategy, program)
    else:
        result = Success(term, Steps.logged(tuple(machine.log)))  # type: ignore[arg-type]  # see Note [Types]
    counters = Counters(len(machine.log), machine.attempts, machine.visits)
    if not observers:
        prepared.forget()
        prepared.unused.append(prepared)
    return Outcome(result, counters)


def apply(strategy: Strategy, program: P) -> Result[P]:
    """What calling a strategy does."""
    return run(strategy, program).result


def _run_reference(
    strategy: Strategy, program: P, observers: Sequence[Observer], fuel: int, lasting: bool
) -> Outcome[P]:
    watch = reference.Watch(fuel, observers, lasting)
    found = reference.answer(strategy, program, watch)
    firings = len(found.steps) if isinstance(found, reference.Done) else 0
    result: Result[P]
    if isinstance(found, reference.Blame):
        result = Failure(found.strategy, path_of(found.place), strategy, program)
    else:
        result = Success(found.term, found.steps)  # type: ignore[arg-type]  # see Note [Types]
    return Outcome(result, Counters(firings, watch.attempts, watch.visits))


def answer_roomily(code: Code, term: Term, place: Place) -> Term | None:
    """`answer`, with room on Python's stack; see Note [Room]."""
    return answer(code, term, place)


answer_roomily.__code__ = answer_roomily.__code__.replace(co_stacksize=1 << 14)


def stack_room() -> int:
    """How many frames of Python's stack may be taken, rules and what else is called left their part."""
    frame, count = sys._getframe(), LEFT
    while (around := frame.f_back) is not None:
        frame, count = around, count + 1
    return sys.getrecursionlimit() - count


@dataclass(frozen=True, slots=True)
class Prepared:
    """A strategy's code, with the machine it works on."""

    code: Code
    machine: Machine
    memos: tuple[set[Term] | dict[Term, str], ...]
    goes_down: bool
    """Whether a definition in it calls itself, or may."""
    unused: list[Prepared]
    """Where it waits for another run."""

    def forget(self) -> None:
        """Make it as new: nothing is known of any term."""
        self.machine.clear()
        for memo in self.memos:
            memo.clear()


def compiled(strategy: Strategy, observers: Sequence[Observer]) -> Prepared:
    """The code of a strategy; raises StrategyError where it nests too deep even to be hashed."""
    try:
        ready = [] if observers else unused(strategy)
        if ready:
            try:
                return ready.pop()
            except IndexError:  # another thread was faster
                pass
        compiler = Compiler(Machine(FUEL, observers))
        code = compiler.code(strategy)
        goes_down = code.call is None or bool(compiler.remembered)
        return Prepared(code, compiler.machine, compiler.memos(), goes_down, ready)
    except RecursionError:
        raise too_deep(type(strategy).__name__, DEEPEST) from None


@lru_cache(maxsize=64)
def unused(strategy: Strategy) -> list[Prepared]:
    """What earlier runs of a strategy compiled and no run is using: compiling takes longer than many runs."""
    return []


# Note [Types]
# A rule returns a term of the language it was given, which the protocol of terms does not say; a run
# therefore returns the type of its program by decree.

# Note [Room]
# CPython keeps the frames of its stack in chunks of 16 KB, and gives the last one back to the system as soon as it is
# empty. Calls that go up and down across the end of a chunk ask the system again and again, which takes longer than
# many of the calls themselves. A function that says it needs a large stack gets a large chunk, and what it calls fits
# in behind it. It never touches what it asks for.
