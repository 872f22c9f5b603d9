"""Runs a function in a separate process, with limits on time and memory. Independent of kernels.

The process is a fork of this one, so the function and its data need not be sent; its result is pickled. It leads a
process group, so that compilers that it started end with it.
"""

from __future__ import annotations

import faulthandler
import math
import os
import pickle
import resource
import select
import signal
import sys
import time
import warnings
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import field
from typing import Any, Final

from rise.diagnostics import Diagnostic, RiseError, bytes_text
from rise.records import dataclass

PIECE: Final = 1 << 16  # bytes that are read at once
PAGES: Final = "/proc/self/statm"


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of the process of a candidate: seconds to build and to run, and bytes of memory beyond those of the
    process that it is forked from.

    Raises RiseError for anything but positive numbers.
    """

    build_seconds: float = 120.0
    run_seconds: float = 60.0
    memory: int = 4 << 30

    def __post_init__(self) -> None:
        for name, kind in (("build_seconds", int | float), ("run_seconds", int | float), ("memory", int)):
            value: Any = getattr(self, name)
            if not isinstance(value, kind) or isinstance(value, bool) or not 0 < value < math.inf:
                title = f"`{name}`: expected a positive number, found {value!r:.40}"
                hint = "for example Limits(build_seconds=120, run_seconds=60, memory=4 << 30)"
                raise RiseError(Diagnostic("limits", title, hint=hint))


@dataclass(slots=True, eq=False)
class Child:
    """A process that runs one function. `what` names its task in messages: "building", "running"."""

    what: str
    pid: int
    pipe: int
    deadline: float
    seconds: float
    memory: int
    received: bytearray = field(default_factory=bytearray)

    def read(self) -> bool:
        """Read its output so far; returns whether it was complete."""
        piece = os.read(self.pipe, PIECE)
        self.received += piece
        return not piece

    def finish(self) -> Any:
        """Its result. Raises the RiseError of the function, and RiseError if it crashed, ran too long or ran out of
        memory.
        """
        os.close(self.pipe)
        is_late = time.monotonic() >= self.deadline and not self.received
        self._end()
        _, status = os.waitpid(self.pid, 0)
        if self.received:
            with suppress(pickle.UnpicklingError, EOFError):
                kind, value = pickle.loads(bytes(self.received))
                if kind == "value":
                    return value
                if kind == "error":
                    raise RiseError(value)
                raise RiseError(_of_memory(self) if kind == "memory" else _of_crash(self, value))
        if is_late:
            title = f"{self.what} the candidate took more than {self.seconds:g} seconds"
            raise RiseError(
                Diagnostic("candidate-hung", title, hint="raise the limit if it may take that long")
            )
        if os.WIFSIGNALED(status):
            name = signal.Signals(os.WTERMSIG(status)).name
            raise RiseError(_of_crash(self, f"its process was killed by {name}"))
        raise RiseError(
            _of_crash(self, f"its process exited with status {os.waitstatus_to_exitcode(status)}")
        )

    def kill(self) -> None:
        """Kill it."""
        self._end()
        with suppress(OSError):
            os.close(self.pipe)
        with suppress(ChildProcessError):
            os.waitpid(self.pid, 0)

    def _end(self) -> None:
        """End its process group, which includes compilers that it started."""
        for end in (os.killpg, os.kill):
            with suppress(ProcessLookupError, PermissionError):
                end(self.pid, signal.SIGKILL)


def start(what: str, function: Callable[[], Any], seconds: float, memory: int) -> Child:
    """Start a function in a separate process. Raises RiseError if the system cannot start a process."""
    reading, writing = os.pipe()
    sys.stdout.flush()
    sys.stderr.flush()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # of threads, which a child never joins
            pid = os.fork()
    except OSError as error:
        os.close(reading)
        os.close(writing)
        title = f"the system cannot start a process for a candidate: {error.strerror or error}"
        raise RiseError(Diagnostic("no-process", title, hint="stop other processes")) from None
    if pid == 0:
        _run(function, reading, writing, memory)
    os.close(writing)
    with suppress(OSError):
        os.setpgid(pid, pid)
    return Child(what, pid, reading, time.monotonic() + seconds, seconds, memory)


def wait(children: Sequence[Child], seconds: float | None = None) -> list[Child]:
    """The children that have ended or exceeded their time; waits for one, at most the given number of seconds."""
    end = None if seconds is None else time.monotonic() + seconds
    while children:
        now = time.monotonic()
        limits = [child.deadline for child in children] + ([] if end is None else [end])
        ready, _, _ = select.select([child.pipe for child in children], [], [], max(0.0, min(limits) - now))
        now = time.monotonic()
        done = [
            child for child in children if (child.pipe in ready and child.read()) or now >= child.deadline
        ]
        if done or (end is not None and now >= end):
            return done
    return []


def in_own_process(what: str, function: Callable[[], Any], seconds: float, memory: int) -> Any:
    """The result of a function that runs in a separate process. Raises RiseError as `Child.finish` does."""
    child = start(what, function, seconds, memory)
    try:
        wait([child])
    except BaseException:
        child.kill()
        raise
    return child.finish()


def _run(function: Callable[[], Any], reading: int, writing: int, memory: int) -> None:
    """Runs in the child; does not return."""
    status = 1
    try:
        faulthandler.disable()  # a crash is a result here
        os.setpgid(0, 0)
        os.close(reading)
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        _limit(memory)
        answer: tuple[str, Any]
        try:
            answer = ("value", function())
        except RiseError as error:
            answer = ("error", error.diagnostic)
        except MemoryError:
            answer = ("memory", None)
        except Exception as error:  # the candidate may raise any exception
            answer = ("crash", f"{type(error).__name__}: {error}")
        with os.fdopen(writing, "wb") as pipe:
            pipe.write(pickle.dumps(answer))
        status = 0
    finally:
        os._exit(status)  # no finalizer of the parent's runs twice


def _limit(memory: int) -> None:
    """Limit the address space to what is in use and this much more. No core files are written."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    try:
        with open(PAGES, encoding="ascii") as file:
            used = int(file.read().split()[0]) * resource.getpagesize()
    except (OSError, ValueError):  # no such file on this system
        return
    _, most = resource.getrlimit(resource.RLIMIT_AS)
    asked = used + memory
    resource.setrlimit(
        resource.RLIMIT_AS, (asked if most == resource.RLIM_INFINITY else min(asked, most), most)
    )


def _of_memory(child: Child) -> Diagnostic:
    title = f"{child.what} the candidate took more than {bytes_text(child.memory)} of memory"
    return Diagnostic("candidate-memory", title, hint="raise the limit if it may take that much")


def _of_crash(child: Child, how: str) -> Diagnostic:
    return Diagnostic(
        "candidate-crashed", f"{child.what} the candidate failed: {how}", hint="the others continue"
    )
