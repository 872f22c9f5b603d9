"""Locks in processes that fork. Independent of what they guard.

A forked child has one thread: the one that forked. A lock held by another thread of the parent would never be released
in the child, and that thread's work would remain incomplete. So there are two kinds of locks. A `Lock` is free in every
child: for work that may remain incomplete. A lock from `fork_barrier` delays forks until it is released: for calls of
libraries that do not survive a fork.

Python has a lock for each module that is being imported, which stays taken in a child of another thread. A fork waits
for the imports that are done within `importing`: those of modules that are loaded on first use. It also waits while
another thread runs the text of one of our modules, in a plain `import rise`, which begins with this module. It cannot
wait in the moments before this module is loaded, and between the end of a module's text and that of its import.
"""

from __future__ import annotations

import logging  # noqa: F401  # it acts at forks, which must not begin to do so while a fork waits for imports
import os
import sys
import threading
import time
import weakref
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from types import FrameType
from typing import Any, Final


class Lock:
    """A reentrant lock that is free in a forked child, whoever held it in the parent."""

    __slots__ = ("__weakref__", "_lock")

    def __init__(self) -> None:
        self._lock = threading.RLock()
        _LOCKS.add(self)

    def held(self) -> AbstractContextManager[bool]:
        """Hold the lock."""
        return self._lock


def fork_barrier() -> AbstractContextManager[bool]:
    """A reentrant lock that every fork waits for. It is never freed, so create it in a module, not in a function.

    A thread that holds one must not wait for another, since a fork takes all of them.
    """
    lock = threading.RLock()
    takers: list[int] = []

    def take() -> None:
        _IMPORTS.wait()  # first, since an import may need the lock
        lock.acquire()
        takers.append(threading.get_ident())

    def give_back() -> None:
        if threading.get_ident() in takers:  # not if the module was imported while the fork waited
            takers.remove(threading.get_ident())
            lock.release()

    if hasattr(os, "register_at_fork"):
        os.register_at_fork(before=take, after_in_parent=give_back, after_in_child=give_back)
    return lock


@contextmanager
def importing() -> Iterator[None]:
    """Let forks wait while this thread imports a module, but for `IMPORT_SECONDS` at most: the import may need what the
    thread that forks holds.
    """
    thread = threading.get_ident()
    with _IMPORTS.changed:
        _IMPORTS.depths[thread] = _IMPORTS.depths.get(thread, 0) + 1
    try:
        yield
    finally:
        with _IMPORTS.changed:
            _IMPORTS.depths[thread] -= 1
            if not _IMPORTS.depths[thread]:
                del _IMPORTS.depths[thread]
            _IMPORTS.changed.notify_all()


class _Imports:
    """How many imports each thread is in, one inside the other."""

    def __init__(self) -> None:
        self.depths: dict[int, int] = {}
        self.changed = threading.Condition()
        self.forking: int | None = None

    def wait(self) -> None:
        """Wait for the imports of other threads, and let no other begin, until this thread has forked."""
        thread = threading.get_ident()
        if self.forking != thread:
            self.changed.acquire()
            end = time.monotonic() + IMPORT_SECONDS
            self.changed.wait_for(lambda: not self.depths.keys() - {thread}, IMPORT_SECONDS)
            while time.monotonic() < end and others_import():
                self.changed.wait(_PAUSE)
            self.forking = thread

    def go_on(self) -> None:
        """Let imports begin again."""
        if self.forking == threading.get_ident():
            self.forking = None
            self.changed.release()

    def forget(self) -> None:
        """Forget the threads of the parent, in a child."""
        thread = threading.get_ident()
        self.depths = {one: depth for one, depth in self.depths.items() if one == thread}
        self.changed = threading.Condition()
        self.forking = None


def others_import() -> bool:
    """Whether another thread runs the text of one of our modules, as it imports it."""
    return any(
        _runs_module(frame)
        for thread, frame in sys._current_frames().items()
        if thread != threading.get_ident()
    )


def _runs_module(frame: FrameType | None) -> bool:
    while frame is not None:
        name = frame.f_globals.get("__name__")
        if frame.f_code.co_name == "<module>" and isinstance(name, str):
            if name.partition(".")[0] in _PACKAGES:
                return True
        frame = frame.f_back
    return False


def in_process(process: int, work: Callable[..., object], *arguments: Any) -> None:
    """Do the work unless this is a forked child of the process: for finalizers, which children inherit."""
    if os.getpid() == process:
        work(*arguments)


def _reset_locks() -> None:
    for lock in _LOCKS:
        lock._lock = threading.RLock()


IMPORT_SECONDS: Final = 10.0
_PAUSE: Final = 0.002  # seconds between looks at what other threads run
_PACKAGES: Final = frozenset(("rise", "elevate", "strategies", "shine"))
_IMPORTS: Final = _Imports()
_LOCKS: Final[weakref.WeakSet[Lock]] = weakref.WeakSet()

if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_reset_locks)
    os.register_at_fork(before=_IMPORTS.wait, after_in_parent=_IMPORTS.go_on, after_in_child=_IMPORTS.forget)
