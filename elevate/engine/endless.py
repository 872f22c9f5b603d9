"""How repetitions that never end are noticed: they come back, or they grow. Knows logs and terms, and no strategy."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from elevate.engine.divergence import cycle, grows
from elevate.term import Term, same_place
from elevate.trace import Entry

EVERY = 64
"""Firings after which a normalisation looks for a cycle again."""
FIRST_LOOK = 1024
"""Firings after which the size of a program is looked at first; then after twice as many, and so on."""
ENOUGH = 4096
"""Firings of one repetition before anything is said of growth."""
FACTOR = 16
"""How many times larger than at its start a program must be before growth is taken to have no end."""
FEW = 8
"""Rules that circle, at most: more of them are a long derivation rather than an endless one."""


class GrowthWatch:
    """Notices that the same few rules make a program larger without end.

    It is told after a power of two of firings, at least ENOUGH, if all of this holds: the later half of them are
    firings of at most FEW rules, the same as in the quarter before; the program is at least FACTOR times as large as
    at the start, and half again as large as after half of the firings. What ends grows slower, or once at each of
    its places, or in stages of different rules. No limit can be right for all; more fuel switches it off.
    """

    __slots__ = ("_before", "_first", "_log", "_start", "next")

    def __init__(self, log: list[Entry], first: Term, lasting: bool) -> None:
        self._log = log
        self._first = first
        self._start = len(log)
        self._before = 0
        self.next = len(log) + FIRST_LOOK if lasting else 1 << 62
        """The length of the log from which on to call `look`."""

    def look(self, strategy: object, size: Callable[[], int]) -> None:
        """Raises StrategyError where the program grows without end; `size` says how large it is now."""
        log, start = self._log, self._start
        count = len(log) - start
        self.next = start + 2 * count
        late = _rules(log[start + count // 2 :])
        if len(late) > FEW or late != _rules(log[start + count // 4 : start + count // 2]):
            return
        now, before = size(), self._before
        self._before = now
        if count >= ENOUGH and before and 2 * now >= 3 * before:
            first = size_of([self._first])
            if now >= FACTOR * first:
                raise grows(strategy, log[start + count // 2 :], count, first, now)


def _rules(entries: Sequence[Entry]) -> set[int]:
    return {id(entry[0]) for entry in entries}


def size_of(terms: Iterable[Term]) -> int:
    """How many nodes some terms have, shared ones counted each time: written out, they are as long."""
    sizes: dict[int, int] = {}
    total = 0
    for term in terms:
        stack = [term]
        while stack:
            node = stack[-1]
            children = node.children
            waiting = [child for child in children if id(child) not in sizes]
            if waiting:
                stack += waiting
                continue
            stack.pop()
            sizes[id(node)] = 1 + sum([sizes[id(child)] for child in children])
        total += sizes[id(term)]
    return total


class TermWatch:
    """Notices that a sequence of terms repeats itself, in constant memory (Brent's algorithm), or grows."""

    __slots__ = ("_count", "_growth", "_kept", "_limit", "_log", "_mark")

    def __init__(self, log: list[Entry], term: Term, lasting: bool) -> None:
        self._log = log
        self._kept = term
        self._mark = len(log)
        self._count = 0
        self._limit = 1
        self._growth = GrowthWatch(log, term, lasting)

    def check(self, term: Term, strategy: object) -> None:
        """Call with each term after the first; raises StrategyError where one comes back."""
        if term == self._kept:
            raise cycle(strategy, self._log[self._mark :])
        self._count += 1
        if self._count == self._limit:
            self._kept, self._mark = term, len(self._log)
            self._count, self._limit = 0, 2 * self._limit
        if len(self._log) >= self._growth.next:
            self._growth.look(strategy, lambda: size_of([term]))


class CycleWatch:
    """Notices that a log repeats itself, in constant memory (Brent's algorithm on its entries), or the term grows.

    Two equal stretches of steps in a row prove a cycle: a stretch says what it writes at every place it
    writes to, so doing it again leaves the program as it was. Conversely a cycle repeats its steps.
    """

    __slots__ = ("_growth", "_kept", "_log", "_looked", "_move", "_start", "due")

    def __init__(self, log: list[Entry], term: Term, lasting: bool) -> None:
        self._log = log
        self._start = self._looked = len(log)
        self._kept = -1
        self._move = self.due = len(log) + EVERY
        """`due` is the length of the log from which on to call `look`."""
        self._growth = GrowthWatch(log, term, lasting)

    def look(self, strategy: object, size: Callable[[], int]) -> None:
        """Raises StrategyError where a cycle is proved, or growth without end; `size` says how large the term is."""
        log, kept = self._log, self._kept
        for last in range(self._looked, len(log)):
            if kept >= 0 and log[kept][0] is log[last][0] and _same(log[kept], log[last]):
                period = last - kept
                if last - 2 * period + 1 >= self._start and all(
                    _same(log[index], log[index - period]) for index in range(last, last - period, -1)
                ):
                    raise cycle(strategy, log[last - period + 1 : last + 1])
            if last >= self._move:
                kept = last
                self._move = 2 * last - self._start
        self._kept = kept
        self._looked = len(log)
        self.due = len(log) + EVERY
        if len(log) >= self._growth.next:
            self._growth.look(strategy, size)


def _same(one: Entry, other: Entry) -> bool:
    return one[0] is other[0] and one[3] == other[3] and one[2] == other[2] and same_place(one[1], other[1])
