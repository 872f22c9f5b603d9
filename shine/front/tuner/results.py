"""Results of candidates, as data. Independent of databases and processes."""

from __future__ import annotations

import math
from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from rise.diagnostics import Diagnostic
from rise.records import dataclass
from strategies.spaces.bounds import Bound
from strategies.spaces.holes import Decisions


class State(StrEnum):
    """The outcome of a candidate. A twin has the code and the result of an earlier one; a wrong one is a finding."""

    MEASURED = "measured"
    TWIN = "twin"
    WRONG = "wrong"
    DEAD = "dead"


@dataclass(frozen=True, slots=True)
class Result:
    """The outcome of a candidate.

    - `seconds`: the median time of a call; `ratio`: the time of the target's own strategy divided by it, measured
      interleaved; `spread`: the interquartile range of these ratios, divided by their median. None if it did not run.
    - `source`: a digest of the text that was compiled; empty if there is none.
    - `diagnostic`: why it is dead or wrong.
    - `limit`: the bound of its imperative program, if it was built in this search; rows store the greater bound.
    - `validity`: `proved` if its program was proved to compute what was asked for, or why this is unknown; empty if
      nothing was tried. In each case, its result is compared.
    """

    state: State
    seconds: float | None = None
    ratio: float | None = None
    spread: float | None = None
    source: str = ""
    diagnostic: Diagnostic | None = None
    limit: Bound | None = None
    validity: str = ""

    @property
    def is_timed(self) -> bool:
        """Whether it is correct and was measured, either itself or its twin."""
        return self.state in (State.MEASURED, State.TWIN)


@dataclass(frozen=True, slots=True)
class Row:
    """A candidate with its result: `number` is its place among all of its run, counted from 1."""

    number: int
    decisions: Decisions
    result: Result
    bound: float = 0.0
    why: str = ""

    def to_dict(self) -> dict[str, Any]:
        """The same as plain values, for JSON."""
        one = self.result
        return {
            "decisions": dict(self.decisions),
            "state": str(one.state),
            "seconds": one.seconds,
            "ratio": one.ratio,
            "spread": one.spread,
            "source": one.source,
            "validity": one.validity,
            "diagnostic": None if one.diagnostic is None else of_diagnostic(one.diagnostic),
            "bound": self.bound,
            "why": self.why,
        }


def slowness(row: Row) -> float:
    """A key that sorts results by how many times as fast as the target's own strategy they are, the fastest first."""
    return -(row.result.ratio or 0.0)


def of_diagnostic(one: Diagnostic) -> dict[str, Any]:
    """A diagnostic as plain values, without places in programs."""
    return {"code": one.code, "title": one.title, "hint": one.hint, "notes": list(one.notes)}


def to_diagnostic(one: Mapping[str, Any]) -> Diagnostic:
    """A diagnostic from plain values. Raises KeyError or TypeError for others."""
    texts = {name: one[name] for name in ("code", "title", "hint")}
    if not all(isinstance(text, str) for text in (*texts.values(), *one["notes"])):
        raise TypeError("expected texts")
    return Diagnostic(**texts, notes=tuple(one["notes"]))


def to_row(number: int, one: Mapping[str, Any]) -> Row:
    """A row from plain values. Raises KeyError, TypeError or ValueError for others."""
    validity = one.get("validity", "")  # version 1 has none
    diagnostic = None if one["diagnostic"] is None else to_diagnostic(one["diagnostic"])
    result = Result(
        State(one["state"]),
        one["seconds"],
        one["ratio"],
        one["spread"],
        one["source"],
        diagnostic,
        validity=validity,
    )
    return checked(Row(number, dict(one["decisions"]), result, one["bound"], one["why"]))


def checked(row: Row) -> Row:
    """A row that was read from a file, if its values are possible. Raises TypeError or ValueError for others."""
    one = row.result
    if not all(isinstance(text, str) for text in (one.source, one.validity, row.why)):
        raise TypeError("expected texts")
    for value in (one.seconds, one.ratio, one.spread, row.bound):
        if value is not None and (isinstance(value, bool) or not isinstance(value, int | float)):
            raise TypeError("expected a number")
        if value is not None and not 0 <= value < math.inf:
            raise ValueError("expected a number of seconds, or a ratio")
    if one.is_timed and not (one.seconds and one.ratio):
        raise ValueError("expected the time of a candidate that ran")
    return row
