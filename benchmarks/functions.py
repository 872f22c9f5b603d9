"""Functions of numbers: our kernels on arrays, compared with numpy and with calls of the C library.

One thread, 2^20 numbers, results in existing arrays; all take turns in one process. The clock is that of the thread, so
that other processes matter less. The loop of the C library is
compiled with the flags of our kernels, and calls the scalar function for each number.
"""

from __future__ import annotations

import ctypes
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from _contest import against, mean
from _measure import Run, Samples, in_turns, load, machine
from _report import Table, is_quick, report

import rise
import shine
from rise.primitives.functions import FUNCTIONS
from shine.cache import default_directory
from shine.front.lowering import load_strategy
from shine.programs import call
from shine.targets.openmp.compiler import find_compiler

COUNT = 1 << 20
QUICK = 1 << 12
ROUNDS = 21
TYPES = {"f32": np.float32, "f64": np.float64}
#: of two numbers
PAIRS = ("atan2", "hypot", "pow")
#: numpy's names, where they differ
NAMES = {
    "acos": "arccos",
    "acosh": "arccosh",
    "asin": "arcsin",
    "asinh": "arcsinh",
    "atan": "arctan",
    "atan2": "arctan2",
    "atanh": "arctanh",
    "pow": "power",
}
#: the range of arguments, if it is not 0.01 to 5
RANGES = {"acosh": (1.01, 5.0), "acos": (-0.99, 0.99), "asin": (-0.99, 0.99), "atanh": (-0.99, 0.99)}
RANGES |= dict.fromkeys(("cos", "erf", "exp", "exp2", "expm1", "sin", "tan", "tanh"), (-10.0, 10.0))
OURS, NUMPY, LIBRARY = "ours", "numpy", "C library"
#: functions of both types that the C library has, in the order of the language
CHOSEN = [record.name for record in FUNCTIONS if record.units and record.name != "rsqrt"]
#: those of a quick run: of one argument and of two
QUICK_FUNCTIONS = ["exp", "pow"]


def main() -> None:
    """Measure and report."""
    quick = is_quick("functions of numbers on arrays")
    count, rounds, names = (QUICK, 3, QUICK_FUNCTIONS) if quick else (COUNT, ROUNDS, CHOSEN)
    before = load()
    with tempfile.TemporaryDirectory() as folder:
        library = built(Path(folder))
        found = {(name, t): measured(library, name, t, count, rounds) for t in TYPES for name in names}
    busy = f"load: {before:.1f} before, {load():.1f} after, including this job and others on the machine"
    report("functions", [times(found, count)], machine(), busy, quick)


def built(folder: Path) -> ctypes.CDLL:
    """Loops that call the C library."""
    lines = ["#include <math.h>", "#include <stdint.h>"]
    for t, c, suffix in (("f32", "float", "f"), ("f64", "double", "")):
        for name in CHOSEN:
            passed = "x[i], y[i]" if name in PAIRS else "x[i]"
            lines += [
                f"void {name}_{t}(const {c} *restrict x, const {c} *restrict y, {c} *restrict r, int64_t n) {{",
                f"  for (int64_t i = 0; i < n; i++) r[i] = {name}{suffix}({passed});",
                "}",
            ]
    source, result = folder / "loops.c", folder / "loops.so"
    source.write_text("\n".join([*lines, ""]), encoding="utf-8")
    compiler = find_compiler(None, None, default_directory())
    ran = call([compiler.path, *compiler.flags, source, "-o", result, "-lm"], folder)
    assert ran.status == 0, ran.stderr
    return ctypes.CDLL(str(result))


def measured(library: ctypes.CDLL, name: str, t: str, count: int, rounds: int) -> dict[str, Samples]:
    """The samples of all. Their results are compared first."""
    random = np.random.default_rng(0)
    x, y = (random.uniform(*RANGES.get(name, (0.01, 5.0)), count).astype(TYPES[t]) for _ in "xy")
    arguments = (x, y) if name in PAIRS else (x,)
    results = {one: np.empty_like(x) for one in (OURS, NUMPY, LIBRARY)}
    runs: dict[str, Run] = {OURS: partial(kernel(name, t), *arguments, out=results[OURS])}
    theirs: Callable[..., Any] | None = getattr(np, NAMES.get(name, name), None)
    if theirs is not None:
        runs[NUMPY] = partial(theirs, *arguments, out=results[NUMPY])
    pointers = [one.ctypes.data_as(ctypes.c_void_p) for one in (x, y, results[LIBRARY])]
    runs[LIBRARY] = partial(library[f"{name}_{t}"], *pointers, ctypes.c_int64(count))
    for one, run in runs.items():
        run()
        np.testing.assert_allclose(results[one], results[OURS], rtol=8 * np.finfo(TYPES[t]).eps, err_msg=name)
    return in_turns(runs, rounds, clock=time.thread_time)


def kernel(name: str, t: str) -> Callable[..., Any]:
    """Our kernel on one thread, by the default strategy of the target."""
    function = f"fun(p => {name}(fst(p), snd(p)))" if name in PAIRS else name
    arguments, array = ("xs: N.{t}, ys: N.{t}", "zip(xs, ys)") if name in PAIRS else ("xs: N.{t}", "xs")
    program = rise.parse(f"fun({arguments.format(t=t)} => {array} |> map({function}))")
    lowered = load_strategy(shine.TARGETS["openmp"].strategy)(program.main)
    found: Callable[..., Any] = shine.compile(lowered.program, target="openmp", threads=1)
    return found


def times(found: dict[tuple[str, str], dict[str, Samples]], count: int) -> Table:
    """A row for each function and type."""
    rows = []
    ratios: dict[tuple[str, str], list[float]] = {}
    for (name, t), samples in found.items():
        row = [name, t]
        for one in (OURS, NUMPY, LIBRARY):
            row.append(f"{samples[one].median / count * 1e9:.2f}" if one in samples else "")
        for one in (NUMPY, LIBRARY):
            if one in samples:
                ratio, shown = against(samples, OURS, one)
                ratios.setdefault((t, one), []).append(ratio)
                row.append(shown)
            else:
                row.append("")
        rows.append(tuple(row))
    for t in TYPES:
        means = (f"{mean(ratios[t, one]):.2f}" for one in (NUMPY, LIBRARY))
        rows.append(("geometric mean", t, "", "", "", *means))
    columns = (
        "function",
        "type",
        OURS,
        NUMPY,
        LIBRARY,
        "speed: ours / numpy's",
        "speed: ours / the C library's",
    )
    note = (
        "Nanoseconds of the processor's time per number: medians. Ratios round by round: the median, and the "
        "quartiles. numpy has no `erf`. Arguments lie between 0.01 and 5, or in the ranges that the program states."
    )
    return Table(f"Functions of {count} numbers on one thread", columns, tuple(rows), note)


if __name__ == "__main__":
    main()
