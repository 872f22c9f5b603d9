"""The loads and stores in a step of register tiles, as counted in the code that compilers generate.

A bound of what a processor can do at best takes no account of a compiler that loads a vector again for each row. These
records do, for the compiler and the vectors for which the instructions were counted, and for no others.
"""

from __future__ import annotations

from typing import Final

from rise.records import dataclass

#: more rows than any processor has registers
MAX_ROWS: Final = 1 << 10


@dataclass(frozen=True, slots=True)
class TileCode:
    """How a compiler translates the step of a tile, which adds a product to each of its numbers.

    - `compiler`: its name and major version, as `gcc 12`; `tunings`: the processors that it optimises for, empty for
      any; `vector_bits`: the registers for which this holds.
    - `rows_in_registers`: sums of tiles with more rows are loaded and stored in each step.
    - `rows_of_loading`: tiles of 2 to so many rows with several vectors load these again for each row.
    """

    compiler: str
    tunings: tuple[str, ...]
    vector_bits: int
    rows_in_registers: int
    rows_of_loading: int

    def vectors(self, rows: int, vectors: int) -> int:
        """The vectors that a step loads, besides a number for each row."""
        again = 1 < rows <= self.rows_of_loading and vectors > 1
        return rows * vectors if again or rows > self.rows_in_registers else vectors

    def stores(self, rows: int, vectors: int) -> int:
        """The stores of a step."""
        return rows * vectors if rows > self.rows_in_registers else 0


#: gcc unrolls loops of at most 16 turns after the first one (`max-completely-peel-times`), and only then keeps what
#: they add to in registers; `tests/strategies/spaces/test_tile_code.py` counts the instructions of its code
GCC_12: Final = TileCode("gcc 12", (), 512, rows_in_registers=17, rows_of_loading=0)
#: for Zen, it makes the vectors of the right factor operands of multiply-adds, if there are few of these
GCC_12_ON_ZEN: Final = TileCode("gcc 12", ("znver2", "znver3"), 512, rows_in_registers=17, rows_of_loading=4)
#: a compiler of which nothing is known keeps everything in registers
ANY_COMPILER: Final = TileCode("", (), 0, rows_in_registers=MAX_ROWS, rows_of_loading=0)
TILE_CODES: Final = (GCC_12_ON_ZEN, GCC_12)


def tile_code(compiler: str, vector_bits: int) -> TileCode:
    """The record of a compiler with the processor that it optimises for, for registers of this many bits.

    >>> tile_code("gcc 12 for znver3", 512).vectors(4, 4), tile_code("gcc 12 for icelake-server", 512).vectors(4, 4)
    (16, 4)
    """
    name, _, tuning = compiler.partition(" for ")
    for one in TILE_CODES:
        if (one.compiler, one.vector_bits) == (name, vector_bits) and (
            not one.tunings or tuning in one.tunings
        ):
            return one
    return ANY_COMPILER
