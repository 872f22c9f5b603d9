"""Cases with what is made of them: terms, lowered programs, the texts that targets print. Compiles nothing."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any, Final

import elevate
import rise
import shine
import strategies
from cases.case_files import Case, read_case
from shine.imperative.kernels import GpuProgram
from shine.passes.record import Program, Settings, run_passes
from shine.targets.c.printer import print_procedure
from shine.targets.cuda.printer import print_program
from shine.targets.target import Target
from shine.translate import translate

ROOT: Final = Path(__file__).resolve().parents[2]
CASES: Final = [
    read_case(path.stem, path.read_text(encoding="utf-8")) for path in sorted((ROOT / "cases").glob("*.rise"))
]
#: targets that run another strategy's result than the one a case names: their own, which lowers any program
WITH_THEIR_OWN: Final = ("cuda-sim",)
#: of the CUDA texts: one that all machines of CI can print
ARCH: Final = "sm_80"


@cache
def program(case: Case) -> rise.Expr:
    """The case's main term."""
    return rise.parse(case.text, case.name).main


@cache
def lowered(case: Case, executor: str) -> rise.Expr:
    """What the case's strategy makes of it, or the target's own where that is what runs there."""
    if executor in WITH_THEIR_OWN:
        return by_default(case, shine.TARGETS[executor].strategy)
    return _lowered(case, case.strategy, dict(case.params))


@cache
def by_default(case: Case, address: str) -> rise.Expr:
    """What a target's strategy makes of it."""
    return _lowered(case, address, {})


def _lowered(case: Case, address: str, parameters: dict[str, Any]) -> rise.Expr:
    result = strategies.load(address, **parameters)(program(case))
    assert isinstance(result, elevate.Success), f"{address} fails:\n{result.explain()}"
    low: rise.Expr = result.program
    return low


@cache
def passed(case: Case, target: str) -> Program:
    """What the passes of the target, openmp or cuda, make of a case under the target's strategy."""
    low = by_default(case, shine.TARGETS[target].strategy)
    if not case.is_symbolic:
        low = rise.specialise(low, **dict(case.sizes[-1]))
    return passed_term(low, case.name, target)


def passed_term(low: rise.Expr, name: str, target: str) -> Program:
    """What the passes of the target, openmp or cuda, make of a lowered term."""
    found, settled = _settled(target)
    return run_passes(found.passes, translate(low, name, found.levels), settled)


def _settled(target: str) -> tuple[Target, Settings]:
    found = shine.TARGETS[target]
    return found, found.settle(found.complete({"arch": ARCH} if target == "cuda" else {}))


def text(case: Case, target: str) -> str:
    """The text of a case under the strategy of the target, openmp or cuda."""
    return printed(passed(case, target), target)


def printed(program: Program, target: str) -> str:
    """The text of what passes made."""
    _, settled = _settled(target)
    if isinstance(program, GpuProgram):
        return print_program(program, ARCH, wide=False).source
    return print_procedure(program, settled["check"], settled["threads"]).text
