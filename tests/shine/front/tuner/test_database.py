"""The database: results of a run, claims of two processes, damaged and foreign files, export and import as JSON."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from rise import RiseError
from rise.diagnostics import Diagnostic
from shine.front.tuner.database import VERSION, Database, Key, is_alive, owner
from shine.front.tuner.exchange import from_json, to_json
from shine.front.tuner.results import Result, State

KEY = Key("tiles", "p", '{"M": 8}', "cpu", "cc -O3", "1")
FAST = Result(State.MEASURED, 0.5, 1.25, 0.02, "abc", validity="proved")
WRONG = Result(
    State.WRONG, source="d", diagnostic=Diagnostic("wrong-result", "1, not 2", hint="h", notes=("n",))
)
ROOT = Path(__file__).resolve().parents[4]


def refusal(path: Any) -> str:
    with pytest.raises(RiseError) as caught:
        Database(path)
    return caught.value.diagnostic.code


def test_stored_results_are_read_unchanged(tmp_path: Path) -> None:
    with Database(tmp_path / "t.sqlite") as database:
        run = database.run(KEY)
        assert database.claim(run, {"rows": 4, "wide": True, "k": None})
        database.put(run, {"rows": 4, "wide": True, "k": None}, FAST, 0.25, "units")
        database.put(run, {"rows": 5.5}, WRONG)
    with Database(tmp_path / "t.sqlite") as database:
        assert database.run(KEY) == run and database.runs() == [(run, KEY)]
        first, second = database.rows(run)
        assert (first.number, first.decisions, first.result) == (
            1,
            {"rows": 4, "wide": True, "k": None},
            FAST,
        )
        assert (first.bound, first.why) == (0.25, "units")
        assert second.result == WRONG and database.rows(run, after=1) == [second]


def test_different_runs_do_not_share_results() -> None:
    with Database(":memory:") as database:
        for name in ("space", "program", "sizes", "machine", "toolchain", "version"):
            other = Key(**{**{one: getattr(KEY, one) for one in KEY.__slots__}, name: "other"})
            assert database.run(other) != database.run(KEY)


def test_a_candidate_is_claimed_once() -> None:
    with Database(":memory:") as database:
        run = database.run(KEY)
        assert database.claim(run, {"a": 1})
        database.put(run, {"a": 1}, FAST)
        assert not database.claim(run, {"a": 1})
        assert database.claim(run, {"a": True}), "True is not 1"


CLAIMING = """
import sys
from shine.front.tuner.database import Database, Key
database = Database(sys.argv[1])
run = database.run(Key(*"abcdef"))
print(database.claim(run, {"a": 1}), flush=True)
sys.stdin.read()
"""


def test_claims_of_a_killed_process_are_released(tmp_path: Path) -> None:
    path = tmp_path / "t.sqlite"
    command = [sys.executable, "-c", CLAIMING, str(path)]
    with (
        subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT
        ) as other,
        Database(path) as database,
    ):
        assert other.stdout is not None and other.stdout.readline() == "True\n"
        run = database.run(Key(*"abcdef"))
        assert not database.claim(run, {"a": 1})
        assert database.claim(run, {"a": 2})
        other.send_signal(signal.SIGKILL)
        other.wait()
        assert database.claim(run, {"a": 1})


def test_owners_are_recognised_by_their_start_time() -> None:
    host, number, start = owner().split()
    assert is_alive(owner()) and is_alive(f"elsewhere {number} {start}")
    assert not is_alive(f"{host} {number} {int(start) + 1}")
    assert not is_alive("") and not is_alive("a b c")


def test_a_database_may_be_created_by_another_process_while_it_is_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Created before each statement in turn, it is never taken for one of another program."""
    connect = sqlite3.connect
    for turn in range(3):
        path, done = tmp_path / f"{turn}.sqlite", [0]

        class Late(sqlite3.Connection):
            def execute(
                self, *given: Any, path: Path = path, done: list[int] = done, turn: int = turn
            ) -> Any:
                done[0] += 1
                if done[0] == turn + 1:
                    with monkeypatch.context() as patch:
                        patch.setattr(sqlite3, "connect", connect)
                        Database(path).close()
                return super().execute(*given)

        with monkeypatch.context() as patch:
            patch.setattr(
                sqlite3, "connect", lambda *given, late=Late, **named: connect(*given, factory=late, **named)
            )
            Database(path).close()


def test_a_damaged_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "t.sqlite"
    path.write_bytes(b"no database, but a text that is long enough to be one" * 100)
    assert refusal(path) == "damaged-database"
    path.unlink()
    with Database(path) as database:
        run = database.run(KEY)
        for number in range(300):
            database.put(run, {"a": number}, FAST)
    content = bytearray(path.read_bytes())
    content[len(content) // 2 :] = os.urandom(len(content) - len(content) // 2)
    path.write_bytes(content)
    assert refusal(path) == "damaged-database"


def test_a_database_of_another_program_is_rejected_and_unchanged(tmp_path: Path) -> None:
    path = tmp_path / "t.sqlite"
    with sqlite3.connect(path) as other:
        other.execute("create table a(b)")
    other.close()
    before = path.read_bytes()
    assert refusal(path) == "foreign-database"
    assert path.read_bytes() == before


def test_a_later_version_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "t.sqlite"
    Database(path).close()
    with sqlite3.connect(path) as later:
        later.execute(f"pragma user_version={VERSION + 1}")
    later.close()
    assert refusal(path) == "newer-database"


def test_a_file_of_an_earlier_version_is_continued(tmp_path: Path) -> None:
    path = tmp_path / "t.sqlite"
    with Database(path) as database:
        database.put(database.run(KEY), {"rows": 4}, FAST)
        text = to_json(database)
    with sqlite3.connect(path) as earlier:
        earlier.execute("alter table candidate drop column validity")
        earlier.execute("pragma user_version=1")
    earlier.close()
    for _ in range(2):
        with Database(path) as database:
            (row,) = database.rows(database.run(KEY))
            assert row.result == replace(FAST, validity="")
    content = json.loads(text)
    del content["runs"][0]["results"][0]["validity"]
    with Database(":memory:") as database:
        assert from_json(database, json.dumps({**content, "version": 1})) == 1
        assert database.rows(database.run(KEY)) == [row]


def test_a_path_that_cannot_be_written_is_rejected(tmp_path: Path) -> None:
    assert refusal(tmp_path / "nowhere" / "t.sqlite") == "database"
    assert refusal(3) == "wrong-kind"


def test_a_full_disk_is_a_diagnostic_and_loses_nothing(tmp_path: Path) -> None:
    with Database(tmp_path / "t.sqlite") as database:
        run = database.run(KEY)
        database.put(run, {"a": 0}, FAST)
        pages = database._db.execute("pragma page_count").fetchone()[0]
        database._db.execute(f"pragma max_page_count={pages}")

        def fill() -> None:
            for number in range(1, 1000):
                database.put(run, {"a": number, "long": "x" * 200}, FAST)

        with pytest.raises(RiseError) as caught:
            fill()
        assert caught.value.diagnostic.code == "disk-full"
        stored = len(database.rows(run))
        assert stored >= 1
    with Database(tmp_path / "t.sqlite") as database:
        assert len(database.rows(run)) == stored


@pytest.mark.parametrize("column", ["decisions", "state", "diagnostic"])
def test_rows_of_another_format_are_rejected(tmp_path: Path, column: str) -> None:
    with Database(tmp_path / "t.sqlite") as database:
        run = database.run(KEY)
        database.put(run, {"a": 0}, WRONG)
        database._db.execute(f"update candidate set {column}='[os.system]'")
        with pytest.raises(RiseError) as caught:
            database.rows(run)
        assert caught.value.diagnostic.code == "damaged-database"


@pytest.mark.parametrize("column", ["seconds", "ratio", "spread", "bound"])
@pytest.mark.parametrize("value", ["-1.0", "9e999", "'fast'", "x'00'"])
def test_impossible_numbers_are_rejected(tmp_path: Path, column: str, value: str) -> None:
    """A search would choose what takes no time, and compare texts with numbers."""
    with Database(tmp_path / "t.sqlite") as database:
        run = database.run(KEY)
        database.put(run, {"a": 0}, Result(State.MEASURED, 1.0, 1.0, 0.0), 0.5)
        assert database.rows(run)
        database._db.execute(f"update candidate set {column}={value}")
        with pytest.raises(RiseError) as caught:
            database.rows(run)
        assert caught.value.diagnostic.code == "damaged-database"


@pytest.mark.parametrize("column", ["seconds", "ratio"])
@pytest.mark.parametrize("value", ["0", "null"])
def test_a_measurement_has_a_time(tmp_path: Path, column: str, value: str) -> None:
    with Database(tmp_path / "t.sqlite") as database:
        run = database.run(KEY)
        database.put(run, {"a": 0}, Result(State.MEASURED, 1.0, 1.0, 0.0))
        database.put(run, {"a": 1}, Result(State.DEAD))
        database._db.execute(f"update candidate set {column}={value}")
        with pytest.raises(RiseError) as caught:
            database.rows(run)
        assert "expected the time of a candidate that ran" in caught.value.diagnostic.title


def test_results_are_exchanged_as_json() -> None:
    with Database(":memory:") as database, Database(":memory:") as other:
        run = database.run(KEY)
        database.put(run, {"a": 1}, FAST, 0.5, "units")
        database.put(run, {"a": 2}, WRONG)
        text = to_json(database)
        assert from_json(other, text) == 2 and from_json(other, text) == 0
        assert to_json(other) == text


@pytest.mark.parametrize(
    "change",
    [
        lambda content: "no JSON",
        lambda content: json.dumps([content]),
        lambda content: json.dumps({**content, "format": "other"}),
        lambda content: json.dumps({**content, "version": VERSION + 1}),
        lambda content: json.dumps({**content, "runs": [{}]}),
        lambda content: json.dumps(
            {**content, "runs": [{**content["runs"][0], "results": [{"state": "odd"}]}]}
        ),
    ],
)
def test_invalid_json_is_rejected_as_a_whole(change: Any) -> None:
    with Database(":memory:") as database, Database(":memory:") as other:
        database.put(database.run(KEY), {"a": 1}, FAST)
        with pytest.raises(RiseError) as caught:
            from_json(other, change(json.loads(to_json(database))))
        assert caught.value.diagnostic.code == "no-results"
        assert other.runs() == []
