"""Ends OpenMP's threads before a process forks. Independent of kernels. See decision 0018.

OpenMP keeps threads for the next parallel loop of the thread that started them. A forked child does not have them, but
gcc's OpenMP does not notice: the child's first parallel loop would wait for them forever. So a function of OpenMP 5.0
ends them before a fork; parent and child start new ones when they need them.
"""

from __future__ import annotations

import ctypes
import os
import threading
from collections.abc import Callable, Set
from functools import cache, lru_cache, partial
from typing import Final, TypeVar

#: OpenMP's function that ends the threads kept for the caller; "soft" keeps all settings
END_THREADS: Final = "omp_pause_resource_all"
_SOFT: Final = 1
_NO_THREADS: Final[Set[int]] = frozenset()
#: in a child: the thread that forked, if its parallel loops would wait for threads that were lost
_DESERTED: Final[set[int]] = set()
T = TypeVar("T")


def deserted_by_forks(library: ctypes.CDLL) -> Set[int]:
    """From now on, end the threads of a library's OpenMP runtime before each fork. If the runtime does not support this
    (gcc before version 9), return the identifiers of threads whose parallel loops would wait forever and must run
    `elsewhere`.
    """
    end = getattr(library, END_THREADS, None)
    if end is None:
        _note_forks()
        return _DESERTED
    address = ctypes.cast(end, ctypes.c_void_p).value
    assert address is not None, "a function has an address"
    _end_before_forks(address)
    return _NO_THREADS


def elsewhere(work: Callable[[], T]) -> T:
    """Call a function in a new thread, for which OpenMP starts new threads."""
    results: list[T] = []
    thread = threading.Thread(target=lambda: results.append(work()))
    thread.start()
    thread.join()
    return results[0]


@cache
def _end_before_forks(address: int) -> None:
    """Register the function at this address, once for each OpenMP runtime in the process."""
    end = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int)(address)
    os.register_at_fork(before=partial(end, _SOFT))


@lru_cache(maxsize=1)
def _note_forks() -> None:
    os.register_at_fork(after_in_child=_note_fork)


def _note_fork() -> None:
    _DESERTED.clear()
    _DESERTED.add(threading.get_ident())
