"""The model of contractions on GPUs: what it counts is what the simulator counts, and its tiles fit."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np
import pytest

import shine
import strategies
from rise.hardware import DEVICES
from strategies.costs.gpu_contractions import (
    GpuContraction,
    OperandLayout,
    best_block_tile,
    block_tiles,
    conflicts,
    predicted_cycles,
    room_for,
    sectors,
)

DEVICE: Final = DEVICES["A100-SXM4-40GB"]
TRIPLES: Final = GpuContraction(
    1, 32768, 32768, 32, "f32", OperandLayout(32, 1), OperandLayout(1, 32768), run=32
)


@pytest.mark.parametrize(("depth", "rooms"), [(8, (0, 2, 4, 8)), (16, (0, 4))])
def test_conflicts_are_those_that_the_simulator_counts(depth: int, rooms: tuple[int, ...]) -> None:
    """Where threads store the tile of an operand that is copied along the sum."""
    a, b = np.ones((32, depth), np.float32), np.ones((depth, 32), np.float32)
    program = shine.contraction("mk,kn->mn", f"32.{depth}.f32", f"{depth}.32.f32").main
    for room in rooms:
        tiles = {"rows": 32, "columns": 32, "thread_rows": 4, "thread_columns": 4, "depth": depth}
        low = strategies.load("strategies.gpu_contractions:contractionTiles", **tiles, room=room)(program)
        total = shine.compile(low.program, target="cuda-sim").profile(a, b).total
        assert total.bank_conflicts == conflicts(4, 32, depth, 4, room, 32, 128), room


@pytest.mark.parametrize("rows", [32, 64, 128])
def test_padding_is_that_with_the_fewest_conflicts(rows: int) -> None:
    for size in (4, 8):
        room = room_for(size, rows, 8, 16 // size, DEVICE)
        assert conflicts(size, rows, 8, 16 // size, room, 32, 128) == 0
        assert room * size % 16 == 0  # vectors are aligned


@pytest.mark.parametrize("scalar", ["f32", "f64", "f16"])
def test_every_candidate_fits(scalar: str) -> None:
    found = list(block_tiles(replace(TRIPLES, scalar=scalar), DEVICE))
    assert len(found) > 20
    for tile in found:
        assert 64 <= tile.threads <= 1024
        assert tile.rows % tile.thread_rows == tile.columns % tile.thread_columns == 0
        assert tile.depth % tile.vector == 0


def test_sectors_are_of_whole_runs() -> None:
    assert sectors(OperandLayout(32, 1), 64, 8, 4) == 64
    assert sectors(OperandLayout(1, 64), 64, 8, 4) == 64
    assert sectors(OperandLayout(1, 1), 64, 8, 4) == 64 * 8  # a number at a time
    assert sectors(OperandLayout(1, 24), 64, 8, 4) == 8 * 3 * 3


def test_predictions_depend_on_the_gpu_and_grow_with_sizes() -> None:
    tile = best_block_tile(TRIPLES, DEVICE)
    assert tile is not None
    here = predicted_cycles(TRIPLES, tile, DEVICE)
    assert predicted_cycles(replace(TRIPLES, depth=64), tile, DEVICE) > here
    assert predicted_cycles(TRIPLES, tile, replace(DEVICE, multiprocessors=54, l2_load=2560)) == 2 * here
