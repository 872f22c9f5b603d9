"""The report in benchmarks/results/: runs of the soak merged, the newest first. Runs nothing.

An item that ran more than once is counted as it was in its newest run.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from benchmarks._report import Table, keep
from tests.soak.journal import Run, read
from tests.soak.part import Part
from tests.soak.parts import PARTS
from tests.soak.total import Total

#: the counts of a part that are schedules
SCHEDULES = "schedules"


@dataclass(frozen=True, slots=True)
class Piece:
    """A run, and how many of its items count."""

    run: Run
    items: int


@dataclass(frozen=True, slots=True)
class Merged:
    """All runs of a part."""

    total: Total
    pieces: tuple[Piece, ...]

    @property
    def minutes(self) -> float:
        """How long all runs took."""
        return sum(one.run.seconds for one in self.pieces) / 60


def merge(part: Part, runs: Sequence[Run]) -> Merged:
    """The runs of a part as one."""
    total, pieces = Total(part), []
    for run in sorted(runs, key=lambda one: one.head.date, reverse=True):
        before = total.whole
        for batch, result in run.results:
            total.add(batch, result)
        pieces.append(Piece(run, total.whole - before))
        for number, found in enumerate(total.found):
            text = run.smallest.get((found.batch.number, found.batch.only, found.failure))
            if text is not None and found.batch.seed == run.head.seed:
                total.found[number] = replace(found, smallest=text)
    if not total.whole and part.absent is not None:
        total.absent = part.absent()
    return Merged(total, tuple(pieces))


def tables(merged: Sequence[Merged]) -> list[Table]:
    """The report: all parts in a table, their runs, what was found, and what each part counted."""
    found = [summary(merged), pieces(merged)]
    defects = table_of_defects(merged)
    return [*found, *([defects] if defects.rows else []), *(t for one in merged for t in one.total.tables())]


def summary(merged: Sequence[Merged]) -> Table:
    """A line for each part."""
    columns = (
        "part",
        "what",
        "ran",
        "wanted",
        "schedules",
        "failures",
        "defects",
        "seeds",
        "commits",
        "minutes",
    )
    minutes = sum(one.minutes for one in merged)
    last = ("in all", *("" for _ in columns[2:]), f"{minutes:.1f}")
    return Table("The soak", columns, (*map(_row, merged), last))


def _row(one: Merged) -> tuple[str, ...]:
    total = one.total
    schedules = sum(count for (title, _), count in total.counts.items() if title == SCHEDULES)
    if total.part.unit == SCHEDULES:
        schedules = total.whole
    return (
        total.part.name,
        total.part.about,
        total.shown(),
        f"{total.part.count:,}",
        f"{schedules:,}" if schedules else "-",
        f"{len(total.found):,}",
        f"{len(total.signatures()):,}",
        _list(str(piece.run.head.seed) for piece in one.pieces),
        _list(piece.run.head.commit for piece in one.pieces),
        f"{one.minutes:.1f}",
    )


def _list(names: Iterable[str]) -> str:
    return ", ".join(dict.fromkeys(names)) or "-"


def pieces(merged: Sequence[Merged]) -> Table:
    """A line for each run."""
    columns = ("part", "seed", "from batch", "items", "commit", "begun", "minutes", "processor minutes")
    rows = [_piece(one.total.part, piece) for one in merged for piece in one.pieces]
    note = "An item that ran more than once is counted in its newest run."
    return Table("The runs", columns, tuple(rows), note)


def _piece(part: Part, piece: Piece) -> tuple[str, ...]:
    head, worked = piece.run.head, piece.run.processor
    return (
        part.name,
        str(head.seed),
        str(head.first),
        f"{piece.items:,} {part.unit}",
        head.commit,
        head.date.replace("+00:00", "Z"),
        f"{piece.run.seconds / 60:.1f}",
        "-, it was interrupted" if worked is None else f"{worked / 60:.1f}",
    )


def table_of_defects(merged: Sequence[Merged]) -> Table:
    """A line for each kind of failure and place: how often, and what shows one again."""
    rows = []
    for one in merged:
        for signature, count in one.total.signatures().most_common():
            alike = [found for found in one.total.found if found.failure.signature == signature]
            shown = next((found for found in alike if found.smallest is not None), alike[0])
            message = shown.failure.message.strip().splitlines()[
                -1 if "Traceback" in shown.failure.message else 0
            ]
            rows.append((one.total.part.name, *signature, f"{count:,}", message, f"`{shown.command}`"))
    columns = ("part", "kind", "where", "how often", "what was found", "again")
    note = "Failures of one kind at one place are counted as one defect."
    return Table("What was found", columns, tuple(rows), note)


def machines(merged: Sequence[Merged]) -> Mapping[str, str]:
    """What ran it: facts on which machines differ are listed."""
    heads = [piece.run.head for one in merged for piece in one.pieces]
    return (
        {fact: _list(head.machine.get(fact, "?") for head in heads) for fact in heads[0].machine}
        if heads
        else {}
    )


def write(paths: Sequence[Path]) -> list[Merged]:
    """Merge files, and write the report."""
    runs = [run for run in map(read, paths) if run is not None]
    merged = [merge(part, [run for run in runs if run.head.part == name]) for name, part in PARTS.items()]
    keep("soak", tables(merged), machines(merged), "by `make soak`, on two processes")
    return merged
