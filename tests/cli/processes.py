"""Runs the command in a separate process, to test streams, signals and the environment."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
SHINE = [sys.executable, "-c", "from shine.cli.start import main; main()"]
DOT = "examples/dot.rise"
PATIENCE = 120  # seconds after which a process is taken to hang


def environment(**given: str | None) -> dict[str, str]:
    """The environment of this process with these values; None removes a variable."""
    changed = {**os.environ, "PYTHONPATH": str(ROOT), **given}
    return {name: value for name, value in changed.items() if value is not None}


def shine(*words: str | bytes, **given: Any) -> subprocess.CompletedProcess[bytes]:
    """Run the command in the repository's root."""
    given.setdefault("env", environment())
    given.setdefault("cwd", ROOT)
    if "stdout" not in given:
        given["stdout"] = subprocess.PIPE
    return subprocess.run([*SHINE, *words], stderr=subprocess.PIPE, timeout=PATIENCE, check=False, **given)


def set_interrupts(heeded: bool = True) -> None:
    """Set whether Ctrl-C ends a new process; a process in the background, where tests may run, ignores it."""
    signal.signal(signal.SIGINT, signal.default_int_handler if heeded else signal.SIG_IGN)
