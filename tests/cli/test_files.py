"""Paths that the command cannot read from or write to."""

from __future__ import annotations

import pytest

from shine.cli.main import main
from tests.cli.processes import DOT
from tests.forks import ROOT


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["compile", DOT, "-o", "/"], "/ cannot be written: Is a directory"),
        (["compile", DOT, "-o", "."], ". cannot be written: Is a directory"),
        (["run", DOT, "--output", "."], "expected a .npy file for an array, found ."),
        (["check", "/dev/zero"], "expected a text of at most 64 MiB, found that /dev/zero is longer"),
        (["check", "a\0b"], "cannot be read: embedded null byte"),
        (["run", DOT, "--input", "xs=/dev/zero"], "expected an array in numpy's format, found /dev/zero"),
    ],
)
def test_unusable_paths_are_reported(words: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([word.replace(DOT, str(ROOT / DOT)) for word in words]) == 1
    shown = capsys.readouterr().err
    assert shown.startswith("error[") and said in shown.replace("\\x00", "\0"), shown
