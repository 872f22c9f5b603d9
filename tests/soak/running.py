"""Runs items of a part until there are as many as wanted, and looks for the smallest that fails. Knows no part."""

from __future__ import annotations

import resource
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import Final

from tests.soak.journal import Journal
from tests.soak.part import Batch, Part
from tests.soak.processes import isolated, run_batches
from tests.soak.total import Found, Total

#: for so many failures of one signature the smallest is looked for, and for so many in a part
SHRUNK_EACH: Final = 1
SHRUNK: Final = 12
#: seconds that these searches may take together, where the run has no limit
PATIENCE: Final = 600.0
#: seconds that they have in any case, where the run's time is up
AT_LEAST: Final = 30.0
#: seconds between two lines that say how far it is
EVERY: Final = 20.0
#: how many failures of one signature are shown whole
SHOWN: Final = 3

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
    """Run items from a batch on until there are as many as wanted, or time is up; or the one item that the batch names.
    Failures are said on the way.
    """
    total = Total(part)
    if part.absent is not None and (missing := part.absent()):
        say(f"{part.name}: skipped for want of {missing}")
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
    """How many items a run wants, and how long it may take."""

    def __init__(self, start: float, wanted: int, minutes: float | None) -> None:
        self.start, self.wanted = start, wanted
        self.end = None if minutes is None else start + 60 * minutes

    def is_reached(self, total: Total) -> bool:
        """Whether the run ends."""
        return total.whole >= self.wanted or (self.end is not None and time.monotonic() > self.end)


def _run(total: Total, limit: _Limit, at: Batch, say: Say, processes: int, journal: Journal | None) -> None:
    part, told = total.part, limit.start
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
            if seen[found.failure.signature] <= SHOWN:
                say(found.text() + "\n")
        if time.monotonic() - told > EVERY:
            told = time.monotonic()
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
    """Seconds that processes worked which this one started, and which have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _shrink(total: Total, limit: _Limit, say: Say, journal: Journal | None) -> None:
    """Look for the smallest item for each defect, for as long as the run may take."""
    look = total.part.smallest
    if look is None:
        return
    now = time.monotonic()
    end = now + PATIENCE if limit.end is None else max(limit.end, now + AT_LEAST)
    done: Counter[tuple[str, str]] = Counter()
    for number, found in enumerate(total.found):
        kind, where = signature = found.failure.signature
        left = end - time.monotonic()
        if done[signature] >= SHRUNK_EACH or sum(done.values()) >= SHRUNK or left <= 0:
            continue
        done[signature] += 1
        say(f"{total.part.name}: looking for the smallest that is: {kind} on {where}")
        _, text = isolated(partial(look, found.batch, found.failure), left)
        if text is not None:
            total.found[number] = replace(found, smallest=text)
            _say_smallest(total.found[number], say, journal)


def _say_smallest(found: Found, say: Say, journal: Journal | None) -> None:
    assert found.smallest is not None
    say(found.text() + "\n")
    if journal is not None:
        journal.keep_smallest(found.batch, found.failure, found.smallest)
