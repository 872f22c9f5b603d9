"""Runs batches in separate processes, and detects if they die or hang. Independent of parts.

A wrong kernel may kill its process; that item is a failure, and the batch continues with the next one.
"""

from __future__ import annotations

import multiprocessing
import multiprocessing.connection
import os
import resource
import signal
import time
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from tests.soak.part import Batch, Failure, Part, Result

#: memory limit of a process
MAX_BYTES: Final = 12 << 30
#: seconds between two iterations of the loop after which this process and its children must have been suspended
SUSPENDED_SECONDS: Final = 30.0
#: the wall-clock limit of an item, in multiples of its limit of processor time: a busy machine makes it wait, and so
#: does a deadlock
MAX_WAITING: Final = 6
_FORK: Final = multiprocessing.get_context("fork")
_MAX_NOTE_BYTES: Final = 4000


@dataclass(slots=True)
class _Running:
    batch: Batch
    process: Any
    connection: Any
    note: Any
    next_item: int
    since: float = field(default_factory=time.monotonic)
    worked: float = 0.0  # processor seconds before the item

    def hangs(self, now: float, limit: float) -> bool:
        """Whether the item takes more processor seconds than its limit, or waits for too long."""
        waited = now - self.since
        worked = processor_seconds(self.process.pid)
        if worked is None:
            return waited > limit
        return worked - self.worked > limit or waited > MAX_WAITING * limit

    def advance(self, item: int) -> None:
        """Begin with an item."""
        self.next_item, self.since = item, time.monotonic()
        self.worked = processor_seconds(self.process.pid) or 0.0


@dataclass(frozen=True, slots=True)
class BatchResult:
    """A result with its batch; None at the end of the batch."""

    batch: Batch
    result: Result | None


def run_batches(part: Part, batches: Iterator[Batch], processes: int) -> Iterator[BatchResult]:
    """Run batches, `processes` at a time, and yield results as they arrive."""
    running: list[_Running] = []
    now = time.monotonic()
    try:
        while True:
            while len(running) < processes:
                batch = next(batches, None)
                if batch is None:
                    break
                running.append(_start(part, batch))
            if not running:
                return
            ready = multiprocessing.connection.wait([worker.connection for worker in running], timeout=1.0)
            now, before = time.monotonic(), now
            for worker in list(running):
                if now - before > SUSPENDED_SECONDS:
                    worker.since += now - before
                if worker.connection in ready:
                    yield from _receive(part, worker, running)
                elif worker.hangs(now, part.seconds):
                    worker.process.kill()
                    limit = f"{part.seconds:g} s of processor time"
                    message = f"expected an item to take at most {limit}, found it still running"
                    yield from _blamed(part, worker, running, "hang", message)
    finally:
        for worker in running:
            worker.process.kill()
            worker.process.join()  # so that its processor time counts


def _start(part: Part, batch: Batch) -> _Running:
    ours, theirs = _FORK.Pipe(duplex=False)
    note = _FORK.Array("c", _MAX_NOTE_BYTES + 1)
    process = _FORK.Process(target=_serve, args=(part, batch, theirs, note), daemon=False)
    process.start()
    theirs.close()
    return _Running(batch, process, ours, note, batch.first)


def _serve(part: Part, batch: Batch, connection: Any, shared_note: Any) -> None:
    limit_memory()

    def note(doing: str) -> None:
        shared_note.value = doing.encode(errors="replace")[:_MAX_NOTE_BYTES]

    try:
        for result in part.run(batch, note):
            connection.send(result)
        connection.send(None)
    except BaseException:  # an error of the soak: sent, so that the process is not taken for dead
        connection.send(traceback.format_exc())


def _receive(part: Part, worker: _Running, running: list[_Running]) -> Iterator[BatchResult]:
    try:
        message = worker.connection.recv()
    except EOFError:
        worker.process.join()
        code = worker.process.exitcode or 0
        how = signal.Signals(-code).name if code < 0 else f"status {code}"
        yield from _blamed(part, worker, running, "crash", f"the process ended: {how}")
        return
    if isinstance(message, str):
        running.remove(worker)
        raise RuntimeError(f"the part {part.name} itself failed in {worker.batch}:\n{message}")
    if message is None:
        worker.process.join()
        running.remove(worker)
    else:
        worker.advance(message.item + 1)
    yield BatchResult(worker.batch, message)


def _blamed(
    part: Part, worker: _Running, running: list[_Running], kind: str, message: str
) -> Iterator[BatchResult]:
    """Yield the failure of the item that killed or hung a process; the batch continues with the next one."""
    running.remove(worker)
    worker.process.join()
    where, _, subject = worker.note.value.decode(errors="replace").partition("\n")
    failure = Failure(kind, where, message, subject)
    yield BatchResult(worker.batch, Result(worker.next_item, failures=(failure,)))
    if worker.batch.only is None and worker.next_item + 1 < part.batch:
        running.append(_start(part, replace(worker.batch, first=worker.next_item + 1)))
    else:
        yield BatchResult(worker.batch, None)


def processor_seconds(pid: int) -> float | None:
    """The processor time of a process and its finished children; None if the system does not provide it."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return None
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")


def limit_memory() -> None:
    """Limit the memory of this process, and its core dumps."""
    resource.setrlimit(resource.RLIMIT_AS, (MAX_BYTES, MAX_BYTES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def isolated(function: Callable[[], Any], seconds: float) -> tuple[str, Any]:
    """Call a function in a process of its own. Returns `done` and its result, or `crash` or `hang` and None."""
    ours, theirs = _FORK.Pipe(duplex=False)

    def call() -> None:
        limit_memory()
        theirs.send(function())

    process = _FORK.Process(target=call)
    process.start()
    theirs.close()
    try:
        if not ours.poll(seconds):
            process.kill()
            return "hang", None
        return "done", ours.recv()
    except EOFError:
        return "crash", None
    finally:
        process.join()
        ours.close()
