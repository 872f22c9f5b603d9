"""Finds the directory of built kernels, and checks that it can be trusted. Independent of entries.

The libraries in it are loaded into the user's programs, so anyone who can write to it can run code as the user.
"""

from __future__ import annotations

import atexit
import os
import shutil
import stat
import tempfile
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Final, NoReturn

from rise.argument_checks import expected
from rise.diagnostics import Diagnostic, RiseError
from rise.forks import in_process
from shine.cache.errors import CHOOSE_ANOTHER, trouble

NAME: Final = "rise-shine"
_PRIVATE: Final = 0o700
_WRITABLE_BY_OTHERS: Final = stat.S_IWGRP | stat.S_IWOTH


def directory_of(option: str | Path | None) -> Path:
    """The directory that the option `cache` names, or the user's. Raises RiseError like `open_directory`."""
    if option is None:
        return default_directory()
    expected(option, str | Path, "the path of a directory for built kernels", 'as cache="kernels"')
    return open_directory(Path(option).expanduser())


def default_directory() -> Path:
    """The user's cache directory by the platform's convention: `$XDG_CACHE_HOME/rise-shine`, or below `~/.cache`. If it
    cannot be written to, a temporary directory.

    Raises RiseError if others may write to it.
    """
    base = os.environ.get("XDG_CACHE_HOME", "")
    try:
        home = Path(base) if os.path.isabs(base) else Path("~/.cache").expanduser()
    except RuntimeError:  # the user has no home
        return _temporary()
    try:
        directory = _created(home / NAME)
    except OSError:
        return _temporary()
    return _temporary() if directory.stat().st_uid != os.getuid() else _checked(directory)


def open_directory(directory: Path) -> Path:
    """A directory for built kernels, created if necessary.

    Raises RiseError if it cannot be written to, if it belongs to another user, and if others may write to it.
    """
    try:
        return _checked(_created(directory))
    except ValueError as error:  # a null character in the path
        raise trouble(directory, OSError(str(error))) from None
    except OSError as error:
        raise trouble(directory, error) from None


def _created(directory: Path) -> Path:
    directory.mkdir(mode=_PRIVATE, parents=True, exist_ok=True)
    if not os.access(directory, os.W_OK | os.X_OK):
        raise PermissionError(0, "it is read-only, or not yours")
    return directory


def _checked(directory: Path) -> Path:
    facts = directory.stat()
    if facts.st_uid != os.getuid():
        _refuse(directory, "belongs to another user", CHOOSE_ANOTHER)
    if facts.st_mode & _WRITABLE_BY_OTHERS:
        writers = " and ".join(
            name
            for bit, name in ((stat.S_IWGRP, "its group"), (stat.S_IWOTH, "others"))
            if facts.st_mode & bit
        )
        hint = (
            f"delete files in it that you do not trust, then: chmod go-w '{directory}'; or {CHOOSE_ANOTHER}"
        )
        _refuse(directory, f"may be written to by {writers}", hint)
    return directory


def _refuse(directory: Path, problem: str, hint: str) -> NoReturn:
    title = (
        f"expected a directory for built kernels that only you may write to, found that {directory} {problem}"
    )
    note = "libraries in it are loaded and run with your permissions"
    raise RiseError(Diagnostic("cache-directory", title, hint=hint, notes=(note,)))


def _temporary() -> Path:
    """A temporary directory: the same for all processes of the user, unless another user has taken its name."""
    try:
        shared = Path(tempfile.gettempdir()) / f"{NAME}-{os.getuid()}"
        with suppress(FileExistsError):
            shared.mkdir(mode=_PRIVATE)
        facts = shared.lstat()
        is_ours = (
            stat.S_ISDIR(facts.st_mode)
            and facts.st_uid == os.getuid()
            and not facts.st_mode & _WRITABLE_BY_OTHERS
        )
        return shared if is_ours else _process_directory(os.getpid())
    except OSError as error:
        raise trouble(Path(tempfile.gettempdir()), error) from None


@lru_cache(maxsize=1)
def _process_directory(process: int) -> Path:
    """A temporary directory of this process, deleted when the process ends."""
    directory = Path(tempfile.mkdtemp(prefix=f"{NAME}-"))
    atexit.register(in_process, process, shutil.rmtree, directory, True)
    return directory
