"""`shine check` warns about suspicious strategies, and `--strict` makes warnings errors."""

import sys
from pathlib import Path
from unittest.mock import patch

import pytest

from tests.cli.commands import Said, shine

MODULE = """
from elevate import named, topDown, try_
from strategies.parts.nests import tidy
from strategies.rules.fusion import mapFusion
from strategies.rules.movement import joinSplit
from strategies.sequential import sequential

odd = named("odd", try_(tidy)) >> sequential
never = sequential >> topDown(mapFusion >> joinSplit)
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "odd_strategies.py").write_text(MODULE, encoding="utf-8")
    (tmp_path / "sum.rise").write_text("val sum = fun(xs: N.f32 => reduce(add, 0.0, xs))", encoding="utf-8")
    return tmp_path


def check(folder: Path, name: str, *words: str) -> Said:
    with patch.object(sys, "path", [*sys.path, str(folder)]):
        return shine("check", folder / "sum.rise", "--strategy", f"odd_strategies:{name}", *words)


def test_warnings_are_printed_with_the_output(folder: Path) -> None:
    said = check(folder, "odd")
    assert said.status == 0
    assert said.out.endswith("steps\n")
    assert said.err == (
        "warning[useless-try]: `try_(tidy)` is redundant: `tidy` never fails\nnote: in odd\nhint: write `tidy`\n"
    )


def test_warnings_for_programs(folder: Path) -> None:
    (warning,) = check(folder, "odd", "--json").facts["warnings"]
    assert warning["code"] == "useless-try"
    assert warning["inside"] == ["odd"]


def test_strict_turns_warnings_into_errors(folder: Path) -> None:
    said = check(folder, "odd", "--strict")
    assert said.status == 1
    assert said.err.startswith("error[useless-try]: `try_(tidy)` is redundant: `tidy` never fails\n")


def test_a_strategy_that_never_matches_is_reported_before_it_fails(folder: Path) -> None:
    said = check(folder, "never")
    assert said.status == 1
    warning, _, failure = said.err.partition("error[")
    assert "`joinSplit` always fails after `mapFusion`" in warning
    assert "`mapFusion` gives `map Lam(_) _`" in warning
    assert "`joinSplit` needs `join (split _)`" in warning
    assert failure


def test_without_a_strategy_there_are_no_warnings(folder: Path) -> None:
    said = shine("check", folder / "sum.rise", "--strict")
    assert (said.status, said.err) == (0, "")
