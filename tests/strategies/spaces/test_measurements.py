"""Bounds compared with measurements: all candidates of a product, as stored in `tests/data/tuning`. Times nothing."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import rise
from rise.hardware import processor
from strategies.spaces.models import Setting
from strategies.spaces.products import product
from strategies.spaces.replay import leaves, text_of
from strategies.spaces.tree import Tree

TABLE = Path(__file__).resolve().parents[2] / "data" / "tuning" / "product_256.json"
PRODUCT = rise.parse(
    "val main = fun(a: M.K.f32, b: K.N.f32 => a |> map(fun(row => transpose(b)"
    " |> map(fun(column => zip(row, column) |> map(mul) |> reduce(add, 0.0))))))"
)


@cache
def measured() -> tuple[Setting, dict[str, float]]:
    """The measurements: the setting, and seconds by decisions."""
    table: Any = json.loads(TABLE.read_text(encoding="utf-8"))
    at = Setting(PRODUCT.main, {"M": 256, "N": 256, "K": 256}, processor(table["processor"]))
    names = table["columns"][:-3]
    return at, {
        text_of({name: value for name, value in zip(names, row, strict=False) if value != "-"}): row[-3]
        for row in table["rows"]
    }


def test_every_candidate_was_measured() -> None:
    at, seconds = measured()
    assert {text_of(leaf.decisions) for leaf in leaves(product.on(at.machine))} == seconds.keys()


def test_no_bound_is_above_a_measurement() -> None:
    at, seconds = measured()
    tree = Tree(product.on(at.machine), at)
    for text, time in seconds.items():
        prefix = tree.find(json.loads(text))
        while prefix is not None:
            assert prefix.bound.time <= time, (text, prefix.bound)
            prefix = prefix.parent
