"""Locks in processes that fork. Knows nothing that they guard.

A forked child has one thread: the one that forked. A lock that another thread of the parent held would stay closed in
the child for ever, and what that thread was doing stays half done. So there are two kinds of locks. A `Lock` is open in
every child: for what may be left half done. A fork waits for a lock that `undivided` made: for calls of libraries that
do not survive it.
"""

from __future__ import annotations

import os
import threading
import weakref
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any, Final


class Lock:
    """A lock that is open in a forked child, whoever held it in the parent. A thread may take it again and again."""

    __slots__ = ("__weakref__", "_lock")

    def __init__(self) -> None:
        self._lock = threading.RLock()
        _LOCKS.add(self)

    @contextmanager
    def held(self) -> Iterator[None]:
        """Hold it."""
        with self._lock:
            yield


def undivided() -> AbstractContextManager[bool]:
    """A lock that every fork waits for. It lives as long as the process, so modules make them, and functions do not.

    A thread that holds one must not wait for another, since a fork takes all of them.
    """
    lock = threading.RLock()
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(before=lock.acquire, after_in_parent=lock.release, after_in_child=lock.release)
    return lock


def in_process(process: int, work: Callable[..., object], *arguments: Any) -> None:
    """Do this, unless this is a child that was forked from the process: for finalizers, which children inherit."""
    if os.getpid() == process:
        work(*arguments)


def _open_all() -> None:
    for lock in _LOCKS:
        lock._lock = threading.RLock()


_LOCKS: Final[weakref.WeakSet[Lock]] = weakref.WeakSet()

if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_open_all)
