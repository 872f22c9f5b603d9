"""Memory shared with the process of the simulator: layout and copying of arrays. Independent of kernels."""

from __future__ import annotations

import ctypes
import fcntl
import mmap
import os
from collections.abc import Sequence
from typing import Final

from rise.diagnostics import Diagnostic
from rise.records import dataclass
from shine.simulator.model import SimulatorError

PAGE_BYTES: Final = (
    256  # arrays begin at multiples of it, as allocations on a device do; `memory.h` has the same
)
_LEAST_GAP: Final = 64 * 1024
_MOST_GAP: Final = 64 * 1024 * 1024
# Segments grow by doubling, so that launches of many sizes map them again only a few times.
_LEAST_BYTES: Final = 1 << 20
_NAME: Final = "rise-shine-simulator"


@dataclass(frozen=True, slots=True)
class Region:
    """Memory of one array, or of several that overlap: name, address and bytes here, bytes of an element."""

    name: str
    address: int
    bytes: int
    item: int
    read_only: bool


class Segment:
    """A file in memory, mapped in this process and in one other, which cannot shrink it. Call `close` once."""

    def __init__(self) -> None:
        self.file = os.memfd_create(_NAME, os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
        fcntl.fcntl(self.file, fcntl.F_ADD_SEALS, fcntl.F_SEAL_SHRINK)
        self._mapping: mmap.mmap | None = None
        self.bytes = 0
        self._address = 0

    def place(self, regions: Sequence[Region]) -> tuple[int, ...]:
        """The offset of each region. Each is surrounded by at least as much space as the largest region takes, up to 64
        MiB.

        Raises SimulatorError if there is no memory for them.
        """
        gap = max((_LEAST_GAP, *(region.bytes for region in regions)))
        gap = _rounded(min(gap, _MOST_GAP))
        offsets, at = [], gap
        for region in regions:
            offsets.append(at)
            at += _rounded(region.bytes + 1) + gap
        if at > self.bytes:
            self._grow(at)
        return tuple(offsets)

    def fill(self, regions: Sequence[Region], offsets: Sequence[int]) -> None:
        """Copy the regions into the segment."""
        for region, offset in zip(regions, offsets, strict=True):
            ctypes.memmove(self._address + offset, region.address, region.bytes)

    def give_back(self, regions: Sequence[Region], offsets: Sequence[int]) -> None:
        """Copy the regions that may be written back to the caller's arrays."""
        for region, offset in zip(regions, offsets, strict=True):
            if not region.read_only:
                ctypes.memmove(region.address, self._address + offset, region.bytes)

    def _grow(self, needed: int) -> None:
        size = max(_LEAST_BYTES, self.bytes)
        while size < needed:
            size *= 2
        try:
            os.ftruncate(self.file, size)
            self._mapping = mmap.mmap(self.file, size)
        except (OSError, ValueError, OverflowError):
            title = f"there is no memory for arrays of {needed} bytes, with room between them"
            hint = "choose smaller arrays"
            raise SimulatorError(Diagnostic("out-of-memory", title, hint=hint)) from None
        self.bytes = size
        self._address = ctypes.addressof(ctypes.c_char.from_buffer(self._mapping))

    def close(self) -> None:
        """Close the file, and remove the mapping."""
        os.close(self.file)
        self.file = -1
        self._mapping = None
        self.bytes = self._address = 0


def _rounded(size: int) -> int:
    return -(-size // PAGE_BYTES) * PAGE_BYTES
