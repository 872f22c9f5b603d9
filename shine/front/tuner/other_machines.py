"""Candidates that were fast on other machines: which ones are tried here, and what they cost. Evaluates nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from shine.front.tuner.database import Database, Key
from shine.front.tuner.results import Row, slowness
from strategies.spaces.holes import Decisions
from strategies.spaces.replay import text_of


def best_elsewhere(database: Database, key: Key, count: int) -> dict[str, list[Decisions]]:
    """The fastest few candidates of each other machine in a database, for the same program, sizes and space."""
    found: dict[str, list[Decisions]] = {}
    if count > 0:
        for run, other in database.runs():
            is_alike = (other.space, other.program, other.sizes) == (key.space, key.program, key.sizes)
            if is_alike and other.machine != key.machine:
                rows = [row for row in database.rows(run) if row.result.is_timed]
                fastest = sorted(rows, key=slowness)[:count]
                found.setdefault(other.machine, []).extend(row.decisions for row in fastest)
    return found


def notes_on_others(rows: Sequence[Row], elsewhere: Mapping[str, Sequence[Decisions]]) -> list[str]:
    """What the best candidates of other machines cost here: their times relative to the best time."""
    times = {text_of(row.decisions): row.result.seconds for row in rows if row.result.is_timed}
    best = min((time for time in times.values() if time), default=None)
    found = []
    for machine, made in elsewhere.items():
        here = [time for each in made if (time := times.get(text_of(each)))]
        if best and here:
            found.append(
                f"the best candidate of {machine} takes {here[0] / best:.2f} times as long as the best one here"
            )
    return found
