"""Every public function of the packages answers values of a wrong kind with a diagnostic, and not from inside.

A diagnostic says what was expected and what to do. Constructors are for code that has checked what it builds, and are
not among these.
"""

from __future__ import annotations

import inspect
import traceback
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import elevate
import rise
import shine
import strategies
from elevate import Strategy, StrategyError, derive
from rise import RiseError
from strategies.rules.fusion import mapFusion
from tests.examples import THOROUGH

PROGRAM = rise.parse("val main = fun(xs: N.f32 => xs |> map(fun(x => x + 1.0)) |> map(fun(x => x * 2.0)))")
DERIVATION = derive(elevate.topDown(mapFusion), PROGRAM.main)
RIGHT: tuple[Any, ...] = (PROGRAM.main, mapFusion, "x", DERIVATION)
WRONG: tuple[Any, ...] = (
    None,
    True,
    -1,
    3.5,
    10**30,
    "",
    "x",
    b"x",
    [1, [2]],
    {"a": 1},
    (),
    (0,),
    object(),
    lambda found: found,
    np.zeros(3, np.float32),
    PROGRAM.main,
    PROGRAM.main.type,
    mapFusion,
    DERIVATION,
    rise.f32,
)


def functions() -> Iterator[tuple[str, Callable[..., Any]]]:
    """The public functions, by their names."""
    for package in (elevate, rise, shine, strategies):
        for name in package.__all__:
            found = getattr(package, name)
            if inspect.isfunction(found):
                yield f"{package.__name__}.{name}", found


def calls(function: Callable[..., Any]) -> Iterator[tuple[tuple[Any, ...], dict[str, Any]]]:
    """Arguments with a wrong value at each place in turn."""
    parameters = inspect.signature(function).parameters.values()
    required = [
        one
        for one in parameters
        if one.default is one.empty and one.kind in (one.POSITIONAL_ONLY, one.POSITIONAL_OR_KEYWORD)
    ]
    named = {one.name: "x" for one in parameters if one.kind is one.KEYWORD_ONLY and one.default is one.empty}
    count = len(required) or int(any(one.kind is one.VAR_POSITIONAL for one in parameters))
    for place in range(count):
        for right in RIGHT if count > 1 else RIGHT[:1]:
            for wrong in WRONG:
                given = [right] * count
                given[place] = wrong
                yield tuple(given), named


NAMES = dict(functions())


def test_there_are_functions() -> None:
    assert {
        "elevate.run",
        "elevate.lChoice",
        "rise.parse",
        "shine.compile",
        "strategies.load",
    } <= NAMES.keys()


@pytest.mark.parametrize("name", NAMES)
def test_wrong_arguments_end_in_a_diagnostic(name: str) -> None:
    found: list[str] = []
    for given, named in calls(NAMES[name]):
        try:
            made = NAMES[name](*given, **named)
            if isinstance(made, Iterator):
                list(made)
            if isinstance(made, Strategy):
                made(PROGRAM.main)
        except (RiseError, StrategyError) as error:
            if not (error.diagnostic.hint or error.diagnostic.labels):
                found.append(f"it says nothing of what to do: {error}")
        except Exception as error:
            where = traceback.extract_tb(error.__traceback__)[-1]
            found.append(
                f"{type(error).__name__}: {error} in {where.filename}:{where.lineno} of {given!r:.200}"
            )
    assert not found[: None if THOROUGH else 5]
