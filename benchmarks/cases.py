"""Every case under the default strategy for OpenMP, compared with straightforward numpy.

Both take turns in one process, with the same number of threads: numpy uses them in its matrix library, and one thread
elsewhere. The kernel accepts any sizes.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np
from _measure import PAUSE, Samples, cores, in_turns, load, machine, numpys_blas, ratios
from _plain import PEERS, Peer, inputs
from _report import ROOT, Table, is_quick, report

import elevate
import rise
import shine
from shine.front.lowering import load_strategy
from shine.targets import TARGETS

CASES = ROOT / "cases"
QUICK = ("axpy", "softmax")
ROUNDS = 7
GOAL, LEAST = 2.0, 0.5
COLUMNS = ("case", "threads", "speed: ours / numpy's", "quartiles", "ours ms", "numpy ms", "note")


def main() -> None:
    """Measure and report."""
    quick = is_quick("every case against numpy")
    blas = numpys_blas()
    before = load()
    counts = (1,) if quick or blas.threads is None else sorted({1, cores()})
    rows: list[tuple[str, ...]] = []
    speeds: dict[int, list[float]] = {count: [] for count in counts}
    for name in QUICK if quick else PEERS:
        for threads in counts:
            if blas.threads is not None:
                blas.threads(threads)
            ours, theirs = measured(name, PEERS[name], threads, 3 if quick else ROUNDS)
            rows.append(row(name, threads, ours, theirs))
            speeds[threads].append(ratios(ours, theirs)[0])
    what = "Cases, the default strategy for OpenMP against numpy"
    note = "Speed is 1 / time: the median of the ratios of all rounds. Both take and return numpy arrays."
    table = Table(what, COLUMNS, tuple(rows), note)
    report(
        "cases", [table, summary(speeds)], machine(), f"load: {before:.1f} before, {load():.1f} after", quick
    )


def measured(name: str, peer: Peer, threads: int, rounds: int) -> tuple[Samples, Samples]:
    """Our samples and numpy's. The results are compared first."""
    program = rise.parse_file(CASES / f"{name}.rise").main
    result = load_strategy(TARGETS["openmp"].strategy)(program)
    assert isinstance(result, elevate.Success), name
    kernel = shine.compile(result.program, target="openmp", threads=threads)
    arguments = inputs(rise.specialise(program, **peer.sizes), peer)
    same(kernel(*arguments), peer.run(*arguments), name)
    runs = {"ours": partial(kernel, *arguments), "numpy": partial(peer.run, *arguments)}
    samples = in_turns(runs, rounds, pause=PAUSE if threads > 1 else 0.0)
    return samples["ours"], samples["numpy"]


def same(ours: Any, theirs: Any, name: str) -> None:
    """Raise an error if the results differ, except for rounding: sums may be computed in another order."""
    if isinstance(theirs, tuple):
        for mine, other in zip(ours, theirs, strict=True):
            same(mine, other, name)
        return
    if isinstance(theirs, list):
        ours, theirs = np.concatenate(ours), np.concatenate(theirs)
    mine, other = (np.asarray(one).astype(np.float64) for one in (ours, theirs))
    scale = float(np.abs(other).max(initial=1.0))
    np.testing.assert_allclose(mine, other, rtol=1e-2, atol=2e-3 * scale, err_msg=name)


def row(name: str, threads: int, ours: Samples, theirs: Samples) -> tuple[str, ...]:
    """One comparison as text."""
    ratio, (low, high) = ratios(ours, theirs)
    times = (f"{samples.median * 1e3:.3g}" for samples in (ours, theirs))
    return name, str(threads), f"{ratio:.2f}", f"{low:.2f}-{high:.2f}", *times, PEERS[name].note or "-"


def summary(speeds: dict[int, list[float]]) -> Table:
    """The table of goals."""
    return Table(
        "Goals for the cases", ("what", "threads", "target", "measured", "holds"), tuple(goals(speeds))
    )


def goals(speeds: dict[int, list[float]]) -> Iterator[tuple[str, ...]]:
    """A row for each goal and number of threads."""
    for threads, found in speeds.items():
        mean = statistics.geometric_mean(found)
        yield "geometric mean", str(threads), f">= {GOAL}", f"{mean:.2f}", "yes" if mean >= GOAL else "no"
        slow = sum(one < LEAST for one in found)
        least = f"{min(found, default=math.inf):.2f}, {slow} of {len(found)} below"
        yield "slowest", str(threads), f">= {LEAST}", least, "no" if slow else "yes"


if __name__ == "__main__":
    main()
