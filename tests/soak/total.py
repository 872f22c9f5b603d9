"""What runs of a part found in all: counts, failures, the smallest program for each defect. Knows no part."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace

from benchmarks._report import Table
from tests.soak.part import Batch, Counts, Failure, Part, Result


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
    """What a part found. `absent`: the tool for want of which it did not run."""

    part: Part
    counts: Counts = field(default_factory=Counter)
    found: list[Found] = field(default_factory=list)
    keys: set[str] = field(default_factory=set)
    whole: int = 0
    absent: str = ""

    def add(self, batch: Batch, result: Result) -> list[Found] | None:
        """Count a result, unless the same was counted before, which gives None; the failures that are new."""
        key = result.key or f"{batch.seed}.{batch.number}.{result.item}"
        if key in self.keys:
            return None
        self.keys.add(key)
        self.counts.update(result.counts)
        self.whole += result.whole
        one = replace(batch, first=0, only=result.item)
        new = [Found(one, failure, command(self.part, one)) for failure in result.failures]
        self.found += new
        return new

    def signatures(self) -> Counter[tuple[str, str]]:
        """How often each defect was seen."""
        return Counter(one.failure.signature for one in self.found)

    def shown(self) -> str:
        """How many items there were."""
        return f"skipped for want of {self.absent}" if self.absent else f"{self.whole:,} {self.part.unit}"

    def tables(self) -> list[Table]:
        """Its counts, most frequent first."""
        titles = dict.fromkeys(title for title, _ in self.counts)
        return [self._table(title) for title in titles]

    def _table(self, title: str) -> Table:
        rows = [(what, count) for (of, what), count in self.counts.items() if of == title and count]
        rows.sort(key=lambda row: (-row[1], row[0]))
        shown = tuple((what, f"{count:,}") for what, count in rows)
        note = self.part.notes.get(title, "")
        return Table(f"{self.part.name}: {title}", ("what", "how often"), shown, note)


def command(part: Part, batch: Batch) -> str:
    """What shows an item again."""
    return f"make soak PART={part.name} SEED={batch.seed} AT={batch.number}.{batch.only}"


def indented(text: str) -> str:
    """A text set off."""
    return "\n".join(f"  {line}" for line in text.splitlines())
