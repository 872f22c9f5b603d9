"""Lists the rows of benchmark results that became slower by more than their spread. Does not measure anything.

    python tools/slower_rows.py OLD.json NEW.json
    python tools/slower_rows.py --since COMMIT [NAME ...]

The second form compares `benchmarks/results/NAME.json` of the working tree with those of a commit; all by default.

A number has a spread if its cell is `1.56 (1.53-1.69)`, or if the column after it is `quartiles`. It is a speed or a
time by the title of its column or table, or by its unit. A row is slower if the number is worse by more than the
larger of both spreads. Rows are matched by their first columns, as many as distinguish them.

Exit status: 0 if no row is slower, 1 if one is, 2 if results cannot be compared, such as those of two machines.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).resolve().parents[1]
RESULTS: Final = "benchmarks/results"
#: what must be the same in both descriptions of the machine; other differences are only reported
SAME: Final = ("processor", "cores")
UNITS: Final = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1.0}
_NUMBER: Final = r"([\d,]*\.?\d+)(?: (ns|us|ms|s))?"
_WITH_SPREAD: Final = re.compile(rf"{_NUMBER} \({_NUMBER}-{_NUMBER}\)(?: .*)?")
_VALUE: Final = re.compile(_NUMBER)
_SPREAD: Final = re.compile(rf"{_NUMBER} ?- ?{_NUMBER}")
_MACHINE_OF_ROW: Final = re.compile(r"(.+), \d{4}-\d\d-\d\d")


class IncomparableError(Exception):
    """Results that cannot be compared; the message says why."""


@dataclass(frozen=True, slots=True)
class Measured:
    """A number with the quartiles of its samples, as the table shows them."""

    shown: str
    value: float
    low: float
    high: float
    is_speed: bool


@dataclass(frozen=True, slots=True)
class Slower:
    """A row that became slower by more than its spread."""

    row: tuple[str, ...]
    column: str
    old: str
    new: str

    def __str__(self) -> str:
        return f"  slower: {', '.join(self.row)}: {self.column}: {self.old} -> {self.new}"


@dataclass(frozen=True, slots=True)
class Comparison:
    """The outcome of a comparison of two results."""

    compared: int
    slower: tuple[Slower, ...]
    notes: tuple[str, ...]


def compare(old: Mapping[str, Any], new: Mapping[str, Any], other_machine: bool = False) -> Comparison:
    """The rows of `new` that are slower than in `old`. Raises IncomparableError for two machines, if not allowed."""
    if old["name"] != new["name"]:
        raise IncomparableError(f"expected results of one benchmark, found {old['name']} and {new['name']}")
    changed = [key for key in {**old["machine"], **new["machine"]} if _differs(key, old, new)]
    notes = [f"{key}: {old['machine'].get(key)} -> {new['machine'].get(key)}" for key in changed]
    if not other_machine and any(key in SAME for key in changed):
        raise IncomparableError(
            f"{new['name']} was measured on two machines: {'; '.join(notes)}\n"
            "hint: measure both on one machine, or pass --other-machine"
        )
    compared, slower = 0, []
    tables = {table["title"]: table for table in new["tables"]}
    for before in old["tables"]:
        after = tables.get(before["title"])
        if after is None:
            notes.append(f"gone: the table `{before['title']}`")
            continue
        width = max(_identifying(before["rows"]), _identifying(after["rows"]))
        rows = {tuple(row[:width]): row for row in after["rows"]}
        for row in before["rows"]:
            key = tuple(row[:width])
            measured = dict(measured_in(before, row))
            if key not in rows:
                notes += [f"gone: {', '.join(key)}"] if measured else []
                continue
            if not other_machine and _machine_of(row, old) != _machine_of(rows[key], new):
                notes.append(f"not compared, of two machines: {', '.join(key)}")
                continue
            now = dict(measured_in(after, rows[key]))
            for column, was in measured.items():
                if column not in now:
                    notes.append(f"gone: {', '.join(key)}: {column}")
                    continue
                compared += 1
                if is_slower(was, now[column]):
                    slower.append(Slower(key, column, was.shown, now[column].shown))
    return Comparison(compared, tuple(slower), tuple(notes))


def is_slower(old: Measured, new: Measured) -> bool:
    """Whether a number is worse than before by more than the larger of both spreads."""
    loss = old.value - new.value if old.is_speed else new.value - old.value
    return loss > max(old.high - old.low, new.high - new.low)


def measured_in(table: Mapping[str, Any], row: Sequence[str]) -> Iterator[tuple[str, Measured]]:
    """The numbers of a row that have a spread, by column."""
    columns = table["columns"]
    for place, (column, cell) in enumerate(zip(columns, row, strict=True)):
        found = _WITH_SPREAD.fullmatch(cell)
        if found is not None:
            shown, groups = cell, found.groups()
        else:
            apart = columns.index("quartiles", place) if "quartiles" in columns[place + 1 :] else None
            value = _VALUE.fullmatch(cell)
            if apart is None or value is None or not _has_quartiles(columns, place, apart):
                continue
            spread = _SPREAD.fullmatch(row[apart])
            if spread is None:
                continue
            shown, groups = f"{cell} ({row[apart]})", (*value.groups(), *spread.groups())
        is_speed = _is_speed(f"{column} {table['title']}", row[0], groups[1])
        if is_speed is not None:
            value_, low, high = (_number(*groups[at : at + 2]) for at in (0, 2, 4))
            yield column, Measured(shown, value_, low, high, is_speed)


def _has_quartiles(columns: Sequence[str], place: int, apart: int) -> bool:
    """Whether quartiles belong to a column: to the median, or else to the column before them."""
    return columns[place] == "median" or (place == apart - 1 and "median" not in columns[:apart])


def _is_speed(titles: str, row: str, unit: str | None) -> bool | None:
    """Whether larger numbers are better; None if that is not known."""
    if unit is not None:
        return False
    for word, more_is_better in (("speed", True), ("time", False)):
        if word in titles.lower():
            return more_is_better
    return True if "/s" in row else None


def _number(text: str, unit: str | None) -> float:
    return float(text.replace(",", "")) * UNITS[unit or "s"]


def _identifying(rows: Sequence[Sequence[str]]) -> int:
    """The number of first columns that distinguish the rows of a table."""
    width = len(rows[0]) if rows else 0
    return next((n for n in range(1, width) if len({tuple(row[:n]) for row in rows}) == len(rows)), width)


def _differs(key: str, old: Mapping[str, Any], new: Mapping[str, Any]) -> bool:
    """Whether two machines differ in one respect; the current frequency does not count."""
    one, other = (re.sub(r"[\d.]+ MHz", "", each["machine"].get(key, "")) for each in (old, new))
    return one != other


def _machine_of(row: Sequence[str], result: Mapping[str, Any]) -> str:
    """The processor of a row: that of its note, if it was measured separately."""
    own = next((found[1] for cell in row if (found := _MACHINE_OF_ROW.fullmatch(cell))), None)
    processor = str(result["machine"].get("processor", ""))
    return processor.split(",")[0] if own is None or processor.startswith(own) else own


def at_commit(commit: str, name: str) -> dict[str, Any] | None:
    """The results of a benchmark at a commit; None if it has none. Raises IncomparableError for an unknown commit."""
    if _git("rev-parse", "--verify", "--quiet", f"{commit}^{{commit}}") is None:
        raise IncomparableError(f"expected a commit, found {commit}\nhint: `git log --oneline` lists them")
    text = _git("show", f"{commit}:{RESULTS}/{name}.json")
    return None if text is None else json.loads(text)


def _git(*command: str) -> str | None:
    ran = subprocess.run(["git", *command], cwd=ROOT, capture_output=True, text=True, check=False)
    return ran.stdout if ran.returncode == 0 else None


def _pairs(asked: argparse.Namespace) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    if asked.since is None:
        if len(asked.given) != 2:
            raise IncomparableError("expected two files of results, or --since COMMIT")
        old, new = (_read(Path(path)) for path in asked.given)
        yield old, new
        return
    for name in asked.given or sorted(path.stem for path in (ROOT / RESULTS).glob("*.json")):
        before, now = at_commit(asked.since, name), _read(ROOT / RESULTS / f"{name}.json")
        if before is None:
            print(f"{name}: no results at {asked.since}")
        else:
            yield before, now


def _read(path: Path) -> dict[str, Any]:
    try:
        found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise IncomparableError(f"expected results of a benchmark in {path}: {error}") from None
    return found


def _about(result: Mapping[str, Any]) -> str:
    machine = "; ".join(f"{key}: {value}" for key, value in result["machine"].items())
    return f"{result['date']}; {machine}; {result['load']}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Compare what the command line names, and print it; returns the exit status."""
    parser = argparse.ArgumentParser(
        description="List the rows of benchmark results that became slower by more than their spread."
    )
    parser.add_argument("given", nargs="*", metavar="OLD NEW | NAME", help="two files, or names with --since")
    parser.add_argument(
        "--since", metavar="COMMIT", help="compare the working tree's results with a commit's"
    )
    parser.add_argument("--other-machine", action="store_true", help="compare results of different machines")
    asked = parser.parse_args(arguments)
    status = 0
    try:
        for old, new in _pairs(asked):
            if old == new:
                continue
            try:
                found = compare(old, new, asked.other_machine)
            except IncomparableError as error:
                print(f"error: {error}")
                status = 2
                continue
            print(f"{new['name']}: {found.compared} numbers compared, {len(found.slower)} slower")
            print(f"  old: {_about(old)}\n  new: {_about(new)}")
            for line in (*(f"  {note}" for note in found.notes), *map(str, found.slower)):
                print(line)
            status = max(status, int(bool(found.slower)))
    except IncomparableError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    return status


if __name__ == "__main__":
    sys.exit(main())
