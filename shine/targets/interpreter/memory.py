"""Checks every access to buffers while a procedure is interpreted. Independent of statements.

It finds accesses out of bounds, reads of uninitialised elements, misaligned accesses that are marked as aligned, and
races between iterations of a parallel loop: one writes an element that another reads or writes. Each is a bug in the
compiler, so each is an assertion that names the origin.
"""

from __future__ import annotations

from dataclasses import field
from math import gcd
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from rise.arguments.mismatches import refuse
from rise.diagnostics import bytes_text
from rise.records import dataclass
from rise.values import poison
from shine.calling.storage import NO_ROOM, refuse_temporaries
from shine.imperative.limits import element_bytes
from shine.imperative.nodes import Buffer, Origin

SEVERAL_READERS: Final = -1
ALIGNMENT: Final = 64  # bytes


@dataclass(slots=True)
class ParallelLoop:
    """A running parallel loop: the current iteration, and the iterations that wrote and read elements of buffers."""

    iteration: int = 0
    writers: dict[tuple[int, int], int] = field(default_factory=dict)
    readers: dict[tuple[int, int], int] = field(default_factory=dict)


class Memory:
    """The elements of a buffer. `written` has a byte per element, or is None for an input. Elements that are not
    written may be read if `is_specified` is false.
    """

    __slots__ = ("array", "buffer", "inside", "is_specified", "written")

    def __init__(
        self,
        buffer: Buffer,
        array: NDArray[Any],
        written: bytearray | None,
        inside: int,
        is_specified: bool = True,
    ) -> None:
        self.is_specified = is_specified
        self.buffer = buffer
        self.array = array
        self.written = written
        self.inside = (
            inside  # the number of parallel loops around its allocation: it is private to their iterations
        )

    def check_bounds(self, index: int, lanes: int, aligned: bool, origin: Origin) -> None:
        """Assert that an access is within the buffer, and aligned if it claims to be."""
        size = len(self.array)
        assert index >= 0 and index + lanes <= size, (
            f"out of bounds: {self.buffer.name}[{index}], {lanes} lanes, size {size}, origin {origin}"
        )
        if aligned and lanes > 1 and self.buffer.space != "Global":
            width = lanes * self.array.itemsize
            assert index * self.array.itemsize % gcd(width, ALIGNMENT) == 0, (
                f"{self.buffer.name}[{index}] with {lanes} lanes is not aligned, origin {origin}"
            )

    def note_read(self, index: int, lanes: int, loops: list[ParallelLoop], origin: Origin) -> None:
        """Assert that the elements have been written, and by no other iteration of a parallel loop."""
        written = self.written
        if written is None:
            return
        if self.is_specified:
            is_written = written[index] if lanes == 1 else 0 not in written[index : index + lanes]
            assert is_written, f"{self.buffer.name}[{index}] is read before it is written, origin {origin}"
        for loop in loops[self.inside :]:
            for element in range(index, index + lanes):
                key = (id(self), element)
                writer = loop.writers.get(key)
                assert writer is None or writer == loop.iteration, self._race(element, origin)
                reader = loop.readers.setdefault(key, loop.iteration)
                if reader != loop.iteration:
                    loop.readers[key] = SEVERAL_READERS

    def note_write(self, index: int, lanes: int, loops: list[ParallelLoop], origin: Origin) -> None:
        """Assert that no other iteration of a parallel loop has read or written the elements."""
        written = self.written
        assert written is not None, f"the input {self.buffer.name} is written to, origin {origin}"
        if lanes == 1:
            written[index] = 1
        else:
            written[index : index + lanes] = b"\1" * lanes
        for loop in loops[self.inside :]:
            for element in range(index, index + lanes):
                key = (id(self), element)
                writer = loop.writers.setdefault(key, loop.iteration)
                reader = loop.readers.get(key, loop.iteration)
                assert writer == loop.iteration and reader == loop.iteration, self._race(element, origin)

    def note_update(self, index: int, origin: Origin) -> None:
        """Assert that an element that is updated was written before; iterations may update it in any order."""
        assert self.written is not None and self.written[index], (
            f"{self.buffer.name}[{index}] is combined with a value before it is written, origin {origin}"
        )

    def _race(self, index: int, origin: Origin) -> str:
        return f"two iterations of a parallel loop conflict at {self.buffer.name}[{index}], origin {origin}"


def output_memory(buffer: Buffer, array: NDArray[Any]) -> Memory:
    """An output that is entirely unwritten. Raises RiseError if there is no memory to track writes."""
    try:
        return Memory(buffer, array, bytearray(len(array)), 0)
    except MemoryError:
        title = f"the interpreter has no memory to track writes to `{buffer.name}`: {bytes_text(len(array))}"
        refuse("out-of-memory", title, "use smaller sizes, or another target")


def allocate(
    buffer: Buffer, size: int, lanes: int, dtype: np.dtype[Any], inside: int, is_specified: bool
) -> Memory:
    """A temporary: its elements are unspecified. Raises TranslationError if there is no memory for it."""
    assert size >= 0, f"the size of {buffer.name} is {size}"
    shape = (size, lanes) if lanes > 1 else (size,)
    try:
        return Memory(buffer, poison(shape, dtype), bytearray(size), inside, is_specified)
    except NO_ROOM:
        refuse_temporaries([(buffer.name, size * element_bytes(buffer))], buffer.origin)
