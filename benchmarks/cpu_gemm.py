"""The seven matrix products of the ICFP 2020 paper: each of our versions compared with TVM's schedule of the same name.

Both take turns in one process, with one process per number of threads. If TVM is not installed, ours run alone.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np
from _contest import against, kept, mean, received
from _measure import Run, load, machine
from _peaks import aligned, build
from _race import Others, asked, for_each_count, others_said, peers_said, race
from _report import ROOT, Table, report
from peers import Peer, find

import elevate
import rise
import shine
import strategies

#: the versions, and the paper's steps (section 6.1) and milliseconds (figure 11) for RISE and for TVM
PAPER: Mapping[str, tuple[int, int, int]] = {
    "baseline": (657, 2742, 1961),
    "blocking": (42489, 149, 231),
    "vectorization": (43512, 149, 237),
    "loopPerm": (40493, 112, 112),
    "arrayPacking": (62317, 108, 109),
    "cacheBlocks": (63233, 120, 100),
    "parallel": (63959, 42, 72),
}
SIZE, QUICK = 1024, 64
ROUNDS = 15
BUDGET = 10.0
"""Seconds for the samples of one version; for slow versions, three samples are taken regardless of their time."""
GOAL = 1.0
OURS, THEIRS, PEAK = "ours", "tvm", "peak"


def main() -> None:
    """Measure and report; or, in a child process, measure with the given number of threads and print the samples."""
    options = asked("the seven matrix products beside TVM's")
    size = QUICK if options.quick else SIZE
    if options.threads is not None:
        print(json.dumps(measured(options.threads, size, options.quick)))
        return
    before, watched = load(), Others.now()
    found = for_each_count(__file__, options.quick)
    facts = machine() | peers_said(found)
    tables = [steps(), versions(found, size), goals(found)]
    report("cpu_gemm", tables, facts, others_said(watched, before), options.quick)


def measured(threads: int, size: int, quick: bool) -> dict[str, Any]:
    """Samples by version."""
    present, absent = find(threads, (THEIRS,))
    rows = {version: kept(contest(present, version, size, threads, quick)) for version in PAPER}
    return {"versions": [f"{peer.name} {peer.version}" for peer in present], "absent": absent, "rows": rows}


def contest(present: list[Peer], version: str, size: int, threads: int, quick: bool) -> Any:
    """Measure one of our versions and TVM's on the same arrays. Their results are compared first."""
    rng = np.random.default_rng(0)
    a, b, out = (aligned((size, size)) for _ in range(3))
    a[:], b[:] = rng.random((2, size, size), dtype=np.float32)
    low = rise.specialise(derived(version).result.program, M=size, K=size, N=size)
    kernel = shine.compile(low, target="openmp", threads=threads)
    runs: dict[str, Run] = {peer.name: peer.kernels[version](a, b) for peer in present}
    runs[OURS] = partial(kernel, a, b, out=out)
    for name, run in runs.items():
        found = run()
        np.testing.assert_allclose(
            found.numpy() if hasattr(found, "numpy") else found, a @ b, rtol=1e-5 * size, err_msg=name
        )
    runs[PEAK], _ = build().multiply_adds("float32")
    return race(runs, threads, 3 if quick else ROUNDS, BUDGET)


def derived(version: str) -> Any:
    """The derivation, with its counts."""
    program = rise.parse_file(ROOT / "examples" / "mm.rise").main
    outcome = elevate.run(strategies.load(f"strategies.cpu_gemm:{version}"), program)
    assert isinstance(outcome.result, elevate.Success), version
    return outcome


def steps() -> Table:
    """The lengths of the derivations, the paper's and ours."""
    rows = []
    for version, (published, _, _) in PAPER.items():
        counted = derived(version).counters
        rows.append(
            (
                version,
                f"{published:,}",
                *(f"{one:,}" for one in (counted.firings, counted.attempts, counted.visits)),
            )
        )
    note = (
        "The paper's steps count all that its engine did, traversals and predicates included. Ours are three numbers: "
        "rules that fired, rules that were tried, terms that were visited."
    )
    return Table(
        "Steps of the derivations",
        ("version", "paper's steps", "firings", "attempts", "visits"),
        tuple(rows),
        note,
    )


def versions(found: Mapping[int, Any], size: int) -> Table:
    """The table of our times and TVM's."""
    rows = []
    peak_of = build().multiply_adds("float32")[1]
    for threads, one in found.items():
        for version, seconds in one["rows"].items():
            samples = received(seconds)
            both = THEIRS in samples
            shown = against(samples, OURS, THEIRS)[1] if both else "no TVM"
            rows.append(
                (
                    version,
                    str(threads),
                    shown,
                    f"{samples[OURS].median * 1e3:.2f}",
                    f"{samples[THEIRS].median * 1e3:.2f}" if both else "",
                    f"{2e-9 * size**3 / samples[OURS].median:.0f}",
                    f"{1e-9 * peak_of * threads / samples[PEAK].median:.0f}",
                    *map(str, PAPER[version][1:]),
                )
            )
    columns = (
        "version",
        "threads",
        "speed: ours / TVM's",
        "ours ms",
        "TVM ms",
        "ours Gflop/s",
        PEAK,
        "paper: RISE ms",
        "paper: TVM ms",
    )
    note = (
        "Ratios are computed round by round: the median, and the quartiles. `peak` is a loop of multiply-adds in "
        "registers, in the same turns. The paper's milliseconds are those of its figure, on another machine."
    )
    return Table(f"Seven versions at {size}, f32", columns, tuple(rows), note)


def goals(found: Mapping[int, Any]) -> Table:
    """The table of goals, over all versions."""
    rows = []
    for threads, one in found.items():
        every = {name: received(seconds) for name, seconds in one["rows"].items()}
        each = {name: against(s, OURS, THEIRS)[0] for name, s in every.items() if THEIRS in s}
        if each:
            slowest = min(each, key=lambda name: each[name])
            holds = "yes" if each[slowest] >= GOAL else "no"
            least = f"{each[slowest]:.2f} ({slowest})"
            rows.append((str(threads), f">= {GOAL} each", least, f"{mean(list(each.values())):.2f}", holds))
        else:
            rows.append((str(threads), f">= {GOAL} each", "no TVM", "", ""))
    return Table(
        "Goals for the versions",
        ("threads", "target", "slowest", "geometric mean", "holds"),
        tuple(rows),
    )


if __name__ == "__main__":
    main()
