"""Candidates that were fast on other machines: they are tried first, and a note says what they cost here."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import shine
from shine.front.tuner import ByFunction, Found
from shine.front.tuner.database import Database
from shine.front.tuner.results import Result, State
from strategies.spaces.holes import Decisions
from tests.shine.front.tuner.spaces import SIZES, SQUARES, seconds, tiles


def elsewhere(decisions: Decisions) -> float:
    """A machine on which the smallest tile without `together` is the fastest."""
    tile = decisions["tile"]
    assert isinstance(tile, int)
    return tile / 8 + bool(decisions["together"])


def searched(path: Path, machine: str, table: Any, **named: Any) -> Found:
    return shine.tune(SQUARES, tiles, SIZES, db=path, evaluator=ByFunction(table, 1.0, machine), **named)


@pytest.mark.parametrize("policy", ["exhaustive", "random", "bound", "bnb", "tag", "uct"])
def test_the_best_of_another_machine_are_tried_first(tmp_path: Path, policy: str) -> None:
    path = tmp_path / "t.sqlite"
    searched(path, "far", elsewhere, policy="exhaustive")
    found = searched(path, "here", seconds, policy=policy, others=2)
    first = [row.decisions for row in found.rows[:2]]
    assert first == [{"tile": 4, "together": False}, {"tile": 8, "together": False}]
    assert len(found.rows) == 8 and found.decisions == {"tile": 16, "together": True}
    cost = seconds(first[0]) / 0.5
    assert f"the best candidate of far takes {cost:.2f} times as long as the best one here" in found.notes


def test_they_are_tried_once_and_only_on_request(tmp_path: Path) -> None:
    path = tmp_path / "t.sqlite"
    searched(path, "far", elsewhere, policy="exhaustive")
    one = searched(path, "here", seconds, policy="exhaustive", budget=shine.Budget(evaluations=1))
    assert one.rows[0].decisions == {"tile": 4, "together": True} and one.notes == ()
    for _ in range(2):
        again = searched(path, "here", seconds, policy="exhaustive", others=1)
        assert len(again.rows) == 8 and again.rows[1].decisions == {"tile": 4, "together": False}
        assert len(again.notes) == 1


def test_other_programs_and_other_candidates_are_left_out(tmp_path: Path) -> None:
    path = tmp_path / "t.sqlite"
    shine.tune(SQUARES, tiles, {"N": 17}, db=path, evaluator=ByFunction(elsewhere, 1.0, "far"))
    assert searched(path, "here", seconds, policy="exhaustive", others=3).notes == ()
    searched(path, "far", elsewhere, budget=shine.Budget(evaluations=1))
    with Database(path) as database:
        run = next(number for number, key in database.runs() if "16" in key.sizes and key.machine == "far")
        database.put(run, {"tile": 5, "together": True}, Result(State.MEASURED, 0.1, 9.0, 0.0))
        database.put(run, {"tile": 4}, Result(State.MEASURED, 0.1, 9.0, 0.0))
    found = searched(path, "there", seconds, others=3)
    assert len(found.rows) == 8 and all(row.decisions["tile"] != 5 for row in found.rows)
