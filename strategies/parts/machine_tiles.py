"""Tile sizes as formulas over the record of a processor, each with its reason. Independent of terms.

Sizes count numbers of 32 bits. A strategy uses a formula for each size that its caller does not give (decision 0037);
docs/performance.md lists the values for the processors of `rise.hardware`.
"""

from __future__ import annotations

from typing import Final

from elevate import Diagnostic, StrategyError
from rise.diagnostics import RiseError
from rise.hardware import PROCESSORS, Processor, processor
from rise.records import dataclass
from strategies.parts.parameters import shown_value

#: bytes of the numbers that sizes count
WORD: Final = 4
#: the length of rows for which the height of a block is chosen; sums of matrix products are rarely longer
TYPICAL_DEPTH: Final = 2048
#: gcc unrolls loops with fewer iterations into scalars before it makes vectors
LEAST_COLUMNS: Final = 16
#: the fewest columns of a tile in registers from whose statements gcc makes vectors after it has unrolled their loop
LEAST_TILE_COLUMNS: Final = 8
#: instructions per vector of a row whose elements are computed before they are added
INSTRUCTIONS_PER_VECTOR: Final = 16
#: the bytes beyond L2 that a product may load in a cycle: memory that all cores read at once is slower than the units
FAR_LOAD: Final = 2
#: vectors of partial sums of few columns, so that the next addition need not wait for the last one
VECTORS_OF_SUMS: Final = 2
#: the assumed size of an L2 that is not stated, as a multiple of L1
L2_PER_L1: Final = 8


@dataclass(frozen=True, slots=True)
class ProductTile:
    """A tile of a matrix product in registers: rows, and columns of numbers of 32 bits."""

    rows: int
    columns: int


def machine_of(machine: object) -> Processor:
    """The processor that the parameter `machine` is, or that it names. Raises StrategyError for other values."""
    if isinstance(machine, Processor):
        return machine
    if isinstance(machine, str):
        try:
            return processor(machine)
        except RiseError as error:
            title, hint = error.diagnostic.title, error.diagnostic.hint
            raise StrategyError(Diagnostic("tiles", f"{title} for `machine`", hint=hint)) from None
    title = f"expected a processor or its name for `machine`, found {shown_value(machine)}"
    raise StrategyError(Diagnostic("tiles", title, hint=f"for example -p machine={next(iter(PROCESSORS))}"))


def size_or_default(size: int | None, default: int) -> int:
    """A size that was given, or the default."""
    return default if size is None else size


def level_2(machine: Processor) -> int:
    """The size of a core's second-level cache in bytes."""
    return machine.l2 or L2_PER_L1 * machine.l1


def power_of_two(limit: int) -> int:
    """The largest power of two up to a limit, and at least one."""
    return 1 << max(0, limit.bit_length() - 1)


def vector_lanes(machine: Processor) -> int:
    """The number of elements in a vector of a stencil: as in a register, or four if there are no vector registers."""
    return machine.lanes if machine.lanes > 1 else 4


def partial_results(machine: Processor) -> int:
    """The number of partial results of the sum of a row: as many as one iteration has elements, in at most a quarter of
    the registers.

    A loop that sums several rows at once, such as that of a product, keeps this many in registers for each row, and
    needs other registers for the values that it reads.
    """
    return min(machine.neighbours, machine.lanes * max(1, machine.registers // 4))


def row_results(machine: Processor) -> int:
    """The number of partial results of each sum of many rows: a cache line of numbers, if they fit into registers.

    They are combined for each row, even a short one. The latency of additions is hidden by the next row, which is
    independent.
    """
    return min(machine.line_words, partial_results(machine))


def long_row_results(machine: Processor) -> tuple[tuple[int, int], ...]:
    """The numbers of partial results of each sum of long rows, each with the length from which it is used.

    From some length on, the instructions that a processor has begun do not reach the next row, which then does not hide
    the latency of additions. So as many vectors as keep the units busy are summed separately, in at most an eighth of
    the registers, since functions of the elements need the others. Rows that do not fit into L1 are read more slowly
    than they are added, so two vectors are enough.
    """
    window = machine.registers if machine.window is None else machine.window
    long = max(2 * machine.lanes, window * machine.lanes // INSTRUCTIONS_PER_VECTOR)
    vectors = power_of_two(min(machine.chains, machine.registers // 8))
    results = max(row_results(machine), machine.lanes * vectors)
    return (long, results), (max(long, machine.l1 // WORD) + 1, partial_results(machine))


def short_row(machine: Processor) -> int:
    """The length up to which a row is reduced together with others: half of the number of its partial results.

    A cache line then spans two rows or more, so that several rows at once read no more lines.
    """
    return max(1, row_results(machine) // 2)


def rows_together(machine: Processor, columns: int) -> int:
    """The number of rows of few columns that are added at once: a power of two for which they fill two vectors, and at
    least two.

    Each row is added to sums of its own; a single row would fill a part of a vector, and each addition would wait for
    the one before.
    """
    rows = 2
    while rows * columns < VECTORS_OF_SUMS * machine.lanes:
        rows *= 2
    return rows


def register_tile(machine: Processor, scalar: str = "f32") -> ProductTile:
    """The tile of a matrix product in registers with the fewest loads per multiplication of numbers of a type.

    For `r` rows of `v` vectors, registers hold `r * v` sums, a row of `v` vectors of the right factor, and one number
    of the left factor. Each step loads `r + v` times for `r * v` multiplications. `v` is a power of two, since the
    numbers of columns of matrices usually have such a factor, and remaining columns are slower. If possible, there are
    enough sums to keep the units busy, and enough columns for compilers to vectorise.
    """
    lanes = machine.lanes_of(scalar)

    def loads(vectors: int) -> float:
        rows = tile_rows(machine, vectors)
        return (rows + vectors) / (rows * vectors)

    vectors = [v for v in (1, 2, 4, 8) if tile_rows(machine, v) >= 1] or [1]
    wide = [v for v in vectors if machine.lanes == 1 or v * lanes >= LEAST_TILE_COLUMNS] or vectors[-1:]
    busy = [v for v in wide if tile_rows(machine, v) * v >= machine.chains]
    best = min(busy or wide, key=loads)
    return ProductTile(tile_rows(machine, best), best * lanes)


def tile_rows(machine: Processor, vectors: int) -> int:
    """The number of rows of `vectors` vectors that fit into registers, besides one row of vectors and a number."""
    return max(1, (machine.registers - 1) // vectors - 1)


def stored_tile(machine: Processor, scalar: str = "f32") -> ProductTile:
    """The tile of a contraction, which is stored through views, one number at a time where columns are not adjacent.

    So it has as few columns as compilers vectorise, at least one vector, and as many rows as registers allow; a row
    counts as at least two vectors, since views need registers, too. The number of rows is a multiple of four if
    possible, since sizes of tensors usually are, and the last tile overruns.
    """
    columns = max(LEAST_COLUMNS, machine.lanes) if machine.lanes > 1 else 4
    rows = tile_rows(machine, max(2, columns // machine.lanes_of(scalar)))
    return ProductTile(rows - rows % 4 if rows >= 4 else rows, columns)


def block_height(machine: Processor, rows: int) -> int:
    """The number of rows of the left factor that stay in L2 while they are multiplied by all panels of the right
    factor: a multiple of `rows`.

    For sums of `TYPICAL_DEPTH` products, they take three eighths of L2. A panel takes up to a quarter, and the rest is
    left for the result and the operating system.
    """
    height = level_2(machine) * 3 // 8 // (WORD * TYPICAL_DEPTH)
    return max(rows, height - height % rows)


def step_depth(machine: Processor) -> int:
    """The number of rows in a step of a product that is summed over the rows of both factors, such as `x.T @ y`: one
    cache line of each row, together half of L1.

    A tile reads a line of the left factor and a row of a panel of the right one for each product, and the tiles beside
    it read the rest of the same line. The panel's rows are in L2.
    """
    return power_of_two(machine.l1 // 2 // (machine.line_words * WORD))


def transposed_lines(machine: Processor) -> int:
    """The number of cache lines of a transposed matrix that are copied before they are used: an eighth of L1.

    The copy stays there, even if the lines of the matrix and of other arrays are all in the same sets of the cache.
    """
    return power_of_two(machine.l1 // 8 // machine.line)


def packed_columns(machine: Processor, tile: ProductTile) -> int:
    """The number of columns of the right factor that are packed together, in panels as wide as a tile: as many as are
    needed for the left factor to arrive as fast as it is multiplied.

    Each number of the left factor that is read from a far cache or from memory is multiplied by all of these columns.
    The units multiply `fma_units` vectors in a cycle, so that `FAR_LOAD` bytes in a cycle are enough if a row of
    packed columns has as many numbers as `fma_units / FAR_LOAD` vectors have bytes, in any type.
    """
    vector_bytes = machine.lanes * WORD
    wanted = int(machine.fma_units * vector_bytes) // FAR_LOAD
    return max(1, wanted // tile.columns) * tile.columns


def edge_columns(machine: Processor, columns: int) -> int:
    """The width of the panels in which the remaining columns are computed, after whole panels of `columns`: one vector,
    or as few columns as compilers vectorise if these are more, but no wider than a whole panel.
    """
    return min(columns, max(machine.lanes, LEAST_COLUMNS))


def selection_chunk(machine: Processor) -> int:
    """The number of elements from which one thread selects the best, or that it adds to its own table: an eighth of L2.

    This is few enough for the tables of all threads to be reused from L2, and enough for the cost of starting a thread
    to be small.
    """
    return power_of_two(level_2(machine) // 8 // WORD)


def scan_chunk(machine: Processor) -> int:
    """The number of elements that a thread scans: a thirty-second of L2, since they are read twice and written once,
    and another thread may use the same L2.
    """
    return power_of_two(level_2(machine) // 32 // WORD)
