"""Runs batches in processes of their own, and sees which of them die or hang. Knows no part.

A kernel that is wrong may end its process; the item that did so is a failure, and the batch goes on behind it.
"""

from __future__ import annotations

import multiprocessing
import multiprocessing.connection
import resource
import signal
import time
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any, Final

from tests.soak.part import Batch, Failure, Part, Result

#: bytes of memory that a process may ask for
MEMORY: Final = 12 << 30
#: seconds between two looks after which this process, and those that it started, must have been stopped meanwhile
STOPPED: Final = 30.0
_FORK: Final = multiprocessing.get_context("fork")
_TOLD: Final = 4000  # bytes of what a process was doing


@dataclass(slots=True)
class _Running:
    batch: Batch
    process: Any
    connection: Any
    told: Any
    next_item: int
    since: float = field(default_factory=time.monotonic)


@dataclass(frozen=True, slots=True)
class Told:
    """A result, with the batch that it is of; no result where the batch has ended."""

    batch: Batch
    result: Result | None


def run_batches(part: Part, batches: Iterator[Batch], processes: int) -> Iterator[Told]:
    """Run batches, so many at a time, as long as there are more; the results as they come."""
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
            ready = multiprocessing.connection.wait([one.connection for one in running], timeout=1.0)
            now, before = time.monotonic(), now
            for one in list(running):
                if now - before > STOPPED:
                    one.since += now - before
                if one.connection in ready:
                    yield from _receive(part, one, running)
                elif now - one.since > part.seconds:
                    one.process.kill()
                    message = f"expected an item to take {part.seconds:g} s at most, found it running"
                    yield from _blamed(part, one, running, "hang", message)
    finally:
        for one in running:
            one.process.kill()
            one.process.join()  # what it took counts


def _start(part: Part, batch: Batch) -> _Running:
    ours, theirs = _FORK.Pipe(duplex=False)
    told = _FORK.Array("c", _TOLD + 1)
    process = _FORK.Process(target=_serve, args=(part, batch, theirs, told), daemon=False)
    process.start()
    theirs.close()
    return _Running(batch, process, ours, told, batch.first)


def _serve(part: Part, batch: Batch, connection: Any, told: Any) -> None:
    limit_memory()

    def note(doing: str) -> None:
        told.value = doing.encode(errors="replace")[:_TOLD]

    try:
        for result in part.run(batch, note):
            connection.send(result)
        connection.send(None)
    except BaseException:  # of the soak itself: told, so that it is no process that died
        connection.send(traceback.format_exc())


def _receive(part: Part, one: _Running, running: list[_Running]) -> Iterator[Told]:
    try:
        found = one.connection.recv()
    except EOFError:
        one.process.join()
        code = one.process.exitcode or 0
        how = signal.Signals(-code).name if code < 0 else f"status {code}"
        yield from _blamed(part, one, running, "crash", f"the process ended: {how}")
        return
    if isinstance(found, str):
        running.remove(one)
        raise RuntimeError(f"the part {part.name} itself failed in {one.batch}:\n{found}")
    if found is None:
        one.process.join()
        running.remove(one)
    else:
        one.next_item, one.since = found.item + 1, time.monotonic()
    yield Told(one.batch, found)


def _blamed(part: Part, one: _Running, running: list[_Running], kind: str, message: str) -> Iterator[Told]:
    """The item that a process died of, or hung in; the batch goes on with the next one."""
    running.remove(one)
    one.process.join()
    where, _, subject = one.told.value.decode(errors="replace").partition("\n")
    failure = Failure(kind, where, message, subject)
    yield Told(one.batch, Result(one.next_item, failures=(failure,)))
    if one.batch.only is None and one.next_item + 1 < part.batch:
        running.append(_start(part, replace(one.batch, first=one.next_item + 1)))
    else:
        yield Told(one.batch, None)


def limit_memory() -> None:
    """Let this process have no more memory than is fair."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def isolated(function: Callable[[], Any], seconds: float) -> tuple[str, Any]:
    """Call a function in a process of its own: `done` and what it gives, `crash`, or `hang`."""
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
