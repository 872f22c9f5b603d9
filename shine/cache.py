"""Where built kernels are kept between runs. Knows no compiler.

A directory of the user's own; entries are written elsewhere and renamed, so that processes may share it. An
entry ends in a checksum of the rest, which loaders of shared libraries ignore: a damaged one is not loaded.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import Final

_NAME: Final = "rise-shine"
_SCRATCH: Final = "making-"
_SEAL: Final = b"rise-shine sha256 "


@lru_cache(maxsize=1)
def default_directory() -> Path:
    """The user's cache directory by the platform's convention: `$XDG_CACHE_HOME/rise-shine`, or below
    `~/.cache`.
    """
    base = os.environ.get("XDG_CACHE_HOME", "")
    home = Path(base) if os.path.isabs(base) else Path("~/.cache").expanduser()
    return writable_directory(home / _NAME)


def writable_directory(wanted: Path) -> Path:
    """The directory, made if need be; or one among temporary files, of this user alone, if that fails."""
    private = Path(tempfile.gettempdir()) / f"{_NAME}-{os.getuid()}"
    for candidate in (wanted, private):
        try:
            candidate.mkdir(mode=0o700, parents=True, exist_ok=True)
            facts = candidate.stat()
            with tempfile.TemporaryFile(dir=candidate):
                pass
        except OSError:
            continue
        if facts.st_uid == os.getuid() and not facts.st_mode & stat.S_IWOTH:
            return candidate
    return Path(tempfile.mkdtemp(prefix=f"{_NAME}-"))


def digest(*parts: str) -> str:
    """A name for an entry that is made from these texts."""
    total = hashlib.sha256()
    for part in parts:
        encoded = part.encode()
        total.update(len(encoded).to_bytes(8, "little") + encoded)
    return total.hexdigest()[:40]


@contextmanager
def scratch(parent: Path | None = None) -> Iterator[Path]:
    """A directory for what is being made, gone afterwards; among temporary files if no parent is given.

    It has no finalizer: a forked child inherits those, and would delete at its end what its parent still needs.
    """
    made = Path(tempfile.mkdtemp(prefix=_SCRATCH, dir=parent))
    try:
        yield made
    finally:
        shutil.rmtree(made, ignore_errors=True)


def is_whole(entry: Path) -> bool:
    """Whether an entry is there and is what was written."""
    try:
        content = entry.read_bytes()
    except OSError:
        return False
    body, seal, checksum = content.rpartition(_SEAL)
    return bool(seal) and hashlib.sha256(body).digest() == checksum


def store(built: Path, entry: Path) -> None:
    """Seal a file and make it the entry, at once; `built` is on the same file system, and then gone."""
    body = built.read_bytes()
    with built.open("ab") as file:
        file.write(_SEAL + hashlib.sha256(body).digest())
    built.replace(entry)


def store_text(text: str, entry: Path) -> None:
    """Write a text and make it the entry, at once."""
    handle, name = tempfile.mkstemp(dir=entry.parent)
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write(text)
    Path(name).replace(entry)
