"""The merged results of a part: counts, failures, a shrunk program for each defect. Independent of parts."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace

from benchmarks._report import Table
from tests.soak.part import Batch, Counts, Failure, Part, Result


@dataclass(frozen=True, slots=True)
class Found:
    """A failure, its item, and the command that reproduces it."""

    batch: Batch
    failure: Failure
    command: str
    smallest: str | None = None

    def text(self) -> str:
        """The failure as text for the terminal."""
        lines = [f"{self.failure.kind} on {self.failure.where}", indented(self.failure.message)]
        subject = self.smallest if self.smallest is not None else self.failure.subject
        lines += ["shrunk to:" if self.smallest is not None else "in", indented(subject)]
        return "\n".join([*lines, f"reproduce: {self.command}"])


@dataclass(slots=True)
class Total:
    """The results of a part. `absent`: the missing tool, if the part did not run for lack of it."""

    part: Part
    counts: Counts = field(default_factory=Counter)
    found: list[Found] = field(default_factory=list)
    keys: set[str] = field(default_factory=set)
    whole: int = 0
    absent: str = ""

    def add(self, batch: Batch, result: Result) -> list[Found] | None:
        """Count a result and return its failures, or None if the same item was counted before."""
        key = result.key or f"{batch.seed}.{batch.number}.{result.item}"
        if key in self.keys:
            return None
        self.keys.add(key)
        self.counts.update(result.counts)
        self.whole += result.whole
        batch_of_item = replace(batch, first=0, only=result.item)
        new = [
            Found(batch_of_item, failure, command(self.part, batch_of_item)) for failure in result.failures
        ]
        self.found += new
        return new

    def signatures(self) -> Counter[tuple[str, str]]:
        """How often each defect occurred."""
        return Counter(finding.failure.signature for finding in self.found)

    def shown(self) -> str:
        """The number of items, as text."""
        return f"skipped: {self.absent} is missing" if self.absent else f"{self.whole:,} {self.part.unit}"

    def tables(self) -> list[Table]:
        """The counts, most frequent first."""
        titles = dict.fromkeys(title for title, _ in self.counts)
        return [self._table(title) for title in titles]

    def _table(self, title: str) -> Table:
        rows = [(what, count) for (of, what), count in self.counts.items() if of == title and count]
        rows.sort(key=lambda row: (-row[1], row[0]))
        shown = tuple((what, f"{count:,}") for what, count in rows)
        note = self.part.notes.get(title, "")
        return Table(f"{self.part.name}: {title}", ("what", "how often"), shown, note)


def command(part: Part, batch: Batch) -> str:
    """The command that runs an item again."""
    return f"make soak PART={part.name} SEED={batch.seed} AT={batch.number}.{batch.only}"


def indented(text: str) -> str:
    """Indent a text."""
    return "\n".join(f"  {line}" for line in text.splitlines())
