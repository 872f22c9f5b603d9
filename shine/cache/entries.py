"""Stores, verifies and loads entries of the cache. Independent of compilers and of the contents of entries.

An entry ends with a checksum of its content, which loaders of shared libraries ignore: a damaged entry is rebuilt.
Another process may delete any entry at any time: an entry that was deleted before it was loaded is rebuilt, too.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import stat
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final, TypeVar

from rise.diagnostics import Diagnostic, RiseError
from shine.cache.errors import CHOOSE_ANOTHER, trouble
from shine.cache.limits import SCRATCH, is_entry_name, note_stored

_SEAL: Final = b"rise-shine sha256 "
_SEAL_BYTES: Final = len(_SEAL) + hashlib.sha256().digest_size
_MAX_TRIES: Final = 10
_WRITABLE_BY_OTHERS: Final = stat.S_IWGRP | stat.S_IWOTH
T = TypeVar("T")


def digest(*parts: str) -> str:
    """The name of an entry that is built from these texts."""
    hasher = hashlib.sha256()
    for part in parts:
        encoded = part.encode("utf-8", "surrogatepass")
        hasher.update(len(encoded).to_bytes(8, "little") + encoded)
    return hasher.hexdigest()[:40]


def use(entry: Path, make: Callable[[Path], Path], load: Callable[[Path], T]) -> T:
    """The result of `load` for an entry. If there is none, `make` is called with a directory, in which it builds the
    content, and returns the content's path. An entry for which `load` raises ValueError is rebuilt, once.

    Raises RiseError if the directory cannot be written to, and if an intact entry cannot be loaded.
    """
    was_rejected = False
    last_error = OSError()
    for _ in range(_MAX_TRIES):
        if is_whole(entry):
            _note_used(entry)
        else:
            with scratch(entry.parent) as folder:
                _store(make(folder), entry)
        try:
            return load(entry)
        except ValueError:
            if was_rejected:
                raise
            was_rejected = True
            with suppress(OSError):
                entry.unlink()
        except OSError as error:  # another process may have deleted or rebuilt it meanwhile
            last_error = error
    raise _cannot_load(entry, last_error)


def is_whole(entry: Path) -> bool:
    """Whether an entry exists, is undamaged, and cannot be written to by others."""
    try:
        facts = entry.stat()
        if not stat.S_ISREG(facts.st_mode) or facts.st_mode & _WRITABLE_BY_OTHERS:
            return False
        content = entry.read_bytes()
    except OSError:
        return False
    seal, checksum = content[-_SEAL_BYTES : -_SEAL_BYTES + len(_SEAL)], content[-_SEAL_BYTES + len(_SEAL) :]
    return seal == _SEAL and hashlib.sha256(content[:-_SEAL_BYTES]).digest() == checksum


def stored(entry: Path) -> bytes | None:
    """The content of an entry, which is recorded as used; None if there is no entry, or if it is damaged."""
    if not is_whole(entry):
        return None
    _note_used(entry)
    try:
        return body_of(entry)
    except OSError:  # another process has deleted it meanwhile
        return None


def body_of(entry: Path) -> bytes:
    """The content of an intact entry."""
    return entry.read_bytes()[:-_SEAL_BYTES]


@contextmanager
def scratch(parent: Path | None = None) -> Iterator[Path]:
    """A directory for work in progress, deleted afterwards; a temporary directory if no parent is given.

    The directory has no finalizer, since a forked child would inherit it, and delete at exit what its parent still
    needs. Raises RiseError if it cannot be written to.
    """
    folder: Path | None = None
    try:
        folder = Path(tempfile.mkdtemp(prefix=SCRATCH, dir=parent))
        yield folder
    except OSError as error:
        raise trouble(parent or Path(tempfile.gettempdir()), error) from None
    finally:
        if folder is not None:
            shutil.rmtree(folder, ignore_errors=True)


def keep_text(text: str, target: Path) -> None:
    """Write a text to a file of the cache's directory, atomically."""
    with scratch(target.parent) as folder:
        file = folder / target.name
        file.write_text(text, encoding="utf-8", errors="surrogateescape")
        _move(file, target)


def _store(built: Path, entry: Path) -> None:
    """Append the checksum to a file and move it to the entry atomically; `built` must be on the same file system."""
    body = built.read_bytes()
    with built.open("ab") as file:
        file.write(_SEAL + hashlib.sha256(body).digest())
    built.chmod(0o600)
    _move(built, entry)
    note_stored(entry.parent, len(body) + _SEAL_BYTES)


def _move(source: Path, target: Path) -> None:
    """Rename a file. A directory with the target's name is deleted, since only entries have such names."""
    assert is_entry_name(target.name), f"{target.name} would never be counted, nor deleted"
    if target.is_dir() and not target.is_symlink():
        shutil.rmtree(target, ignore_errors=True)
    source.replace(target)


def _note_used(entry: Path) -> None:
    """Record the time of use as the modification time, since not all file systems record access times."""
    with suppress(OSError):
        os.utime(entry)


def _cannot_load(entry: Path, error: OSError) -> RiseError:
    title = f"expected a library that can be loaded, found {entry}: {error.strerror or error}"
    hint = f"if its file system is mounted noexec, {CHOOSE_ANOTHER}; otherwise choose another compiler"
    return RiseError(Diagnostic("cannot-load", title, hint=hint))
