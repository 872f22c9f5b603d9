"""`tools/slower_rows.py` finds the rows of results that became slower by more than their spread."""

import copy
import json
import runpy
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any, Final

import pytest

ROOT: Final = Path(__file__).resolve().parents[1]
TOOL: Final = runpy.run_path(str(ROOT / "tools" / "slower_rows.py"))
MAIN: Final = TOOL["main"]
MACHINE: Final = {"processor": "Some Processor, 2000.1 MHz, avx2", "cores": "2", "compiler": "gcc 12"}
ROWS: Final = [
    ["sum", "large", "2.00", "1.95-2.05", "1.00 (0.99-1.01)", "-"],
    ["sum", "small", "3.00", "2.80-3.20", "1.00 (0.90-1.10)", "-"],
    ["max", "large", "1.00", "1.00-1.00", "12.5 ms (12.4 ms-12.6 ms)", "Some Processor, 2026-01-01"],
]


def result(*changes: tuple[int, int, str], **fields: Any) -> dict[str, Any]:
    """A result with some cells changed, by row and column."""
    rows = copy.deepcopy(ROWS)
    for row, column, cell in changes:
        rows[row][column] = cell
    columns = ["program", "size", "speed: ours / numpy's", "quartiles", "time: ours / numpy's", "note"]
    table = {"title": "Programs", "columns": columns, "rows": rows}
    return {
        "name": "a",
        "date": "2026-01-01",
        "machine": MACHINE,
        "load": "load: 0",
        "tables": [table],
    } | fields


def compared(tmp_path: Path, old: dict[str, Any], new: dict[str, Any], *options: str) -> tuple[int, str]:
    """The exit status and the output of the command."""
    files = [tmp_path / "old.json", tmp_path / "new.json"]
    for file, content in zip(files, (old, new), strict=True):
        file.write_text(json.dumps(content), encoding="utf-8")
    return called(*map(str, files), *options)


def called(*arguments: str) -> tuple[int, str]:
    """The exit status and the output of the command with arguments."""
    with redirect_stdout(StringIO()) as out, redirect_stderr(out):
        status = MAIN(arguments)
    return status, out.getvalue()


def test_the_same_numbers_are_not_slower(tmp_path: Path) -> None:
    status, shown = compared(tmp_path, result(), result(date="2026-01-02"))
    assert status == 0
    assert "a: 6 numbers compared, 0 slower" in shown
    assert "old: 2026-01-01; processor: Some Processor" in shown
    assert "new: 2026-01-02; processor: Some Processor" in shown


@pytest.mark.parametrize(
    ("change", "row"),
    [
        ((0, 2, "1.89"), "sum, large: speed: ours / numpy's: 2.00 (1.95-2.05) -> 1.89 (1.95-2.05)"),
        (
            (0, 4, "1.03 (1.02-1.04)"),
            "sum, large: time: ours / numpy's: 1.00 (0.99-1.01) -> 1.03 (1.02-1.04)",
        ),
        ((2, 4, "13 ms (12.9 ms-13.1 ms)"), "max, large: time: ours / numpy's: 12.5 ms (12.4 ms-12.6 ms)"),
        ((2, 4, "0.02 s (0.02 s-0.02 s)"), "max, large: time: ours / numpy's: 12.5 ms"),
    ],
)
def test_rows_that_are_worse_by_more_than_their_spread_are_listed(
    tmp_path: Path, change: tuple[int, int, str], row: str
) -> None:
    status, shown = compared(tmp_path, result(), result(change))
    assert (status, shown.count("slower: ")) == (1, 1), shown
    assert f"slower: {row}" in shown


@pytest.mark.parametrize(
    "change",
    [(0, 2, "1.91"), (1, 2, "2.70"), (0, 2, "9.00"), (0, 4, "0.50 (0.50-0.50)"), (2, 4, "9 us (1 us-2 us)")],
)
def test_rows_that_are_better_or_worse_by_less_are_not_listed(
    tmp_path: Path, change: tuple[int, int, str]
) -> None:
    assert compared(tmp_path, result(), result(change))[0] == 0


def test_the_larger_of_both_spreads_is_used(tmp_path: Path) -> None:
    wide = result((0, 4, "1.03 (0.99-1.04)"))
    assert compared(tmp_path, result(), wide)[0] == 0
    assert compared(tmp_path, wide, result((0, 4, "1.07 (1.07-1.07)")))[0] == 0


def test_different_machines_are_rejected_unless_this_is_allowed(tmp_path: Path) -> None:
    other = result(machine={**MACHINE, "processor": "Another, 2000 MHz, avx2"})
    status, shown = compared(tmp_path, result(), other)
    assert status == 2
    assert "two machines: processor: Some Processor, 2000.1 MHz, avx2 -> Another, 2000 MHz, avx2" in shown
    status, shown = compared(tmp_path, result(), other, "--other-machine")
    assert status == 0
    assert "processor: Some Processor, 2000.1 MHz, avx2 -> Another" in shown


def test_another_frequency_is_the_same_machine_and_another_compiler_is_named(tmp_path: Path) -> None:
    machine = {**MACHINE, "processor": "Some Processor, 1999 MHz, avx2", "compiler": "gcc 13"}
    status, shown = compared(tmp_path, result(), result(machine=machine))
    assert status == 0
    assert "compiler: gcc 12 -> gcc 13" in shown


def test_a_row_measured_on_another_machine_is_named_and_not_compared(tmp_path: Path) -> None:
    status, shown = compared(
        tmp_path, result(), result((2, 5, "Another, 2026-01-01"), (2, 4, "99 s (99 s-99 s)"))
    )
    assert status == 0
    assert "not compared, of two machines: max, large" in shown


def test_rows_that_disappeared_are_named(tmp_path: Path) -> None:
    shown = compared(tmp_path, result(), result((1, 1, "medium"), (0, 4, "-")))[1]
    assert "gone: sum, small" in shown
    assert "gone: sum, large: time: ours / numpy's" in shown


def test_results_of_two_benchmarks_and_unreadable_files_are_errors(tmp_path: Path) -> None:
    assert compared(tmp_path, result(), result(name="b"))[0] == 2
    status, shown = called(str(tmp_path / "none.json"), str(tmp_path / "no.json"))
    assert (status, "none.json" in shown) == (2, True)


def test_every_committed_result_with_quartiles_can_be_compared() -> None:
    """Their numbers are compared with themselves: no row is slower, and the tables with speeds have numbers."""
    counts = {}
    for path in sorted((ROOT / "benchmarks" / "results").glob("*.json")):
        read = json.loads(path.read_text(encoding="utf-8"))
        found = TOOL["compare"](read, read)
        assert not found.slower
        counts[path.stem] = found.compared
    for name in (
        "cases",
        "checks",
        "contractions",
        "functions",
        "gemm_peers",
        "latencies",
        "idioms_rows",
        "simulator",
    ):
        assert counts[name], name
