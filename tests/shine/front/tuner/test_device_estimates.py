"""Searches for a GPU that is not there: estimates by counts of the simulator, with the record of the device."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

import pytest

import rise
import shine
from elevate import Strategy
from examples.fireiron.matrix_instructions import large, small, small_products
from rise.diagnostics import RiseError
from rise.hardware import Device, device
from shine.front.tuner.candidates import random_arguments
from shine.front.tuner.device_estimates import kernel_time, launch_time
from shine.front.work import float_operations, operation_count, precision
from shine.simulator.profile import Counts, Lines, Occupancy, Profile
from strategies.fireiron import Schedule
from strategies.spaces import Space, choose, space
from tests.examples import THOROUGH, in_whole, some
from tests.strategies.fireiron.products import HALF, derived

A100: Final = device("A100-SXM4-40GB")
#: a device with round numbers: ten multiprocessors, a cycle for each second
ROUND: Final = Device("round", "sm_80", 10, 1.0, None, None, 64, 128, 400, l2_latency=200, shared_latency=20)


def profiled(blocks: int, resident: int = 1, warps: int = 1, **counts: Any) -> Profile:
    """The profile of a launch of blocks, of which so many fit on a multiprocessor."""
    fits = Occupancy(32 * warps, 0, resident, resident * warps, 64, "blocks")
    total = Counts(**counts)
    return Profile(Lines({1: total}), total, 0, 0, fits, blocks)


@pytest.mark.parametrize(
    ("profile", "seconds", "why"),
    [
        # the busiest of ten multiprocessors has 3 of 21 blocks
        (profiled(21, 4, passes=2100), 300, "shared memory"),
        (profiled(20, 4, passes=2000), 200, "shared memory"),
        (profiled(10, sectors=1000), 500, "L2"),
        # 8 warps of a block: a multiprocessor issues 4 instructions in a cycle, a warp one
        (profiled(10, warps=8, instructions={"shared loads": 8000}), 200, "issued instructions"),
        (profiled(10, warps=2, instructions={"shared loads": 8000}), 400, "latency"),
        # three rounds, since a multiprocessor has one block at a time
        (profiled(30, instructions={"shared loads": 300}), 30, "latency"),
        # two barriers in each of four iterations, each of which waits for L2 and shared memory
        (profiled(10, barriers=80), 4 * 220, "latency"),
        # a product of 1000 multiply-adds: 250 for the quarter of a multiprocessor that has the warp
        (profiled(10, instructions={"matrix products": 100}), 10 + 10 * 1000 / 250, "latency"),
        (
            profiled(10, warps=16, instructions={"matrix products": 1600}),
            160 * 1000 / 1000,
            "tensor cores",
        ),
    ],
)
def test_the_scarcest_resource_determines_the_time(profile: Profile, seconds: float, why: str) -> None:
    found = launch_time(profile, 1000, replace(ROUND, matrix_multiply_adds=1000))
    assert (found.time, found.why) == (pytest.approx(seconds), why)


def test_arithmetic_takes_the_units_of_multiply_adds() -> None:
    """Each of ten multiprocessors, which execute 400 operations in a cycle, has two of twenty blocks."""
    found = launch_time(profiled(20, 4, passes=20), 0, ROUND, arithmetic=400_000)
    assert (found.time, found.why) == (100, "multiply-add units")
    assert launch_time(profiled(20, 4, passes=20), 0, replace(ROUND, multiply_adds=None), 400_000).time == 2


def test_operations_on_numbers_are_counted() -> None:
    """A multiply-add is one operation; copies and integers are none."""
    scaled = rise.parse(
        "fun(xs: 8.f32, ns: 8.i32 => zip(xs, ns) |> map(fun(p => pair(fst(p) * 2.0 + 1.0, snd(p) + 1))))"
    )
    assert float_operations(shine.compile(scaled, target="interpret").procedure) == 2 * 8
    product = rise.specialise(derived(small()), M=32, N=48, K=128)
    assert float_operations(shine.compile(product, target="cuda-sim").procedure) < 32 * 48 * 128


def test_numbers_that_are_not_known_limit_nothing() -> None:
    unknown = Device("unknown", "sm_80", 10, None, None, None)
    found = launch_time(
        profiled(10, sectors=1000, barriers=80, instructions={"matrix products": 20}), 1000, unknown
    )
    assert found.time == 2


def seconds_of(schedule: Schedule, m: int, n: int, k: int) -> float:
    """The estimated time of a schedule on the device."""
    program = rise.specialise(derived(schedule), M=m, N=n, K=k)
    kernel = shine.compile(program, target="cuda-sim")
    return float(kernel_time(kernel, random_arguments(kernel, 0), A100).time)


@in_whole("test_the_search_finds_the_tile_of_the_paper_for_small_matrices")
def test_each_decomposition_is_the_faster_one_for_its_sizes() -> None:
    """64 blocks of 16 x 16 are as many as those of 64 x 64 for matrices that are four times as large."""
    of_small, of_large = small(), large(64, 64, 64, (32, 32))
    assert seconds_of(of_small, 128, 128, 128) < seconds_of(of_large, 128, 128, 128)
    assert seconds_of(of_large, 512, 512, 64) < seconds_of(of_small, 512, 512, 64)


def test_products_of_matrix_instructions_are_counted_as_operations() -> None:
    """The tolerance of results depends on how many numbers are added to each."""
    program = rise.specialise(derived(small()), M=32, N=48, K=128)
    procedure = shine.compile(program, target="cuda-sim").procedure
    multiplied = 2 * 32 * 48 * 128
    assert multiplied <= operation_count(procedure, {}) < 2 * multiplied
    assert "f32" in precision(procedure).floats


def test_estimates_need_the_simulator() -> None:
    with pytest.raises(RiseError) as caught:
        shine.tune(HALF, small_products, {"M": 64, "N": 64, "K": 64}, target="cuda", device=A100)
    found = caught.value.diagnostic
    assert "expected the target cuda-sim for estimates of A100-SXM4-40GB, found cuda" in found.title
    assert found.hint == 'pass target="cuda-sim"'


@space
def few_tiles() -> Strategy:
    """Some tiles of the decomposition for small matrices."""
    rows, columns = choose("rows", some((16, 32), 2)), choose("columns", some((16, 32), 2))
    return small(rows, columns, 64, choose("warps", (2, 4))).strategy()


@pytest.mark.parametrize("tiles", [small_products if THOROUGH else few_tiles])
def test_the_search_finds_the_tile_of_the_paper_for_small_matrices(tiles: Space) -> None:
    """Section 5.3 of the Fireiron paper: 16 x 16 x 64, two warps. The estimates prefer parts of 128 products, since
    threads wait less often.
    """
    found = shine.tune(
        HALF, tiles, {"M": 256, "N": 256, "K": 128}, policy="exhaustive", target="cuda-sim", device=A100
    )
    assert found.wrong == () and all(row.result.is_timed for row in found.rows)
    assert {"depth": 64} | found.decisions == {
        "rows": 16,
        "columns": 16,
        "depth": 128 if tiles is small_products else 64,
        "warps": 2,
    }
    of_paper = [row for row in found.rows if row.decisions.get("depth", 64) == 64]
    best = min(of_paper, key=lambda row: row.result.seconds or 1.0)
    assert {"depth": 64} | best.decisions == {"rows": 16, "columns": 16, "depth": 64, "warps": 2}
    assert found.ratio > 1 and found.why == ("shared memory" if tiles is small_products else "latency")


def test_copies_of_short_rows_are_stored_without_more_conflicts() -> None:
    """Eight lanes store parts of eight rows, in different banks, however few products the warps share."""
    passes = []
    for depth in (32, 64, 128):
        program = rise.specialise(derived(small(16, 16, depth)), M=16, N=16, K=128)
        kernel = shine.compile(program, target="cuda-sim")
        counts = kernel.profile(*random_arguments(kernel, 0)).total
        passes.append((counts.passes, counts.bank_conflicts, counts.sectors))
    assert len(set(passes)) == 1
