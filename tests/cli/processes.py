"""The command in a process of its own: its streams, its signals, its environment."""

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
PATIENCE = 120  # seconds until a process is taken to hang


def environment(**given: str | None) -> dict[str, str]:
    """The environment of this process with other values; None takes a variable away."""
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
    """Say in a process that is started whether Ctrl-C ends it; in the background, where tests may run, it would not."""
    signal.signal(signal.SIGINT, signal.default_int_handler if heeded else signal.SIG_IGN)
