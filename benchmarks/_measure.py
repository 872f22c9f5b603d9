"""Clocks, interleaved samples, and a description of the machine. Independent of benchmarks and reports."""

from __future__ import annotations

import ctypes
import os
import platform
import statistics
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from shine.machines import this_machine

Run = Callable[[], object]
Clock = Callable[[], float]
#: seconds; OpenBLAS's threads spin for 2^28 clock ticks before they sleep, those of other libraries for less
PAUSE = 0.12
SHORTEST = 2e-3
"""Seconds; a quicker function runs several times in one sample."""


@dataclass(frozen=True, slots=True)
class Samples:
    """The seconds of a run, sample by sample."""

    seconds: tuple[float, ...]

    @property
    def median(self) -> float:
        """The middle sample."""
        return statistics.median(self.seconds)

    @property
    def quartiles(self) -> tuple[float, float]:
        """Half of the samples lie between these two."""
        return quartiles(self.seconds)


def quartiles(values: Sequence[float]) -> tuple[float, float]:
    """A quarter of the values is below the first, a quarter above the second."""
    if len(values) < 2:
        return values[0], values[0]
    low, _, high = statistics.quantiles(values, n=4, method="inclusive")
    return low, high


def in_turns(
    runs: Mapping[str, Run],
    rounds: int,
    warmups: int = 1,
    pause: float = 0.0,
    clock: Clock = time.perf_counter,
) -> dict[str, Samples]:
    """Time each run once per round, so that other load on the machine affects all of them.

    `pause` is the number of seconds before each sample, in which threads of other libraries stop spinning; an untimed
    run then wakes the run's own threads.
    """
    for run in runs.values():
        for _ in range(warmups):
            run()
    often = {name: repeats(run, clock) for name, run in runs.items()}
    found: dict[str, list[float]] = {name: [] for name in runs}
    names = list(runs)
    for _ in range(rounds):
        for name in names:
            if pause:
                time.sleep(pause)
                runs[name]()
            found[name].append(clocked(runs[name], often[name], clock))
        names.append(names.pop(0))  # so that no run always follows the same other run
    return {name: Samples(tuple(seconds)) for name, seconds in found.items()}


def repeats(run: Run, clock: Clock) -> int:
    """How often a run must be repeated in one sample, given the resolution of the clock."""
    often = 1
    while (taken := clocked(run, often, clock) * often) < SHORTEST:
        often = max(2 * often, round(often * SHORTEST / max(taken, 1e-9)))
    return often


def clocked(run: Run, times: int, clock: Clock) -> float:
    """Seconds for one run, over `times` runs in a row."""
    start = clock()
    for _ in range(times):
        run()
    return (clock() - start) / times


def ratios(ours: Samples, theirs: Samples) -> tuple[float, tuple[float, float]]:
    """The time of the other run divided by ours: the median over the rounds, and the quartiles."""
    each = [b / a for a, b in zip(ours.seconds, theirs.seconds, strict=True)]
    return statistics.median(each), quartiles(each)


@dataclass(frozen=True, slots=True)
class Blas:
    """The matrix library that numpy has loaded: its name and the function that sets its number of threads."""

    name: str
    threads: Callable[[int], None] | None


def numpys_blas() -> Blas:
    """The OpenBLAS inside numpy's wheel, if that is the library."""
    config: Any = np.show_config(mode="dicts")
    blas = config["Build Dependencies"]["blas"]
    for line in Path("/proc/self/maps").read_text(encoding="utf-8").splitlines():
        library = line.rpartition(" ")[2]
        if "openblas" in library:
            loaded = ctypes.CDLL(library)
            core = getattr(loaded, "scipy_openblas_get_corename64_", None)
            if core is not None:
                core.restype = ctypes.c_char_p
                name = f"OpenBLAS {blas['version']} ({core().decode()})"
                return Blas(name, loaded["scipy_openblas_set_num_threads64_"])
    return Blas(f"{blas['name']} {blas['version']}", None)


def cores() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0))


def load() -> float:
    """The load average of the last minute, including this job."""
    return os.getloadavg()[0]


def machine() -> dict[str, str]:
    """The machine that ran the benchmark, without names of hosts, users or directories."""
    info = Path("/proc/cpuinfo").read_text(encoding="utf-8").split("\n\n")[0]
    facts = dict(line.split(":", 1) for line in info.splitlines() if ":" in line)
    facts = {key.strip(): value.strip() for key, value in facts.items()}
    flags = facts.get("flags", "").split()
    widest = next((name for name in ("avx512f", "avx2", "avx") if name in flags), "no AVX")
    name = facts.get("model name", platform.machine())  # one name may stand for several generations
    return {
        "processor": f"{name} ({this_machine().name}), {facts.get('cpu MHz', '?')} MHz, {widest}",
        "cores": str(cores()),
        "system": f"{platform.system()} {platform.release().split('-')[0]}",
        "compiler": _first_line("gcc", "--version"),
        "python": platform.python_version(),
        "numpy": f"{np.__version__}, {numpys_blas().name}",
    }


def _first_line(*command: str) -> str:
    try:
        ran = subprocess.run(command, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return "none"
    return ran.stdout.splitlines()[0]
