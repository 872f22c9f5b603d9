"""The input and the result of a search, as values. Independent of orders of search."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from dataclasses import field
from typing import Any, Final

from elevate import Strategy
from rise.diagnostics import Diagnostic, RiseError
from rise.records import dataclass
from shine.front.tuner.candidates import NOISY, Lowered, Task
from shine.front.tuner.results import Row, State
from shine.front.tuner.validity import PROVED, TRANSLATED
from shine.kernel import Kernel
from strategies.spaces.bounds import Bound
from strategies.spaces.holes import Decisions

DEFAULT_MINUTES: Final = 10.0


@dataclass(frozen=True, slots=True)
class Budget:
    """When a search ends: after a number of candidates of its run, including those of earlier sessions, or after a
    number of minutes of this session, whichever comes first; by default after ten minutes.

    Raises RiseError for anything but positive numbers.
    """

    evaluations: int | None = None
    minutes: float | None = None

    def __post_init__(self) -> None:
        for name, kind in (("evaluations", int), ("minutes", int | float)):
            value: Any = getattr(self, name)
            is_number = isinstance(value, kind) and not isinstance(value, bool)
            if value is not None and not (is_number and 0 < value < math.inf):
                title = f"`{name}`: expected a positive number, found {value!r:.40}"
                raise RiseError(
                    Diagnostic("budget", title, hint="for example Budget(evaluations=200, minutes=10)")
                )

    @property
    def seconds(self) -> float:
        """The seconds of a session."""
        if self.minutes is not None:
            return 60 * self.minutes
        return math.inf if self.evaluations is not None else 60 * DEFAULT_MINUTES


@dataclass(frozen=True, slots=True)
class Progress:
    """The progress of a search: how many candidates have results, the best ratio, the gap, and seconds left (or
    infinity).
    """

    evaluated: int
    most: int | None
    best: float | None
    gap: float | None
    pruned: int
    dead: int
    wrong: int
    seconds_left: float

    def __str__(self) -> str:
        most = "" if self.most is None else f"/{self.most}"
        best = "none yet" if self.best is None else f"x{self.best:.3f}"
        gap = "" if self.gap is None else f", gap {self.gap:.0%}"
        wrong = f", {self.wrong} WRONG" if self.wrong else ""
        left = "" if math.isinf(self.seconds_left) else f", {clock_text(self.seconds_left)} left"
        counts = f"{self.pruned} pruned, {self.dead} dead{wrong}"
        return f"{self.evaluated}{most} evaluated, best {best}{gap}, {counts}{left}"


@dataclass(frozen=True)
class Found:
    """The result of a search.

    - `strategy`: the fastest one; the target's own if nothing is faster. `is_default` says which.
    - `decisions`: those of the fastest candidate; empty for the target's own strategy.
    - `ratio`: how many times as fast as the target's own strategy it is, as the last race measured it.
    - `gap`: how much of the best time might still be saved according to the bounds, from 0 to 1; None without results,
      and if a candidate was faster than its bound.
    - `why`: what limits the best candidate, by its bound.
    - `rows`: all candidates with their results, in order; `dead`: prefixes that were dead before they were complete.
    - `notes`: warnings, for example about noisy measurements.
    """

    strategy: Strategy
    decisions: Decisions
    ratio: float
    gap: float | None
    why: str
    is_default: bool
    rows: tuple[Row, ...]
    dead: tuple[tuple[Decisions, Diagnostic], ...]
    notes: tuple[str, ...]
    bound: Bound
    task: Task = field(repr=False)
    lowered: Lowered = field(repr=False)

    @property
    def kernel(self) -> Kernel:
        """The kernel, for these sizes, built once."""
        known: Kernel | None = self.__dict__.get("_kernel")
        if known is None:
            known = self.__dict__["_kernel"] = self.lowered.kernel(self.task)
        return known

    @property
    def wrong(self) -> tuple[Row, ...]:
        """Candidates whose results are wrong: findings about rules, strategies or compilers."""
        return tuple(row for row in self.rows if row.result.state is State.WRONG)

    @property
    def neighbours(self) -> tuple[float, ...]:
        """The ratios of candidates that differ from the best one in one decision."""
        return tuple(
            row.result.ratio
            for row in self.rows
            if row.result.ratio is not None and differences(row.decisions, self.decisions) == 1
        )


def differences(one: Decisions, other: Decisions) -> int:
    """How many decisions differ."""
    missing = object()
    return sum(one.get(name, missing) != other.get(name, missing) for name in {**one, **other})


def notes_on(rows: Sequence[Row]) -> list[str]:
    """Warnings about measurements."""
    spreads = [row.result.spread for row in rows if row.result.state is State.MEASURED and row.result.spread]
    notes = []
    if spreads and (middle := statistics.median(spreads)) > NOISY:
        notes.append(
            f"timings are noisy: half of the ratios of a candidate are {middle:.0%} apart, which may hide"
            " differences between candidates; stop other processes, and continue"
        )
    dead = [row.result.diagnostic for row in rows if row.result.state is State.DEAD]
    if dead and not any(row.result.is_timed for row in rows):
        first = next((one.title for one in dead if one is not None), "no reason is known")
        notes.append(f"no candidate was measured: {len(dead)} of {len(rows)} are dead; the first: {first}")
    proved = sum(row.result.validity == PROVED for row in rows)
    examined = [row for row in rows if row.result.validity]
    if len(examined) > proved:
        first = next(row.result.validity for row in examined if row.result.validity != PROVED)
        translated = sum(row.result.validity.startswith(TRANSLATED) for row in examined)
        below = f", and {translated} to compute their lowered programs" if translated else ""
        notes.append(
            f"{proved} of {len(examined)} programs are proved to be valid{below}; for the others, results decide;"
            f" the first: {first}"
        )
    wrong = [row for row in rows if row.result.state is State.WRONG]
    if wrong:
        notes.append(
            f"{len(wrong)} of {len(rows)} candidates compute wrong results and are excluded; the first is"
            f" {dict(wrong[0].decisions)}"
        )
    return notes


def notes_on_bounds(ratio: float, machine: str) -> list[str]:
    """A warning if a candidate took less than its bound, where `ratio` is the least of these quotients."""
    if ratio >= 1:
        return []
    return [
        f"a candidate took {ratio:.2f} of its bound: this machine is faster than the record {machine} says, so bounds"
        " excluded no candidate since; `shine doctor --measure` measures the clock and the memory"
    ]


def clock_text(seconds: float) -> str:
    """`1:05`, or `2:03:09`."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
