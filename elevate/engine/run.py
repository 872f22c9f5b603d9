"""Runs a strategy on a program, by the fast engine or the reference engine. Independent of any particular strategy."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Generic, Literal, TypeAlias

from elevate.argument_checks import expected_term
from elevate.engine import reference
from elevate.engine.collector import seldom_collected
from elevate.engine.compiler import MAX_NESTING, Compiler
from elevate.engine.divergence import FUEL, too_deep
from elevate.engine.machine import Code, Machine, answer
from elevate.observers import Observer
from elevate.result import PC, Counters, Success
from elevate.strategy import Failure, Result, Strategy, expected_strategy
from elevate.term import Contracted, P, Place, Term, path_of
from elevate.trace import Steps
from elevate.tracebacks import ends_at_the_users_line

Engine: TypeAlias = Literal["fast", "reference"]

RESERVED_FRAMES: Final = 400
"""How many frames of Python's stack are reserved for non-recursive code: twice as many as strategies may nest."""


@dataclass(frozen=True, slots=True)
class Outcome(Generic[PC]):
    """A result and its cost."""

    result: Success[PC] | Failure
    counters: Counters


@ends_at_the_users_line
@seldom_collected()
def run(
    strategy: Strategy,
    program: P,
    *,
    engine: Engine = "fast",
    observers: Sequence[Observer] = (),
    fuel: int | None = None,
) -> Outcome[P]:
    """Apply a strategy at the root of a program, and count the cost.

    `fuel` bounds the firings, including discarded ones. Raises StrategyError if it is spent, if a repetition
    reaches a program twice, if a rule raises, and if its result breaks the contract of the terms. Without
    `fuel`, also if a repetition makes the program larger and larger by the same rules.
    """
    firing_limit = FUEL if fuel is None else fuel
    strategy, program = expected_strategy(strategy), expected_term(program)
    if engine == "reference":
        return _run_reference(strategy, program, observers, firing_limit, fuel is None)
    prepared = compiled(strategy, observers)
    machine = prepared.machine
    machine.fuel = machine.fuel_limit = firing_limit
    machine.reports_growth = fuel is None
    machine.has_contract = isinstance(program, Contracted)
    if prepared.is_recursive:
        machine.free_frames = stack_room()
        term = answer_with_large_frame(prepared.code, program, None)
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
    strategy: Strategy, program: P, observers: Sequence[Observer], fuel: int, reports_growth: bool
) -> Outcome[P]:
    watch = reference.Watch(fuel, observers, reports_growth)
    reply = reference.answer(strategy, program, watch)
    firings = len(reply.steps) if isinstance(reply, reference.Done) else 0
    result: Result[P]
    if isinstance(reply, reference.Blame):
        result = Failure(reply.strategy, path_of(reply.place), strategy, program)
    else:
        result = Success(reply.term, reply.steps)  # type: ignore[arg-type]  # see Note [Types]
    return Outcome(result, Counters(firings, watch.attempts, watch.visits))


def answer_with_large_frame(code: Code, term: Term, place: Place) -> Term | None:
    """`answer`, in a frame that reserves stack memory; see Note [Stack memory]."""
    return answer(code, term, place)


answer_with_large_frame.__code__ = answer_with_large_frame.__code__.replace(co_stacksize=1 << 14)


def stack_room() -> int:
    """How many frames of Python's stack recursive code may use; some are reserved for rules and other calls."""
    frame, count = sys._getframe(), RESERVED_FRAMES
    while (caller := frame.f_back) is not None:
        frame, count = caller, count + 1
    return sys.getrecursionlimit() - count


@dataclass(frozen=True, slots=True)
class Prepared:
    """The code of a strategy, with its machine."""

    code: Code
    machine: Machine
    compiler: Compiler
    is_recursive: bool
    """Whether it contains a definition that applies itself, or may."""
    unused: list[Prepared]
    """The pool to which it returns after a run."""

    def forget(self) -> None:
        """Reset it: clear the machine and all memos."""
        self.machine.clear()
        self.compiler.forget()


def compiled(strategy: Strategy, observers: Sequence[Observer]) -> Prepared:
    """The code of a strategy. Raises StrategyError if it nests too deeply even to be hashed."""
    try:
        pool = [] if observers else unused(strategy)
        if pool:
            try:
                return pool.pop()
            except IndexError:  # another thread was faster
                pass
        compiler = Compiler(Machine(FUEL, observers))
        code = compiler.code(strategy)
        is_recursive = code.call is None or bool(compiler.remembered)
        return Prepared(code, compiler.machine, compiler, is_recursive, pool)
    except RecursionError:
        raise too_deep(type(strategy).__name__, MAX_NESTING) from None


@lru_cache(maxsize=64)
def unused(strategy: Strategy) -> list[Prepared]:
    """Compiled code of a strategy that no run is using: compiling takes longer than many runs."""
    return []


# Note [Types]
# A rule returns a term of the same language, which the protocol of terms cannot express; a run therefore
# declares its result to have the type of its program.

# Note [Stack memory]
# CPython keeps the frames of its stack in chunks of 16 KB, and returns the last one to the system as soon as it is
# empty. Calls back and forth across the end of a chunk allocate it again and again, which takes longer than many of
# the calls themselves. A function that declares a large stack gets a large chunk, and the frames of its callees fit in
# the rest of it. The declared memory is never touched.
