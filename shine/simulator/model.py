"""The inputs of a launch in the simulator, and its findings. Independent of compilers and C++."""

from __future__ import annotations

from typing import Final, TypeAlias

from rise.diagnostics import Diagnostic, RiseError
from rise.records import dataclass
from shine.simulator.profile import Profile

Index: TypeAlias = tuple[int, int, int]

#: kinds of findings
KINDS: Final = (
    "race",
    "out-of-bounds",
    "misaligned",
    "uninitialised",
    "stale",
    "divergent-barrier",
    "deadlock",
    "read-only",
    "bad-mask",
    "bad-stride",
    "in-flight",
    "not-waited",
    "bad-copy",
    "bad-barrier",
    "proxy",
    "bad-operand",
    "lifetime",
    "budget",
    "shared-size",
    "launch-size",
    "trap",
    "assertion",
    "fault",
)


class SimulatorError(RiseError):
    """A text that the simulator cannot build, or arguments that do not fit a kernel.

    `lines` has, for each message of the compiler, the line of the CUDA text and the message.
    """

    def __init__(self, diagnostic: Diagnostic, lines: tuple[tuple[int, str], ...] = ()) -> None:
        super().__init__(diagnostic)
        self.lines = lines


@dataclass(frozen=True, slots=True)
class SharedArray:
    """An array in dynamic shared memory, or in the static array `within`: its name, its offset and size in bytes.

    Arrays may share bytes. The check build tells those apart for which the text has a pointer of that name, declared
    as `T* const name = reinterpret_cast<T*>(memory + offset);` or `T* const name = memory + offset;`.
    """

    name: str
    offset: int
    bytes: int
    within: str = ""


@dataclass(frozen=True, slots=True)
class Deferral:
    """An operation that synchronises, by its number as threads reach them in a launch, before which another thread of
    the block gets on; with `leaves_block`, another block.
    """

    operation: int
    leaves_block: bool = False


@dataclass(frozen=True, slots=True)
class Buffer:
    """The name of a pointer argument in findings, and whether the kernel must not write through it."""

    name: str
    read_only: bool = False


@dataclass(frozen=True, slots=True)
class Limits:
    """A device's limits on threads, bytes and sizes of a launch; by default those of compute capability 9.0."""

    threads: int = 1024
    static_shared: int = 48 * 1024
    shared: int = 227 * 1024
    block: Index = (1024, 1024, 64)
    grid: Index = (2**31 - 1, 65535, 65535)


@dataclass(frozen=True, slots=True)
class Access:
    """An action of a thread, such as `read`, `atomic operation` or `wait`, at a line of the CUDA text (0: unknown)."""

    what: str
    line: int
    thread: Index
    block: Index

    def __str__(self) -> str:
        line = f"line {self.line}" if self.line else "an unknown line"
        return f"{self.what} at {line} by thread {self.thread} of block {self.block}"


@dataclass(frozen=True, slots=True)
class Finding:
    """One error in a kernel. `offset` is in bytes, `element` in elements where their size is known.

    `second` is the other access of a race, the copy in flight, or the other thread at a barrier.
    """

    kind: str
    message: str
    array: str | None = None
    offset: int | None = None
    element: int | None = None
    first: Access | None = None
    second: Access | None = None

    @property
    def lines(self) -> tuple[int, ...]:
        """The lines of the CUDA text that are involved."""
        return tuple(access.line for access in (self.first, self.second) if access is not None)

    @property
    def phrase(self) -> str:
        """The text with an article, for a sentence.

        >>> Finding("out-of-bounds", "a read").phrase
        'an out-of-bounds: a read'
        """
        return f"{'an' if self.kind[0] in 'aeiou' else 'a'} {self}"

    def __str__(self) -> str:
        return f"{self.kind}: {self.message}"


@dataclass(frozen=True, slots=True)
class Needless:
    """A barrier or wait, at a line of the text, without which a launch has no finding and the same results."""

    line: int
    text: str

    def __str__(self) -> str:
        return f"line {self.line}: `{self.text}` is not needed in this launch"


@dataclass(frozen=True, slots=True)
class Report:
    """The outcome of a launch. `finished` says whether all threads ran to completion.

    `steps` counts basic blocks and accesses (check build only), `switches` counts switches between threads.
    `printed` is the output of `printf`, limited to 1 MiB as in CUDA. `profile` has the counts of a launch that was
    profiled and finished, `needless` the barriers and waits that it did not need, if requested.
    Of a launch with deferrals, `synchronising` is how often threads reached an operation that synchronises, and
    `deferred` how many deferrals were possible.
    """

    findings: tuple[Finding, ...]
    finished: bool
    steps: int = 0
    switches: int = 0
    printed: str = ""
    profile: Profile | None = None
    needless: tuple[Needless, ...] = ()
    synchronising: int = 0
    deferred: int = 0

    def __str__(self) -> str:
        return "\n".join(map(str, self.findings)) or "no findings"
