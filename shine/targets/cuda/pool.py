"""Pools device memory for temporaries and for copies of host arrays. Independent of programs.

A released block may still be in use by pending work, so it is reused only on the same stream, after that work. Arrays
that a caller keeps are not allocated here.
"""

from __future__ import annotations

import os
import weakref
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final

from rise.forks import Lock, in_process
from shine.targets.cuda.driver import Driver, Stream

MIN_BLOCK_BYTES: Final = 512  # the driver aligns to 256 and more
MAX_FREE_BYTES: Final = 1 << 30  # over all streams


class Pool:
    """Blocks of one device. Its context must be current."""

    def __init__(self, driver: Driver) -> None:
        self.driver = driver
        self._lock = Lock()
        self._free: list[
            tuple[Stream, int, Any]
        ] = []  # a reference to the stream keeps its handle from being reused
        self._kept = 0
        weakref.finalize(self, in_process, os.getpid(), _empty, driver, self._free)

    @contextmanager
    def blocks(self, sizes: Sequence[int], stream: Stream) -> Iterator[list[Any]]:
        """Memory of these sizes in bytes, for work that is launched on the stream inside."""
        taken: list[tuple[int, Any]] = []
        try:
            for size in sizes:
                taken.append(
                    self._take(max(MIN_BLOCK_BYTES, 1 << (size - 1).bit_length() if size else 0), stream)
                )
            yield [block for _, block in taken]
        finally:
            for size, block in taken:
                self._give(size, block, stream)

    def _take(self, size: int, stream: Stream) -> tuple[int, Any]:
        with self._lock.held():
            for position, (block_stream, block_bytes, block) in enumerate(self._free):
                if block_bytes == size and block_stream.handle == stream.handle:
                    del self._free[position]
                    self._kept -= size
                    return size, block
        return size, self.driver.allocate(size)

    def _give(self, size: int, block: Any, stream: Stream) -> None:
        with self._lock.held():
            if self._kept + size <= MAX_FREE_BYTES:
                self._free.append((stream, size, block))
                self._kept += size
                return
        self.driver.free(block)


def _empty(driver: Driver, free: list[tuple[Stream, int, Any]]) -> None:
    with driver.current("memory was freed"):
        while free:
            driver.free(free.pop()[2])
