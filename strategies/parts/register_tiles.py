"""Matrix products of any size in tiles that stay in registers. Depends on vectors and memory, but not on threads.

One subject: the loops around a tile, and the products for which they are chosen.

Panels of columns of the right factor are stored in the order in which they are read, several together. Tiles are
computed across these panels, and then down the rows; each stays in registers while all of its products are summed.
Remaining columns are computed in narrow panels, the last of which may overrun; remaining rows are computed one by one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from types import MappingProxyType
from typing import Any, ClassVar, Final

from elevate import (
    Directed,
    Predicate,
    Strategy,
    alltd,
    child,
    id_,
    lChoice,
    named,
    normalize,
    not_,
    repeat,
    topDown,
    try_,
    where,
)
from elevate.directed_strategies import Orders
from rise.hardware import DEFAULT, Processor
from rise.quotients import is_nonnegative
from rise.records import dataclass
from rise.scalars import SCALARS
from rise.terms import Expr, spine
from rise.types import ArrayType, ScalarType
from strategies.costs.products import is_nest, reads_product
from strategies.lowering.positions import fold_body
from strategies.lowering.predicates import isCall, isPlain, isStored
from strategies.parts.loop_order import isShort
from strategies.parts.machine_tiles import (
    ProductTile,
    edge_columns,
    machine_of,
    packed_columns,
    register_tile,
    size_or_default,
    step_depth,
)
from strategies.parts.memory import nameStored, nameSubterm
from strategies.parts.nests import align, isolateReductions, liftReduction, push, simplify, tidy
from strategies.parts.parameters import check_multiples, check_sizes
from strategies.parts.products import (
    appliesReduceSeq,
    called,
    hasProduct,
    hasProductNest,
    isNest,
    isTransposedOperand,
    readsLeftByColumns,
    readsRightByColumns,
    summed,
)
from strategies.parts.turned_blocks import turned, turnedBlocks, turnedFirst
from strategies.rules.conversions import convertBefore, convertFirst, convertSecond
from strategies.rules.functions import betaReduction
from strategies.rules.fusion import mapFissionZip, mapIdentity
from strategies.rules.lowering import copy, toMemLocal
from strategies.rules.matrix_products import (
    isConverted,
    isConvertedVariable,
    isPartsOfRows,
    mulAddToFma,
    nameConverted,
    namePartsOfRows,
    nameRows,
    nameStoredRows,
    packConverted,
    packOperand,
    partsBesideRows,
    partsOfFirst,
    partsOfRows,
    partsOfSecond,
)
from strategies.rules.movement import (
    columnsFirst,
    columnsFirstDependent,
    constantMap,
    splitJoin,
    splitJoinPadded,
    splitJoinRest,
    transposeTranspose,
)
from strategies.rules.padding import padMapped
from strategies.rules.product_steps import continueProducts, productBySize, productsInSteps
from strategies.rules.reductions import liftReduceSeqFrom
from strategies.rules.sharing import callWithin
from strategies.rules.staging import transposeTwice
from strategies.rules.symmetric_products import nameBothRows, symmetricBlocks, symmetricRest
from strategies.vocabulary.traversals import argument, body, isAppliedMap, mapped

WORD_BITS: Final = 32  # tile sizes are given in words
#: the largest number of blocks of a product summed over rows for which the left factor is read again for each block;
#: for more blocks, the left factor is transposed
FEW_BLOCKS: Final = 4
#: the same if both factors are one matrix, where only half of the product is computed for more blocks
FEW_SYMMETRIC: Final = 2
#: a type whose numbers take 1, 2 or 4 words
TYPE_OF_WORDS: Final[Mapping[int, str]] = MappingProxyType(
    {SCALARS[name].bits // WORD_BITS: name for name in ("f32", "f64", "c128")}
)

#: swap the two outermost loops of a nest
swapProductLoops: Strategy = named(
    "swapProductLoops", (columnsFirst | columnsFirstDependent) >> argument(align)
)
#: like `liftReduction`, for sums that start with the results of others
liftContinued: Strategy = named(
    "liftContinued", mapped(body(liftReduceSeqFrom >> push)) >> liftReduceSeqFrom >> push
)
#: compute the sums of a tile side by side: move the loop of the reduction out of those over rows and columns
sideBySide: Strategy = named(
    "sideBySide",
    topDown(
        isNest
        >> isolateReductions
        >> topDown((liftReduction | liftContinued) >> normalize(constantMap | convertBefore | mulAddToFma))
    ),
)


def inWholeBlocks(s: Strategy) -> Strategy:
    """Apply a strategy to the blocks of a loop that `splitJoinRest` has split: `concat (join (blocks)) (rest)`."""
    return child(0)(argument(argument(s)))


#: copy a matrix column by column
byColumns: Strategy = mapIdentity >> transposeTwice >> argument(copy)
#: store the argument of an application
store: Strategy = argument(copy >> toMemLocal)


@named
def copyByColumns(line: int) -> Strategy:
    """Copy a transposed matrix, reading a cache line of the original, `line` numbers, at a time."""
    check_sizes(line=line)
    return copy >> splitJoinRest(line) >> inWholeBlocks(mapped(body(byColumns)))


@named
def storeTransposed(line: int) -> Strategy:
    """Store a transposed matrix, reading a cache line of the original, `line` numbers, at a time."""
    check_sizes(line=line)
    return argument(copyByColumns(line) >> toMemLocal)


@named
def packRows(line: int) -> Strategy:
    """Store a left factor that is read by columns in the order of rows, reading `line` numbers at a time."""
    return where(readsLeftByColumns) >> nameRows >> storeTransposed(line)


#: take a part of each row of a left factor before the product
takePart: Strategy = partsOfRows | partsOfFirst | partsOfSecond | partsBesideRows
#: take parts of the rows of a left factor before the product, and name them, so that its tiles read a matrix
namePartsOfLeft: Strategy = named(
    "namePartsOfLeft",
    where(is_nest, roots=[("map", 2)])
    >> takePart
    >> repeat(takePart)
    >> isNest
    >> namePartsOfRows
    >> called(try_(namePartsOfRows)),
)


def namesPartsOfRows(e: Expr) -> bool:
    """A call whose argument is a part of each row of a matrix."""
    return isCall(e) and isPartsOfRows(e.children[1])


def isZip(e: Expr) -> bool:
    """`zip xs ys`."""
    return e.root == ("zip", 2)


def isLetOfProduct(e: Expr) -> bool:
    """A `let` of a value that a matrix product computes and that is not stored yet."""
    if e.root != ("let", 2):
        return False
    value = spine(e)[1][0]
    return isinstance(value, Expr) and not isStored(value) and hasProductNest(value)


#: store matrix products that a program names
storeProducts: Strategy = named(
    "storeProducts", tidy >> normalize(where(isLetOfProduct) >> child(0)(argument(toMemLocal)))
)


def product_tiles(machine: Processor, rows: int | None, columns: int | None) -> dict[int, ProductTile]:
    """The tiles for products of numbers of 1, 2 and 4 words; if given, `columns` is the number of words in a row.

    Raises StrategyError unless sizes are positive integers.
    """
    tiles = {words: register_tile(machine, name) for words, name in TYPE_OF_WORDS.items()}
    check_sizes(rows=size_or_default(rows, 1), columns=size_or_default(columns, 1))
    return {
        words: ProductTile(
            size_or_default(rows, tile.rows), tile.columns if columns is None else max(1, columns // words)
        )
        for words, tile in tiles.items()
    }


@dataclass(frozen=True, slots=True)
class HasLongNumbers(Predicate):
    """A product whose elements take at least `words` words of 32 bits."""

    words: int
    roots: ClassVar[None] = None
    depth: ClassVar[None] = None

    def holds(self, term: Expr) -> bool:
        t = term.type
        while isinstance(t, ArrayType):
            t = t.element
        return isinstance(t, ScalarType) and SCALARS[t.name].bits >= self.words * WORD_BITS


def byLength(tiled: Callable[[int], Strategy]) -> Strategy:
    """Tile a product by `tiled` of the number of words that its elements take: 1, 2 or 4."""
    shortest, *longer = TYPE_OF_WORDS
    chosen = tiled(shortest)
    for words in longer:
        chosen = lChoice(HasLongNumbers(words) >> tiled(words), chosen)
    return chosen


def inPanels(columns: int, turn: Strategy, kept: Strategy = id_) -> Strategy:
    """Compute some rows of a block of columns side by side, one panel of `columns` after another; `turn` is applied to
    the loop over panels, and then `kept` to its body.
    """
    tile = align >> topDown(isNest >> swapProductLoops >> sideBySide)
    panels = splitJoin(columns) >> tile >> argument(turn >> mapped(body(kept)))
    return align >> topDown(isNest >> swapProductLoops >> topDown(panels))


def inTiles(rows: int, tile: Strategy) -> Strategy:
    """Cut the outer loop of a nest into tiles of `rows` rows, and the remaining rows into tiles of one row."""
    return splitJoinRest(rows) >> inWholeBlocks(tile) >> argument(splitJoin(1) >> tile)


@named
def tilesOf(rows: int, copied: Strategy) -> Strategy:
    """Compute a panel of columns in tiles of `rows` rows, and the remaining rows one by one.

    `copied` copies the panel, in the order in which the tiles read it.
    """
    check_sizes(rows=rows)
    pack = topDown(packOperand >> argument(copied >> toMemLocal)) >> try_(topDown(packConverted >> store))
    return topDown(isNest >> swapProductLoops >> topDown(inTiles(rows, align >> sideBySide))) >> pack


def packPanels(copied: Strategy) -> Strategy:
    """Store the panels of a block of columns, each of which `copied` copies in the order in which tiles read it."""
    return topDown(nameSubterm(turnedBlocks) >> argument(mapped(body(copied)) >> toMemLocal))


#: fail if tiles would convert the same number repeatedly
noneConverted: Strategy = named(
    "noneConverted", not_(topDown(where(isConvertedVariable) | where(isConverted)))
)


@named
def tilesOfPanels(rows: int, columns: int, copied: Strategy) -> Strategy:
    """Compute a block of columns, a multiple of `columns`, in tiles of rows x columns, and the remaining rows one by
    one, each for all panels of the block. Fails if the right factor is converted.

    `copied` copies a panel, in the order in which the tiles read it.
    """
    check_sizes(rows=rows, columns=columns)
    tiles = inTiles(rows, inPanels(columns, turned))
    packed = topDown(isNest >> swapProductLoops >> topDown(tiles)) >> packPanels(copied)
    return packed >> noneConverted


#: store the first array of a zip
storeBeside: Strategy = where(isZip) >> child(0)(child(1)(isAppliedMap >> toMemLocal))
#: read a matrix by columns
throughColumns: Strategy = where(isTransposedOperand) | transposeTwice
#: copy sums that a tile starts with by rows, also if they are stored by columns
startByRows: Strategy = try_(child(0)(child(1)(where(isTransposedOperand) >> copy)))
#: store a tile before it is copied to where it belongs
storeTile: Strategy = where(appliesReduceSeq) >> copy


@named
def tilesInSteps(rows: int, columns: int, depth: int) -> Strategy:
    """Compute a block of columns, a multiple of `columns`, in tiles of rows x columns and in steps of `depth` products;
    the other rows one by one.

    The rows of both factors that a step needs are read in the order of memory and stay in the cache for all tiles. The
    sums of a block are stored between steps. Fails if a factor is converted.
    """
    check_sizes(rows=rows, columns=columns, depth=depth)

    def tiles(kept: Strategy) -> Strategy:
        start = topDown(where(appliesReduceSeq) >> startByRows)
        each = inPanels(columns, turnedFirst, normalize(transposeTranspose) >> start >> kept)
        return called(isNest >> topDown(inTiles(rows, each))) >> betaReduction >> packPanels(copy)

    steps = productsInSteps(depth) >> fold_body(tiles(topDown(storeTile))) >> toMemLocal
    cut = continueProducts(depth) >> betaReduction >> argument(steps) >> called(tiles(id_))
    byColumns = argument(throughColumns) >> mapped(body(argument(throughColumns)))
    apart = isolateReductions >> try_(argument(storeBeside | isAppliedMap >> toMemLocal))
    tiled = isNest >> swapProductLoops >> topDown(isNest >> apart) >> topDown(isNest >> byColumns >> cut)
    return topDown(tiled) >> noneConverted


# Candidates of a space share these parts, which take longer to construct than all other work on a candidate's bound.
_in_steps = cache(tilesInSteps)
_of_panels = cache(tilesOfPanels)


def inBlocks(block: int, tiles: Strategy, rest: Strategy) -> Strategy:
    """Compute a product in blocks of columns by `tiles`, and the remaining columns by `rest`."""
    return swapProductLoops >> topDown(
        splitJoinRest(block) >> inWholeBlocks(align >> tiles) >> argument(rest)
    )


def inPaddedBlock(columns: int, tiles: Strategy) -> Strategy:
    """Compute columns as one block, extended to a multiple of `columns`, by `tiles`."""
    return padMapped(columns) >> argument(align >> tiles)


@named
def registerTiles(rows: int, columns: int, edge: int, line: int, block: int | None = None) -> Strategy:
    """Compute a matrix product in tiles of rows x columns that stay in registers during the summation.

    The loop over blocks of columns is outermost. The right factor is packed in panels of `columns`; the panels of a
    block, of `columns` columns by default, are packed together, so that rows of the left factor are read once for all
    of them. Remaining columns are computed in panels of `edge`, the last of which may overrun: the excess is computed
    and dropped. `line` is the number of 32-bit numbers in a cache line. The order of summation does not change.
    """
    width = size_or_default(block, columns)
    check_sizes(rows=rows, columns=columns, edge=edge, line=line, block=width)
    check_multiples(("block", width, "columns", columns))

    def panels(copied: Strategy) -> Strategy:
        panel = tilesOf(rows, copied)
        tiles = panel if width == columns else _of_panels(rows, columns, copied)
        together = inBlocks(width, tiles, inPaddedBlock(edge, _of_panels(rows, edge, copied)))
        return together | inBlocks(columns, panel, splitJoinPadded(edge) >> align >> panel)

    return isNest >> lChoice(where(readsRightByColumns) >> panels(copy), panels(copyByColumns(line)))


@named
def registerTilesByRows(rows: int, columns: int, line: int) -> Strategy:
    """Like `registerTiles`, with the loop over tiles of rows outermost, each for all columns. The right factor is
    packed before, and its last panel may overrun: the excess is computed and dropped.
    """
    check_sizes(rows=rows, columns=columns, line=line)

    def tiles(copied: Strategy) -> Strategy:
        block = inPaddedBlock(columns, tilesOfPanels(rows, columns, copied))
        return swapProductLoops >> topDown(block)

    return isNest >> lChoice(where(readsRightByColumns) >> tiles(copy), tiles(copyByColumns(line)))


@named
def tilesByDepth(rows: int, columns: int, edge: int, depth: int, block: int | None = None) -> Strategy:
    """Like `registerTiles`, in steps of `depth` products: the sums of a block are stored between steps, while the rows
    of the right factor that a step needs stay in the cache for all tiles.
    """
    width = size_or_default(block, columns)
    check_sizes(rows=rows, columns=columns, edge=edge, depth=depth, block=width)
    check_multiples(("block", width, "columns", columns))
    tiles, rest = _in_steps(rows, columns, depth), inPaddedBlock(edge, _in_steps(rows, edge, depth))
    return isNest >> inBlocks(width, tiles, rest)


@named
def registerTilesInSteps(
    rows: int, columns: int, edge: int, depth: int, block: int | None = None
) -> Strategy:
    """Like `tilesByDepth`, for a product that is summed over the rows of both factors, such as `x.T @ y`. Neither
    factor is transposed.
    """
    return where(readsLeftByColumns) >> tilesByDepth(rows, columns, edge, depth, block)


def namesColumns(e: Expr) -> bool:
    """A call whose argument is a map over the columns of a matrix."""
    return isCall(e) and e.children[1].root == ("map", 2) and readsLeftByColumns(e.children[1])


def namesColumnsWithin(e: Expr) -> bool:
    """A call whose argument names numbers and then maps over the columns of a matrix."""
    if not isCall(e):
        return False
    rows = e.children[1]
    while isCall(rows) and isPlain(rows.children[1]):
        rows = rows.children[0].children[0]
    return rows is not e.children[1] and rows.root == ("map", 2) and readsLeftByColumns(rows)


#: name numbers before the rows that need them
numbersBefore: Strategy = named("numbersBefore", normalize(where(namesColumnsWithin) >> callWithin))
#: for rows computed from the columns of a matrix, each with a number computed from its column: store all numbers first;
#: then compute all rows together, in the order in which the matrix is read, and let their readers read columns
columnsByRows: Strategy = named(
    "columnsByRows",
    where(namesColumns)
    >> argument(
        mapFissionZip
        >> tidy
        >> argument(storeBeside)
        >> columnsFirstDependent
        >> argument(normalize(simplify | transposeTranspose))
    )
    >> nameStored
    >> called(argument(argument(toMemLocal)) >> nameStored >> called(betaReduction)),
)
#: name numbers before the rows that need them, and store rows computed from columns as columns
storeColumnsByRows: Strategy = named("storeColumnsByRows", numbersBefore >> try_(topDown(columnsByRows)))


def namingConverted(convert: Strategy) -> Strategy:
    """Convert an operand of a product before the sums that read it, and name it, if it is a row of the left factor."""
    return topDown(where(appliesReduceSeq) >> convert) >> nameConverted


#: convert the entire left factor and store it, since its rows are read again for each panel of the right factor; the
#: right factor is converted where it is packed
convertRows: Strategy = named(
    "convertRows",
    mapped(body(namingConverted(convertFirst) | namingConverted(convertSecond)))
    >> mapFissionZip
    >> tidy
    >> argument(storeBeside | isAppliedMap >> toMemLocal)
    >> nameStoredRows,
)


@dataclass(frozen=True, slots=True)
class RowsFirst(Strategy):
    """Compute the first value that a loop names for all iterations before the loop, and store it, if that value is a
    matrix product, or if the rest of the loop then becomes one: a product of all rows at once instead of one row after
    the other. If this holds only for a value that is named later, those before it are stored, too. Fails if it holds
    for none.
    """

    def unfold(self) -> Strategy:
        stored = isAppliedMap >> try_(self) >> toMemLocal
        beside = where(isZip) >> child(0)(child(1)(stored))
        first = argument(beside | stored)
        return mapFissionZip >> tidy >> (hasProduct >> first | first >> self)


@dataclass(frozen=True, slots=True)
class InFactors(Strategy):
    """Apply a strategy to a matrix product and to those of its factors that are products; name each stored factor."""

    inner: Strategy

    def unfold(self) -> Strategy:
        factor = argument(alltd(isNest >> self))
        return nameStored >> called(self) >> factor | self.inner


@named
def aboveDiagonal(block: int, line: int) -> Strategy:
    """Compute a product of a matrix with its own transpose in blocks of `block` rows above the diagonal, and copy the
    blocks below it; fails for other products. `line` is the number of 32-bit numbers in a cache line.
    """
    check_sizes(block=block, line=line)
    blocks = symmetricBlocks(block) | symmetricRest(block) >> topDown(symmetricBlocks(block))
    return isNest >> (nameBothRows >> storeTransposed(line) >> called(blocks) | blocks)


@dataclass(frozen=True, slots=True)
class FillsTile(Predicate):
    """A matrix product, unless it is known to have fewer columns and no more rows than a vector has elements, and does
    not sum over a short axis: most of a tile would be padding, and vectors of partial results compute its few sums.
    """

    lanes: int
    roots: ClassVar[frozenset[object]] = frozenset((("map", 2),))
    depth: ClassVar[None] = None

    def holds(self, term: Expr) -> bool:
        t = term.type
        if not isinstance(t, ArrayType) or not isinstance(t.element, ArrayType):
            return True
        rows, columns = t.size.constant, t.element.size.constant
        if rows is None or columns is None or rows > self.lanes or columns >= self.lanes:
            return True
        xs = summed(term)
        return xs is None or isShort(xs.type)


@dataclass(frozen=True, slots=True)
class ByColumns(Directed):
    """Apply `narrow` to a matrix product of at most `limit` columns, and `wide` to a wider one. If sizes decide,
    generate code for both and choose at run time. Fails if a strategy that is applied does.
    """

    limit: int
    narrow: Strategy
    wide: Strategy

    def orders(self, term: Any) -> Orders:
        columns = term.type.element.size
        if is_nonnegative(self.limit - columns):
            return (yield self.narrow, ()) is not None
        if is_nonnegative(columns - self.limit - 1):
            return (yield self.wide, ()) is not None
        for strategy, path in (
            (productBySize(self.limit + 1), ()),
            (self.narrow, (0, 1)),
            (self.wide, (1,)),
        ):
            if (yield strategy, path) is None:
                return False
        return True


@named
def productsInRegisters(
    rows: int | None = None, columns: int | None = None, machine: Processor | str = DEFAULT
) -> Strategy:
    """Compute every matrix product of a program in register tiles, except those that another loop reads directly; fails
    if there is none.

    `columns` counts 32-bit numbers; tiles of longer ones have a half or a quarter as many. Sizes that are not given
    follow from `machine`. A left factor that is read by columns is first stored by rows. Remaining columns are computed
    in narrower panels. Converted factors are converted once.
    """
    processor = machine_of(machine)
    of_words = product_tiles(processor, rows, columns)
    line = processor.line_words

    def tiles(words: int) -> Strategy:
        tile = of_words[words]
        edge, block = edge_columns(processor, tile.columns), packed_columns(processor, tile)
        return registerTiles(tile.rows, tile.columns, edge, line, block)

    tile = byLength(tiles)
    converted = convertRows >> called(tile) | tile
    transposed = packRows(line) >> called(converted) | converted

    def product(words: int) -> Strategy:
        tile = of_words[words]
        edge, block = edge_columns(processor, tile.columns), packed_columns(processor, tile)
        narrow = registerTilesInSteps(tile.rows, tile.columns, edge, step_depth(processor), block)
        above = aboveDiagonal(tile.columns, line) >> alltd(where(reads_product) | isNest >> transposed)
        symmetric = ByColumns(FEW_SYMMETRIC * block, narrow, above)
        return symmetric | ByColumns(FEW_BLOCKS * block, narrow, transposed) | above | transposed

    tiled = isNest >> FillsTile(processor.lanes) >> InFactors(byLength(product))
    products = try_(alltd(namePartsOfLeft)) >> hasProduct >> alltd(where(reads_product) | tiled)
    return products >> normalize(where(namesPartsOfRows, roots=["App"]) >> betaReduction)
