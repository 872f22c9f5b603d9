"""Entries of the cache: made, found whole, used. Knows no compiler, and not what entries hold.

An entry ends in a checksum of the rest, which loaders of shared libraries ignore: a damaged one is made again. Another
process may delete any entry at any time: what was deleted before it was loaded is made again, too.
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
from shine.cache.errors import ELSEWHERE, trouble
from shine.cache.limits import SCRATCH, note_stored

_SEAL: Final = b"rise-shine sha256 "
_SEALED: Final = len(_SEAL) + hashlib.sha256().digest_size
_TRIES: Final = 10
_OTHERS: Final = stat.S_IWGRP | stat.S_IWOTH
T = TypeVar("T")


def digest(*parts: str) -> str:
    """A name for an entry that is made from these texts."""
    total = hashlib.sha256()
    for part in parts:
        encoded = part.encode("utf-8", "surrogatepass")
        total.update(len(encoded).to_bytes(8, "little") + encoded)
    return total.hexdigest()[:40]


def use(entry: Path, make: Callable[[Path], Path], load: Callable[[Path], T]) -> T:
    """What `load` makes of an entry. Where there is none, `make` is given a directory, and answers where in it it has
    made the content. An entry that `load` refuses by a ValueError is made again, once.

    Raises RiseError where the directory cannot be written to, and where a whole entry cannot be loaded.
    """
    refused = False
    failed = OSError()
    for _ in range(_TRIES):
        if is_whole(entry):
            _note_used(entry)
        else:
            with scratch(entry.parent) as folder:
                _store(make(folder), entry)
        try:
            return load(entry)
        except ValueError:
            if refused:
                raise
            refused = True
            with suppress(OSError):
                entry.unlink()
        except OSError as error:  # it may have been deleted, and made again by somebody else meanwhile
            failed = error
    raise _cannot_load(entry, failed)


def is_whole(entry: Path) -> bool:
    """Whether an entry is there, is what was written, and nobody else may write to it."""
    try:
        facts = entry.stat()
        if not stat.S_ISREG(facts.st_mode) or facts.st_mode & _OTHERS:
            return False
        content = entry.read_bytes()
    except OSError:
        return False
    seal, checksum = content[-_SEALED : -_SEALED + len(_SEAL)], content[-_SEALED + len(_SEAL) :]
    return seal == _SEAL and hashlib.sha256(content[:-_SEALED]).digest() == checksum


def body_of(entry: Path) -> bytes:
    """What was stored as an entry, which is whole."""
    return entry.read_bytes()[:-_SEALED]


@contextmanager
def scratch(parent: Path | None = None) -> Iterator[Path]:
    """A directory for what is being made, gone afterwards; among temporary files if no parent is given.

    It has no finalizer: a forked child inherits those, and would delete at its end what its parent still needs.
    Raises RiseError where it cannot be written to.
    """
    made: Path | None = None
    try:
        made = Path(tempfile.mkdtemp(prefix=SCRATCH, dir=parent))
        yield made
    except OSError as error:
        raise trouble(parent or Path(tempfile.gettempdir()), error) from None
    finally:
        if made is not None:
            shutil.rmtree(made, ignore_errors=True)


def keep_text(text: str, place: Path) -> None:
    """Write a text to a file of the cache's directory, at once."""
    with scratch(place.parent) as folder:
        made = folder / place.name
        made.write_text(text, encoding="utf-8", errors="surrogateescape")
        _move(made, place)


def _store(built: Path, entry: Path) -> None:
    """Seal a file and make it the entry, at once; `built` is on the same file system, and then gone."""
    body = built.read_bytes()
    with built.open("ab") as file:
        file.write(_SEAL + hashlib.sha256(body).digest())
    built.chmod(0o600)
    _move(built, entry)
    note_stored(entry.parent, len(body) + _SEALED)


def _move(made: Path, place: Path) -> None:
    """Something else than a file may be in the way: nothing but entries has such a name."""
    if place.is_dir() and not place.is_symlink():
        shutil.rmtree(place, ignore_errors=True)
    made.replace(place)


def _note_used(entry: Path) -> None:
    """The time of its last use is when it was changed last: times of access are not kept everywhere."""
    with suppress(OSError):
        os.utime(entry)


def _cannot_load(entry: Path, error: OSError) -> RiseError:
    title = f"expected a library that can be loaded, found {entry}: {error.strerror or error}"
    hint = f"where its file system runs no programs (noexec), {ELSEWHERE}; else name another compiler"
    return RiseError(Diagnostic("cannot-load", title, hint=hint))
