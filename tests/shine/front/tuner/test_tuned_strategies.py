"""Strategies from databases of searches: which one is found, and when there is none. Times nothing."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import rise
import shine
from rise import RiseError
from rise.hardware import processor
from shine.front.tuner import ByFunction, Result, State, tuned
from shine.front.tuner.database import Database
from shine.front.tuner.keys import compiler_of, machine_text, program_text, space_name
from shine.front.tuner.search import Search
from shine.front.tuner.shipped_schedules import Shipped, shipped_schedules
from shine.front.tuner.tuned_strategies import DATABASE, SPACES, of_project
from strategies.openmp import parallel
from strategies.spaces.holes import Decisions
from strategies.spaces.replay import Leaf, replay
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


def shipped(**changes: Any) -> Shipped:
    """A schedule of the project for the program of these tests."""
    of = {
        "program": program_text(SQUARES.main),
        "what": "squares",
        "sizes": SIZES,
        "processor": "haswell",
        "compiler": compiler_of("openmp", OPTIONS),
        "threads": 1,
        "space": space_name(tiles),
        "decisions": {"tile": 8, "together": True},
        "ratio": 1.25,
        "measured": "not at all",
    }
    return Shipped(**{**of, **changes})


def test_tables_of_the_project_come_first_then_the_users(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Then there is nothing, and the target's own strategy, whose sizes follow from formulas, is as fast as any."""
    monkeypatch.setattr("shine.front.tuner.tuned_strategies.default_directory", lambda: tmp_path)
    monkeypatch.setattr("shine.front.tuner.tuned_strategies.shipped_schedules", lambda: ())
    assert shine.tuned(SQUARES, SIZES, space=tiles, **OPTIONS) is None
    searched(tmp_path / DATABASE)
    of_user = shine.tuned(SQUARES, SIZES, space=tiles, **OPTIONS)
    assert of_user is not None and (of_user.ratio, of_user.source) == (2.0, str(tmp_path / DATABASE))
    monkeypatch.setattr("shine.front.tuner.tuned_strategies.shipped_schedules", lambda: (shipped(),))
    first = shine.tuned(SQUARES, SIZES, space=tiles, **OPTIONS)
    assert first is not None and (first.ratio, first.source) == (1.25, "the table of rise-shine")
    assert first.strategy == parallel(tile=8, together=True)
    named = shine.tuned(SQUARES, SIZES, tmp_path / DATABASE, tiles, **OPTIONS)
    assert named is not None and named.source == str(tmp_path / DATABASE)


@pytest.mark.parametrize(
    "changes",
    [
        {"program": "another"},
        {"sizes": {"N": 17}},
        {"processor": "nehalem"},
        {"compiler": "gcc 1"},
        {"threads": 2},
        {"space": "strategies.spaces.rows:rows"},
        {"decisions": {"tile": 8}},
    ],
    ids=str,
)
def test_schedules_of_the_project_are_for_what_they_were_measured_on(changes: dict[str, Any]) -> None:
    search = Search(SQUARES, tiles, SIZES, None, "openmp", None, 0, None, OPTIONS)
    assert of_project([search], [shipped()]) is not None
    assert of_project([search], [shipped(**changes)]) is None
    faster = shipped(decisions={"tile": 16, "together": False}, ratio=1.5)
    both = of_project([search], [shipped(), faster])
    assert both is not None and both.ratio == 1.5


#: the programs that tables of the project are for
PROGRAMS = {"examples/mm.rise": "a product of two matrices", "examples/softmax.rise": "softmax of rows"}


def test_each_schedule_of_the_project_is_a_candidate() -> None:
    """They are for programs of the project, were measured to be faster, and replay."""
    programs = {program_text(rise.parse_file(file).main): (file, what) for file, what in PROGRAMS.items()}
    assert shipped_schedules()
    for one in shipped_schedules():
        file, what = programs[one.program]
        assert one.what == what and one.ratio > 1 and one.measured
        space = next(each for each in SPACES if space_name(each) == one.space)
        on = space.on(processor(one.processor))
        leaf = replay(on, one.decisions, rise.parse_file(file).main, one.sizes)
        assert isinstance(leaf, Leaf) and leaf.term is not None, leaf
        if one.measured.endswith(".json"):
            table = json.loads(Path(one.measured).read_text(encoding="utf-8"))
            assert [one.sizes, one.processor, one.compiler, one.threads, one.space] == [
                table[name] for name in ("sizes", "processor", "compiler", "threads", "space")
            ]
            best = min((row for row in table["rows"] if row[-1] == "measured"), key=lambda row: row[-3])
            assert one.ratio == round(best[-2], 3)
            assert {value for value in best[:-3] if value != "-"} <= set(one.decisions.values())


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
