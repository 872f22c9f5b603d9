"""The ancestors of a place that changed at which a normalisation tries again; see Note [Resuming] in `search`.

A rule with a depth is tried again at the ancestors within its depth. Any other one is tried at those that the change
may concern according to its `Reach`: if the change is in a child that it inspects as a whole, or in a term that
mentions a variable whose uses it inspects. Independent of what strategies mean; `search` calls it.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import chain
from typing import Any, Final, TypeAlias

from elevate.engine.divergence import cycle
from elevate.engine.machine import Code, Machine
from elevate.engine.nontermination import CycleWatch, size_of
from elevate.rules import Reach
from elevate.strategy import Strategy
from elevate.term import Path, Place, Term

Frame: TypeAlias = tuple[Term, Sequence[Term], int, Place]
"""A term whose children are being visited: the term, its children (a list if one has changed), the index of the
current child, the place of the term."""

ANYWHERE: Final = Reach(0)
"""The reach of a rule that does not declare one: all children, as a whole."""


class Reaches:
    """The reaches of the parts of a strategy that have no depth, by the roots at which they can succeed."""

    __slots__ = ("_known", "_parts", "has_binders", "paths")

    def __init__(self, inner: Code, has_binders: bool) -> None:
        parts = [code for code in inner.alternatives or (inner,) if code.depth is None]
        self._parts = [(code.roots, _told(code.reach, has_binders)) for code in parts]
        self._known: dict[Hashable, tuple[Reach, ...]] = {}
        self.paths = sorted({path for _, reach in self._parts for path in reach.variables_of})
        self.has_binders = has_binders and bool(self.paths)

    def at(self, root: Hashable) -> tuple[Reach, ...]:
        """The reaches of the parts that can succeed at a root."""
        found = self._known.get(root)
        if found is None:
            found = tuple(reach for roots, reach in self._parts if roots is None or root in roots)
            self._known[root] = found
        return found

    def is_whole(self, term: Term, index: int) -> bool:
        """Whether a part inspects all of a child of a term."""
        return any(reach.whole is None or index in reach.whole for reach in self.at(term.root))

    def concern_child(self, term: Term, index: int) -> bool:
        """Whether a part that inspects all of a child may succeed at a term."""
        for reach in self.at(term.root):
            if (reach.whole is None or index in reach.whole) and (reach.fits is None or reach.fits(term)):
                return True
        return False

    def concern_variable(self, term: Term, path: Path) -> tuple[bool, bool]:
        """Whether a part that inspects the uses of the variable at a path may succeed at a term: one that may do so
        whatever is left of them, and one for which there must be at most one.
        """
        always = once = False
        for reach in self.at(term.root):
            if path in reach.variables_of and (reach.fits is None or reach.fits(term)):
                always, once = always or not reach.once, once or reach.once
        return always, once


def _told(reach: Reach | None, has_binders: bool) -> Reach:
    """A reach, for terms that say what they mention, or do not."""
    if reach is None or (reach.variables_of and not has_binders):
        return ANYWHERE
    return reach


@dataclass(slots=True)
class Ancestors:
    """The frames above the current one, outermost first; the first one represents the parent of the root.

    The level of a frame is the number of frames above it. The lists have levels in ascending order.
    """

    roots: frozenset[Hashable] | None
    """The roots at which the strategy may succeed; None for any."""
    reaches: Reaches
    above: list[Frame] = field(default_factory=list)
    candidates: list[int] = field(default_factory=list)
    """Levels of terms with these roots."""
    binders: list[int] = field(default_factory=list)
    """Levels of terms that bind a variable, if a part inspects the uses of one."""
    whole: list[int] = field(default_factory=list)
    """Levels of frames above the current one whose current child a part without a depth inspects as a whole."""

    def leave(self, target: int) -> Frame:
        """Remove the frames from the one above a level on; returns that one, which is the current one now."""
        frame = self.above[target - 1]
        del self.above[target - 1 :]
        del self.candidates[bisect_left(self.candidates, target) :]
        del self.binders[bisect_left(self.binders, target) :]
        del self.whole[bisect_left(self.whole, target - 1) :]
        return frame

    def change_root(self, old: Term, new: Term, level: int) -> None:
        """Update the lists for a term whose root has changed."""
        is_candidate = self.roots is None or new.root in self.roots
        if is_candidate != (self.roots is None or old.root in self.roots):
            if is_candidate:
                insort(self.candidates, level)
            else:
                self.candidates.remove(level)
        if level < len(self.above):
            position = bisect_left(self.whole, level)
            was_whole = self.whole[position : position + 1] == [level]
            is_whole = is_candidate and self.reaches.is_whole(new, self.above[level][2])
            if is_whole and not was_whole:
                self.whole.insert(position, level)
            elif was_whole and not is_whole:
                del self.whole[position]

    def concerned(self, change: Change, frame: Frame, lowest: int) -> list[int]:
        """The levels further out than `lowest` at which a part without a depth may succeed after a change. `frame` is
        the innermost one.
        """
        above, reaches = self.above, self.reaches
        found = {
            level
            for level in self.whole[: bisect_left(self.whole, lowest)]
            if reaches.concern_child(above[level][0], above[level][2])
        }
        if not reaches.has_binders:
            return sorted(found)
        used_once: list[tuple[int, int]] = []  # the bits of variables, and levels to try if one use is left
        for bit, position in change.mentioned(self.binders):
            for path in reaches.paths:
                level = self.binders[position] - len(path)
                if 0 < level < lowest and level not in found and _is_on(path, above, level):
                    always, once = reaches.concern_variable(above[level][0], path)
                    if always or (once and not bit):
                        found.add(level)
                    elif once:
                        used_once.append((bit, level))
        if used_once:
            sought = sum(bit for bit, _ in used_once)
            repeatedly = used_repeatedly(above, frame, change.top, change.new, sought)
            found.update(level for bit, level in used_once if not bit & repeatedly)
        return sorted(found)


@dataclass(slots=True)
class Change:
    """A change below the frame at the level `top`: of the outermost term whose root has changed, or the redex."""

    old: Any
    new: Any
    top: int
    around: Any = None
    """The term of that frame, if the root of its child has changed and it is not a binder itself."""

    def mentioned(self, binders: Sequence[int]) -> Iterator[tuple[int, int]]:
        """The variables whose uses may have changed: the bit of each in `mentions`, and the position of its binder in a
        list of levels. The bit is 0 for variables that are not told apart.
        """
        mentions: int = self.old.mentions | self.new.mentions
        if self.around is not None:
            mentions |= self.around.mentions
        count = bisect_right(binders, self.top)
        while mentions:
            bit = mentions & -mentions
            mentions ^= bit
            number = bit.bit_length()
            if number > self.old.FURTHER:
                yield from ((0, position) for position in range(count - number + 1))
            elif number <= count:
                yield bit, count - number


Climb: TypeAlias = Callable[[Ancestors, Frame, Term, Term, CycleWatch], Frame]


def climber(machine: Machine, inner: Code, dead: set[Term], repeated: Strategy) -> Climb:
    """A function that retries the strategy at the ancestors that a firing may concern, outermost first.

    Terms are rebuilt up to the outermost ancestor that is tried, or whose root has changed; the others when they are
    left. Those are still as they were before the change; but within the depth of a part, their roots are right.
    """
    attempt = inner.call
    attempt_far = inner.far or attempt
    near = max(1, inner.near if inner.depth is None else inner.depth)
    assert attempt is not None and attempt_far is not None, inner
    log = machine.log

    def climb(around: Ancestors, frame: Frame, redex: Term, contractum: Term, watch: CycleWatch) -> Frame:
        """Retry after a child of a frame was rewritten; returns the frame to continue with."""
        above, candidates = around.above, around.candidates
        while above:
            level = len(above)
            change, frame, rebuilt = with_changed_roots(around, frame, redex, contractum)
            lowest = max(1, min(level - near + 1, change.top + 1 if rebuilt <= level else level))
            targets = candidates[bisect_left(candidates, lowest) :]
            if inner.depth is None and lowest > 1:
                targets = around.concerned(change, frame, lowest) + targets
            if not targets:
                return frame
            if rebuilt > level:
                rebuilt, frame = level, replaced_in(frame, None)
            while rebuilt > targets[0]:
                below = frame if rebuilt == level else above[rebuilt]
                rebuilt -= 1
                above[rebuilt] = replaced_in(above[rebuilt], below[0])
            for target in targets:
                term, _, _, place = above[target] if target < level else frame
                if term in dead:
                    continue
                machine.visits += 1
                mark = len(log)
                result = (attempt if target >= lowest else attempt_far)(term, place)
                if result is None:
                    continue
                if result == term:
                    raise cycle(repeated, log[mark:])
                parent, children, index, place = around.leave(target)
                frame = (parent, swapped(children, index, result), index, place)
                redex, contractum = term, result
                if len(log) >= watch.due:
                    watch.look(repeated, partial(size_around, above, frame))
                break
            else:
                return frame
        return frame

    return climb


def with_changed_roots(
    around: Ancestors, frame: Frame, redex: Term, contractum: Term
) -> tuple[Change, Frame, int]:
    """Rebuild the ancestors whose roots change, and the next one: the change, the innermost frame, and the outermost
    level that is rebuilt.
    """
    above = around.above
    level = len(above)
    change, rebuilt = Change(redex, contractum, level), level + 1
    while change.top and change.old.root != change.new.root:
        top = rebuilt = change.top
        outer = frame if top == level else above[top]
        renewed = replaced_in(outer, change.new)
        if top == level:
            frame = renewed
        else:
            above[top] = renewed
        if outer[0].root == renewed[0].root:
            if around.reaches.has_binders and not renewed[0].binds:  # type: ignore[attr-defined]  # these terms have it
                change.around = renewed[0]
            break
        around.change_root(outer[0], renewed[0], top)
        change.old, change.new, change.top = outer[0], renewed[0], top - 1
    return change, frame, rebuilt


def used_repeatedly(above: Sequence[Frame], frame: Frame, top: int, new: Any, sought: int) -> int:
    """The variables that are used at least twice below their binders, or in a function of its own, as bits of a term's
    `mentions`; some of them, but all that are `sought`, if that can be told. The term `new` is below the level `top`;
    `frame` is the innermost one.
    """
    used, repeatedly, inside = new.mentions, 0, 0
    limit = 1 << new.FURTHER
    for level in range(top, 0, -1):
        if used >= limit or not sought & ~repeatedly:
            break
        term: Any
        term, children, index, _ = above[level] if level < len(above) else frame
        for number, child in enumerate(children):
            if number != index:
                mentions: int = child.mentions  # type: ignore[attr-defined]  # terms with binders have it
                if mentions >= limit:
                    return repeatedly
                mentions <<= inside
                repeatedly |= used & mentions
                used |= mentions
        if term.binds:
            inside += 1
            repeatedly |= used >> inside << inside
    return repeatedly


def _is_on(path: Path, above: Sequence[Frame], level: int) -> bool:
    """Whether the current place is below a path from a level."""
    return all(above[level + offset][2] == index for offset, index in enumerate(path))


def replaced_in(frame: Frame, child: Term | None) -> Frame:
    """A frame whose term is rebuilt, with another current child if one is given."""
    term, children, index, place = frame
    if child is not None:
        children = swapped(children, index, child)
    term = term.rebuild(tuple(children))
    return term, term.children, index, place


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
