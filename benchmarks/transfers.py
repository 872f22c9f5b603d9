"""The cost on one machine of schedules that were found on another one: measured candidates. Nothing is measured here.

The tables are in `tests/data/tuning`. Candidates that were measured on both machines are compared: the time of the
fastest one of the first machine on the second, relative to the fastest there.
"""

from __future__ import annotations

import json
from itertools import groupby
from typing import Any

from _measure import load, machine
from _report import ROOT, Table, is_quick, report

from strategies.spaces.replay import text_of

TABLES = ROOT / "tests" / "data" / "tuning"
#: columns of a table after the decisions
RESULTS = 3
#: what candidates of older tables prefetch
PREFETCH = "all"
NOTE = (
    "Rows are where a schedule was found, columns where it runs: its time / the least time there, among the candidates"
    " that both have; in brackets, how many these are. `formulas` is the target's own strategy there, relative to the"
    " least time of all candidates; its ratio is the one measured beside that candidate."
)


def main() -> None:
    """Compare all tables of the same program, and report."""
    quick = is_quick("what schedules of one machine cost on another one")
    before = load()
    facts = sorted((json.loads(path.read_text(encoding="utf-8")) for path in TABLES.glob("*.json")), key=what)
    groups = [list(group) for _, group in groupby(facts, what)]
    tables = [table(group) for group in groups if len(group) > 1]
    report("transfers", tables, machine(), f"load: {before:.1f} before, {load():.1f} after", quick)


def what(facts: Any) -> tuple[str, str]:
    """The program with its sizes and threads, and the space."""
    return facts["program"], facts["space"]


def table(group: list[Any]) -> Table:
    """The machines of one program, compared with each other."""
    names = [facts["processor"] for facts in group]
    measured = [times(facts) for facts in group]
    rows = [
        (name, *(cost(found, there) for there in measured))
        for name, found in zip(names, measured, strict=True)
    ]
    rows.append(("formulas", *(f"{own(facts):.3f}" for facts in group)))
    return Table(group[0]["program"], ("found on", *names), tuple(rows), NOTE)


def cost(found: dict[str, float], there: dict[str, float]) -> str:
    """The time of the best candidate relative to the least there, and the number of candidates that both have."""
    both = found.keys() & there.keys()
    best = min(sorted(both), key=found.__getitem__)
    return f"{there[best] / min(there[one] for one in both):.3f} ({len(both)})"


def times(facts: Any) -> dict[str, float]:
    """The seconds of each candidate; of a candidate that was measured twice, the first."""
    found: dict[str, float] = {}
    for row in facts["rows"]:
        found.setdefault(text_of(decisions(facts, row)), row[-RESULTS])
    return found


def decisions(facts: Any, row: list[Any]) -> dict[str, Any]:
    """The decisions of a row; older tables do not say what is prefetched."""
    names = facts["columns"][:-RESULTS]
    made = {name: value for name, value in zip(names, row, strict=False) if value != "-"}
    if made.get("loops") in ("own", "panels"):
        made.setdefault("prefetch", PREFETCH)
    return made


def own(facts: Any) -> float:
    """The time of the target's own strategy relative to the least time of all candidates."""
    ratio: float = min(facts["rows"], key=lambda row: row[-RESULTS])[-2]
    return ratio


if __name__ == "__main__":
    main()
