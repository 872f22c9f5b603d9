"""The memory that holds the arrays of a call: checks, allocates and returns them. Knows the host's memory; devices
provide their own.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, Protocol

import numpy as np

from rise.arguments.leaves import Leaf, scalar_value
from rise.arguments.mismatches import check_distinct, check_indices, found_text, mismatch
from shine.calling.storage import NO_ROOM, refuse_array

OVERLAP_WORK: Final = 10_000  # candidate solutions that numpy tries to decide whether strided arrays overlap


class Memory(Protocol):
    """The arrays of one call, all in one memory. Raises RiseError for values that do not fit."""

    def adopt(self, leaves: Sequence[Leaf], values: Sequence[Any]) -> Sequence[Any]:
        """The values as arrays of this memory; values that are not arrays are unchanged."""
        ...

    def take(self, leaf: Leaf, value: Any) -> Any:
        """The array to pass for an input: of its type and rank, contiguous."""
        ...

    def check_indices(self, leaf: Leaf, value: Any, end: int) -> None:
        """Raise RiseError for an array with a number that is not in 0 to `end` (exclusive)."""
        ...

    def check_distinct(self, leaf: Leaf, value: Any) -> None:
        """Raise RiseError for an array with a row that contains a number twice."""
        ...

    def allocate(self, leaf: Leaf, shape: tuple[int, ...]) -> Any:
        """An array for a result."""
        ...

    def check_out(self, leaf: Leaf, shape: tuple[int, ...], value: Any) -> None:
        """Raise RiseError for an array that a result cannot be written to."""
        ...

    def overlap(self, a: Any, b: Any) -> bool:
        """Whether two values share memory."""
        ...

    def passable(self, leaf: Leaf, value: Any) -> Any:
        """The array to pass for a checked `out`: itself, or a contiguous copy."""
        ...

    def copy_back(self, target: Any, source: Any) -> None:
        """Copy a contiguous copy back to the caller's array."""
        ...

    def present(self, array: Any) -> Any:
        """A result in the form that the caller gets."""
        ...


class HostMemory:
    """Arrays of numpy: see `Memory`."""

    def adopt(self, leaves: Sequence[Leaf], values: Sequence[Any]) -> Sequence[Any]:
        """See `Memory`."""
        return values

    def take(self, leaf: Leaf, value: Any) -> Any:
        """See `Memory`."""
        if type(value) is np.ndarray and value.dtype == leaf.dtype and value.ndim == len(leaf.shape):
            flags = value.flags
            if flags.c_contiguous and flags.aligned:
                return value
            return self._copied(leaf, value)
        scalar = scalar_value(leaf, value)
        return self.take(leaf, scalar) if leaf.shape else scalar

    def check_indices(self, leaf: Leaf, value: Any, end: int) -> None:
        """See `Memory`."""
        check_indices(leaf.parameter, value, end)

    def check_distinct(self, leaf: Leaf, value: Any) -> None:
        """See `Memory`."""
        check_distinct(leaf.parameter, value)

    def allocate(self, leaf: Leaf, shape: tuple[int, ...]) -> Any:
        """See `Memory`."""
        try:
            return np.empty(shape, leaf.dtype)
        except NO_ROOM:
            refuse_array("a result", leaf, shape)

    def check_out(self, leaf: Leaf, shape: tuple[int, ...], value: Any) -> None:
        """See `Memory`."""
        if not isinstance(value, np.ndarray) or isinstance(value, np.ma.MaskedArray):
            mismatch("out", leaf.type, found_text(value), f"give a numpy array of shape {shape}")
        if value.dtype != leaf.dtype or value.shape != shape:
            hint = f"give numpy.empty({shape}, {leaf.dtype.name!r}), or omit `out`"
            mismatch("out", leaf.type, found_text(value), hint, (f"here the shape is {shape}",))
        if not value.flags.writeable:
            mismatch("out", leaf.type, "an array that is read-only", "give an array that can be written")
        strides = value.strides
        # an empty array may have any strides
        if 0 in strides and value.size and _is_shared(value.shape, strides):
            found = "an array in which several elements share memory"
            mismatch("out", leaf.type, found, f"give numpy.empty({shape}, {leaf.dtype.name!r})")

    def overlap(self, a: Any, b: Any) -> bool:
        """See `Memory`."""
        if not isinstance(b, np.ndarray) or not np.may_share_memory(a, b):
            return False
        if a.flags.c_contiguous and b.flags.c_contiguous:
            return True
        work: Any = OVERLAP_WORK  # numpy's stubs know of -1 and 0 only
        try:
            return np.shares_memory(a, b, max_work=work)
        except np.exceptions.TooHardError:
            return True

    def passable(self, leaf: Leaf, value: Any) -> Any:
        """See `Memory`: elements that the kernel does not write keep their values."""
        return value if value.flags.c_contiguous and value.flags.aligned else self._copied(leaf, value)

    def copy_back(self, target: Any, source: Any) -> None:
        """See `Memory`."""
        np.copyto(target, source)

    def present(self, array: Any) -> Any:
        """See `Memory`."""
        return array

    def _copied(self, leaf: Leaf, value: Any) -> Any:
        """A contiguous copy."""
        try:
            return np.array(value, order="C")
        except NO_ROOM:
            hint = "give a contiguous array, which needs no copy, or a smaller one"
            refuse_array(f"a copy of `{leaf.parameter}`", leaf, value.shape, hint)


def _is_shared(shape: tuple[int, ...], strides: tuple[int, ...]) -> bool:
    """Whether several elements share memory."""
    return any(size > 1 and stride == 0 for size, stride in zip(shape, strides, strict=True))


HOST: Final = HostMemory()
