"""Diagnostics for errors with files of the cache. Independent of entries."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from typing import Final

from rise.diagnostics import Diagnostic, RiseError

CHOOSE_ANOTHER: Final = "choose another directory by XDG_CACHE_HOME or the option `cache`"
_FULL: Final = frozenset((errno.ENOSPC, errno.EDQUOT, errno.EFBIG))
_UNITS: Final = ("bytes", "KiB", "MiB", "GiB", "TiB")


def trouble(place: Path, error: OSError) -> RiseError:
    """The error to raise for an OSError when writing below a directory."""
    reason = error.strerror or str(error)
    if error.errno in _FULL:
        return no_room(place, reason)
    title = f"expected a directory for built kernels, found that {place} cannot be written to: {reason}"
    return RiseError(Diagnostic("cache-directory", title, hint=CHOOSE_ANOTHER))


def no_room(place: Path, reason: str) -> RiseError:
    """The error for a full disk, an exhausted quota, or a limit on file sizes."""
    title = f"there is no space for a built kernel in {place}: {reason}"
    hint = f"free some space (`shine cache clear` deletes built kernels), or {CHOOSE_ANOTHER}"
    return RiseError(Diagnostic("disk-full", title, hint=hint, notes=_room(place)))


def _room(place: Path) -> tuple[str, ...]:
    try:
        filesystem = os.statvfs(place)
    except OSError:
        return ()
    free, total = (blocks * filesystem.f_frsize for blocks in (filesystem.f_bavail, filesystem.f_blocks))
    return (f"{readable(free)} of the {readable(total)} of its file system are free",)


def readable(size: float) -> str:
    """A number of bytes with a unit.

    >>> readable(512), readable(1536), readable(1 << 30)
    ('512 bytes', '1.5 KiB', '1.0 GiB')
    """
    unit = 0
    while size >= 1024 and unit < len(_UNITS) - 1:
        size /= 1024
        unit += 1
    return f"{size:.1f} {_UNITS[unit]}" if unit else f"{size:.0f} {_UNITS[0]}"
