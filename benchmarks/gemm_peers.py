"""Matrix products of our strategies, compared with fast libraries and compilers, which take turns in one process.

There is one process per number of threads. Arrays are aligned to cache lines, and results go to existing arrays, except
JAX's. Our kernels have fixed sizes, like those of TVM and Halide.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

import numpy as np
from _contest import against, fastest, kept, mean, received
from _measure import Run, Samples, load, machine
from _peaks import aligned, build
from _race import Others, asked, for_each_count, others_said, peers_said, race
from _report import ROOT, Table, report
from peers import Peer, find

import elevate
import rise
import shine
from shine.front.lowering import load_strategy

Shape = tuple[int, int, int]
#: our strategies, by their names in the tables
OURS: Mapping[str, str] = {
    "parallel": "strategies.openmp:parallel",
    "microKernel": "strategies.cpu_gemm:microKernel",
    "packed": "strategies.cpu_gemm:packed",
}
PEERS = ("numpy", "torch", "jax", "tvm", "halide")
SHAPES: tuple[Shape, ...] = (
    (256, 256, 256),
    (512, 512, 512),
    (1024, 1024, 1024),
    (2048, 2048, 2048),
    (1000, 1020, 1030),
)
QUICK: tuple[Shape, ...] = ((64, 64, 64),)
DTYPES = ("float32", "float64")
ROUNDS = 15
BUDGET = 14.0
"""Seconds for the samples of one size and type."""
GOAL, LEAST = 1.0, 0.95
PEAK = "peak"


def main() -> None:
    """Measure and report; or, in a child process, measure with the given number of threads and print the samples."""
    options = asked("matrix products beside those of libraries and compilers")
    if options.threads is not None:
        print(json.dumps(measured(options.threads, options.quick)))
        return
    before, watched = load(), Others.now()
    found = for_each_count(__file__, options.quick)
    tables = [speeds(found), races(found), goals(found)]
    facts = machine() | peers_said(found)
    report("gemm_peers", tables, facts, others_said(watched, before), options.quick)


def measured(threads: int, quick: bool) -> dict[str, Any]:
    """Samples by type and size, and the peers that took part."""
    present, absent = find(threads, PEERS)
    rows = []
    for dtype in DTYPES:
        for shape in QUICK if quick else SHAPES:
            samples = contest(present, shape, dtype, threads, quick)
            rows.append({"dtype": dtype, "shape": shape, "samples": kept(samples)})
    versions = [f"{peer.name} {peer.version} ({peer.threads})" for peer in present]
    return {"versions": versions, "absent": absent, "rows": rows}


def contest(present: list[Peer], shape: Shape, dtype: str, threads: int, quick: bool) -> dict[str, Samples]:
    """Measure all on the same arrays. Their results are first compared with the first peer's."""
    m, k, n = shape
    rng = np.random.default_rng(0)
    a, b = aligned((m, k), dtype), aligned((k, n), dtype)
    a[:], b[:] = rng.random((m, k)), rng.random((k, n))
    wanted = a.astype(np.float64) @ b.astype(np.float64)
    runs: dict[str, Run] = {peer.name: peer.kernels["mm"](a, b) for peer in present}
    for name in OURS:
        runs[name] = ours(name, shape, dtype, threads, a, b)
    for name, run in runs.items():
        np.testing.assert_allclose(result(run()), wanted, rtol=1e-5 * k, err_msg=name)
    runs[PEAK], _ = build().multiply_adds(dtype)
    return race(runs, threads, 3 if quick else ROUNDS, BUDGET)


def result(found: Any) -> Any:
    """The result as a numpy array."""
    return found.numpy() if hasattr(found, "numpy") else np.asarray(found)


def ours(name: str, shape: Shape, dtype: str, threads: int, a: Any, b: Any) -> Run:
    """A run that writes to an existing array."""
    strategy = OURS[name]
    text = (ROOT / "examples" / "mm.rise").read_text(encoding="utf-8")
    program = rise.parse(text if dtype == "float32" else text.replace("f32", "f64")).main
    outcome = load_strategy(strategy)(program)
    assert isinstance(outcome, elevate.Success), strategy
    m, k, n = shape
    low = rise.specialise(outcome.program, M=m, K=k, N=n)
    kernel = shine.compile(low, target="openmp", threads=threads)
    return partial(kernel, a, b, out=aligned((m, n), dtype))


def each(found: Mapping[int, Any]) -> Iterator[tuple[str, int, Shape, dict[str, Samples]]]:
    """Rows by type and number of threads."""
    for dtype in DTYPES:
        for threads, one in found.items():
            for row in one["rows"]:
                if row["dtype"] == dtype:
                    yield dtype, threads, tuple(row["shape"]), received(row["samples"])


def named(shape: Shape) -> str:
    """The shape as text."""
    return " x ".join(map(str, shape))


def speeds(found: Mapping[int, Any]) -> Table:
    """The table of speeds."""
    rows = []
    names: list[str] = []
    library = build()
    for dtype, threads, shape, samples in each(found):
        names = [name for name in samples if name != PEAK]
        flop = 2.0 * np.prod(shape)
        peak = library.multiply_adds(dtype)[1] * threads / samples[PEAK].median
        shown = (f"{flop / samples[name].median / 1e9:.0f}" for name in names)
        rows.append((dtype, str(threads), named(shape), f"{peak / 1e9:.0f}", *shown))
    note = "Medians. `peak` is a loop of multiply-adds in registers, in the same turns."
    return Table(
        "Matrix products, Gflop/s", ("type", "threads", "M x K x N", PEAK, *names), tuple(rows), note
    )


def races(found: Mapping[int, Any]) -> Table:
    """The table of our speed divided by that of the fastest peer."""
    rows = []
    for dtype, threads, shape, samples in each(found):
        best = fastest(samples, [name for name in samples if name not in OURS and name != PEAK])
        shown = (against(samples, name, best)[1] for name in OURS)
        rows.append((dtype, str(threads), named(shape), best or "no peer", *shown))
    note = (
        "Ratios of speeds, round by round: the median, and the quartiles. "
        "The fastest peer is the one with the best median."
    )
    return Table(
        "Speed against the fastest peer",
        ("type", "threads", "M x K x N", "fastest", *OURS),
        tuple(rows),
        note,
    )


def goals(found: Mapping[int, Any]) -> Table:
    """The table of goals, over all sizes."""
    by: dict[tuple[str, int, str], list[float]] = {}
    for dtype, threads, _, samples in each(found):
        best = fastest(samples, [name for name in samples if name not in OURS and name != PEAK])
        for name in OURS:
            by.setdefault((dtype, threads, name), []).append(against(samples, name, best)[0])
    rows = []
    for (dtype, threads, name), one in by.items():
        holds = "yes" if mean(one) >= GOAL and min(one) >= LEAST else "no"
        rows.append((name, dtype, str(threads), f"{mean(one):.2f}", f"{min(one):.2f}", holds))
    columns = ("strategy", "type", "threads", "geometric mean", "least", "holds")
    note = f"The goal: a geometric mean of {GOAL} over all sizes, and at least {LEAST} for each size."
    return Table("Goals for matrix products", columns, tuple(rows), note)


if __name__ == "__main__":
    main()
