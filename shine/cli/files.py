"""Files that commands write: all of one, or nothing. Knows no command."""

from __future__ import annotations

import os
from pathlib import Path

from rise.diagnostics import Diagnostic, RiseError


def write_file(path: Path, content: bytes) -> None:
    """Write a file beside its place, and move it there at once; what is no plain file is written to.

    Raises RiseError where it cannot be written; then what was there before is there still.
    """
    place = path.resolve()
    made = place.with_name(f".{place.name}.{os.getpid()}.part")
    try:
        if place.exists() and not place.is_file() and not place.is_dir():
            place.write_bytes(content)
            return
        try:
            made.write_bytes(content)
            made.replace(place)
        finally:
            made.unlink(missing_ok=True)
    except OSError as error:
        title = f"{path} cannot be written: {error.strerror or error}"
        raise RiseError(Diagnostic("file", title, hint="choose another place")) from None
