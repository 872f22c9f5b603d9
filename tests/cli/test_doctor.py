"""`shine doctor`: what is installed, what is missing and for what it is needed, and how to install it."""

from __future__ import annotations

import json
import re
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

import rise
from shine.cli import doctor
from shine.cli.main import main
from shine.targets.cuda import compiler, sass

Said = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A user without a cache, and without compilers in the environment."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.delenv("CC", raising=False)
    monkeypatch.delenv("CXX", raising=False)
    return tmp_path


def facts(capsys: Said) -> dict[str, Any]:
    return {check["name"]: check for check in json.loads(capsys.readouterr().out)["checks"]}


def test_it_lists_what_is_installed(home: Path, capsys: Said) -> None:
    status = main(["doctor", "--json"])
    found = facts(capsys)
    assert found["rise-shine"]["text"].startswith(f"{rise.__version__} in ")
    assert all(found[name]["is_there"] for name in doctor.REQUIRED)
    assert found["cache"]["text"].startswith(f"{home / 'rise-shine'}: ")
    assert found["hypothesis"]["is_there"]
    assert status == int(not found["C compiler"]["is_there"])
    for check in found.values():
        assert check["text"] and (check["is_there"] or check["hint"]), check


def test_a_required_tool_that_is_missing_is_an_error(capsys: Said, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CC", "no-such-compiler")
    assert main(["doctor"]) == 1
    said = capsys.readouterr().out
    assert "missing C compiler" in said and "looked for `no-such-compiler`" in said
    assert "needed for --target openmp; install gcc" in said and "--target interpret" in said


def test_an_optional_tool_that_is_missing_is_not_an_error(
    capsys: Said, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The report says for what it is needed."""
    monkeypatch.setenv("CXX", "no-such-compiler")
    monkeypatch.setattr(doctor, "_c_compiler", lambda: doctor.Finding(True, "cc 1.0"))
    assert main(["doctor", "--json"]) == 0
    cxx = facts(capsys)["C++ compiler"]
    assert not cxx["is_there"] and not cxx["required"] and cxx["use"] == "--target cuda-sim"
    assert cxx["hint"].endswith("or choose one: -O cxx=...")


def test_missing_packages_are_shown_with_the_command_that_installs_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    found = {check.name: check.find() for check in doctor.all_checks() if check.name in doctor.OPTIONAL}
    assert found["hypothesis"].hint == "pip install 'rise-shine[testing]'"
    assert found["pillow"].hint == "pip install 'rise-shine[images]'"
    assert not any(finding.is_there for finding in found.values())


def test_everything_that_an_extra_installs_is_looked_for(
    monkeypatch: pytest.MonkeyPatch, capsys: Said
) -> None:
    """Except for the extras of developers."""
    monkeypatch.setenv("PATH", "")
    monkeypatch.setitem(sys.modules, "pycuda", None)
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    monkeypatch.setattr(sass, "find_spec", lambda name: None)
    monkeypatch.setattr(compiler, "find_nvrtc", lambda: None)
    assert main(["doctor", "--json"]) == 1
    hints = [check["hint"] for check in facts(capsys).values()]
    named = set(re.findall(r"rise-shine\[(\w+)\]", " ".join(hints)))
    content = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8"))
    assert named == content["project"]["optional-dependencies"].keys() - {"test", "bench"}
