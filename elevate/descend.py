"""Direct code of searching and normalising: loops over a whole term. Knows a term by its children only."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import TypeAlias

from elevate.divergence import CycleWatch, cycle
from elevate.machine import Call, Code, Machine
from elevate.strategy import Strategy
from elevate.term import Place, Term, path_of, place_of, preorder, replaced, with_child

Dead: TypeAlias = set[Term]
"""Terms in which a strategy succeeds nowhere: the failure memo of its topDown."""

Frame: TypeAlias = tuple[Term, Sequence[Term], int, Place]
"""A term whose children are walked: itself, the children (a list where one has changed), the index of
the current one, the place of the term."""


def search_call(machine: Machine, inner: Code, skipped: int, dead: Dead, blamed: Strategy) -> Call:
    """Apply at the first place, parents first, after `skipped` other places at which it succeeds."""
    attempt = inner.call
    assert attempt is not None, inner
    roots = inner.roots
    log = machine.log

    def call(start: Term, top: Place) -> Term | None:
        mark = len(log)
        left = skipped
        above: list[Frame] = []
        holding = -1  # how many of `above` hold a skipped place: those up to this index, being on one path
        term, place = start, top
        while True:
            if term not in dead:
                machine.visits += 1
                if roots is None or term.root in roots:
                    result = attempt(term, place)
                    if result is not None:
                        if not left:
                            for parent, _, index, _ in reversed(above):
                                result = with_child(parent, index, result)
                            return result
                        left -= 1
                        machine.discard(mark)
                        holding = len(above)
                children = term.children
                if children:
                    above.append((term, children, 0, place))
                    term, place = children[0], (place, 0)
                    continue
                if holding < len(above):
                    dead.add(term)
            while above:
                parent, siblings, index, parent_place = above.pop()
                holding = min(holding, len(above))
                index += 1
                if index < len(siblings):
                    above.append((parent, siblings, index, parent_place))
                    term, place = siblings[index], (parent_place, index)
                    break
                if holding < len(above):
                    dead.add(parent)
            else:
                machine.blame = (blamed, top)
                return None

    return call


def position_call(machine: Machine, n: int, inner: Call, blamed: Strategy) -> Call:
    """Apply at the n-th place, parents first."""

    def call(term: Term, place: Place) -> Term | None:
        found = nth(term, n)
        if found is None:
            machine.blame = (blamed, place)
            return None
        machine.visits += 1
        target, below = found
        path = path_of(below)
        result = inner(target, place_of(path, place))
        return None if result is None else replaced(term, path, result)

    return call


def nth(term: Term, n: int) -> tuple[Term, Place] | None:
    """The n-th subterm, parents first, with its place; None where there are fewer."""
    return next(islice(preorder(term), n, None), None) if n >= 0 else None


def normalize_call(machine: Machine, inner: Code, dead: Dead, repeated: Strategy) -> Call:
    """Apply at the first place, parents first, until it applies nowhere; see Note [Resuming]."""
    attempt = inner.call
    assert attempt is not None, inner
    roots = inner.roots
    depth = inner.depth
    log = machine.log
    bury = dead.add

    def fire(term: Term, place: Place, watch: CycleWatch) -> Term | None:
        mark = len(log)
        result = attempt(term, place)
        if result is not None:
            if result == term:
                raise cycle(repeated, log[mark:])
            watch.check(repeated)
        return result

    def climb(above: list[Frame], frame: Frame, watch: CycleWatch) -> Frame:
        """After a firing below the frame's term: try again what stands above, as far as it can see."""
        while above:
            term, children, index, place = frame
            term = term.rebuild(tuple(children))
            frame = (term, term.children, index, place)
            lowest = 1 if depth is None else max(1, len(above) - depth + 1)
            for level in range(len(above) - 1, lowest - 1, -1):
                parent, siblings, at, parent_place = above[level]
                term = parent.rebuild(tuple(swapped(siblings, at, term)))
                above[level] = (term, term.children, at, parent_place)
            for level in range(lowest, len(above) + 1):  # outermost first
                term, _, _, place = above[level] if level < len(above) else frame
                if (roots is None or term.root in roots) and term not in dead:
                    machine.visits += 1
                    result = fire(term, place, watch)
                    if result is not None:
                        parent, siblings, index, place = above[level - 1]
                        del above[level - 1 :]
                        frame = (parent, swapped(siblings, index, result), index, place)
                        break
            else:
                break
        return frame

    def call(start: Term, top: Place) -> Term | None:
        watch = CycleWatch(log)
        above: list[Frame] = []
        # The frame whose children are walked. The outermost stands for the parent of `start`.
        term: Term = start
        children: Sequence[Term] = (start,)
        index = 0
        place = top
        visits = 0
        while True:
            for child in children if not index else children[index:]:
                if child not in dead:
                    visits += 1
                    if roots is None or child.root in roots:
                        result = fire(child, (place, index) if above else top, watch)
                        if result is not None:
                            frame: Frame = (term, swapped(children, index, result), index, place)
                            if above and depth != 0:
                                frame = climb(above, frame, watch)
                            term, children, index, place = frame
                            break
                    if child.children:
                        frame = (term, children, index, place)
                        place = (place, index) if above else top
                        above.append(frame)
                        term, children, index = child, child.children, 0
                        break
                    bury(child)
                index += 1
            else:
                if not above:
                    machine.visits += visits
                    return children[0]
                if type(children) is list:
                    term = term.rebuild(tuple(children))
                bury(term)
                done = term
                term, children, index, place = above.pop()
                if children[index] is not done:
                    children = swapped(children, index, done)
                index += 1

    return call


def swapped(children: Sequence[Term], index: int, child: Term) -> list[Term]:
    """The children with another at one index: a list, which tells that their parent is to be rebuilt."""
    changed = children if type(children) is list else list(children)
    changed[index] = child
    return changed


# Note [Resuming]
# normalize(s) = repeat(topDown(s)) searches from the root again after every firing. All places before
# the one that fired, parents first, failed in the search before; of these only its ancestors have
# changed since. An ancestor further up than s can see fails as before. So after a firing the ancestors
# in sight are tried, outermost first, then the new term itself, then what follows it: the order of
# repeat(topDown(s)), hence the same steps. Terms that were left behind without success are remembered
# as dead, also as parts of other terms: s sees nothing but the term it is given.
