"""Measures programs of `cases/idioms` under the default strategy for OpenMP, compared with numpy.

Independent of programs.

Each program runs in processes of its own, with a limit for each stage: the derivation and the C compiler get a minute,
a run a hundred times numpy's. The kernel accepts any sizes. `--one` is for internal use: measure this program and print
lines of JSON.
"""

from __future__ import annotations

import argparse
import json
import os
import queue
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

from _measure import clocked, cores, load, machine, ratios
from _race import KEEP_MEMORY, LEAST_ROUNDS, LONG, SLEEP_SOON, Others, others_said, race
from _report import Table, keep, report
from peers import variables

import elevate
import rise
import shine
from cases.idioms.idiom import Idiom
from shine.front.lowering import load_strategy
from shine.targets import TARGETS

SIZES = ("large", "small")
ROUNDS, BUDGET = 5, 1.0
SLOW, VERY_SLOW = 0.8, 0.5
WORST = 10
STAGE = 60.0
"""Seconds for the derivation, and for the C compiler."""
TIMES, SPARE, TRIES = 100, 5.0, 10
"""The best of the tries may take `TIMES` times as long as numpy; the `SPARE` seconds are for other work."""
COLUMNS = (
    "program",
    "source",
    "size",
    "threads",
    "speed: ours / numpy's",
    "quartiles",
    "ours ms",
    "numpy ms",
)
MORE = ("tracing s", "derivation s", "lines of C", "note")


@dataclass(frozen=True, slots=True)
class Subject:
    """A set of programs with a page of results: its name and title, what `--quick` measures, and additional tables."""

    name: str
    title: str
    programs: Mapping[str, Idiom]
    quick: Sequence[str]
    file: Path
    note: str = ""
    more: Sequence[Table] = ()


@dataclass(frozen=True, slots=True)
class Row:
    """A program at a size on a number of threads: its speed, or why there is none."""

    name: str
    source: str
    size: str
    threads: int
    speed: float | None = None
    quartiles: Sequence[float] | None = None
    ours: float = 0.0
    numpys: float = 0.0
    tracing: float | None = None
    derivation: float | None = None
    lines: int | None = None
    note: str = ""

    def cells(self) -> tuple[str, ...]:
        """The row as text."""
        begin = (self.name, self.source, self.size, str(self.threads))
        end = (
            "-" if self.tracing is None else f"{self.tracing:.2f}",
            "-" if self.derivation is None else f"{self.derivation:.2f}",
            "-" if self.lines is None else str(self.lines),
            self.note or "-",
        )
        if self.speed is None or self.quartiles is None:
            return *begin, "-", "-", "-", "-", *end
        low, high = self.quartiles
        times = (f"{self.ours * 1e3:.3g}", f"{self.numpys * 1e3:.3g}")
        return *begin, f"{self.speed:.2f}", f"{low:.2f}-{high:.2f}", *times, *end


def measure(subject: Subject) -> None:
    """Measure the programs of a subject, and report."""
    parser = argparse.ArgumentParser(description=f"{subject.name}, against numpy")
    parser.add_argument("--quick", action="store_true", help="two programs, few samples, and write nothing")
    parser.add_argument("--only", nargs="+", metavar="NAME", help="these programs, and write nothing")
    parser.add_argument("--counts", nargs="+", type=int, help="numbers of threads; by default 1 and all")
    parser.add_argument("--resume", type=Path, metavar="FILE", help="keep rows there, and skip those it has")
    parser.add_argument("--one", help=argparse.SUPPRESS)
    parser.add_argument("--threads", type=int, default=1, help=argparse.SUPPRESS)
    parser.add_argument("--sizes", nargs="+", default=SIZES, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.one:
        try:
            for fact in measured(subject.programs[asked.one], asked.sizes, asked.threads, asked.quick):
                print(json.dumps(fact), flush=True)
        except rise.RiseError as error:
            print(json.dumps({"failed": f"{error.diagnostic.code}: {error.diagnostic.title}"}))
        return
    names = asked.only or (subject.quick if asked.quick else tuple(subject.programs))
    writes_nothing = asked.quick or bool(asked.only)
    before, watched = load(), Others.now()
    rows = read(asked.resume)
    counts = asked.counts or ((1,) if asked.quick else sorted({1, cores()}))
    for name, threads in ((name, threads) for threads in counts for name in names):
        if any((row.name, row.threads) == (name, threads) for row in rows):
            continue
        found = list(of_program(subject, name, threads, asked.quick))
        rows += found
        print(*("  ".join(row.cells()) for row in found), sep="\n", file=sys.stderr, flush=True)
        if asked.resume:
            with asked.resume.open("a", encoding="utf-8") as kept:
                kept.writelines(json.dumps(asdict(row)) + "\n" for row in found)
    loads = others_said(watched, before)
    tables = [summary(subject, rows), worst(subject, rows), *subject.more]
    report(subject.name, tables, machine(), loads, writes_nothing)
    if writes_nothing:
        print(all_rows(subject, rows).plain())
    else:
        keep(f"{subject.name}_rows", [all_rows(subject, rows)], machine(), loads)


def read(kept: Path | None) -> list[Row]:
    """The rows of an interrupted run."""
    if kept is None or not kept.exists():
        return []
    return [Row(**json.loads(line)) for line in kept.read_text(encoding="utf-8").splitlines()]


def measured(one: Idiom, sizes: Sequence[str], threads: int, quick: bool) -> Iterator[dict[str, Any]]:
    """The results after each stage, each with the time limit of the next stage in seconds."""
    yield {"stage": "tracing and the derivation", "limit": STAGE}
    begun = time.process_time()
    program = one.program()
    tracing = time.process_time() - begun
    begun = time.process_time()
    result = load_strategy(TARGETS["openmp"].strategy)(program.main)
    derivation = time.process_time() - begun
    if not isinstance(result, elevate.Success):
        yield {"failed": f"the strategy fails: {result}"}
        return
    yield {"stage": "compilation", "limit": STAGE, "tracing": tracing, "derivation": derivation}
    kernel = shine.compile(result.program, target="openmp", threads=threads)
    yield {"lines": kernel.source.count("\n")}
    for size in sizes:
        yield {"stage": "numpy", "limit": STAGE, "size": size}
        arguments = one.arguments(program, getattr(one, size))
        expected = one.reference(arguments)
        theirs = partial(one.plain, *arguments)
        theirs()
        limit = TIMES * clocked(theirs, 1, time.perf_counter)
        tries = TRIES if limit < LONG else 1
        yield {"stage": f"a run of over {TIMES} times numpy's", "limit": (tries + 1) * limit + SPARE}
        begun = time.perf_counter()
        wrong = one.wrong(kernel(*arguments), expected)
        if wrong:
            yield {"failed": f"wrong: {wrong[0]}"}
            continue
        ours = partial(kernel, *arguments)
        if (
            time.perf_counter() - begun > limit
        ):  # the first run, or one on a busy machine, may be slow by chance
            quickest = min(clocked(ours, 1, time.perf_counter) for _ in range(tries))
            if quickest > limit:
                yield {"failed": f"{quickest * 1e3:.3g} ms, over {TIMES} times numpy's"}
                continue
        yield {"stage": "sampling", "limit": STAGE + 20 * limit}
        samples = race({"ours": ours, "numpy": theirs}, threads, LEAST_ROUNDS if quick else ROUNDS, BUDGET)
        speed, around = ratios(samples["ours"], samples["numpy"])
        yield {
            "speed": speed,
            "quartiles": around,
            "ours": samples["ours"].median,
            "numpys": samples["numpy"].median,
        }


def of_program(subject: Subject, name: str, threads: int, quick: bool) -> Iterator[Row]:
    """The rows of a program, one for each size."""
    left = list(SIZES[-1:] if quick else SIZES)
    while left:  # when a process is stopped at one size, it has not reached the next
        stage, size, known = "the start", "", {}
        for fact in facts(subject.file, name, left, threads, quick):
            stage, size = fact.get("stage", stage), fact.get("size", size)
            known |= {key: fact[key] for key in ("tracing", "derivation", "lines") if key in fact}
            about = partial(Row, name, subject.programs[name].source, threads=threads, **known)
            if "speed" in fact:
                yield about(size=size, **fact)
                left.remove(size)
            elif "failed" in fact or "ended" in fact:
                note = fact["failed"] if "failed" in fact else f"{stage}: {fact['ended']}"
                for each in [size] if size in left else list(left):
                    yield about(size=each, note=note)
                    left.remove(each)


def facts(
    file: Path, name: str, sizes: Sequence[str], threads: int, quick: bool
) -> Iterator[Mapping[str, Any]]:
    """What the process of a program reports; it is stopped if a stage exceeds its time limit."""
    command = [sys.executable, str(file), "--one", name, "--threads", str(threads), "--sizes", *sizes]
    return said_by([*command, *(["--quick"] if quick else [])], threads, STAGE)


def said_by(command: Sequence[str], threads: int, limit: float) -> Iterator[Mapping[str, Any]]:
    """The lines of JSON that a process on some threads prints. It is stopped if it prints nothing for `limit` seconds,
    or for as long as its last line allows.
    """
    environment = dict(os.environ) | variables(threads) | KEEP_MEMORY | SLEEP_SOON
    usable = sorted(os.sched_getaffinity(0))
    os.sched_setaffinity(0, usable[:threads])  # a child process inherits the affinity of its parent
    try:
        process = subprocess.Popen(
            command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
    finally:
        os.sched_setaffinity(0, usable)
    assert process.stdout is not None and process.stderr is not None
    lines: queue.SimpleQueue[str] = queue.SimpleQueue()
    threading.Thread(target=_pass_on, args=(process.stdout, lines), daemon=True).start()
    otherwise = limit
    with process:
        while True:
            try:
                line = lines.get(timeout=limit)
            except queue.Empty:
                process.kill()
                yield {"ended": f"not done after {limit:.3g} s"}
                return
            if not line:
                break
            fact = json.loads(line)
            limit = fact.get("limit", otherwise)
            yield fact
        errors = process.stderr.read().strip().splitlines()
    if process.returncode:
        yield {"ended": errors[-1] if errors else f"exit status {process.returncode}"}


def _pass_on(given: Iterable[str], lines: queue.SimpleQueue[str]) -> None:
    """Put lines into a queue, then an empty one at the end."""
    for line in given:
        lines.put(line)
    lines.put("")


def summary(subject: Subject, rows: list[Row]) -> Table:
    """Means, and the number of slow programs, by size and threads."""
    columns = ("size", "threads", "geometric mean", "covers", f"below {SLOW}", f"below {VERY_SLOW}")
    groups = sorted({(row.size, row.threads) for row in rows})
    lines = []
    for size, threads in groups:
        group = [row for row in rows if (row.size, row.threads) == (size, threads)]
        speeds = [row.speed for row in group if row.speed is not None]
        mean = f"{statistics.geometric_mean(speeds):.2f}" if speeds else "-"
        slow = (str(sum(speed < bound for speed in speeds)) for bound in (SLOW, VERY_SLOW))
        lines.append((size, str(threads), mean, f"{len(speeds)} of {len(group)}", *slow))
    note = (
        f"Speed is 1 / time, relative to numpy's. `covers`: programs that were measured, of"
        f" {len(subject.programs)}{subject.note}."
    )
    return Table(
        f"{subject.title}, the default strategy for OpenMP against numpy", columns, tuple(lines), note
    )


def worst(subject: Subject, rows: list[Row]) -> Table:
    """The slowest rows, after those that could not be measured."""
    failed = [row for row in rows if row.speed is None]
    slowest = sorted((row for row in rows if row.speed is not None), key=lambda row: row.speed or 0.0)
    shown = tuple(row.cells() for row in [*failed, *slowest[:WORST]])
    return Table(f"{subject.title}: not measured, and the {WORST} slowest", (*COLUMNS, *MORE), shown)


def all_rows(subject: Subject, rows: list[Row]) -> Table:
    """Everything that was measured."""
    shown = tuple(row.cells() for row in rows)
    note = (
        "Speed is 1 / time: the median of the ratios of all rounds. Both take and return numpy arrays. Tracing makes"
        " a program of the Python function; its time and the derivation's are processor time, the first in a process."
    )
    return Table(f"{subject.title}: all rows", (*COLUMNS, *MORE), shown, note)
