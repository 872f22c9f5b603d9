"""Compiled one-level traversals: `all_`, `one`, `some`, `child`, and also `position`.

Terms are accessed only through their children. As in `one_place`, the direct form, `..._call`, comes before the
deferred one, `..._start`.
"""

from __future__ import annotations

from itertools import islice

from elevate.engine.machine import Asking, Call, Code, Machine, Start
from elevate.strategy import Strategy
from elevate.term import Place, Term, path_of, place_of, preorder, replaced, with_child


def all_call(machine: Machine, inner: Call) -> Call:
    """Apply to every child."""
    log = machine.log

    def call(term: Term, place: Place) -> Term | None:
        mark = len(log)
        children = term.children
        rewritten: list[Term] = []
        for index, child in enumerate(children):
            machine.visits += 1
            result = inner(child, (place, index))
            if result is None:
                machine.discard(mark)
                return None
            rewritten.append(result)
        return rebuilt(term, children, rewritten)

    return call


def all_start(machine: Machine, inner: Code) -> Start:
    """Apply to every child."""

    start_inner = inner.start

    def start(term: Term, place: Place) -> Asking:
        mark = len(machine.log)
        children = term.children
        rewritten: list[Term] = []
        for index, child in enumerate(children):
            machine.visits += 1
            if start_inner is None:
                result = yield inner, child, (place, index)
            else:
                result = yield from start_inner(child, (place, index))
            if result is None:
                machine.discard(mark)
                return None
            rewritten.append(result)
        return rebuilt(term, children, rewritten)

    return start


def rebuilt(term: Term, children: tuple[Term, ...], rewritten: list[Term]) -> Term:
    """The term with rewritten children, the same object if none changed."""
    if any(new is not old for new, old in zip(rewritten, children, strict=True)):
        return term.rebuild(tuple(rewritten))
    return term


def one_call(machine: Machine, inner: Call, blamed: Strategy) -> Call:
    """Apply to the first child that succeeds."""

    def call(term: Term, place: Place) -> Term | None:
        for index, child in enumerate(term.children):
            machine.visits += 1
            result = inner(child, (place, index))
            if result is not None:
                return with_child(term, index, result)
        machine.blame = (blamed, place)
        return None

    return call


def one_start(machine: Machine, inner: Code, blamed: Strategy) -> Start:
    """Apply to the first child that succeeds."""

    start_inner = inner.start

    def start(term: Term, place: Place) -> Asking:
        for index, child in enumerate(term.children):
            machine.visits += 1
            if start_inner is None:
                result = yield inner, child, (place, index)
            else:
                result = yield from start_inner(child, (place, index))
            if result is not None:
                return with_child(term, index, result)
        machine.blame = (blamed, place)
        return None

    return start


def some_call(machine: Machine, inner: Call, blamed: Strategy) -> Call:
    """Apply to every child that succeeds, at least one."""

    def call(term: Term, place: Place) -> Term | None:
        children = term.children
        machine.visits += len(children)
        results = [inner(child, (place, index)) for index, child in enumerate(children)]
        if all(result is None for result in results):
            machine.blame = (blamed, place)
            return None
        rewritten = [old if new is None else new for new, old in zip(results, children, strict=True)]
        return rebuilt(term, children, rewritten)

    return call


def some_start(machine: Machine, inner: Code, blamed: Strategy) -> Start:
    """Apply to every child that succeeds, at least one."""

    start_inner = inner.start

    def start(term: Term, place: Place) -> Asking:
        children = term.children
        rewritten: list[Term] = []
        succeeded = False
        for index, child in enumerate(children):
            machine.visits += 1
            if start_inner is None:
                result = yield inner, child, (place, index)
            else:
                result = yield from start_inner(child, (place, index))
            succeeded = succeeded or result is not None
            rewritten.append(child if result is None else result)
        if succeeded:
            return rebuilt(term, children, rewritten)
        machine.blame = (blamed, place)
        return None

    return start


def child_call(machine: Machine, index: int, inner: Call, blamed: Strategy) -> Call:
    """Apply to the child at an index."""

    def call(term: Term, place: Place) -> Term | None:
        children = term.children
        if not 0 <= index < len(children):
            machine.blame = (blamed, place)
            return None
        machine.visits += 1
        result = inner(children[index], (place, index))
        return None if result is None else with_child(term, index, result)

    return call


def child_start(machine: Machine, index: int, inner: Code, blamed: Strategy) -> Start:
    """Apply to the child at an index."""

    start_inner = inner.start

    def start(term: Term, place: Place) -> Asking:
        children = term.children
        if not 0 <= index < len(children):
            machine.blame = (blamed, place)
            return None
        machine.visits += 1
        if start_inner is None:
            result = yield inner, children[index], (place, index)
        else:
            result = yield from start_inner(children[index], (place, index))
        return None if result is None else with_child(term, index, result)

    return start


def position_call(machine: Machine, n: int, inner: Call, blamed: Strategy) -> Call:
    """Apply at the n-th place, parents first."""

    def call(term: Term, place: Place) -> Term | None:
        subterm = nth(term, n)
        if subterm is None:
            machine.blame = (blamed, place)
            return None
        machine.visits += 1
        target, below = subterm
        path = path_of(below)
        result = inner(target, place_of(path, place))
        return None if result is None else replaced(term, path, result)

    return call


def position_start(machine: Machine, n: int, inner: Code, blamed: Strategy) -> Start:
    """Apply at the n-th place, parents first."""

    start_inner = inner.start

    def start(term: Term, place: Place) -> Asking:
        subterm = nth(term, n)
        if subterm is None:
            machine.blame = (blamed, place)
            return None
        machine.visits += 1
        target, below = subterm
        path = path_of(below)
        if start_inner is None:
            result = yield inner, target, place_of(path, place)
        else:
            result = yield from start_inner(target, place_of(path, place))
        return None if result is None else replaced(term, path, result)

    return start


def nth(term: Term, n: int) -> tuple[Term, Place] | None:
    """The n-th subterm, parents first, with its place; None if there are fewer."""
    return next(islice(preorder(term), n, None), None) if n >= 0 else None
