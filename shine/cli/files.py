"""Writes files completely or not at all, and reads programs from standard input. Independent of commands."""

from __future__ import annotations

import errno
import os
import sys
from pathlib import Path
from typing import Final

from rise.diagnostics import Diagnostic, RiseError
from rise.text.libraries import MAX_BYTES
from rise.text.reader import decode

#: the file name that means standard input, and its name in messages
STANDARD_INPUT: Final = "-"
STDIN_NAME: Final = "<stdin>"


def read_standard_input() -> str:
    """The text on standard input. Raises RiseError if it is closed, too long, or not UTF-8."""
    if sys.stdin is None:
        raise RiseError(
            Diagnostic("file", f"{STDIN_NAME} is closed", hint="name a file, or pipe in a program")
        )
    data = sys.stdin.buffer.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        title = f"expected a text of at most {MAX_BYTES >> 20} MiB, found a longer one on {STDIN_NAME}"
        raise RiseError(Diagnostic("file", title, hint="check what is piped in"))
    return decode(data, STDIN_NAME)


def check_path(path: Path) -> None:
    """Raise RiseError for a path that cannot be written: a directory, or a path in a directory that does not exist."""
    try:
        reason = errno.EISDIR if path.is_dir() else 0 if path.parent.is_dir() else errno.ENOENT
    except OSError as error:  # no access, or too long a name
        reason = error.errno or errno.EIO
    if reason:
        title = f"{path} cannot be written: {os.strerror(reason)}"
        raise RiseError(Diagnostic("file", title, hint="choose another path"))


def write_file(path: Path, content: bytes) -> None:
    """Write a temporary file and rename it to the path; a device or pipe is written to directly.

    Raises RiseError if it cannot be written; a previous file then stays unchanged.
    """
    try:
        target = path.resolve()
        if target.is_dir():
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        temporary = target.with_name(f".shine-{os.getpid()}.part")
        if target.exists() and not target.is_file():
            target.write_bytes(content)
            return
        try:
            temporary.write_bytes(content)
            temporary.replace(target)
        finally:
            temporary.unlink(missing_ok=True)
    except (OSError, ValueError, RuntimeError) as error:  # also a null character; a cycle of links
        title = f"{path} cannot be written: {getattr(error, 'strerror', None) or error}"
        raise RiseError(Diagnostic("file", title, hint="choose another path")) from None
