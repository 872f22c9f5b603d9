"""Every public function of the packages reports arguments of the wrong type by a diagnostic, not an internal error.

A diagnostic says what was expected and what to do. Constructors are for code that has checked its arguments, and are
not included.
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
from shine import simulator
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
    """Arguments with a wrong value at each position in turn."""
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


def test_there_are_public_functions() -> None:
    assert {
        "elevate.run",
        "elevate.lChoice",
        "rise.parse",
        "shine.compile",
        "strategies.load",
    } <= NAMES.keys()


@pytest.mark.parametrize("name", NAMES)
def test_wrong_arguments_cause_a_diagnostic(name: str) -> None:
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
                found.append(f"there is no hint: {error}")
        except Exception as error:
            where = traceback.extract_tb(error.__traceback__)[-1]
            found.append(
                f"{type(error).__name__}: {error} in {where.filename}:{where.lineno} of {given!r:.200}"
            )
    assert not found[: None if THOROUGH else 5]


LOW = rise.parse("fun(xs: N.f32 => xs |> mapSeq(fun(x => x + 1.0)))").main
KERNEL = shine.compile(LOW, "interpret")
CALLS: dict[str, Callable[[Any], object]] = {
    "target": lambda wrong: shine.compile(LOW, wrong),
    "name": lambda wrong: shine.compile(LOW, "interpret", name=wrong),
    "foreign": lambda wrong: shine.compile(LOW, "interpret", foreign=wrong),
    "arch": lambda wrong: shine.compile(LOW, "cuda", arch=wrong),
    "cache": lambda wrong: shine.compile(LOW, "openmp", cache=[wrong]),
    "unknown option": lambda wrong: shine.compile(LOW, "interpret", nothing=wrong),
    "size": lambda wrong: rise.specialise(LOW, N=wrong),
    "sizes": lambda wrong: KERNEL(np.zeros(3, np.float32), sizes=wrong),
    "stream": lambda wrong: KERNEL(np.zeros(3, np.float32), stream=wrong),
    "line": lambda wrong: KERNEL.origin_of_line(wrong),
    "file": lambda wrong: rise.parse("1 + 1", wrong),
    "context": lambda wrong: rise.parse_expr("x", wrong),
    "type in a context": lambda wrong: rise.parse_expr("x", {"x": wrong}),
    "width": lambda wrong: rise.show(LOW, wrong),
    "definition": lambda wrong: PROGRAM[wrong],
    "dimension": lambda wrong: rise.f32[wrong],
    "foreign functions": lambda wrong: rise.evaluate(LOW, np.zeros(3, np.float32), foreign=wrong),
    "parameter": lambda wrong: strategies.load("strategies.openmp:parallel", tile=wrong),
    "simulated text": lambda wrong: simulator.build(wrong),
    "simulator's cache": lambda wrong: simulator.build("__global__ void f() {}", cache=[wrong]),
    "simulator's compiler": lambda wrong: simulator.build("__global__ void f() {}", cxx=(wrong,)),
}


@pytest.mark.parametrize("name", CALLS)
def test_wrong_options_cause_a_diagnostic(name: str) -> None:
    found: list[str] = []
    refused = 0
    for wrong in (*WRONG, "\0", "\ud800"):
        try:
            CALLS[name](wrong)
        except (RiseError, StrategyError):
            refused += 1
        except Exception as error:
            where = traceback.extract_tb(error.__traceback__)[-1]
            found.append(
                f"{type(error).__name__}: {error} in {where.filename}:{where.lineno} of {wrong!r:.200}"
            )
    assert refused and not found[: None if THOROUGH else 5]
