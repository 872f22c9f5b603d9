"""Definitions that call themselves further down the term, in both forms. Knows a term by its memo only.

What such a definition knows of a term holds for the rest of the run, see `Recursion`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from elevate.engine.divergence import endless
from elevate.engine.machine import Asking, Call, Code, Machine, Start, answer
from elevate.strategy import Strategy
from elevate.term import Place, Term, path_of

SETTLED: Final = "settled"
FAILED: Final = "failed"
WORKING: Final = "working"
"""What a recursive definition knows of a term."""


@dataclass(frozen=True, slots=True)
class Recursion:
    """What is the same in both forms of a definition."""

    machine: Machine
    known: dict[Term, str]
    """The terms that it leaves as they are without a step; where it recalls them, also those at which it fails."""
    recalls: bool
    """Not where a part may be to blame for a failure."""
    guarded: bool
    """Whether a call on a term that it is working on raises StrategyError: it would never end."""
    blamed: Strategy


def recursive_call(recursion: Recursion, body: Code, deferred: Callable[[], Code]) -> Call:
    """The direct form; `deferred` makes the other one, which goes on where the stack has no room."""
    machine, known, blamed = recursion.machine, recursion.known, recursion.blamed
    guarded, recalls = recursion.guarded, recursion.recalls
    log = machine.log
    recall = known.get

    def call(term: Term, place: Place) -> Term | None:
        frames = body.frames
        if machine.room < frames:
            return answer(deferred(), term, place)
        met = recall(term)
        if met is not None:
            if met is SETTLED:
                return term
            if met is FAILED:
                machine.blame = (blamed, place)
                return None
            raise endless(blamed, path_of(place))
        if guarded:
            known[term] = WORKING
        mark = len(log)
        machine.room -= frames
        result = body.call(term, place)  # type: ignore[misc]  # it is set before any run
        machine.room += frames
        if result is term and len(log) == mark:
            known[term] = SETTLED
        elif result is None and recalls:
            known[term] = FAILED
        elif guarded:
            del known[term]
        return result

    return call


def recursive_start(recursion: Recursion, body: Code) -> Start:
    """The deferred form."""
    machine, known, blamed = recursion.machine, recursion.known, recursion.blamed
    guarded, recalls = recursion.guarded, recursion.recalls
    log = machine.log
    recall = known.get
    within = body.start

    def start(term: Term, place: Place) -> Asking:
        met = recall(term)
        if met is not None:
            if met is SETTLED:
                return term
            if met is FAILED:
                machine.blame = (blamed, place)
                return None
            raise endless(blamed, path_of(place))
        if guarded:
            known[term] = WORKING
        mark = len(log)
        if within is None:
            result = yield body, term, place
        else:
            result = yield from within(term, place)
        if result is term and len(log) == mark:
            known[term] = SETTLED
        elif result is None and recalls:
            known[term] = FAILED
        elif guarded:
            del known[term]
        return result

    return start
