"""Implements a device with PyCUDA. Only this module imports it, when a device is opened. Independent of programs.

PyCUDA keeps a stack of contexts per thread, and aborts a thread that ends with a context on it: so the device's primary
context, which other libraries use too, is pushed for each piece of work and popped after it.
"""

from __future__ import annotations

import importlib
import os
import weakref
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import lru_cache
from typing import Any, Final, NoReturn

import numpy as np

from rise.arguments.mismatches import refuse
from rise.forks import Lock, in_process
from shine.targets.cuda import libcuda
from shine.targets.cuda.driver import DEFAULT_STREAM, Driver, Extent, Stream

INSTALL: Final = (
    "install it: pip install 'rise-shine[cuda]', or see docs/cuda.md if there is no network;"
    " without a device, use the target cuda-sim"
)
MAX_FOLLOWERS: Final = 64  # our streams that follow those of other libraries
FORKED_MESSAGE: Final = "initialization error"  # NVIDIA's driver in a forked child of a process that uses it
CONTEXT_LOST: Final = "the device's context is lost: restart the program"


def open_driver(index: int = 0) -> Driver:
    """The device of this number, from 0; always the same object in a process.

    Raises RiseError if PyCUDA, NVIDIA's driver or the device is missing.
    """
    return _open(index, os.getpid())  # a context does not outlive a fork


def device_arch(index: int = 0) -> str:
    """The architecture of a device, such as sm_90. Raises RiseError as `open_driver` does."""
    major, minor = open_driver(index).capability
    return f"sm_{major}{minor}"


@lru_cache(maxsize=64)
def _open(index: int, _process: int) -> Driver:
    drv = import_pycuda()
    try:
        drv.init()
        count = int(drv.Device.count())
        if not 0 <= index < count:
            have = "none" if count == 0 else f"{count}, numbered from 0"
            hint = f"choose `device` from 0 to {count - 1}" if count else "use target='cuda-sim'"
            refuse("no-device", f"expected the CUDA device {index}, found {have}", hint)
        return PycudaDriver(drv, libcuda.load(), index)
    except (drv.Error, OSError) as problem:
        if FORKED_MESSAGE in str(problem):
            _refuse_child()
        title = f"expected a CUDA device, found none: {_first_line(problem)}"
        refuse("no-device", title, "use target='cuda-sim' or 'openmp' on a machine without a GPU")


def import_pycuda() -> Any:
    """The module pycuda.driver. Raises RiseError if it cannot be imported."""
    try:
        return importlib.import_module("pycuda.driver")
    except ImportError as problem:
        if libcuda.NAME in str(problem):
            title = f"expected NVIDIA's driver to run on a device, found none: {_first_line(problem)}"
            refuse("no-device", title, "use target='cuda-sim' or 'openmp' on a machine without a GPU")
        title = f"expected PyCUDA to run on a device, found none: {_first_line(problem)}"
        refuse("no-pycuda", title, INSTALL)


class PycudaDriver:
    """A device: see `Driver`. `drv` is the module pycuda.driver, `library` NVIDIA's driver."""

    def __init__(self, drv: Any, library: Any, index: int) -> None:
        device = drv.Device(index)
        self.index = index
        self.name = str(device.name())
        major, minor = device.compute_capability()
        self.capability = (int(major), int(minor))
        self._drv = drv
        self._library = library
        self._context = device.retain_primary_context()
        # By default PyCUDA would release a primary context as if it were another kind of context. At exit this
        # finalizer runs last: those that free memory and kernels were registered later.
        self._process = os.getpid()
        weakref.finalize(self, in_process, self._process, self._context.detach)
        self._followers: dict[int, Any] = {}
        self._lock = Lock()

    @contextmanager
    def current(self, doing: str) -> Iterator[None]:
        """See `Driver`."""
        failures = (self._drv.Error, libcuda.CallFailed)
        if os.getpid() != self._process:
            _refuse_child()
        try:
            self._context.push()
        except failures as problem:
            self._explain(problem, doing)
        try:
            yield
        except failures as problem:
            self._explain(problem, doing)
        finally:
            with suppress(self._drv.Error):  # a context that a kernel has broken, already reported
                self._drv.Context.pop()

    def load(self, image: bytes) -> Any:
        """See `Driver`."""
        return self._drv.module_from_buffer(image)

    def function(self, module: Any, name: str) -> Any:
        """See `Driver`."""
        return module.get_function(name)

    def allow_shared(self, function: Any, bytes: int) -> None:
        """See `Driver`."""
        function.set_attribute(self._drv.function_attribute.MAX_DYNAMIC_SHARED_SIZE_BYTES, bytes)

    def allocate(self, bytes: int) -> Any:
        """See `Driver`."""
        return self._drv.mem_alloc(max(bytes, 1))

    def free(self, memory: Any) -> None:
        """See `Driver`."""
        memory.free()

    def upload(self, target: int, source: Any, stream: Stream) -> None:
        """See `Driver`."""
        if source.nbytes:
            self._drv.memcpy_htod_async(target, _bytes(source), stream.native)

    def download(self, target: Any, source: int, stream: Stream) -> None:
        """See `Driver`."""
        if target.nbytes:
            self._drv.memcpy_dtoh_async(_bytes(target), source, stream.native)

    def copy(self, target: int, source: int, bytes: int, stream: Stream) -> None:
        """See `Driver`."""
        if bytes:
            self._drv.memcpy_dtod_async(target, source, bytes, stream.native)

    def fill(self, target: int, byte: int, bytes: int, stream: Stream) -> None:
        """See `Driver`."""
        if bytes:
            self._drv.memset_d8_async(target, byte, bytes, stream.native)

    def launch(
        self, function: Any, grid: Extent, block: Extent, shared_bytes: int, packed: bytes, stream: Stream
    ) -> None:
        """See `Driver`."""
        prepared = function.prepare((f"{len(packed)}s",))
        prepared.prepared_async_call(grid, block, stream.native, packed, shared_size=shared_bytes)

    def record(self, stream: Stream) -> Any:
        """See `Driver`."""
        event = self._drv.Event()
        event.record(stream.native)
        return event

    def seconds(self, start: Any, end: Any) -> float:
        """See `Driver`."""
        end.synchronize()
        return float(end.time_since(start)) * 1e-3

    def synchronize(self, stream: Stream) -> None:
        """See `Driver`."""
        if stream.native is None:
            # PyCUDA can only wait for the default stream with events.
            self._drv.Event().record(None).synchronize()
        else:
            stream.native.synchronize()

    def stream(self, handle: int, native: Any) -> Stream:
        """See `Driver`."""
        if handle == 0:
            return DEFAULT_STREAM
        if isinstance(native, self._drv.Stream):
            return Stream(handle, native)
        with self._lock.held():
            ours = self._followers.get(handle)
            if ours is None:
                if len(self._followers) >= MAX_FOLLOWERS:
                    self._followers.clear()
                ours = self._followers[handle] = self._drv.Stream()
        return Stream(int(ours.handle), ours, handle)

    def wait(self, waiting: int, awaited: int) -> None:
        """See `Driver`."""
        if waiting != awaited:
            libcuda.wait(self._library, waiting, awaited)

    def device_of(self, address: int) -> int:
        """See `Driver`."""
        return libcuda.device_of(self._library, address)

    def _explain(self, problem: Exception, doing: str) -> NoReturn:
        """Raise one diagnostic for a failure."""
        message = _first_line(problem)
        place = f"on device {self.index}, {self.name}, while {doing}"
        if isinstance(problem, self._drv.MemoryError):
            title = f"there is not enough memory on the device: {message}"
            refuse("out-of-memory", title, "use smaller arrays, or free arrays of other libraries", (place,))
        for fragment, code, title in _KNOWN_FAILURES:
            if fragment in message:
                hint = _HINTS.get(code)
                notes = (place, CONTEXT_LOST) if hint is None else (place,)
                refuse(code, f"{title}: {message}", hint or _SIMULATE, notes)
        refuse("device-failed", f"the device's driver failed: {message}", "", (place,))


def _refuse_child() -> NoReturn:
    title = "expected the process that opened the CUDA device, found a child that was forked from it"
    hint = "start children with multiprocessing.get_context('spawn'), or use the device only in the children"
    refuse("forked", title, hint)


_SIMULATE: Final = "run the same program with target='cuda-sim' and check=True, which finds such errors"
#: hints for failures that leave the device usable
_HINTS: Final = {
    "launch-resources": "use smaller blocks or tiles: fewer threads, registers or bytes of shared memory",
    "wrong-arch": "omit `arch` to compile for this device, or update NVIDIA's driver",
}
_KNOWN_FAILURES: Final = (
    ("illegal memory access", "illegal-address", "a kernel accessed memory that does not belong to it"),
    ("misaligned address", "illegal-address", "a kernel accessed memory at an address that is not aligned"),
    ("no kernel image", "wrong-arch", "the kernels are compiled for other devices"),
    ("kernel image is invalid", "wrong-arch", "the device's driver does not read the kernels"),
    ("out of resources", "launch-resources", "a kernel needs more resources than the device has"),
    ("too many resources", "launch-resources", "a kernel needs more resources than the device has"),
    ("cuLaunchKernel failed: invalid argument", "launch-resources", "the device rejects the launch"),
    ("launch timed out", "launch-failed", "a kernel took too long"),
    ("launch fail", "launch-failed", "a kernel failed"),
    ("unspecified launch failure", "launch-failed", "a kernel failed"),
    ("illegal instruction", "launch-failed", "a kernel failed"),
)


def _bytes(array: Any) -> Any:
    """A contiguous array as bytes: PyCUDA's buffers have no format for some element types."""
    return array.reshape(-1).view(np.uint8)


def _first_line(problem: BaseException) -> str:
    return next((line.strip() for line in str(problem).splitlines() if line.strip()), type(problem).__name__)
