"""Deferred code: combinators and traversals over parts that may call themselves down the term.

Knows a term by its children only. Every function takes compiled parts and makes a start; the direct
forms of the same combinators stand in direct.py. A part whose code is ready is asked on the spot; one that is
being compiled is a definition that calls itself, and is asked through the machine.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from elevate.engine.direct import rebuilt
from elevate.engine.endless import TermWatch
from elevate.engine.machine import Asking, Code, Machine, Start
from elevate.engine.search import nth
from elevate.strategy import Strategy
from elevate.term import Place, Term, path_of, place_of, preorder, replaced, with_child


def seq_start(machine: Machine, parts: Sequence[Code]) -> Start:
    """One after the other; what was fired before a failure is discarded."""
    steps = [(part.call, part.start, part) for part in parts]
    log = machine.log

    def start(term: Term, place: Place) -> Asking:
        mark = len(log)
        for call, within, part in steps:
            result: Term | None
            if call is not None:
                result = call(term, place)
            elif within is not None:
                result = yield from within(term, place)
            else:
                result = yield part, term, place
            if result is None:
                if len(log) > mark:
                    machine.discard(mark)
                return None
            term = result
        return term

    return start


def choice_start(machine: Machine, alternatives: Sequence[Code], blamed: Strategy) -> Start:
    """The first that succeeds."""
    known: set[Hashable] = set().union(*(code.roots for code in alternatives if code.roots is not None))
    every = [(code.roots, (code.call, code.start, code)) for code in alternatives]
    anywhere = [ways for roots, ways in every if roots is None]
    table = {root: [ways for roots, ways in every if roots is None or root in roots] for root in known}

    def start(term: Term, place: Place) -> Asking:
        for call, within, code in table.get(term.root, anywhere):
            if call is not None:
                result = call(term, place)
            elif within is not None:
                result = yield from within(term, place)
            else:
                result = yield code, term, place
            if result is not None:
                return result
        machine.blame = (blamed, place)
        return None

    return start


def not_start(machine: Machine, inner: Code, blamed: Strategy) -> Start:
    """Succeed where the strategy fails."""

    within = inner.start

    def start(term: Term, place: Place) -> Asking:
        mark = len(machine.log)
        if within is None:
            result = yield inner, term, place
        else:
            result = yield from within(term, place)
        if result is None:
            return term
        machine.discard(mark)
        machine.blame = (blamed, place)
        return None

    return start


def repeat_start(machine: Machine, inner: Code, blamed: Strategy) -> Start:
    """Apply until it fails; a term met before raises."""

    within = inner.start

    def start(term: Term, place: Place) -> Asking:
        watch = TermWatch(machine.log, term, machine.lasting)
        while True:
            if within is None:
                result = yield inner, term, place
            else:
                result = yield from within(term, place)
            if result is None:
                return term
            term = result
            watch.check(term, blamed)

    return start


def all_start(machine: Machine, inner: Code) -> Start:
    """Every child."""

    within = inner.start

    def start(term: Term, place: Place) -> Asking:
        mark = len(machine.log)
        children = term.children
        rewritten: list[Term] = []
        for index, child in enumerate(children):
            machine.visits += 1
            if within is None:
                result = yield inner, child, (place, index)
            else:
                result = yield from within(child, (place, index))
            if result is None:
                machine.discard(mark)
                return None
            rewritten.append(result)
        return rebuilt(term, children, rewritten)

    return start


def one_start(machine: Machine, inner: Code, blamed: Strategy) -> Start:
    """The first child that succeeds."""

    within = inner.start

    def start(term: Term, place: Place) -> Asking:
        for index, child in enumerate(term.children):
            machine.visits += 1
            if within is None:
                result = yield inner, child, (place, index)
            else:
                result = yield from within(child, (place, index))
            if result is not None:
                return with_child(term, index, result)
        machine.blame = (blamed, place)
        return None

    return start


def some_start(machine: Machine, inner: Code, blamed: Strategy) -> Start:
    """Every child that succeeds, at least one."""

    within = inner.start

    def start(term: Term, place: Place) -> Asking:
        children = term.children
        rewritten: list[Term] = []
        succeeded = False
        for index, child in enumerate(children):
            machine.visits += 1
            if within is None:
                result = yield inner, child, (place, index)
            else:
                result = yield from within(child, (place, index))
            succeeded = succeeded or result is not None
            rewritten.append(child if result is None else result)
        if succeeded:
            return rebuilt(term, children, rewritten)
        machine.blame = (blamed, place)
        return None

    return start


def child_start(machine: Machine, index: int, inner: Code, blamed: Strategy) -> Start:
    """One child by its index."""

    within = inner.start

    def start(term: Term, place: Place) -> Asking:
        children = term.children
        if not 0 <= index < len(children):
            machine.blame = (blamed, place)
            return None
        machine.visits += 1
        if within is None:
            result = yield inner, children[index], (place, index)
        else:
            result = yield from within(children[index], (place, index))
        return None if result is None else with_child(term, index, result)

    return start


def position_start(machine: Machine, n: int, inner: Code, blamed: Strategy) -> Start:
    """The n-th place, parents first."""

    within = inner.start

    def start(term: Term, place: Place) -> Asking:
        found = nth(term, n)
        if found is None:
            machine.blame = (blamed, place)
            return None
        machine.visits += 1
        target, below = found
        path = path_of(below)
        if within is None:
            result = yield inner, target, place_of(path, place)
        else:
            result = yield from within(target, place_of(path, place))
        return None if result is None else replaced(term, path, result)

    return start


def skip_start(machine: Machine, n: int, inner: Code, blamed: Strategy) -> Start:
    """The first place, parents first, after n others at which the strategy succeeds."""

    within = inner.start

    def start(term: Term, place: Place) -> Asking:
        mark = len(machine.log)
        left = n
        for target, below in preorder(term, place):
            machine.visits += 1
            if within is None:
                result = yield inner, target, below
            else:
                result = yield from within(target, below)
            if result is not None and left == 0:
                path = path_of(below)[len(path_of(place)) :]
                return replaced(term, path, result)
            if result is not None:
                left -= 1
                machine.discard(mark)
        machine.blame = (blamed, place)
        return None

    return start
