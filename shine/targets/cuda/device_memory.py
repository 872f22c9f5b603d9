"""Checks and allocates the device arrays of a call, see `shine.calling.memory`. Independent of kernels and PyCUDA."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from rise.arguments.leaves import Leaf, scalar_value
from rise.arguments.libraries import as_numpy, described, is_array
from rise.arguments.mismatches import check_distinct, check_indices, found_text, mismatch, refuse
from rise.arguments.ragged_arrays import rows_in
from shine.targets.cuda.device_arrays import (
    DeviceArray,
    adopt,
    importer_of,
    is_on_device,
    library_of,
    new_array,
    plain_stream,
    stream_of,
)
from shine.targets.cuda.driver import Driver, Stream


class DeviceMemory:
    """Arrays of one device: see `shine.calling.memory.Memory`. Results belong to the library of `first`, on `stream`.

    If `waits`, a run waits for the device: for libraries that do not say which stream they use.
    """

    __slots__ = ("driver", "first", "stream", "waits")

    def __init__(self, driver: Driver, first: Any, given: Any) -> None:
        self.driver = driver
        self.first = first
        stream_given = stream_of(first) if given is None else given
        self.stream: Stream = plain_stream(driver, stream_given)
        self.waits = stream_given is None

    def adopt(self, leaves: Sequence[Leaf], values: Sequence[Any]) -> Sequence[Any]:
        """See `Memory`: arrays of other libraries are imported."""
        return [
            adopt(leaf.parameter, value, self.driver, self.stream) if is_on_device(value) else value
            for leaf, value in zip(leaves, values, strict=True)
        ]

    def take(self, leaf: Leaf, value: Any, given: Any) -> Any:
        """See `Memory`: a number may come from the host; one on the device is fetched."""
        if not isinstance(value, DeviceArray):
            self._refuse_host(leaf.parameter, value)
            return scalar_value(leaf, value)
        if value.dtype != leaf.dtype or value.ndim != len(leaf.shape):
            converts = value.dtype != leaf.dtype
            hint = "convert it first; nothing is converted silently" if converts else ""
            mismatch(leaf.parameter, leaf.type, described(given, value), hint)
        if not leaf.shape:
            return scalar_value(leaf, value.numpy())
        if not value.is_contiguous:
            self._refuse_strides(leaf.parameter, leaf, value, given)
        return value

    def check_indices(self, leaf: Leaf, value: Any, end: int) -> None:
        """See `Memory`: the indices are copied to the host and checked there."""
        check_indices(leaf.parameter, value.numpy() if isinstance(value, DeviceArray) else value, end)

    def check_distinct(self, leaf: Leaf, value: Any) -> None:
        """See `Memory`: the indices are copied to the host and checked there."""
        check_distinct(leaf.parameter, value.numpy() if isinstance(value, DeviceArray) else value)

    def allocate(self, leaf: Leaf, shape: tuple[int, ...]) -> Any:
        """See `Memory`."""
        return new_array(self.driver, shape, leaf.dtype, self.stream)

    def check_out(self, leaf: Leaf, shape: tuple[int, ...], value: Any, given: Any) -> None:
        """See `Memory`."""
        if not isinstance(value, DeviceArray):
            self._refuse_host("out", value)
            mismatch("out", leaf.type, found_text(value), "pass an array on the device")
        if value.dtype != leaf.dtype or value.shape != shape:
            mismatch("out", leaf.type, described(given, value), "", (f"here the shape is {shape}",))
        if value.read_only:
            mismatch("out", leaf.type, "an array that is read-only", "pass a writable array")
        if not value.is_contiguous:
            self._refuse_strides("out", leaf, value, given)

    def check_updated(self, leaf: Leaf, value: Any, given: Any) -> None:
        """See `Memory`."""
        if not isinstance(value, DeviceArray) or value.read_only:
            title = f"`{leaf.parameter}`, which the function assigns to, is read-only: {found_text(given)}"
            refuse("read-only", title, "pass a copy")

    def overlap(self, a: Any, b: Any) -> bool:
        """See `Memory`."""
        if not isinstance(b, DeviceArray) or not a.nbytes or not b.nbytes:
            return False
        return bool(a.address < b.address + b.nbytes and b.address < a.address + a.nbytes)

    def passable(self, leaf: Leaf, value: Any) -> Any:
        """See `Memory`: unaligned arrays are copied at the launch."""
        return value

    def copy_back(self, target: Any, source: Any) -> None:
        """See `Memory`: the new value of an input, on the stream of the kernel."""
        if target.nbytes:
            self.driver.copy(target.address, source.address, target.nbytes, self.stream)

    def present(self, array: Any) -> Any:
        """See `Memory`: an array of the library of the first array, if that can import it."""
        importer = importer_of(self.first)
        if importer is None:
            return array
        try:
            return importer(array)
        except Exception as problem:  # a library may raise anything
            title = f"{library_of(self.first)} cannot import the result, of {array.dtype.name}: {problem}"
            refuse("result-library", title, "pass an array to write to: out=...")

    def present_rows(self, array: Any, lengths: Any, axis: int) -> list[Any]:
        """See `Memory`: the caller's library slices its array."""
        return rows_in(self.present(array), lengths, axis)

    def _refuse_host(self, name: str, value: Any) -> None:
        if is_array(value) and np.ndim(as_numpy(name, value)):
            title = f"expected all arrays on the device, found `{name}` in host memory"
            refuse("mixed-memory", title, "copy it to the device, or the others to the host")

    def _refuse_strides(self, name: str, leaf: Leaf, value: DeviceArray, given: Any) -> None:
        value_text = f"{described(given, value)} that is not contiguous"
        mismatch(
            name, leaf.type, value_text, "copy it first: .contiguous() in PyTorch, ascontiguousarray in CuPy"
        )


def device_arrays_in(arguments: Sequence[Any]) -> Iterator[Any]:
    """The arrays on a device among arguments, which may be pairs."""
    work = list(reversed(arguments))
    while work:
        value = work.pop()
        if isinstance(value, tuple):
            work += reversed(value)
        elif is_on_device(value):
            yield value
