"""Stores the results of soak runs, one file per run; interrupted runs count too, and the report merges them.

The first line of a file has the part, place and time of the run; each later line has the result of one item, the shrunk
program of a failure, or the time of the run. Independent of parts.
"""

from __future__ import annotations

import datetime
import itertools
import json
import subprocess
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final

from benchmarks._measure import machine
from tests.soak.part import Batch, Failure, Result

ROOT: Final = Path(__file__).resolve().parents[2]
#: the folder of stored runs; `make clean` deletes them
FOLDER: Final = ROOT / "build" / "soak"


@dataclass(frozen=True, slots=True)
class Head:
    """The description of a run: a part from batch `first` on, at a commit, on a machine."""

    part: str
    seed: int
    first: int
    commit: str
    date: str
    machine: Mapping[str, str]

    def name(self) -> str:
        """The prefix of its file's name."""
        return f"{self.part}-{self.seed}-{self.first}"


def head(part: str, seed: int, first: int) -> Head:
    """The head of a run that starts now."""
    now = datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
    return Head(part, seed, first, commit(), now, machine())


def commit(root: Path = ROOT) -> str:
    """The checked-out commit, and whether files differ from it."""
    try:
        name = _git(root, "rev-parse", "--short=12", "HEAD")
        changed = _git(root, "status", "--porcelain", "--untracked-files=no")
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
    return f"{name} with changes" if changed else name


def _git(root: Path, *arguments: str) -> str:
    command = ["git", *arguments]
    return subprocess.run(command, cwd=root, capture_output=True, text=True, check=True).stdout.strip()


@dataclass(slots=True)
class Journal:
    """The file of a run in progress."""

    path: Path

    def keep(self, batch: Batch, result: Result, seconds: float) -> None:
        """Store the result of an item. `seconds`: since the run started."""
        counts = [[title, what, count] for (title, what), count in result.counts.items() if count]
        failures = [asdict(failure) for failure in result.failures]
        item = {"batch": batch.number, "item": result.item, "key": result.key, "whole": result.whole}
        self._write({**item, "counts": counts, "failures": failures, "seconds": round(seconds, 1)})

    def keep_smallest(self, batch: Batch, failure: Failure, text: str) -> None:
        """Store the smallest item found that fails like another."""
        self._write({"smallest": text, "batch": batch.number, "item": batch.only, "failure": asdict(failure)})

    def end(self, seconds: float, processor: float) -> None:
        """Store the wall time and the processor time of the run."""
        self._write({"seconds": round(seconds, 1), "processor": round(processor, 1)})

    def _write(self, line: Mapping[str, Any]) -> None:
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")


def begin(head: Head, folder: Path = FOLDER) -> Journal:
    """Create the file of a run."""
    folder.mkdir(parents=True, exist_ok=True)
    numbers = itertools.count(1)
    path = next(path for n in numbers if not (path := folder / f"{head.name()}.{n}.jsonl").exists())
    path.touch(exist_ok=False)
    journal = Journal(path)
    journal._write(asdict(head))
    return journal


@dataclass(slots=True)
class Run:
    """The contents of a file: items with their batches, and shrunk programs by batch, item and failure."""

    head: Head
    results: list[tuple[Batch, Result]] = field(default_factory=list)
    smallest: dict[tuple[int, int | None, Failure], str] = field(default_factory=dict)
    seconds: float = 0.0
    processor: float | None = None


def read(path: Path) -> Run | None:
    """Read a run; None if its file is empty. An incomplete line ends the run."""
    lines = _lines(path)
    first = next(lines, None)
    if first is None:
        return None
    run = Run(Head(**first))
    for line in lines:
        run.seconds = line.get("seconds", run.seconds)
        run.processor = line.get("processor", run.processor)
        if "smallest" in line:
            run.smallest[line["batch"], line["item"], Failure(**line["failure"])] = line["smallest"]
        elif "item" in line:
            counts = Counter({(title, what): count for title, what, count in line["counts"]})
            failures = tuple(Failure(**fields) for fields in line["failures"])
            batch = Batch(run.head.seed, line["batch"])
            run.results.append((batch, Result(line["item"], line["key"], counts, failures, line["whole"])))
    return run


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    with path.open(encoding="utf-8") as file:
        for line in file:
            try:
                yield json.loads(line)
            except ValueError:  # the process was killed while it wrote this line
                return
