"""Strategies from databases of searches: which one is found, and when there is none. Times nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import shine
from rise import RiseError
from rise.hardware import processor
from shine.front.tuner import ByFunction, Result, State, tuned
from shine.front.tuner.database import Database
from shine.front.tuner.keys import machine_text
from strategies.openmp import parallel
from strategies.spaces.holes import Decisions
from tests.shine.front.tuner.spaces import SIZES, SQUARES, seconds, tiles

OPTIONS: dict[str, Any] = {"threads": 1, "machine": processor("haswell")}


class Here(ByFunction):
    """A table of results, measured on this machine, each with a spread."""

    spread = 0.0

    def wait(self, limit: float) -> Any:
        return [
            (decisions, Result(State.MEASURED, one.seconds, one.ratio, self.spread))
            for decisions, one in super().wait(limit)
        ]


def searched(path: Path, own: float = 1.0, spread: float = 0.0, space: Any = tiles, **options: Any) -> None:
    """A whole search, in which the target's own strategy takes `own` seconds."""
    evaluator = Here(seconds, own, machine_text())
    evaluator.spread = spread
    shine.tune(SQUARES, space, SIZES, db=path, evaluator=evaluator, **{**OPTIONS, **options})


def found(path: Path, **named: Any) -> Decisions | None:
    one = tuned(SQUARES, SIZES, path, tiles, **{**OPTIONS, **named})
    return None if one is None else one.decisions


def test_the_fastest_stored_candidate_is_found(tmp_path: Path) -> None:
    path = tmp_path / "t.sqlite"
    searched(path)
    one = shine.tuned(SQUARES, SIZES, path, tiles, **OPTIONS)
    assert one is not None and one.strategy == parallel(tile=16, together=True)
    assert one.decisions == {"tile": 16, "together": True} and one.ratio == 2.0 and one.space is tiles
    kernel = shine.compile(SQUARES, strategy=one.strategy, **OPTIONS)
    assert (
        kernel.source == shine.compile(SQUARES, strategy=parallel(tile=16, together=True), **OPTIONS).source
    )


def test_only_results_for_the_same_run_count(tmp_path: Path) -> None:
    path = tmp_path / "t.sqlite"
    searched(path)
    assert found(path, threads=2) is None
    assert found(path, machine=processor("nehalem")) is None
    assert tuned(SQUARES, {"N": 17}, path, tiles, **OPTIONS) is None


def test_results_of_another_source_or_machine_do_not_count(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "t.sqlite"
    searched(path)
    with monkeypatch.context() as patch:
        patch.setattr("shine.front.tuner.keys.sources", lambda: "changed")
        assert found(path) is None
    with monkeypatch.context() as patch:
        patch.setattr("shine.front.tuner.search.machine_text", lambda: "another")
        assert found(path) is None
    assert found(path) is not None


@pytest.mark.parametrize(("own", "spread"), [(0.5, 0.0), (0.52, 0.2)])
def test_a_candidate_that_may_be_no_faster_is_not_found(tmp_path: Path, own: float, spread: float) -> None:
    """The best takes 0.5 seconds."""
    searched(tmp_path / "t.sqlite", own, spread)
    assert found(tmp_path / "t.sqlite") is None


def test_spaces_that_a_database_names_are_not_imported(tmp_path: Path) -> None:
    """Without a space, only those of the project are asked."""
    path = tmp_path / "t.sqlite"
    searched(path)
    assert tuned(SQUARES, SIZES, path, **OPTIONS) is None


def test_wrong_and_dead_candidates_are_not_found(tmp_path: Path) -> None:
    path = tmp_path / "t.sqlite"
    searched(path)
    with Database(path) as database:
        ((run, _),) = database.runs()
        for state in (State.WRONG, State.DEAD):
            database.put(run, {"tile": 16, "together": True}, Result(state))
            assert found(path) != {"tile": 16, "together": True}


@pytest.mark.parametrize(
    ("code", "named"),
    [
        ("database", {"db": "nowhere.sqlite"}),
        ("size-unknown", {"sizes": {}}),
        ("wrong-kind", {"space": "tiles"}),
        ("unknown-option", {"tile": 3}),
    ],
)
def test_mistakes_are_diagnostics(tmp_path: Path, code: str, named: Any) -> None:
    path = tmp_path / "t.sqlite"
    searched(path)
    with pytest.raises(RiseError) as caught:
        tuned(SQUARES, **{"sizes": SIZES, "db": path, "space": tiles, **OPTIONS, **named})
    assert caught.value.diagnostic.code == code
