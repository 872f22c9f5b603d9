"""Spaces of matrix products on CPUs: tiles in registers, packed factors, prefetching."""

from __future__ import annotations

from elevate import Strategy
from rise.hardware import Processor
from strategies import openmp
from strategies.cpu_gemm import packed
from strategies.spaces.bounds import Bound
from strategies.spaces.holes import Decisions, bounded, choose, space
from strategies.spaces.models import Setting, register_tiles_bound


def tiles_bound(at: Setting, decisions: Decisions) -> Bound:
    """The bound of a product in register tiles; it depends only on the size of the tiles."""
    rows, vectors = decisions["rows"], decisions["vectors"]
    assert isinstance(rows, int) and isinstance(vectors, int), decisions
    return register_tiles_bound(at, rows, vectors)


@bounded(tiles_bound)
@space
def product(machine: Processor) -> Strategy:
    """A matrix product, perhaps with an epilogue, in tiles of rows x vectors."""
    vectors = choose("vectors", (1, 2, 3, 4, 6, 8))
    sums_of_tile = range(1, machine.registers)
    rows = choose("rows", sums_of_tile, where=lambda rows: (rows + 1) * vectors < machine.registers)
    columns = vectors * machine.lanes
    factors = choose("packed", ("right", "both"))
    if factors == "both":
        tiles = choose("tiles", (2, 4, 8, 16, 32))
        return packed(rows, columns, height=rows * tiles, machine=machine)
    prefetch = choose("prefetch", (True, False))
    return openmp.parallel(rows=rows, columns=columns, prefetch=prefetch, machine=machine)
