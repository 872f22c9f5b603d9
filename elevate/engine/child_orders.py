"""Compiled traversals with another order of children. Orders are represented only by their indices.

Each function compiles the deferred form; if the part is direct, `driven` turns it into a direct one. The default order
has separate code, in `children` and `search`.
"""

from __future__ import annotations

from collections.abc import Sequence

from elevate.engine.children import rebuilt
from elevate.engine.machine import Asking, Call, Code, Machine, Start
from elevate.orders import InOrder, Order, places_of
from elevate.strategy import Strategy
from elevate.term import Place, Term, path_of, place_of, replaced, with_child
from elevate.traversals import All, One, Position, Skip, Some, TopDown


def code(machine: Machine, strategy: InOrder, inner: Code, dead: set[Term], blamed: Strategy) -> Code:
    """The code of a traversal in an order; `inner` is the code of its part, `dead` where it fails everywhere."""
    depth = None if inner.depth is None else inner.depth + 1
    match strategy.inner:
        case All():
            start = all_start(machine, strategy.order, inner)
        case One():
            start = one_start(machine, strategy.order, inner, blamed)
        case Some():
            start = some_start(machine, strategy.order, inner, blamed)
        case Position(n, _):
            start, depth = position_start(machine, strategy, n, inner, blamed), None
        case Skip(n, _):
            start, depth = search_start(machine, strategy.order, inner, n, dead, blamed), None
        case TopDown():
            start, depth = search_start(machine, strategy.order, inner, 0, dead, blamed), None
        case other:
            raise AssertionError(other)
    if inner.call is None:
        return Code(strategy, start=start)
    return Code(strategy, driven(start, inner.call), depth=depth)


def driven(start: Start, inner: Call) -> Call:
    """The direct form of a start that asks only for one direct part."""

    def call(term: Term, place: Place) -> Term | None:
        asking = start(term, place)
        value: Term | None = None
        while True:
            try:
                _, part, below = asking.send(value)
            except StopIteration as done:
                result: Term | None = done.value
                return result
            value = inner(part, below)

    return call


def all_start(machine: Machine, order: Order, inner: Code) -> Start:
    """Apply to every child."""

    def start(term: Term, place: Place) -> Asking:
        mark = len(machine.log)
        children = term.children
        rewritten = list(children)
        for index in order.of(term):
            machine.visits += 1
            result = yield inner, children[index], (place, index)
            if result is None:
                machine.discard(mark)
                return None
            rewritten[index] = result
        return rebuilt(term, children, rewritten)

    return start


def one_start(machine: Machine, order: Order, inner: Code, blamed: Strategy) -> Start:
    """Apply to the first child that succeeds."""

    def start(term: Term, place: Place) -> Asking:
        for index in order.of(term):
            machine.visits += 1
            result = yield inner, term.children[index], (place, index)
            if result is not None:
                return with_child(term, index, result)
        machine.blame = (blamed, place)
        return None

    return start


def some_start(machine: Machine, order: Order, inner: Code, blamed: Strategy) -> Start:
    """Apply to every child that succeeds, at least one."""

    def start(term: Term, place: Place) -> Asking:
        children = term.children
        rewritten = list(children)
        succeeded = False
        for index in order.of(term):
            machine.visits += 1
            result = yield inner, children[index], (place, index)
            if result is not None:
                succeeded, rewritten[index] = True, result
        if succeeded:
            return rebuilt(term, children, rewritten)
        machine.blame = (blamed, place)
        return None

    return start


def position_start(machine: Machine, strategy: InOrder, n: int, inner: Code, blamed: Strategy) -> Start:
    """Apply at the n-th place, parents first."""

    def start(term: Term, place: Place) -> Asking:
        for count, (target, below) in enumerate(places_of(strategy, term)):
            if count == n:
                machine.visits += 1
                path = path_of(below)
                result = yield inner, target, place_of(path, place)
                return None if result is None else replaced(term, path, result)
        machine.blame = (blamed, place)
        return None

    return start


def search_start(
    machine: Machine, order: Order, inner: Code, skipped: int, dead: set[Term], blamed: Strategy
) -> Start:
    """Apply at the first place, parents first, after `skipped` others at which the strategy succeeds.

    A term becomes dead when it is left without success, unless it contains a skipped place.
    """
    roots = inner.roots

    def start(term: Term, start_place: Place) -> Asking:
        mark = len(machine.log)
        remaining = skipped
        above: list[tuple[Term, Sequence[int], int, Place]] = []
        skipped_depth = -1  # how many of `above` contain a skipped place
        place = start_place
        while True:
            if term not in dead:
                machine.visits += 1
                if roots is None or term.root in roots:
                    result = yield inner, term, place
                    if result is not None and not remaining:
                        for parent, indices, position, _ in reversed(above):
                            result = with_child(parent, indices[position], result)
                        return result
                    if result is not None:
                        remaining -= 1
                        machine.discard(mark)
                        skipped_depth = len(above)
                indices = order.of(term)
                if indices:
                    above.append((term, indices, 0, place))
                    term, place = term.children[indices[0]], (place, indices[0])
                    continue
                if skipped_depth < len(above):
                    dead.add(term)
            while above:
                parent, indices, position, parent_place = above.pop()
                skipped_depth = min(skipped_depth, len(above))
                position += 1
                if position < len(indices):
                    above.append((parent, indices, position, parent_place))
                    term, place = parent.children[indices[position]], (parent_place, indices[position])
                    break
                if skipped_depth < len(above):
                    dead.add(parent)
            else:
                machine.blame = (blamed, start_place)
                return None

    return start
