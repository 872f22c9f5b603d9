"""Each construct of Fireiron's language has an effect: the printed CUDA differs, so a construct without effect fails.

The rows are those of the paper's tables: decompositions, and the refinements of tiles, loads and splits. The rows about
barriers are in `tests/shine/front/test_claims.py`.
"""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Final

import pytest

from elevate import StrategyError
from rise import RiseError
from strategies.fireiron import (
    FR,
    RF,
    SH,
    A,
    B,
    Block,
    ColMajor,
    Lane,
    MatMul,
    Move,
    RowMajor,
    Schedule,
    Strided,
    Thread,
    Warp,
)
from strategies.fireiron.orders import swaps_of
from tests.examples import in_whole, some
from tests.strategies.fireiron.products import assert_product, printed, simulated

START: Final = MatMul.tile(16, 16).to(Block).epilog(RF).split(4)
LOADED: Final = START.load(A, SH).load(B, SH)
MOVE: Final = Move.tile(4, 4).to(Thread)


def finished(schedule: Schedule) -> Schedule:
    """The remaining steps of a schedule whose block has 4 x 4 threads."""
    tiles = schedule.tile(4, 4).to(Thread) if schedule.residual.unit == Block else schedule
    return tiles.split(1).load(A, RF).load(B, RF).tile(1, 1).done


PLAIN: Final = finished(LOADED)
IN_SUMS: Final = Move.tile(4, 4).to(Thread)


def sums_stored(store: Schedule) -> Schedule:
    """The loop of `LOADED`, whose sums are stored by a move."""
    loop = MatMul.tile(16, 16).to(Block).epilog(RF, store=store).split(4)
    return finished(loop.load(A, SH).load(B, SH))


MMA: Final = MatMul.tile(32, 32).to(Block).epilog(FR).split(32).load(A, SH).load(B, SH).tile(32, 16).to(Warp)
ROWS: Final[dict[str, tuple[Schedule, Schedule]]] = {
    "tile": (PLAIN, finished(LOADED.tile(2, 4).to(Thread))),
    "load to SH": (finished(START), PLAIN),
    "load to RF": (
        PLAIN,
        LOADED.tile(4, 4).to(Thread).tile(1, 1).done,
    ),
    "split": (PLAIN, finished(MatMul.tile(16, 16).to(Block).epilog(RF).split(8).load(A, SH).load(B, SH))),
    "epilog": (
        PLAIN,
        MatMul("M", "N", 4)
        .tile(16, 16)
        .to(Block)
        .load(A, SH)
        .load(B, SH)
        .tile(4, 4)
        .to(Thread)
        .tile(1, 1)
        .done,
    ),
    "epilog, staged store": (
        MMA.mmaTile.done,
        MatMul.tile(32, 32)
        .to(Block)
        .epilog(FR, store=Move.stage(SH).tile(32, 16).to(Warp).tile(8, 2).to(Lane))
        .split(32)
        .load(A, SH)
        .load(B, SH)
        .tile(32, 16)
        .to(Warp)
        .mmaTile.done,
    ),
    "a vector of sums": (
        sums_stored(IN_SUMS),
        sums_stored(IN_SUMS.tile(1, 4).vector),
    ),
    "a vector of staged sums": (
        sums_stored(Move.stage(SH)),
        sums_stored(Move.stage(SH, IN_SUMS.tile(1, 2).vector)),
    ),
    "mmaTile": (
        MatMul.tile(32, 32).to(Block).epilog(FR).split(16).tile(16, 16).to(Warp).load(A, FR).load(B, FR).done,
        MatMul.tile(32, 32).to(Block).epilog(FR).split(16).tile(32, 16).to(Warp).mmaTile.done,
    ),
    "to": (
        finished(LOADED.tile(8, 8).to(Thread).tile(4, 4)),
        finished(LOADED.tile(8, 8).to(Warp).tile(4, 4).to(Lane)),
    ),
    "tile in strides": (PLAIN, finished(LOADED.tile(Strided((2, 8), (1, 4))).to(Thread))),
    "swizzle": (PLAIN, finished(LOADED.tile(4, 4).to(Thread).swizzle(2, 0, 1, 3))),
    "swizzle along columns": (
        finished(LOADED.tile(4, 4).to(Thread).swizzle(2, 0, 1, 3)),
        finished(LOADED.tile(4, 4).to(Thread).layout(ColMajor).swizzle(2, 0, 1, 3)),
    ),
    "a move to registers": (
        PLAIN,
        LOADED.tile(4, 4)
        .to(Thread)
        .split(1)
        .load(A, RF)
        .load(B, RF, Move.tile(1, 2).unroll.tile(1, 1))
        .tile(1, 1)
        .done,
    ),
    "unroll of a tile": (
        finished(START.load(A, SH, MOVE.tile(2, 2)).load(B, SH)),
        finished(START.load(A, SH, MOVE.tile(2, 2).unroll).load(B, SH)),
    ),
    "layout": (PLAIN, finished(LOADED.tile(4, 4).to(Thread).layout(ColMajor))),
    "layout, back": (
        finished(LOADED.tile(4, 4).to(Thread).layout(ColMajor)),
        finished(LOADED.tile(4, 4).to(Thread).layout(ColMajor).layout(RowMajor)),
    ),
    "a move": (PLAIN, finished(START.load(A, SH, MOVE.layout(ColMajor)).load(B, SH))),
    "a vector": (PLAIN, finished(START.load(A, SH, Move.tile(1, 4).to(Thread).vector).load(B, SH))),
    "a vector's unit": (
        finished(START.load(A, SH, Move.tile(1, 4).vector).load(B, SH)),
        finished(START.load(A, SH, Move.tile(1, 4).to(Thread).vector).load(B, SH)),
    ),
    "storageLayout": (PLAIN, finished(START.load(A, SH).storageLayout(ColMajor).load(B, SH))),
    "toColMajor": (PLAIN, finished(START.load(A, SH).load(B, SH).toColMajor)),
    "toRowMajor": (
        finished(START.load(A, SH).toColMajor.load(B, SH)),
        finished(START.load(A, SH).toColMajor.toRowMajor.load(B, SH)),
    ),
    "pad": (PLAIN, finished(START.load(A, SH).pad(1).load(B, SH))),
    "align": (PLAIN, finished(START.load(A, SH).align(8).load(B, SH))),
    "unroll of a split": (
        PLAIN,
        LOADED.tile(4, 4).to(Thread).split(1).unroll.load(A, RF).load(B, RF).tile(1, 1).done,
    ),
}


@pytest.mark.parametrize("row", some(ROWS, 2))
def test_each_construct_changes_the_printed_text(row: str) -> None:
    without, with_it = ROWS[row]
    assert printed(without, 64, 64, 32) != printed(with_it, 64, 64, 32)


def test_sequential_tiles_and_tiles_of_units_differ() -> None:
    text = printed(ROWS["to"][1], 64, 64, 32)
    assert "lane" in text and "warp" in text and "threadIdx.y" not in text


def test_a_loop_over_one_tile_keeps_its_units() -> None:
    """A tile of all rows of a block: threads are numbered along columns, and none of them computes other rows."""
    text = printed(MatMul.tile(16, 16).to(Block).tile(16, 1).to(Thread).tile(1, 1).done, 64, 64, 32)
    assert "__launch_bounds__(16)" in text and "threadIdx.y" not in text


def test_an_incomplete_schedule_has_no_strategy() -> None:
    with pytest.raises(StrategyError, match="expected a schedule that ends in `done`"):
        Schedule(PLAIN.kind, (), PLAIN.steps[:-1]).strategy()


@in_whole("test_units_in_any_order_compute_products")
def test_refined_copies_and_moves_compute_products(cache: Path) -> None:
    """Columns first, padded rows, vectors, moves of sums, and units numbered along columns."""
    move = Move.tile(4, 8).to(Thread).tile(1, 4).vector
    split = MatMul.tile(16, 16).to(Block).epilog(RF, init=IN_SUMS, store=IN_SUMS).split(8)
    loaded = split.load(A, SH, move).pad(4).load(B, SH, Move.tile(4, 4).to(Thread)).toColMajor.align(16)
    schedule = finished(loaded.tile(4, 4).to(Thread))
    assert "float4" in printed(schedule) or "vec<float, 4>" in printed(schedule)
    assert_product(simulated(schedule, 32, 48, 16, cache), 32, 48, 16, "float32")


@pytest.mark.parametrize(
    ("store", "width"),
    some(
        [
            (IN_SUMS.tile(1, 4).vector, 4),
            (Move.stage(SH, IN_SUMS.tile(1, 2).vector).pad(2), 2),
            (Move.stage(SH, IN_SUMS.tile(1, 2).vector).pad(1), 1),  # vectors would not be aligned
        ],
        3,
    ),
)
def test_units_store_the_sums_that_they_hold_as_vectors(store: Schedule, width: int, cache: Path) -> None:
    kernel = simulated(sums_stored(store), 32, 48, 16, cache)
    assert_product(kernel, 32, 48, 16, "float32")
    assert (f"*reinterpret_cast<vec<float, {width}>*>" in kernel.source) == (width > 1)


@in_whole("test_units_store_the_sums_that_they_hold_as_vectors")
def test_sums_in_strides_are_stored_as_vectors_of_neighbours(cache: Path) -> None:
    tiles = Strided((2, 8), (2, 8))
    held = Move.tile(tiles).to(Thread).tile(1, 2).vector
    for store in (held, Move.stage(SH, held)):
        loop = MatMul.tile(16, 16).to(Block).epilog(RF, store=store).split(4).load(A, SH).load(B, SH)
        kernel = simulated(finished(loop.tile(tiles).to(Thread)), 32, 48, 16, cache)
        assert_product(kernel, 32, 48, 16, "float32")
        assert "*reinterpret_cast<vec<float, 2>*>" in kernel.source


ORDERS: Final[dict[str, Schedule]] = {
    name: ROWS[name][1]
    for name in ("tile in strides", "swizzle", "swizzle along columns", "a move to registers")
} | {
    "a swizzle of blocks": finished(
        MatMul(32, 64, 16).tile(16, 16).to(Block).swizzle(2, 0, 1).epilog(RF).split(4).load(A, SH).load(B, SH)
    ),
    "grids that differ": finished(
        START.load(A, SH, Move.tile(16, 2).to(Warp).tile(2, 1).to(Lane))
        .load(B, SH, Move.tile(2, 16).to(Warp).tile(1, 2).to(Lane))
        .tile(16, 8)
        .to(Warp)
        .tile(4, 4)
        .to(Lane)
    ),
    "turned moves on one dimension": finished(
        START.load(A, SH, Move.tile(2, 1).to(Thread).vector)
        .toColMajor.load(B, SH, Move.tile(2, 2).to(Thread).layout(ColMajor))
        .toColMajor.tile(4, 4)
        .to(Thread)
        .layout(ColMajor)
        .swizzle(3, 1, 0, 2)
    ),
}


@pytest.mark.parametrize("name", some(ORDERS, 9))
def test_units_in_any_order_compute_products(name: str, cache: Path) -> None:
    kernel = simulated(ORDERS[name], 32, 64, 16, cache)
    assert_product(kernel, 32, 64, 16, "float32")


@pytest.mark.parametrize("places", list(itertools.permutations(range(4))))
def test_any_order_of_bits_is_possible(places: tuple[int, ...]) -> None:
    tiles = list(range(16))
    for q, r, s in swaps_of(places):
        split = [tiles[k : k + q * r * s] for k in range(0, 16, q * r * s)]
        tiles = [b[(i * r + j) * s + k] for b in split for j in range(r) for i in range(q) for k in range(s)]
    assert tiles == [
        sum((unit >> bit & 1) << place for bit, place in enumerate(places)) for unit in range(16)
    ]


@pytest.mark.parametrize("name", ["init", "store"])
def test_the_units_of_a_move_must_be_those_of_the_sums(name: str) -> None:
    """Units in another order than that of the sums would move sums of other units, which is rejected."""
    moves = {name: IN_SUMS.layout(ColMajor)}
    schedule = finished(MatMul.tile(16, 16).to(Block).epilog(RF, **moves).split(4).load(A, SH).load(B, SH))
    with pytest.raises(RiseError, match=r"error\[registers\]: .* the array tiles"):
        printed(schedule, 64, 64, 32)


IN_TILES: Final = Move.tile(8, 8).to(Warp).tile(2, 1).to(Lane)
STAGED: Final[dict[str, Schedule]] = {
    "one by one": MatMul.tile(16, 16).to(Block).epilog(RF, store=Move.stage(SH).pad(1))
    .tile(4, 4).to(Thread).split(4).tile(1, 1).done,
    "as vectors": MatMul.tile(16, 16).to(Block)
    .epilog(RF, init=MOVE, store=Move.stage(SH, MOVE.tile(1, 4).vector).tile(1, 4).to(Thread).vector)
    .tile(4, 4).to(Thread).split(4).load(A, RF).load(B, RF).done,
    "in tiles of single numbers": MatMul.tile(16, 16).to(Block)
    .epilog(RF, init=MOVE.tile(1, 1), store=Move.stage(SH).pad(3).tile(2, 8).to(Thread).done)
    .tile(4, 4).to(Thread).split(4).done,
    "of lanes": MatMul.tile(16, 16).to(Block).epilog(RF, store=Move.stage(SH, IN_TILES))
    .tile(8, 8).to(Warp).split(4).tile(2, 1).to(Lane).tile(1, 1).done,
    "of fragments": MatMul.tile(32, 32).to(Block).epilog(FR, store=Move.stage(SH))
    .tile(16, 16).to(Warp).split(16).mmaTile.done,
}  # fmt: skip


@pytest.mark.parametrize("name", some(STAGED, 2))
def test_sums_that_are_tiled_before_the_split_go_through_shared_memory(name: str, cache: Path) -> None:
    kernel = simulated(STAGED[name], 32, 32, 32, cache)
    assert_product(kernel, 32, 32, 32, "float16" if name == "of fragments" else "float32")
    assert kernel.source.count("__shared__") == 1


DEEP: Final[dict[str, Schedule]] = {
    "warps, lanes and numbers": MatMul.tile(32, 64).to(Block).epilog(RF).split(8).load(A, SH).load(B, SH)
    .tile(32, 32).tile(16, 32).to(Warp).tile(4, 4).to(Lane).split(1).load(A, RF).load(B, RF).tile(1, 1).done,
    "strides in another order": MatMul.tile(32, 64).to(Block).epilog(RF).split(8).load(A, SH).load(B, SH)
    .tile(32, 32).tile(32, 16).to(Warp).tile(Strided((2, 16), (2, 8))).to(Lane).layout(ColMajor).swizzle(1, 0, 2, 3, 4)
    .split(1).load(A, RF).load(B, RF).tile(1, 1).done,
    "fragments": MatMul.tile(32, 64).to(Block).epilog(FR).split(16).tile(32, 32).tile(16, 32).to(Warp).mmaTile.done,
    "one fragment": MatMul.tile(32, 64).to(Block).epilog(FR).split(16).tile(32, 32).tile(16, 32).to(Warp)
    .tile(16, 16).load(A, FR).load(B, FR).done,
    "tiles of tiles": MatMul.tile(32, 64).to(Block).epilog(RF).split(8).load(A, SH).load(B, SH)
    .tile(32, 32).tile(16, 32).to(Warp).tile(8, 32).tile(4, 2).to(Lane).split(1).load(A, RF).tile(1, 1).done,
    "tiles of tiles in another order": MatMul.tile(32, 64).to(Block).epilog(RF).split(8).load(A, SH).load(B, SH)
    .tile(32, 32).tile(16, 32).tile(16, 16).tile(4, 4).to(Thread).swizzle(2, 0, 1, 3).split(1).tile(1, 1).done,
    "strides in tiles of tiles": MatMul.tile(32, 64).to(Block).epilog(RF).split(8).load(A, SH).load(B, SH)
    .tile(32, 32).tile(16, 32).tile(16, 16).tile(Strided((2, 8), (2, 8))).to(Thread).split(1).tile(1, 1).done,
    "fragments in tiles of tiles": MatMul.tile(32, 64).to(Block).epilog(FR).split(16)
    .tile(32, 64).tile(32, 32).tile(16, 32).to(Warp).mmaTile.done,
}  # fmt: skip


@pytest.mark.parametrize("name", some(DEEP, 3))
def test_sums_are_tiled_up_to_four_times_after_a_split(name: str, cache: Path) -> None:
    kernel = simulated(DEEP[name], 32, 64, 32, cache)
    assert_product(kernel, 32, 64, 32, "float16" if "fragment" in name else "float32")
