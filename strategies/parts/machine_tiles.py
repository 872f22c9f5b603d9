"""Tile sizes as formulas over the record of a processor, each with its reason. Independent of terms.

Sizes count numbers of 32 bits. A strategy uses a formula for each size that it is not given (decision 0037);
docs/performance.md has what they come to for the processors of `rise.hardware`.
"""

from __future__ import annotations

from typing import Final

from elevate import Diagnostic, StrategyError
from rise.diagnostics import RiseError
from rise.hardware import PROCESSORS, Processor, processor
from rise.records import dataclass
from strategies.parts.parameters import shown_value

#: bytes of a number that sizes count
WORD: Final = 4
#: the length of a row that a block of rows is planned for; sums of matrix products are rarely longer
TYPICAL_DEPTH: Final = 2048
#: gcc unrolls loops with fewer iterations into scalars before it makes vectors
LEAST_COLUMNS: Final = 16
#: an L2 that is not stated counts as so many L1
L2_PER_L1: Final = 8


@dataclass(frozen=True, slots=True)
class ProductTile:
    """A tile of a matrix product in registers: rows, and columns of numbers of 32 bits."""

    rows: int
    columns: int


def machine_of(machine: object) -> Processor:
    """The processor that the parameter `machine` is or names. Raises StrategyError for anything else."""
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
    """The bytes of a core's second-level cache."""
    return machine.l2 or L2_PER_L1 * machine.l1


def power_of_two(limit: int) -> int:
    """The largest power of two up to a limit, and at least one."""
    return 1 << max(0, limit.bit_length() - 1)


def vector_lanes(machine: Processor) -> int:
    """The number of elements in a vector of a stencil: that of a register; four if there are no vector registers."""
    return machine.lanes if machine.lanes > 1 else 4


def partial_results(machine: Processor) -> int:
    """The number of partial results of the sum of a row: the elements of one iteration, in at most a quarter of the
    registers.

    A sum of several rows at once, as of a product, keeps as many in registers for each, and needs others for what it
    reads.
    """
    return min(machine.neighbours, machine.lanes * max(1, machine.registers // 4))


def row_results(machine: Processor) -> int:
    """The number of partial results of each sum of many rows: a cache line of numbers, if they fit into registers.

    They are combined for each row, however short; the next row, which is independent, hides the time of an addition.
    """
    return min(machine.line_words, partial_results(machine))


def short_row(machine: Processor) -> int:
    """The length up to which a row is reduced together with others: half of the number of its partial results.

    A cache line then spans two rows or more, so that several rows at once read no more lines.
    """
    return max(1, row_results(machine) // 2)


def register_tile(machine: Processor, scalar: str = "f32") -> ProductTile:
    """The tile of a matrix product in registers that loads least for each multiplication of numbers of a type.

    For `v` vectors in each of `r` rows, `r * v` sums, a row of `v` vectors of the right factor and one number of the
    left one are in registers. Each step loads `r + v` times for `r * v` multiplications. `v` is a power of two, since
    the numbers of columns of matrices usually have such a factor, and remaining columns are slower. There are at least
    as many sums as the units need to be busy, and as many columns as compilers make vectors of, where tiles have those.
    """
    lanes = machine.lanes_of(scalar)

    def loads(vectors: int) -> float:
        rows = _rows(machine, vectors)
        return (rows + vectors) / (rows * vectors)

    vectors = [v for v in (1, 2, 4, 8) if _rows(machine, v) >= 1] or [1]
    wide = [v for v in vectors if lanes == 1 or v * lanes >= LEAST_COLUMNS] or vectors[-1:]
    busy = [v for v in wide if _rows(machine, v) * v >= machine.chains]
    best = min(busy or wide, key=loads)
    return ProductTile(_rows(machine, best), best * lanes)


def _rows(machine: Processor, vectors: int) -> int:
    """The number of rows of so many vectors that fit into registers, besides one row of vectors and a number."""
    return max(1, (machine.registers - 1) // vectors - 1)


def stored_tile(machine: Processor, scalar: str = "f32") -> ProductTile:
    """The tile of a contraction, which is stored through views, one number at a time where columns are not adjacent.

    So it is as narrow as compilers make vectors of, at least one vector, and as high as registers allow; a row counts
    as at least two vectors, since views need registers, too. The number of rows is a multiple of four where it can be,
    as sizes of tensors usually are, and the last tile overruns.
    """
    columns = max(LEAST_COLUMNS, machine.lanes) if machine.lanes > 1 else 4
    rows = _rows(machine, max(2, columns // machine.lanes_of(scalar)))
    return ProductTile(rows - rows % 4 if rows >= 4 else rows, columns)


def block_height(machine: Processor, rows: int) -> int:
    """The number of rows of the left factor that stay in L2 while all panels of the right one are used: a multiple of
    `rows`.

    For sums of `TYPICAL_DEPTH` products they take three eighths of L2. A panel takes up to a quarter, and the rest is
    for the result and for what the system does.
    """
    height = level_2(machine) * 3 // 8 // (WORD * TYPICAL_DEPTH)
    return max(rows, height - height % rows)


def step_depth(machine: Processor) -> int:
    """The number of rows in a step of a product that is summed over the rows of both factors, as `x.T @ y`: those of
    which one cache line each fills half of L1.

    A tile reads a line of the left factor and a row of a panel of the right one for each product, and the tiles beside
    it read the rest of the same line. The panel's rows are in L2.
    """
    return power_of_two(machine.l1 // 2 // (machine.line_words * WORD))


def edge_columns(machine: Processor, columns: int) -> int:
    """The width of the panels in which the columns are computed that no panel of `columns` covers: one vector, or as
    many columns as compilers make vectors of, and no wider than a whole panel.
    """
    return min(columns, max(machine.lanes, LEAST_COLUMNS))


def selection_chunk(machine: Processor) -> int:
    """Elements from which one thread selects the best, or that it adds to a table of its own: an eighth of L2.

    Few enough that the tables of all threads are reused from L2, and enough that starting a thread costs little.
    """
    return power_of_two(level_2(machine) // 8 // WORD)


def scan_chunk(machine: Processor) -> int:
    """Elements that a thread scans: a thirty-second of L2, as they are read twice, written once, and shared with a
    thread that runs on the same core.
    """
    return power_of_two(level_2(machine) // 32 // WORD)
