"""The cache of built kernels: entries, limits, untrusted directories, processes that share one."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rise
import shine
from rise.diagnostics import RiseError
from shine.cache import (
    Limits,
    body_of,
    clear,
    contents,
    digest,
    is_whole,
    limits_of_user,
    sweep,
    use,
)
from shine.cache.limits import ABANDONED_SECONDS, RECENT_SECONDS, SCRATCH, SECONDS_PER_DAY
from shine.kernel import make_kernel
from tests.examples import some
from tests.shine.executors import in_turn
from tests.shine.procedures import axpy

ROOT = Path(__file__).parents[2]


def making(content: bytes) -> Callable[[Path], Path]:
    """A function that creates an entry with this content."""

    def make(folder: Path) -> Path:
        made = folder / "made"
        made.write_bytes(content)
        return made

    return make


def refused(_: Path) -> Path:
    raise AssertionError("it is there")


def entry(directory: Path, number: int, size: int = 1000, age: float = 0.0) -> Path:
    """An entry of this size in bytes and this age in seconds."""
    path = directory / f"{digest(str(number))}.so"
    seal = len(use(path, making(b""), Path.read_bytes))
    path.unlink()
    use(path, making(b"x" * (size - seal)), body_of)
    os.utime(path, (time.time() - age,) * 2)
    return path


def code_of(work: Callable[[], object]) -> str:
    """The code of the diagnostic that this raises."""
    with pytest.raises(RiseError) as caught:
        work()
    return caught.value.diagnostic.code


def test_different_texts_have_different_digests() -> None:
    assert digest("a", "b") != digest("ab", "")
    assert digest(os.fsdecode(b"/caf\xe9")) != digest("")


def test_an_entry_is_built_once(tmp_path: Path) -> None:
    path = tmp_path / f"{digest('a')}.so"
    assert use(path, making(b"content"), body_of) == b"content"
    assert use(path, refused, body_of) == b"content"
    assert path.read_bytes().startswith(b"content") and path.stat().st_mode & 0o77 == 0
    assert contents(tmp_path).building == 0


@given(st.binary(max_size=40), st.integers(0, 200), st.integers(1, 255))
def test_a_changed_entry_is_rebuilt(content: bytes, at: int, change: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"{digest('a')}.so"
        use(path, making(content), body_of)
        changed = bytearray(path.read_bytes())
        changed[at % len(changed)] ^= change
        path.write_bytes(changed)
        assert not is_whole(path)
        assert use(path, making(b"again"), body_of) == b"again"


def test_an_entry_that_others_can_write_to_is_rebuilt(tmp_path: Path) -> None:
    path = tmp_path / f"{digest('a')}.so"
    use(path, making(b"first"), body_of)
    path.chmod(0o620)
    assert use(path, making(b"second"), body_of) == b"second"
    assert path.stat().st_mode & 0o777 == 0o600


def in_the_way_a_directory(path: Path) -> None:
    (path / "inner").mkdir(parents=True)


def in_the_way_a_pipe(path: Path) -> None:
    os.mkfifo(path)


def in_the_way_a_loop(path: Path) -> None:
    path.symlink_to(path)


@pytest.mark.parametrize("put", [in_the_way_a_directory, in_the_way_a_pipe, in_the_way_a_loop])
def test_anything_in_place_of_an_entry_is_replaced(put: Callable[[Path], None], tmp_path: Path) -> None:
    path = tmp_path / f"{digest('a')}.so"
    put(path)
    assert use(path, making(b"content"), body_of) == b"content"


def test_an_entry_that_is_deleted_before_it_is_loaded_is_rebuilt(tmp_path: Path) -> None:
    path = tmp_path / f"{digest('a')}.so"
    loads: list[str] = []

    def load(found: Path) -> bytes:
        loads.append("load")
        if len(loads) < 3:
            found.unlink()
        return body_of(found)

    assert use(path, making(b"content"), load) == b"content"
    assert len(loads) == 3

    def never(found: Path) -> bytes:
        found.unlink()
        return body_of(found)

    assert code_of(lambda: use(path, making(b"content"), never)) == "cannot-load"


def test_an_unreadable_entry_is_rebuilt_once(tmp_path: Path) -> None:
    path = tmp_path / f"{digest('a')}.json"
    use(path, making(b"none"), body_of)
    assert use(path, making(b"12"), lambda found: int(body_of(found))) == 12
    path.unlink()
    with pytest.raises(ValueError, match="none"):
        use(path, making(b"none"), lambda found: int(body_of(found)))


def test_an_entry_that_cannot_be_loaded_is_reported(tmp_path: Path) -> None:
    def load(found: Path) -> None:
        raise OSError(f"{found.name}: failed to map segment from shared object")

    path = tmp_path / f"{digest('a')}.so"
    with pytest.raises(RiseError, match="failed to map segment") as caught:
        use(path, making(b"content"), load)
    assert caught.value.diagnostic.code == "cannot-load" and "noexec" in caught.value.diagnostic.hint


def test_the_least_recently_used_entries_are_deleted(tmp_path: Path) -> None:
    paths = [entry(tmp_path, number, 1000, 1000.0 * number + 2 * RECENT_SECONDS) for number in range(10)]
    use(paths[9], refused, body_of)  # the oldest entry is used again
    assert sweep(tmp_path, Limits(10_000, None)) == 0
    assert sweep(tmp_path, Limits(8_000, None)) == 3
    assert [number for number, path in enumerate(paths) if path.exists()] == [0, 1, 2, 3, 4, 5, 9]
    assert sweep(tmp_path, Limits(1, None)) == 6
    assert paths[9].exists()  # another process may be about to load it


def test_entries_that_were_not_used_for_long_are_deleted(tmp_path: Path) -> None:
    paths = [entry(tmp_path, number, 100, number * SECONDS_PER_DAY) for number in range(6)]
    assert sweep(tmp_path, Limits(None, 3.5)) == 2
    assert [path.exists() for path in paths] == [True] * 4 + [False] * 2
    assert sweep(tmp_path, Limits(None, None)) == 0


def test_times_of_a_wrong_clock_count_as_those_of_unused_entries(tmp_path: Path) -> None:
    """Otherwise what was stored in 2100 stays until then, beyond any limit."""
    paths = [entry(tmp_path, number, 1000, -number * 365 * SECONDS_PER_DAY) for number in range(1, 5)]
    known = entry(tmp_path, 0, 1000, 2 * RECENT_SECONDS)
    slightly_ahead = entry(tmp_path, 9, 1000, -2 * RECENT_SECONDS)
    folder = tmp_path / f"{SCRATCH}ahead"
    folder.mkdir()
    os.utime(folder, (time.time() + 365 * SECONDS_PER_DAY,) * 2)
    assert sweep(tmp_path, Limits(5_000, None)) == 2 and known.exists() and not folder.exists()
    assert sweep(tmp_path, Limits(None, 90.0)) == 2 and not any(path.exists() for path in paths)
    assert slightly_ahead.exists()


@pytest.mark.parametrize("target", some(["openmp", "cuda-sim"], 2))
def test_everything_that_is_stored_is_counted_and_deleted(target: str, tmp_path: Path) -> None:
    kernel = shine.compile(
        rise.parse("fun(xs: 4.f32 => xs |> map(fun(x => x + 1.0)))"), target, cache=str(tmp_path)
    )
    assert kernel(np.zeros(4, np.float32)).tolist() == [1.0] * 4
    files = {path.name for path in tmp_path.iterdir()} - {"stored"}
    assert files and contents(tmp_path).entries == len(files)
    clear(tmp_path)
    assert {path.name for path in tmp_path.iterdir()} <= {"stored"}


def test_a_name_that_would_never_be_deleted_is_not_stored(tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match="never be counted"):
        use(tmp_path / f"{digest('a')}.other", making(b"content"), body_of)


def test_a_kernel_that_is_loaded_is_noted_as_used(tmp_path: Path) -> None:
    program = rise.parse("fun(xs: 4.f32 => xs |> map(fun(x => x + 2.0)))")
    shine.compile(program, cache=str(tmp_path))
    (kept,) = tmp_path.glob("*.kernel")
    os.utime(kept, (0.0, 0.0))
    shine.compile(program, cache=str(tmp_path))
    assert kept.stat().st_mtime > time.time() - RECENT_SECONDS


def test_only_entries_are_deleted(tmp_path: Path) -> None:
    others = [
        tmp_path / name for name in ("notes.txt", "kernel.so", "a" * 40, f"{'a' * 39}.so", f"{'g' * 40}.so")
    ]
    for path in others:
        path.write_text("mine", encoding="utf-8")
        os.utime(path, (0, 0))
    (tmp_path / "folder").mkdir()
    target = entry(tmp_path, 1, age=2 * SECONDS_PER_DAY)
    sweep(tmp_path, Limits(1, 1.0))
    clear(tmp_path)
    assert all(path.exists() for path in others) and (tmp_path / "folder").exists() and not target.exists()


def test_old_files_of_killed_builds_are_deleted(tmp_path: Path) -> None:
    old, young, link = (tmp_path / f"{SCRATCH}{name}" for name in ("old", "young", "link"))
    kept = tmp_path / "kept"
    for folder in (old, young, kept):
        folder.mkdir()
        (folder / "kernel.c").write_text("", encoding="utf-8")
    link.symlink_to(kept)
    os.utime(old, (time.time() - 2 * ABANDONED_SECONDS,) * 2)
    assert contents(tmp_path).building == 2
    sweep(tmp_path, Limits())
    assert not old.exists() and young.exists() and (kept / "kernel.c").exists()


def test_a_build_that_fails_leaves_nothing(tmp_path: Path) -> None:
    def fail(folder: Path) -> Path:
        (folder / "partial").write_text("", encoding="utf-8")
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        use(tmp_path / f"{digest('a')}.so", fail, body_of)
    assert list(tmp_path.iterdir()) == []


def test_the_cache_keeps_to_its_limits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SHINE_CACHE_SIZE", "100K")
    monkeypatch.setattr("shine.cache.limits.RECENT_SECONDS", -1.0)
    for number in range(150):
        path = tmp_path / f"{digest(str(number))}.so"
        use(path, making(b"x" * 2000), body_of)
        assert contents(tmp_path).bytes <= (100 << 10) * 17 / 16
        assert path.exists()
    assert contents(tmp_path).entries >= 40


def test_the_cache_is_cleaned_periodically(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    swept: list[Path] = []
    monkeypatch.setattr("shine.cache.limits.sweep", lambda directory, _: swept.append(directory))
    for number in range(70):
        use(tmp_path / f"{digest(str(number))}.so", making(b"x"), body_of)
    assert swept == [tmp_path] * 2


RACE = """
import os, sys
from pathlib import Path
from shine import cache
from shine.cache import limits
limits.RECENT_SECONDS = -1.0
directory = Path(sys.argv[1])
def make(folder):
    made = folder / "made"
    made.write_bytes(b"x" * 500)
    return made
for at in range(400):
    entry = directory / f"{cache.digest(str(at % 7))}.so"
    assert cache.use(entry, make, cache.body_of) == b"x" * 500
    if at % 50 == 49:
        cache.clear(directory)
"""


def test_processes_that_delete_do_not_disturb_each_other(tmp_path: Path) -> None:
    environment = {**os.environ, "SHINE_CACHE_SIZE": "2K"}
    command = [sys.executable, "-c", RACE, str(tmp_path)]
    processes = [subprocess.Popen(command, cwd=ROOT, env=environment) for _ in range(3)]
    assert [process.wait(timeout=300) for process in processes] == [0] * 3


def test_kernels_outlive_their_entries(tmp_path: Path) -> None:
    kernel = make_kernel(axpy(), "openmp", cache=str(tmp_path))
    before = kernel.machine_code()
    clear(tmp_path)
    x = np.ones(3, np.float32)
    assert kernel(1, x, x).tolist() == [2, 2, 2]
    assert kernel.machine_code() == before


@pytest.mark.parametrize(
    ("size", "days", "limits"),
    [
        ("", "", Limits()),
        ("500M", "", Limits(500 << 20)),
        ("2GiB", "7", Limits(2 << 30, 7.0)),
        ("1.5k", "0.5", Limits(1536, 0.5)),
        ("4096", "unlimited", Limits(4096, None)),
        ("unlimited", "", Limits(None)),
    ],
)
def test_limits_are_set_by_the_environment(size: str, days: str, limits: Limits) -> None:
    assert limits_of_user({"SHINE_CACHE_SIZE": size, "SHINE_CACHE_DAYS": days}) == limits
    assert limits_of_user({}) == Limits()


@pytest.mark.parametrize(
    "environment",
    [{"SHINE_CACHE_SIZE": text} for text in ("lots", "-1", "1E9", "nan", "5 X", "9" * 400)]
    + [{"SHINE_CACHE_DAYS": text} for text in ("soon", "-1", "inf", "9" * 400)],
    ids=lambda environment: str(environment)[:40],
)
def test_invalid_limits_are_rejected(environment: dict[str, str]) -> None:
    with pytest.raises(RiseError) as caught:
        limits_of_user(environment)
    (name, text), *_ = environment.items()
    diagnostic = caught.value.diagnostic
    assert diagnostic.code == "cache-limit" and name in diagnostic.title
    assert repr(text)[:40] in diagnostic.title and len(diagnostic.title) < 200


def test_invalid_limits_are_reported_when_a_kernel_is_stored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SHINE_CACHE_SIZE", "lots")
    assert code_of(lambda: make_kernel(axpy(), "openmp", cache=str(tmp_path))) == "cache-limit"


FULL = """
import resource, signal, sys
from rise.diagnostics import RiseError
from shine.kernel import make_kernel
from tests.shine.procedures import axpy
sys.dont_write_bytecode = True  # Python would keep truncated bytecode of modules that are imported from here on
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]),) * 2)
try:
    make_kernel(axpy(), sys.argv[3], cache=sys.argv[1])
except RiseError as error:
    print(error.diagnostic.render())
"""


@pytest.mark.parametrize(("limit", "is_known"), some(in_turn((10, 2_000, 9_000), (False, True)), 2))
def test_a_full_disk_is_not_reported_as_an_error_of_the_program(
    limit: int, is_known: bool, tmp_path: Path
) -> None:
    if is_known:
        make_kernel(axpy(), "openmp", threads=3, cache=str(tmp_path))
    command = [sys.executable, "-c", FULL, str(tmp_path), str(limit), "openmp"]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert ran.stdout.startswith("error[disk-full]"), ran.stdout + ran.stderr
    assert str(tmp_path) in ran.stdout and "shine cache clear" in ran.stdout
    assert list(tmp_path.glob("compiler-*.json")) == [] or is_known
    assert contents(tmp_path).building == 0
