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

#: the methods between which the model chooses
BLOCKS: Final = "blocks"
PANELS: Final = "panels"
MODEL_METHODS: Final = (BLOCKS, PANELS)
#: the method that reads rows where they are, if all columns are in one tile, so that each row is read once
ONE: Final = "one"
BYTE: Final = 8  # bits
#: the bytes of an array that C code keeps on the stack
SHORT_PANEL: Final = 4 * 1024
#: cycles of a store of one number, and if the bounds of the tile's loops are not known, so that it leaves registers
STORE_CYCLES: Final = 1.0
EDGE_STORE_CYCLES: Final = 3.0
#: cycles in which one number is copied into a panel
COPY_CYCLES: Final = 1.0
#: the fewest columns of which gcc makes a vector
LEAST_VECTOR: Final = 4
#: panels in a row that make up for its remaining columns: gcc makes no vectors of 12 columns, say
LONG_ROW: Final = 8
#: how much longer a copy takes whose last panel overruns, if the other panels are not copied apart from it
EDGE_COPY: Final = 2.0
#: numbers that are copied at once where a panel's columns are adjacent
VECTOR_COPY: Final = 4.0
#: bytes that a core loads in a cycle from a cache beyond the second one, and from memory
NEAR_BYTES: Final = 16.0
FAR_BYTES: Final = 4.0
#: how much more data than the second cache holds is in the caches beyond it
CACHES_PER_L2: Final = 16.0
#: cycles in which a line arrives from the second cache
LINE_FROM_L2: Final = 10.0
#: cycles of a tile besides its sums: its loops, and setting the sums to zero
TILE_OVERHEAD: Final = 30.0


@dataclass(frozen=True, slots=True)
class ContractionSizes:
    """A product of rows x columns results, each a sum of `depth` products of numbers of a scalar type. The columns are
    those of rows of `row` columns each, which are adjacent in memory, or `row` is 0. `reads_rows`: the numbers of a row
    are adjacent in memory.
    """

    rows: int
    columns: int
    depth: int
    scalar: str
    row: int = 0
    reads_rows: bool = False

    @property
    def bytes(self) -> int:
        """The bytes of a number."""
        return SCALARS[self.scalar].bits // BYTE


@dataclass(frozen=True, slots=True)
class Tiles:
    """How a product is computed: a method, and the rows and columns of a tile in registers. By the method "panels", the
    columns may be those of rows of `row` columns, each of which has panels of its own; otherwise, `row` is 0.
    """

    method: str
    rows: int
    columns: int
    row: int = 0


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
        return max(self.computing, self.memory)

    @property
    def computing(self) -> float:
        """The cycles of all parts but memory."""
        return self.sums + self.stores + self.copies

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
    """The tiles that take the fewest predicted cycles, if there are any; of those that wait for memory equally long,
    the ones that compute least.
    """

    def cost(one: Tiles) -> tuple[float, float]:
        predicted = prediction(machine, sizes, one, height)
        return predicted.cycles, predicted.computing

    return min(among, key=cost, default=None)


def possible_tiles(
    sizes: ContractionSizes, method: str | None, shapes: Sequence[tuple[int, int]]
) -> Iterator[Tiles]:
    """Tiles of at most as many rows as the given shapes, by the given method or by each. Fewer rows are of use if as
    many tiles have them: then fewer rows are computed and dropped.
    """
    for most, columns in shapes:
        for rows in range(1, most + 1):
            if ceil(sizes.rows / rows) == ceil(sizes.rows / most):
                yield from tiles_of_shape(sizes, method, rows, columns)
            elif method is None and sizes.rows % rows == 0:
                yield from _in_place(sizes, rows, columns)


def tiles_of_shape(sizes: ContractionSizes, method: str | None, rows: int, columns: int) -> Iterator[Tiles]:
    """Tiles of rows x columns, by the given method, which may be any, or by each that may be fast."""
    for one in methods_for(sizes, method, columns):
        yield Tiles(one, rows, columns)
    if method in (None, PANELS) and _has_rows(sizes, columns):
        yield Tiles(PANELS, rows, columns, sizes.row)
    if method is None:
        yield from _in_place(sizes, rows, columns)


def _in_place(sizes: ContractionSizes, rows: int, columns: int) -> Iterator[Tiles]:
    """Tiles that read rows where they are, if that reads adjacent numbers, and each of them once; the panel of columns
    is not on the stack.
    """
    is_short = sizes.depth * columns * sizes.bytes <= SHORT_PANEL
    if sizes.reads_rows and sizes.columns <= columns and not is_short:
        yield Tiles(ONE, rows, columns)


def _has_rows(sizes: ContractionSizes, columns: int) -> bool:
    """Whether panels of rows pay off: what is packed is not on the stack, and the last panel, which is narrower, is a
    small part of a row, or has a number of columns of which gcc makes vectors.
    """
    rest = sizes.row % columns
    packed = (sizes.row - rest) * sizes.depth * sizes.bytes
    is_vector = rest >= LEAST_VECTOR and rest & (rest - 1) == 0
    is_long = sizes.row >= LONG_ROW * columns
    return rest != 0 and packed > SHORT_PANEL and (is_long or (is_vector and sizes.row > columns))


def methods_for(sizes: ContractionSizes, method: str | None, columns: int) -> tuple[str, ...]:
    """The methods to choose from: that which is given, or all that are fast. Beside a short panel, which is on the
    stack, gcc keeps no sums in registers.
    """
    if method is not None:
        return (method,)
    return MODEL_METHODS if sizes.depth * columns * sizes.bytes > SHORT_PANEL else (BLOCKS,)


def prediction(machine: Processor, sizes: ContractionSizes, tiles: Tiles, height: int) -> Prediction:
    """The predicted cycles of a product on one core; blocks have `height` rows, rounded down to whole tiles."""
    vectors = ceil(tiles.columns / machine.lanes_of(sizes.scalar))
    down, across = ceil(sizes.rows / tiles.rows), ceil(sizes.columns / tiles.columns)
    if tiles.row:
        across = sizes.columns // tiles.row * ceil(tiles.row / tiles.columns)
    count = down * across
    chains = tiles.rows * vectors
    step = max(chains / machine.fma_units, machine.fma_latency, (tiles.rows + vectors) / 2)
    block = max(tiles.rows, height - height % tiles.rows)
    in_blocks = sizes.rows // block * block if tiles.method == BLOCKS else 0
    rest = sizes.rows - in_blocks
    at_edges = rest / sizes.rows if rest > tiles.rows and rest % tiles.rows else 0.0
    if across > 1 and sizes.columns % tiles.columns and not tiles.row:
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
    if tiles.method != ONE and min(sizes.rows, down_at_once) * machine.line > machine.l1 // 2:
        waiting = sizes.rows * across * LINE_FROM_L2
    right_copies = right / VECTOR_COPY if tiles.row else right
    if tiles.method == PANELS and across > 1 and not tiles.row and sizes.columns % tiles.columns:
        right_copies *= EDGE_COPY
    left_copies = 0.0 if tiles.method == ONE else left
    copies = (right_copies + left_copies) / sizes.bytes * COPY_CYCLES
    far = 0.0
    if memory > l2:
        far = memory / (NEAR_BYTES if memory <= CACHES_PER_L2 * l2 else FAR_BYTES)
    return Prediction(count * (sizes.depth * step + TILE_OVERHEAD), stores + waiting, copies, far)
