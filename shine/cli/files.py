"""Files that commands write: all of one, or nothing. Knows no command."""

from __future__ import annotations

import errno
import os
from pathlib import Path

from rise.diagnostics import Diagnostic, RiseError


def write_file(path: Path, content: bytes) -> None:
    """Write a file beside its place, and move it there at once; what is no plain file is written to.

    Raises RiseError where it cannot be written; then what was there before is there still.
    """
    try:
        place = path.resolve()
        if place.is_dir():
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        made = place.with_name(f".shine-{os.getpid()}.part")
        if place.exists() and not place.is_file():
            place.write_bytes(content)
            return
        try:
            made.write_bytes(content)
            made.replace(place)
        finally:
            made.unlink(missing_ok=True)
    except (OSError, ValueError, RuntimeError) as error:  # a name that none can have; a circle of links
        title = f"{path} cannot be written: {getattr(error, 'strerror', None) or error}"
        raise RiseError(Diagnostic("file", title, hint="choose another place")) from None
