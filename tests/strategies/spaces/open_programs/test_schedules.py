"""Open programs of GPUs and processors: every way to decide them is a derivation that computes the program, and no
bound of a prefix is above one below it, or above the time that the simulator's counts give.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any, Final

import numpy as np
import pytest

import rise
import shine
from rise.diagnostics import RiseError
from rise.hardware import DEFAULT, device
from rise.hardware import processor as record
from shine.front.tuner.candidates import random_arguments
from shine.front.tuner.device_estimates import kernel_time
from strategies.spaces import Dead, Leaf, Open, Space, load_space, replay
from strategies.spaces.holes import Decisions
from strategies.spaces.models import Setting
from strategies.spaces.open_programs import gpu, processor
from strategies.spaces.open_programs.bounds import gpu_bound, processor_bound
from strategies.spaces.open_programs.hierarchies import OF_GPU, OF_PROCESSOR, Hierarchy
from strategies.spaces.open_programs.programs import decided
from strategies.spaces.tree import Tree
from tests.examples import THOROUGH

A100: Final = device("A100-SXM4-40GB")
PRODUCT: Final = rise.parse_file("examples/mm.rise").main
TRANSPOSED: Final = rise.parse("fun(xs: M.N.f32 => transpose(xs) |> map(map(fun(x => 2.0 * x))))").main
SIZES: Final = {"M": 64, "N": 96, "K": 32}
PROGRAMS: Final = {"product": (PRODUCT, SIZES), "map": (TRANSPOSED, {"M": 64, "N": 96})}
COUNT: Final = 60 if THOROUGH else 6


def descents(one: Space, seed: object, count: int) -> Iterator[tuple[list[Decisions], Leaf | Dead]]:
    """Random ways to decide a space: the prefixes of each, and where it ends."""
    random = Random(str(seed))
    for _ in range(count):
        prefixes: list[Decisions] = [{}]
        outcome = replay(one, {})
        while isinstance(outcome, Open):
            prefixes.append({**outcome.partial, outcome.choice: random.choice(outcome.domain)})
            outcome = replay(one, prefixes[-1])
        yield prefixes, outcome


def results_of(program: Any, arguments: list[Any]) -> Any:
    if program is PRODUCT:
        return arguments[0] @ arguments[1]
    return 2 * arguments[0].T


@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.parametrize(("one", "target"), [(gpu, "cuda-sim"), (processor, "openmp")])
def test_every_candidate_computes_the_program(one: Space, target: str, name: str) -> None:
    program, sizes = PROGRAMS[name]
    on = one.on(DEFAULT, rise.specialise(program, **sizes))
    ends: Counter[str] = Counter()
    for _, end in descents(on, f"{target} {name}", COUNT):
        leaf = replay(on, end.decisions, program, sizes) if isinstance(end, Leaf) else end
        ends[type(leaf).__name__] += 1
        if isinstance(leaf, Dead):  # the only limit that constraints do not know
            assert "expected at most 4 tilings of sums after a split" in leaf.diagnostic.title
            continue
        assert isinstance(leaf, Leaf) and leaf.term is not None
        kernel = shine.compile(leaf.term, target=target)
        arguments = random_arguments(kernel, 0)
        np.testing.assert_allclose(kernel(*arguments), results_of(program, arguments), rtol=1e-4, atol=1e-4)
    assert ends["Leaf"] > 0.8 * COUNT


@pytest.mark.parametrize("name", PROGRAMS)
def test_bounds_of_gpus_increase_to_the_estimate_of_the_simulator(name: str) -> None:
    program, sizes = PROGRAMS[name]
    at = Setting(program, sizes, DEFAULT, 1, A100)
    on = gpu.on(DEFAULT, at.term)
    for prefixes, end in descents(on, name, COUNT):
        if isinstance(end, Dead):
            continue
        leaf = replay(on, end.decisions, program, sizes)
        bounds = [float(gpu_bound(at, made).time) for made in (*prefixes, end.decisions)]
        assert bounds == sorted(bounds) and bounds[0] > 0
        if isinstance(leaf, Leaf) and leaf.term is not None:
            kernel = shine.compile(leaf.term, target="cuda-sim")
            time = kernel_time(kernel, random_arguments(kernel, 0), A100).time
            assert bounds[-1] <= float(time) * (1 + 1e-9), end.decisions


@pytest.mark.parametrize("threads", [1, 2])
def test_bounds_of_processors_increase(threads: int) -> None:
    at = Setting(PRODUCT, SIZES, record("znver4"), threads)
    on = processor.on(at.machine, at.term)
    whole = SIZES["M"] * SIZES["N"] * SIZES["K"] / (at.lanes * at.machine.fma_units)
    for prefixes, end in descents(on, threads, 10 * COUNT):
        bounds = [float(processor_bound(at, made).time) for made in (*prefixes, end.decisions)]
        assert bounds == sorted(bounds)
        assert bounds[0] * (at.clock or 0) == pytest.approx(whole / threads)


def test_a_single_core_has_all_tiles() -> None:
    """If no loop runs on cores, a second thread does not help."""
    at = Setting(PRODUCT, SIZES, record("znver4"), 2)
    alone = processor_bound(at, {"size M0": 1, "size N0": 1})
    assert float(alone.time) == pytest.approx(2 * float(processor_bound(at, {}).time))
    three = processor_bound(at, {"size M0": 1, "size N0": 3, "kind N0": "core"})
    assert float(three.time) == pytest.approx(4 / 3 * float(processor_bound(at, {}).time))


@pytest.mark.parametrize(
    ("one", "hierarchy", "wanted"),
    [
        (gpu, OF_GPU, {"sequential", "unrolled", "thread", "warp", "lane", "block"}),
        (processor, OF_PROCESSOR, {"sequential", "unrolled", "vector", "core"}),
    ],
)
def test_all_kinds_of_loops_and_memories_are_choices(
    one: Space, hierarchy: Hierarchy, wanted: set[str]
) -> None:
    program = rise.specialise(PRODUCT, **SIZES)
    kinds, orders = set[str](), 0
    memories: dict[str, set[object]] = {"memory of A": set(), "memory of B": set()}
    for _, end in descents(one.on(DEFAULT, program), "kinds", 300):
        if isinstance(end, Leaf):
            nest = decided(program, hierarchy, end.decisions)
            kinds |= {kind for loop in nest.nest() for kind in nest.kinds(loop)}
            orders += any(name.startswith("order ") for name in end.decisions)
            for name, found in memories.items():
                found.update(nest.domains[name])
        if (
            kinds == wanted
            and orders
            and all(len(each) == len(hierarchy.memories) for each in memories.values())
        ):
            return
    raise AssertionError((kinds, memories, orders))


def test_decided_text_is_a_schedule_of_the_paper() -> None:
    """Blocks, warps and lanes with copies in shared memory and registers, as in listing 2 of Fireiron."""
    decisions = {
        "size M0": 2, "size M1": 2, "size M2": 4, "size N0": 3, "size N1": 1, "size N2": 8, "size K0": 4,
        "kind M0": "block", "kind M1": "warp", "kind M2": "lane", "kind M3": "unrolled",
        "kind N0": "block", "kind N2": "lane", "kind N3": "unrolled", "kind K1": "sequential",
        "memory of A": "shared and registers", "memory of B": "shared and registers",
        "layout of A": "columns", "layout of B": "padded rows", "memory of sums": "registers",
        "order M0 N0": "inside", "order M2 N2": "outside", "order M3 N3": "outside",
        "order K1 M1": "inside", "order K1 M2": "inside", "order K1 N2": "inside",
        "order K1 M3": "outside", "order K1 N3": "outside",
    }  # fmt: skip
    on = gpu.on(DEFAULT, rise.specialise(PRODUCT, **SIZES))
    outcome = replay(on, {})
    while isinstance(outcome, Open):
        outcome = replay(on, {**outcome.partial, outcome.choice: decisions[outcome.choice]})
    assert isinstance(outcome, Leaf), outcome
    steps = str(outcome.strategy)
    for text in ("tileNest(32, 32)", "hasSpec(MatMul(4, 4, 1)(RF, RF, RF)(Lane))", "mapToMapSeqUnroll"):
        assert text in steps


def test_a_search_needs_no_device() -> None:
    """A few estimates find schedules that are faster than the target's own strategy, and bounds tell how much faster
    others may be.
    """
    found = shine.tune(
        PRODUCT,
        load_space("strategies.spaces.open_programs:gpu"),
        SIZES,
        shine.Budget(evaluations=20 if THOROUGH else 4),
        target="cuda-sim",
        device=A100,
        db=":memory:",
    )
    assert found.ratio > 1 and found.wrong == () and found.gap is not None and found.gap < 1
    assert all(
        row.result.seconds is None or row.bound <= row.result.seconds * (1 + 1e-9) for row in found.rows
    )


def test_prefixes_are_cut_by_their_own_bounds() -> None:
    """One block of a product takes longer than many, whatever else is decided: nothing below is expanded."""
    at = Setting(PRODUCT, SIZES, DEFAULT, 1, A100)
    tree = Tree(gpu.on(DEFAULT, at.term), at)
    assert not tree.bounds.is_complete
    prefix = tree.root
    tree.below(prefix)
    while prefix.choice.startswith("size M") or prefix.choice == "size N0":
        prefix = next(child for _, child in prefix.children or () if child.decisions[prefix.choice] == 1)
        tree.below(prefix)
    assert prefix.bound.time > 50 * tree.root.bound.time
    tree.best = 2 * float(tree.root.bound.time)
    assert tree.is_cut(prefix) and not tree.is_cut(tree.root)


def test_other_programs_have_no_candidates() -> None:
    sums = rise.parse("fun(xs: M.N.f32 => xs |> map(reduce(add, 0.0)))").main
    with pytest.raises(RiseError) as caught:
        shine.tune(sums, processor, {"M": 4, "N": 8}, db=":memory:")
    found = caught.value.diagnostic
    assert found.code == "unsatisfiable-space"
    assert "expected a product of two matrices or a map with known sizes, found Reduce(m: 4, k: 8)" in str(
        found.notes
    )


def test_few_numbers_are_not_enough_for_a_block() -> None:
    on = gpu.on(DEFAULT, rise.specialise(PRODUCT, M=2, N=2, K=2))
    outcome = replay(on, {})
    assert isinstance(outcome, Dead) and "a block has 32 to 1024 threads" in outcome.diagnostic.title
