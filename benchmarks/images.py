"""Image stencil pipelines: each version of strategies.images, compared with Halide and OpenCV.

There is one process per number of threads, and all take turns, with existing arrays for results. Halide runs Harris
with the schedule of its own application; the schedule of the binomial filter is written in the same way.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from _contest import against, fastest, kept, received
from _measure import Run, Samples, load, machine
from _peaks import aligned
from _race import Others, asked, for_each_count, others_said, peers_said, race
from _report import ROOT, Table, report
from peers import Array, Peer, find

import elevate
import rise
import shine
from shine.front.lowering import load_strategy

PEERS = ("halide", "opencv")
VERSIONS = ("naive", "separated", "scanline", "cbuf", "cbufRot", "vectorised", "parallel")
BEST = "parallel"
HALO = {"binomial": 2, "harris": 4}
SIZES = ((2560, 1536), (2832, 4256))
QUICK = ((36, 68),)
#: the pipelines of a quick run
QUICK_PIPELINES = ("binomial",)
ROUNDS = 15
BUDGET = 8.0
"""Seconds for the samples of one pipeline at one size."""
GOAL = 1.3


def main() -> None:
    """Measure and report; or, in a child process, measure with the given number of threads and print the samples."""
    options = asked("pipelines of stencils on pictures")
    if options.threads is not None:
        print(json.dumps(measured(options.threads, options.quick)))
        return
    before, watched = load(), Others.now()
    found = for_each_count(__file__, options.quick)
    facts = machine() | peers_said(found)
    rows = [(row, threads, received(one)) for threads, at in found.items() for row, one in at["rows"].items()]
    report("images", [races(rows), times(rows)], facts, others_said(watched, before), options.quick)


def measured(threads: int, quick: bool) -> dict[str, Any]:
    """Samples by pipeline and size."""
    present, absent = find(threads, PEERS)
    rows = {}
    for name in QUICK_PIPELINES if quick else HALO:
        low = {version: derived(name, version) for version in VERSIONS}
        for height, width in QUICK if quick else SIZES:
            samples = contest(present, name, low, height, width, threads, 3 if quick else ROUNDS)
            rows[f"{name} {width} x {height}"] = kept(samples)
    return {"versions": [f"{peer.name} {peer.version}" for peer in present], "absent": absent, "rows": rows}


def derived(name: str, version: str) -> rise.Expr:
    """A version of a pipeline, for any size."""
    program = rise.parse_file(ROOT / "examples" / "images" / f"{name}.rise").main
    outcome = load_strategy(f"strategies.images:{version}")(program)
    assert isinstance(outcome, elevate.Success), outcome
    found: rise.Expr = outcome.program
    return found


def contest(
    present: list[Peer],
    name: str,
    low: Mapping[str, rise.Expr],
    height: int,
    width: int,
    threads: int,
    rounds: int,
) -> dict[str, Samples]:
    """Measure all on the same image, with the given numbers of lines and columns. Their results are compared first."""
    image = aligned((height, width) if name == "binomial" else (3, height, width))
    image[...] = np.random.default_rng(0).random(image.shape, dtype=np.float32)
    runs: dict[str, Run] = {peer.name: peer.kernels[name](image) for peer in present if name in peer.kernels}
    for version, program in low.items():
        runs[version] = ours(program, image, aligned((height - HALO[name], width - HALO[name])), threads)
    wanted = np.array(runs["naive"]())
    for contestant, run in runs.items():
        np.testing.assert_allclose(np.asarray(run()), wanted, rtol=1e-3, atol=1e-4, err_msg=contestant)
    return race(runs, threads, rounds, BUDGET)


def ours(program: rise.Expr, image: Array, out: Array, threads: int) -> Run:
    """A kernel for any size, applied to this image."""
    kernel = shine.compile(program, target="openmp", threads=threads)
    return lambda: kernel(image, out=out)


def races(rows: list[tuple[str, int, dict[str, Samples]]]) -> Table:
    """The table of the last version compared with each peer."""

    def row() -> Iterator[tuple[str, ...]]:
        for what, threads, samples in rows:
            shown = [against(samples, BEST, one if one in samples else None) for one in PEERS]
            holds = "" if "halide" not in samples else "yes" if shown[0][0] >= GOAL else "no"
            best = fastest(samples, VERSIONS) or ""
            yield (what, str(threads), *(text for _, text in shown), best, holds)

    columns = ("pipeline", "threads", *(f"speed: ours / {one}'s" for one in PEERS), "our fastest", "holds")
    note = (
        f"For `{BEST}`; ratios round by round: the median, and the quartiles. The goal: {GOAL} times Halide's speed, "
        "as the CGO 2021 paper reports for Harris."
    )
    return Table("Stencils compared with Halide and OpenCV", columns, tuple(row()), note)


def times(rows: list[tuple[str, int, dict[str, Samples]]]) -> Table:
    """The table of all times in milliseconds."""
    names = (*PEERS, *VERSIONS)
    shown = [
        (what, str(threads), *(f"{1e3 * one[n].median:.2f}" if n in one else "" for n in names))
        for what, threads, one in rows
    ]
    return Table("Milliseconds", ("pipeline", "threads", *names), tuple(shown), "Medians.")


if __name__ == "__main__":
    main()
