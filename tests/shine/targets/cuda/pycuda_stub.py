"""A device in host memory: a `Driver` that records calls, and runs kernels that are Python functions."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import numpy as np

from rise.naturals import const
from rise.quotients import ceiling_quotient
from shine.imperative.nodes import Procedure
from shine.targets.cuda.driver import DEFAULT_STREAM, Extent, Stream
from shine.targets.cuda.launcher import Launcher
from shine.targets.cuda.module import (
    CudaKernel,
    CudaModule,
    PointerArgument,
    ScalarArgument,
    SizeArgument,
)

Body = Callable[[bytes, Extent, Extent], None]


class StubDriver:
    """See `shine.targets.cuda.driver.Driver`. `log` has the calls; streams with numbers below 100 are the caller's."""

    def __init__(self, kernels: Mapping[str, Body] | None = None, index: int = 0) -> None:
        self.index = index
        self.name = "stub"
        self.capability = (9, 0)
        self.kernels = dict(kernels or {})
        self.log: list[tuple[Any, ...]] = []
        self.memory: dict[int, Any] = {}
        self.depth = 0
        self.clock = 0.0
        self.fails: dict[str, Exception] = {}

    @contextmanager
    def current(self, doing: str) -> Iterator[None]:
        self.depth += 1
        try:
            yield
        finally:
            self.depth -= 1

    def _note(self, *call: Any) -> None:
        assert self.depth, f"{call}: the context is not current"
        self.log.append(call)
        if call[0] in self.fails:
            raise self.fails[call[0]]

    def load(self, image: bytes) -> Any:
        self._note("load", image)
        return "module"

    def function(self, module: Any, name: str) -> Any:
        self._note("function", module, name)
        return name

    def allow_shared(self, function: Any, bytes: int) -> None:
        self._note("allow_shared", function, bytes)

    def allocate(self, bytes: int) -> Any:
        whole = np.full(bytes + 512, 0xCD, np.uint8)
        address = -(-whole.ctypes.data // 256) * 256
        self._note("allocate", bytes)
        self.memory[address] = whole
        return address

    def free(self, memory: Any) -> None:
        self._note("free", memory)
        del self.memory[memory]

    def upload(self, target: int, source: Any, stream: Stream) -> None:
        self._note("upload", source.nbytes, stream.handle)
        ctypes.memmove(target, source.ctypes.data, source.nbytes)

    def download(self, target: Any, source: int, stream: Stream) -> None:
        self._note("download", target.nbytes, stream.handle)
        ctypes.memmove(target.ctypes.data, source, target.nbytes)

    def copy(self, target: int, source: int, bytes: int, stream: Stream) -> None:
        self._note("copy", bytes, stream.handle)
        ctypes.memmove(target, source, bytes)

    def fill(self, target: int, byte: int, bytes: int, stream: Stream) -> None:
        self._note("fill", byte, bytes, stream.handle)
        ctypes.memset(target, byte, bytes)

    def launch(
        self, function: Any, grid: Extent, block: Extent, shared_bytes: int, packed: bytes, stream: Stream
    ) -> None:
        self._note("launch", function, grid, block, shared_bytes, packed, stream.handle)
        self.clock += 1e-3
        if function in self.kernels:
            self.kernels[function](packed, grid, block)

    def record(self, stream: Stream) -> Any:
        self._note("record", stream.handle)
        return self.clock

    def seconds(self, start: Any, end: Any) -> float:
        return float(end - start)

    def synchronize(self, stream: Stream) -> None:
        self._note("synchronize", stream.handle)

    def stream(self, handle: int, native: Any) -> Stream:
        if handle == 0:
            return DEFAULT_STREAM
        return Stream(handle, native) if handle < 100 else Stream(handle + 1000, "ours", handle)

    def wait(self, waiting: int, awaited: int) -> None:
        if waiting != awaited:
            self._note("wait", waiting, awaited)

    def device_of(self, address: int) -> int:
        return self.index

    def launches(self) -> list[tuple[Any, ...]]:
        return [call[1:] for call in self.log if call[0] == "launch"]

    def calls(self) -> list[str]:
        return [call[0] for call in self.log]


def at(address: int, count: int, dtype: Any = np.float32) -> Any:
    """Memory of the stub's device as a numpy array."""
    size = count * np.dtype(dtype).itemsize
    return (
        np.frombuffer((ctypes.c_uint8 * size).from_address(address), dtype, count)
        if size
        else np.empty(0, dtype)
    )


def axpy_module(procedure: Procedure, block: int = 128, bits: int = 32) -> CudaModule:
    """What a printer would produce for `tests.shine.procedures.axpy`: pointers, the number by value, the size."""
    alpha, x, y = (one.buffers[0] for one in procedure.inputs)
    (output,) = procedure.output.buffers
    (n,) = procedure.sizes
    arguments = (
        ScalarArgument(alpha, alpha.element),  # type: ignore[arg-type]  # a scalar's buffer holds scalars
        PointerArgument(x, False),
        PointerArgument(y, False),
        PointerArgument(output, True),
        SizeArgument(n, bits),
    )
    grid = (ceiling_quotient(n, block), const(1), const(1))
    kernel = CudaKernel("axpy", grid, (block, 1, 1), arguments)
    return CudaModule("// axpy\n", (None,), (kernel,))


def axpy_kernel(packed: bytes, grid: Extent, block: Extent) -> None:
    """The kernel `axpy`."""
    alpha = np.frombuffer(packed, np.float32, 1)[0]
    x, y, output = (int(one) for one in np.frombuffer(packed, np.uint64, 3, 8))
    n = int(np.frombuffer(packed, np.int32, 1, 32)[0])
    assert (grid[0] - 1) * block[0] < n <= grid[0] * block[0]
    at(output, n)[:] = alpha * at(x, n) + at(y, n)


def launcher(module: CudaModule, procedure: Procedure, driver: StubDriver) -> Launcher:
    """An executable on the stub's device."""

    def opener(index: int) -> StubDriver:
        assert index == driver.index
        return driver

    return Launcher(module, procedure, b"cubin", driver.index, opener)
