"""A function in a separate process: its result, its error, and how crashes, endless loops and memory use are stopped.
Times nothing.
"""

from __future__ import annotations

import os
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

from rise import RiseError
from rise.diagnostics import Diagnostic
from shine.front.tuner.isolation import in_own_process, start, wait

MEMORY = 1 << 30


def refusal(function: Any, seconds: float = 60, memory: int = MEMORY) -> Diagnostic:
    with pytest.raises(RiseError) as caught:
        in_own_process("running", function, seconds, memory)
    return caught.value.diagnostic


def raising() -> None:
    raise RiseError(Diagnostic("strange", "a fact"))


def test_only_the_result_is_returned() -> None:
    seen: list[int] = []
    assert in_own_process("running", lambda: seen.append(1) or [*range(100_000)], 60, MEMORY) == [
        *range(100_000)
    ]
    assert seen == []


def test_an_error_is_returned() -> None:
    assert refusal(raising) == Diagnostic("strange", "a fact")


def test_a_crash_is_reported() -> None:
    assert refusal(lambda: os.kill(os.getpid(), signal.SIGSEGV)).title == (
        "running the candidate failed: its process was killed by SIGSEGV"
    )
    assert refusal(lambda: os._exit(3)).title.endswith("its process exited with status 3")
    assert refusal(lambda: 1 // 0).title.endswith("ZeroDivisionError: integer division or modulo by zero")


def test_a_hanging_function_is_killed_with_its_child_processes(tmp_path: Path) -> None:
    def endless() -> None:
        sleeping = subprocess.Popen(["sleep", "1000"])
        (tmp_path / "pid").write_text(str(sleeping.pid))
        sleeping.wait()

    assert refusal(endless, seconds=1.5).code == "candidate-hung"
    pid = int((tmp_path / "pid").read_text())
    for _ in range(100):
        stat = Path(f"/proc/{pid}/stat")
        if not stat.exists() or ") Z " in stat.read_text():
            return
        time.sleep(0.05)
    raise AssertionError("what it started goes on")


def test_using_too_much_memory_is_an_error() -> None:
    assert refusal(lambda: len(bytearray(1 << 33))).code == "candidate-memory"


def test_several_processes_are_waited_for_together() -> None:
    children = [start("running", lambda one=one: one, 60, MEMORY) for one in range(4)]
    found = []
    while children:
        for child in wait(children):
            children.remove(child)
            found.append(child.finish())
    assert sorted(found) == [0, 1, 2, 3]
    sleeping = start("running", lambda: time.sleep(1000), 1000, MEMORY)
    assert wait([sleeping], 0.01) == []
    sleeping.kill()
