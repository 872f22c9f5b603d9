"""The CUDA simulator on a tensor core matrix product: deriving, printing, building and running it. Then the kernels of
its corpus, and the memory of its checks.

The program is `examples/gemm.rise` at 256 x 256 x 256 under `strategies.tensor_core:wmma`. Durations are processor time
of all processes: this one, the compilers that it runs one after the other, and the one of the kernel. Notes have the
time by the clock. Builds begin with a cache that contains only the simulator's runtime, which is the same for all
kernels and is listed separately.
"""

from __future__ import annotations

import re
import resource
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from _measure import Samples, in_turns, load, machine, numpys_blas, ratios
from _report import ROOT, Table, is_quick, report
from latencies import Number, in_new_processes, seconds, timed

import elevate
import rise
import shine
import strategies
from benchmarks.gpu.resources import module_of
from shine.simulator import build
from shine.simulator.process import POOL
from tests.simulator.corpus import Case
from tests.simulator.mutation import of_case
from tests.simulator.samples import samples

#: a text without headers, with which the runtime is built
OTHER = 'extern "C" __global__ void other(int* x) { x[0] = 1; }\n'
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
    "Rows with tiles are for the kernel with these tiles at 256 x 256 x 256; `checked` is the build that detects "
    "races, out-of-bounds accesses and uninitialised reads. A `first` build is of the first text in a cache with these "
    "headers, which the `second` one precompiles for those that follow. A run is `kernel(...)` on numpy arrays, whose "
    "results were compared with numpy's in double precision before; numpy has one thread, like the simulator. The "
    "corpus are the kernels of `tests/simulator/samples.py`: each is built by itself, for checks, in a cache that has "
    "only the runtime before, and launched once. Times of builds, runs and the corpus are processor time of all "
    "processes."
)
#: what an array of as many bytes takes in a checked launch, where 4 bytes are the smallest access
LARGE_BYTES = 64 << 20


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
    numbers += [*checking_corpus(12 if quick else 1), remembering()]
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
    kinds = {(check, which): Clocks() for check in (False, True) for which in ("first", "second", "third")}
    runtime = Clocks()
    for _ in range(rounds):
        for check in (False, True):
            with tempfile.TemporaryDirectory() as folder:
                runtime.run(partial(build, OTHER, cache=Path(folder)))
                for which in ("first", "second", "third"):
                    text = f"{source}// {which}\n"
                    kinds[check, which].run(partial(build, text, check=check, cache=Path(folder)))
    for (check, which), clocks in kinds.items():
        kind = "checked" if check else "plain"
        yield timed(f"build, {kind}, {which}, {name}", 0.5, clocks.processor, clocks.note)
    if name == next(iter(PLANS)):
        what = timed(
            "build the runtime", 1.0, runtime.processor, f"once for each user and version; {runtime.note}"
        )
        yield replace(what, target="", holds=None)


def of_all_processes() -> float:
    """Seconds of processor time, including those of the processes that kernels run in, and of compilers."""
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    running = sum(process.ran for process in POOL.idle())
    return time.process_time() + running + ended.ru_utime + ended.ru_stime


class Clocks:
    """Samples of one run, in processor time and by the clock."""

    def __init__(self) -> None:
        self._seconds: list[tuple[float, float]] = []

    def run(self, what: Callable[[], object]) -> None:
        """Take one sample."""
        before = of_all_processes(), time.perf_counter()
        what()
        self._seconds.append((of_all_processes() - before[0], time.perf_counter() - before[1]))

    @property
    def processor(self) -> Samples:
        return Samples(tuple(one for one, _ in self._seconds))

    @property
    def note(self) -> str:
        return f"{seconds(statistics.median(one for _, one in self._seconds))} by the clock"


def checking_corpus(one_in: int) -> Iterator[Number]:
    """Each kernel of the corpus, built for checks and launched, in processor time."""
    clocks = Clocks()
    names = []
    with tempfile.TemporaryDirectory() as folder:
        build(OTHER, cache=Path(folder))
        for case in samples()[::one_in]:
            clocks.run(partial(check_case, case, Path(folder)))
            names.append(case.kernel)
    slowest, name = max(zip(clocks.processor.seconds, names, strict=True))
    note = f"the slowest is {name}, {seconds(slowest)}; {clocks.note}"
    whole = timed(f"check each of {len(names)} kernels of the corpus", 5.0, clocks.processor, note)
    yield replace(whole, holds=slowest < 5.0)


def check_case(case: Case, cache: Path) -> None:
    """Build a kernel for checks, and launch it once."""
    found, result = case.launch(build(of_case(case).text, check=True, cache=cache), "ascending")
    assert not found.findings and case.is_expected(result), case.kernel


def remembering() -> Number:
    """What the checks remember of arrays, in bytes of memory for each byte."""
    text = "__global__ void f(const float* x, float* y, int n) { for (int i = 0; i < n; i++) y[i] = x[i]; }\n"
    elements = LARGE_BYTES // 8
    taken = {}
    for check in (False, True):
        with tempfile.TemporaryDirectory() as folder:
            program = build(text, check=check, cache=Path(folder))
            arrays = [np.ones(elements, np.float32), np.zeros(elements, np.float32)]
            assert program.launch("f", 1, 1, [*arrays, elements]).findings == ()
            (number,) = (one.number for one in POOL.idle() if one.library.parent == Path(folder))
            status = Path(f"/proc/{number}/status").read_text(encoding="utf-8")
            taken[check] = 1024 * int(re.findall(r"VmHWM:\s+(\d+) kB", status)[0])
    each = (taken[True] - taken[False]) / LARGE_BYTES
    note = f"two arrays of {LARGE_BYTES >> 21} MiB of f32: {taken[True] >> 20} MiB, without checks {taken[False] >> 20}"
    return Number(
        "memory of the checks, for each byte of arrays",
        "<= 12 bytes",
        f"{each:.1f} bytes",
        "",
        "",
        each <= 12.1,
        note,
    )


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
    found, by_clock = (in_turns(runs, rounds, clock=clock) for clock in (of_all_processes, time.perf_counter))
    for kind, limit in (("plain", 0.05), ("checked", 0.15)):
        ratio, _ = ratios(found["numpy"], found[kind])
        note = f"{ratio:.0f} times as long as numpy in f32; {seconds(by_clock[kind].median)} by the clock"
        yield timed(f"run, {kind}, {name}", limit, found[kind], note)


if __name__ == "__main__":
    main()
