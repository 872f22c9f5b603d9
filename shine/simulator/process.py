"""Manages the processes that run CUDA code. Independent of the meaning of messages.

A process has access to one library and nothing else: no files, no other processes, no network (`runtime/host.cpp`). It
ends when its socket is closed, so it does not outlive the process that started it.
"""

from __future__ import annotations

import errno
import fcntl
import os
import resource
import select
import signal
import socket
import struct
import time
import weakref
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from rise.forks import Lock
from rise.records import dataclass
from shine.simulator.segment import Segment

_FIRST_FREE: Final = 16  # file descriptors are moved here first: those that the child gets are below
_SOCKET, _MEMORY = 0, 3
_LENGTH: Final = struct.Struct("<Q")
_MOST_KERNELS_BYTES: Final = 1 << 20
_LOAD_SECONDS: Final = 20.0
_LOAD_MEMORY: Final = 1 << 30
_GRACE_SECONDS: Final = 2.0
_PATIENCE: Final = 1.0  # seconds between two looks at a process that has not answered
_MOST_STALLS: Final = 60  # looks at which it has neither answered nor run
_MOST_IDLE: Final = 8
_MOST_KEPT_BYTES: Final = 256 << 20  # of shared memory: a process with more is ended after its launch
_TRIES: Final = 20


@dataclass(frozen=True, slots=True)
class Signature:
    """A kernel's name, a letter for the kind of each parameter, and their sizes in bytes; the blocks of its clusters,
    if its text gives them.
    """

    name: str
    kinds: str
    sizes: tuple[int, ...]
    cluster: tuple[int, int, int] | None


class EndedError(Exception):
    """A process ended or was killed instead of answering; the message says why."""


class Process:
    """One process with one library. Use it from one thread at a time."""

    def __init__(self, host: Path, library: Path) -> None:
        """Start it. Raises OSError if the library cannot be loaded, EndedError if loading it ends the process."""
        self.library = library
        self.segment = Segment()
        self.number: int | None = None  # None once it has ended
        self.ran = 0.0  # seconds of processor time, as the process says
        self.has_launched = False
        ours, theirs = socket.socketpair()
        self._socket = ours
        try:
            with theirs:
                self.number = _start(host, library, theirs.fileno(), self.segment.file)
            self.kernels = self._receive_kernels()
        except BaseException:
            self.close()
            raise

    def ask(self, message: bytes, seconds: float, memory: int) -> None:
        """Send a request, which may use `seconds` of processor time and `memory` bytes of address space."""
        assert self.number is not None, "a process that runs"
        self.has_launched = True
        _limit(self.number, self.ran + max(seconds, 0.0) + _GRACE_SECONDS, memory)
        try:
            self._socket.sendall(_LENGTH.pack(len(message)) + message, socket.MSG_NOSIGNAL)
        except OSError:
            raise EndedError(self._why()) from None

    def receive(self, count: int, seconds: float) -> bytes:
        """Receive the next bytes of its answer. Raises EndedError if it ends, runs too long, or hangs."""
        parts: list[bytes] = []
        poll = select.poll()
        poll.register(self._socket, select.POLLIN)
        started = _processor_seconds(self.number)
        last, stalls = started, 0
        while count:
            if not poll.poll(_PATIENCE * 1000):
                now = _processor_seconds(self.number)
                stalls = stalls + 1 if now == last else 0
                last = now
                if now - started > seconds + 2 * _GRACE_SECONDS or stalls > _MOST_STALLS:
                    self.close()
                    raise EndedError("it did not answer in time")
                continue
            try:
                part = self._socket.recv(min(count, 1 << 20))
            except OSError:
                part = b""
            if not part:
                raise EndedError(self._why())
            parts.append(part)
            count -= len(part)
        return b"".join(parts)

    def is_alive(self) -> bool:
        """Whether it waits for a request: it has not ended, and has not sent anything without a request."""
        poll = select.poll()
        poll.register(self._socket, select.POLLIN)
        return not poll.poll(0)

    def close(self) -> None:
        """End it."""
        self.forget()
        if self.number is not None:
            with suppress(OSError):
                os.kill(self.number, signal.SIGKILL)
                os.waitpid(self.number, 0)
            self.number = None

    def forget(self) -> None:
        """Forget it without ending it: for a forked child, which does not own it."""
        self._socket.close()
        if self.segment.file >= 0:
            self.segment.close()

    def _why(self) -> str:
        """Wait for a process that has closed its socket, and say how it ended."""
        assert self.number is not None, "a process that was started"
        process, self.number = self.number, None
        with suppress(OSError):  # it may have closed its socket without ending
            os.kill(process, signal.SIGKILL)
        status = 0
        with suppress(OSError):
            status = os.waitpid(process, 0)[1]
        self.forget()
        if os.WIFSIGNALED(status):
            return _SIGNALS.get(
                os.WTERMSIG(status), f"it was ended by {signal.strsignal(os.WTERMSIG(status))}"
            )
        return f"it ended with the status {os.waitstatus_to_exitcode(status)}"

    def _receive_kernels(self) -> tuple[Signature, ...]:
        (count,) = _LENGTH.unpack(self.receive(_LENGTH.size, _LOAD_SECONDS))
        if count > _MOST_KERNELS_BYTES:
            raise EndedError("its first message is too long")
        text = self.receive(count, _LOAD_SECONDS).decode("utf-8", "replace")
        if text.startswith("!"):
            raise OSError(text[1:])
        return tuple(_signature(line) for line in text.splitlines())


_SIGNALS: Final[Mapping[int, str]] = {
    signal.SIGXCPU: "it was stopped, since it ran for too long",
    signal.SIGKILL: "it was killed: by the system, which may be short of memory, or by a user",
    signal.SIGSEGV: "it accessed memory that is not mapped",
    signal.SIGBUS: "there was no memory for a page that it accessed",
    signal.SIGSYS: "it made a system call that is not allowed",
}


def _signature(line: str) -> Signature:
    name, kinds, sizes, cluster = line.split("\t")
    x, y, z = map(int, cluster.split())
    return Signature(name, kinds, tuple(map(int, sizes.split())), (x, max(1, y), max(1, z)) if x else None)


def _start(host: Path, library: Path, ours: int, memory: int) -> int:
    """Start the host with these file descriptors, no others, and no environment."""
    moved = [fcntl.fcntl(file, fcntl.F_DUPFD_CLOEXEC, _FIRST_FREE) for file in (ours, memory)]
    actions = [
        (os.POSIX_SPAWN_DUP2, moved[0], _SOCKET),
        (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0),
        (os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0),
        (os.POSIX_SPAWN_DUP2, moved[1], _MEMORY),
    ]
    reset = (
        signal.SIGINT,
        signal.SIGTERM,
        signal.SIGHUP,
        signal.SIGQUIT,
        signal.SIGPIPE,
        signal.SIGXCPU,
        signal.SIGIO,
    )
    try:
        for attempt in range(_TRIES):
            try:
                return os.posix_spawn(
                    host,
                    [str(host), str(library), str(int(_LOAD_SECONDS)), str(_LOAD_MEMORY)],
                    {},
                    file_actions=actions,
                    setsid=True,
                    setsigmask=(),
                    setsigdef=reset,
                )
            except OSError as error:
                # A child that another thread forked may still hold the file open that was just written.
                if error.errno != errno.ETXTBSY or attempt == _TRIES - 1:
                    raise
                time.sleep(0.01)
    finally:
        for file in moved:
            os.close(file)
    raise AssertionError("the last attempt returns or raises")


def _limit(process: int, seconds: float, memory: int) -> None:
    """Bound the processor time of a process since its start, and the addresses that it may take."""
    limits = ((resource.RLIMIT_CPU, int(seconds) + 1), (resource.RLIMIT_AS, memory))
    for kind, most in limits:
        with suppress(OSError, ValueError):  # it has ended, or the caller's own limits are lower
            hard = resource.prlimit(process, kind)[1]
            soft = most if hard == resource.RLIM_INFINITY else min(most, hard)
            resource.prlimit(process, kind, (soft, hard))


def _processor_seconds(process: int | None) -> float:
    """The processor time that a process has used; 0 if the system does not provide it."""
    try:
        # once a launch: a Path would take longer than reading the file
        with open(f"/proc/{process}/stat", encoding="ascii", errors="replace") as file:
            text = file.read()
    except OSError:
        return 0.0
    fields = text.rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Pool:
    """A few processes that wait for their next launch, the most recently used one last. Each is used by one thread at a
    time.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._idle: list[Process] = []
        self._all: weakref.WeakSet[Process] = weakref.WeakSet()
        self.lock = Lock()
        os.register_at_fork(after_in_child=self._forget)

    def take(self, library: Path, start: Callable[[], Process]) -> Process:
        """Take one of the library's waiting processes, or start one."""
        while True:
            with self.lock.held():
                found = next(
                    (process for process in reversed(self._idle) if process.library == library), None
                )
                if found is None:
                    break
                self._idle.remove(found)
            if found.is_alive():
                return found
            found.close()
        found = start()
        self._all.add(found)
        return found

    def give(self, process: Process) -> None:
        """Keep a process for later launches. A process with much memory is ended, and so is the least recently used
        one.
        """
        if process.segment.bytes > _MOST_KEPT_BYTES:
            process.close()
            return
        ended: Sequence[Process] = ()
        with self.lock.held():
            self._idle.append(process)
            if len(self._idle) > self._most:
                ended = (self._idle.pop(0),)
        for one in ended:
            one.close()

    def end_used(self, library: Path) -> None:
        """End the library's waiting processes, but for those that have launched no kernel yet."""
        with self.lock.held():
            ended = [one for one in self._idle if one.library == library and one.has_launched]
            self._idle = [one for one in self._idle if one not in ended]
        for one in ended:
            one.close()

    def idle(self) -> tuple[Process, ...]:
        """The processes that wait."""
        with self.lock.held():
            return tuple(self._idle)

    def _forget(self) -> None:
        for process in list(self._all):
            process.forget()
        self._idle.clear()
        self._all.clear()


POOL: Final = Pool(_MOST_IDLE)
