"""Compiled searching and normalising: loops over a whole term. Terms are accessed only through their children.

As in `one_place`, the direct form, `..._call`, comes before the deferred one, `..._start`. Over a part that is a
recursive definition, `topDown` and `normalize` have no code of their own: their definitions are compiled.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TypeAlias

from elevate.engine.ancestors import Ancestors, Frame, Reaches, climber, size_around, swapped
from elevate.engine.divergence import cycle
from elevate.engine.machine import Asking, Call, Code, Machine, Start
from elevate.engine.nontermination import CycleWatch
from elevate.strategy import Strategy
from elevate.term import Binding, Place, Term, path_of, preorder, replaced, with_child

Dead: TypeAlias = set[Term]
"""Terms in which a strategy succeeds nowhere: the failure memo of its topDown."""


def search_call(machine: Machine, inner: Code, skipped: int, dead: Dead, blamed: Strategy) -> Call:
    """Apply at the first place, parents first, after `skipped` other places at which it succeeds."""
    attempt = inner.call
    assert attempt is not None, inner
    roots = inner.roots
    log = machine.log

    def call(start: Term, top: Place) -> Term | None:
        mark = len(log)
        remaining = skipped
        above: list[Frame] = []
        skipped_depth = -1  # how many of `above` contain a skipped place: the first ones
        term, place = start, top
        while True:
            if term not in dead:
                machine.visits += 1
                if roots is None or term.root in roots:
                    result = attempt(term, place)
                    if result is not None:
                        if not remaining:
                            for parent, _, index, _ in reversed(above):
                                result = with_child(parent, index, result)
                            return result
                        remaining -= 1
                        machine.discard(mark)
                        skipped_depth = len(above)
                children = term.children
                if children:
                    above.append((term, children, 0, place))
                    term, place = children[0], (place, 0)
                    continue
                if skipped_depth < len(above):
                    dead.add(term)
            while above:
                parent, siblings, index, parent_place = above.pop()
                skipped_depth = min(skipped_depth, len(above))
                index += 1
                if index < len(siblings):
                    above.append((parent, siblings, index, parent_place))
                    term, place = siblings[index], (parent_place, index)
                    break
                if skipped_depth < len(above):
                    dead.add(parent)
            else:
                machine.blame = (blamed, top)
                return None

    return call


def skip_start(machine: Machine, n: int, inner: Code, blamed: Strategy) -> Start:
    """Apply at the first place, parents first, after n others at which the strategy succeeds."""

    start_inner = inner.start

    def start(term: Term, place: Place) -> Asking:
        mark = len(machine.log)
        remaining = n
        for target, below in preorder(term, place):
            machine.visits += 1
            if start_inner is None:
                result = yield inner, target, below
            else:
                result = yield from start_inner(target, below)
            if result is not None and remaining == 0:
                path = path_of(below)[len(path_of(place)) :]
                return replaced(term, path, result)
            if result is not None:
                remaining -= 1
                machine.discard(mark)
        machine.blame = (blamed, place)
        return None

    return start


def normalize_call(machine: Machine, inner: Code, dead: Dead, repeated: Strategy) -> Call:
    """Apply at the first place, parents first, until it applies nowhere; see Note [Resuming]."""
    attempt = inner.call
    assert attempt is not None, inner
    roots = inner.roots
    depth = inner.depth
    log = machine.log
    mark_dead = dead.add
    climb = climber(machine, inner, dead, repeated)
    known: dict[bool, Reaches] = {}  # by whether terms say what they mention

    def call(start: Term, top: Place) -> Term | None:
        watch = CycleWatch(log, start, machine.reports_growth)
        is_binding = isinstance(start, Binding)
        if is_binding not in known:
            known[is_binding] = Reaches(inner, is_binding)
        reaches = known[is_binding]
        around = Ancestors(roots, reaches)
        above, candidates, binders, whole = around.above, around.candidates, around.binders, around.whole
        has_binders, is_whole = reaches.has_binders, reaches.is_whole
        # The frame whose children are being visited. The outermost represents the parent of `start`.
        term: Term = start
        children: Sequence[Term] = (start,)
        index = 0
        place = top
        visits = 0
        while True:
            for child in children if not index else children[index:]:
                if child not in dead:
                    visits += 1
                    is_candidate = roots is None or child.root in roots
                    if is_candidate:
                        mark = len(log)
                        result = attempt(child, (place, index) if above else top)
                        if result is not None:
                            if result == child:
                                raise cycle(repeated, log[mark:])
                            children = swapped(children, index, result)
                            frame: Frame = (term, children, index, place)
                            if len(log) >= watch.due:
                                watch.look(repeated, partial(size_around, above, frame))
                            if above and depth != 0:
                                frame = climb(around, frame, child, result, watch)
                            term, children, index, place = frame
                            break
                    if below := child.children:
                        level = len(above)
                        if depth is None and candidates and candidates[-1] == level and is_whole(term, index):
                            whole.append(level)
                        above.append((term, children, index, place))
                        level += 1
                        place = (place, index) if level > 1 else top
                        if is_candidate:
                            candidates.append(level)
                        if has_binders and child.binds:  # type: ignore[attr-defined]  # these terms have it
                            binders.append(level)
                        term, children, index = child, below, 0
                        break
                    mark_dead(child)
                index += 1
            else:
                if not above:
                    machine.visits += visits
                    return children[0]
                if type(children) is list:
                    term = term.rebuild(tuple(children))
                mark_dead(term)
                level = len(above)
                if candidates and candidates[-1] == level:
                    candidates.pop()
                if binders and binders[-1] == level:
                    binders.pop()
                if whole and whole[-1] == level - 1:
                    whole.pop()
                finished = term
                term, children, index, place = above.pop()
                if children[index] is not finished:
                    children = swapped(children, index, finished)
                index += 1

    return call


# Note [Resuming]
# normalize(s) = repeat(topDown(s)) searches from the root again after every firing. All places before the one that
# fired, parents first, failed in the search before; of these only its ancestors have changed since. An ancestor beyond
# the depth of s, or which the change does not concern according to the reach of s, fails as before. So after a firing
# the others are tried, outermost first, then the new term itself, then the places after it: the order of
# repeat(topDown(s)), hence the same steps. For a choice, ancestors beyond the depth of the bounded alternatives are
# tried only with the unbounded ones. Terms that were left without success are remembered as dead, also as parts of
# other terms: s depends only on the term it is applied to.
