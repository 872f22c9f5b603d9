"""Options of the command itself: version, shell completion, and a program on standard input."""

from __future__ import annotations

import io
import json
import subprocess
import sys
import tomllib
from pathlib import Path
from types import SimpleNamespace

import pytest

import rise
from shine.cli.main import SUBCOMMANDS, load, main
from tests.forks import environment, run

ROOT = Path(__file__).resolve().parents[2]
Said = pytest.CaptureFixture[str]
DOUBLE = "fun(xs: N.f32 => xs |> map(fun(x => x + x)))"


def test_its_version_is_the_version_of_the_packages(capsys: Said) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"shine {rise.__version__}\n"
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert settings["project"]["dynamic"] == ["version"]
    assert settings["tool"]["setuptools"]["dynamic"]["version"] == {"attr": "rise.version.__version__"}


#: commands, in this order, and packages that no command up to there loads
LOADING = {
    "--version": {"elevate", "lark", "strategies", "shine.targets"},
    "--help": {"elevate", "lark", "strategies", "shine.targets"},
    "chek": {"elevate", "lark", "strategies", "shine.targets"},
    "cache": {"elevate", "lark", "strategies", "shine.targets"},
    "check --help": {"shine.front.tuner", "strategies.proof", "hypothesis"},
    "list targets": {"shine.front.tuner", "hypothesis"},
}


def test_a_command_loads_only_its_dependencies() -> None:
    """Each subcommand is loaded when it is called, since loading the dependencies of all of them takes longer than most
    of them run.
    """
    code = (
        "import sys; from shine.cli.main import main\n"
        "for words in sys.argv[1:]:\n"
        "  main(words.split())\n"
        "  print('loaded:', *sys.modules, file=sys.stderr)"
    )
    ran = subprocess.run(
        [sys.executable, "-c", code, *LOADING], cwd=ROOT, capture_output=True, text=True, check=True
    )
    lines = [line for line in ran.stderr.splitlines() if line.startswith("loaded: ")]
    for (command, absent), loaded in zip(LOADING.items(), lines, strict=True):
        assert absent.isdisjoint(loaded.split()), command


def test_the_list_of_subcommands_has_the_help_of_each() -> None:
    for each in SUBCOMMANDS:
        assert load(each).name == each.name
        assert load(each).help.startswith(each.summary), each.name
        assert each.summary.count(". ") == 0 and each.summary.endswith(".")


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("shine sh", {"show"}),
        ("shine show --stage pro", {"profile"}),
        ("shine run --target cuda", {"cuda", "cuda-sim"}),
    ],
)
def test_a_shell_completes_its_words(words: str, expected: set[str]) -> None:
    position = str(len(words.split()) - 1)
    variables = {"_SHINE_COMPLETE": "complete_bash", "COMP_WORDS": words, "COMP_CWORD": position}
    ran = run([sys.executable, "-m", "shine"], env=environment(**variables), timeout=60)
    assert ran.returncode == 0, ran.stderr
    assert set(ran.stdout.decode().split()) == expected


def given(monkeypatch: pytest.MonkeyPatch, data: bytes) -> None:
    """Provide these bytes on standard input."""
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(data)))


def test_a_program_is_read_from_standard_input(monkeypatch: pytest.MonkeyPatch, capsys: Said) -> None:
    given(monkeypatch, f"val twice = {DOUBLE}".encode())
    assert main(["check", "-"]) == 0
    assert capsys.readouterr().out == "twice : {N: nat} -> N.f32 -> N.f32\n"
    given(monkeypatch, DOUBLE.encode())
    assert main(["compile", "-", "--target", "openmp", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["exported"] == ["shine_main"]
    given(monkeypatch, DOUBLE.encode())
    assert main(["list", "definitions", "-"]) == 0
    assert "main  <stdin>" in capsys.readouterr().out


def test_errors_on_standard_input_are_shown_with_their_lines(
    monkeypatch: pytest.MonkeyPatch, capsys: Said
) -> None:
    given(monkeypatch, b"fun(x: f32 => y)")
    assert main(["check", "-"]) == 1
    said = capsys.readouterr().err
    assert "error[unknown-name]" in said and " --> <stdin>:1:15\n" in said
    given(monkeypatch, b"\xff\xfe\x00")
    assert main(["check", "-", "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["diagnostics"][0]["code"] == "not-utf-8"
    monkeypatch.setattr(sys, "stdin", None)
    assert main(["check", "-"]) == 1
    assert "error[file]: <stdin> is closed" in capsys.readouterr().err
