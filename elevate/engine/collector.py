"""Makes Python's garbage collector run less often while strategies run. Independent of strategies.

Rewriting creates many objects, keeps most of them in memos, and leaves hardly any cycles: the collector took a third of
the time and found nothing. It is not switched off, since a run may be long, and may call rules that leave cycles.
"""

from __future__ import annotations

import gc
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Final

#: the collector runs once the objects created exceed the objects freed by this number: some hundred megabytes
OBJECTS: Final = 1_000_000


@dataclass(slots=True)
class _Runs:
    """The runs in progress, in all threads, and the threshold before the first of them."""

    count: int = 0
    before: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)

    def renew_lock(self) -> None:
        """In a child of a fork, whose parent's other threads may have held the lock."""
        self.lock = threading.Lock()


_RUNS: Final = _Runs()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_RUNS.renew_lock)


@contextmanager
def seldom_collected() -> Iterator[None]:
    """Collect less often for a while. A collector that is off, or that runs even less often, is not changed."""
    with _RUNS.lock:
        threshold, *others = gc.get_threshold()
        if not _RUNS.count:
            _RUNS.before = threshold
            if 0 < threshold < OBJECTS:
                gc.set_threshold(OBJECTS, *others)
        _RUNS.count += 1
    try:
        yield
    finally:
        with _RUNS.lock:
            _RUNS.count -= 1
            threshold, *others = gc.get_threshold()
            if not _RUNS.count and threshold == OBJECTS:
                gc.set_threshold(_RUNS.before, *others)
