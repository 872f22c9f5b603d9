"""The plugin for pytest: rules of a file are tests, if the option says so."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

RULES = """from strategies import family, rule
mapFusion = rule("map f (map g xs) = map (f . g) xs", why="One loop.")
wraps = rule("(x : i8) * 2 = x + x", why="A law.")
cut = family(
    "map f (xs : n.e) = join (map (map f) (split t xs))", parameters=("t",), why="Blocks; its demand is not stated."
)
plusZero = rule("exp (x : f32) = exp (x + 0.0)", why="Both zeros have the same exponential.")
wrong = rule("map (map f) (transpose xs) = map (map f) xs", why="Wrong.")
"""


def run(folder: Path, *options: str) -> str:
    command = (
        sys.executable,
        "-m",
        "pytest",
        "-p",
        "strategies.pytest_plugin",
        "-rA",
        "-q",
        "my_rules.py",
        *options,
    )
    clean = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTHONPATH": str(Path(__file__).parents[2])}
    done = subprocess.run(command, cwd=folder, env=clean, capture_output=True, text=True, check=False)
    return done.stdout + done.stderr


def test_the_rules_of_a_file_are_tests(tmp_path: Path) -> None:
    (tmp_path / "my_rules.py").write_text(RULES)
    said = run(tmp_path, "-o", "rise_rules=*_rules.py")
    assert "2 failed, 3 passed" in said, said
    assert "FAILED my_rules.py::wrong" in said
    assert "error[wrong-rule]: wrong changes what a program computes where " in said
    assert "Traceback" not in said
    assert said.count("proved for all sizes") == 2
    assert "FAILED my_rules.py::cut" in said
    assert "demands that t divides n, which its left side does not where " in said
    assert "not proved: stopped at x and add(x, 0.0)" in said
    assert "tested: " in said


def test_without_the_option_files_are_no_tests(tmp_path: Path) -> None:
    (tmp_path / "my_rules.py").write_text(RULES)
    assert "no tests ran" in run(tmp_path)


def test_a_file_without_rules_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "my_rules.py").write_text("x = 1\n")
    said = run(tmp_path, "-o", "rise_rules=*_rules.py")
    assert "expected a file that defines rules, found none in" in said
