"""Interleaved measurements in one process, with one process per number of threads. Independent of kernels and tables.

The number of threads is a property of the process: it may use that many processors, and the environment says so to
every library before any is loaded. So all use the same number, however they determine it.

Threads of one library spin for a while when their work is done, and take the processor from those of the next. So each
sample is taken after a pause and an untimed run, which wakes the threads again and fills the caches.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from _measure import PAUSE, Clock, Run, Samples, clocked, cores, load, repeats
from peers import variables

from shine.targets.openmp.threads import SPINNING, SPINS

LONG = 0.25
"""Seconds; functions that take longer are not repeated within a sample, and need no warm-up run."""
LEAST_ROUNDS = 3
#: reuse freed memory, so that a library that returns new arrays does not pay for new pages each time
KEEP_MEMORY = {
    "MALLOC_MMAP_MAX_": "0",
    "MALLOC_TRIM_THRESHOLD_": "100000000000",
    "MALLOC_TOP_PAD_": "1000000",
}
#: what our kernels set if they are loaded first; PyTorch comes with the same OpenMP, and is loaded before them
SLEEP_SOON = {SPINNING: SPINS}


@dataclass(frozen=True, slots=True)
class Asked:
    """The options of a benchmark: whether it is a quick run, and the role of this process."""

    quick: bool
    threads: int | None
    only: tuple[str, ...] = ()


def asked(what: str, rows: str = "") -> Asked:
    """Parse the command line. If `rows` says what they are called, some rows may be selected by name. `--threads` is
    for internal use: measure with this number of threads, and print JSON.
    """
    parser = argparse.ArgumentParser(description=what)
    parser.add_argument("--quick", action="store_true", help="few small samples, and write nothing")
    parser.add_argument("--threads", type=int, help=argparse.SUPPRESS)
    if rows:
        parser.add_argument("--only", nargs="+", default=[], metavar="ROW", help=rows)
    found = parser.parse_args()
    return Asked(bool(found.quick), found.threads, tuple(found.only) if rows else ())


def for_each_count(
    program: str, quick: bool, counts: Sequence[int] = (), only: Sequence[str] = ()
) -> dict[int, Any]:
    """The output of the program, run in a separate process for each number of threads."""
    usable = sorted(os.sched_getaffinity(0))
    found: dict[int, Any] = {}
    for threads in counts or ((1,) if quick else sorted({1, cores()})):
        command = [sys.executable, program, "--threads", str(threads), *(["--quick"] if quick else [])]
        command += ["--only", *only] if only else []
        environment = dict(os.environ) | variables(threads) | KEEP_MEMORY | SLEEP_SOON
        os.sched_setaffinity(0, usable[:threads])  # a child process inherits the affinity of its parent
        try:
            ran = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True, check=True)
        finally:
            os.sched_setaffinity(0, usable)
        found[threads] = json.loads(ran.stdout.splitlines()[-1])
    return found


def race(runs: Mapping[str, Run], threads: int, rounds: int, budget: float) -> dict[str, Samples]:
    """Samples of each run, round by round; no new round starts after `budget` seconds, but there are at least three.

    On one thread the clock is the processor time of the process, which other load on the machine disturbs less.
    """
    clock: Clock = time.process_time if threads == 1 else time.perf_counter
    often: dict[str, int] = {}
    taken: dict[str, float] = {}
    for name, run in runs.items():
        run()
        first = clocked(run, 1, clock)
        often[name] = 1 if first > LONG else repeats(run, clock)
        taken[name] = first
    found: dict[str, list[float]] = {name: [] for name in runs}
    names = list(runs)
    begun = time.perf_counter()
    for done in range(rounds):
        if done >= LEAST_ROUNDS and time.perf_counter() - begun > budget:
            break
        for name in names:
            if threads > 1:
                time.sleep(PAUSE)
            if taken[name] <= LONG:
                runs[name]()
            found[name].append(clocked(runs[name], often[name], clock))
        names.append(names.pop(0))
    return {name: Samples(tuple(seconds)) for name, seconds in found.items()}


@dataclass(frozen=True, slots=True)
class Others:
    """The share of processor time that other processes have used since this object was created."""

    idle: float
    own: float
    clock: float

    @staticmethod
    def now() -> Others:
        """Start observing."""
        return Others(_idle(), _own(), time.perf_counter())

    def share(self) -> float:
        """The share, between 0 and 1."""
        passed = (time.perf_counter() - self.clock) * (os.cpu_count() or 1)
        busy = passed - (_idle() - self.idle) - (_own() - self.own)
        return min(1.0, max(0.0, busy / passed)) if passed else 0.0


def _idle() -> float:
    """The idle seconds of all processors together."""
    fields = Path("/proc/stat").read_text(encoding="utf-8").splitlines()[0].split()
    return (int(fields[4]) + int(fields[5])) / os.sysconf("SC_CLK_TCK")


def _own() -> float:
    """The processor seconds of this process and its finished children."""
    spent = os.times()
    return spent.user + spent.system + spent.children_user + spent.children_system


def others_said(watched: Others, before: float) -> str:
    """A sentence that says how idle the machine was."""
    return f"load: {before:.1f} before, {load():.1f} after; other processes had {watched.share():.0%} of the machine"


def peers_said(found: Mapping[int, Any]) -> dict[str, str]:
    """The versions of the peers, and those that are absent, as the output for one number of threads says."""
    first = next(iter(found.values()))
    return {"peers": ", ".join(first["versions"]), "absent": ", ".join(first["absent"]) or "none"}
