"""The minimum arithmetic of imperative programs, compared with counts by hand."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

import rise
import strategies
from elevate import Strategy, run
from rise.hardware import processor
from shine.front.tuner.arithmetic import arithmetic_bound, counted
from shine.imperative.nodes import Procedure
from shine.targets import find_target
from shine.translate import translate

PRODUCT = """val main = fun(a: M.K.f32, b: K.N.f32 => a |> map(fun(row =>
  transpose(b) |> map(fun(column => zip(row, column) |> map(mul) |> reduce(add, 0.0))))))"""
SIZES = {"M": 16, "N": 64, "K": 8}
SEQUENTIAL = strategies.load("strategies.sequential:sequential")
TILES = strategies.load("strategies.openmp:parallel")


def lowered(text: str, strategy: Strategy, **sizes: int) -> Procedure:
    result = run(strategy, rise.parse(text).main).result
    term = rise.specialise(result.program, **sizes)  # type: ignore[union-attr]  # it succeeds
    return translate(term, "kernel", find_target("openmp").levels, ())


def operations(procedure: Procedure) -> Counter[str]:
    counts: Counter[str] = Counter()
    for name, _, count in counted(procedure):
        counts[name] += count
    return counts


def test_a_product_needs_its_multiplications_and_additions() -> None:
    count = 16 * 64 * 8
    assert operations(lowered(PRODUCT, SEQUENTIAL, **SIZES)) == {"mul": count, "add": count}
    haswell = processor("haswell")  # two units of eight lanes
    bound = arithmetic_bound(lowered(PRODUCT, SEQUENTIAL, **SIZES), haswell, 1)
    assert haswell.clock is not None
    assert (bound.time, bound.why) == (count / 16 / haswell.clock, "arithmetic")
    assert arithmetic_bound(lowered(PRODUCT, SEQUENTIAL, **SIZES), haswell, 2).time == bound.time


def test_threads_share_the_iterations_of_parallel_loops() -> None:
    """Five blocks of columns on two threads take as long as three on one; values that do not depend on a block are
    not counted for each.
    """
    tiles = lowered(PRODUCT, strategies.load("strategies.openmp:parallel", columns=64), M=12, N=320, K=8)
    counts = {threads: sum(count for _, _, count in counted(tiles, threads)) for threads in (1, 2, 5)}
    assert counts == {1: 12 * 320 * 8, 2: 12 * 192 * 8, 5: 12 * 64 * 8}


def test_an_element_that_each_iteration_computes_counts_for_each() -> None:
    """A product of packed factors reads a copy that does not depend on the loop over blocks, but its contents do."""
    tiles = strategies.load("strategies.openmp:parallel", columns=64)
    for columns in (64, 128, 192):
        assert operations(lowered(PRODUCT, tiles, M=6, N=columns, K=8))["fma"] == 6 * columns * 8


def test_tiles_need_no_more() -> None:
    for sizes in (SIZES, {"M": 17, "N": 63, "K": 9}):
        count = sizes["M"] * sizes["N"] * sizes["K"]
        assert 0 < operations(lowered(PRODUCT, TILES, **sizes))["fma"] <= count * 2


def test_loop_invariant_operations_are_counted_once() -> None:
    text = "val main = fun(xs: 8.f32, a: f32 => xs |> map(fun(x => x * (a + a))))"
    assert operations(lowered(text, SEQUENTIAL)) == {"mul": 8, "add": 1}


def test_without_a_clock_or_sizes_there_is_no_bound() -> None:
    procedure = lowered(PRODUCT, SEQUENTIAL, **SIZES)
    assert arithmetic_bound(procedure, replace(processor("haswell"), clock=None), 1).time == 0
    assert arithmetic_bound(lowered(PRODUCT, SEQUENTIAL), processor("haswell"), 1).time == 0


@pytest.mark.parametrize("scalar", ["f64", "f16"])
def test_the_number_of_lanes_depends_on_the_type(scalar: str) -> None:
    text = f"val main = fun(xs: 64.{scalar} => xs |> map(fun(x => x * x)))"
    haswell = processor("haswell")
    assert haswell.clock is not None
    bound = arithmetic_bound(lowered(text, SEQUENTIAL), haswell, 1)
    assert bound.time == 64 / (2 * 2 * haswell.lanes_of(scalar)) / haswell.clock
