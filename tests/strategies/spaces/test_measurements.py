"""Bounds compared with measurements of products, as stored in `tests/data/tuning`. Times nothing."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import rise
from rise.hardware import processor
from strategies.spaces import Leaf, leaves, load_space, replay
from strategies.spaces.holes import Decisions
from strategies.spaces.models import Setting, program_bound
from strategies.spaces.products import ALL, product, tiles_bound
from strategies.spaces.replay import text_of
from strategies.spaces.tree import Tree
from tests.examples import some

FOLDER = Path(__file__).resolve().parents[2] / "data" / "tuning"
TABLES = sorted(FOLDER.glob("product_*.json"))
OTHERS = sorted(set(FOLDER.glob("*.json")) - set(TABLES))
PRODUCT = rise.parse(
    "val main = fun(a: M.K.f32, b: K.N.f32 => a |> map(fun(row => transpose(b)"
    " |> map(fun(column => zip(row, column) |> map(mul) |> reduce(add, 0.0))))))"
)
#: columns of a table after the decisions
RESULTS = 3
#: how much slower than the best candidate one may be that is not excluded
CUTOFF = 1.05


@cache
def measured(path: Path) -> tuple[Setting, list[tuple[Decisions, float]]]:
    """The measurements: the setting, and the seconds of candidates."""
    table: Any = json.loads(path.read_text(encoding="utf-8"))
    machine = processor(table["processor"])
    at = Setting(PRODUCT.main, table["sizes"], machine, table["threads"], compiler=table["compiler"])
    names = table["columns"][:-RESULTS]
    rows = [
        ({name: value for name, value in zip(names, row, strict=False) if value != "-"}, row[-RESULTS])
        for row in table["rows"]
    ]
    for decisions, _ in rows:
        if decisions["loops"] in ("own", "panels"):
            decisions.setdefault("prefetch", ALL)  # older tables
    return at, rows


EVERY_TABLE = pytest.mark.parametrize("path", TABLES, ids=lambda path: path.stem)


@EVERY_TABLE
def test_measured_candidates_are_of_the_space(path: Path) -> None:
    at, rows = measured(path)
    for decisions, _ in rows:
        assert isinstance(replay(product.on(at.machine), decisions), Leaf), decisions


@EVERY_TABLE
def test_no_bound_is_above_a_measurement(path: Path) -> None:
    at, rows = measured(path)
    for decisions, seconds in rows:
        assert tiles_bound(at, decisions).time <= seconds, (decisions, tiles_bound(at, decisions))


@pytest.mark.parametrize("path", some(TABLES, 1), ids=lambda path: path.stem)
def test_no_bound_of_a_prefix_is_above_one_below_it_or_a_measurement(path: Path) -> None:
    at, rows = measured(path)
    tree = Tree(product.on(at.machine), at)
    assert tree.bounds.is_complete
    for decisions, seconds in rows:
        prefix = tree.find(decisions)
        assert prefix is not None, decisions
        while prefix.parent is not None:
            assert prefix.parent.bound.time <= prefix.bound.time <= seconds, (decisions, prefix.bound)
            prefix = prefix.parent


@pytest.mark.parametrize("path", OTHERS, ids=lambda path: path.stem)
def test_every_candidate_of_small_spaces_was_measured_and_is_above_its_bound(path: Path) -> None:
    table: Any = json.loads(path.read_text(encoding="utf-8"))
    program = rise.parse_file(FOLDER.parents[2] / table["program"]).main
    at = Setting(program, table["sizes"], processor(table["processor"]), table["threads"])
    names = table["columns"][:-RESULTS]
    found = {
        text_of({name: value for name, value in zip(names, row, strict=False) if value != "-"}): row[-RESULTS]
        for row in table["rows"]
    }
    every = leaves(load_space(table["space"]).on(at.machine))
    assert found.keys() == {text_of(leaf.decisions) for leaf in every}
    assert 0 < program_bound(at).time <= min(found.values())


#: the fraction of all candidates that bounds exclude, if the best measured time is known: the table of decision 0036
EXCLUDED = {
    "product_256_xeon": 0.2,
    "product_256_zen4": 0.33,
    "product_256_zen5": 0.55,
    "product_512_zen5": 0.62,
    "product_512_zen5_threads": 0.6,
}


@pytest.mark.parametrize("path", some(TABLES, 2), ids=lambda path: path.stem)
def test_bounds_exclude_candidates(path: Path) -> None:
    at, rows = measured(path)
    best = min(seconds for _, seconds in rows)
    every = {text_of(leaf.decisions): leaf.decisions for leaf in leaves(product.on(at.machine))}
    cut = sum(tiles_bound(at, decisions).time >= CUTOFF * best for decisions in every.values())
    assert round(cut / len(every), 2) == EXCLUDED[path.stem]
