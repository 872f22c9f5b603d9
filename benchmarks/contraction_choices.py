"""Contractions whose method and tiles a model chooses, compared with the fastest that a search finds.

Contractions and their extents are drawn at random, not from the rows to which the model was fitted. The search is
`shine.tune` in the space `strategies.spaces.contractions:contractions`; its best candidates then take turns with the
model's choice.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from math import prod
from random import Random
from typing import Any

import numpy as np
from _contest import against, fastest, mean
from _measure import Run, load, machine
from _peaks import aligned
from _race import Others, others_said, race
from _report import Table, is_quick, report

import rise
import shine
from elevate import Strategy
from rise.einsum.elaboration import einsum_text
from rise.einsum.specs import read_spec
from rise.hardware import Processor
from rise.programs.contraction_operators import operators_of
from shine.front.contractions import loop_order
from shine.front.machines import machine_for
from shine.front.tuner import Budget, State
from strategies.contractions import contraction
from strategies.spaces import replay
from strategies.spaces.contractions import contractions
from strategies.spaces.replay import Leaf

MODEL = "model"
SEED = 20
COUNT, QUICK_COUNT = 8, 1
EVALUATIONS, QUICK_EVALUATIONS = 16, 3
#: candidates of a search that are measured again beside the model's choice
FINALISTS = 3
LEAST_OPERATIONS, MOST_OPERATIONS, MOST_NUMBERS = 4e6, 2e8, 3e6
EXTENTS = (1, 400)
ROUNDS, BUDGET = 9, 2.0
NAMES = {"f32": "float32", "f64": "float64"}


def main() -> None:
    """Draw, search, measure and report."""
    quick = is_quick("contractions by model, and by search")
    before, watched = load(), Others.now()
    draw = Random(SEED)
    count, evaluations = (QUICK_COUNT, QUICK_EVALUATIONS) if quick else (COUNT, EVALUATIONS)
    lines, ratios = [], []
    for number in range(count):
        spec, sizes = drawn(draw)
        scalar = ("f32", "f64")[number % 2]
        ratio, shown, found = compared(spec, sizes, scalar, evaluations)
        ratios.append(ratio)
        extents = " ".join(f"{c}={n}" for c, n in sizes.items())
        lines.append((spec, extents, scalar, shown, found))
    lines.append(("geometric mean", "", "", f"{mean(ratios):.2f}", f"least {min(ratios):.2f}"))
    note = (
        "One thread. The fourth column is the speed of the model's choice divided by that of the fastest of "
        f"{evaluations} candidates of the search and the model's own choice, round by round: the median and the "
        "quartiles. The last column has the decisions of the fastest candidate."
    )
    columns = ("contraction", "extents", "type", "model / tuned", "tuned")
    table = Table("Contractions by model, relative to tuned", columns, tuple(lines), note)
    report("contraction_choices", [table], machine(), others_said(watched, before), quick)


def drawn(draw: Random) -> tuple[str, dict[str, int]]:
    """A contraction of two operands of up to seven letters, in any order, and extents that the limits allow."""
    while True:
        letters = iter("abcdefgh")
        both, rows, columns, summed = (
            [next(letters) for _ in range(draw.randint(low, high))]
            for low, high in ((0, 1), (1, 2), (1, 2), (1, 2))
        )
        left, right, result = (
            "".join(draw.sample(one, len(one)))
            for one in (both + rows + summed, both + columns + summed, both + rows + columns)
        )
        least, most = EXTENTS
        sizes = {c: round(least * (most / least) ** draw.random()) for c in sorted({*left, *right})}
        operations = 2 * prod(sizes.values())
        numbers = sum(prod(sizes[c] for c in one) for one in (left, right, result))
        if LEAST_OPERATIONS <= operations <= MOST_OPERATIONS and numbers <= MOST_NUMBERS:
            return f"{left},{right}->{result}", sizes


def program(spec: str, sizes: Mapping[str, int], scalar: str) -> rise.programs.Program:
    """The program that `shine.einsum` compiles."""
    left, right, result = spec.replace("->", ",").split(",")
    shapes = [[str(sizes[c]) for c in one] for one in (left, right)]
    loops = loop_order([left, right], result, sizes, scalar)
    read = read_spec(spec, [len(left), len(right)])
    return rise.parse(einsum_text(read, shapes, scalar, operators_of(None, scalar), [(0, 1)], loops))


def compared(spec: str, sizes: Mapping[str, int], scalar: str, evaluations: int) -> tuple[float, str, str]:
    """The speed of the model's choice divided by that of the fastest, the same as text, and what the fastest is."""
    here, term = machine_for(), program(spec, sizes, scalar)
    left, right, result = spec.replace("->", ",").split(",")
    rng = np.random.default_rng(0)
    a, b, out = (aligned(tuple(sizes[c] for c in one), NAMES[scalar]) for one in (left, right, result))
    a[:], b[:] = rng.random(a.shape) - 0.5, rng.random(b.shape) - 0.5
    wanted = np.einsum(spec, a, b, optimize=True)
    runs: dict[str, Run] = {}
    for name, strategy in {MODEL: contraction(machine=here), **searched(term, evaluations, here)}.items():
        kernel = shine.compile(term, strategy=strategy, threads=1)
        np.testing.assert_allclose(kernel(a, b), wanted, rtol=1e-3, atol=1e-3, err_msg=name)
        runs[name] = partial(kernel, a, b, out=out)
    samples = race(runs, 1, ROUNDS, BUDGET)
    best = fastest(samples, runs)
    ratio, shown = against(samples, MODEL, best)
    return ratio, shown, best or ""


def searched(term: Any, evaluations: int, here: Processor) -> dict[str, Strategy]:
    """The fastest candidates of a search, by their decisions."""
    found = shine.tune(term, contractions, {}, Budget(evaluations=evaluations), machine=here, threads=1)
    measured = [one for one in found.rows if one.result.state is State.MEASURED]
    chosen = sorted(measured, key=lambda one: one.result.seconds or 0.0)[:FINALISTS]
    return dict(named(one.decisions, here) for one in chosen)


def named(decisions: Any, here: Processor) -> tuple[str, Strategy]:
    """The decisions as text, and their strategy."""
    leaf = replay(contractions.on(here), decisions)
    assert isinstance(leaf, Leaf)
    kept: Iterator[str] = (
        f"{name}={value}" for name, value in decisions.items() if value not in ("own", False, True)
    )
    return ", ".join(kept), leaf.strategy


if __name__ == "__main__":
    main()
