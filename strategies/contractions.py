"""Contractions of two tensors on CPUs, with any subscripts in any order, as batches of matrix products in register
tiles.

A contraction is brought to its normal form (`strategies.parts.contraction_nests`) before it is tiled.
"""

from __future__ import annotations

from typing import Any

from elevate import Diagnostic, Directed, Strategy, StrategyError, named, topDown
from elevate.directed_strategies import Orders
from rise.analysis.strides import reductions
from rise.hardware import DEFAULT, Processor
from rise.naturals import UNIT
from rise.records import dataclass
from rise.terms import App, Expr, Lam, spine
from rise.types import ArrayType, ScalarType
from strategies.costs.contractions import (
    BLOCKS,
    METHODS,
    PANELS,
    ContractionSizes,
    Tiles,
    best_tiles,
    possible_tiles,
    tiles_of_shape,
)
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
    tile_rows,
)
from strategies.parts.packed_tiles import packedPanels, packedTiles
from strategies.parts.parameters import check_sizes, shown_value
from strategies.parts.products import factors, isNest, summed
from strategies.parts.register_tiles import TYPE_OF_WORDS, byLength
from strategies.parts.schedules import allowBorders


@dataclass(frozen=True, slots=True)
class TilesBySizes(Directed):
    """Tile a matrix product by the method and in the tiles that take the fewest cycles by the model of
    `strategies.costs.contractions`, if its sizes are known; what is given is not chosen. Fails for other products.
    """

    machine: Processor
    rows: int | None
    columns: int | None
    height: int | None
    method: str | None

    def orders(self, term: Any) -> Orders:
        sizes = contraction_sizes(term)
        chosen = None if sizes is None else self.choice(sizes)
        if chosen is None:
            return False
        return (yield inTilesOf(chosen, self.height, self.machine), ()) is not None

    def choice(self, sizes: ContractionSizes) -> Tiles | None:
        """The best tiles for these sizes, if any are possible."""
        if self.rows is None:
            choices = possible_tiles(sizes, self.method, self.shapes(sizes))
        else:
            columns = size_or_default(self.columns, stored_tile(self.machine, sizes.scalar).columns)
            choices = tiles_of_shape(sizes, self.method, self.rows, columns)
        return best_tiles(self.machine, sizes, choices, block_height(self.machine, 1))

    def shapes(self, sizes: ContractionSizes) -> list[tuple[int, int]]:
        """The most rows, and the columns, of tiles to choose from: narrow ones, since a tile is stored through views,
        and those that are as wide as all columns together, so that none overruns.
        """
        narrow = stored_tile(self.machine, sizes.scalar)
        if self.columns is not None:
            return [(narrow.rows, self.columns)]
        lanes = self.machine.lanes_of(sizes.scalar)
        widest = register_tile(self.machine, sizes.scalar).columns
        wide = [
            (tile_rows(self.machine, columns // lanes), columns)
            for columns in range(lanes, widest + 1, lanes)
            if narrow.columns < columns and sizes.columns <= columns
        ]
        return [(narrow.rows, narrow.columns), *wide]


def inTilesOf(tiles: Tiles, height: int | None, machine: Processor) -> Strategy:
    """Compute a product in tiles, by their method."""
    if tiles.method == PANELS:
        return packedPanels(tiles.rows, tiles.columns, tiles.row)
    return packedTiles(tiles.rows, tiles.columns, size_or_default(height, block_height(machine, tiles.rows)))


def contraction_sizes(nest: Expr) -> ContractionSizes | None:
    """The sizes of a matrix product, if all are known; its factors have numbers of one type."""
    read = summed(nest)
    found = factors(nest)
    if read is None or found is None or not isinstance(read.type, ArrayType):
        return None
    counts = [read.type.size.constant]
    loop: Any = nest
    row = 0
    for _ in range(2):
        function, xs = spine(loop)[1]
        assert isinstance(xs, Expr) and isinstance(function, Lam)
        if not isinstance(xs.type, ArrayType):
            return None
        counts.append(xs.type.size.constant)
        row = row_of(xs)
        loop = function.body
    if any(count is None or count < 1 for count in counts) or not isinstance(found[0], ScalarType):
        return None
    depth, rows, columns = (int(count) for count in counts if count is not None)
    return ContractionSizes(rows, columns, depth, found[0].name, row if readsColumnsInOrder(nest) else 0)


def readsColumnsInOrder(nest: Expr) -> bool:
    """Whether the columns of a matrix product are adjacent in memory."""
    steps = next((one.across for one in reductions(nest)), None)
    return any(step.distance == UNIT for step in steps or ())


def row_of(xs: Expr) -> int:
    """The length of the rows that are joined to an array; 0 if there are none, or if it is not known."""
    rows = xs.arg.type if isinstance(xs, App) and xs.root == ("join", 1) else None
    row = rows.element if isinstance(rows, ArrayType) else None
    size = row.size.constant if isinstance(row, ArrayType) else None
    return 0 if size is None else int(size)


@named
def contraction(
    rows: int | None = None,
    columns: int | None = None,
    height: int | None = None,
    method: str | None = None,
    machine: Processor | str = DEFAULT,
) -> Strategy:
    """Lower a contraction of two tensors: in its normal form, in register tiles of rows x columns that read packed
    copies of both operands. Other programs are lowered as by `strategies.openmp:parallel`.

    By the method "blocks", threads compute blocks of `height` rows, a multiple of `rows`, and the operand that has the
    columns is copied as a whole before. By the method "panels", threads compute panels of columns, and the operand that
    has the rows is copied as a whole before. What is not given is chosen by a model of `machine`, a processor or its
    name (`strategies.costs.contractions`), if sizes are known; otherwise, tiles are one vector wide, since a tile is
    stored through the views of the result, one number at a time if columns are not adjacent.
    """
    return inPackedTiles(rows, columns, height, method, machine) | parallel(machine=machine)


@named
def inPackedTiles(
    rows: int | None = None,
    columns: int | None = None,
    height: int | None = None,
    method: str | None = None,
    machine: Processor | str = DEFAULT,
) -> Strategy:
    """Lower a contraction as `contraction` does, in phases; fails for other programs.

    The phases: `matricise` brings it to its normal form, `readyForTiles` joins the subscripts of its sum, the product
    is cut into tiles whose operands are packed, and loops and memory are placed.
    """
    processor = machine_of(machine)
    check_method(method)
    only = BLOCKS if height is not None and method is None else method

    def tiles(tile: ProductTile) -> Strategy:
        taken = ProductTile(size_or_default(rows, tile.rows), size_or_default(columns, tile.columns))
        check_sizes(rows=taken.rows, columns=taken.columns)
        return inTilesOf(Tiles(only or BLOCKS, taken.rows, taken.columns), height, processor)

    tile = TilesBySizes(processor, rows, columns, height, only) | byLength(
        lambda words: tiles(stored_tile(processor, TYPE_OF_WORDS[words]))
    )
    return matricise >> readyForTiles >> topDown(isNest >> tile) >> Write((PAR, SEQ)) >> allowBorders


def check_method(method: object) -> None:
    """Raise StrategyError for a method that does not exist."""
    if method is not None and method not in METHODS:
        title = f"expected {' or '.join(METHODS)} for `method`, found {shown_value(method)}"
        raise StrategyError(Diagnostic("tiles", title, hint="omit it to have it chosen by a model"))
