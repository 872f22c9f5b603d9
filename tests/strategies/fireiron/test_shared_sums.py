"""Units of a block share the sum of its product: `split(32, 64).to(Warp)`, and warps copy what they alone read."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final

import numpy as np
import pytest

import rise
import shine
from elevate import StrategyError
from shine.front.claims import check_claims
from strategies.fireiron import (
    FR,
    RF,
    SH,
    A,
    B,
    Block,
    Lane,
    Map,
    MatMul,
    Move,
    Reduce,
    Schedule,
    Thread,
    Warp,
    read_schedule,
)
from tests.examples import in_whole, some
from tests.strategies.fireiron.products import SINGLE, derived
from tests.strategies.fireiron.test_functions_of_sums import (
    HALF_OF_COLUMNS,
    OF_COLUMNS,
    OF_ROWS,
    POSITIVE,
    WITH_MATRIX,
    ZIPPED_MATRIX,
    Numpy,
    assert_computes,
    product,
)

PLAIN: Final = (product("zip(row, column) |> map(mul) |> reduce(add, 0.0)"), np.matmul)
NARROW: Final = (product("zip(row, column) |> map(mul) |> reduce(add, 0.0)", "f16"), np.matmul)
TILE: Final = MatMul.tile(16, 16).to(Block)
ROWS_OF_WARP: Final = Move.by(Warp).tile(1, 8).to(Lane).vector


def in_registers(depth: int, every: int) -> Schedule:
    """Warps that share a sum, and load factors by their own lanes, which hold sums in registers."""
    parts = TILE.split(depth, every).to(Warp).epilog(RF).split(depth).load(A, SH).load(B, SH)
    return parts.tile(4, 2).to(Lane).split(1).load(A, RF).load(B, RF).tile(1, 1).done


def in_fragments(m: int, n: int, k: int) -> Schedule:
    parts = TILE.split(16, 32).to(Warp).epilog(FR).split(16)
    return parts.load(A, SH, ROWS_OF_WARP).pad(8).load(B, SH, ROWS_OF_WARP).pad(8).mma(m, n, k).done


CASES: Final[dict[str, tuple[Schedule, tuple[str, Numpy], dict[str, int]]]] = {
    "two warps": (in_registers(8, 16), PLAIN, {"M": 32, "N": 48, "K": 32}),
    "three warps": (in_registers(4, 12), PLAIN, {"M": 16, "N": 32, "K": 24}),
    "as many as there are": (in_registers(4, 32), PLAIN, {"M": 16, "N": 16, "K": 32}),
    "fragments": (in_fragments(16, 8, 16), NARROW, {"M": 32, "N": 16, "K": 64}),
    "fragments of groups of lanes": (in_fragments(16, 16, 4), NARROW, {"M": 16, "N": 32, "K": 32}),
    "threads": (
        MatMul.tile(8, 16).to(Block).split(4, 16).to(Thread).epilog(RF).split(4).tile(1, 1).done,
        PLAIN,
        {"M": 16, "N": 16, "K": 32},
    ),
    "parts one after the other": (
        TILE.split(4, 8).epilog(RF).split(4).load(A, SH).tile(4, 4).to(Thread).tile(1, 1).done,
        PLAIN,
        {"M": 32, "N": 16, "K": 16},
    ),
    "without an epilog": (
        TILE.split(4, 8).to(Warp).tile(4, 2).to(Lane).tile(1, 1).done,
        PLAIN,
        {"M": 16, "N": 16, "K": 16},
    ),
    "a function of sums": (in_registers(8, 16), POSITIVE, {"M": 32, "N": 16, "K": 16}),
    "a number for each row": (in_registers(8, 16), OF_ROWS, {"M": 32, "N": 16, "K": 16}),
    "a number for each column": (in_registers(8, 16), OF_COLUMNS, {"M": 16, "N": 32, "K": 16}),
    "a matrix": (in_registers(8, 16), WITH_MATRIX, {"M": 16, "N": 32, "K": 16}),
    "a product that is zipped": (in_registers(8, 16), ZIPPED_MATRIX, {"M": 16, "N": 32, "K": 16}),
    "a function of fragments": (in_fragments(16, 8, 16), HALF_OF_COLUMNS, {"M": 16, "N": 32, "K": 32}),
}


@pytest.mark.parametrize("name", some(CASES, 5))
def test_units_that_share_a_sum_compute_it(name: str, cache: Path) -> None:
    schedule, (text, expected), sizes = CASES[name]
    assert read_schedule(str(schedule)) == schedule
    kernel = assert_computes(schedule, text, expected, sizes, cache)
    assert "__shared__" in kernel.source and kernel.source.count("__global__") == 1


def test_each_unit_sums_its_part_of_every_so_many_products() -> None:
    """The first of two warps sums products 0 to 7 and 16 to 23, the second one the others."""
    schedule = in_registers(8, 16)
    assert [str(spec) for _, spec in schedule.trail[1:4]] == [
        "MatMul(16, 16, K/2)(GL, GL, SH)(Warp)",
        "MatMul(16, 16, K/2)(GL, GL, RF)(Warp)",
        "MatMul(16, 16, 8)(GL, GL, RF)(Warp)",
    ]
    program = rise.specialise(derived(schedule), M=16, N=16, K=32)
    source = shine.compile(program, target="cuda-sim").source
    assert "a_column_warp * 8 + lane_1 + a_column_strip * 16" in source
    region = next(one for one in schedule.regions() if ".split(8, 16)" in one.steps[0])
    assert region.count == "2 Warps"


def test_copies_of_a_warp_are_made_by_its_lanes_and_need_no_barrier_of_the_block() -> None:
    program = rise.specialise(derived(in_registers(8, 16)), M=16, N=16, K=64)
    source = shine.compile(program, target="cuda-sim").source
    assert source.count("__syncthreads") == 1 and source.count("__syncwarp") == 2


@in_whole("test_warps_copy_what_other_kinds_read")
def test_a_copy_of_a_warp_can_have_a_move(cache: Path) -> None:
    schedule = in_fragments(16, 8, 16)
    assert ".load(A, SH, Move.by(Warp).tile(1, 8).to(Lane).vector).pad(8)" in str(schedule)
    program = rise.specialise(derived(schedule), M=16, N=16, K=32)
    source = shine.compile(program, target="cuda-sim", cache=str(cache)).source
    assert source.count("*reinterpret_cast<const vec<__half, 8>*>(&A[") == 1


@pytest.mark.parametrize(
    ("schedule", "program", "sizes", "expected"),
    some(
        [
            (
                Map.tile(64).to(Block).tile(32).to(Warp).load(A, SH).tile(1).to(Lane).done,
                "fun(xs: N.f32 => xs |> map(fun(x => x + x)))",
                {"N": 128},
                lambda xs: xs + xs,
            ),
            (
                Reduce.tile(8)
                .to(Block)
                .epilog(RF)
                .split(4)
                .tile(4)
                .to(Warp)
                .load(A, SH)
                .tile(1)
                .to(Lane)
                .done,
                "fun(xs: M.K.f32 => xs |> map(reduce(add, 0.0)))",
                {"M": 16, "K": 8},
                lambda xs: xs.sum(1),
            ),
        ],
        2,
    ),
)
def test_warps_copy_what_other_kinds_read(
    schedule: Schedule, program: str, sizes: dict[str, int], expected: Numpy, cache: Path
) -> None:
    assert "lane" in assert_computes(schedule, program, expected, sizes, cache).source


@in_whole("test_units_that_share_a_sum_compute_it")
def test_threads_that_copy_beside_warps_have_one_dimension(cache: Path) -> None:
    move = Move.tile(2, 2).to(Thread)
    loaded = MatMul.tile(32, 32).to(Block).epilog(FR).split(16).load(A, SH, move).load(B, SH)
    schedule = loaded.tile(16, 16).to(Warp).mma(16, 8, 16).done
    assert_computes(schedule, NARROW[0], np.matmul, {"M": 32, "N": 64, "K": 32}, cache)


def test_the_barrier_before_sums_are_added_is_needed() -> None:
    """`noSync` after a copy of warps holds only if no lane reads what another one copied."""
    parts = TILE.split(4, 8).to(Warp).epilog(RF).split(4).load(A, SH).load(B, SH).noSync
    schedule = parts.tile(4, 2).to(Lane).split(1).load(A, RF).load(B, RF).tile(1, 1).done
    assert [claim.holds for claim in check_claims(schedule, SINGLE)] == [False]


MISTAKES: Final[dict[str, tuple[Callable[[], object], str]]] = {
    "parts that do not divide": (
        lambda: TILE.split(24, 64),
        "expected a part of 64 products for each of several units, found 24",
    ),
    "a single part": (
        lambda: TILE.split(64, 64),
        "expected a part of 64 products for each of several units, found 64",
    ),
    "more products than there are": (
        lambda: MatMul("M", "N", 48).tile(16, 16).to(Block).split(16, 32),
        "expected a divisor of the sum's 48 products, found 32",
    ),
    "before tiles of blocks": (
        lambda: MatMul.split(16, 32),
        "expected a product of a Block to share its sum among units, found MatMul(M, N, K)(GL, GL, GL)(Kernel)",
    ),
    "of a reduction": (
        lambda: Reduce.tile(16).to(Block).split(16, 32),
        "expected a product of a Block to share its sum among units, found Reduce(16, K)(GL -> GL)(Block)",
    ),
    "after an epilog": (
        lambda: TILE.epilog(RF).split(16, 32),
        "expected C in GL, to share its sum among units, found C in RF",
    ),
    "twice": (
        lambda: TILE.split(16, 32).split(4, 8),
        "expected C in GL, to share its sum among units, found C in SH",
    ),
    "lanes": (
        lambda: TILE.split(16, 32).to(Lane),
        "expected parts of a Block to go to Warp or Thread, found Lane",
    ),
    "a move of sums that are added": (
        lambda: TILE.split(16, 32).to(Warp).epilog(FR, store=Move.stage(SH)),
        "expected sums that units store in SH, where they are added, found `epilog(FR, store=Move.stage(SH))`",
    ),
    "a move of a block": (
        lambda: TILE.split(16, 32).to(Warp).epilog(FR).split(16).load(A, SH, Move.tile(4, 4).to(Thread)),
        "expected tiles of a Warp to go to Lane, found Thread",
    ),
    "a move by a lane": (
        lambda: Move.by(Lane),
        "expected a product without steps by a Block, Core, Lane or Thread, or a move by a Warp, found Move by Lane",
    ),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_an_error_is_one_diagnostic_with_what_fits(mistake: str) -> None:
    make, title = MISTAKES[mistake]
    with pytest.raises(StrategyError) as caught:
        make()
    assert caught.value.diagnostic.title == title and caught.value.diagnostic.hint
