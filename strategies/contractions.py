"""Contractions of two tensors on CPUs, with any subscripts in any order, as batches of matrix products in register
tiles.

A contraction is brought to its normal form (`strategies.parts.contraction_nests`) before it is tiled.
"""

from __future__ import annotations

from typing import ClassVar

from elevate import Predicate, Strategy, lChoice, named, topDown
from elevate.strategy import CHOICE
from rise.hardware import DEFAULT, Processor
from rise.records import dataclass
from rise.terms import Expr, Lam, spine
from rise.types import ArrayType
from strategies.lowering.levels import PAR, SEQ
from strategies.lowering.positions import Write
from strategies.openmp import parallel
from strategies.parts.contraction_nests import matricise, readyForTiles
from strategies.parts.machine_tiles import (
    ProductTile,
    block_height,
    machine_of,
    register_tile,
    size_or_default,
    stored_tile,
)
from strategies.parts.packed_tiles import packedTiles
from strategies.parts.parameters import check_sizes
from strategies.parts.products import isNest
from strategies.parts.register_tiles import TYPE_OF_WORDS, byLength
from strategies.parts.schedules import allowBorders


@dataclass(frozen=True, slots=True)
class HasFewColumns(Predicate):
    """A product of at most `most` columns, whose last tile of `columns` columns would overrun."""

    columns: int
    most: int
    roots: ClassVar[None] = None
    depth: ClassVar[None] = None

    def holds(self, term: Expr) -> bool:
        match spine(term)[1]:
            case [Lam(_, _, body), *_] if body.root == ("map", 2):
                xs = spine(body)[1][1]
                assert isinstance(xs, Expr) and isinstance(xs.type, ArrayType)
                count = xs.type.size.constant
                return count is not None and count <= self.most and count % self.columns != 0
        return False

    def show(self, binding: int = CHOICE) -> str:
        return f"hasFewColumns({self.columns}, {self.most})"


@named
def contraction(
    rows: int | None = None,
    columns: int | None = None,
    height: int | None = None,
    machine: Processor | str = DEFAULT,
) -> Strategy:
    """Lower a contraction of two tensors: in its normal form, in register tiles of rows x columns that read packed
    copies of both operands, in blocks of `height` rows on threads. Other programs are lowered as by
    `strategies.openmp:parallel`.

    Tiles are one vector wide, since a tile is stored through the views of the result, one number at a time if columns
    are not adjacent. `height` is a multiple of `rows`. Products with few columns of 32-bit numbers are computed in wide
    tiles instead. Sizes that are not given follow from `machine`, a processor or its name.
    """
    processor = machine_of(machine)

    def tiles(tile: ProductTile) -> Strategy:
        taken = ProductTile(size_or_default(rows, tile.rows), size_or_default(columns, tile.columns))
        check_sizes(rows=taken.rows, columns=taken.columns)
        return packedTiles(
            taken.rows, taken.columns, size_or_default(height, block_height(processor, taken.rows))
        )

    short, whole_rows = stored_tile(processor), register_tile(processor)
    wide = HasFewColumns(short.columns, whole_rows.columns) >> packedTiles(
        whole_rows.rows, whole_rows.columns, block_height(processor, whole_rows.rows)
    )
    tile = byLength(
        lambda words: (
            lChoice(wide, tiles(short)) if words == 1 else tiles(stored_tile(processor, TYPE_OF_WORDS[words]))
        )
    )
    lower = Write((PAR, SEQ)) >> allowBorders
    return matricise >> readyForTiles >> topDown(isNest >> tile) >> lower | parallel(machine=machine)
