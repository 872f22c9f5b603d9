"""The checks of a call, compared with the same kernels without them.

Sizes: what a kernel computes from sizes must stay below 2^63. A kernel without the check has no limits.

Booleans: an array of bool may contain any bytes, so elements are compared with 0. A kernel without the comparison reads
the bytes as they are. All kernels take turns in one process, on one thread.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from itertools import cycle
from typing import Any

import numpy as np
from _measure import Run, Samples, in_turns, load, machine, ratios
from _report import Table, is_quick, report

import rise
import shine
from shine.calling.boundary import MAX_REMEMBERED_SHAPES
from shine.imperative.limits import Limits
from shine.kernel import Kernel
from shine.targets.openmp.loader import PrintedKernel

ROUNDS, QUICK_ROUNDS = 31, 3
ELEMENTS, QUICK_ELEMENTS = 1 << 20, 1 << 12
#: few elements, so that the call costs more than the loop
SMALL = 16
#: more shapes than a kernel remembers, so that each call is checked again
SHAPES = 2 * MAX_REMEMBERED_SHAPES

SCALED = "fun(A: M.N.f32 => A |> map(map(fun(x => x * 2.0))) |> join)"
BOOLS = {
    "count": "fun(m: N.bool => m |> map(fun(x => if x then 1 else 0)) |> reduce(add, 0))",
    "not": "fun(m: N.bool => m |> map(fun(x => not(x))))",
    "choose": "fun(m: N.bool, x: N.f32 => zip(m, x) |> map(fun(p => if fst(p) then snd(p) else 0.0)))",
    "all": "fun(m: N.bool => m |> reduce(and, true))",
}
#: how C texts declare arrays of bool and read their elements, and how they would without the comparison
DECLARED, TRUSTED = "const uint8_t *restrict", "const bool *restrict"
COMPARED = " != 0"


def main() -> None:
    """Measure and report."""
    quick = is_quick("what the checks of a call cost")
    before = load()
    rounds = QUICK_ROUNDS if quick else ROUNDS
    runs = {**size_runs(quick), **bool_runs(QUICK_ELEMENTS if quick else ELEMENTS)}
    rows = [row(name, in_turns(both, rounds, clock=time.process_time)) for name, both in runs.items()]
    note = "Processor time of one thread; the ratio is time with the check / time without it, with its quartiles."
    table = Table("Checks of a call", ("call", "with", "without", "time: with / without"), tuple(rows), note)
    report("checks", [table], machine(), f"load: {before:.1f} before, {load():.1f} after", quick)


def size_runs(quick: bool) -> dict[str, dict[str, Run]]:
    """Calls of a kernel on small arrays: always with the same shape, and with another shape each time."""
    checked = shine.compile(rise.parse(SCALED), target="openmp", threads=1)
    unchecked = changed(checked, lambda plan: replace(plan, source=replace(plan.source, limits=Limits())))
    one = np.ones((SMALL, SMALL), np.float32)
    many = [np.ones((1 + n, SMALL), np.float32) for n in range(SHAPES)]
    return {
        f"{SMALL} x {SMALL} numbers, the same shape": {
            "with": partial(checked, one),
            "without": partial(unchecked, one),
        },
        f"1 to {SHAPES} x {SMALL} numbers, another shape each time": {
            "with": in_order(checked, many),
            "without": in_order(unchecked, many),
        },
    }


def bool_runs(elements: int) -> dict[str, dict[str, Run]]:
    """Calls of kernels on arrays of bool."""
    random = np.random.default_rng(0)
    mask = random.random(elements) < 0.5
    numbers = random.random(elements, dtype=np.float32)
    found: dict[str, dict[str, Run]] = {}
    for name, program in BOOLS.items():
        compared = shine.compile(rise.parse(program), target="openmp", threads=1)
        trusting = changed(compared, without_comparison)
        arrays = [mask, numbers][: len(compared.procedure.inputs)]
        out = compared(*arrays)
        assert np.array_equal(out, trusting(*arrays)), name
        found[f"{name}, {elements} truth values"] = {
            "with": partial(compared, *arrays, out=out),
            "without": partial(trusting, *arrays, out=out),
        }
    return found


def without_comparison(plan: PrintedKernel) -> PrintedKernel:
    """The kernel, with arrays of bool read as C's own type."""
    text = plan.source.text
    assert DECLARED in text and COMPARED in text, text
    return replace(
        plan, source=replace(plan.source, text=text.replace(DECLARED, TRUSTED).replace(COMPARED, ""))
    )


def changed(kernel: Kernel, change: Callable[[PrintedKernel], PrintedKernel]) -> Kernel:
    """The kernel with another text or other limits."""
    plan = kernel.plan
    assert isinstance(plan, PrintedKernel)
    return Kernel.of_plan(kernel.procedure, kernel.target, kernel.options, kernel.term, change(plan))


def in_order(kernel: Kernel, arrays: list[np.ndarray[Any, Any]]) -> Run:
    """A run that uses the next array each time."""
    following = cycle(arrays)
    return lambda: kernel(next(following))


def row(name: str, samples: dict[str, Samples]) -> tuple[str, ...]:
    """A row of the table."""
    ratio, (low, high) = ratios(samples["without"], samples["with"])
    shown = (f"{samples[one].median * 1e6:.2f} us" for one in ("with", "without"))
    return (name, *shown, f"{ratio:.2f} ({low:.2f}-{high:.2f})")


if __name__ == "__main__":
    main()
