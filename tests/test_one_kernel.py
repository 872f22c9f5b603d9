"""One strategy, one kernel, however it is requested; and the kernel has only loops from the program or the strategy.

All cases in soak; otherwise those whose loops passes change most. `tests/cases/test_texts.py` compares, for all cases,
what is passed on to the targets for a named strategy and for none; here the texts themselves are compared.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TypeAlias

import pytest

import elevate
import rise
import shine
import strategies
from shine.cli import request as requests
from shine.cli.request import Request
from shine.front.derivation import Derivation
from shine.imperative.text import write_procedure
from shine.passes.record import run_passes
from shine.targets import TARGETS
from shine.targets.c.printer import print_procedure
from shine.targets.cuda.printer import print_program
from shine.targets.target import switches
from tests.cli.commands import shine as command
from tests.examples import THOROUGH, some

CASES = Path(__file__).resolve().parents[1] / "cases"
#: peeled, unrolled and jammed, unjoined, prefetched, narrowed, marked, joined; and one that no pass changes
CHANGED = (
    "laplace",
    "n_body",
    "conv2d_layer",
    "softmax",
    "gemm_f32",
    "moving_average",
    "running_max",
    "axpy",
    "heat_steps",
)
#: passes that change none of the cases: tests/shine/passes has programs that they change
ELSEWHERE = ("narrow_vectors", "interleave_searches")
NAMES = sorted(path.stem for path in CASES.glob("*.rise")) if THOROUGH else CHANGED
OPENMP = TARGETS["openmp"]
CONV2D = CASES / "conv2d.rise"


Lowered: TypeAlias = tuple[Request, requests.Chosen, Derivation]


def lowered(name: str, target: str, strategy: str | None) -> Lowered:
    """The request of a command, and the program lowered by its strategy."""
    first = next(one.name for one in TARGETS.values() if one.strategy == TARGETS[target].strategy)
    asked, chosen, low = derived(name, first, strategy)
    return replace(asked, target=target), chosen, low


@cache
def derived(name: str, target: str, strategy: str | None) -> Lowered:
    """The same derivation; targets with the same default strategy share it."""
    asked = Request(str(CASES / f"{name}.rise"), strategy=strategy, target=target)
    chosen = requests.choose(asked)
    return asked, chosen, requests.lower(asked, chosen)


def text(name: str, target: str, strategy: str | None, **options: bool) -> str:
    """The text that is compiled or interpreted for a command."""
    asked, chosen, low = lowered(name, target, strategy)
    found = TARGETS[target]
    settled = found.settle(found.complete({**requests.target_options(asked, found), **options}))
    program = run_passes(found.passes, requests.imperative(asked, chosen, low), settled)
    if target == "openmp":
        return print_procedure(program, settled["check"], settled["threads"]).text
    if target == "interpret":
        return found.outline(program, settled)[0]
    return print_program(program, settled["arch"], wide=False).source


def loops(source: str) -> int:
    """The number of loops in a text, in C or in the imperative IR."""
    return len(re.findall(r"^ *for\b", source, re.MULTILINE))


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("name", NAMES if THOROUGH else ("conv2d_layer", "axpy"))
def test_a_named_strategy_gives_the_same_text_as_by_default(name: str, target: str) -> None:
    assert text(name, target, TARGETS[target].strategy) == text(name, target, None)


@pytest.mark.parametrize("name", some(NAMES, 2))
def test_with_all_passes_off_the_loops_are_those_of_the_translated_program(name: str) -> None:
    asked, chosen, low = lowered(name, "openmp", None)
    translated, _ = write_procedure(requests.imperative(asked, chosen, low))
    off = {one.name: False for one in switches(OPENMP.passes)}
    source = text(name, "openmp", None, **off)
    assert loops(source) == loops(translated)
    assert "__builtin_prefetch" not in source and "omp simd" not in source
    assert source.count("#pragma GCC unroll") <= translated.count("(unroll)")


@pytest.mark.parametrize("name", NAMES)
def test_the_stage_imperative_has_the_loops_that_are_printed(name: str) -> None:
    asked, chosen, low = lowered(name, "openmp", None)
    shown, _ = requests.outline(asked, chosen, low)
    source = text(name, "openmp", None)
    assert loops(source) == loops(shown)
    assert source.count("__builtin_prefetch") == shown.count("prefetch ")
    assert source.count("omp simd") == shown.count("(simd)")


def test_passes_change_the_cases() -> None:
    """Each pass with an option changes one of them."""
    found = set()
    for name in CHANGED:
        asked, chosen, low = lowered(name, "openmp", None)
        before, done = requests.passed(asked, chosen, low)
        for one, after in done:
            found |= {one.name} if after != before else set()
            before = after  # type: ignore[assignment]  # this target's programs are procedures
    assert found >= {one.name for one in OPENMP.passes if one.option and one.name not in ELSEWHERE}


def test_a_term_determines_its_kernel(tmp_path: Path) -> None:
    """By the command, in Python, and from the saved derivation."""
    saved = tmp_path / "conv2d.json"
    shown = command("show", CONV2D, "--stage", "source")
    assert shown.status == 0 and "n_block" in shown.out
    assert command("show", CONV2D, "--stage", "derivation", "--output", saved).status == 0
    assert command("show", CONV2D, "--stage", "source", "--strategy", saved).out == shown.out
    low = strategies.load(OPENMP.strategy)(rise.parse_file(CONV2D).main)
    assert isinstance(low, elevate.Success)
    assert shine.compile(low.program, name="conv2d").source == shown.out


def test_passes_only_change_loops_that_strategies_permit() -> None:
    """A lowered program that was written by hand keeps its loops."""
    low = """fun(weights: K.f32, xs: (N + K).f32 =>
        xs |> slide(K, 1) |> mapPar(fun(w => zip(weights, w) |> reduceSeq(fun(a, p => a + fst(p) * snd(p)), 0.0))))"""
    plain = shine.compile(rise.parse(low).main).source
    assert loops(plain) == 2
    assert loops(shine.compile(rise.parse(f"{low[:-1]} |> unrollAndJam)").main).source) > 2
