"""Which directory holds built kernels, and whether it may be trusted. Knows no entries.

Its libraries are loaded into the user's programs: whoever may write to it may run code as the user.
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

from rise.diagnostics import Diagnostic, RiseError
from rise.expected import expected
from rise.forks import in_process
from shine.cache.errors import ELSEWHERE, trouble

NAME: Final = "rise-shine"
_PRIVATE: Final = 0o700
_OTHERS: Final = stat.S_IWGRP | stat.S_IWOTH


def directory_of(option: str | Path | None) -> Path:
    """The directory that the option `cache` names, or the user's. Raises RiseError as `open_directory` does."""
    if option is None:
        return default_directory()
    expected(option, str | Path, "the path of a directory for built kernels", 'as cache="kernels"')
    return open_directory(Path(option).expanduser())


def default_directory() -> Path:
    """The user's cache directory by the platform's convention: `$XDG_CACHE_HOME/rise-shine`, or below `~/.cache`. Where
    that cannot be written to, one among temporary files.

    Raises RiseError where others may write to it.
    """
    base = os.environ.get("XDG_CACHE_HOME", "")
    try:
        home = Path(base) if os.path.isabs(base) else Path("~/.cache").expanduser()
    except RuntimeError:  # the user has no home
        return _temporary()
    try:
        found = _made(home / NAME)
    except OSError:
        return _temporary()
    return _temporary() if found.stat().st_uid != os.getuid() else _checked(found)


def open_directory(wanted: Path) -> Path:
    """A directory for built kernels, made if need be.

    Raises RiseError where it cannot be written to, where it belongs to somebody else, and where others may write to it.
    """
    try:
        return _checked(_made(wanted))
    except ValueError as error:  # a path that no file can have
        raise trouble(wanted, OSError(str(error))) from None
    except OSError as error:
        raise trouble(wanted, error) from None


def _made(wanted: Path) -> Path:
    wanted.mkdir(mode=_PRIVATE, parents=True, exist_ok=True)
    if not os.access(wanted, os.W_OK | os.X_OK):
        raise PermissionError(0, "it is read-only, or not yours")
    return wanted


def _checked(found: Path) -> Path:
    facts = found.stat()
    if facts.st_uid != os.getuid():
        _refuse(found, "belongs to somebody else", ELSEWHERE)
    if facts.st_mode & _OTHERS:
        who = " and ".join(
            name
            for bit, name in ((stat.S_IWGRP, "its group"), (stat.S_IWOTH, "others"))
            if facts.st_mode & bit
        )
        hint = f"delete what you do not trust in it, and then: chmod go-w '{found}'; or {ELSEWHERE}"
        _refuse(found, f"may be written to by {who}", hint)
    return found


def _refuse(found: Path, problem: str, hint: str) -> NoReturn:
    title = f"expected a directory for built kernels that only you may write to, found that {found} {problem}"
    note = "libraries in it are loaded, and run with your rights"
    raise RiseError(Diagnostic("cache-directory", title, hint=hint, notes=(note,)))


def _temporary() -> Path:
    """A directory among temporary files: the same for all processes of the user, unless somebody else took its name."""
    try:
        shared = Path(tempfile.gettempdir()) / f"{NAME}-{os.getuid()}"
        with suppress(FileExistsError):
            shared.mkdir(mode=_PRIVATE)
        facts = shared.lstat()
        is_ours = stat.S_ISDIR(facts.st_mode) and facts.st_uid == os.getuid() and not facts.st_mode & _OTHERS
        return shared if is_ours else _own(os.getpid())
    except OSError as error:
        raise trouble(Path(tempfile.gettempdir()), error) from None


@lru_cache(maxsize=1)
def _own(process: int) -> Path:
    """A directory of this process alone, which is gone when it ends."""
    made = Path(tempfile.mkdtemp(prefix=f"{NAME}-"))
    atexit.register(in_process, process, shutil.rmtree, made, True)
    return made
