"""Kernels that do little work per number, compared with the memory bandwidth and with libraries and compilers.

There is one process per number of threads, and all peers take turns. Arrays are larger than the caches. Only
necessary transfers are counted: each input read once, each output written once; loops in C that only read, or only
copy, show what is possible. Results go to existing arrays, except those of JAX and PyTorch's layer norm, whose memory
is reused.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from _contest import against, fastest, kept, received
from _measure import Run, Samples, load, machine
from _peaks import Peaks, aligned, build
from _race import Others, asked, for_each_count, others_said, peers_said, race
from _report import ROOT, Table, report
from peers import Peer, find

import elevate
import rise
import shine
from shine.front.lowering import load_strategy
from shine.targets import TARGETS

PEERS = ("numpy", "torch", "jax", "halide", "numba")
ROUNDS = 15
BUDGET = 14.0
"""Seconds for the samples of one kernel."""
GOAL = 1.1
OURS = "ours"
LOOPS = ("read", "copy", "copy past caches")


@dataclass(frozen=True, slots=True)
class Kernel:
    """A program, the shapes of its arguments, and whether its result is an array like the last argument."""

    text: str
    shapes: tuple[tuple[str, ...], ...]
    sizes: Mapping[str, int]
    writes: bool


def text_of(*path: str) -> str:
    """A program from a file."""
    return ROOT.joinpath(*path).read_text(encoding="utf-8")


ROWS = {"M": 4096, "N": 4096}
LINE = {"N": 1 << 25}
KERNELS: Mapping[str, Kernel] = {
    "softmax": Kernel(text_of("examples", "softmax.rise"), (("M", "N"),), ROWS, True),
    "layer_norm": Kernel(
        text_of("cases", "layer_norm.rise"),
        (("N",), ("N",), ("B", "N")),
        {"B": 4096, "N": 4096},
        True,
    ),
    "dot": Kernel(text_of("examples", "dot.rise"), (("N",), ("N",)), LINE, False),
    "sum": Kernel("val total = fun(xs: N.f32 => xs |> reduce(add, 0.0))", (("N",),), LINE, False),
    "max": Kernel("val greatest = fun(xs: N.f32 => xs |> reduce(max, -inf))", (("N",),), LINE, False),
}
QUICK = {"M": 16, "B": 16, "N": 1 << 11}


def main() -> None:
    """Measure and report; or, in a child process, measure with the given number of threads and print the samples."""
    options = asked("kernels that memory bounds")
    if options.threads is not None:
        print(json.dumps(measured(options.threads, options.quick)))
        return
    before, watched = load(), Others.now()
    found = for_each_count(__file__, options.quick)
    facts = machine() | peers_said(found)
    report("bandwidth", [races(found), rates(found)], facts, others_said(watched, before), options.quick)


def measured(threads: int, quick: bool) -> dict[str, Any]:
    """Samples by kernel, and the bytes that must be moved."""
    present, absent = find(threads, PEERS)
    library = build()
    rows = {}
    for name, kernel in KERNELS.items():
        sizes = {size: min(number, QUICK[size]) if quick else number for size, number in kernel.sizes.items()}
        samples, moved = contest(present, library, name, kernel, sizes, threads, 3 if quick else ROUNDS)
        rows[name] = {"samples": kept(samples), "bytes": moved}
    return {"versions": [f"{peer.name} {peer.version}" for peer in present], "absent": absent, "rows": rows}


def contest(
    present: list[Peer],
    library: Peaks,
    name: str,
    kernel: Kernel,
    sizes: Mapping[str, int],
    threads: int,
    rounds: int,
) -> tuple[dict[str, Samples], int]:
    """Measure all on the same arrays. Their results are compared first."""
    rng = np.random.default_rng(0)
    given = [aligned(tuple(sizes[size] for size in shape)) for shape in kernel.shapes]
    for one in given:
        one[...] = rng.random(one.shape, dtype=np.float32)
    out = aligned(given[-1].shape if kernel.writes else ())
    runs: dict[str, Run] = {peer.name: peer.kernels[name](*given) for peer in present if name in peer.kernels}
    runs[OURS] = partial(built(kernel, sizes, threads), *given, out=out)
    wanted = result(runs[OURS]()).copy()
    for contestant, run in runs.items():
        np.testing.assert_allclose(result(run()), wanted, rtol=1e-3, atol=1e-4, err_msg=contestant)
    moved = sum(one.nbytes for one in given)
    if kernel.writes:
        moved += out.nbytes
        runs["copy"] = library.copying(out, given[-1], past=False)
        runs["copy past caches"] = library.copying(out, given[-1], past=True)
    else:
        loops = [library.reading(one) for one in given]
        runs["read"] = lambda: [loop() for loop in loops]
    return race(runs, threads, rounds, BUDGET), moved


def built(kernel: Kernel, sizes: Mapping[str, int], threads: int) -> Any:
    """Our kernel for these sizes, by the default strategy of the target."""
    outcome = load_strategy(TARGETS["openmp"].strategy)(rise.parse(kernel.text).main)
    assert isinstance(outcome, elevate.Success), kernel.text
    return shine.compile(rise.specialise(outcome.program, **sizes), target="openmp", threads=threads)


def result(found: Any) -> Any:
    """The result as a numpy array."""
    return np.asarray(found.numpy() if hasattr(found, "numpy") else found)


def each(found: Mapping[int, Any]) -> Iterator[tuple[str, int, dict[str, Samples], int]]:
    """The samples of each kernel on each number of threads, and the bytes that must be moved."""
    for name in KERNELS:
        for threads, one in found.items():
            row = one["rows"][name]
            yield name, threads, received(row["samples"]), row["bytes"]


def races(found: Mapping[int, Any]) -> Table:
    """The comparison with the fastest peer, and with the fastest loop that moves as many bytes."""
    rows = []
    for name, threads, samples, _ in each(found):
        best = fastest(samples, [one for one in samples if one != OURS and one not in LOOPS])
        loop = fastest(samples, [one for one in samples if one in LOOPS])
        bound, shown = against(samples, loop, OURS)
        holds = "yes" if bound <= GOAL else "no"
        rows.append(
            (name, str(threads), best or "no peer", against(samples, OURS, best)[1], loop or "", shown, holds)
        )
    columns = (
        "kernel",
        "threads",
        "fastest peer",
        "speed: ours / its",
        "fastest loop",
        "time: ours / the loop's",
        "holds",
    )
    note = f"Ratios round by round: the median, and the quartiles. The goal: at most {GOAL} times the time of the loop."
    return Table("Memory-bound kernels", columns, tuple(rows), note)


def rates(found: Mapping[int, Any]) -> Table:
    """The bytes that each moved per second."""
    every = list(each(found))
    names = list(dict.fromkeys(name for _, _, samples, _ in every for name in samples))
    rows = []
    for name, threads, samples, moved in every:
        shown = (f"{moved / samples[one].median / 1e9:.1f}" if one in samples else "" for one in names)
        rows.append((name, str(threads), *shown))
    note = "Medians of the bytes that must be moved, per second. A plain copy also reads what it overwrites."
    return Table("GB/s", ("kernel", "threads", *names), tuple(rows), note)


if __name__ == "__main__":
    main()
