"""A model of contractions on GPUs: which tiles of blocks and threads take the least time.

The candidates and the count of transactions are those of COGENT (Kim et al., CGO 2019): a block computes a tile of the
result, its threads smaller ones in registers, and each step of the sum reads a tile of each operand. In addition, the
model knows the sectors of memory that a copy touches, conflicts between banks of shared memory, tiles that overrun,
multiprocessors without a block, and the latency of copies, from the record of the GPU (`rise.hardware`). Independent of
terms.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from math import ceil
from typing import Final

from rise.hardware import Device
from rise.records import dataclass
from rise.scalars import SCALARS, is_complex
from strategies.costs.contractions import BYTE

#: the width of a bank of shared memory, and the bytes that a thread loads at once at most
BANK_BYTES: Final = 4
VECTOR_BYTES: Final = 16
#: the bytes that memory transfers at once
SECTOR: Final = 32
#: candidates: numbers of threads in a direction, results of a thread in a direction, and summands of a step
THREADS: Final = (8, 16, 32)
RESULTS: Final = (1, 2, 4, 8)
DEPTHS: Final = (4, 8, 16)
#: the fewest and the most results of a thread, and the fewest threads of a block
LEAST_RESULTS: Final = 4
MOST_RESULTS: Final = 64
LEAST_THREADS: Final = 64
#: registers of a thread for addresses and loop counters
OTHER_REGISTERS: Final = 40


def vector_of(scalar: str) -> int:
    """How many numbers of a type a thread loads at once at most: only numbers that are not complex have vectors."""
    has_none = is_complex(scalar) or scalar == "bool"
    return 1 if has_none else max(1, VECTOR_BYTES * BYTE // SCALARS[scalar].bits)


@dataclass(frozen=True, slots=True)
class OperandLayout:
    """How an operand is stored: the number of adjacent elements along the sum, and along its other subscripts; 1 if
    neighbours are apart.
    """

    along: int
    across: int

    @property
    def is_read_whole(self) -> bool:
        """Whether neighbours are adjacent in the order in which it is copied."""
        return self.along > 1 or self.across > 1

    @property
    def is_along(self) -> bool:
        """Whether it is copied along the sum."""
        return self.along > 1 or self.across <= 1


@dataclass(frozen=True, slots=True)
class GpuContraction:
    """The sizes of a contraction in normal form, the type of its numbers, and how operands and result are stored."""

    batch: int
    rows: int
    columns: int
    depth: int
    scalar: str
    left: OperandLayout
    right: OperandLayout
    run: int

    @property
    def bytes(self) -> int:
        """The size of a number."""
        return SCALARS[self.scalar].bits // BYTE

    @property
    def vector(self) -> int:
        """The numbers that a thread loads at once at most."""
        return vector_of(self.scalar)


@dataclass(frozen=True, slots=True)
class BlockTile:
    """The tile of a block, and of a thread, and the summands of a step; copies move `vector` numbers at once, into rows
    that are padded by `room` numbers, and `stored` results of a thread are stored at once.
    """

    rows: int
    columns: int
    depth: int
    thread_rows: int
    thread_columns: int
    vector: int
    room: int
    stored: int = 1

    @property
    def threads(self) -> int:
        """The threads of a block."""
        return (self.rows // self.thread_rows) * (self.columns // self.thread_columns)


@lru_cache(maxsize=1 << 10)
def conflicts(bytes: int, rows: int, depth: int, vector: int, room: int, warp: int, line: int) -> int:
    """The passes through shared memory, beyond those without conflicts, in which threads store the tile of an operand
    that is copied along the sum: thread n reads the n-th vector of the tile, and stores each number in another row.

    >>> conflicts(4, 64, 8, 4, 4, 32, 128), conflicts(4, 64, 8, 4, 0, 32, 128), conflicts(4, 64, 16, 4, 4, 32, 128)
    (0, 16, 32)
    """
    parts = depth // vector
    passes = ideal = 0
    for first in range(0, rows * parts, warp):
        lanes = range(first, min(first + warp, rows * parts))
        for number in range(vector):
            places = [(n % parts * vector + number) * (rows + room) + n // parts for n in lanes]
            words = {
                place * bytes // BANK_BYTES + part
                for place in places
                for part in range(max(1, bytes // BANK_BYTES))
            }
            banks = [word % (line // BANK_BYTES) for word in words]
            passes += max(map(banks.count, set(banks)))
            ideal += ceil(len(words) * BANK_BYTES / line)
    return passes - ideal


def line_of(machine: Device) -> int:
    """The bytes of shared memory that a multiprocessor loads in a cycle: those of a word for each thread of a warp if
    the record does not say.
    """
    return machine.l1_load or BANK_BYTES * machine.architecture.warp


def bytes_per_cycle(machine: Device) -> float:
    """The bytes that all multiprocessors together read in a cycle from the nearest level whose rate is known."""
    if machine.l2_load is not None:
        return machine.l2_load
    if machine.memory_bandwidth is not None and machine.clock is not None:
        return machine.memory_bandwidth / machine.clock
    return machine.multiprocessors * line_of(machine)


def room_for(bytes: int, rows: int, depth: int, vector: int, machine: Device) -> int:
    """The padding of the rows of a tile that is copied along the sum, with the fewest conflicts, in numbers; rows begin
    at multiples of a vector.
    """
    line, warp = line_of(machine), machine.architecture.warp
    step = max(1, VECTOR_BYTES // bytes)
    rooms = range(0, line // bytes, step)
    return min(rooms, key=lambda room: conflicts(bytes, rows, depth, vector, room, warp, line))


def sectors(layout: OperandLayout, rows: int, depth: int, bytes: int) -> int:
    """The sectors that the tile of an operand touches."""
    runs, run = (rows, depth) if layout.is_along else (depth, rows)
    adjacent = layout.along if layout.is_along else layout.across
    pieces = ceil(run / adjacent)
    return runs * pieces * ceil(min(run, adjacent) * bytes / SECTOR)


def block_tiles(contraction: GpuContraction, machine: Device) -> Iterator[BlockTile]:
    """The candidates, without those that exceed the limits of the GPU, or in which threads conflict."""
    bytes, vector, limits = contraction.bytes, contraction.vector, machine.architecture
    for x in THREADS:
        for y in THREADS:
            for own_columns in RESULTS:
                for own_rows in RESULTS:
                    results = own_rows * own_columns
                    registers = (results + own_rows + own_columns) * ceil(
                        bytes / BANK_BYTES
                    ) + OTHER_REGISTERS
                    if (
                        not LEAST_THREADS <= x * y <= limits.block_threads
                        or not LEAST_RESULTS <= results <= MOST_RESULTS
                        or own_columns > vector
                        or registers > min(limits.thread_registers, limits.block_registers // (x * y))
                    ):
                        continue
                    yield from _with_depths(
                        contraction, y * own_rows, x * own_columns, own_rows, own_columns, machine
                    )


def _with_depths(
    contraction: GpuContraction, rows: int, columns: int, own_rows: int, own_columns: int, machine: Device
) -> Iterator[BlockTile]:
    """Tiles of a shape with each number of summands in a step."""
    bytes, vector = contraction.bytes, contraction.vector
    if rows % vector or columns % vector:
        return
    for depth in DEPTHS:
        along = [
            size for size, one in ((rows, contraction.left), (columns, contraction.right)) if one.is_along
        ]
        rooms = {room_for(bytes, size, depth, vector, machine) for size in along} or {0}
        room = max(rooms)
        line, warp = line_of(machine), machine.architecture.warp
        clash = sum(conflicts(bytes, size, depth, vector, room, warp, line) for size in along)
        if depth % vector == 0 and not clash:
            stored = own_columns if contraction.run % own_columns == 0 else 1
            yield BlockTile(rows, columns, depth, own_rows, own_columns, vector, room, stored)


def sectors_of(contraction: GpuContraction, tile: BlockTile) -> int:
    """The sectors that a block transfers."""
    bytes = contraction.bytes
    read = sectors(contraction.left, tile.rows, tile.depth, bytes) + sectors(
        contraction.right, tile.columns, tile.depth, bytes
    )
    run = min(tile.columns, contraction.run)
    written = tile.rows * ceil(tile.columns / run) * ceil(run * bytes / SECTOR)
    return ceil(contraction.depth / tile.depth) * read + written


def predicted_cycles(contraction: GpuContraction, tile: BlockTile, machine: Device) -> float:
    """The cycles of a contraction: of multiprocessors, each with an equal share of the blocks, or of memory, whichever
    are more. A multiprocessor is busy with the operations of all threads, or waits for copies, if few blocks reside.
    """
    bytes, limits = contraction.bytes, machine.architecture
    blocks = contraction.batch * ceil(contraction.rows / tile.rows) * ceil(contraction.columns / tile.columns)
    steps = ceil(contraction.depth / tile.depth)
    words = ceil(bytes / BANK_BYTES)
    own = tile.thread_rows * tile.thread_columns
    loads = (tile.thread_rows + tile.thread_columns) / tile.vector
    copied = (tile.rows + tile.columns) * tile.depth / tile.threads
    issued = steps * (tile.depth * (own * words + loads) + copied + OTHER_REGISTERS / 2)
    registers = (own + tile.thread_rows + tile.thread_columns) * words + OTHER_REGISTERS
    shared = (tile.rows + tile.columns + 2 * tile.room) * tile.depth * bytes
    resident = min(
        limits.multiprocessor_blocks,
        limits.multiprocessor_threads // tile.threads,
        limits.multiprocessor_registers // (registers * tile.threads),
        limits.multiprocessor_shared // shared,
    )
    share = ceil(blocks / machine.multiprocessors)
    alone = issued + steps * (machine.memory_latency or 0)
    moved = sectors_of(contraction, tile) * SECTOR
    busy = issued * tile.threads / (machine.multiply_adds or limits.warp) + moved / line_of(machine)
    computing = share * max(busy, alone / min(resident, share))
    return max(computing, blocks * moved / bytes_per_cycle(machine))


def best_block_tile(contraction: GpuContraction, machine: Device) -> BlockTile | None:
    """The candidate with the fewest predicted cycles; of equal ones, that with the fewest steps."""
    return min(
        block_tiles(contraction, machine),
        key=lambda one: (predicted_cycles(contraction, one, machine), ceil(contraction.depth / one.depth)),
        default=None,
    )
