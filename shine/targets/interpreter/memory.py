"""Buffers while a procedure is interpreted: every access is checked. Knows no statements.

Found are accesses out of bounds, reads of elements that nothing has written, aligned accesses that are not,
and iterations of a parallel loop that get in each other's way: one writes an element that another reads or
writes. Each is a defect of the compiler, so each is an assertion that names the origin.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from rise.arguments.mismatches import refuse
from rise.diagnostics import bytes_text
from rise.values import poison
from shine.calling.storage import NO_ROOM, refuse_temporaries
from shine.imperative.limits import element_bytes
from shine.imperative.nodes import Buffer, Origin

MANY: Final = -1
ALIGNMENT: Final = 64


@dataclass(slots=True)
class ParallelLoop:
    """A parallel loop that runs: the iteration, and which iteration wrote or read which element of which
    buffer.
    """

    iteration: int = 0
    writers: dict[tuple[int, int], int] = field(default_factory=dict)
    readers: dict[tuple[int, int], int] = field(default_factory=dict)


class Memory:
    """The elements of a buffer. `written` has a byte per element, or is None for an input, which is all
    there.
    """

    __slots__ = ("array", "buffer", "inside", "written")

    def __init__(self, buffer: Buffer, array: NDArray[Any], written: bytearray | None, inside: int) -> None:
        self.buffer = buffer
        self.array = array
        self.written = written
        self.inside = inside  # in how many parallel loops it was made: to those it is private

    def check_bounds(self, index: int, lanes: int, aligned: bool, origin: Origin) -> None:
        """Assert that an access is within the buffer, and aligned if it says so."""
        size = len(self.array)
        assert index >= 0 and index + lanes <= size, (
            f"out of bounds: {self.buffer.name}[{index}], {lanes} lanes, size {size}, origin {origin}"
        )
        if aligned and lanes > 1 and self.buffer.space != "Global":
            width = lanes * self.array.itemsize
            assert index * self.array.itemsize % min(width, ALIGNMENT) == 0, (
                f"{self.buffer.name}[{index}] with {lanes} lanes is not aligned, origin {origin}"
            )

    def note_read(self, index: int, lanes: int, loops: list[ParallelLoop], origin: Origin) -> None:
        """Assert that the elements have been written, and by no other iteration of a parallel loop."""
        written = self.written
        if written is None:
            return
        there = written[index] if lanes == 1 else 0 not in written[index : index + lanes]
        assert there, f"{self.buffer.name}[{index}] is read before it is written, origin {origin}"
        for loop in loops[self.inside :]:
            for at in range(index, index + lanes):
                key = (id(self), at)
                writer = loop.writers.get(key)
                assert writer is None or writer == loop.iteration, self._race(at, origin)
                reader = loop.readers.setdefault(key, loop.iteration)
                if reader != loop.iteration:
                    loop.readers[key] = MANY

    def note_write(self, index: int, lanes: int, loops: list[ParallelLoop], origin: Origin) -> None:
        """Assert that no other iteration of a parallel loop has read or written the elements."""
        written = self.written
        assert written is not None, f"the input {self.buffer.name} is written to, origin {origin}"
        if lanes == 1:
            written[index] = 1
        else:
            written[index : index + lanes] = b"\1" * lanes
        for loop in loops[self.inside :]:
            for at in range(index, index + lanes):
                key = (id(self), at)
                writer = loop.writers.setdefault(key, loop.iteration)
                reader = loop.readers.get(key, loop.iteration)
                assert writer == loop.iteration and reader == loop.iteration, self._race(at, origin)

    def note_update(self, index: int, origin: Origin) -> None:
        """Assert that an element that is combined with a value was written; iterations may do so in any order."""
        assert self.written is not None and self.written[index], (
            f"{self.buffer.name}[{index}] is combined with a value before it is written, origin {origin}"
        )

    def _race(self, index: int, origin: Origin) -> str:
        return f"two iterations of a parallel loop meet in {self.buffer.name}[{index}], origin {origin}"


def result(buffer: Buffer, array: NDArray[Any]) -> Memory:
    """An output, of which nothing is written yet. Raises RiseError where there is no memory to note what is."""
    try:
        return Memory(buffer, array, bytearray(len(array)), 0)
    except MemoryError:
        title = f"the interpreter has no memory to note what of `{buffer.name}` is written: {bytes_text(len(array))}"
        refuse("out-of-memory", title, "use smaller sizes, or another target")


def allocate(buffer: Buffer, size: int, lanes: int, dtype: np.dtype[Any], inside: int) -> Memory:
    """A temporary: its elements are unspecified. Raises TranslationError where there is no memory for it."""
    assert size >= 0, f"the size of {buffer.name} is {size}"
    shape = (size, lanes) if lanes > 1 else (size,)
    try:
        return Memory(buffer, poison(shape, dtype), bytearray(size), inside)
    except NO_ROOM:
        refuse_temporaries([(buffer.name, size * element_bytes(buffer))], buffer.origin)
