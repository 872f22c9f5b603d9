"""Checks, allocates and returns the arrays of a call.

For host memory; devices provide their own.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, Protocol

import numpy as np
from numpy.typing import NDArray

from rise.arguments.leaves import Leaf, scalar_value
from rise.arguments.libraries import NUMPY, are_plain, as_numpy, described, library_for
from rise.arguments.library import Library
from rise.arguments.mismatches import check_distinct, check_indices, found_text, mismatch, refuse
from rise.arguments.ragged_arrays import rows_in
from rise.records import dataclass
from shine.calling.storage import NO_ROOM, refuse_array

OVERLAP_WORK: Final = 10_000  # candidate solutions that numpy tries to decide whether strided arrays overlap


class Memory(Protocol):
    """The arrays of one call, all in one memory. Raises RiseError for values that do not fit."""

    def adopt(self, leaves: Sequence[Leaf], values: Sequence[Any]) -> Sequence[Any]:
        """The values as arrays of this memory; values that are not arrays are unchanged."""
        ...

    def take(self, leaf: Leaf, value: Any, given: Any) -> Any:
        """The array to pass for an input: contiguous, with the right type and rank. `given` is the caller's
        argument.
        """
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

    def check_out(self, leaf: Leaf, shape: tuple[int, ...], value: Any, given: Any) -> None:
        """Raise RiseError for an array that a result cannot be written to. `given` is the caller's argument."""
        ...

    def check_updated(self, leaf: Leaf, value: Any, given: Any) -> None:
        """Raise RiseError for an input that the kernel changes but that cannot be written."""
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

    def present_rows(self, array: Any, lengths: Any, axis: int) -> list[Any]:
        """The rows of a result, which is split along an axis, in the form that the caller gets."""
        ...


@dataclass(frozen=True, slots=True)
class HostMemory:
    """Arrays in host memory, as numpy arrays: see `Memory`. Results are arrays of `library`. `reads`: whether arguments
    may be arrays of other libraries.
    """

    library: Library = NUMPY
    reads: bool = True

    def adopt(self, leaves: Sequence[Leaf], values: Sequence[Any]) -> Sequence[Any]:
        """See `Memory`."""
        if not self.reads:
            return values
        return [as_numpy(leaf.parameter, value) for leaf, value in zip(leaves, values, strict=True)]

    def take(self, leaf: Leaf, value: Any, given: Any) -> Any:
        """See `Memory`."""
        if type(value) is np.ndarray and value.dtype == leaf.dtype and value.ndim == len(leaf.shape):
            flags = value.flags
            if flags.c_contiguous and flags.aligned:
                return value
            return self._copied(leaf, value)
        scalar = scalar_value(leaf, value, given)
        return self.take(leaf, scalar, given) if leaf.shape else scalar

    def check_indices(self, leaf: Leaf, value: Any, end: int) -> None:
        """See `Memory`."""
        check_indices(leaf.parameter, value, end)

    def check_distinct(self, leaf: Leaf, value: Any) -> None:
        """See `Memory`."""
        check_distinct(leaf.parameter, value)

    def allocate(self, leaf: Leaf, shape: tuple[int, ...]) -> Any:
        """See `Memory`."""
        try:
            return (self.library.allocate or np.empty)(shape, leaf.dtype)
        except NO_ROOM:
            refuse_array("a result", leaf, shape)

    def check_out(self, leaf: Leaf, shape: tuple[int, ...], value: Any, given: Any) -> None:
        """See `Memory`."""
        empty = self.library.empty(shape, leaf.dtype)
        if not isinstance(value, np.ndarray) or isinstance(value, np.ma.MaskedArray):
            mismatch("out", leaf.type, found_text(given), f"pass {empty}, or omit `out`")
        if value.dtype != leaf.dtype or value.shape != shape:
            hint = f"pass {empty}, or omit `out`"
            mismatch("out", leaf.type, described(given, value), hint, (f"here the shape is {shape}",))
        if not value.flags.writeable:
            mismatch("out", leaf.type, "an array that is read-only", "pass a writable array")
        if _is_shared(value):
            found = "an array in which several elements share memory"
            mismatch("out", leaf.type, found, f"give {empty}")

    def check_updated(self, leaf: Leaf, value: Any, given: Any) -> None:
        """See `Memory`."""
        problem = (
            "is no array that can be changed"
            if not isinstance(value, np.ndarray)
            else "is read-only"
            if not value.flags.writeable
            else "has several elements in the same memory"
            if _is_shared(value)
            else None
        )
        if problem is not None:
            title = f"`{leaf.parameter}`, which the function assigns to, {problem}: {found_text(given)}"
            refuse("read-only", title, f"pass a copy: `{leaf.parameter} = np.array({leaf.parameter})`")

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
        return array if self.library.give is None else self.library.give(array)

    def present_rows(self, array: Any, lengths: Any, axis: int) -> list[Any]:
        """See `Memory`."""
        return [self.present(row) for row in rows_in(array, lengths, axis)]

    def _copied(self, leaf: Leaf, value: Any) -> Any:
        """A contiguous copy."""
        try:
            return np.array(value, order="C")
        except NO_ROOM:
            hint = "pass a contiguous array, which needs no copy, or a smaller one"
            refuse_array(f"a copy of `{leaf.parameter}`", leaf, value.shape, hint)


def _is_shared(array: NDArray[Any]) -> bool:
    """Whether several elements share memory. An empty array may have any strides."""
    if array.flags.c_contiguous or array.size == 0:
        return False
    axes = sorted(
        (abs(stride), size) for size, stride in zip(array.shape, array.strides, strict=True) if size > 1
    )
    end = array.itemsize  # of the bytes that the axes with smaller strides span
    for stride, size in axes:
        if stride < end:
            return stride == 0 or _has_equal_places(array)
        end += stride * (size - 1)
    return False


def _has_equal_places(array: NDArray[Any]) -> bool:
    """Whether two elements of an array with interleaved axes overlap, by comparing the addresses of all."""
    places = np.zeros((1,) * array.ndim, np.int64)
    for axis, (size, stride) in enumerate(zip(array.shape, array.strides, strict=True)):
        places = places + (np.arange(size) * stride).reshape(
            [-1 if axis == one else 1 for one in range(array.ndim)]
        )
    return bool((np.diff(np.sort(places, axis=None)) < array.itemsize).any())


HOST: Final = HostMemory()
#: the memory of calls with arrays of numpy alone
NUMPYS: Final = HostMemory(reads=False)


def host_memory(arguments: Any, out: Any) -> HostMemory:
    """The memory of a call on the host: results are arrays of the library of the first array among the arguments.

    Raises RiseError for an `out` of another library, or of a library whose arrays cannot be written.
    """
    if out is None and are_plain(arguments):
        return NUMPYS
    library = library_for(arguments, out)
    return HOST if library.give is None else HostMemory(library)
