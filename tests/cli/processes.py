"""Runs the command in a process of its own, to test streams, signals and the environment."""

from __future__ import annotations

import signal
import subprocess
import sys
from typing import Any

from tests.forked import environment, run

SHINE = [sys.executable, "-c", "from shine.cli.start import main; main()"]
DOT = "examples/dot.rise"
PATIENCE = 120  # seconds after which a process is taken to hang


def shine(*words: str | bytes, **given: Any) -> subprocess.CompletedProcess[bytes]:
    """Run the command in the repository's root."""
    given.setdefault("env", environment())
    return run([*SHINE, *words], timeout=PATIENCE, **given)


def set_interrupts(heeded: bool = True) -> None:
    """Set whether Ctrl-C ends a new process; a process in the background, where tests may run, ignores it."""
    signal.signal(signal.SIGINT, signal.default_int_handler if heeded else signal.SIG_IGN)
