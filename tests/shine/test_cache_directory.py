"""The directory of the cache: its owner, its permissions, and its location if the user has none."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from rise.diagnostics import RiseError
from shine import cache as caching
from shine.cache import directory_of
from shine.kernel import make_kernel
from tests.shine.procedures import axpy


@pytest.mark.parametrize(
    ("mode", "who"), [(0o770, "its group"), (0o707, "others"), (0o777, "its group and others")]
)
def test_a_directory_that_others_can_write_to_is_rejected(mode: int, who: str, tmp_path: Path) -> None:
    directory = tmp_path / "cache"
    directory.mkdir()
    directory.chmod(mode)
    with pytest.raises(RiseError, match=f"may be written to by {who}") as caught:
        make_kernel(axpy(), "openmp", cache=str(directory))
    assert caught.value.diagnostic.code == "cache-directory"
    assert f"chmod go-w '{directory}'" in caught.value.diagnostic.hint
    directory.chmod(0o750)
    assert directory_of(directory) == directory


def test_a_directory_of_another_user_is_rejected(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    owner = os.getuid()
    monkeypatch.setattr("os.getuid", lambda: owner + 1)
    with pytest.raises(RiseError, match="belongs to another user"):
        directory_of(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "temporary"))
    (tmp_path / "temporary").mkdir()
    (tmp_path / "rise-shine").mkdir()
    found = directory_of(None)  # nobody else's, and only for this process
    assert found.parent == tmp_path / "temporary" and found.name.startswith("rise-shine-")


def test_a_directory_that_cannot_be_created_is_reported(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("", encoding="utf-8")
    for wanted in (file, file / "cache"):
        with pytest.raises(RiseError) as caught:
            directory_of(wanted)
        assert caught.value.diagnostic.code == "cache-directory"


@pytest.mark.parametrize("lacks", ["home", "folder"])
def test_the_cache_is_among_temporary_files_if_the_user_has_none(
    lacks: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    if lacks == "folder":
        (tmp_path / "file").write_text("", encoding="utf-8")
        monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    else:
        monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
        monkeypatch.setattr(Path, "expanduser", no_home)
    found = directory_of(None)
    assert found == tmp_path / f"rise-shine-{os.getuid()}" == directory_of(None)
    assert found.stat().st_mode & 0o777 == 0o700


def no_home(_: Path) -> Path:
    raise RuntimeError("Could not determine home directory.")


@pytest.mark.parametrize("taken", ["link", "file", "loose"])
def test_a_directory_of_another_user_among_temporary_files_is_not_used(
    taken: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    (tmp_path / "file").write_text("", encoding="utf-8")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    caching.directory._process_directory.cache_clear()
    name = tmp_path / f"rise-shine-{os.getuid()}"
    match taken:
        case "link":
            (tmp_path / "other").mkdir()
            name.symlink_to(tmp_path / "other")
        case "file":
            name.write_text("", encoding="utf-8")
        case _:
            name.mkdir()
            name.chmod(0o777)
    found = directory_of(None)
    assert found != name and found.stat().st_mode & 0o777 == 0o700 and directory_of(None) == found
    caching.directory._process_directory.cache_clear()
