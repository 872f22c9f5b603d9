"""Programs of the system that are called: compilers, assemblers, linkers. Knows what may go wrong with any of them.

They speak English (the locale C), since what they say is read here, and have their temporary files where the caller
wants them.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import gettempdir
from typing import Final

from rise.diagnostics import Diagnostic, RiseError
from shine.cache import no_room

#: what compilers say, in the locale C, of a disk, a quota, or a limit of the size of files
_NO_ROOM: Final = re.compile(
    r"No space left on device|Disk quota exceeded|File too large|File size limit exceeded"
)
#: what gcc and clang say of a part of theirs that the system stopped
_STOPPED: Final = re.compile(
    r"(?:Killed|Terminated|CPU time limit exceeded) (?:signal terminated program \w+|\(program \w+\))"
    r"|unable to execute command: (?:Killed|Terminated)|died due to signal (?:9|15|24)\b[^\n]*"
    r"|(?:virtual memory exhausted|out of memory allocating|LLVM ERROR: out of memory)[^\n]*"
)


@dataclass(frozen=True, slots=True)
class Ran:
    """How a program ended, what it printed, and what it said about it on standard error."""

    status: int
    printed: str
    said: str


def call(command: Sequence[str | Path], folder: Path | None = None) -> Ran:
    """Run a program and wait for it; `folder`, which `scratch` made, takes its temporary files.

    Raises RiseError where it cannot be run, where the system stopped it, and where there was no room for a file. What
    another status than 0 means is for the caller to say.
    """
    words = [os.fspath(word) for word in command]
    environment = {**os.environ, "LC_ALL": "C"}
    if folder is not None:
        environment["TMPDIR"] = str(folder)
    try:
        ran = subprocess.run(
            words,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            check=False,
            env=environment,
        )
    except (OSError, ValueError) as error:  # words that no program can be given
        title = f"`{words[0]}` cannot be run: {getattr(error, 'strerror', None) or error}"
        hint = "check that it is a program for this machine, or name another"
        raise RiseError(Diagnostic("compiler-not-run", title, hint=hint)) from None
    if ran.returncode:
        _refuse_system(words[0], ran.returncode, ran.stderr, folder)
    return Ran(ran.returncode, ran.stdout, ran.stderr)


def _refuse_system(path: str, status: int, said: str, folder: Path | None) -> None:
    """Raise what the system is to blame for."""
    full = _NO_ROOM.search(said)
    if full or status == -signal.SIGXFSZ:
        reason = full[0] if full else "the limit of the size of files is reached"
        raise no_room(folder.parent if folder else Path(gettempdir()), f"`{path}` says: {reason}")
    stopped = _STOPPED.search(said)
    if stopped or status < 0:
        what = stopped[0].strip() if stopped else _signal_name(-status)
        hint = (
            "there may be too little memory, or a limit of it (ulimit -v): try again when fewer programs run"
        )
        raise RiseError(
            Diagnostic("compiler-stopped", f"`{path}` was stopped by the system: {what}", hint=hint)
        )


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def first_error(said: str) -> str:
    """The first error in what a compiler said."""
    lines = [line.strip() for line in said.split("\n") if line.strip()]
    return next((line for line in lines if "error" in line), lines[0] if lines else "no message")


def wrote(made: Path, path: str) -> Path:
    """A file that a program was to write, and said that it did. Raises RiseError where it is not there, or empty."""
    if made.is_file() and made.stat().st_size:
        return made
    title = f"expected `{path}` to write {made.name}, found that it ended without an error and wrote nothing"
    raise RiseError(Diagnostic("compiler-failed", title, hint="it may be no compiler: name another"))
