"""Foreign code on the command line: only named files are run, and parts are combined.

Independent of the internals of commands.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.commands import EXAMPLES, shine

PROGRAM = EXAMPLES / "foreign" / "blend.rise"
PYTHON, C, CUDA = (EXAMPLES / "foreign" / f"blend.{suffix}" for suffix in ("py", "c", "cu"))


@pytest.mark.parametrize(
    ("target", "files"), [("openmp", (C, PYTHON)), ("cuda-sim", (PYTHON, CUDA)), ("interpret", (PYTHON,))]
)
def test_a_program_runs_with_the_files_that_are_allowed(target: str, files: tuple[Path, ...]) -> None:
    said = shine("run", PROGRAM, "--size", "N=8", "--target", target, "--verify", "--allow-foreign", *files)
    assert said.status == 0 and "verified" in said.out, said.err


def test_files_next_to_a_program_are_not_read_automatically() -> None:
    said = shine("run", PROGRAM, "--size", "N=8")
    assert said.status == 1 and "error[foreign-not-allowed]" in said.err


def test_a_check_needs_the_meaning() -> None:
    said = shine("run", PROGRAM, "--size", "N=8", "--verify", "--allow-foreign", C)
    assert said.status == 1 and "expected a meaning of the foreign function `blend`" in said.err


def test_a_program_is_checked_and_lowered_without_code() -> None:
    assert shine("check", PROGRAM).status == 0
    assert "blend(" in shine("show", PROGRAM, "--stage", "low").out
    assert "foreign blend(" in shine("show", PROGRAM, "--stage", "imperative", "--allow-foreign", C).out


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("x", "cannot be run: NameError: name 'x' is not defined"),
        ("import sys\nsys.exit(3)", "error[foreign-file]: "),
        ("exit()", "cannot be run: it calls exit(None)"),
        ("def f(:", "cannot be run: SyntaxError: "),
        ("import rise\nf = rise.Foreign('f', 'f32')", "expected a function of numbers as the foreign `f`"),
        ("import rise\nf = rise.Foreign('blend', 'f32 -> f32')", "expected code of type f32 -> f32 -> f32"),
        ("blend = 1", "`blend` is a foreign function, and no code for it is allowed"),
    ],
)
def test_a_python_file_without_code_is_reported(tmp_path: Path, text: str, title: str) -> None:
    file = tmp_path / "code.py"
    file.write_text(text, "utf-8")
    said = shine("run", PROGRAM, "--size", "N=8", "--allow-foreign", file)
    assert said.status == 1 and title in said.err and said.err.count("error[") == 1


def test_a_part_that_is_given_twice_is_rejected() -> None:
    said = shine("run", PROGRAM, "--size", "N=8", "--allow-foreign", C, C)
    assert said.status == 1 and "the C text of the foreign function `blend` is given twice" in said.err


@pytest.mark.parametrize("suffix", ["c", "cu"])
def test_an_empty_text_is_rejected(tmp_path: Path, suffix: str) -> None:
    file = tmp_path / f"code.{suffix}"
    file.write_text("\n", "utf-8")
    said = shine("run", PROGRAM, "--size", "N=8", "--allow-foreign", file)
    assert said.status == 1 and "error[foreign-file]" in said.err and "found an empty file" in said.err
