"""Searching and normalising, compiled: loops over a whole term. Knows a term by its children only.

As in `one_place`, the direct form, `..._call`, stands before the deferred one, `..._start`. Over a part that calls
itself down the term, `topDown` and `normalize` have no code of their own: their definitions are compiled.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Callable, Sequence
from functools import partial
from itertools import chain
from typing import TypeAlias

from elevate.engine.divergence import cycle
from elevate.engine.endless import CycleWatch, size_of
from elevate.engine.machine import Asking, Call, Code, Machine, Start
from elevate.strategy import Strategy
from elevate.term import Place, Term, path_of, preorder, replaced, with_child

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


def normalize_call(machine: Machine, inner: Code, dead: Dead, repeated: Strategy) -> Call:
    """Apply at the first place, parents first, until it applies nowhere; see Note [Resuming]."""
    attempt = inner.call
    assert attempt is not None, inner
    roots = inner.roots
    depth = inner.depth
    log = machine.log
    bury = dead.add
    climb = climber(machine, inner, dead, repeated)

    def call(start: Term, top: Place) -> Term | None:
        watch = CycleWatch(log, start, machine.lasting)
        above: list[Frame] = []
        candidates: list[int] = []  # of terms at which it may succeed: how many frames stand above theirs
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
                    root = child.root
                    wanted = roots is None or root in roots
                    if wanted:
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
                        if wanted:
                            candidates.append(len(above))
                        term, children, index = child, below, 0
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
                if candidates and candidates[-1] == len(above):
                    candidates.pop()
                done = term
                term, children, index, place = above.pop()
                if children[index] is not done:
                    children = swapped(children, index, done)
                index += 1

    return call


Climb: TypeAlias = Callable[[list[Frame], list[int], Frame, bool, CycleWatch], Frame]


def climber(machine: Machine, inner: Code, dead: Dead, repeated: Strategy) -> Climb:
    """Makes what tries again what stands above a firing, as far as the strategy can see.

    Terms are rebuilt up to the outermost of them that has a root at which the strategy can succeed, or whose root is
    another one now; the others when they are left.
    """
    roots = inner.roots
    near, attempt = inner.near, inner.call
    attempt_far = inner.far or attempt
    sight = 1 << 62 if inner.depth is None else inner.depth
    assert attempt is not None and attempt_far is not None, inner
    log = machine.log

    def climb(
        above: list[Frame], candidates: list[int], frame: Frame, other_root: bool, watch: CycleWatch
    ) -> Frame:
        """From the frame, where a child has changed, to the frame to go on with."""
        while above:
            level = len(above)
            lowest = max(1, level - sight + 1)
            first = bisect_left(candidates, lowest)
            needed = candidates[first] if first < len(candidates) else level + 1
            if needed > level and not other_root:
                return frame
            old, children, index, place = frame
            term = old.rebuild(tuple(children))
            frame = (term, term.children, index, place)
            if other_root:
                other_root = changed(old, term, level, candidates)
            while level > needed or (other_root and level > 1):
                level -= 1
                old, children, index, place = above[level]
                term = old.rebuild(tuple(swapped(children, index, term)))
                above[level] = (term, term.children, index, place)
                if other_root:
                    other_root = changed(old, term, level, candidates)
            level = len(above)
            seen = level - near  # further up only what sees further needs to be tried
            for target in candidates[bisect_left(candidates, lowest) :]:  # outermost first
                term, _, _, place = above[target] if target < level else frame
                if term in dead:
                    continue
                machine.visits += 1
                mark = len(log)
                result = (attempt if target > seen else attempt_far)(term, place)
                if result is None:
                    continue
                if result == term:
                    raise cycle(repeated, log[mark:])
                parent, children, index, place = above[target - 1]
                del above[target - 1 :]
                del candidates[bisect_left(candidates, target) :]
                frame = (parent, swapped(children, index, result), index, place)
                other_root = result.root != term.root
                if len(log) >= watch.due:
                    watch.look(repeated, partial(size_around, above, frame))
                break
            else:
                return frame
        return frame

    def changed(old: Term, new: Term, level: int, candidates: list[int]) -> bool:
        """Whether a term has another root now; keeps the candidates."""
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
    """How many nodes the term has that these frames are of, all children of the last one included."""
    beside = (
        child for _, siblings, index, _ in above for number, child in enumerate(siblings) if number != index
    )
    return len(above) + size_of(chain(beside, frame[1]))


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
# repeat(topDown(s)), hence the same steps. Of a choice, ancestors further up than most of it sees are tried only with
# the alternatives that see further. Terms that were left behind without success are remembered
# as dead, also as parts of other terms: s sees nothing but the term it is given.
