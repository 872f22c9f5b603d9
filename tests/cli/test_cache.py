"""`shine cache`: its output, which entries it deletes, and its errors."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from shine.cache import digest, keep_text
from shine.cli.main import main

Said = pytest.CaptureFixture[str]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The user's cache, with two entries of 1,000 bytes and a file that is not an entry."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    directory = tmp_path / "rise-shine"
    directory.mkdir(mode=0o700)
    for name in ("a", "b"):
        keep_text("x" * 1000, directory / f"{digest(name)}.c")
    (directory / "mine.txt").write_text("mine", encoding="utf-8")
    return directory


def test_it_shows_the_directory_and_the_size(
    home: Path, capsys: Said, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert main(["cache"]) == 0
    shown = f"{home}\n2 entries, 2.0 KiB of at most 1.0 GiB; entries not used for 90 days are deleted\n"
    assert capsys.readouterr().out == shown
    monkeypatch.setenv("SHINE_CACHE_SIZE", "unlimited")
    monkeypatch.setenv("SHINE_CACHE_DAYS", "7")
    assert main(["cache", "show", "--json"]) == 0
    limits = {"bytes": None, "days": 7.0}
    found = {"directory": str(home), "entries": 2, "bytes": 2000, "limits": limits}
    assert json.loads(capsys.readouterr().out) == found


@pytest.mark.parametrize("is_json", [False, True])
def test_it_deletes_entries_and_nothing_else(is_json: bool, home: Path, capsys: Said) -> None:
    assert main(["cache", "clear", *["--json"] * is_json]) == 0
    said = capsys.readouterr().out
    if is_json:
        assert json.loads(said) == {"directory": str(home), "deleted": {"entries": 2, "bytes": 2000}}
    else:
        assert said == f"{home}\ndeleted 2 entries, 2.0 KiB\n"
    assert [path.name for path in home.iterdir()] == ["mine.txt"]


def test_a_directory_that_others_can_write_to_is_rejected(home: Path, capsys: Said) -> None:
    os.chmod(home, 0o770)
    assert main(["cache"]) == 1
    said = capsys.readouterr().err
    assert said.startswith("error[cache-directory]") and f"chmod go-w '{home}'" in said
    assert main(["cache", "clear", "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["diagnostics"][0]["code"] == "cache-directory"
    assert len(list(home.iterdir())) == 3


def test_an_unreadable_limit_is_rejected(home: Path, capsys: Said, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SHINE_CACHE_DAYS", "soon")
    assert main(["cache"]) == 1
    assert capsys.readouterr().err == (
        "error[cache-limit]: SHINE_CACHE_DAYS: expected a number of days such as 30, or unlimited, found 'soon'\n"
        "hint: correct or unset SHINE_CACHE_DAYS\n"
    )


def test_unknown_actions_are_usage_errors(home: Path, capsys: Said) -> None:
    assert main(["cache", "grow"]) == 2
    assert "clear" in capsys.readouterr().err
