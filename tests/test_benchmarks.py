"""The programs of benchmarks/ run and print their tables. Nothing is timed here."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PROGRAMS = sorted((ROOT / "benchmarks").glob("[a-z]*.py"))
RESULTS = ROOT / "benchmarks" / "results"


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: path.stem)
def test_a_benchmark_prints_a_table_and_writes_nothing_when_quick(program: Path) -> None:
    before = kept()
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    command = (sys.executable, str(program), "--quick")
    ran = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    lines = ran.stdout.splitlines()
    columns = [set(line) for line in lines].index({"-", " "})
    assert len(lines[columns + 1].split()) >= len(lines[columns].split())
    assert kept() == before


def test_each_benchmark_has_its_results_on_the_page() -> None:
    page = (ROOT / "docs" / "benchmarks.md").read_text(encoding="utf-8")
    assert PROGRAMS
    for program in PROGRAMS:
        _, opened, rest = page.partition(f"<!-- results: {program.stem} -->\n")
        table, closed, _ = rest.partition(f"\n<!-- end of results: {program.stem} -->")
        assert opened and closed
        assert table.strip() == (RESULTS / f"{program.stem}.md").read_text(encoding="utf-8").strip()


def kept() -> dict[str, bytes]:
    """What the benchmarks have written."""
    return {path.name: path.read_bytes() for path in [*RESULTS.iterdir(), ROOT / "docs" / "benchmarks.md"]}
