"""The model of the time of contractions: what it counts, and that its choice is the best by its own count."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from rise.hardware import PROCESSORS, Processor
from strategies.contractions import TilesBySizes
from strategies.costs.contractions import (
    BLOCKS,
    MODEL_METHODS,
    PANELS,
    ContractionSizes,
    Tiles,
    best_tiles,
    possible_tiles,
    prediction,
)
from strategies.parts.machine_tiles import block_height
from tests.examples import some


def drawn(draw: random.Random) -> ContractionSizes:
    """Sizes from one to thousands, of either type."""
    rows, columns, depth = (round(2 ** draw.uniform(0, 12)) for _ in range(3))
    return ContractionSizes(rows, columns, depth, draw.choice(("f32", "f64")))


def chosen(machine: Processor, sizes: ContractionSizes) -> tuple[Tiles | None, list[Tiles]]:
    shapes = TilesBySizes(machine, None, None, None, None).shapes(sizes)
    every = list(possible_tiles(sizes, None, shapes))
    return best_tiles(machine, sizes, iter(every), block_height(machine, 1)), every


@pytest.mark.parametrize("name", some(PROCESSORS, 4))
def test_the_choice_takes_the_fewest_cycles_and_fits_into_registers(name: str) -> None:
    machine, draw = PROCESSORS[name], random.Random(0)
    for _ in range(60):
        sizes = drawn(draw)
        best, every = chosen(machine, sizes)
        assert best is not None
        height = block_height(machine, 1)
        cycles = prediction(machine, sizes, best, height).cycles
        assert cycles <= min(prediction(machine, sizes, one, height).cycles for one in every)
        vectors = -(-best.columns // machine.lanes_of(sizes.scalar))
        assert best.rows == 1 or best.rows * vectors + vectors + 1 <= max(machine.registers, 2 * vectors + 2)


def test_more_work_takes_more_cycles() -> None:
    machine, draw = PROCESSORS["sapphirerapids"], random.Random(1)
    for _ in range(200):
        sizes = drawn(draw)
        tiles = Tiles(draw.choice(MODEL_METHODS), draw.randint(1, 12), 16)
        cycles = prediction(machine, sizes, tiles, 96).cycles
        for field in ("rows", "columns", "depth"):
            larger = replace(sizes, **{field: 16 * getattr(sizes, field)})
            assert prediction(machine, larger, tiles, 96).cycles > cycles


def test_a_long_operand_beside_few_rows_is_not_copied_as_a_whole() -> None:
    machine = PROCESSORS["sapphirerapids"]
    few, many = ContractionSizes(12, 100_000, 300, "f32"), ContractionSizes(2000, 2000, 16, "f32")
    assert chosen(machine, few)[0].method == PANELS  # type: ignore[union-attr]  # there is a choice
    assert chosen(machine, many)[0].method == BLOCKS  # type: ignore[union-attr]  # there is a choice


def test_panels_of_rows_are_chosen_where_tiles_would_span_two_rows() -> None:
    machine = PROCESSORS["sapphirerapids"]
    for row, expected in ((164, 164), (160, 0), (40, 40), (44, 0), (12, 0), (0, 0)):
        best, _ = chosen(machine, ContractionSizes(12, 164 * 160, 164, "f32", row))
        assert best is not None and best.method == PANELS and best.row == expected


def test_the_last_tile_wastes_few_rows() -> None:
    best, _ = chosen(PROCESSORS["sapphirerapids"], ContractionSizes(14, 5000, 60, "f32"))
    assert best is not None and best.rows == 7


def test_the_limit_is_what_takes_longest() -> None:
    machine = PROCESSORS["sapphirerapids"]
    for sizes, limit in (
        (ContractionSizes(500, 500, 500, "f32"), "multiply-adds"),
        (ContractionSizes(500, 500, 1, "f32"), "stores of results"),
        (ContractionSizes(2, 100_000, 100, "f32"), "memory"),
    ):
        assert prediction(machine, sizes, Tiles(BLOCKS, 12, 16), 96).limit == limit
