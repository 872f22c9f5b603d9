"""Detects repetitions that do not terminate: they cycle, or they grow.

Depends on logs and terms, but not on strategies.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from elevate.engine.divergence import cycle, grows
from elevate.term import Term, same_place
from elevate.trace import Entry

CYCLE_CHECK_INTERVAL = 64
"""The number of firings between two searches for a cycle in a normalisation."""
FIRST_SIZE_CHECK = 1024
"""After how many firings the size of a program is first checked; then after twice as many, and so on."""
MIN_GROWTH_FIRINGS = 4096
"""How many firings a repetition makes before growth is reported."""
MIN_GROWTH_FACTOR = 16
"""How many times larger than at its start a program must be before growth is reported."""
MAX_GROWTH_RULES = 8
"""The maximum number of rules of endless growth: with more rules, the derivation is assumed to be long, not endless."""


class GrowthWatch:
    """Detects that the same few rules make a program grow endlessly.

    Growth is reported after a power of two of firings, at least MIN_GROWTH_FIRINGS, if all of this holds: the later
    half of them are firings of at most MAX_GROWTH_RULES rules, the same as in the quarter before; the program is at
    least MIN_GROWTH_FACTOR times as large as at the start, and at least 1.5 times as large as after half of the
    firings. Repetitions that end grow more slowly, or once at each place, or in stages with different rules. This is a
    heuristic; giving `fuel` explicitly switches it off.
    """

    __slots__ = ("_before", "_first", "_log", "_start", "next")

    def __init__(self, log: list[Entry], first: Term, reports_growth: bool) -> None:
        self._log = log
        self._first = first
        self._start = len(log)
        self._before = 0
        self.next = len(log) + FIRST_SIZE_CHECK if reports_growth else 1 << 62
        """The log length from which `look` is to be called."""

    def look(self, strategy: object, size: Callable[[], int]) -> None:
        """Raises StrategyError if the program grows without end; `size` computes its current size."""
        log, start = self._log, self._start
        count = len(log) - start
        self.next = start + 2 * count
        recent_rules = _rules(log[start + count // 2 :])
        if len(recent_rules) > MAX_GROWTH_RULES or recent_rules != _rules(
            log[start + count // 4 : start + count // 2]
        ):
            return
        new_size, old_size = size(), self._before
        self._before = new_size
        if count >= MIN_GROWTH_FIRINGS and old_size and 2 * new_size >= 3 * old_size:
            first_size = size_of([self._first])
            if new_size >= MIN_GROWTH_FACTOR * first_size:
                raise grows(strategy, log[start + count // 2 :], count, first_size, new_size)


def _rules(entries: Sequence[Entry]) -> set[int]:
    return {id(entry[0]) for entry in entries}


def size_of(terms: Iterable[Term]) -> int:
    """How many nodes some terms have, with shared subterms counted at every occurrence."""
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
    """Detects that a sequence of terms repeats itself, in constant memory (Brent's algorithm), or grows."""

    __slots__ = ("_count", "_growth", "_reference", "_limit", "_log", "_mark")

    def __init__(self, log: list[Entry], term: Term, reports_growth: bool) -> None:
        self._log = log
        self._reference = term
        self._mark = len(log)
        self._count = 0
        self._limit = 1
        self._growth = GrowthWatch(log, term, reports_growth)

    def check(self, term: Term, strategy: object) -> None:
        """Check a term after the first one; raises StrategyError if it occurred before."""
        if term == self._reference:
            raise cycle(strategy, self._log[self._mark :])
        self._count += 1
        if self._count == self._limit:
            self._reference, self._mark = term, len(self._log)
            self._count, self._limit = 0, 2 * self._limit
        if len(self._log) >= self._growth.next:
            self._growth.look(strategy, lambda: size_of([term]))


class CycleWatch:
    """Detects that a log repeats itself, in constant memory (Brent's algorithm on its entries), or that the term grows.

    Two equal consecutive sequences of steps prove a cycle: a sequence determines the subterm at every place
    where it fires, so repeating it leaves the program unchanged. Conversely a cycle repeats its steps.
    """

    __slots__ = ("_growth", "_reference", "_log", "_looked", "_move", "_start", "due")

    def __init__(self, log: list[Entry], term: Term, reports_growth: bool) -> None:
        self._log = log
        self._start = self._looked = len(log)
        self._reference = -1
        self._move = self.due = len(log) + CYCLE_CHECK_INTERVAL
        """`due` is the log length from which `look` is to be called."""
        self._growth = GrowthWatch(log, term, reports_growth)

    def look(self, strategy: object, size: Callable[[], int]) -> None:
        """Raises StrategyError for a proven cycle, or for growth without end; `size` computes the size of the term."""
        log, reference = self._log, self._reference
        for last in range(self._looked, len(log)):
            if reference >= 0 and log[reference][0] is log[last][0] and _same(log[reference], log[last]):
                period = last - reference
                if last - 2 * period + 1 >= self._start and all(
                    _same(log[index], log[index - period]) for index in range(last, last - period, -1)
                ):
                    raise cycle(strategy, log[last - period + 1 : last + 1])
            if last >= self._move:
                reference = last
                self._move = 2 * last - self._start
        self._reference = reference
        self._looked = len(log)
        self.due = len(log) + CYCLE_CHECK_INTERVAL
        if len(log) >= self._growth.next:
            self._growth.look(strategy, size)


def _same(left: Entry, right: Entry) -> bool:
    return (
        left[0] is right[0] and left[3] == right[3] and left[2] == right[2] and same_place(left[1], right[1])
    )
