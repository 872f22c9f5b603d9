"""Tests that lack a tool are counted by that tool at the end of a run, and are skipped in only one way."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.examples import some

ROOT = Path(__file__).resolve().parents[1]
SKIPS = re.compile(r"pytest\.(?:skip|importorskip|mark\.skip|mark\.skipif)\b")
LACKING = """import pytest
from tests import required_tools

@required_tools.needs("a sundial", False)
@pytest.mark.parametrize("hour", [6, 12])
def test_hours(hour): ...

def test_shadow():
    required_tools.skip_without("sunlight")

@required_tools.needs("nothing", True)
def test_time(): ...

@pytest.mark.gpu
def test_device(): ...
"""


@pytest.mark.parametrize("processes", some([("-n", "2"), ()], 2), ids=" ".join)
def test_skipped_tests_are_counted_by_tool(processes: tuple[str, ...], tmp_path: Path) -> None:
    file = tmp_path / "test_lacking_tools.py"
    file.write_text(LACKING)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "tests.conftest", "-p", "no:cacheprovider"]
    options = ["-c", str(ROOT / "pyproject.toml"), "--rootdir", str(tmp_path), *processes]
    ran = subprocess.run(
        [*command, *options, str(file)], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert [line for line in ran.stdout.splitlines() if line.startswith("skipped")] == [
        "skipped for want of a sundial: 2 tests",
        "skipped for want of a CUDA device (run by `pytest -m gpu`): 1 test",
        "skipped for want of sunlight: 1 test",
    ]


def test_no_test_is_skipped_in_another_way() -> None:
    files = [
        path
        for path in (ROOT / "tests").rglob("*.py")
        if path.name not in ("required_tools.py", "test_required_tools.py")
    ]
    assert [str(path) for path in files if SKIPS.search(path.read_text(encoding="utf-8"))] == []
