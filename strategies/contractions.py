"""Contractions of two tensors on CPUs, with any subscripts in any order, as batches of matrix products in register
tiles.

A contraction is brought to its normal form (`strategies.parts.contraction_nests`) before it is tiled.
"""

from __future__ import annotations

from typing import Any, Final

from elevate import Directed, Strategy, id_, named, topDown
from elevate.directed_strategies import Orders
from rise.analysis.strides import STAYS, reductions
from rise.hardware import DEFAULT, Processor
from rise.naturals import UNIT
from rise.records import dataclass
from rise.terms import App, Expr, Lam, spine
from rise.types import ArrayType, ScalarType
from strategies.costs.contractions import (
    BLOCKS,
    ContractionSizes,
    Tiles,
    best_tiles,
    possible_tiles,
    tiles_of_shape,
)
from strategies.openmp import parallel as onThreads
from strategies.parts.contraction_nests import matricise, readyForTiles
from strategies.parts.contraction_phases import STEPS, byMethod, copies, method_of, roles, threads, tileLoops
from strategies.parts.machine_tiles import (
    ProductTile,
    block_height,
    machine_of,
    register_tile,
    size_or_default,
    stored_tile,
    tile_rows,
)
from strategies.parts.parameters import check_sizes, check_switches
from strategies.parts.products import factors, isNest, summed
from strategies.parts.register_tiles import TYPE_OF_WORDS, byLength

#: the fewest rows of a tile that is as wide as all columns, and wider than others
LEAST_ROWS: Final = 4


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
    depth: int | None = None

    def orders(self, term: Any) -> Orders:
        sizes = contraction_sizes(term)
        chosen = None if sizes is None else self.choice(sizes)
        if chosen is None:
            return False
        return (yield inTilesOf(chosen, self.height, self.depth, self.machine), ()) is not None

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
        whole = -(-sizes.columns // lanes)
        rows = tile_rows(self.machine, whole)
        is_wider = widest < whole * lanes and rows >= LEAST_ROWS and sizes.reads_rows
        return [(narrow.rows, narrow.columns), *wide, *([(rows, whole * lanes)] if is_wider else [])]


def inTilesOf(chosen: Tiles, height: int | None, depth: int | None, machine: Processor) -> Strategy:
    """Compute a product in tiles, by their method, and store what they read."""
    loops = tileLoops(chosen.method, chosen.rows, chosen.columns, chosen.row, height, depth, machine)
    return loops >> copies(chosen.method)


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
    row = row if readsColumnsInOrder(nest) else 0
    return ContractionSizes(rows, columns, depth, found[0].name, row, readsRowsInOrder(nest))


def readsColumnsInOrder(nest: Expr) -> bool:
    """Whether the columns of a matrix product are adjacent in memory."""
    steps = next((one.across for one in reductions(nest)), None)
    return any(step.distance == UNIT for step in steps or ())


def readsRowsInOrder(nest: Expr) -> bool:
    """Whether the numbers of a row of a matrix product are adjacent in memory."""
    one = next(iter(reductions(nest)), None)
    steps = zip(one.along, one.across, strict=True) if one is not None and one.across is not None else ()
    return any(along.distance == UNIT for along, across in steps if across == STAYS)


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
    depth: int | None = None,
    columns_of: str | None = None,
    rows_turned: bool = False,
    columns_turned: bool = False,
    parallel: bool = True,
) -> Strategy:
    """Lower a contraction of two tensors: in its normal form, in register tiles of rows x columns, by a method. Other
    programs are lowered as by `strategies.openmp:parallel`.

    The methods "blocks" and "panels" read packed copies of both operands. By "blocks", threads compute blocks of
    `height` rows, a multiple of `rows`, and the operand that has the columns is copied as a whole before. By "panels",
    threads compute panels of columns, and the operand that has the rows is copied as a whole before. "one" copies only
    panels of columns, "views" nothing. "matrices" stores operands and result as matrices. "loops" computes a product
    for each of the outer subscripts of the rows. "steps" sums in steps of `depth` products. What is not given is chosen
    between "blocks" and "panels" by a model of `machine`, a processor or its name (`strategies.costs.contractions`), if
    sizes are known; otherwise, tiles are one vector wide, since a tile is stored through the views of the result, one
    number at a time if columns are not adjacent.

    `columns_of`, `rows_turned` and `columns_turned` are parameters of `strategies.parts.contraction_phases:roles`, and
    `parallel` of `threads`.
    """
    tiled = inPackedTiles(
        rows, columns, height, method, machine, depth, columns_of, rows_turned, columns_turned, parallel
    )
    return tiled | onThreads(machine=machine)


@named
def inPackedTiles(
    rows: int | None = None,
    columns: int | None = None,
    height: int | None = None,
    method: str | None = None,
    machine: Processor | str = DEFAULT,
    depth: int | None = None,
    columns_of: str | None = None,
    rows_turned: bool = False,
    columns_turned: bool = False,
    parallel: bool = True,
) -> Strategy:
    """Lower a contraction as `contraction` does, in phases; fails for other programs.

    The phases: `matricise` brings it to its normal form, `roles` chooses the operands of rows and columns,
    `readyForTiles` joins the subscripts of its sum, `byMethod` rearranges the product for the method, `tileLoops` and
    `copies` cut it into tiles whose operands are packed, and `threads` places loops and memory.
    """
    processor = machine_of(machine)
    only = BLOCKS if height is not None and method is None else method
    only = STEPS if depth is not None and only is None else only
    if only is not None:
        method_of(only)

    def fixed(tile: ProductTile) -> Strategy:
        taken = ProductTile(size_or_default(rows, tile.rows), size_or_default(columns, tile.columns))
        check_sizes(rows=taken.rows, columns=taken.columns)
        return inTilesOf(Tiles(only or BLOCKS, taken.rows, taken.columns), height, depth, processor)

    tile = TilesBySizes(processor, rows, columns, height, only, depth) | byLength(
        lambda words: fixed(stored_tile(processor, TYPE_OF_WORDS[words]))
    )
    check_switches(rows_turned=rows_turned, columns_turned=columns_turned)
    form = matricise
    if columns_of is not None or rows_turned or columns_turned:
        form = form >> roles(columns_of, rows_turned, columns_turned)
    form = form >> readyForTiles
    if only is not None and method_of(only).prepare is not id_:
        form = form >> topDown(isNest >> byMethod(only))
    return form >> topDown(isNest >> tile) >> threads(parallel)
