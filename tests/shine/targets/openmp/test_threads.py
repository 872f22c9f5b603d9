"""Waking the threads of kernels: which libraries wake them, when, and the state that the process is left in."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rise
import shine
from shine.cache import default_directory
from shine.targets.openmp.compiler import find_compiler
from shine.targets.openmp.loader import Loaded
from shine.targets.openmp.threads import WAKE, Team, waking_text
from tests import required_tools
from tests.examples import some

PARALLEL = "fun(xs: N.f32 => xs |> mapPar(fun(x => x + 1.0)))"
LATER = 1 << 62

pytestmark = required_tools.needs(required_tools.OPENMP, required_tools.has_openmp())


def loaded(text: str, **options: Any) -> Loaded:
    """The kernel of a program, and the library from which it was loaded."""
    kernel = shine.compile(rise.parse(text).main, target="openmp", **options)
    found = kernel._executable
    assert isinstance(found, Loaded)
    return found


@pytest.mark.parametrize("threads", [None, 2, 5])
def test_a_parallel_kernel_wakes_its_threads(threads: int | None) -> None:
    found = loaded(PARALLEL, threads=threads)
    assert found.team is not None and WAKE not in found.source


@pytest.mark.parametrize(
    ("text", "threads"),
    [(PARALLEL, 1), (PARALLEL.replace("mapPar", "mapSeq"), None)],
    ids=["alone", "no loop"],
)
def test_no_threads_are_woken_for_one_thread(text: str, threads: int | None) -> None:
    assert loaded(text, threads=threads).team is None


def test_as_many_threads_are_woken_as_loops_use() -> None:
    assert "parallel num_threads(3)\n" in waking_text(3)
    assert "omp parallel\n" in waking_text(None)


@pytest.mark.parametrize(
    ("awake", "settled", "woken"),
    [(0, 0, 1), (LATER, 0, 1), (0, LATER, 1), (LATER, LATER, 0)],
    ids=["at first", "awake for long", "after a pause", "one after the other"],
)
def test_threads_are_woken_unless_they_are_awake(awake: int, settled: int, woken: int) -> None:
    calls: list[str] = []
    team = Team(lambda: calls.append("wake"), awake, settled)
    assert team.run(lambda a, b: a + b, (3, 4)) == 7
    assert len(calls) == woken
    assert team.awake_until != awake  # it was updated after the kernel


@pytest.mark.parametrize(("size", "woken"), [(3, 0), (5, 1)], ids=["short", "long"])
def test_no_threads_are_woken_for_little_work(size: int, woken: int) -> None:
    calls: list[str] = []
    team = Team(lambda: calls.append("wake"), shares=lambda sizes: sizes[0] > 4, sizes=1)
    assert team.run(lambda size, array: size, (size, "array")) == size
    assert (len(calls), team.awake_until > 0) == (woken, bool(woken))


SHORT_AND_LONG = """
import os
import numpy as np
import rise, shine
kernel = shine.compile(rise.parse("fun(xs: N.f32 => xs |> mapPar(fun(x => x + 1.0)))").main, target="openmp", threads=4)
def threads_started(size):
    before = len(os.listdir("/proc/self/task"))
    for _ in range(3):  # the second and third are repeated calls
        assert (kernel(np.zeros(size, np.float32)) == 1).all()
    return len(os.listdir("/proc/self/task")) - before
assert threads_started(1000) == 0
assert threads_started(1_000_000) == 3
"""


@required_tools.needs(required_tools.THREADS_OF_TASKS, Path("/proc/self/task").exists())
def test_short_programs_start_no_threads() -> None:
    ran = subprocess.run([sys.executable, "-c", SHORT_AND_LONG], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr


APART = """
import os, threading
import numpy as np
import rise, shine
mine = os.sched_getaffinity(0)
kernel = shine.compile(rise.parse("fun(xs: N.f32 => xs |> mapPar(fun(x => x + 1.0)))").main, target="openmp", threads=4)
for _ in range(20):
    assert (kernel(np.zeros(100_000, np.float32)) == 1).all()
    assert all(os.sched_getaffinity(int(task)) == mine for task in os.listdir("/proc/self/task"))
"""


@required_tools.needs(required_tools.THREADS_OF_TASKS, Path("/proc/self/task").exists())
@pytest.mark.parametrize("bound", some([False, True], 2), ids=some(["any processor", "one processor"], 2))
def test_threads_may_run_on_the_same_processors_afterwards(bound: bool) -> None:
    one = min(os.sched_getaffinity(0))
    code = (f"import os; os.sched_setaffinity(0, {{{one}}})\n" if bound else "") + APART
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr


def test_without_openmp_no_threads_are_woken(tmp_path: Path) -> None:
    source = tmp_path / "wake.c"
    source.write_text(waking_text(2), encoding="utf-8")
    compiler = find_compiler(None, None, default_directory())
    command = [
        compiler.path,
        "-std=c11",
        "-Wall",
        "-Wextra",
        "-Werror",
        "-Wno-unknown-pragmas",
        "-c",
        str(source),
    ]
    for flags in ([], ["-fopenmp"]):
        ran = subprocess.run(
            [*command, *flags, "-o", str(tmp_path / "wake.o")], capture_output=True, text=True, check=False
        )
        assert ran.returncode == 0, ran.stderr


def test_names_of_programs_do_not_clash() -> None:
    kernel = shine.compile(
        rise.parse(f"fun({WAKE}: N.f32 => {WAKE} |> mapPar(fun(team => team + 1.0)))").main,
        name=WAKE,
        target="openmp",
        threads=2,
    )
    assert kernel(np.zeros(3, np.float32)).tolist() == [1, 1, 1]
