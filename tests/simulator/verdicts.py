"""Verdicts on mutants: whether the simulator finds their mistakes.

A mutant is found if the check build reports something, or if a result differs from that of the kernel without the
mistake. A mutant that is not found is equivalent at least in its launch. This is certain if the compiler generates the
same machine code for both, and for all orders of threads if no access is atomic or volatile: without a race there is
only one result. For other kernels, a small launch is tried under all orders of these accesses, with and without the
mistake.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

import numpy as np

from shine.simulator import SimulatorError, build
from shine.simulator.symbols import contents_of
from tests.simulator.exploration import SMALL, explored
from tests.simulator.mutation import Launch, Mutant, order_matters

SCHEDULES: Final = ("ascending", "descending", *(f"random:{seed}" for seed in range(8)))


@dataclass(frozen=True, slots=True)
class Verdict:
    """`how` is `reported` (with the names of findings), `wrong result`, `refused` (no kernel), `same code` or
    `survives`. The latter is also certain if `orders` is not 0: all orders of a small launch were tried.
    """

    how: str
    findings: tuple[str, ...] = ()
    is_certain: bool = False
    orders: int = 0


@cache
def _expected(launch: Launch, text: str, folder: Path) -> tuple[tuple[str, Any], ...]:
    """The expected contents of each array after a launch without mistakes: its bytes, its sorted bytes, or None if they
    vary.
    """
    program = build(text, check=True, cache=folder)
    runs = []
    for schedule in SCHEDULES:
        report, arrays = launch.run(program, schedule)
        assert report.findings == () and report.finished, f"{launch.kernel}: {report}"
        runs.append(arrays)
    return tuple(_common(arrays) for arrays in zip(*runs, strict=True))


def _common(arrays: Sequence[Any]) -> tuple[str, Any]:
    for way in ("same", "sorted"):
        seen = {_held(way, one) for one in arrays}
        if len(seen) == 1:
            return way, seen.pop()
    return "varies", None


def _held(way: str, array: Any) -> Any:
    if way == "same":
        return array.tobytes()
    return np.sort(array.reshape(-1)).tobytes() if way == "sorted" else None


def verdict(mutant: Mutant, folder: Path, schedules: Sequence[str] = SCHEDULES) -> Verdict:
    """Whether a mutant is found, under the first schedule that shows it."""
    try:
        program = build(mutant.text, check=True, cache=folder)
    except SimulatorError:
        return Verdict("refused")
    wrong = False
    for schedule in schedules:
        for launch in mutant.subject.launches:
            report, arrays = launch.run(program, schedule)
            if report.findings or not report.finished:
                return Verdict("reported", tuple(sorted({one.kind for one in report.findings})))
            expected = _expected(launch, mutant.subject.text, folder)
            wrong |= any(_held(way, one) != held for (way, held), one in zip(expected, arrays, strict=True))
        if wrong:
            return Verdict("wrong result")
    if _machine_code(mutant.text, folder) == _machine_code(mutant.subject.text, folder):
        return Verdict("same code", is_certain=True)
    if not order_matters(mutant.text, mutant.subject):
        return Verdict("survives", is_certain=True)
    return _under_all_orders(mutant, folder) or Verdict("survives")


def _under_all_orders(mutant: Mutant, folder: Path) -> Verdict | None:
    """The verdict from all orders of a small launch, if there is one, and its orders are few enough to be tried."""
    name = mutant.subject.launches[0].kernel
    if name not in SMALL or len(mutant.subject.launches) > 1:
        return None
    wrong, right = (explored(name, text, folder) for text in (mutant.text, mutant.subject.text))
    assert right.findings == (), f"{name}: {right.findings}"
    if wrong.findings:
        return Verdict("reported", wrong.findings)
    if wrong.deferrals is not None or right.deferrals is not None:
        return None
    if wrong.outcomes != right.outcomes:
        return Verdict("wrong result")
    return Verdict("survives", is_certain=True, orders=wrong.orders)


@cache
def _machine_code(text: str, folder: Path) -> tuple[bytes, ...]:
    """The code and constants of the plain build."""
    return contents_of(build(text, cache=folder).library, (".text", ".rodata", ".data"))
