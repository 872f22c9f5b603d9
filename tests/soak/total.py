"""What a part of the soak found in all: its counts and failures, the smallest program for each defect, its tables.

Knows no part.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Final

from benchmarks._report import Table
from tests.soak.part import Batch, Counts, Failure, Part, Result
from tests.soak.processes import isolated, run_batches

#: for so many failures of one signature the smallest is looked for, and for so many in a part
SHRUNK_EACH: Final = 1
SHRUNK: Final = 12
#: seconds that a search may take
PATIENCE: Final = 600.0
#: seconds between two lines that say how far it is
EVERY: Final = 20.0
#: how many failures of one signature are shown whole
SHOWN: Final = 3


@dataclass(frozen=True, slots=True)
class Found:
    """A failure, the item that it is of, and the command that shows it again."""

    batch: Batch
    failure: Failure
    command: str
    smallest: str | None = None

    def text(self) -> str:
        """For a person."""
        lines = [f"{self.failure.kind} on {self.failure.where}", indented(self.failure.message)]
        subject = self.smallest if self.smallest is not None else self.failure.subject
        lines += ["smallest that was found:" if self.smallest is not None else "in", indented(subject)]
        return "\n".join([*lines, f"again: {self.command}"])


@dataclass(slots=True)
class Total:
    """What a part found."""

    part: Part
    seed: int
    wanted: int
    counts: Counts = field(default_factory=Counter)
    found: list[Found] = field(default_factory=list)
    keys: set[str] = field(default_factory=set)
    whole: int = 0
    seconds: float = 0.0

    def add(self, batch: Batch, result: Result) -> list[Found]:
        """Count a result, unless the same was there before; the failures that are new."""
        if result.key and result.key in self.keys:
            return []
        if result.key:
            self.keys.add(result.key)
        self.counts.update(result.counts)
        self.whole += result.whole
        one = replace(batch, first=0, only=result.item)
        new = [Found(one, failure, command(self.part, one)) for failure in result.failures]
        self.found += new
        return new

    def signatures(self) -> Counter[tuple[str, str]]:
        """How often each defect was seen."""
        return Counter(one.failure.signature for one in self.found)

    def tables(self) -> list[Table]:
        """Its counts, most frequent first."""
        titles = dict.fromkeys(title for title, _ in self.counts)
        return [self._table(title) for title in titles]

    def _table(self, title: str) -> Table:
        rows = [(what, count) for (of, what), count in self.counts.items() if of == title and count]
        rows.sort(key=lambda row: (-row[1], row[0]))
        shown = tuple((what, f"{count:,}") for what, count in rows)
        return Table(
            f"{self.part.name}: {title}", ("what", "how often"), shown, self.part.notes.get(title, "")
        )


def command(part: Part, batch: Batch) -> str:
    """What shows an item again."""
    return f"make soak PART={part.name} SEED={batch.seed} AT={batch.number}.{batch.only}"


def run_part(
    part: Part, seed: int, wanted: int, processes: int, say: Callable[[str], None], at: Batch | None = None
) -> Total:
    """Run items of a part until there are as many as wanted, or the one at a place; say what is found on the way."""
    total = Total(part, seed, wanted)
    start = told = time.monotonic()
    if part.warm is not None:
        part.warm()
    batches = iter((at,)) if at is not None else _batches(total)
    seen: Counter[tuple[str, str]] = Counter()
    for one in run_batches(part, batches, processes):
        if one.result is None:
            continue
        for found in total.add(one.batch, one.result):
            seen[found.failure.signature] += 1
            if seen[found.failure.signature] <= SHOWN:
                say(found.text() + "\n")
        if time.monotonic() - told > EVERY:
            told = time.monotonic()
            say(f"{part.name}: {total.whole:,} of {wanted:,} {part.unit}, {len(total.found)} failures")
        if at is None and total.whole >= wanted:
            break
    total.seconds = time.monotonic() - start
    _shrink(total, say)
    return total


def _batches(total: Total) -> Iterator[Batch]:
    number = 0
    while total.whole < total.wanted:
        yield Batch(total.seed, number)
        number += 1


def _shrink(total: Total, say: Callable[[str], None]) -> None:
    """Look for the smallest item for each defect."""
    look = total.part.smallest
    if look is None:
        return
    done: Counter[tuple[str, str]] = Counter()
    for number, found in enumerate(total.found):
        signature = found.failure.signature
        if done[signature] >= SHRUNK_EACH or sum(done.values()) >= SHRUNK:
            continue
        done[signature] += 1
        say(
            f"{total.part.name}: looking for the smallest that is: {found.failure.kind} on {found.failure.where}"
        )
        _, text = isolated(partial(look, found.batch, found.failure), PATIENCE)
        if text is not None:
            total.found[number] = replace(found, smallest=text)
            say(total.found[number].text() + "\n")


def indented(text: str) -> str:
    """A text set off."""
    return "\n".join(f"  {line}" for line in text.splitlines())


def summary(totals: list[Total]) -> Table:
    """One line for each part."""
    columns = ("part", "what", "how many", "failures", "defects", "seed", "minutes")
    rows = tuple(
        (
            one.part.name,
            one.part.about,
            f"{one.whole:,} {one.part.unit}",
            f"{len(one.found):,}",
            f"{len(one.signatures()):,}",
            str(one.seed),
            f"{one.seconds / 60:.1f}",
        )
        for one in totals
    )
    return Table("The soak", columns, rows)
