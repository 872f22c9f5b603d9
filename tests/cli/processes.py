"""Runs the command in a process of its own, to test streams, signals and the environment."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from typing import Any

from tests.forks import environment, run

SHINE = [sys.executable, "-c", "from shine.cli.start import main; main()"]
#: runs several commands one after the other in one process; a zero byte ends the output of each
_EACH = """
import json, os, sys
from shine.cli.start import main
statuses = []
for words in json.loads(sys.argv[1]):
    sys.argv[1:] = [os.fsdecode(word.encode("latin-1")) for word in words]
    try:
        main()
    except SystemExit as stop:
        statuses.append(stop.code or 0)
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
        os.write(stream.fileno(), b"\\0")
os.write(sys.stdout.fileno(), json.dumps(statuses).encode())
"""
DOT = "examples/dot.rise"
PATIENCE = 120  # seconds after which a process is considered hung


def shine(*words: str | bytes, **given: Any) -> subprocess.CompletedProcess[bytes]:
    """Run the command in the root folder of the repository."""
    given.setdefault("env", environment())
    return run([*SHINE, *words], timeout=PATIENCE, **given)


def shine_each(
    commands: Sequence[Sequence[str | bytes]], env: Mapping[str, str]
) -> list[subprocess.CompletedProcess[bytes]]:
    """Run the command with each of these arguments, all in one process, in the root folder of the repository."""
    words = [[os.fsencode(word).decode("latin-1") for word in one] for one in commands]
    ran = run([sys.executable, "-c", _EACH, json.dumps(words)], timeout=PATIENCE, env=env)
    assert ran.returncode == 0, ran.stderr
    *outputs, statuses = ran.stdout.split(b"\0")
    return [
        subprocess.CompletedProcess(list(command), status, out, error)
        for command, status, out, error in zip(
            commands, json.loads(statuses), outputs, ran.stderr.split(b"\0"), strict=False
        )
    ]


def set_interrupts(heeded: bool = True) -> None:
    """Set whether Ctrl-C ends a new process. A background process, in which tests may run, ignores it."""
    signal.signal(signal.SIGINT, signal.default_int_handler if heeded else signal.SIG_IGN)
