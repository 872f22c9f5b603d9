"""Merges soak runs, newest first, into the report in benchmarks/results/. Runs nothing.

An item that ran more than once counts with its newest result.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from benchmarks._report import Table, keep
from tests.soak.journal import Run, read
from tests.soak.merged_results import Total
from tests.soak.part import Part
from tests.soak.parts import PARTS

#: the title of the counts of schedules
SCHEDULES = "schedules"


@dataclass(frozen=True, slots=True)
class Piece:
    """A run, and how many of its items are counted."""

    run: Run
    items: int


@dataclass(frozen=True, slots=True)
class Merged:
    """All runs of a part."""

    total: Total
    pieces: tuple[Piece, ...]

    @property
    def minutes(self) -> float:
        """The wall time of all runs."""
        return sum(piece.run.seconds for piece in self.pieces) / 60


def merge(part: Part, runs: Sequence[Run]) -> Merged:
    """Merge the runs of a part."""
    total, pieces = Total(part), []
    for run in sorted(runs, key=lambda one: one.head.date, reverse=True):
        before = total.whole
        for batch, result in run.results:
            total.add(batch, result)
        pieces.append(Piece(run, total.whole - before))
        for number, finding in enumerate(total.found):
            text = run.smallest.get((finding.batch.number, finding.batch.only, finding.failure))
            if text is not None and finding.batch.seed == run.head.seed:
                total.found[number] = replace(finding, smallest=text)
    if not total.whole and part.absent is not None:
        total.absent = part.absent()
    return Merged(total, tuple(pieces))


def tables(merged: Sequence[Merged]) -> list[Table]:
    """The report: all parts in a table, their runs, the failures, and the counts of each part."""
    overview = [summary(merged), pieces(merged)]
    defects = table_of_defects(merged)
    return [
        *overview,
        *([defects] if defects.rows else []),
        *(t for part in merged for t in part.total.tables()),
    ]


def summary(merged: Sequence[Merged]) -> Table:
    """One row per part."""
    columns = (
        "part",
        "what",
        "ran",
        "target",
        "schedules",
        "failures",
        "defects",
        "seeds",
        "commits",
        "minutes",
    )
    minutes = sum(one.minutes for one in merged)
    last = ("total", *("" for _ in columns[2:]), f"{minutes:.1f}")
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
    """One row per run."""
    columns = ("part", "seed", "from batch", "items", "commit", "started", "minutes", "processor minutes")
    rows = [_piece(one.total.part, piece) for one in merged for piece in one.pieces]
    note = "An item that ran more than once is counted in its newest run only."
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
        "-, interrupted" if worked is None else f"{worked / 60:.1f}",
    )


def table_of_defects(merged: Sequence[Merged]) -> Table:
    """One row per kind and place of failures: how often, and the command that reproduces one."""
    rows = []
    for part in merged:
        for signature, count in part.total.signatures().most_common():
            alike = [finding for finding in part.total.found if finding.failure.signature == signature]
            shown = next((finding for finding in alike if finding.smallest is not None), alike[0])
            message = shown.failure.message.strip().splitlines()[
                -1 if "Traceback" in shown.failure.message else 0
            ]
            rows.append((part.total.part.name, *signature, f"{count:,}", message, f"`{shown.command}`"))
    columns = ("part", "kind", "where", "how often", "message", "command")
    note = "Failures of the same kind at the same place are counted as one defect."
    return Table("Failures", columns, tuple(rows), note)


def machines(merged: Sequence[Merged]) -> Mapping[str, str]:
    """Facts about the machines of all runs; different values are listed."""
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
