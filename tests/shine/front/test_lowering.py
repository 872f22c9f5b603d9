"""Compiling programs by the target's own strategy, by another strategy, or without lowering."""

from __future__ import annotations

import gc
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import elevate
import rise
import shine
import strategies
from rise.diagnostics import RiseError
from rise.embedding import fold
from shine.front.lowering import is_lowered, load_strategy, lowered_kernel
from shine.targets import TARGETS
from tests.cli.commands import shine as command
from tests.examples import some

CASES = Path(__file__).resolve().parents[3] / "cases"
DOT = "fun(xs: N.f32, ys: N.f32 => zip(xs, ys) |> map(mul) |> reduce(add, 0.0))"
LOWERED = {
    "no loop": (DOT, False),
    "views alone": ("fun(xs: M.N.f32 => transpose(xs))", False),
    "a number": ("fun(x: f32 => x + 1.0)", False),
    "repeated": (
        "fun(xs: 8.f32 => xs |> iterate(2, fun(l: nat, ys: (2 * l).f32 => ys |> take(l) |> map(neg))))",
        False,
    ),
    "stored": ("fun(xs: 8.f32 => xs |> map(neg) |> toMem(Local) |> map(neg))", False),
    "a loop": ("fun(xs: N.f32 => mapSeq(neg)(xs))", True),
    "threads": ("fun(xs: N.f32 => mapPar(neg)(xs))", True),
    "rows": ("fun(m: N..(i |-> i.f32) => m |> depMapSeq(fun(i: nat => mapSeq(neg))))", True),
    "a loop beside a map": ("fun(xs: M.N.f32 => xs |> map(mapSeq(neg)))", True),
}


def main_of(text: str) -> rise.Expr:
    return rise.parse(text).main


@pytest.mark.parametrize("what", LOWERED)
def test_a_program_with_loops_is_lowered(what: str) -> None:
    text, expected = LOWERED[what]
    assert is_lowered(main_of(text)) is expected


@pytest.mark.parametrize("target", some(TARGETS, 2))
def test_a_program_without_loops_is_lowered_by_the_target(target: str) -> None:
    dot = main_of(DOT)
    lowered = strategies.load(TARGETS[target].strategy)(dot)
    assert isinstance(lowered, elevate.Success)
    by_hand = shine.compile(lowered.program, target)
    assert shine.compile(dot, target).source == by_hand.source
    assert shine.compile(dot, target, strategy=TARGETS[target].strategy).source == by_hand.source
    assert shine.compile(rise.parse(DOT), target).term == lowered.program


def test_the_command_lowers_programs_with_loops_as_if_the_strategy_were_named() -> None:
    """`shine.compile` translates them unchanged (decision 0022), and rejects them if a `map` remains."""
    horner = CASES / "horner.rise"
    unnamed = command("show", horner, "--stage", "source")
    named = command("show", horner, "--stage", "source", "--strategy", TARGETS["openmp"].strategy)
    assert unnamed.status == named.status == 0, unnamed.err
    assert unnamed.out == named.out
    with pytest.raises(RiseError, match="expected a low-level program"):
        shine.compile(rise.parse_file(horner))


@pytest.mark.parametrize("target", some(["openmp", "cuda"], 2))
def test_the_command_gives_the_same_text(target: str) -> None:
    path = CASES / "axpy.rise"
    said = command("show", path, "--target", target, "--stage", "source")
    assert said.status == 0, said.err
    assert shine.compile(rise.parse_file(path), target, name="axpy").source.strip() in said.out


def test_views_and_numbers_run() -> None:
    matrix = np.arange(6, dtype=np.float32).reshape(2, 3)
    assert (shine.compile(main_of(LOWERED["views alone"][0]), "interpret")(matrix) == matrix.T).all()
    assert shine.compile(main_of(LOWERED["a number"][0]), "interpret")(np.float32(1)) == 2


def test_a_strategy_is_given_by_value_by_address_or_by_file(tmp_path: Path) -> None:
    dot = main_of(DOT)
    address = "strategies.sequential:sequential"
    strategy = strategies.load(address)
    result = strategy(dot)
    assert isinstance(result, elevate.Success)
    saved = tmp_path / "dot.json"
    saved.write_text(
        elevate.to_json(elevate.recording(elevate.Derivation(dot, result.steps, result.program))),
        encoding="utf-8",
    )
    for one in (strategy, address, str(saved)):
        assert shine.compile(dot, "interpret", strategy=one).term == result.program
    assert load_strategy("strategies.rules.movement:splitJoin", n=4) == strategies.load(
        "strategies.rules.movement:splitJoin", n=4
    )


def test_a_strategy_that_is_named_runs_on_lowered_programs_too() -> None:
    low = main_of(LOWERED["a loop"][0])
    fused = strategies.load("strategies.rules.lowering:mapToMapSeq")
    with pytest.raises(RiseError) as caught:
        shine.compile(low, "interpret", strategy=fused)
    assert caught.value.diagnostic.code == "strategy-failed"


def test_an_error_in_a_program_with_loops_says_that_no_strategy_was_applied() -> None:
    text = "fun(xs: N.f32 => generate(fun(i: idx[N] => xs |> reduceSeq(fun(a, x => a + x), 0.0))))"
    program = rise.parse(text).main
    with pytest.raises(RiseError) as caught:
        shine.compile(program, "interpret")
    note = caught.value.diagnostic.notes[-1]
    assert note.startswith("no strategy was applied, since the program has loops already")
    named = note.partition('strategy="')[2].partition('"')[0]
    assert shine.compile(program, "interpret", strategy=named)(np.ones(3, np.float32)).tolist() == [3, 3, 3]


REFUSED: dict[str, tuple[dict[str, Any], str, str]] = {
    "half lowered": (
        {"program": LOWERED["a loop beside a map"][0]},
        "not-lowered",
        "expected a low-level program, found the high-level `map`",
    ),
    "a strategy that does not apply": (
        {"program": DOT, "strategy": "strategies.tensor_core:wmma"},
        "strategy-failed",
        "wmma does not apply to the program",
    ),
    "no such strategy": (
        {"program": DOT, "strategy": "strategies.openmp:paralel"},
        "unknown-strategy",
        "strategies.openmp has no strategy `paralel`",
    ),
    "no such target": (
        {"program": DOT, "target": "opencl"},
        "unknown-target",
        "no target is called `opencl`",
    ),
}


@pytest.mark.parametrize("what", REFUSED)
def test_error_messages(what: str) -> None:
    given, code, title = REFUSED[what]
    with pytest.raises((RiseError, elevate.StrategyError)) as caught:
        shine.compile(main_of(given["program"]), **{k: v for k, v in given.items() if k != "program"})
    found = caught.value.diagnostic
    assert (found.code, found.title[: len(title)]) == (code, title)
    assert found.hint


def test_values_that_are_not_strategies_are_rejected() -> None:
    with pytest.raises((RiseError, elevate.StrategyError)) as caught:
        shine.compile(main_of(DOT), strategy=3)  # type: ignore[arg-type]
    assert caught.value.diagnostic.title == "expected a strategy or its address `module:name`, found 3"


def test_parameters_of_a_saved_derivation_are_rejected() -> None:
    with pytest.raises(RiseError, match="takes no parameters"):
        load_strategy("derivation.json", n=3)


LATE = """
import sys
import shine
assert "compile" in dir(shine) and "compile" in shine.__all__
loaded = [name for name in sys.modules if name.partition(".")[0] in ("strategies", "elevate")]
assert not loaded, loaded
try:
    shine.compyle
except AttributeError as error:
    assert "compyle" in str(error)
assert not [name for name in sys.modules if name == "strategies"]
from shine import compile
assert compile.__module__ == "shine.front.compilation" and "strategies" not in sys.modules
"""


def test_importing_shine_loads_no_strategy() -> None:
    subprocess.run([sys.executable, "-c", LATE], check=True)


def test_a_text_must_be_parsed_first() -> None:
    with pytest.raises(RiseError) as error:
        shine.compile(DOT)  # type: ignore[arg-type]
    assert error.value.diagnostic.title == "expected a term, found a str"
    assert "`rise.parse(text)`" in error.value.diagnostic.hint


def polynomial(x: N.f32, coefficients: K.f32):  # type: ignore[no-untyped-def, name-defined] # noqa: F821
    """Horner's scheme: a sequential fold, and a map around it."""
    return fold(lambda total, c: total * x + c, np.zeros_like(x), coefficients)


def test_a_python_program_with_a_fold_is_lowered() -> None:
    program = rise.program(polynomial)
    x, coefficients = np.float32([1, 2, 3]), np.float32([1, 0, -2])
    np.testing.assert_allclose(shine.compile(program)(x, coefficients), x * x - 2)


def test_objects_of_a_long_program_are_not_collected_in_vain() -> None:
    blur = " |> padClamp(1, 1) |> slide(3, 1) |> map(fun(w => (idx(0, w) + idx(1, w) + idx(2, w)) * 0.3))"
    program = main_of(f"fun(x: (N+1).f32 => x{blur * 12})")
    seen: list[int] = []

    def notice(phase: str, info: dict[str, int]) -> None:
        if phase == "start":
            seen.append(gc.get_count()[0])

    usual = gc.get_threshold()
    gc.set_threshold(700, 10, 10)  # Python's own
    gc.collect(0)
    gc.callbacks.append(notice)
    try:
        lowered_kernel(program, "interpret", None, "kernel", (), None, {})
        assert len(seen) <= 1  # after it
        assert gc.get_threshold()[0] == 700
    finally:
        gc.callbacks.remove(notice)
        gc.set_threshold(*usual)
