"""What running on a device needs: memory, copies, launches, events, streams. Knows no package that gives it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from typing import Any, Final, Protocol

from rise.arguments.mismatches import refuse

Extent = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Stream:
    """Where work of a device stands in order.

    `handle` is the driver's number for it, 0 for the default stream; `native` what the package launches on. A stream
    made by another library cannot be launched on directly: then this is one of ours, and `follows` that library's,
    which `ordered` makes it wait for, and the other way round.
    """

    handle: int = 0
    native: Any = None
    follows: int | None = None

    @property
    def visible(self) -> int:
        """The stream that others see the work on."""
        return self.handle if self.follows is None else self.follows


DEFAULT_STREAM: Final = Stream()


class Driver(Protocol):
    """One device. Addresses are integers, streams those of `stream`; everything but `current` and the facts needs to be
    called where `current` is entered. What fails there is a RiseError that says what was being done.
    """

    @property
    def index(self) -> int:
        """Which device, from 0."""
        ...

    @property
    def name(self) -> str:
        """As the maker calls it."""
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
        """Let a kernel have this much dynamic shared memory in a block: more than 48 KiB must be asked for."""
        ...

    def allocate(self, bytes: int) -> Any:
        """Memory on the device; `int` of it is its address."""
        ...

    def free(self, memory: Any) -> None:
        """Give memory back, once the device is done with all that was launched."""
        ...

    def upload(self, target: int, source: Any, stream: Stream) -> None:
        """Copy a contiguous numpy array to the device."""
        ...

    def download(self, target: Any, source: int, stream: Stream) -> None:
        """Copy to a contiguous numpy array; it is there when the stream is done."""
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
        """Start a kernel with its arguments as they lie in its parameter space."""
        ...

    def record(self, stream: Stream) -> Any:
        """An event after what was launched on a stream so far."""
        ...

    def seconds(self, start: Any, end: Any) -> float:
        """The time between two events, once the later one has come."""
        ...

    def synchronize(self, stream: Stream) -> None:
        """Wait until a stream is done."""
        ...

    def stream(self, handle: int, native: Any) -> Stream:
        """The stream of this number; `native` is what the caller gave."""
        ...

    def wait(self, waiting: int, awaited: int) -> None:
        """Let what is launched on one stream from now on wait for what was launched on another so far."""
        ...

    def device_of(self, address: int) -> int:
        """The device on which an address lies; -1 for one that is no device memory."""
        ...


def ordered(driver: Driver, stream: Stream) -> AbstractContextManager[None]:
    """Work inside is on `stream`, and before and after it in the order of the stream that this one follows."""
    return nullcontext() if stream.follows is None else _joined(driver, stream.handle, stream.follows)


@contextmanager
def _joined(driver: Driver, ours: int, theirs: int) -> Iterator[None]:
    driver.wait(ours, theirs)
    yield
    driver.wait(theirs, ours)


def handle_of(given: Any) -> int:
    """The driver's number of a stream as a user gives it: a number, or a stream of PyCUDA, CuPy, PyTorch or any library
    with `__cuda_stream__`. None is the default stream.
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
        return 0 if given == 1 else given  # 1 is how the array protocols write the default stream
    title = f"`stream`: expected a stream of a CUDA library, or its handle, found {type(given).__name__}"
    refuse("argument-type", title, "give the number of a stream, or leave `stream` away")
