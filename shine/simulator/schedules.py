"""Orders of threads by name, as users give them. The runtime knows them by number."""

from __future__ import annotations

import re
from typing import Final

from rise.diagnostics import Diagnostic
from shine.simulator.model import SimulatorError

#: the number of the order that a launch with deferrals has
DEFERRING: Final = 3
_SCHEDULE = re.compile(r"(ascending|descending)|random:(\d+)")


def is_schedule(schedule: str) -> bool:
    """Whether a text is an order of threads: `ascending`, `descending`, or `random:SEED`."""
    return _SCHEDULE.fullmatch(schedule) is not None


def schedule_number(schedule: str) -> tuple[int, int]:
    """The number of a schedule for the runtime, and its seed. Raises SimulatorError for another text."""
    match = _SCHEDULE.fullmatch(schedule)
    if match is None:
        title = f"expected the schedule `ascending`, `descending` or `random:SEED`, found `{schedule}`"
        raise SimulatorError(Diagnostic("unknown-schedule", title, hint='for example schedule="random:1"'))
    if match[2] is not None:
        return 2, int(match[2]) % 2**64
    return ("ascending", "descending").index(match[1]), 0
