"""Arrays on a device: those of rise-shine and of other libraries, exchanged without a copy. Independent of kernels.

Arrays are exchanged through DLPack, or the CUDA array interface (version 3) if a library has only that. Either protocol
states the stream on which an array will be ready, and the driver makes streams wait for each other.
"""

from __future__ import annotations

import math
import os
import sys
import weakref
from collections.abc import Callable
from typing import Any, Final

import numpy as np

from rise.arguments.mismatches import refuse
from rise.diagnostics import RiseError
from rise.forks import in_process
from shine.targets.cuda.dlpack import CUDA, CUDA_MANAGED, VERSION, Borrowed, Layout, borrow, lend, row_major
from shine.targets.cuda.driver import DEFAULT_STREAM, Driver, Stream, handle_of

_ON_DEVICE: Final = (CUDA, CUDA_MANAGED)


class DeviceArray:
    """An array on a device, in row-major order. Libraries import it by either protocol: `torch.from_dlpack(a)`.

    `keep` is the owner of the memory. `numpy()` copies the array to the host.
    """

    __slots__ = (
        "__weakref__",
        "address",
        "driver",
        "dtype",
        "is_contiguous",
        "keep",
        "read_only",
        "shape",
        "stream",
    )

    def __init__(self, driver: Driver, layout: Layout, stream: Stream, keep: Any) -> None:
        assert layout.dtype is not None
        self.driver = driver
        self.address = layout.address
        self.shape = layout.shape
        self.dtype = layout.dtype
        self.read_only = layout.read_only
        self.is_contiguous = _is_contiguous(layout)
        self.stream = stream
        self.keep = keep

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return len(self.shape)

    @property
    def size(self) -> int:
        """The number of elements."""
        return math.prod(self.shape)

    @property
    def nbytes(self) -> int:
        """The number of bytes."""
        return self.size * int(self.dtype.itemsize)

    @property
    def device(self) -> int:
        """The number of the device."""
        return self.driver.index

    def numpy(self) -> Any:
        """A copy on the host, once the device is done with the array."""
        copy = np.empty(self.shape, self.dtype)
        with self.driver.current("an array was copied to the host"):
            self.driver.download(copy, self.address, self.stream)
            self.driver.synchronize(self.stream)
        return copy

    def __getitem__(self, part: Any) -> DeviceArray:
        """The first elements, `a[:n]`, in the same memory."""
        if not isinstance(part, slice) or not self.shape or (part.start or 0, part.step or 1) != (0, 1):
            title = f"expected the first elements of an array on a device, `a[:n]`, found `a[{part!r}]`"
            refuse("index", title, "copy it to the host, `a.numpy()`, or import it into a library for arrays")
        shape = (len(range(self.shape[0])[part]), *self.shape[1:])
        strides = row_major(shape, self.dtype.itemsize)
        layout = Layout(self.address, shape, strides, self.dtype, (CUDA, self.device), self.read_only)
        return DeviceArray(self.driver, layout, self.stream, self.keep)

    def __int__(self) -> int:
        """The only element, copied to the host."""
        return int(self.numpy().item())

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        if self.dtype.kind == "V" or self.dtype != np.dtype(self.dtype.str):
            raise AttributeError(f"the CUDA array interface has no {self.dtype.name}: use DLPack")
        return {
            "shape": self.shape,
            "typestr": self.dtype.str,
            "data": (self.address, self.read_only),
            "strides": None,
            "version": 3,
            "stream": self.stream.visible or 1,
        }

    def __dlpack_device__(self) -> tuple[int, int]:
        return (CUDA, self.driver.index)

    def __dlpack__(
        self,
        *,
        stream: int | None = None,
        max_version: tuple[int, int] | None = None,
        dl_device: tuple[int, int] | None = None,
        copy: bool | None = None,
    ) -> Any:
        if copy or (dl_device is not None and dl_device != self.__dlpack_device__()):
            raise BufferError("an array is exported in place: use `numpy()` to copy it")
        if stream != -1:
            with self.driver.current("an array was exported"):
                self.driver.wait(handle_of(stream), self.stream.visible)
        layout = Layout(
            self.address,
            self.shape,
            row_major(self.shape, self.dtype.itemsize),
            self.dtype,
            self.__dlpack_device__(),
            self.read_only,
        )
        return lend(layout, self, max_version is not None and max_version[0] >= VERSION[0])

    def __repr__(self) -> str:
        return f"<DeviceArray of shape {self.shape} of {self.dtype.name} on device {self.device}>"


class Allocation:
    """Memory of a device that is freed when it is no longer referenced."""

    __slots__ = ("__weakref__", "memory")

    def __init__(self, driver: Driver, bytes: int) -> None:
        self.memory = driver.allocate(bytes)
        weakref.finalize(self, in_process, os.getpid(), _free, driver, self.memory)


def _free(driver: Driver, memory: Any) -> None:
    with driver.current("memory was freed"):
        driver.free(memory)


def new_array(driver: Driver, shape: tuple[int, ...], dtype: np.dtype[Any], stream: Stream) -> DeviceArray:
    """A new array with its own memory."""
    with driver.current(f"memory for an array of shape {shape} of {dtype.name} was allocated"):
        allocation = Allocation(driver, math.prod(shape) * dtype.itemsize)
    strides = row_major(shape, dtype.itemsize)
    layout = Layout(int(allocation.memory), shape, strides, dtype, (CUDA, driver.index), False)
    return DeviceArray(driver, layout, stream, allocation)


def upload(driver: Driver, array: Any) -> DeviceArray:
    """Copy a host array to the device."""
    array = np.asarray(array, order="C")
    copy = new_array(driver, array.shape, array.dtype, DEFAULT_STREAM)
    with driver.current("an array was copied to the device"):
        driver.upload(copy.address, array, DEFAULT_STREAM)
    return copy


def is_on_device(value: Any) -> bool:
    """Whether a value is an array in device memory, by the protocols that it implements."""
    if isinstance(value, np.ndarray | np.generic | int | float):
        return False
    if hasattr(value, "__dlpack_device__"):
        return value.__dlpack_device__()[0] in _ON_DEVICE
    return hasattr(value, "__cuda_array_interface__")


def adopt(name: str, value: Any, driver: Driver, stream: Stream) -> DeviceArray:
    """Import a library's array without a copy, ready on `stream`. `name` is its name in messages.

    Raises RiseError for an array on another device, and for element types that numpy lacks.
    """
    if isinstance(value, DeviceArray):
        _check_device(name, value.driver.index, driver)
        if stream.handle != value.stream.visible:
            with driver.current("streams were synchronised"):
                driver.wait(stream.handle, value.stream.visible)
        return value
    if hasattr(value, "__dlpack_device__"):
        _check_device(name, int(value.__dlpack_device__()[1]), driver)
        borrowed = _borrow(name, value, stream)
        return _ours(name, borrowed.layout, borrowed, driver, stream)
    return _from_interface(name, value, driver, stream)


def _borrow(name: str, value: Any, stream: Stream) -> Borrowed:
    ready_on = stream.visible or 1
    try:
        try:
            capsule = value.__dlpack__(stream=ready_on, max_version=VERSION)
        except TypeError:  # a library from before DLPack 1.0
            capsule = value.__dlpack__(stream=ready_on)
        return borrow(capsule)
    except RiseError:
        raise
    except Exception as problem:  # a library may raise anything
        title = f"`{name}`: {library_of(value)} does not export its array: {problem}"
        refuse("argument-type", title, "pass an array that needs no gradient and is in device memory")


def _from_interface(name: str, value: Any, driver: Driver, stream: Stream) -> DeviceArray:
    facts = value.__cuda_array_interface__
    address, read_only = facts["data"]
    shape = tuple(int(size) for size in facts["shape"])
    dtype = np.dtype(facts["typestr"])
    strides = facts.get("strides")
    strides = row_major(shape, dtype.itemsize) if strides is None else tuple(map(int, strides))
    if facts.get("mask") is not None:
        refuse("argument-type", f"`{name}`: expected an array, found one with a mask", "fill it first")
    with driver.current("an array was imported"):
        if address:
            _check_device(name, driver.device_of(int(address)), driver)
        if facts.get("stream") is not None:
            driver.wait(stream.handle, handle_of(facts["stream"]))
    device = (CUDA, driver.index)
    layout = Layout(int(address or 0), shape, strides, dtype, device, bool(read_only))
    return _ours(name, layout, value, driver, stream)


def _ours(name: str, layout: Layout, keep: Any, driver: Driver, stream: Stream) -> DeviceArray:
    if layout.dtype is None:
        title = f"`{name}`: expected elements of a type that numpy or ml_dtypes has, found others"
        refuse("argument-type", title, "convert the array first; nothing is converted silently")
    return DeviceArray(driver, layout, stream, keep)


def _check_device(name: str, index: int, driver: Driver) -> None:
    if index != driver.index:
        title = (
            f"`{name}`: expected an array on device {driver.index}, where the kernel is, found one on {index}"
        )
        refuse("wrong-device", title, "copy the array there, or compile with another `device`")


def _is_contiguous(layout: Layout) -> bool:
    assert layout.dtype is not None
    if 0 in layout.shape:
        return True
    expected_strides = row_major(layout.shape, layout.dtype.itemsize)
    return all(
        size == 1 or stride == expected
        for size, stride, expected in zip(layout.shape, layout.strides, expected_strides, strict=True)
    )


def library_of(value: Any) -> str:
    """The package that defines a value's class."""
    return type(value).__module__.partition(".")[0]


def stream_of(value: Any) -> Any:
    """The current stream of a value's library, or None if it is unknown."""
    if isinstance(value, DeviceArray):
        return value.stream.visible
    module: Any = sys.modules.get(library_of(value))
    match library_of(value):
        case "torch":
            return module.cuda.current_stream(value.device).cuda_stream
        case "cupy":
            return module.cuda.get_current_stream().ptr
    facts = getattr(value, "__cuda_array_interface__", None)
    return facts.get("stream") if facts else None


def importer_of(value: Any) -> Callable[[Any], Any] | None:
    """A function that imports a DeviceArray into a value's library without a copy. None if the value is a DeviceArray,
    or if the library has no such function.
    """
    if isinstance(value, DeviceArray):
        return None
    has_namespace = hasattr(value, "__array_namespace__")
    namespace = value.__array_namespace__() if has_namespace else sys.modules.get(library_of(value))
    return getattr(namespace, "from_dlpack", None)


def plain_stream(driver: Driver, given: Any) -> Stream:
    """The stream that a caller or a library gives; the default stream for None."""
    handle = handle_of(given)
    if handle == 0:
        return DEFAULT_STREAM
    with driver.current("a stream was imported"):
        return driver.stream(handle, given)
