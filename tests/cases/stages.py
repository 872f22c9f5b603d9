"""The stages of each case: terms, lowered programs, and the texts that targets print. Compiles nothing."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any, Final

import elevate
import rise
import shine
import strategies
from cases.case_files import Case, read_case
from elevate import Strategy
from rise.programs.program import Program as RiseProgram
from shine.front.derivation import Derivation, derive
from shine.front.lowering import load_strategy
from shine.imperative.kernels import GpuProgram
from shine.passes.record import Program, Settings, run_passes
from shine.targets.c.printer import print_procedure
from shine.targets.cuda.printer import print_program
from shine.translate import translate

ROOT: Final = Path(__file__).resolve().parents[2]
CASES: Final = [
    read_case(path.stem, path.read_text(encoding="utf-8")) for path in sorted((ROOT / "cases").glob("*.rise"))
]
#: targets on which their own strategy, which lowers any program, is used instead of the case's
WITH_THEIR_OWN: Final = ("cuda-sim",)
#: the architecture of the CUDA texts: one for which all machines of CI can print
ARCH: Final = "sm_80"


@cache
def parsed(case: Case) -> RiseProgram:
    """The definitions of a case."""
    return rise.parse(case.text, case.name)


@cache
def program(case: Case) -> rise.Expr:
    """The main term of a case."""
    return parsed(case).main


@cache
def lowered(case: Case, executor: str) -> rise.Expr:
    """The program lowered by the case's strategy, or by the target's own strategy if the target uses that."""
    if executor in WITH_THEIR_OWN:
        return by_default(case, executor)
    result = strategies.load(case.strategy, **dict(case.params))(program(case))
    assert isinstance(result, elevate.Success), f"{case.strategy} fails:\n{result.explain()}"
    low: rise.Expr = result.program
    return low


def by_default(case: Case, target: str) -> rise.Expr:
    """The program lowered by the strategy of a target."""
    return derivation(case, target).result


def derivation(case: Case, target: str) -> Derivation:
    """The derivation by the strategy of a target. Targets with the same strategy share it."""
    return _derivation(case, shine.TARGETS[target].strategy)


@cache
def _derivation(case: Case, address: str) -> Derivation:
    return derive(loaded(address), program(case), case.name)


@cache
def loaded(address: str, arch: str | None = None, /, **parameters: Any) -> Strategy:
    """A strategy; equal strategies are the same object, since comparing them takes as long as constructing them."""
    return _same(load_strategy(address, arch, **parameters))


@cache
def _same(strategy: Strategy) -> Strategy:
    return strategy


@cache
def passed(case: Case, target: str) -> Program:
    """The result of the passes of the target, openmp or cuda, for a case under the target's strategy."""
    low = by_default(case, target)
    if not case.is_symbolic:
        low = rise.specialise(low, **dict(case.sizes[-1]))
    return passed_term(low, case.name, target)


def passed_term(low: rise.Expr, name: str, target: str) -> Program:
    """The result of the passes of the target, openmp or cuda, for a lowered term."""
    found = shine.TARGETS[target]
    return run_passes(found.passes, translate(low, name, found.levels), settled(target))


def settled(target: str) -> Settings:
    """The options of a target for which texts are printed."""
    found = shine.TARGETS[target]
    return found.settle(found.complete({"arch": ARCH} if target.startswith("cuda") else {}))


def text(case: Case, target: str) -> str:
    """The text of a case under the strategy of the target, openmp or cuda."""
    return printed(passed(case, target), target)


def printed(program: Program, target: str) -> str:
    """The text of a program after all passes."""
    if isinstance(program, GpuProgram):
        return print_program(program, ARCH, wide=False).source
    options = settled(target)
    return print_procedure(program, options["check"], options["threads"]).text
