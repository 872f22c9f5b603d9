"""The time that tiles of a matrix product take on a processor, predicted from its record, and the best tiles.

A model, not a measurement: it counts the cycles of multiply-adds, stores and copies, and the bytes that do not fit into
the second cache. `shine.contraction` reports what it predicts. Independent of terms and of how tiles are derived.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import ceil
from typing import Final

from rise.hardware import Processor
from rise.records import dataclass
from rise.scalars import SCALARS

#: the methods, each with what it copies
BLOCKS: Final = "blocks"
PANELS: Final = "panels"
METHODS: Final = (BLOCKS, PANELS)
BYTE: Final = 8  # bits
#: the bytes of an array that C code keeps on the stack
SHORT_PANEL: Final = 4 * 1024
#: cycles of a store of one number, and if the bounds of the tile's loops are not known, so that it leaves registers
STORE_CYCLES: Final = 1.0
EDGE_STORE_CYCLES: Final = 3.0
#: cycles in which one number is copied into a panel
COPY_CYCLES: Final = 1.0
#: bytes that a core loads in a cycle from beyond the second cache
FAR_BYTES: Final = 4.0
#: cycles in which a line arrives from the second cache
LINE_FROM_L2: Final = 10.0
#: cycles of a tile besides its sums: its loops, and setting the sums to zero
TILE_OVERHEAD: Final = 30.0


@dataclass(frozen=True, slots=True)
class ContractionSizes:
    """A product of rows x columns results, each a sum of `depth` products of numbers of a scalar type."""

    rows: int
    columns: int
    depth: int
    scalar: str

    @property
    def bytes(self) -> int:
        """The bytes of a number."""
        return SCALARS[self.scalar].bits // BYTE


@dataclass(frozen=True, slots=True)
class Tiles:
    """How a product is computed: a method, and the rows and columns of a tile in registers."""

    method: str
    rows: int
    columns: int


@dataclass(frozen=True, slots=True)
class Prediction:
    """The cycles of the parts of a product: multiply-adds, stores of results, copies of factors, and waiting for bytes
    beyond the second cache.
    """

    sums: float
    stores: float
    copies: float
    memory: float

    @property
    def cycles(self) -> float:
        """All cycles: waiting overlaps with computing, the rest does not."""
        return max(self.sums + self.stores + self.copies, self.memory)

    @property
    def limit(self) -> str:
        """What takes longest."""
        parts = {
            "multiply-adds": self.sums,
            "stores of results": self.stores,
            "copies of operands": self.copies,
            "memory": self.memory,
        }
        return max(parts, key=parts.__getitem__)


def best_tiles(
    machine: Processor, sizes: ContractionSizes, among: Iterator[Tiles], height: int
) -> Tiles | None:
    """The tiles that take the fewest predicted cycles, if there are any."""
    return min(among, key=lambda one: prediction(machine, sizes, one, height).cycles, default=None)


def possible_tiles(
    sizes: ContractionSizes, method: str | None, shapes: Sequence[tuple[int, int]]
) -> Iterator[Tiles]:
    """Tiles of at most as many rows as the given shapes, by the given method or by each. Fewer rows are of use if as
    many tiles have them: then fewer rows are computed and dropped.
    """
    for most, columns in shapes:
        for rows in range(1, most + 1):
            if ceil(sizes.rows / rows) == ceil(sizes.rows / most):
                for one in methods_for(sizes, method, columns):
                    yield Tiles(one, rows, columns)


def methods_for(sizes: ContractionSizes, method: str | None, columns: int) -> tuple[str, ...]:
    """The methods to choose from: that which is given, or all that are fast. Beside a short panel, which is on the
    stack, gcc keeps no sums in registers.
    """
    if method is not None:
        return (method,)
    return METHODS if sizes.depth * columns * sizes.bytes > SHORT_PANEL else (BLOCKS,)


def prediction(machine: Processor, sizes: ContractionSizes, tiles: Tiles, height: int) -> Prediction:
    """The predicted cycles of a product on one core; blocks have `height` rows, rounded down to whole tiles."""
    vectors = ceil(tiles.columns / machine.lanes_of(sizes.scalar))
    down, across = ceil(sizes.rows / tiles.rows), ceil(sizes.columns / tiles.columns)
    count = down * across
    chains = tiles.rows * vectors
    step = max(chains / machine.fma_units, machine.fma_latency, (tiles.rows + vectors) / 2)
    block = max(tiles.rows, height - height % tiles.rows)
    in_blocks = sizes.rows // block * block if tiles.method == BLOCKS else 0
    rest = sizes.rows - in_blocks
    at_edges = rest / sizes.rows if rest > tiles.rows and rest % tiles.rows else 0.0
    if across > 1 and sizes.columns % tiles.columns:
        at_edges = 1.0
    stores = sizes.rows * sizes.columns * (STORE_CYCLES + (EDGE_STORE_CYCLES - STORE_CYCLES) * at_edges)
    l2 = machine.l2 or machine.l1
    left = sizes.rows * sizes.depth * sizes.bytes
    right = across * tiles.columns * sizes.depth * sizes.bytes
    result = sizes.rows * sizes.columns * sizes.bytes
    memory = right + 2 * result
    waiting = 0.0
    if tiles.method == BLOCKS:
        blocks = ceil(sizes.rows / block)
        memory += left + (right * (1 + blocks) if right > l2 // 2 else 0)
        down_at_once = block
    else:
        memory += left * (across if left > l2 // 2 else 1)
        down_at_once = sizes.rows
    if min(sizes.rows, down_at_once) * machine.line > machine.l1 // 2:
        waiting = sizes.rows * across * LINE_FROM_L2
    copies = (right / sizes.bytes + left / sizes.bytes) * COPY_CYCLES
    far = memory / FAR_BYTES if memory > l2 else 0.0
    return Prediction(count * (sizes.depth * step + TILE_OVERHEAD), stores + waiting, copies, far)
