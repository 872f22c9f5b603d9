"""Searches of measured candidates by each policy: the evaluations until a good one is found. Nothing is measured here.

The tables are in `tests/data/tuning`. A table becomes a space whose candidates are its rows, with the bounds of the
space that was measured; each policy searches it with ten seeds.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from statistics import median
from typing import Any

from _measure import load, machine
from _report import ROOT, Table, is_quick, report

import rise
from elevate import Strategy, id_
from rise.hardware import processor
from strategies.spaces import Space, choose, load_space
from strategies.spaces.holes import Decisions
from strategies.spaces.models import Setting
from strategies.spaces.policies import POLICIES, policy_of
from strategies.spaces.replay import text_of
from strategies.spaces.tree import Tree

TABLES = ROOT / "tests" / "data" / "tuning"
MM = ROOT / "examples" / "mm.rise"
SEEDS = range(10)
AFTER = (5, 10, 15, 20, 40)
NOTE = "Best of all / best found: the median over seeds; in brackets, how many seeds are within 5 % and within 1 %."
#: columns of a table after the decisions
RESULTS = 3


def main() -> None:
    """Search all tables, and report."""
    quick = is_quick("how soon policies find good candidates among measured ones")
    seeds = SEEDS[:2] if quick else SEEDS
    before = load()
    paths = sorted(TABLES.glob("*.json"))
    tables = [table(path, seeds) for path in (paths[:1] if quick else paths)]
    report("search_policies", tables, machine(), f"load: {before:.1f} before, {load():.1f} after", quick)


def table(path: Path, seeds: range) -> Table:
    """What each policy finds in one table."""
    facts: Any = json.loads(path.read_text(encoding="utf-8"))
    seconds = times(facts)
    space, at = space_of(facts, [json.loads(text) for text in seconds]), setting(facts)
    best = min(seconds.values())
    rows = []
    for policy in POLICIES:
        runs = [searched(space, at, policy, seed, seconds) for seed in seeds]
        rows.append((policy, *(cell([best / found(run, after) for run in runs]) for after in AFTER)))
    title = f"{facts['program']} on {facts['processor']}: {len(seconds)} candidates of {facts['space']}"
    return Table(title, ("policy", *(f"after {after}" for after in AFTER)), tuple(rows), NOTE)


def times(facts: Any) -> dict[str, float]:
    """The seconds of each candidate; of a candidate that was measured twice, the first."""
    names, found = facts["columns"][:-RESULTS], {}
    for row in facts["rows"]:
        decisions = {name: value for name, value in zip(names, row, strict=False) if value != "-"}
        found.setdefault(text_of(decisions), row[-RESULTS])
    return found


def setting(facts: Any) -> Setting:
    """The setting of bounds."""
    file = facts["program"]
    main = rise.parse_file(ROOT / file if file.endswith(".rise") else MM).main
    machine = processor(facts["processor"])
    return Setting(main, facts["sizes"], machine, facts["threads"], compiler=facts["compiler"])


def space_of(facts: Any, candidates: list[Decisions]) -> Space:
    """The space of the measured candidates: each hole has the values that occur after the earlier decisions."""
    names = facts["columns"][:-RESULTS]

    def measured() -> Strategy:
        left = candidates
        for name in names:
            values = list(dict.fromkeys((type(one[name]), one[name]) for one in left if name in one))
            if values:
                value = choose(name, [each for _, each in values])
                left = [
                    one for one in left if name in one and text_of({"": one[name]}) == text_of({"": value})
                ]
        return id_

    return Space("measured", measured, load_space(facts["space"]).bound)


def searched(space: Space, at: Setting, policy: str, seed: int, seconds: dict[str, float]) -> list[float]:
    """The seconds of the candidates that a policy selects, in order."""
    return list(_searched(Tree(space, at), policy, seed, seconds))


def _searched(tree: Tree, policy: str, seed: int, seconds: dict[str, float]) -> Iterator[float]:
    one = policy_of(policy)
    while tree.results < max(AFTER) and (asked := one.ask(tree, Random(f"{seed}/{tree.results}"))):
        time = seconds[text_of(asked)]
        yield time
        tree.tell(asked, time)
        one.tell(asked, time)


def found(run: list[float], after: int) -> float:
    """The least of the first few."""
    return min(run[:after])


def cell(ratios: list[float]) -> str:
    """The median, and how many are within 5 % and 1 %."""
    near = [sum(one >= 1 - share for one in ratios) for share in (0.05, 0.01)]
    return f"{median(ratios):.3f} ({near[0]}, {near[1]})"


if __name__ == "__main__":
    main()
