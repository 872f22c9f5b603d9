"""Limits the size and age of the cache, as set by the user. Independent of what entries contain.

Stores are counted in a small file. After 32 of them, or after a sixteenth of the limit, the directory is scanned and
the least recently used entries are deleted. Entries used in the last minute are kept, since a process may be about to
load them.
"""

from __future__ import annotations

import math
import os
import re
import shutil
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final, NoReturn

from rise.diagnostics import Diagnostic, RiseError
from rise.records import dataclass
from rise.text.names import bounded

SIZE_VARIABLE: Final = "SHINE_CACHE_SIZE"
DAYS_VARIABLE: Final = "SHINE_CACHE_DAYS"
UNLIMITED: Final = "unlimited"
SCRATCH: Final = "making-"
SECONDS_PER_DAY: Final = 86_400.0
RECENT_SECONDS: Final = 60.0  # an entry used within this time may be about to be loaded
ABANDONED_SECONDS: Final = 6 * 3600.0  # a build directory older than this is left over
SKEW_SECONDS: Final = SECONDS_PER_DAY  # a time of use further in the future comes from a wrong clock
STORES_PER_SWEEP: Final = 32
KEPT_SHARE: Final = 7 / 8  # of the size limit, after a sweep
SUFFIXES: Final = ("so", "o", "c", "cubin", "gch", "json", "kernel", "derivation", "module", "xla", "host")
#: names of entries, so that no other file is ever deleted
_ENTRY: Final = re.compile(rf"(?:[a-z-]+-)?[0-9a-f]{{40}}\.(?:{'|'.join(SUFFIXES)})")
_COUNT: Final = "stored"
_MAX_SHOWN: Final = 80
_NUMBER: Final = r"\d{1,18}(?:\.\d{1,18})?"
_SIZE: Final = re.compile(rf"({_NUMBER})([KMGT]?)(?:i?B)?", re.IGNORECASE)
_POWERS: Final = {"": 0, "K": 1, "M": 2, "G": 3, "T": 4}


@dataclass(frozen=True, slots=True)
class Limits:
    """The maximum total size of entries in bytes, and the days for which an unused entry is kept; None for no limit."""

    bytes: int | None = 1 << 30
    days: float | None = 90.0


@dataclass(frozen=True, slots=True)
class Contents:
    """The contents of a directory: entries, their size in bytes, and build directories, in use or left over."""

    entries: int
    bytes: int
    building: int


@dataclass(frozen=True, slots=True)
class _Entry:
    path: str
    bytes: int
    used: float


def limits_of_user(environment: Mapping[str, str] = os.environ) -> Limits:
    """The limits that the environment sets, or the defaults. Raises RiseError for values that are not limits."""
    size, days = (environment.get(name, "").strip() for name in (SIZE_VARIABLE, DAYS_VARIABLE))
    usual = Limits()
    return Limits(
        _size(size) if size else usual.bytes,
        _days(days) if days else usual.days,
    )


def _size(text: str) -> int | None:
    if text == UNLIMITED:
        return None
    size = _SIZE.fullmatch(text)
    if size is None:
        _refuse(SIZE_VARIABLE, "a size such as 500M or 2G", text)
    return int(float(size[1]) * 1024 ** _POWERS[size[2].upper()])


def _days(text: str) -> float | None:
    if text == UNLIMITED:
        return None
    if not re.fullmatch(_NUMBER, text):
        _refuse(DAYS_VARIABLE, "a number of days such as 30", text)
    return float(text)


def is_entry_name(name: str) -> bool:
    """Whether files of this name are entries, which are counted, limited and deleted."""
    return _ENTRY.fullmatch(name) is not None


def note_stored(directory: Path, size: int) -> None:
    """Record that an entry was stored, and sweep if that is due. Raises RiseError like `limits_of_user`."""
    limits = limits_of_user()
    share = 1 if not limits.bytes else max(1, -(-size * 16 * STORES_PER_SWEEP // limits.bytes))
    with suppress(OSError):
        counter = directory / _COUNT
        with counter.open("ab") as file:
            file.write(b"." * min(share, STORES_PER_SWEEP))
            is_due = file.tell() >= STORES_PER_SWEEP
        if is_due:
            counter.write_bytes(b"")
            sweep(directory, limits)


def sweep(directory: Path, limits: Limits, now: float | None = None) -> int:
    """Delete entries beyond the limits, least recently used first, and directories left over from killed builds.

    Returns the number of deleted entries.
    """
    now = time.time() if now is None else now
    for folder in _build_folders(directory):
        with suppress(OSError):
            if _last_use(folder.stat().st_mtime, now) < now - ABANDONED_SECONDS:
                shutil.rmtree(folder, ignore_errors=True)
    entries = sorted(_entries(directory), key=lambda entry: _last_use(entry.used, now))
    total = sum(entry.bytes for entry in entries)
    goal = total if limits.bytes is None or total <= limits.bytes else int(limits.bytes * KEPT_SHARE)
    oldest = -math.inf if limits.days is None else now - limits.days * SECONDS_PER_DAY
    deleted = 0
    for entry in entries:
        used = _last_use(entry.used, now)
        if used > now - RECENT_SECONDS or (total <= goal and used >= oldest):
            break
        if _delete(entry):
            total -= entry.bytes
            deleted += 1
    return deleted


def contents(directory: Path) -> Contents:
    """Count the contents of a directory."""
    entries = list(_entries(directory))
    return Contents(
        len(entries), sum(entry.bytes for entry in entries), sum(1 for _ in _build_folders(directory))
    )


def clear(directory: Path) -> Contents:
    """Delete all entries, and directories left over from killed builds. Returns the counts of deleted contents.

    A process that is about to load an entry rebuilds it.
    """
    now = time.time()
    deleted = deleted_bytes = building = 0
    for entry in _entries(directory):
        with suppress(OSError):
            os.unlink(entry.path)
            deleted, deleted_bytes = deleted + 1, deleted_bytes + entry.bytes
    for folder in _build_folders(directory):
        with suppress(OSError):
            if _last_use(folder.stat().st_mtime, now) < now - ABANDONED_SECONDS:
                shutil.rmtree(folder, ignore_errors=True)
                building += 1
    return Contents(deleted, deleted_bytes, building)


def _last_use(time_of_file: float, now: float) -> float:
    """The time of a file; if a wrong clock set it, the earliest time, since the file would be kept until then."""
    return time_of_file if time_of_file <= now + SKEW_SECONDS else -math.inf


def _delete(entry: _Entry) -> bool:
    """Delete an entry, unless it was used since the directory was scanned."""
    try:
        if os.stat(entry.path).st_mtime != entry.used:
            return False
        os.unlink(entry.path)
    except OSError:
        return False
    return True


def _entries(directory: Path) -> Iterator[_Entry]:
    try:
        files = list(os.scandir(directory))
    except OSError:
        return
    for file in files:
        with suppress(OSError):
            if is_entry_name(file.name) and file.is_file(follow_symlinks=False):
                facts = file.stat(follow_symlinks=False)
                yield _Entry(file.path, facts.st_size, facts.st_mtime)


def _build_folders(directory: Path) -> Iterator[Path]:
    try:
        files = list(os.scandir(directory))
    except OSError:
        return
    for file in files:
        with suppress(OSError):
            if file.name.startswith(SCRATCH) and file.is_dir(follow_symlinks=False):
                yield Path(file.path)


def _refuse(name: str, expected: str, text: str) -> NoReturn:
    title = f"{name}: expected {expected}, or {UNLIMITED}, found {bounded(text, _MAX_SHOWN)!r}"
    raise RiseError(Diagnostic("cache-limit", title, hint=f"correct or unset {name}"))
