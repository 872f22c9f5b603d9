"""The matrix product in single precision under `strategies.openmp:parallel`, compared with numpy's.

Both take turns in one process, with the same number of threads, and write to existing arrays.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np
from _measure import PAUSE, Run, Samples, cores, in_turns, load, machine, numpys_blas, ratios
from _report import ROOT, Table, is_quick, report

import elevate
import rise
import shine
from shine.front.lowering import load_strategy

STRATEGY = "strategies.openmp:parallel"
SHAPES = ((256, 256, 256), (512, 512, 512), (1000, 1020, 1030), (1024, 1024, 1024), (2048, 2048, 2048))
QUICK = ((256, 256, 256),)
TARGET = 0.3
ROUNDS = 21
COLUMNS = (
    "M x K x N",
    "threads",
    "sizes",
    "ours / numpy's speed",
    "quartiles",
    "ours ms",
    "numpy ms",
    "ours Gflop/s",
)


def main() -> None:
    """Measure and report."""
    quick = is_quick("the matrix product against numpy's")
    blas = numpys_blas()
    before = load()
    result = load_strategy(STRATEGY)(rise.parse_file(ROOT / "examples" / "mm.rise").main)
    assert isinstance(result, elevate.Success), STRATEGY
    low: rise.Expr = result.program
    counts = (1,) if quick else sorted({cores(), 1}, reverse=True)
    if blas.threads is None:
        counts = [cores()]  # the number of threads of numpy's library cannot be set
    rows: list[tuple[str, ...]] = []
    for shape in QUICK if quick else SHAPES:
        for threads in counts:
            if blas.threads is not None:
                blas.threads(threads)
            rows += compared(low, shape, threads, 3 if quick else ROUNDS)
    note = (
        f"Speed is 1 / time; the goal is at least {TARGET} at 1024. Ratios are computed round by round: their median "
        "and the quartiles. Sizes are `any` where the kernel takes all sizes, `fixed` where it was specialised."
    )
    table = Table(f"Matrix product, f32, {STRATEGY}", COLUMNS, tuple(rows), note)
    report("matrix_product", [table], machine(), f"load: {before:.1f} before, {load():.1f} after", quick)


def compared(
    low: rise.Expr, shape: tuple[int, int, int], threads: int, rounds: int
) -> Iterator[tuple[str, ...]]:
    """One row for the kernel for any sizes and one for the kernel for these sizes."""
    m, k, n = shape
    rng = np.random.default_rng(0)
    a = rng.random((m, k), dtype=np.float32)
    b = rng.random((k, n), dtype=np.float32)
    theirs = np.empty((m, n), np.float32)
    runs: dict[str, Run] = {"numpy": partial(np.matmul, a, b, out=theirs)}
    fixed = rise.specialise(low, M=m, K=k, N=n)
    for name, program in (("any", low), ("fixed", fixed)):
        kernel = shine.compile(program, target="openmp", threads=threads)
        ours = np.empty((m, n), np.float32)
        runs[name] = partial(kernel, a, b, out=ours)
        runs[name]()
        runs["numpy"]()
        np.testing.assert_allclose(ours, theirs, rtol=1e-5 * k)
    samples = in_turns(runs, rounds, pause=PAUSE if threads > 1 else 0.0)
    for name in ("any", "fixed"):
        yield row(f"{m} x {k} x {n}", threads, name, samples[name], samples["numpy"], 2 * m * k * n)


def row(shape: str, threads: int, name: str, ours: Samples, theirs: Samples, flop: int) -> tuple[str, ...]:
    """One comparison as text."""
    ratio, (low, high) = ratios(ours, theirs)
    return (
        shape,
        str(threads),
        name,
        f"{ratio:.2f}",
        f"{low:.2f}-{high:.2f}",
        f"{ours.median * 1e3:.2f}",
        f"{theirs.median * 1e3:.2f}",
        f"{flop / ours.median / 1e9:.0f}",
    )


if __name__ == "__main__":
    main()
