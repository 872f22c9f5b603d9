"""Default strategies for processors lower every program, and the translation accepts their parallel loops."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings

import rise
import shine
import strategies
from rise.testing import Run, pipelines
from tests.examples import examples

DEFAULTS = ("strategies.openmp:parallel", "strategies.sequential:sequential")
PARALLEL = [
    "fun(a: N.4.f32 => transpose(a |> split(3)) |> split(3))",
    "fun({N: nat where 3 divides N}, a: N.4.f32 => transpose(a |> split(3)) |> split(3))",
    "fun(a: N.4.f32 => a |> drop(1) |> split(3) |> transpose)",
    "fun(a: N.12.f32 => transpose(a |> split(3)) |> map(join) |> split(3))",
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


@pytest.mark.parametrize("text", PARALLEL)
def test_results_that_are_rearranged_are_computed_in_parallel(text: str) -> None:
    e = rise.parse(text).main
    rows = ROWS[:7] if "drop(1) |> split" in text else np.tile(ROWS, 3) if "N.12" in text else ROWS
    low = strategies.load(DEFAULTS[0])(e).program
    assert "mapPar" in rise.show(low)
    assert_meant(e, low, rows)


@given(pipelines())
@settings(max_examples=examples(30))
def test_every_program_with_a_meaning_is_lowered_and_runs(run: Run) -> None:
    try:
        rise.evaluate(run.program, *run.arguments)
    except rise.RiseError:
        assume(False)
    for name in DEFAULTS:
        assert_meant(run.program, strategies.load(name)(run.program).program, *run.arguments)
