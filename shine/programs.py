"""Runs external programs (compilers, assemblers, linkers), and reports their failures.

Programs run in the locale C, since their messages are parsed here, and store temporary files where the caller wants
them.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
from collections.abc import Sequence
from pathlib import Path
from tempfile import gettempdir
from typing import Final

from rise.diagnostics import Diagnostic, RiseError
from rise.records import dataclass
from shine.cache import no_room

#: compilers' messages, in the locale C, about a full disk, a quota, or a limit on file sizes
_NO_ROOM: Final = re.compile(
    r"No space left on device|Disk quota exceeded|File too large|File size limit exceeded"
)
#: messages of gcc and clang about a subprocess that the system killed
_STOPPED: Final = re.compile(
    r"(?:Killed|Terminated|CPU time limit exceeded) (?:signal terminated program \w+|\(program \w+\))"
    r"|unable to execute command: (?:Killed|Terminated)|died due to signal (?:9|15|24)\b[^\n]*"
    r"|(?:virtual memory exhausted|out of memory allocating|LLVM ERROR: out of memory)[^\n]*"
)


@dataclass(frozen=True, slots=True)
class Completed:
    """The exit status of a program, and the text that it wrote to both streams."""

    status: int
    stdout: str
    stderr: str


def call(command: Sequence[str | Path], folder: Path | None = None) -> Completed:
    """Run a program and wait for it; `folder`, created by `scratch`, is for its temporary files.

    Raises RiseError if it cannot be run, if the system killed it, or if there was no space for a file. Any other
    nonzero exit status is left to the caller.
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
    except (OSError, ValueError) as error:  # ValueError: arguments with a null character
        title = f"`{words[0]}` cannot be run: {getattr(error, 'strerror', None) or error}"
        hint = "check that it is a program for this machine, or choose another"
        raise RiseError(Diagnostic("compiler-not-run", title, hint=hint)) from None
    if ran.returncode:
        _refuse_system(words[0], ran.returncode, ran.stderr, folder)
    return Completed(ran.returncode, ran.stdout, ran.stderr)


def _refuse_system(path: str, status: int, stderr: str, folder: Path | None) -> None:
    """Raise RiseError for failures caused by the system: no space left, or a signal."""
    full = _NO_ROOM.search(stderr)
    if full or status == -signal.SIGXFSZ:
        reason = full[0] if full else "the limit on file sizes is reached"
        raise no_room(folder.parent if folder else Path(gettempdir()), f"`{path}` says: {reason}")
    stopped = _STOPPED.search(stderr)
    if stopped or status < 0:
        cause = stopped[0].strip() if stopped else _signal_name(-status)
        hint = "memory may be short or limited (ulimit -v): try again when fewer programs run"
        raise RiseError(
            Diagnostic("compiler-stopped", f"`{path}` was stopped by the system: {cause}", hint=hint)
        )


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def first_error(stderr: str) -> str:
    """The first error in a compiler's messages."""
    lines = [line.strip() for line in stderr.split("\n") if line.strip()]
    return next((line for line in lines if "error" in line), lines[0] if lines else "no message")


def check_written(file: Path, path: str) -> Path:
    """The file that a program should have written. Raises RiseError if it is missing or empty."""
    if file.is_file() and file.stat().st_size:
        return file
    title = f"expected `{path}` to write {file.name}, found that it exited successfully but wrote nothing"
    raise RiseError(Diagnostic("compiler-failed", title, hint="it may not be a compiler: choose another"))
