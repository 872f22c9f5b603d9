"""Saved derivations with wrong or deeply nested contents: one diagnostic each, and no code in a text is run."""

from __future__ import annotations

import dataclasses
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import elevate
import rise
import strategies
from elevate import Derivation, Rule, Strategy, StrategyError, derive, id_
from elevate.derivations.addresses import address_of, rule_at
from rise.terms import Expr
from strategies.parts.scans import scanInParts
from strategies.registry import strategies as library
from strategies.rules.movement import splitJoin
from strategies.saved_derivations import known_rules, load_derivation, read_derivation, read_parameter

PROGRAM = rise.parse("val main = fun(xs: 12.f32 => xs |> map(fun(x => x + 1.0)))").main
DEEP = 20_000
HOSTILE: tuple[Any, ...] = (
    None,
    True,
    -1,
    10**30,
    1.5,
    "",
    "\ud800",
    "\0",
    '"); import os; ("',
    "-" * DEEP + "1",
    "(" * DEEP + "1" + ")" * DEEP,
    "min(" * 1000 + "1, 2" + ")" * 1000,
    "9" * 5000,
    "9" * 100,
    "\N{MATHEMATICAL BOLD DIGIT ONE}",
    "n).f32 -> (m",
    [],
    [[[]]],
    {},
    {"rule": 1},
)


@pytest.fixture(scope="module")
def saved() -> tuple[Derivation[Expr], dict[str, Any]]:
    """A derivation of one step, and its JSON as data."""
    made = derive(elevate.topDown(splitJoin(4)), PROGRAM)
    assert isinstance(made, Derivation)
    return made, json.loads(elevate.to_json(elevate.recording(made)))


def rules_in(strategy: object) -> Iterator[Rule]:
    """The rules that a strategy applies, at any depth."""
    seen: set[int] = set()
    waiting = [strategy]
    while waiting:
        part = waiting.pop()
        if isinstance(part, tuple):
            waiting += part
        elif isinstance(part, Rule):
            yield part
        elif isinstance(part, Strategy) and id(part) not in seen:
            seen.add(id(part))
            waiting += (getattr(part, field.name) for field in dataclasses.fields(part))  # type: ignore[arg-type]  # a dataclass


def test_the_rules_of_all_strategies_have_addresses_that_files_may_name() -> None:
    """Otherwise a derivation by the strategy could not be saved, or not be read back."""
    loaded = [
        strategies.load(address)
        for address, entry in library().items()
        if all("=" in name and not name.endswith("=...") for name in entry.parameters)
    ]
    rules = {rule for strategy in loaded for rule in rules_in(strategy)}
    rules |= set(rules_in(scanInParts(4, id_, id_)))
    assert len(rules) > 200
    for rule in rules:
        assert rule_at(address_of(rule), known_rules(), read_parameter) == rule


def changed(found: Any, value: Any) -> Iterator[Any]:
    """The same data with another value at one place, for each place."""
    yield value
    if isinstance(found, dict):
        for key, inner in found.items():
            yield from ({**found, key: other} for other in changed(inner, value))
    if isinstance(found, list):
        for at, inner in enumerate(found):
            yield from ([*found[:at], other, *found[at + 1 :]] for other in changed(inner, value))


@pytest.mark.parametrize("value", HOSTILE, ids=lambda value: repr(value)[:12])
def test_any_value_anywhere_is_read_or_refused(
    value: Any, saved: tuple[Derivation[Expr], dict[str, Any]]
) -> None:
    refused: list[StrategyError] = []
    for data in changed(saved[1], value):
        try:
            read = read_derivation(json.dumps(data))
            read(PROGRAM)
            again = read_derivation(elevate.to_json(read))
            assert again == read
            assert read_derivation(elevate.to_python(read), is_python=True) == read
        except StrategyError as error:
            refused.append(error)
    assert refused
    assert all(len(str(error)) < 1000 and error.diagnostic.hint for error in refused)


PYTHON = """
from elevate import record, recorded
from strategies.rules.movement import splitJoin

derivation = recorded("given", record({}, "", "after"))
"""


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(
    "rule",
    [
        f"splitJoin({'-' * DEEP}1)",
        f"splitJoin({'(' * DEEP}1{')' * DEEP})",
        f"splitJoin(4){'.inv' * DEEP}",
        f"splitJoin({'[' * 90}{']' * 90})",
        "splitJoin(" + "1 + " * DEEP + "1)",
        "splitJoin(-4)",
        "splitJoin(4, 4)",
        "splitJoin(size=4)",
        "splitJoin",
        "splitJoin(4)(4)",
        "print",
        "splitJoin(" + "9" * 5000 + ")",
        "splitJoin(" + "9" * 100 + ")",
        "splitJoin(4if 1 else 2)",  # Python warns of it
    ],
    ids=lambda rule: rule[:20],
)
def test_scripts_with_other_contents_are_rejected(rule: str) -> None:
    with pytest.raises(StrategyError) as caught:
        read_derivation(PYTHON.format(rule), is_python=True)
    assert caught.value.diagnostic.code in ("derivation-file", "family-sizes")
    assert len(str(caught.value)) < 1000 and caught.value.diagnostic.hint


@pytest.mark.parametrize("parameter", [True, None, 4.0, ["4"], {}])
def test_parameters_are_numbers_or_texts(
    parameter: object, saved: tuple[Derivation[Expr], dict[str, Any]]
) -> None:
    """`true` would be read as a size called True."""
    (step,) = saved[1]["steps"]
    data = {**saved[1], "steps": [{**step, "parameters": [parameter]}]}
    with pytest.raises(StrategyError, match="step 1: expected"):
        read_derivation(json.dumps(data))


@pytest.mark.parametrize("text", ["[" * DEEP, '{"a":' * DEEP, "9" * 5000, "NaN", "\0"])
def test_texts_that_are_not_derivations_are_rejected(text: str) -> None:
    for is_python in (False, True):
        with pytest.raises(StrategyError) as caught:
            read_derivation(text, is_python)
        assert caught.value.diagnostic.code == "derivation-file"
    assert sys.getrecursionlimit() < DEEP


@pytest.mark.parametrize(
    ("path", "content", "said"),
    [
        ("missing.json", None, "cannot be read: No such file"),
        ("", None, "cannot be read: Is a directory"),
        ("a\0b.json", None, "cannot be read: embedded null byte"),
        ("latin.json", b"\xe9", "expected UTF-8"),
        ("empty.json", b"", "empty.json: "),
        ("wrong.py", b"1 +", "wrong.py: this is not Python"),
    ],
)
def test_unreadable_files_are_rejected(path: str, content: bytes | None, said: str, tmp_path: Path) -> None:
    if content is not None:
        (tmp_path / path).write_bytes(content)
    with pytest.raises(StrategyError, match=said) as caught:
        load_derivation(tmp_path / path)
    assert caught.value.diagnostic.hint
