"""What default strategies for processors make parallel is accepted, and the rest runs in order, as a step says."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings

import rise
import shine
import strategies
from elevate.combinators import Named
from elevate.strategy import Seq
from rise.analysis.writes import not_apart
from rise.testing import Run, pipelines
from shine.translate import translate
from strategies.parts.one_thread import oneThreadUnlessApart
from tests.examples import examples

DEFAULTS = ("strategies.openmp:parallel", "strategies.sequential:sequential")
ISSUE = "fun(a: N.4.f32 => transpose(a |> split(3)) |> split(3))"
#: the proof does not follow these indices yet
IN_ORDER = [
    ISSUE,
    "fun({N: nat where 3 divides N}, a: N.4.f32 => transpose(a |> split(3)) |> split(3))",
    "fun(a: N.4.f32 => a |> drop(1) |> split(3) |> transpose)",
    "fun(a: N.12.f32 => transpose(a |> split(3)) |> map(join) |> split(3))",
]
PARALLEL = [
    "fun(a: N.4.f32 => a |> transpose |> split(2))",
    "fun(a: (3*N).4.f32 => a |> split(3) |> transpose)",
    "fun(a: N.4.f32 => a |> map(fun(row => row |> drop(1))))",
    "fun(a: N.4.f32 => a |> map(fun(row => row |> scatter(generate(fromEnd)))) |> transpose)",
    "fun(a: N.4.f32 => scatter(generate(fromEnd), a |> map(map(fun(x => pair(x, 2.0 * x))))))",
]
ROWS = np.arange(36, dtype=np.float32).reshape(9, 4)


def flat(value: Any) -> list[Any]:
    return [one for part in value for one in flat(part)] if isinstance(value, tuple) else [value]


def assert_meant(e: rise.Expr, low: rise.Expr, *arguments: Any) -> None:
    expected = flat(rise.evaluate(e, *arguments))
    found = flat(shine.compile(low, target="interpret")(*arguments))
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-5)


@pytest.mark.parametrize("text", IN_ORDER)
def test_what_is_not_proved_runs_in_order(text: str) -> None:
    e = rise.parse(text).main
    rows = ROWS[:7] if "drop" in text else np.tile(ROWS, 3) if "N.12" in text else ROWS
    result = strategies.load(DEFAULTS[0])(e)
    assert [str(step.rule) for step in result.steps].count("mapParToMapSeq") == 1
    assert "mapPar" not in rise.show(result.program)
    assert_meant(e, result.program, rows)
    np.testing.assert_array_equal(
        shine.compile(result.program, target="openmp")(rows), rise.evaluate(e, rows)
    )


@pytest.mark.parametrize("text", PARALLEL)
def test_what_is_proved_stays_parallel(text: str) -> None:
    e = rise.parse(text).main
    result = strategies.load(DEFAULTS[0])(e)
    assert "mapParToMapSeq" not in [str(step.rule) for step in result.steps]
    assert "mapPar" in rise.show(result.program)
    assert_meant(e, result.program, ROWS)


def test_only_loops_that_are_not_apart_run_in_order() -> None:
    low = rise.parse(
        "fun(a: N.4.f32 => pair(toMem(Local, a |> mapPar(mapSeq(id))) |> mapPar(mapSeq(id)) |> split(3) |> transpose"
        " |> split(3), a |> mapPar(mapSeq(id))))"
    ).main
    (path,) = not_apart(low)
    result = oneThreadUnlessApart(low)
    assert [step.path for step in result.steps] == [path]
    assert rise.show(result.program).count("mapPar") == 2


def test_nothing_is_done_to_a_program_without_threads() -> None:
    low = rise.parse("fun(a: N.f32 => a |> mapSeq(fun(x => x)))").main
    assert not_apart(low) == ()
    assert oneThreadUnlessApart(low).program is low


def test_a_depleted_loop_needs_no_proof() -> None:
    for text in ("fun(a: 1.f32 => a |> mapPar(fun(x => x)))", "fun(a: 0.f32 => a |> mapPar(fun(x => x)))"):
        assert not_apart(rise.parse(text).main) == ()


@given(pipelines())
@settings(max_examples=examples(30))
def test_every_program_that_means_something_is_lowered_and_runs(run: Run) -> None:
    try:
        rise.evaluate(run.program, *run.arguments)
    except rise.RiseError:
        assume(False)
    for name in DEFAULTS:
        assert_meant(run.program, strategies.load(name)(run.program).program, *run.arguments)


def before_the_question() -> Any:
    strategy: Any = strategies.load(DEFAULTS[0])
    while isinstance(strategy, Named):
        strategy = strategy.body
    assert isinstance(strategy, Seq)
    return Seq(strategy.parts[: strategy.parts.index(oneThreadUnlessApart)])


@given(pipelines())
@settings(max_examples=examples(30))
def test_a_strategy_knows_what_the_translation_would_refuse(run: Run) -> None:
    low = before_the_question()(run.program).program
    refused = ""
    try:
        translate(low)
    except rise.RiseError as error:
        refused = error.diagnostic.code
    assert bool(not_apart(low)) == (refused == "parallel-write"), refused
