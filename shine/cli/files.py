"""Writes files completely or not at all. Knows no command."""

from __future__ import annotations

import errno
import os
from pathlib import Path

from rise.diagnostics import Diagnostic, RiseError


def write_file(path: Path, content: bytes) -> None:
    """Write a temporary file and rename it to the path; a device or pipe is written to directly.

    Raises RiseError where it cannot be written; a previous file then stays as it was.
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
