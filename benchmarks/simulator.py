"""The CUDA simulator on a tensor core matrix product: deriving, printing, building and running it.

The program is `examples/gemm.rise` at 256 x 256 x 256 under `strategies.tensor_core:wmma`. Durations are processor time
of one thread, except for builds, which run compilers and are wall-clock time. A run takes place in two processes, whose
times are added. Builds begin with a cache that contains only the simulator's runtime, which is the same for all kernels
and is listed separately.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from _measure import Samples, in_turns, load, machine, numpys_blas, ratios
from _report import ROOT, Table, is_quick, report
from latencies import Number, in_new_processes, timed

import elevate
import rise
import shine
import strategies
from benchmarks.gpu.resources import module_of
from shine.simulator import build
from shine.simulator.process import POOL

STRATEGY = "strategies.tensor_core:wmma"
PROGRAM = ROOT / "examples" / "gemm.rise"
SIZE = 256
PLANS: dict[str, dict[str, int]] = {
    "128 x 128 x 32": {},
    "64 x 64 x 32": {"rows": 64, "columns": 64, "warp_rows": 32, "warp_columns": 32},
}
ARCH = "sm_80"
COLUMNS = ("what", "target", "median", "best", "quartiles", "holds", "note")
ABOUT = (
    "All rows are for the kernel with the given tiles at 256 x 256 x 256; `checked` is the build that detects races, "
    "out-of-bounds accesses and uninitialised reads. A run is `kernel(...)` on numpy arrays, whose results were "
    "compared with numpy's in double precision before; numpy has one thread, like the simulator."
)


def main() -> None:
    """Measure and report."""
    quick = is_quick("the simulator on a matrix product")
    before = load()
    rounds = 1 if quick else 15
    numbers = [deriving_first(1 if quick else 7)]
    for name, parameters in list(PLANS.items())[: 1 if quick else None]:
        low = derived(parameters)
        numbers += [*preparing(name, parameters, low, rounds), *building(name, low, 1 if quick else 7)]
        numbers += running(name, low, rounds)
    table = Table("The simulator", COLUMNS, tuple(number.row() for number in numbers), ABOUT)
    report("simulator", [table], machine(), f"load: {before:.1f} before, {load():.1f} after", quick)


def derived(parameters: dict[str, int]) -> rise.Expr:
    """The low-level program for given tiles, with fixed sizes."""
    result = strategies.load(STRATEGY, **parameters)(rise.parse_file(PROGRAM).main)
    assert isinstance(result, elevate.Success), result.explain()
    return rise.specialise(result.program, M=SIZE, N=SIZE, K=SIZE)


def deriving_first(rounds: int) -> Number:
    """The first derivation of a process, which reads the equations of all rules that are tried."""
    before = f"import rise, strategies\ne = rise.parse_file({str(PROGRAM)!r}).main\ns = strategies.load({STRATEGY!r})"
    (samples,) = in_new_processes((before, "s(e)"), rounds=rounds)
    return timed("derive, first in a process", 1.0, samples)


def preparing(name: str, parameters: dict[str, int], low: rise.Expr, rounds: int) -> Iterator[Number]:
    """The steps from the program to the text."""
    program = rise.parse_file(PROGRAM).main
    strategy = strategies.load(STRATEGY, **parameters)
    runs: dict[str, Callable[[], object]] = {
        "derive": lambda: strategy(program),
        "translate and print": partial(module_of, low, ARCH),
    }
    samples = in_turns(runs, rounds, clock=time.process_time)
    yield timed(f"derive again, {name}", 1.0, samples["derive"])
    lines = module_of(low, ARCH).source.count("\n")
    yield timed(f"translate and print, {name}", 0.5, samples["translate and print"], f"{lines} lines of CUDA")


def building(name: str, low: rise.Expr, rounds: int) -> Iterator[Number]:
    """Builds of the text, each with a cache that contains only the runtime."""
    source = module_of(low, ARCH).source
    other = 'extern "C" __global__ void other(int* x) { x[0] = 1; }\n'
    found: dict[bool, list[float]] = {False: [], True: []}
    first: list[float] = []
    for _ in range(rounds):
        for check in found:
            with tempfile.TemporaryDirectory() as folder:
                start = time.perf_counter()
                build(other, cache=Path(folder))
                first.append(time.perf_counter() - start)
                start = time.perf_counter()
                build(source, check=check, cache=Path(folder))
                found[check].append(time.perf_counter() - start)
    yield timed(f"build, plain, {name}", 1.0, Samples(tuple(found[False])), "runtime already built")
    yield timed(f"build, checked, {name}", 1.0, Samples(tuple(found[True])), "runtime already built")
    if name == next(iter(PLANS)):
        note = "once for each user and version"
        yield Number(
            "build the runtime",
            "",
            *timed("", 1.0, Samples(tuple(first))).row()[2:5],
            None,
            note,
        )


def of_both_processes() -> float:
    """Seconds of processor time, including those of the processes that kernels run in."""
    return time.process_time() + sum(process.ran for process in POOL.idle())


def running(name: str, low: rise.Expr, rounds: int) -> Iterator[Number]:
    """Runs of both builds, and numpy's product of the same numbers in single precision, interleaved, on one thread."""
    blas = numpys_blas()
    if blas.threads is not None:
        blas.threads(1)
    rng = np.random.default_rng(0)
    a, b = (rng.standard_normal((SIZE, SIZE)).astype(np.float16) for _ in range(2))
    c = rng.standard_normal((SIZE, SIZE), dtype=np.float32)
    alpha, beta = np.float32(0.5), np.float32(2.0)
    wide_a, wide_b = a.astype(np.float32), b.astype(np.float32)
    exact = 0.5 * (a.astype(np.float64) @ b.astype(np.float64)) + 2.0 * c
    out = np.empty_like(c)
    runs: dict[str, Callable[[], object]] = {"numpy": lambda: alpha * (wide_a @ wide_b) + beta * c}
    for kind, check in (("plain", False), ("checked", True)):
        kernel: Any = shine.compile(low, target="cuda-sim", arch=ARCH, check=check)
        kernel(alpha, beta, a, b, c, out=out)
        np.testing.assert_allclose(out, exact, rtol=0, atol=1e-5 * SIZE)
        runs[kind] = partial(kernel, alpha, beta, a, b, c, out=out)
    samples = in_turns(runs, rounds, clock=of_both_processes)
    for kind, limit in (("plain", 0.05), ("checked", 0.15)):
        ratio, _ = ratios(samples["numpy"], samples[kind])
        yield timed(
            f"run, {kind}, {name}", limit, samples[kind], f"{ratio:.0f} times as long as numpy in f32"
        )


if __name__ == "__main__":
    main()
