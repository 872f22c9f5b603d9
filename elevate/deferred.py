"""Deferred code: combinators and traversals over parts that may call themselves down the term.

Knows a term by its children only. Every function takes compiled parts and makes a start; the direct
forms of the same combinators stand in direct.py.
"""

from __future__ import annotations

from collections.abc import Sequence

from elevate.descend import nth
from elevate.direct import TermWatch, rebuilt
from elevate.divergence import endless
from elevate.machine import Asking, Code, Machine, Start
from elevate.strategy import Strategy
from elevate.term import Place, Term, path_of, place_of, preorder, replaced, with_child


def seq_start(machine: Machine, parts: Sequence[Code]) -> Start:
    """One after the other; what was fired before a failure is discarded."""

    def start(term: Term, place: Place) -> Asking:
        mark = len(machine.log)
        here = term
        for part in parts:
            result = yield part, here, place
            if result is None:
                machine.discard(mark)
                return None
            here = result
        return here

    return start


def choice_start(machine: Machine, alternatives: Sequence[Code], blamed: Strategy) -> Start:
    """The first that succeeds."""

    def start(term: Term, place: Place) -> Asking:
        for code in alternatives:
            if code.roots is None or term.root in code.roots:
                result = yield code, term, place
                if result is not None:
                    return result
        machine.blame = (blamed, place)
        return None

    return start


def not_start(machine: Machine, inner: Code, blamed: Strategy) -> Start:
    """Succeed where the strategy fails."""

    def start(term: Term, place: Place) -> Asking:
        mark = len(machine.log)
        result = yield inner, term, place
        if result is None:
            return term
        machine.discard(mark)
        machine.blame = (blamed, place)
        return None

    return start


def repeat_start(machine: Machine, inner: Code, blamed: Strategy) -> Start:
    """Apply until it fails; a term met before raises."""

    def start(term: Term, place: Place) -> Asking:
        watch = TermWatch(machine.log, term)
        while True:
            result = yield inner, term, place
            if result is None:
                return term
            term = result
            watch.check(term, blamed)

    return start


def all_start(machine: Machine, inner: Code) -> Start:
    """Every child."""

    def start(term: Term, place: Place) -> Asking:
        mark = len(machine.log)
        children = term.children
        rewritten: list[Term] = []
        for index, child in enumerate(children):
            machine.visits += 1
            result = yield inner, child, (place, index)
            if result is None:
                machine.discard(mark)
                return None
            rewritten.append(result)
        return rebuilt(term, children, rewritten)

    return start


def one_start(machine: Machine, inner: Code, blamed: Strategy) -> Start:
    """The first child that succeeds."""

    def start(term: Term, place: Place) -> Asking:
        for index, child in enumerate(term.children):
            machine.visits += 1
            result = yield inner, child, (place, index)
            if result is not None:
                return with_child(term, index, result)
        machine.blame = (blamed, place)
        return None

    return start


def some_start(machine: Machine, inner: Code, blamed: Strategy) -> Start:
    """Every child that succeeds, at least one."""

    def start(term: Term, place: Place) -> Asking:
        children = term.children
        rewritten: list[Term] = []
        succeeded = False
        for index, child in enumerate(children):
            machine.visits += 1
            result = yield inner, child, (place, index)
            succeeded = succeeded or result is not None
            rewritten.append(child if result is None else result)
        if succeeded:
            return rebuilt(term, children, rewritten)
        machine.blame = (blamed, place)
        return None

    return start


def child_start(machine: Machine, index: int, inner: Code, blamed: Strategy) -> Start:
    """One child by its index."""

    def start(term: Term, place: Place) -> Asking:
        children = term.children
        if not 0 <= index < len(children):
            machine.blame = (blamed, place)
            return None
        machine.visits += 1
        result = yield inner, children[index], (place, index)
        return None if result is None else with_child(term, index, result)

    return start


def position_start(machine: Machine, n: int, inner: Code, blamed: Strategy) -> Start:
    """The n-th place, parents first."""

    def start(term: Term, place: Place) -> Asking:
        found = nth(term, n)
        if found is None:
            machine.blame = (blamed, place)
            return None
        machine.visits += 1
        target, below = found
        path = path_of(below)
        result = yield inner, target, place_of(path, place)
        return None if result is None else replaced(term, path, result)

    return start


def skip_start(machine: Machine, n: int, inner: Code, blamed: Strategy) -> Start:
    """The first place, parents first, after n others at which the strategy succeeds."""

    def start(term: Term, place: Place) -> Asking:
        mark = len(machine.log)
        left = n
        for target, below in preorder(term, place):
            machine.visits += 1
            result = yield inner, target, below
            if result is not None and left == 0:
                path = path_of(below)[len(path_of(place)) :]
                return replaced(term, path, result)
            if result is not None:
                left -= 1
                machine.discard(mark)
        machine.blame = (blamed, place)
        return None

    return start


def recursive_start(
    machine: Machine, body: Code, failed: set[Term] | None, guarded: bool, blamed: Strategy
) -> Start:
    """A definition that calls itself further down.

    `failed` remembers where it fails; None where a part may be to blame. Where `guarded`, a call on a
    term that it is working on raises StrategyError: it would never end.
    """
    working: set[Term] = set()

    def start(term: Term, place: Place) -> Asking:
        if failed is not None and term in failed:
            machine.blame = (blamed, place)
            return None
        if guarded:
            if term in working:
                raise endless(blamed, path_of(place))
            working.add(term)
        result = yield body, term, place
        if guarded:
            working.discard(term)
        if result is None and failed is not None:
            failed.add(term)
        return result

    return start if failed is not None or guarded else body_start(body)


def body_start(body: Code) -> Start:
    """The deferred code of a definition itself."""
    assert body.start is not None, body
    return body.start
