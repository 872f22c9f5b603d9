"""Handles standard output and error: characters their encoding lacks, write errors. Independent of commands."""

from __future__ import annotations

import codecs
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Final, TextIO

from rise.diagnostics import Diagnostic

_ESCAPING: Final = "shine-escaping"


class OutputError(Exception):
    """Standard output cannot be written to."""

    def __init__(self, reason: str, hint: str) -> None:
        super().__init__(reason)
        self.diagnostic = Diagnostic("output", f"standard output cannot be written to: {reason}", hint=hint)


def prepare() -> None:
    """Make the streams accept every text, and make a closed pipe end the process silently, as for other programs."""
    if hasattr(signal, "SIGPIPE"):
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    codecs.register_error(_ESCAPING, _escaped)
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors=_ESCAPING)


def _escaped(error: UnicodeError) -> tuple[str | bytes, int]:
    """Undecodable bytes of file names unchanged; characters that the encoding lacks as escapes."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    character = error.object[error.start]
    if "\udc80" <= character <= "\udcff":
        return bytes([ord(character) & 0xFF]), error.start + 1
    return character.encode("ascii", "backslashreplace").decode("ascii"), error.start + 1


def is_unicode(stream: TextIO | None) -> bool:
    """Whether a stream can encode every character."""
    return (getattr(stream, "encoding", None) or "utf-8").lower().replace("-", "") in (
        "utf8",
        "utf16",
        "utf32",
    )


@contextmanager
def writing() -> Iterator[None]:
    """Print to standard output inside the block. Raises OutputError if it is closed or full."""
    if sys.stdout is None:
        raise OutputError("it is closed", "redirect it to a file, or to /dev/null")
    try:
        yield
    except OSError as error:
        raise OutputError(
            error.strerror or str(error), "redirect it to a file system with free space"
        ) from None


def flush() -> None:
    """Flush standard output. Raises OutputError as `writing` does."""
    if sys.stdout is not None:
        with writing():
            sys.stdout.flush()


def abandon() -> None:
    """Discard output that could not be written, so that it is not written again at exit."""
    with suppress(OSError, ValueError, AttributeError):
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, sys.stdout.fileno())
        os.close(null)
