"""The interface to a device: memory, copies, launches, events, streams.

Independent of the packages that implement it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any, Final, Protocol

from rise.arguments.mismatches import refuse
from rise.records import dataclass

Extent = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Stream:
    """A queue of work on a device.

    `handle` is the driver's number for it, 0 for the default stream; `native` is the package's object to launch on.
    Kernels cannot be launched directly on a stream of another library. For such a stream, this is a stream of
    rise-shine, and `follows` is the handle of the other one; `ordered` makes each wait for the other.
    """

    handle: int = 0
    native: Any = None
    follows: int | None = None

    @property
    def visible(self) -> int:
        """The handle of the stream that other libraries have to wait for."""
        return self.handle if self.follows is None else self.follows


DEFAULT_STREAM: Final = Stream()


class Driver(Protocol):
    """One device. Addresses are integers, streams those of `stream`; all methods except `current` must be called inside
    `current`. Failures there raise a RiseError that names the operation.
    """

    @property
    def index(self) -> int:
        """The number of the device, from 0."""
        ...

    @property
    def name(self) -> str:
        """The vendor's name for it."""
        ...

    @property
    def capability(self) -> tuple[int, int]:
        """The compute capability."""
        ...

    def current(self, doing: str) -> AbstractContextManager[None]:
        """Make the device's primary context current in this thread; `doing` completes `while ...`."""
        ...

    def load(self, image: bytes) -> Any:
        """A module from a cubin."""
        ...

    def function(self, module: Any, name: str) -> Any:
        """A kernel of a module."""
        ...

    def allow_shared(self, function: Any, bytes: int) -> None:
        """Allow a kernel this much dynamic shared memory per block: more than 48 KiB must be requested."""
        ...

    def allocate(self, bytes: int) -> Any:
        """Memory on the device; `int(memory)` is its address."""
        ...

    def free(self, memory: Any) -> None:
        """Free memory after all launched work is done."""
        ...

    def upload(self, target: int, source: Any, stream: Stream) -> None:
        """Copy a contiguous numpy array to the device."""
        ...

    def download(self, target: Any, source: int, stream: Stream) -> None:
        """Copy to a contiguous numpy array, which is complete when the stream is done."""
        ...

    def copy(self, target: int, source: int, bytes: int, stream: Stream) -> None:
        """Copy within the device."""
        ...

    def fill(self, target: int, byte: int, bytes: int, stream: Stream) -> None:
        """Set every byte."""
        ...

    def launch(
        self, function: Any, grid: Extent, block: Extent, shared_bytes: int, packed: bytes, stream: Stream
    ) -> None:
        """Launch a kernel with its arguments packed as in its parameter space."""
        ...

    def record(self, stream: Stream) -> Any:
        """An event after all work launched on a stream so far."""
        ...

    def seconds(self, start: Any, end: Any) -> float:
        """Wait for the later event, and return the time between the two."""
        ...

    def synchronize(self, stream: Stream) -> None:
        """Wait until a stream is done."""
        ...

    def stream(self, handle: int, native: Any) -> Stream:
        """The stream with this handle; `native` is the object that the caller gave."""
        ...

    def wait(self, waiting: int, awaited: int) -> None:
        """Make later work on one stream wait for the work launched on another so far."""
        ...

    def device_of(self, address: int) -> int:
        """The device that an address belongs to; -1 if it is not device memory."""
        ...


def ordered(driver: Driver, stream: Stream) -> AbstractContextManager[None]:
    """Order the work inside, on `stream`, with the work before and after it on the stream that it follows."""
    return nullcontext() if stream.follows is None else _joined(driver, stream.handle, stream.follows)


@contextmanager
def _joined(driver: Driver, ours: int, theirs: int) -> Iterator[None]:
    driver.wait(ours, theirs)
    yield
    driver.wait(theirs, ours)


def handle_of(given: Any) -> int:
    """The driver's handle of a stream that a user gives: a number, or a stream of PyCUDA, CuPy, PyTorch or any library
    with `__cuda_stream__`. None is the default stream. Raises RiseError for anything else.
    """
    if given is None:
        return 0
    if hasattr(given, "__cuda_stream__"):
        return int(given.__cuda_stream__()[1])
    for attribute in ("cuda_stream", "ptr", "handle"):
        if hasattr(given, attribute):
            given = getattr(given, attribute)
            break
    if isinstance(given, int) and not isinstance(given, bool) and given >= 0:
        return 0 if given == 1 else given  # the array protocols use 1 for the default stream
    title = f"`stream`: expected a stream of a CUDA library, or its handle, found {type(given).__name__}"
    refuse("argument-type", title, "pass the handle of a stream, or omit `stream`")
