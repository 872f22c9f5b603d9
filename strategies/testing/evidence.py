"""Coverage of a rule's tests: how often each metavariable, size, relation of sizes and branch was exercised.

Independent of rules.

A metavariable is exercised if another term for it changes the result of the left side; a branch of a `select` in the
equation is exercised if another value of the branch changes the result.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import combinations
from typing import Any

FEWEST_FIRINGS = 4
"""The number of firings below which a rule counts as untested."""
INNER = "inner "
"""The prefix of the names of branches inside a function of the equation, which need not be taken."""
ENOUGH_TIMES = 2
"""The number of times that a part is exercised before it is no longer checked."""
MOST_SEARCHES = 4
"""The number of instances in which a branch that need not be taken is looked for."""


class Evidence(int):
    """The number of firings of a rule during a test, as an int, and the coverage of these firings.

    >>> from strategies.rules.fusion import mapFusion
    >>> from strategies.testing import check
    >>> tested = check(mapFusion)
    >>> tested > 40, sorted(tested.metavariables), tested.missing
    (True, ['f', 'g', 'xs'], ())
    """

    metavariables: Mapping[str, int]
    """For each metavariable of the left side, how often it was seen to matter; counted up to `ENOUGH_TIMES`."""
    sizes: Mapping[str, Mapping[int, int]]
    """For each size, how often it had each value."""
    relations: Mapping[str, int]
    """How often `n < m`, `n = m` and `n > m` held, for each two sizes."""
    branches: Mapping[str, int]
    """For each branch of a `select` in the equation, how often it was seen to be taken; counted up to once per
    equation.
    """
    inputs: int
    """The number of inputs on which both sides were evaluated."""
    demands: tuple[str, ...]
    """Requirements of the right side on sizes that the left side does not have; instances that violate them were
    skipped.
    """
    missing: tuple[str, ...]
    """The parts that were not exercised; empty if the test passes."""

    def __new__(cls, record: Record) -> Evidence:
        self = super().__new__(cls, record.firings)
        self.metavariables = dict(record.metavariables)
        self.sizes = {name: dict(sorted(values.items())) for name, values in record.sizes.items()}
        self.relations = dict(record.relations)
        self.branches = dict(record.branches)
        self.inputs = record.inputs
        self.demands = tuple(record.demands)
        self.missing = tuple(record.missing())
        return self

    def __str__(self) -> str:
        return "\n".join([f"{int(self)} firings on {self.inputs} inputs", *self.lines()])

    def lines(self) -> list[str]:
        """The coverage as lines of a message."""
        lines = []
        if self.metavariables:
            lines.append("metavariables: " + _counted(self.metavariables))
        for name, values in self.sizes.items():
            lines.append(f"{name} was {_counted({str(value): count for value, count in values.items()})}")
        if self.relations:
            lines.append("sizes: " + _counted(self.relations))
        if self.branches:
            lines.append("branches: " + _counted(self.branches))
        lines += [f"the right side also requires that {demand}" for demand in self.demands]
        return lines


def _counted(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{name} ({count})" for name, count in counts.items())


class Record:
    """The counters of a running test."""

    def __init__(self, metavariables: Iterable[str] = (), kept: Iterable[str] = ()) -> None:
        self.firings = 0
        self.inputs = 0
        self.chosen = 0
        """How often the rule fired in programs that the caller chose."""
        self.metavariables: Counter[str] = Counter(dict.fromkeys(metavariables, 0))
        self.kept = set(kept)
        """The metavariables that both sides mention; these must matter."""
        self.fixed: set[str] = set()
        """The metavariables for which there is no other term to compare with."""
        self.sizes: dict[str, Counter[int]] = {}
        self.relations: Counter[str] = Counter()
        self.branches: Counter[str] = Counter()
        self.attempts: Counter[str] = Counter()
        """For each branch that was not seen to be taken, in how many instances it was looked for."""
        self.demands: dict[str, None] = {}

    def at(self, sizes: Mapping[str, int]) -> None:
        """Count the sizes of a firing."""
        for name, size in sizes.items():
            self.sizes.setdefault(name, Counter())[size] += 1
        for (a, n), (b, m) in combinations(sizes.items(), 2):
            self.relations[f"{a} {'<' if n < m else '=' if n == m else '>'} {b}"] += 1

    def add(self, other: Record) -> None:
        """Add the counts of another test."""
        self.firings += other.firings
        self.inputs += other.inputs
        self.chosen += other.chosen
        for name, count in other.metavariables.items():
            self.metavariables[name] += count
        self.kept |= other.kept
        self.fixed |= other.fixed
        for name, values in other.sizes.items():
            self.sizes.setdefault(name, Counter()).update(values)
        self.relations.update(other.relations)
        for name, count in other.branches.items():
            self.branches[name] += count
        self.attempts.update(other.attempts)
        self.demands |= other.demands

    def is_complete(self) -> bool:
        """Whether everything was exercised often enough, or cannot be."""
        return self.fixed.issuperset(wants(self.metavariables)) and not any(
            map(self.is_wanted, self.branches)
        )

    def is_wanted(self, branch: str) -> bool:
        """Whether a branch is still to be exercised. One inside a function is looked for in few instances."""
        is_given_up = branch.startswith(INNER) and self.attempts[branch] >= MOST_SEARCHES
        return not self.branches[branch] and not is_given_up

    def missing(self) -> Iterable[str]:
        """Descriptions of the parts that were not exercised."""
        if self.chosen:
            return
        if self.firings < FEWEST_FIRINGS:
            yield f"it fired {self.firings} times" if self.firings != 1 else "it fired once"
        for name, count in self.metavariables.items():
            if name in self.kept and name not in self.fixed and not count:
                yield f"no other `{name}` changed a result"
        for name, values in self.sizes.items():
            if max(values, default=0) < ENOUGH_TIMES:
                yield f"the size `{name}` was never more than {max(values, default=0)}"
        for branch, count in self.branches.items():
            if not count and not branch.startswith(INNER):
                yield f"{branch} was never taken"


def wants(counts: Counter[str]) -> list[Any]:
    """The parts that were not exercised often enough yet."""
    return [name for name, count in counts.items() if count < ENOUGH_TIMES]
