"""Recursive definitions, which apply themselves to subterms, in both forms. Terms are used only as keys of a memo.

What a definition remembers about a term holds for the rest of the run, see `Recursion`.
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
"""What a recursive definition remembers about a term."""


@dataclass(frozen=True, slots=True)
class Recursion:
    """What both forms of a definition have in common."""

    machine: Machine
    known: dict[Term, str]
    """The terms that it leaves unchanged without a step and, with `recalls`, those on which it fails."""
    recalls: bool
    """Whether failures are remembered: not if a part may be blamed for them."""
    guarded: bool
    """Whether a call on a term that is being rewritten raises StrategyError: it would never end."""
    blamed: Strategy


def recursive_call(recursion: Recursion, body: Code, deferred: Callable[[], Code]) -> Call:
    """The direct form; `deferred` compiles the other one, which is used when the stack is full."""
    machine, known, blamed = recursion.machine, recursion.known, recursion.blamed
    guarded, recalls = recursion.guarded, recursion.recalls
    log = machine.log
    recall = known.get

    def call(term: Term, place: Place) -> Term | None:
        frames = body.frames
        if machine.free_frames < frames:
            return answer(deferred(), term, place)
        state = recall(term)
        if state is not None:
            if state is SETTLED:
                return term
            if state is FAILED:
                machine.blame = (blamed, place)
                return None
            raise endless(blamed, path_of(place))
        if guarded:
            known[term] = WORKING
        mark = len(log)
        machine.free_frames -= frames
        result = body.call(term, place)  # type: ignore[misc]  # set before any run
        machine.free_frames += frames
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
        state = recall(term)
        if state is not None:
            if state is SETTLED:
                return term
            if state is FAILED:
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
