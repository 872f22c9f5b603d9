"""The benchmarks of BaCO as spaces: their experts' choices are candidates, and candidates that are drawn compute the
programs. Those on GPUs are searched with estimates by counts of the simulator.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from random import Random
from typing import Any

import pytest

import rise
import shine
from rise.hardware import device, processor
from rise.terms import Expr
from shine.front.tuner import State
from strategies.spaces import Dead, Leaf, Open, Space, baco, replay
from strategies.spaces.holes import Decisions
from tests.examples import some

CASES = Path(__file__).resolve().parents[3] / "cases"
SCAL = "val main = fun(alpha: f32, xs: N.f32 => xs |> map(fun(x => alpha * x)))"
#: the step of k-means that labels points
KMEANS = """
val distance = fun(xs: D.f32, ys: D.f32 =>
  zip(xs, ys) |> map(fun(x, y => let d = x - y in d * d)) |> reduce(add, 0.0))
val nearest = fun(centres: K.D.f32, point: D.f32 =>
  zip(centres |> map(distance(point)), generate(fun(i: idx[K] => indexAsInt(i))))
    |> reduce(fun(a, b => if fst(b) < fst(a) then b else a), pair(inf, -1i64)) |> snd)
val main = fun(centres: K.D.f32, points: N.D.f32 => points |> map(nearest(centres)))
"""
MM = (CASES.parent / "examples" / "mm.rise").read_text(encoding="utf-8")


def case(name: str) -> str:
    return (CASES / f"{name}.rise").read_text(encoding="utf-8")


#: for each space: its program, sizes that a simulator runs, the experts' choices as far as they are choices here, and
#: decisions that keep tiles within such sizes
BENCHMARKS: dict[str, tuple[str, dict[str, int], Decisions, Decisions]] = {
    "mm_gpu": (
        MM,
        {"M": 128, "N": 128, "K": 32},
        {"rows": 64, "columns": 128, "depth": 16, "thread_rows": 8, "thread_columns": 4, "vector": 4},
        {"rows": 32, "columns": 64, "depth": 8},
    ),
    "asum": (case("asum"), {"N": 8192}, {"threads": 128, "items": 128}, {"threads": 64, "items": 8}),
    "scal": (SCAL, {"N": 8192}, {"threads": 256, "items": 1, "vector": 2}, {"threads": 64, "items": 4}),
    "kmeans": (
        KMEANS,
        {"N": 512, "K": 10, "D": 34},
        {"threads": 256, "items": 1},
        {"threads": 32, "items": 4},
    ),
    "acoustic": (
        case("acoustic"),
        {"M": 64, "N": 64},
        {"rows": 32, "columns": 32, "items": 1},
        {"rows": 8, "columns": 32},
    ),
    "harris": (
        case("harris"),
        {"M": 64, "N": 64},
        {"rows": 16, "columns": 64, "items": 4},
        {"rows": 8, "columns": 16},
    ),
}


def drawn(one: Space, given: Mapping[str, Any], random: Random) -> Decisions:
    """A candidate with some values, and otherwise at random."""
    while True:
        decisions: Decisions = {}
        while isinstance(at := replay(one, decisions), Open):
            decisions = {**at.partial, at.choice: given.get(at.choice, random.choice(at.domain))}
        if isinstance(at, Leaf):
            return decisions


def program_of(name: str) -> Expr:
    return rise.parse(BENCHMARKS[name][0]).main


@pytest.mark.parametrize("name", BENCHMARKS)
def test_the_choices_of_experts_are_candidates(name: str) -> None:
    _, sizes, expert, _ = BENCHMARKS[name]
    one: Space = getattr(baco, name)
    decisions = drawn(one, expert, Random(name))
    assert expert.items() <= decisions.items()
    found = replay(one, decisions, program_of(name), {**sizes, **({"N": 2**15} if len(sizes) == 1 else {})})
    assert isinstance(found, Leaf), found


@pytest.mark.parametrize("name", some(BENCHMARKS, 2))
def test_spaces_of_gpus_are_searched_by_counts(name: str) -> None:
    program, sizes, _, small = BENCHMARKS[name]
    one: Space = getattr(baco, name)
    decisions = drawn(one, small, Random(name))
    only = Space(one.name, lambda: replay_of(one, decisions), None)
    found = shine.tune(
        rise.parse(program),
        only,
        sizes,
        shine.Budget(evaluations=1),
        target="cuda-sim",
        device=device("A100-SXM4-40GB"),
    )
    assert [row.result.state for row in found.rows] == [State.MEASURED]
    assert found.rows[0].why in ("issued instructions", "shared memory", "L2", "latency")


def replay_of(one: Space, decisions: Decisions) -> Any:
    found = replay(one, decisions)
    assert isinstance(found, Leaf), found
    return found.strategy


def test_a_whole_space_is_searched() -> None:
    """Candidates whose pieces do not divide the array are dead, and no result is wrong."""
    budget = shine.Budget(evaluations=6)
    gpu = device("A100-SXM4-40GB")
    found = shine.tune(
        rise.parse(SCAL), baco.scal, {"N": 2**14}, budget, "random", seed=1, target="cuda-sim", device=gpu
    )
    states = {row.result.state for row in found.rows}
    assert {State.MEASURED} <= states <= {State.MEASURED, State.TWIN, State.DEAD}


def test_each_order_of_loops_applies() -> None:
    at = baco.mm_cpu.on(processor("haswell"))
    given = {"rows": 8, "columns": 32, "depth": 4, "vector": 16}
    for order in some(baco.ORDERS, 6):
        found = replay(at, {**given, "order": order}, rise.parse(MM).main, {"M": 16, "N": 64, "K": 8})
        assert isinstance(found, Leaf), (order, found)


def test_the_expert_of_the_product_on_cpus_is_a_valid_candidate() -> None:
    at = baco.mm_cpu.on(processor("haswell"))
    decisions = {"rows": 8, "columns": 128, "depth": 8, "vector": 32, "order": "1 2 5 3 6 4"}
    assert isinstance(replay(at, decisions), Leaf)
    only = Space("mm_cpu", lambda: replay_of(at, decisions), None)
    found = shine.tune(
        rise.parse(MM), only, {"M": 16, "N": 128, "K": 16}, shine.Budget(evaluations=1), threads=1
    )
    (row,) = found.rows
    assert row.result.state is State.MEASURED and row.result.validity == "proved"


def test_sizes_that_do_not_divide_are_refused_with_the_reason() -> None:
    found = replay(baco.scal, {"threads": 256, "items": 4, "vector": 2}, program_of("scal"), {"N": 1000})
    assert isinstance(found, Dead) and "divide" in found.diagnostic.title
