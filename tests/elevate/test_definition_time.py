"""Values that are not strategies are rejected at their definition, before anything runs."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import pytest

import elevate
import rise
from elevate import (
    Strategy,
    StrategyError,
    applyNTimes,
    bind,
    child,
    id_,
    inOrder,
    named,
    one,
    position,
    repeatNTimes,
    seq,
    skip,
    topDown,
)
from strategies import tiling
from strategies.parts import nests
from strategies.rules.fusion import mapFusion
from strategies.rules.movement import splitJoin
from strategies.vocabulary import traversals

PROGRAM = rise.parse("fun(xs: 8.f32 => xs |> map(exp) |> map(sqrt))").main
ANY: Any = None


def returns_none() -> Strategy:
    @named
    def fuses() -> Strategy:
        topDown(mapFusion)  # the error that is tested: no `return`
        return ANY

    return fuses()


def call_each_other() -> Strategy:
    @named
    def there(depth: int) -> Strategy:
        return back(depth + 1)

    @named
    def back(depth: int) -> Strategy:
        return one(there(depth))

    return there(0)


DEFINITIONS: dict[str, tuple[Callable[[], Any], str]] = {
    'topDown("mapFusion")': (lambda: topDown("mapFusion"), "no-strategy"),  # type: ignore[arg-type]
    "topDown(splitJoin)": (lambda: topDown(splitJoin), "no-strategy"),  # type: ignore[arg-type]
    "mapFusion >> (lambda p: p)": (lambda: mapFusion >> (lambda p: p), "no-strategy"),  # type: ignore[operator]
    "seq(mapFusion, None)": (lambda: seq(mapFusion, ANY), "no-strategy"),
    "mapFusion | 3": (lambda: mapFusion | 3, "no-strategy"),  # type: ignore[operator]
    "seq([a, b])": (lambda: seq([mapFusion, mapFusion]), "no-strategy"),  # type: ignore[arg-type]
    "position(2)(program)": (lambda: position(2)(PROGRAM), "no-strategy"),  # type: ignore[arg-type]
    "topDown(topDown)": (lambda: topDown(topDown), "no-strategy"),  # type: ignore[arg-type]
    "rule @ strategy": (lambda: mapFusion @ topDown(mapFusion), "no-strategy"),
    "rule @ no traversal": (lambda: mapFusion @ (lambda inner: ANY), "no-strategy"),
    "@named that returns None": (returns_none, "no-strategy"),
    "definitions that call each other": (call_each_other, "endless-definition"),
    'position("2")': (lambda: position("2"), "no-count"),  # type: ignore[arg-type]
    "skip(-1)": (lambda: skip(-1), "no-count"),
    "child(1.0)": (lambda: child(1.0), "no-count"),  # type: ignore[arg-type]
    "repeatNTimes(True)": (lambda: repeatNTimes(True), "no-count"),
    'applyNTimes("2")': (lambda: applyNTimes("2"), "no-count"),  # type: ignore[arg-type]
    "inOrder(3)": (lambda: inOrder(3), "no-order"),  # type: ignore[arg-type]
    "bind(3)": (lambda: bind(3), "no-text"),  # type: ignore[arg-type]
    "LChoice(a, b)": (lambda: elevate.LChoice(mapFusion, mapFusion), "no-strategy"),  # type: ignore[arg-type,call-arg]
    "LChoice(1, 2)": (lambda: elevate.LChoice(1, 2), "no-strategy"),  # type: ignore[arg-type,call-arg]
    "Seq(a, b)": (lambda: elevate.Seq(mapFusion, mapFusion), "no-strategy"),  # type: ignore[arg-type,call-arg]
    "Where(3)": (lambda: elevate.Where(3), "no-function"),  # type: ignore[arg-type]
    'FunctionRule("a", "b")': (lambda: elevate.FunctionRule("a", "b"), "no-function"),  # type: ignore[arg-type]
    "FunctionRule(3, str)": (lambda: elevate.FunctionRule(3, ANY), "no-text"),  # type: ignore[arg-type]
    "Recorded(3, ())": (lambda: elevate.Recorded(3, ()), "no-text"),  # type: ignore[arg-type]
}


def test_fields_of_choices_and_sequences_have_names() -> None:
    assert elevate.LChoice(alternatives=(id_, id_)) == elevate.LChoice((id_, id_))
    assert elevate.Seq(parts=(id_, id_)) == elevate.Seq((id_, id_))


@pytest.mark.parametrize("written", DEFINITIONS)
def test_a_wrong_part_is_rejected_at_its_definition(written: str) -> None:
    make, code = DEFINITIONS[written]
    with pytest.raises(StrategyError) as caught:
        make()
    diagnostic = caught.value.diagnostic
    assert diagnostic.code == code
    assert diagnostic.hint
    assert any("test_definition_time.py:" in note for note in diagnostic.notes)


def test_the_place_is_the_line_of_the_value() -> None:
    line = inspect.currentframe().f_lineno + 2  # type: ignore[union-attr]  # CPython has frames
    with pytest.raises(StrategyError) as caught:
        traversals.fmap("mapFusion")  # type: ignore[arg-type]  # `fmap` only passes it on
    (note,) = caught.value.diagnostic.notes
    assert re.fullmatch(rf"at \S*test_definition_time\.py:{line}", note)


def test_definitions_that_call_each_other_are_named() -> None:
    with pytest.raises(StrategyError) as caught:
        call_each_other()
    assert "there -> back -> there" in caught.value.diagnostic.title
    assert len(caught.value.diagnostic.notes) == 2


def test_a_recursive_definition_that_terminates_is_accepted() -> None:
    @named
    def deep(depth: int) -> Strategy:
        return one(deep(depth - 1)) if depth else id_

    assert str(deep(3)) == "deep(3)"


def test_fields_of_user_strategies_are_checked_too() -> None:
    @dataclass(frozen=True, slots=True)
    class Both(Strategy):
        first: elevate.Strategy
        others: tuple[elevate.Strategy, ...]

    assert Both(id_, (id_,))
    for wrong in (lambda: Both(ANY, ()), lambda: Both(id_, (id_, ANY)), lambda: Both(id_, [id_])):  # type: ignore[arg-type]
        with pytest.raises(StrategyError, match="no-strategy"):
            wrong()


MODULES: tuple[ModuleType, ...] = (elevate, traversals, tiling, nests)
REMAINING = {"elevate.Failure": "is made by engines", "elevate.Warning_": "is made by an analysis"}


def takers() -> Iterator[tuple[str, Callable[..., Any], str]]:
    """Public callables with a parameter that is annotated as a strategy, and the name of that parameter."""
    for module in MODULES:
        for name, found in vars(module).items():
            if name.startswith("_") or not callable(found) or isinstance(found, Strategy | ModuleType):
                continue
            try:
                parameters = inspect.signature(found).parameters
            except (TypeError, ValueError):
                continue
            for parameter in parameters.values():
                if str(parameter.annotation).strip("'\"") == "Strategy":
                    yield f"{module.__name__}.{name}", found, parameter.name


TAKERS = [each for each in takers() if each[0] not in REMAINING]


def test_there_are_many_functions_with_strategy_parameters() -> None:
    assert len(TAKERS) > 40


@pytest.mark.parametrize(("name", "make", "wrong"), TAKERS, ids=[f"{n}-{p}" for n, _, p in TAKERS])
def test_every_public_function_rejects_values_that_are_not_strategies(
    name: str, make: Callable[..., Any], wrong: str
) -> None:
    for value in ("mapFusion", None, splitJoin, PROGRAM):
        given: list[Any] = []
        keywords: dict[str, Any] = {}
        for parameter in inspect.signature(make).parameters.values():
            if parameter.name == wrong:
                right: Any = value
            elif parameter.default is not parameter.empty:
                continue
            elif str(parameter.annotation).strip("'\"").startswith(("Strategy", "tuple[Strategy")):
                right = () if "tuple" in str(parameter.annotation) else id_
            elif "int" in str(parameter.annotation):
                right = 1
            else:
                right = PROGRAM if parameter.name in ("program", "term") else "x"
            if parameter.kind is parameter.KEYWORD_ONLY:
                keywords[parameter.name] = right
            else:
                given.append(right)
        with pytest.raises(StrategyError) as caught:
            make(*given, **keywords)
        assert caught.value.diagnostic.code == "no-strategy", caught.value
