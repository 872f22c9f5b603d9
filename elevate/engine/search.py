"""Compiled searching and normalising: loops over a whole term. Terms are accessed only through their children.

As in `one_place`, the direct form, `..._call`, comes before the deferred one, `..._start`. Over a part that is a
recursive definition, `topDown` and `normalize` have no code of their own: their definitions are compiled.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Callable, Sequence
from functools import partial
from itertools import chain
from typing import TypeAlias

from elevate.engine.divergence import cycle
from elevate.engine.machine import Asking, Call, Code, Machine, Start
from elevate.engine.nontermination import CycleWatch, size_of
from elevate.strategy import Strategy
from elevate.term import Place, Term, path_of, preorder, replaced, with_child

Dead: TypeAlias = set[Term]
"""Terms in which a strategy succeeds nowhere: the failure memo of its topDown."""

Frame: TypeAlias = tuple[Term, Sequence[Term], int, Place]
"""A term whose children are being visited: the term, its children (a list if one has changed), the index of the
current child, the place of the term."""


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

    def call(start: Term, top: Place) -> Term | None:
        watch = CycleWatch(log, start, machine.reports_growth)
        above: list[Frame] = []
        candidates: list[int] = []  # of terms at which it may succeed: the number of frames above
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
                    root = child.root
                    is_candidate = roots is None or root in roots
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
                                frame = climb(above, candidates, frame, result.root != root, watch)
                            term, children, index, place = frame
                            break
                    if below := child.children:
                        above.append((term, children, index, place))
                        place = (place, index) if len(above) > 1 else top
                        if is_candidate:
                            candidates.append(len(above))
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
                if candidates and candidates[-1] == len(above):
                    candidates.pop()
                finished = term
                term, children, index, place = above.pop()
                if children[index] is not finished:
                    children = swapped(children, index, finished)
                index += 1

    return call


Climb: TypeAlias = Callable[[list[Frame], list[int], Frame, bool, CycleWatch], Frame]


def climber(machine: Machine, inner: Code, dead: Dead, repeated: Strategy) -> Climb:
    """A function that retries the strategy at the ancestors of a firing, as far up as its depth reaches.

    Terms are rebuilt up to the outermost ancestor that has a root at which the strategy can succeed, or whose root has
    changed; the others when they are left.
    """
    roots = inner.roots
    near, attempt = inner.near, inner.call
    attempt_far = inner.far or attempt
    depth = 1 << 62 if inner.depth is None else inner.depth
    assert attempt is not None and attempt_far is not None, inner
    log = machine.log

    def climb(
        above: list[Frame], candidates: list[int], frame: Frame, root_changed: bool, watch: CycleWatch
    ) -> Frame:
        """Retry from a frame of which a child has changed; returns the frame to continue with."""
        while above:
            level = len(above)
            lowest = max(1, level - depth + 1)
            first = bisect_left(candidates, lowest)
            needed = candidates[first] if first < len(candidates) else level + 1
            if needed > level and not root_changed:
                return frame
            old, children, index, place = frame
            term = old.rebuild(tuple(children))
            frame = (term, term.children, index, place)
            if root_changed:
                root_changed = changed(old, term, level, candidates)
            while level > needed or (root_changed and level > 1):
                level -= 1
                old, children, index, place = above[level]
                term = old.rebuild(tuple(swapped(children, index, term)))
                above[level] = (term, term.children, index, place)
                if root_changed:
                    root_changed = changed(old, term, level, candidates)
            level = len(above)
            last_far_level = level - near  # up to there only parts without a depth need to be tried
            for target in candidates[bisect_left(candidates, lowest) :]:  # outermost first
                term, _, _, place = above[target] if target < level else frame
                if term in dead:
                    continue
                machine.visits += 1
                mark = len(log)
                result = (attempt if target > last_far_level else attempt_far)(term, place)
                if result is None:
                    continue
                if result == term:
                    raise cycle(repeated, log[mark:])
                parent, children, index, place = above[target - 1]
                del above[target - 1 :]
                del candidates[bisect_left(candidates, target) :]
                frame = (parent, swapped(children, index, result), index, place)
                root_changed = result.root != term.root
                if len(log) >= watch.due:
                    watch.look(repeated, partial(size_around, above, frame))
                break
            else:
                return frame
        return frame

    def changed(old: Term, new: Term, level: int, candidates: list[int]) -> bool:
        """Whether the root of a term has changed; updates the candidates."""
        if old.root == new.root:
            return False
        if roots is not None and (new.root in roots) != (old.root in roots):
            if new.root in roots:
                insort(candidates, level)
            else:
                candidates.remove(level)
        return True

    return climb


def size_around(above: Sequence[Frame], frame: Frame) -> int:
    """How many nodes the term of these frames has, including all children of the last one."""
    beside = (
        child for _, siblings, index, _ in above for number, child in enumerate(siblings) if number != index
    )
    return len(above) + size_of(chain(beside, frame[1]))


def swapped(children: Sequence[Term], index: int, child: Term) -> list[Term]:
    """The children with one replaced: a list, which marks that their parent must be rebuilt."""
    changed = children if type(children) is list else list(children)
    changed[index] = child
    return changed


# Note [Resuming]
# normalize(s) = repeat(topDown(s)) searches from the root again after every firing. All places before the one that
# fired, parents first, failed in the search before; of these only its ancestors have changed since. An ancestor beyond
# the depth of s fails as before. So after a firing the ancestors within the depth are tried, outermost first, then the
# new term itself, then the places after it: the order of repeat(topDown(s)), hence the same steps. For a choice,
# ancestors beyond the depth of the bounded alternatives are tried only with the unbounded ones. Terms that were left
# without success are remembered as dead, also as parts of other terms: s depends only on the term it is applied to.
