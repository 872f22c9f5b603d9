"""Memory of a device that is used again: for temporaries, and for copies of arrays of the host. Knows no programs.

A block given back may still be used by work under way, so it is taken again on the same stream only, after that work.
What a caller keeps is not from here.
"""

from __future__ import annotations

import os
import weakref
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final

from rise.forks import Lock, in_process
from shine.targets.cuda.driver import Driver, Stream

SMALLEST: Final = 512  # bytes; the driver aligns to 256 and more
KEPT: Final = 1 << 30  # bytes, over all streams


class Pool:
    """Blocks of one device. To be used where its context is current."""

    def __init__(self, driver: Driver) -> None:
        self.driver = driver
        self._lock = Lock()
        self._free: list[tuple[Stream, int, Any]] = []  # a stream is kept, so that its number stays its own
        self._kept = 0
        weakref.finalize(self, in_process, os.getpid(), _empty, driver, self._free)

    @contextmanager
    def blocks(self, sizes: Sequence[int], stream: Stream) -> Iterator[list[Any]]:
        """Memory of these sizes in bytes, for work that is launched on the stream inside."""
        taken: list[tuple[int, Any]] = []
        try:
            for size in sizes:
                taken.append(self._take(max(SMALLEST, 1 << (size - 1).bit_length() if size else 0), stream))
            yield [block for _, block in taken]
        finally:
            for size, block in taken:
                self._give(size, block, stream)

    def _take(self, size: int, stream: Stream) -> tuple[int, Any]:
        with self._lock.held():
            for at, (of, bytes, block) in enumerate(self._free):
                if bytes == size and of.handle == stream.handle:
                    del self._free[at]
                    self._kept -= size
                    return size, block
        return size, self.driver.allocate(size)

    def _give(self, size: int, block: Any, stream: Stream) -> None:
        with self._lock.held():
            if self._kept + size <= KEPT:
                self._free.append((stream, size, block))
                self._kept += size
                return
        self.driver.free(block)


def _empty(driver: Driver, free: list[tuple[Stream, int, Any]]) -> None:
    with driver.current("memory was given back"):
        while free:
            driver.free(free.pop()[2])
