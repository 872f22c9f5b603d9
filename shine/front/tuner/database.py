"""The database of a search: one SQLite file with runs and their candidates.

Independent of spaces; does not run candidates.

A run is identified by everything that results depend on. A process claims a candidate in a transaction before
evaluating it, and is identified by the machine's name and its start time. So two processes never evaluate the same
candidate, and the claims of a killed process expire. Rows hold data; nothing in them is imported or run.
"""

from __future__ import annotations

import json
import os
import socket
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import fields
from pathlib import Path
from typing import Any, Final, TypeAlias

from rise.diagnostics import Diagnostic, RiseError
from rise.records import dataclass
from shine.front.tuner.results import Result, Row, State, checked, of_diagnostic, to_diagnostic
from strategies.spaces.holes import Decisions
from strategies.spaces.replay import decisions_of, text_of

#: by which SQLite files of this kind are known ("rise")
APPLICATION: Final = 0x72697365
VERSION: Final = 2
BUSY_SECONDS: Final = 30.0
CLAIMED: Final = "claimed"
DIFFERENT: Final = "use another file, or delete this one if its results are not needed"
SCHEMA: Final = """
create table run(
  id integer primary key, space text not null, program text not null, sizes text not null, machine text not null,
  toolchain text not null, version text not null, unique(space, program, sizes, machine, toolchain, version));
create table candidate(
  id integer primary key, run integer not null references run(id), decisions text not null, state text not null,
  seconds real, ratio real, spread real, source text not null default '', diagnostic text,
  bound real not null default 0, why text not null default '', owner text not null default '', place integer,
  validity text not null default '', unique(run, decisions));
"""
#: what a file of an earlier version lacks
ADDED: Final = {1: "alter table candidate add column validity text not null default ''"}


@dataclass(frozen=True, slots=True)
class Key:
    """Everything that results depend on, as texts: names and digests."""

    space: str
    program: str
    sizes: str
    machine: str
    toolchain: str
    version: str


KEYS: Final = tuple(one.name for one in fields(Key))
Rows: TypeAlias = list[Row]


class Database:
    """An open database. It belongs to one process, and is closed by `close` or at the end of a `with`."""

    def __init__(self, path: str | Path) -> None:
        """Open a file, or create it; ":memory:" is not stored.

        Raises RiseError if it cannot be opened, is damaged, is another kind of database, or has a later version.
        """
        if not isinstance(path, str | Path):
            title = f"expected the path of a database, found a Python value of type {type(path).__name__}"
            raise RiseError(Diagnostic("wrong-kind", title, hint='for example db="tuning.sqlite"'))
        self.path = str(path)
        self._owner = owner()
        with self._guarded():
            self._db = sqlite3.connect(self.path, timeout=BUSY_SECONDS, isolation_level=None)
        try:
            self._prepare()
        except BaseException:
            self._db.close()
            raise

    def __enter__(self) -> Database:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close it. Stored results are already on disk."""
        self._db.close()

    def run(self, key: Key) -> int:
        """The number of a run, which is created if there is none."""
        values = tuple(getattr(key, name) for name in KEYS)
        marks = ",".join("?" * len(KEYS))
        with self._guarded():
            self._db.execute(f"insert or ignore into run({','.join(KEYS)}) values({marks})", values)
            where = " and ".join(f"{name}=?" for name in KEYS)
            number: int = self._db.execute(f"select id from run where {where}", values).fetchone()[0]
        return number

    def runs(self) -> list[tuple[int, Key]]:
        """All runs, the first one first."""
        with self._guarded():
            found = self._db.execute(f"select id, {','.join(KEYS)} from run order by id").fetchall()
        return [(number, Key(*texts)) for number, *texts in found]

    def claim(self, run: int, decisions: Decisions) -> bool:
        """Claim a candidate for this process; False if it has a result, or another process evaluates it."""
        text = text_of(decisions)
        with self._guarded(), self._transaction():
            known = self._db.execute(
                "select id, state, owner from candidate where run=? and decisions=?", (run, text)
            ).fetchone()
            if known is None:
                self._db.execute(
                    "insert into candidate(run, decisions, state, owner) values(?,?,?,?)",
                    (run, text, CLAIMED, self._owner),
                )
                return True
            number, state, claimed_by = known
            if state != CLAIMED or (claimed_by != self._owner and is_alive(claimed_by)):
                return False
            self._db.execute("update candidate set owner=? where id=?", (self._owner, number))
            return True

    def put(self, run: int, decisions: Decisions, result: Result, bound: float = 0.0, why: str = "") -> Row:
        """Store the result of a candidate."""
        said = None if result.diagnostic is None else json.dumps(of_diagnostic(result.diagnostic))
        values = (
            str(result.state),
            result.seconds,
            result.ratio,
            result.spread,
            result.source,
            said,
            bound,
            why,
            result.validity,
        )
        with self._guarded(), self._transaction():
            place = (
                1
                + self._db.execute(
                    "select coalesce(max(place), 0) from candidate where run=?", (run,)
                ).fetchone()[0]
            )
            self._db.execute(
                "insert into candidate(run, decisions, state, seconds, ratio, spread, source, diagnostic, bound, why,"
                " validity, place) values(?,?,?,?,?,?,?,?,?,?,?,?) on conflict(run, decisions) do update set"
                " state=excluded.state, seconds=excluded.seconds, ratio=excluded.ratio, spread=excluded.spread,"
                " source=excluded.source, diagnostic=excluded.diagnostic, bound=excluded.bound, why=excluded.why,"
                " owner='', validity=excluded.validity, place=coalesce(place, excluded.place)",
                (run, text_of(decisions), *values, place),
            )
        return Row(place, dict(decisions), result, bound, why)

    def rows(self, run: int, after: int = 0) -> Rows:
        """The results of a run after a number, in the order in which they were stored.

        Raises RiseError for rows that this version does not write.
        """
        with self._guarded():
            found = self._db.execute(
                "select place, decisions, state, seconds, ratio, spread, source, diagnostic, bound, why, validity"
                " from candidate where run=? and state<>? and place>? order by place",
                (run, CLAIMED, after),
            ).fetchall()
        return [self._row(*one) for one in found]

    def _row(self, place: int, decisions: str, state: str, *rest: Any) -> Row:
        seconds, ratio, spread, source, said, bound, why, validity = rest
        try:
            diagnostic = None if said is None else to_diagnostic(json.loads(said))
            result = Result(State(state), seconds, ratio, spread, source, diagnostic, validity=validity)
            return checked(Row(place, decisions_of(decisions), result, bound, why))
        except (ValueError, KeyError, TypeError) as error:
            raise self._damaged(f"result {place}: {error}") from None

    def _prepare(self) -> None:
        with self._guarded():
            # The tables first: a process that creates them now has set the numbers when they are there.
            tables = self._db.execute("select count(*) from sqlite_master").fetchone()[0]
            application = self._db.execute("pragma application_id").fetchone()[0]
            version = self._db.execute("pragma user_version").fetchone()[0]
        if application != APPLICATION and tables:
            title = f"expected a database of `shine tune`, found one of another program: {self.path}"
            raise RiseError(Diagnostic("foreign-database", title, hint="choose another file"))
        if version > VERSION:
            title = (
                f"expected a database of version {VERSION} or earlier, found version {version}: {self.path}"
            )
            raise RiseError(
                Diagnostic(
                    "newer-database",
                    title,
                    hint="use the version of rise-shine that wrote it, or another file",
                )
            )
        with self._guarded():
            if self._db.execute("pragma quick_check(1)").fetchone()[0] != "ok":
                raise self._damaged("SQLite's check of it fails")
            self._db.execute("pragma journal_mode=wal")
            self._db.execute("pragma synchronous=normal")
            with self._transaction():
                if not self._db.execute("select count(*) from sqlite_master").fetchone()[0]:
                    for statement in SCHEMA.split(";\n"):
                        self._db.execute(statement)
                    self._db.execute(f"pragma application_id={APPLICATION}")
                else:
                    self._complete()
                self._db.execute(f"pragma user_version={VERSION}")

    def _complete(self) -> None:
        """Add what later versions have to a file of an earlier one, which no other process writes to now."""
        version = self._db.execute("pragma user_version").fetchone()[0]
        for earlier in range(version, VERSION):
            self._db.execute(ADDED[earlier])

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self._db.execute("begin immediate")
        try:
            yield
        except BaseException:
            with suppress(sqlite3.OperationalError):  # SQLite has rolled it back where the disk is full
                self._db.execute("rollback")
            raise
        self._db.execute("commit")

    @contextmanager
    def _guarded(self) -> Iterator[None]:
        """Errors of SQLite as diagnostics."""
        try:
            yield
        except sqlite3.DatabaseError as error:
            reason = str(error)
            if "full" in reason:
                title = f"there is no space for results in {self.path}: {reason}"
                hint = "free some space and continue: stored results are kept"
                raise RiseError(Diagnostic("disk-full", title, hint=hint)) from None
            if isinstance(error, sqlite3.OperationalError) and "malformed" not in reason:
                title = f"expected a writable database, found that {self.path} is not: {reason}"
                raise RiseError(
                    Diagnostic("database", title, hint="check its path, or choose another file")
                ) from None
            raise self._damaged(reason) from None

    def _damaged(self, reason: str) -> RiseError:
        title = f"expected a database of `shine tune`, found that {self.path} is damaged or not a database: {reason}"
        return RiseError(Diagnostic("damaged-database", title, hint=DIFFERENT))


def owner() -> str:
    """The identifier of this process in claims: host, number and start time."""
    return f"{socket.gethostname()} {os.getpid()} {start_time(os.getpid())}"


def is_alive(claimed_by: str) -> bool:
    """Whether the process that claimed a candidate may still be evaluating it; true for processes of other hosts."""
    rest = claimed_by.split()
    if len(rest) < 3 or not rest[-2].isdigit():
        return False
    return rest[0] != socket.gethostname() or start_time(int(rest[-2])) == rest[-1] != ""


def start_time(pid: int) -> str:
    """When a process started, in the system's ticks; empty if there is none, "alive" if the system provides no more."""
    try:
        text = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
        return text.rpartition(")")[2].split()[19]
    except FileNotFoundError:
        if Path("/proc/self/stat").exists():
            return ""
    except (OSError, IndexError):
        pass
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return ""
    except OSError:
        pass
    return "alive"
