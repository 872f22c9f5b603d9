"""Contractions of tensors by `shine.einsum`, compared with numpy, torch, opt_einsum and JAX, which take turns in one
process.

The rows are those of `tests/data/contractions`, at extents that are reduced in proportion. All results go to existing
contiguous arrays, since libraries otherwise return views of arrays in another order; JAX returns new ones. A run of all
rows, for one thread and for all cores, takes a quarter of an hour.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator, Mapping
from functools import partial
from math import prod
from typing import Any

import numpy as np
from _contest import against, fastest, kept, mean, received
from _measure import Run, Samples, load, machine
from _peaks import aligned
from _race import Others, asked, for_each_count, others_said, peers_said, race
from _report import ROOT, Table, report
from peers import Peer, find

import shine

OURS = "shine"
GEMM = "GEMM"
PEERS = ("numpy", "torch", "opt_einsum", "jax")
DTYPES = ("float32", "float64")
MOST_OPERATIONS, MOST_BYTES = 4e8, 40e6
"""Limits of the reduced rows; the bytes are those of all three tensors in double precision."""
SHRINKING = 0.98
LEAST_EXTENT, UNIT = 8, 4
ROUNDS = 9
BUDGET = 3.0
"""Seconds for the samples of one row and type."""
QUICK = "tccg_31"


def main() -> None:
    """Measure and report; or, in a child process, measure with the given number of threads and print the samples."""
    options = asked("contractions beside those of libraries", "rows, such as tccg_01")
    if options.threads is not None:
        print(json.dumps(measured(options.threads, options.quick, options.only)))
        return
    before, watched = load(), Others.now()
    found = for_each_count(__file__, options.quick, only=options.only)
    facts = machine() | peers_said(found)
    tables = [speeds(found), goals(found)]
    report("contractions", tables, facts, others_said(watched, before), options.quick)


def rows() -> Iterator[tuple[str, str, str, dict[str, int]]]:
    """The name, the group, the specification and the extents of each row."""
    for name in ("tccg", "ccsdt"):
        path = ROOT / "tests" / "data" / "contractions" / f"{name}.csv"
        for row in csv.DictReader(path.read_text(encoding="utf-8").splitlines()):
            pairs = (one.split("=") for one in row["sizes"].split())
            yield row["id"], row["group"], row["spec"], reduced(row["spec"], {c: int(n) for c, n in pairs})


def reduced(spec: str, full: Mapping[str, int]) -> dict[str, int]:
    """Extents that are smaller in proportion, as large as the limits allow."""
    factor = 1.0
    while True:
        sizes = {c: max(LEAST_EXTENT, UNIT * round(n * factor / UNIT)) for c, n in full.items()}
        numbers = sum(prod(sizes[c] for c in term) for term in terms(spec))
        if 2 * prod(sizes.values()) <= MOST_OPERATIONS and numbers * 8 <= MOST_BYTES:
            return sizes
        factor *= SHRINKING


def terms(spec: str) -> list[str]:
    """The letters of both operands and of the result."""
    return spec.replace("->", ",").split(",")


def measured(threads: int, quick: bool, only: tuple[str, ...]) -> dict[str, Any]:
    """Samples by row and type, and the peers that took part."""
    present, absent = find(threads, PEERS)
    chosen = only or ((QUICK,) if quick else ())
    found = []
    for name, group, spec, sizes in rows():
        if chosen and name not in chosen:
            continue
        for dtype in DTYPES:
            samples = contest(present, spec, sizes, dtype, threads, quick)
            row = {"id": name, "group": group, "spec": spec, "sizes": sizes, "dtype": dtype}
            found.append(row | {"samples": kept(samples)})
    versions = [f"{peer.name} {peer.version} ({peer.threads})" for peer in present]
    return {"versions": versions, "absent": absent, "rows": found}


def contest(
    present: list[Peer], spec: str, sizes: Mapping[str, int], dtype: str, threads: int, quick: bool
) -> dict[str, Samples]:
    """Measure all on the same arrays. Their results are first compared with each other."""
    left, right, result = terms(spec)
    rng = np.random.default_rng(0)
    a, b, out = (aligned(tuple(sizes[c] for c in term), dtype) for term in (left, right, result))
    a[:], b[:] = rng.random(a.shape) - 0.5, rng.random(b.shape) - 0.5
    runs: dict[str, Run] = {OURS: partial(shine.einsum, spec, a, b, out=out)}
    wanted = np.einsum(spec, a, b, optimize=True)
    for peer in present:
        runs[peer.name] = peer.kernels["einsum"](spec, a, b, np.empty_like(out))
    for name, run in runs.items():
        np.testing.assert_allclose(run(), wanted, rtol=1e-3, atol=1e-3, err_msg=name)
    m = prod(sizes[c] for c in result if c in left)
    k = prod(sizes[c] for c in left if c not in result)
    x, y = aligned((m, k), dtype), aligned((k, prod(sizes[c] for c in result if c not in left)), dtype)
    x[:], y[:] = 0.5, 0.5
    runs[GEMM] = partial(np.matmul, x, y, out=aligned((len(x), y.shape[1]), dtype))
    return race(runs, threads, 3 if quick else ROUNDS, BUDGET)


def each(found: Mapping[int, Any]) -> Iterator[tuple[int, dict[str, Any], dict[str, Samples]]]:
    """Rows by threads."""
    for threads, one in found.items():
        for row in one["rows"]:
            yield threads, row, received(row["samples"])


def peers_of(samples: Mapping[str, Samples]) -> list[str]:
    """The names of the libraries."""
    return [name for name in samples if name not in (OURS, GEMM)]


def speeds(found: Mapping[int, Any]) -> Table:
    """The table of speeds, and of ours divided by that of the fastest library."""
    lines, names = [], [OURS, *PEERS]
    for threads, row, samples in each(found):
        names = [name for name in samples if name != GEMM]
        flop = 2.0 * prod(row["sizes"].values())
        best = fastest(samples, peers_of(samples))
        shown = (f"{flop / samples[name].median / 1e9:.1f}" for name in (*names, GEMM))
        sizes = " ".join(f"{c}={n}" for c, n in row["sizes"].items())
        lines.append(
            (
                row["id"],
                row["spec"],
                sizes,
                row["dtype"],
                str(threads),
                *shown,
                against(samples, OURS, best)[1],
            )
        )
    note = (
        "Gflop/s, medians. `GEMM` is numpy's product of two matrices with as many rows, columns and summed elements. "
        "The last column is our speed divided by that of the fastest library, round by round: the median and the "
        "quartiles."
    )
    columns = ("row", "contraction", "extents", "type", "threads", *names, GEMM, "time: ours / the fastest's")
    return Table("Contractions", columns, tuple(lines), note)


def goals(found: Mapping[int, Any]) -> Table:
    """The table of geometric means over rows of a group."""
    by: dict[tuple[str, str, int], list[float]] = {}
    for threads, row, samples in each(found):
        ratio, _ = against(samples, OURS, fastest(samples, peers_of(samples)))
        for group in (row["group"], "all"):
            by.setdefault((group, row["dtype"], threads), []).append(ratio)
    lines = tuple(
        (group, dtype, str(threads), str(len(one)), f"{mean(one):.2f}", f"{min(one):.2f}")
        for (group, dtype, threads), one in sorted(by.items())
    )
    columns = ("group", "type", "threads", "rows", "geometric mean", "least")
    return Table("Contractions against the fastest library", columns, lines, "")


if __name__ == "__main__":
    main()
