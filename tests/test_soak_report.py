"""Runs of the soak are stored and merged: the newest run of an item counts, and interrupted runs count too."""

from __future__ import annotations

import json
import subprocess
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks import _report
from tests.soak import report
from tests.soak.journal import Head, Journal, begin, commit, read
from tests.soak.part import Batch, Failure, Part, Result
from tests.soak.parts import PARTS
from tests.soak.runner import MIN_SHRINK_SECONDS, run_part

WRONG = Failure("wrong result", "openmp", "expected 1, found 2", "fun(x: i32 => x)")
MACHINE = {"processor": "one", "cores": "2"}


def kept(folder: Path, at: str, name: str, *results: tuple[int, Result], first: int = 0) -> Journal:
    """A journal with results of batches."""
    journal = begin(Head("texts", 1, first, name, at, MACHINE), folder)
    for number, result in results:
        journal.keep(Batch(1, number), result, 90.0)
    return journal


def counted(what: str, item: int = 0, *failures: Failure) -> Result:
    return Result(item, "", Counter({("texts", what): 1}), failures)


def test_a_run_is_read_as_it_was_stored(tmp_path: Path) -> None:
    result = counted("accepted", 7, WRONG)
    journal = kept(tmp_path, "2026-01-01T00:00:00+00:00", "abc", (3, result))
    journal.keep_smallest(Batch(1, 3, only=7), WRONG, "fun(x => x)")
    journal.end(120.0, 200.0)
    run = read(journal.path)
    assert run is not None
    assert run.head.commit == "abc"
    assert run.results == [(Batch(1, 3), result)]
    assert run.smallest == {(3, 7, WRONG): "fun(x => x)"}
    assert (run.seconds, run.processor) == (120.0, 200.0)


def test_an_interrupted_run_is_read_up_to_its_last_whole_line(tmp_path: Path) -> None:
    journal = kept(
        tmp_path, "2026-01-01T00:00:00+00:00", "abc", (0, counted("accepted")), (0, counted("accepted", 1))
    )
    text = journal.path.read_text(encoding="utf-8")
    journal.path.write_text(text[:-20], encoding="utf-8")
    run = read(journal.path)
    assert run is not None
    assert len(run.results) == 1
    assert (run.seconds, run.processor) == (90.0, None)
    journal.path.write_text("", encoding="utf-8")
    assert read(journal.path) is None


def test_the_newest_run_of_an_item_counts(tmp_path: Path) -> None:
    old = kept(
        tmp_path,
        "2026-01-01T00:00:00+00:00",
        "old",
        (0, counted("accepted", 0, WRONG)),
        (1, counted("accepted")),
    )
    new = kept(tmp_path, "2026-01-02T00:00:00+00:00", "new", (0, counted("refused")), (2, counted("refused")))
    runs = [run for run in (read(old.path), read(new.path)) if run is not None]
    merged = report.merge(PARTS["texts"], runs)
    assert merged.total.whole == 3
    assert merged.total.found == []
    assert merged.total.counts == {("texts", "refused"): 2, ("texts", "accepted"): 1}
    assert [(piece.run.head.commit, piece.items) for piece in merged.pieces] == [("new", 2), ("old", 1)]


def test_a_defect_is_reported_with_the_command_that_reproduces_it(tmp_path: Path) -> None:
    journal = kept(tmp_path, "2026-01-01T00:00:00+00:00", "abc", (4, counted("accepted", 2, WRONG)))
    run = read(journal.path)
    assert run is not None
    (row,) = report.table_of_defects([report.merge(PARTS["texts"], [run])]).rows
    again = "`make soak PART=texts SEED=1 AT=4.2`"
    assert row == ("texts", "wrong result", "openmp", "1", "expected 1, found 2", again)


def test_the_report_lists_the_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_report, "RESULTS", tmp_path)
    journal = kept(tmp_path, "2026-01-01T00:00:00+00:00", "abc", (0, counted("accepted")))
    journal.end(60.0, 100.0)
    report.write([journal.path])
    page = (tmp_path / "soak.md").read_text(encoding="utf-8")
    assert "| texts | 1 | 0 | 1 texts | abc | 2026-01-01T00:00:00Z | 1.0 | 1.7 |" in page
    content = json.loads((tmp_path / "soak.json").read_text(encoding="utf-8"))
    assert content["machine"] == MACHINE
    assert {row[0] for row in content["tables"][0]["rows"]} == {*PARTS, "total"}


def test_a_run_of_a_part_is_stored(tmp_path: Path) -> None:
    def results(batch: Batch, _note: object) -> list[Result]:
        return [Result(item, f"{batch.number}.{item}") for item in range(5)]

    part = Part("texts", "", "texts", 12, 5, lambda batch, note: iter(results(batch, note)))
    journal = begin(Head("texts", 1, 2, "abc", "2026-01-01T00:00:00+00:00", MACHINE), tmp_path)
    total = run_part(part, Batch(1, 2), 12, lambda _: None, journal=journal)
    run = read(journal.path)
    assert run is not None
    assert total.whole == len(run.results) == 12
    assert run.results[0][0] == Batch(1, 2)
    assert run.processor is not None


def test_an_item_that_ran_again_without_failing_is_no_defect(tmp_path: Path) -> None:
    whole = kept(tmp_path, "2026-01-01T00:00:00+00:00", "old", (4, counted("accepted", 2, WRONG)))
    again = kept(tmp_path, "2026-01-02T00:00:00+00:00", "new", (4, counted("accepted", 2)), first=4)
    runs = [run for run in (read(whole.path), read(again.path)) if run is not None]
    assert report.table_of_defects([report.merge(PARTS["texts"], runs)]).rows == ()


def test_a_run_ends_when_time_is_up() -> None:
    part = Part("texts", "", "texts", 12, 5, lambda batch, note: iter([Result(0)]))
    assert run_part(part, Batch(1, 0), 12, lambda _: None, minutes=0).whole <= 1


def test_a_run_that_was_stopped_for_a_while_finds_no_hang(monkeypatch: pytest.MonkeyPatch) -> None:
    """Like on a machine that slept: the clock continued, and the items did not."""

    def results(_batch: Batch, _note: object) -> Iterator[Result]:
        for item in range(3):
            time.sleep(1.2)  # longer than between two checks
            yield Result(item)

    began, now = time.monotonic(), time.monotonic
    monkeypatch.setattr(time, "monotonic", lambda: now() + 1000.0 * (now() - began > 1.5))
    total = run_part(Part("texts", "", "texts", 3, 3, results), Batch(1, 0), 3, lambda _: None)
    assert total.whole == 3
    assert total.found == []


def test_hangs_are_detected_by_processor_time_and_not_by_the_clock() -> None:
    """Like on a machine that is busy with other work."""

    def results(_batch: Batch, _note: object) -> Iterator[Result]:
        time.sleep(2.5)
        yield Result(0)
        while True:
            pass

    part = Part("texts", "", "texts", 2, 2, results, seconds=1.0)
    total = run_part(part, Batch(1, 0), 2, lambda _: None)
    assert [(one.failure.kind, one.batch.only) for one in total.found] == [("hang", 1)]


def test_all_parts_fit_into_two_hours() -> None:
    assert sum(60 * part.minutes + MIN_SHRINK_SECONDS for part in PARTS.values()) <= 2 * 60 * 60


def test_the_commit_says_whether_files_differ(tmp_path: Path) -> None:
    assert commit(tmp_path / "nowhere") == "unknown"
    identity = ["-c", "user.name=n", "-c", "user.email=n@example.org"]
    for command in (["init", "-q"], [*identity, "commit", "-q", "--allow-empty", "-m", "first"]):
        subprocess.run(["git", *command], cwd=tmp_path, check=True)
    clean = commit(tmp_path)
    assert len(clean) == 12
    (tmp_path / "file").write_text("1")
    assert commit(tmp_path) == clean
    subprocess.run(["git", "add", "file"], cwd=tmp_path, check=True)
    assert commit(tmp_path) == f"{clean} with changes"
