"""Messages about users' errors in searches: one diagnostic each, compared with `snapshots/messages.txt`.

`python -m tests.shine.front.tuner.test_messages` rewrites it.
"""

from __future__ import annotations

import os
import signal
import sqlite3
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from contextlib import chdir
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch

from elevate import Strategy, StrategyError, id_
from rise import RiseError
from shine.front.tuner import Budget, ByFunction, Result, State, tune
from shine.front.tuner.database import Database
from shine.front.tuner.exchange import from_json
from shine.front.tuner.isolation import in_own_process
from strategies.spaces import choose, load_space, space
from tests.shine.front.tuner.spaces import SIZES, SQUARES, seconds, tiles
from tests.shine.front.tuner.test_search import Losing, misbehaving, unsatisfiable

SNAPSHOT = Path(__file__).parent / "snapshots" / "messages.txt"
DB = "t.sqlite"


@space
def empty() -> Strategy:
    choose("rows", ())
    return id_


@space
def broken() -> Strategy:
    return [id_][choose("place", (0, 1))]


def searched(one: Any = tiles, **named: Any) -> Any:
    evaluator = named.pop("evaluator", None) or ByFunction(seconds)
    return tune(SQUARES, one, named.pop("sizes", SIZES), Budget(2), evaluator=evaluator, **named)


def of_candidate(how: str) -> None:
    """The error with which a candidate failed."""
    (row,) = [row for row in misbehaving().rows if row.decisions["how"] == how]
    assert row.result.diagnostic is not None
    raise RiseError(row.result.diagnostic)


def changed(change: Callable[[], object]) -> None:
    """A database that was modified."""
    searched(db=DB)
    change()
    searched(db=DB)


def damaged() -> None:
    Path(DB).write_bytes(b"no database at all" * 100)


def later() -> None:
    other = sqlite3.connect(DB)
    other.execute("pragma user_version=9")
    other.close()


def foreign() -> None:
    other = sqlite3.connect(DB)
    other.execute("create table a(b)")
    other.close()
    Database(DB)


def unknown() -> None:
    with Database(DB) as database:
        ((run, _),) = database.runs()
        database.put(run, {"tile": 5, "together": True}, Result(State.MEASURED, 1.0, 1.0, 0.0))


def full() -> None:
    with Database(DB) as database:
        database._db.execute(
            f"pragma max_page_count={database._db.execute('pragma page_count').fetchone()[0]}"
        )
        run = database.runs()[0][0]
        for number in range(1000):
            database.put(run, {"tile": number, "long": "x" * 200}, Result(State.DEAD))


def other_source() -> None:
    searched(db=DB)
    with patch("shine.front.tuner.keys.sources", lambda: "changed"):
        searched(db=DB, resume=True)


def lost() -> None:
    with Losing(1, mp_context=get_context("fork")) as executor:
        tune(SQUARES, tiles, SIZES, executor=executor)


def not_sent() -> None:
    @space
    def inner() -> Strategy:
        return id_

    with ProcessPoolExecutor(1) as executor:
        tune(SQUARES, inner, SIZES, executor=executor)


CASES: dict[str, Callable[[], object]] = {
    "empty domain": lambda: searched(empty),
    "unsatisfiable space": lambda: searched(unsatisfiable),
    "hole outside of a space": lambda: choose("rows", (1, 2)),
    "a space that fails": lambda: searched(broken),
    "no such space": lambda: load_space("strategies.spaces.products:produkt"),
    "no size": lambda: searched(sizes={}),
    "unknown decision in a database": lambda: changed(unknown),
    "damaged database": lambda: changed(damaged),
    "another program's database": foreign,
    "database of a later version": lambda: changed(later),
    "disk full": lambda: changed(full),
    "results of another form": lambda: from_json(Database(":memory:"), '{"runs": 3}'),
    "source changed since": other_source,
    "nothing to resume": lambda: searched(db=DB, resume=True),
    "a wrong result": lambda: of_candidate("cubes"),
    "a candidate that crashes": lambda: of_candidate("crashes"),
    "a candidate that does not end": lambda: of_candidate("hangs"),
    "a candidate that does not build": lambda: of_candidate("fails"),
    "a candidate that takes too much memory": lambda: in_own_process(
        "running", lambda: len(bytearray(1 << 33)), 60, 1 << 30
    ),
    "a process that is killed": lambda: in_own_process(
        "running", lambda: os.kill(os.getpid(), signal.SIGKILL), 60, 1 << 30
    ),
    "an executor that loses its workers": lost,
    "a space that cannot be sent": not_sent,
}


def said(case: Callable[[], object]) -> str:
    """The message of a case, which is run in an empty directory."""
    with TemporaryDirectory() as folder, chdir(folder):
        try:
            case()
        except (RiseError, StrategyError) as error:
            return str(error)
    return "nothing"


def text() -> str:
    """All messages."""
    return "\n".join(f"=== {name}\n{said(case)}\n" for name, case in CASES.items())


def test_messages() -> None:
    assert text() == SNAPSHOT.read_text(encoding="utf-8")


if __name__ == "__main__":
    SNAPSHOT.write_text(text(), encoding="utf-8")
