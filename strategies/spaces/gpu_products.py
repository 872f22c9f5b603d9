"""The space of matrix products on GPUs: units that multiply, tiles, layouts of copies, stages, and shared sums."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from math import ceil
from typing import Any, Final

from elevate import Strategy
from rise.hardware import Device
from strategies.fireiron import FR, SH, A, B, Block, ColMajor, Lane, MatMul, Move, Schedule, Warp
from strategies.fireiron.specs import MATMUL
from strategies.gpu import productTiles
from strategies.gpu_products import largeProductTiles
from strategies.spaces.bounds import Bound, Extent, in_waves, least_of
from strategies.spaces.holes import Decisions, HoleValue, bounded, choose, space
from strategies.spaces.models import Setting
from strategies.spaces.open_programs.programs import bytes_of, spec_of
from strategies.spaces.product_bounds import MULTIPLY_ADDS
from strategies.tensor_core import mmaSync, wmma

#: who multiplies: threads; threads whose copies run ahead; warps by WMMA fragments or by `mma.sync`, in which each warp
#: has tiles of its own; or warps that share the sums of a tile
THREADS, PIPELINED, FRAGMENTS, INSTRUCTIONS, SHARED_SUMS = (
    "threads",
    "pipelined",
    "wmma",
    "mma",
    "shared sums",
)
PRODUCT_UNITS: Final = (THREADS, PIPELINED, FRAGMENTS, INSTRUCTIONS, SHARED_SUMS)
TILES: Final = (16, 32, 64, 128)
#: numbers of f16 in one copy of 16 bytes
VECTOR: Final = 8
STEP_DEPTHS: Final = (8, 16, 32, 64)
#: the shapes of the instructions, which `wmma` and `mma.sync` have for f16
MATRIX_SHAPES: Final = {FRAGMENTS: (16, 16, 16), INSTRUCTIONS: (16, 8, 16), SHARED_SUMS: (16, 8, 16)}


def blocks_bound(at: Setting, decisions: Decisions) -> Bound:
    """The bound of a product in tiles of blocks on the GPU of a setting: its multiply-adds on the multiprocessor with
    the most blocks, and the factors that L2 delivers to each block. What is open counts with its best values.
    """
    if at.device is None or spec_of(at.term).kind.operands != MATMUL.operands:
        return Bound(0.0, "no GPU is known")
    domains: dict[str, Sequence[HoleValue]] = {"units": PRODUCT_UNITS, "rows": TILES, "columns": TILES}
    options = [(decisions[name],) if name in decisions else domain for name, domain in domains.items()]
    found = least_of(_bound_of_tiles(at, at.device, *values) for values in product(*options))
    assert found is not None
    return found


def _bound_of_tiles(at: Setting, device: Device, units: Any, rows: Any, columns: Any) -> Bound:
    m, n, k = (int(size) for size in spec_of(at.term).sizes)
    down, across = ceil(m / rows), ceil(n / columns)
    left, right, result = bytes_of(at.term)
    rate, why = device.multiply_adds, MULTIPLY_ADDS
    if units in MATRIX_SHAPES:
        rate, why = device.matrix_multiply_adds, "tensor cores"
    found = Bound(0, "nothing")
    if rate:
        each = Fraction(m * n * k, rate * down * across)
        found = Bound(in_waves(each, Extent(down * across, down * across), device.multiprocessors), why)
    if device.l2_load:
        delivered = m * k * across * left + k * n * down * right + m * n * result
        found = found.at_least(Bound(Fraction(delivered, device.l2_load), "L2"))
    return Bound(float(found.time) / (device.clock or 1.0), found.why)


@bounded(blocks_bound, prefixes=True)
@space
def gpu_product() -> Strategy:
    """A matrix product on a GPU, by threads or on tensor cores, in tiles of blocks."""
    units = choose("units", PRODUCT_UNITS)
    rows, columns = choose("rows", TILES), choose("columns", TILES)
    if units in (THREADS, PIPELINED):
        depth = choose("depth", STEP_DEPTHS)
        sides = (1, 2, 4, 8)
        down = choose("thread_rows", sides, where=lambda side: rows % side == 0)
        across = choose("thread_columns", sides, where=lambda side: columns % side == 0)
        vector = choose("vector", (1, 2, 4))
        if units == PIPELINED:
            return largeProductTiles(
                rows, columns, depth, down, across, vector, choose("stages", (1, 2, 3, 4))
            )
        return productTiles(rows, columns, depth, down, across, vector, choose("room", (0, 4)))
    m, n, k = MATRIX_SHAPES[units]
    depth = choose("depth", STEP_DEPTHS, where=lambda depth: depth % k == 0)
    if units == SHARED_SUMS:
        warps = choose("warps", (2, 4), where=lambda warps: depth // warps >= k)
        return _shared_sums(rows, columns, depth, warps, choose("room", (0, 8))).strategy()
    lower = wmma if units == FRAGMENTS else mmaSync
    warp_rows = choose("warp_rows", TILES, where=lambda side: rows % side == 0 and side % m == 0)
    warp_columns = choose("warp_columns", TILES, where=lambda side: columns % side == 0 and side % n == 0)
    return lower(
        rows, columns, depth, warp_rows, warp_columns, m, n, k,
        vector=choose("vector", (4, 8)), room=choose("room", (0, 8)), stages=choose("stages", (1, 2, 3)),
    )  # fmt: skip


def _shared_sums(rows: int, columns: int, depth: int, warps: int, room: int) -> Schedule:
    """The warps of a block share each sum: of every `depth` products, each adds as many as the others."""
    part, (m, n, k) = depth // warps, MATRIX_SHAPES[SHARED_SUMS]
    copy = Move.by(Warp).tile(1, VECTOR).to(Lane)
    tile = MatMul.tile(rows, columns).to(Block).split(part, depth).to(Warp).epilog(FR).split(part)
    return (
        tile.load(A, SH, copy.layout(ColMajor).vector)
        .pad(room)
        .load(B, SH, copy.vector)
        .pad(room)
        .mma(m, n, k)
        .done
    )
