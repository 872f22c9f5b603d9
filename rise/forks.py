"""Locks in processes that fork. Independent of what they guard.

A forked child has one thread: the one that forked. A lock held by another thread of the parent would never be released
in the child, and that thread's work would remain incomplete. So there are two kinds of locks. A `Lock` is free in every
child: for work that may remain incomplete. A lock from `fork_barrier` delays forks until it is released: for calls of
libraries that do not survive a fork.
"""

from __future__ import annotations

import os
import threading
import weakref
from collections.abc import Callable
from contextlib import AbstractContextManager
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
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(before=lock.acquire, after_in_parent=lock.release, after_in_child=lock.release)
    return lock


def in_process(process: int, work: Callable[..., object], *arguments: Any) -> None:
    """Do the work unless this is a forked child of the process: for finalizers, which children inherit."""
    if os.getpid() == process:
        work(*arguments)


def _reset_locks() -> None:
    for lock in _LOCKS:
        lock._lock = threading.RLock()


_LOCKS: Final[weakref.WeakSet[Lock]] = weakref.WeakSet()

if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_reset_locks)
