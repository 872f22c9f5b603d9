"""Spaces of matrix products on CPUs: tiles in registers, packed factors, blocks of columns, rows and sums."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Final

from elevate import Strategy, id_
from rise.hardware import Processor
from strategies import openmp
from strategies.cpu_gemm import packed, panelTiles, rowTiles
from strategies.parts.machine_tiles import ProductTile, edge_columns, packed_columns
from strategies.parts.schedules import onlyPrefetch
from strategies.spaces.bounds import Bound
from strategies.spaces.holes import Decisions, bounded, choose, space
from strategies.spaces.models import Setting, register_tiles_bound
from strategies.spaces.product_bounds import (
    OneCore,
    SharedLoop,
    column_blocks,
    product_bound,
    row_blocks,
    row_tiles,
    tiled_product,
)

#: the loops around tiles: as the target's own strategy has them, over panels of columns, over tiles of rows, or over
#: blocks of rows with both factors packed
PRODUCT_LOOPS: Final = ("own", "panels", "rows", "blocks")
WHOLE_PANELS: Final = "whole"
ALL, NONE = "all", "none"
#: what is prefetched of what the record of the processor says: everything, or only some of it
PREFETCH_CHOICES: Final[Mapping[str, Strategy]] = MappingProxyType(
    {
        ALL: id_,
        "copies and results": onlyPrefetch(copies=True, results=True),
        "copies": onlyPrefetch(copies=True),
        NONE: onlyPrefetch(),
    }
)
#: strategies that are kept, since candidates that differ in later decisions share them
MAX_CONSTRUCTED: Final = 4096


def shared_loops(at: Setting, decisions: Decisions) -> list[SharedLoop] | None:
    """The loops of a candidate for a program that is one product of two matrices; None for other programs."""
    shape, core = tiled_product(at), OneCore.of(at)
    if shape is None or shape.columns < core.lanes:
        return None
    rows, vectors = _number(decisions, "rows"), _number(decisions, "vectors")
    match decisions["loops"]:
        case "panels":
            edge = vectors if decisions["edge"] == WHOLE_PANELS else 1
            depth = None if decisions["depth"] is None else _number(decisions, "depth")
            return column_blocks(shape, core, rows, vectors, _number(decisions, "panels"), edge, depth)
        case "rows":
            return row_tiles(shape, core, rows, vectors)
        case "blocks":
            return row_blocks(shape, core, rows, vectors, rows * _number(decisions, "tiles"))
        case _:
            tile = ProductTile(rows, vectors * core.lanes)
            panels = packed_columns(at.machine, tile) // tile.columns
            edge = max(1, edge_columns(at.machine, tile.columns) // core.lanes)
            return column_blocks(shape, core, rows, vectors, panels, edge, None)


def tiles_bound(at: Setting, decisions: Decisions) -> Bound:
    """The bound of a product in register tiles: of the loops that the candidate has, if the program is one product of
    two matrices; otherwise it depends only on the size of the tiles.
    """
    loops = shared_loops(at, decisions)
    if loops is None:
        return register_tiles_bound(at, _number(decisions, "rows"), _number(decisions, "vectors"))
    return product_bound(at, loops, OneCore.of(at))


def _number(decisions: Decisions, name: str) -> int:
    value = decisions[name]
    assert isinstance(value, int), decisions
    return value


@bounded(tiles_bound)
@space
def product(machine: Processor) -> Strategy:
    """A matrix product, perhaps with an epilogue, in tiles of rows x vectors."""
    vectors = choose("vectors", (1, 2, 3, 4, 6, 8))
    sums_of_tile = range(1, machine.registers)
    rows = choose("rows", sums_of_tile, where=lambda rows: (rows + 1) * vectors < machine.registers)
    columns = vectors * machine.lanes
    match choose("loops", PRODUCT_LOOPS):
        case "own":
            prefetch = choose("prefetch", PREFETCH_CHOICES)
            return _own(rows, columns, machine) >> PREFETCH_CHOICES[prefetch]
        case "panels":
            panels = choose("panels", (1, 2, 4))
            edge = choose(
                "edge", ("vector", WHOLE_PANELS), where=lambda edge: vectors > 1 or edge == WHOLE_PANELS
            )
            depth = choose("depth", (None, 128, 256, 512))
            width = columns if edge == WHOLE_PANELS else machine.lanes
            prefetch = choose("prefetch", (ALL, NONE))
            return _panels(rows, columns, panels, width, depth, machine) >> PREFETCH_CHOICES[prefetch]
        case "rows":
            return rowTiles(rows, columns, machine)
        case _:
            tiles = choose("tiles", (2, 4, 8, 16, 32))
            return packed(rows, columns, height=rows * tiles, machine=machine)


@lru_cache(maxsize=MAX_CONSTRUCTED)
def _own(rows: int, columns: int, machine: Processor) -> Strategy:
    return openmp.parallel(rows=rows, columns=columns, machine=machine)


@lru_cache(maxsize=MAX_CONSTRUCTED)
def _panels(
    rows: int, columns: int, panels: int, edge: int, depth: int | None, machine: Processor
) -> Strategy:
    return panelTiles(rows, columns, panels, edge, depth, machine)
