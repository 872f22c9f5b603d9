"""How much the cache keeps, and for how long: what the user sets, and how it is kept to. Knows not what entries hold.

Stores are counted in a small file. After 32 of them, or after a sixteenth of the limit, the directory is looked through
and what was not used for longest is deleted. What was used in the last minute stays: somebody may be about to load it.
"""

from __future__ import annotations

import os
import re
import shutil
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NoReturn

from rise.diagnostics import Diagnostic, RiseError

SIZE: Final = "SHINE_CACHE_SIZE"
DAYS: Final = "SHINE_CACHE_DAYS"
UNLIMITED: Final = "unlimited"
SCRATCH: Final = "making-"
DAY: Final = 86_400.0
RECENT: Final = 60.0  # seconds in which an entry may be on its way to being loaded
ABANDONED: Final = 6 * 3600.0  # seconds after which nobody builds in a directory any more
STORES: Final = 32
KEPT: Final = 7 / 8  # of the size limit, after entries were deleted
#: files that are entries, so that nothing else in a directory is ever deleted
_ENTRY: Final = re.compile(r"(?:[a-z-]+-)?[0-9a-f]{40}\.(?:so|o|c|cubin|json)")
_COUNT: Final = "stored"
_SIZE: Final = re.compile(r"(\d+(?:\.\d+)?)([KMGT]?)(?:i?B)?", re.IGNORECASE)
_POWERS: Final = {"": 0, "K": 1, "M": 2, "G": 3, "T": 4}


@dataclass(frozen=True, slots=True)
class Limits:
    """Bytes that all entries may take, and days that one is kept without being used; None for no limit."""

    bytes: int | None = 1 << 30
    days: float | None = 90.0


@dataclass(frozen=True, slots=True)
class Contents:
    """What a directory holds: entries, their bytes, and directories in which something is, or was, being built."""

    entries: int
    bytes: int
    building: int


@dataclass(frozen=True, slots=True)
class _Entry:
    path: Path
    bytes: int
    used: float


def limits_of_user(environment: Mapping[str, str] = os.environ) -> Limits:
    """The limits that the environment sets, or the usual ones. Raises RiseError for what is no limit."""
    size, days = (environment.get(name, "").strip() for name in (SIZE, DAYS))
    usual = Limits()
    return Limits(
        _size(size) if size else usual.bytes,
        _days(days) if days else usual.days,
    )


def _size(text: str) -> int | None:
    if text == UNLIMITED:
        return None
    found = _SIZE.fullmatch(text)
    if found is None:
        _refuse(SIZE, "a size such as 500M or 2G", text)
    return int(float(found[1]) * 1024 ** _POWERS[found[2].upper()])


def _days(text: str) -> float | None:
    if text == UNLIMITED:
        return None
    if not re.fullmatch(r"\d+(?:\.\d+)?", text):
        _refuse(DAYS, "a number of days such as 30", text)
    return float(text)


def note_stored(directory: Path, size: int) -> None:
    """Note that an entry was stored, and sweep where that is due. Raises RiseError for limits that are none."""
    limits = limits_of_user()
    share = 1 if not limits.bytes else max(1, -(-size * 16 * STORES // limits.bytes))
    with suppress(OSError):
        place = directory / _COUNT
        with place.open("ab") as file:
            file.write(b"." * min(share, STORES))
            due = file.tell() >= STORES
        if due:
            place.write_bytes(b"")
            sweep(directory, limits)


def sweep(directory: Path, limits: Limits, now: float | None = None) -> int:
    """Delete what exceeds the limits, those not used for longest first; and what was left of builds that were killed.
    How many entries were deleted.
    """
    now = time.time() if now is None else now
    for folder in _buildings(directory):
        with suppress(OSError):
            if folder.stat().st_mtime < now - ABANDONED:
                shutil.rmtree(folder, ignore_errors=True)
    entries = sorted(_entries(directory), key=lambda one: one.used)
    total = sum(one.bytes for one in entries)
    goal = total if limits.bytes is None or total <= limits.bytes else int(limits.bytes * KEPT)
    oldest = 0.0 if limits.days is None else now - limits.days * DAY
    deleted = 0
    for one in entries:
        if one.used > now - RECENT or (total <= goal and one.used >= oldest):
            break
        if _delete(one):
            total -= one.bytes
            deleted += 1
    return deleted


def contents(directory: Path) -> Contents:
    """What a directory holds."""
    entries = list(_entries(directory))
    return Contents(len(entries), sum(one.bytes for one in entries), sum(1 for _ in _buildings(directory)))


def clear(directory: Path) -> Contents:
    """Delete all entries, and what was left of builds that were killed; what was deleted.

    A process that is about to load one makes it again.
    """
    now = time.time()
    deleted = bytes = building = 0
    for one in _entries(directory):
        with suppress(OSError):
            one.path.unlink()
            deleted, bytes = deleted + 1, bytes + one.bytes
    for folder in _buildings(directory):
        with suppress(OSError):
            if folder.stat().st_mtime < now - ABANDONED:
                shutil.rmtree(folder, ignore_errors=True)
                building += 1
    return Contents(deleted, bytes, building)


def _delete(entry: _Entry) -> bool:
    """Delete an entry, unless it was used since the directory was looked through."""
    try:
        if entry.path.stat().st_mtime != entry.used:
            return False
        entry.path.unlink()
    except OSError:
        return False
    return True


def _entries(directory: Path) -> Iterator[_Entry]:
    try:
        found = list(os.scandir(directory))
    except OSError:
        return
    for one in found:
        with suppress(OSError):
            if _ENTRY.fullmatch(one.name) and one.is_file(follow_symlinks=False):
                facts = one.stat(follow_symlinks=False)
                yield _Entry(Path(one.path), facts.st_size, facts.st_mtime)


def _buildings(directory: Path) -> Iterator[Path]:
    try:
        found = list(os.scandir(directory))
    except OSError:
        return
    for one in found:
        with suppress(OSError):
            if one.name.startswith(SCRATCH) and one.is_dir(follow_symlinks=False):
                yield Path(one.path)


def _refuse(name: str, expected: str, text: str) -> NoReturn:
    title = f"{name}: expected {expected}, or {UNLIMITED}, found {text!r}"
    raise RiseError(Diagnostic("cache-limit", title, hint=f"correct or unset {name}"))
