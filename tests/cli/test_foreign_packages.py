"""Packages of other projects in place of ours: one diagnostic names the file that was found."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.examples import some

ROOT = Path(__file__).parents[2]
CALLS = {
    "elevate": "import rise, shine; shine.compile(rise.parse('fun(xs: N.f32 => xs |> map(neg))'), cache={cache!r})",
    "strategies": "import shine; shine.tune",
    "shine": "import rise",
}


def run(command: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a command in a folder that is first on the path; the repository comes next."""
    return subprocess.run(
        [sys.executable, *command],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("name", some(CALLS, 3))
def test_the_file_that_was_found_is_named(name: str, tmp_path: Path) -> None:
    foreign = tmp_path / name / "__init__.py"
    foreign.parent.mkdir()
    foreign.touch()
    ran = run(["-c", CALLS[name].format(cache=str(tmp_path / "cache"))], tmp_path)
    said = f"expected the package `{name}` of rise-shine, in {ROOT / name}, found {foreign}"
    assert said in ran.stderr
    assert (ran.returncode == 0) == (name == "shine")  # a program may run without it
    assert "ImportError" not in ran.stderr


def test_the_command_names_it(tmp_path: Path) -> None:
    (tmp_path / "elevate.py").touch()
    ran = run(["-c", "from shine.cli.start import main; main()", "list", "rules"], tmp_path)
    assert ran.returncode == 1
    assert ran.stderr.startswith("error[foreign-package]: ") and str(tmp_path / "elevate.py") in ran.stderr
    assert "Traceback" not in ran.stderr
