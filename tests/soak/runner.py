"""Runs items of a part up to a number or a time limit, then shrinks failures. Independent of parts."""

from __future__ import annotations

import resource
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import Final

from tests.soak.journal import Journal
from tests.soak.merged_results import Found, Total
from tests.soak.part import Batch, Part
from tests.soak.processes import isolated, run_batches

#: how many failures of one signature are shrunk, and how many of a part
MAX_SHRUNK_PER_SIGNATURE: Final = 1
MAX_SHRUNK: Final = 12
#: seconds for shrinking all failures, if the run has no time limit
MAX_SHRINK_SECONDS: Final = 600.0
#: seconds for shrinking even if the time limit of the run is reached
MIN_SHRINK_SECONDS: Final = 30.0
#: seconds between two lines about progress
PROGRESS_SECONDS: Final = 20.0
#: how many failures of one signature are shown in full
MAX_SHOWN_FAILURES: Final = 3

Say = Callable[[str], None]


def run_part(
    part: Part,
    at: Batch,
    wanted: int,
    say: Say,
    processes: int = 1,
    minutes: float | None = None,
    journal: Journal | None = None,
) -> Total:
    """Run items from a batch on up to a number or a time limit, or only the item that the batch names. Failures are
    printed as they occur.
    """
    total = Total(part)
    if part.absent is not None and (missing := part.absent()):
        say(f"{part.name}: skipped: {missing} is missing")
        total.absent = missing
        return total
    start, worked = time.monotonic(), _processor_time()
    if part.warm is not None:
        part.warm()
    limit = _Limit(start, wanted, minutes)
    _run(total, limit, at, say, processes, journal)
    _shrink(total, limit, say, journal)
    if journal is not None:
        journal.end(time.monotonic() - start, _processor_time() - worked)
    return total


class _Limit:
    """The number of items to run, and the time limit."""

    def __init__(self, start: float, wanted: int, minutes: float | None) -> None:
        self.start, self.wanted = start, wanted
        self.end = None if minutes is None else start + 60 * minutes

    def is_reached(self, total: Total) -> bool:
        """Whether the run is to end."""
        return total.whole >= self.wanted or (self.end is not None and time.monotonic() > self.end)


def _run(total: Total, limit: _Limit, at: Batch, say: Say, processes: int, journal: Journal | None) -> None:
    part, last_progress = total.part, limit.start
    seen: Counter[tuple[str, str]] = Counter()
    for one in run_batches(part, _batches(total, limit, at), processes):
        if one.result is None:
            continue
        new = total.add(one.batch, one.result)
        if new is None:
            continue
        if journal is not None:
            journal.keep(one.batch, one.result, time.monotonic() - limit.start)
        for found in new:
            seen[found.failure.signature] += 1
            if seen[found.failure.signature] <= MAX_SHOWN_FAILURES:
                say(found.text() + "\n")
        if time.monotonic() - last_progress > PROGRESS_SECONDS:
            last_progress = time.monotonic()
            say(f"{part.name}: {total.whole:,} of {limit.wanted:,} {part.unit}, {len(total.found)} failures")
        if at.only is None and limit.is_reached(total):
            break


def _batches(total: Total, limit: _Limit, at: Batch) -> Iterator[Batch]:
    if at.only is not None:
        yield at
        return
    number = at.number
    while not limit.is_reached(total):
        yield replace(at, number=number)
        number += 1


def _processor_time() -> float:
    """The processor seconds of this process's ended children."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _shrink(total: Total, limit: _Limit, say: Say, journal: Journal | None) -> None:
    """Shrink a failure of each defect, within the time limit."""
    look = total.part.smallest
    if look is None:
        return
    now = time.monotonic()
    end = now + MAX_SHRINK_SECONDS if limit.end is None else max(limit.end, now + MIN_SHRINK_SECONDS)
    done: Counter[tuple[str, str]] = Counter()
    for number, found in enumerate(total.found):
        kind, where = signature = found.failure.signature
        left = end - time.monotonic()
        is_full = done[signature] >= MAX_SHRUNK_PER_SIGNATURE or sum(done.values()) >= MAX_SHRUNK
        if is_full or left <= 0:
            continue
        done[signature] += 1
        say(f"{total.part.name}: shrinking: {kind} on {where}")
        _, text = isolated(partial(look, found.batch, found.failure), left)
        if text is not None:
            total.found[number] = replace(found, smallest=text)
            _say_smallest(total.found[number], say, journal)


def _say_smallest(found: Found, say: Say, journal: Journal | None) -> None:
    assert found.smallest is not None
    say(found.text() + "\n")
    if journal is not None:
        journal.keep_smallest(found.batch, found.failure, found.smallest)
