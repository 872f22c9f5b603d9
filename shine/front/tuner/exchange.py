"""Exports and imports databases as JSON: all runs with their results."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any, Final

from rise.diagnostics import Diagnostic, RiseError
from shine.front.tuner.database import KEYS, VERSION, Database, Key
from shine.front.tuner.results import to_row

FORMAT: Final = "rise-shine tuning"


def to_json(database: Database) -> str:
    """All runs of a database with their results, as JSON."""
    runs = [
        {**asdict(key), "results": [row.to_dict() for row in database.rows(number)]}
        for number, key in database.runs()
    ]
    return json.dumps({"format": FORMAT, "version": VERSION, "runs": runs}, indent=1)


def from_json(database: Database, text: str) -> int:
    """Import results from JSON that a database lacks; returns their number. Raises RiseError for a malformed
    text, before anything is imported.
    """
    try:
        content: Any = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise _refused(f"no JSON: {error}") from None
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise _refused("other JSON")
    if content.get("version") not in range(1, VERSION + 1):
        raise _refused(f"version {content.get('version')!r:.20} instead of {VERSION} or earlier")
    try:
        found = [
            (Key(*(_text(run[name]) for name in KEYS)), [to_row(0, row) for row in run["results"]])
            for run in content["runs"]
        ]
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise _refused(f"a malformed run or result: {type(error).__name__}: {error}") from None
    taken = 0
    for key, rows in found:
        run = database.run(key)
        for row in rows:
            if database.claim(run, row.decisions):
                database.put(run, row.decisions, row.result, row.bound, row.why)
                taken += 1
    return taken


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError("expected a text")
    return value


def _refused(found: str) -> RiseError:
    title = f"expected results that `shine tune --export` wrote, found {found}"
    return RiseError(Diagnostic("no-results", title, hint="export them again"))
