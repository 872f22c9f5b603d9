"""Matrix products on CPUs: the seven versions of the paper (ICFP 2020, section 6.1), and two faster ones.

All start from the high-level program for a matrix product of any size. In the seven, tile sizes must divide matrix
sizes, which the derived program states as obligations; `microKernel` and `packed` take any sizes. All versions sum in
the order of the program. `baseline` and `blocking` give bitwise equal results, and so do all other versions among
themselves: they work on vectors and round a multiplication and addition once (fma).
"""

from __future__ import annotations

from elevate import Strategy, innermost, named, normalize, outermost, topDown, where
from rise.hardware import DEFAULT, Processor
from rise.terms import Expr, Lam, spine
from strategies import vectorizing
from strategies.lowering.levels import PAR, SEQ
from strategies.lowering.positions import Write
from strategies.normal_forms import DFNF, followedBy
from strategies.parts.machine_tiles import block_height, edge_columns, machine_of, size_or_default
from strategies.parts.memory import storeInMemory
from strategies.parts.nests import fuse
from strategies.parts.packed_tiles import packedTiles
from strategies.parts.parameters import check_sizes
from strategies.parts.products import hasProduct, isNest
from strategies.parts.register_tiles import (
    byLength,
    product_tiles,
    productsInRegisters,
    registerTiles,
    registerTilesByRows,
    storeProducts,
    tilesByDepth,
)
from strategies.parts.schedules import allowChanges
from strategies.rules.cpu import joinSplitArray, transposeRowsTwice
from strategies.rules.functions import letToCall
from strategies.rules.fusion import reduceMapFusion
from strategies.rules.lowering import copy, mapToMapSeq
from strategies.rules.matrix_products import mulAddToFma
from strategies.tiling import isMapLoop, isReduceLoop, reorder, splitReduction, tile
from strategies.vectorizing import isCopyLoop, unroll, vectorize
from strategies.vocabulary.traversals import argument, fmap, inLambda, isAppliedTranspose, mapNest


def isPackedBlocks(e: Expr) -> bool:
    """Blocks of rows, each stored column by column: `map (fun(block => transpose block)) (split n xs)`."""
    if e.root != ("map", 2):
        return False
    function, xs = spine(e)[1]
    is_block = isinstance(function, Lam) and function.body.root == ("transpose", 1)
    return is_block and isinstance(xs, Expr) and xs.root == ("split", 1)


isMap = where(isMapLoop, roots=[("map", 2)])
isCopy = where(isCopyLoop, roots=[("map", 2)])
isReduceSeq = where(isReduceLoop, roots=[("reduceSeq", 3)], depth=0)
isPacked = where(isPackedBlocks, roots=[("map", 2)])

#: fuse the products into the sum
fusedSum: Strategy = named("fusedSum", DFNF >> topDown(reduceMapFusion) >> DFNF)
#: lower maps to sequential loops, and store where memory is needed
lowerToC: Strategy = named("lowerToC", normalize(letToCall) >> Write((SEQ,)))

#: like `lowerToC`, with outermost loops on threads
lowerToThreads: Strategy = named("lowerToThreads", Write((PAR, SEQ)))


@named
def onVectors(columns: int) -> Strategy:
    """Run the innermost loop on vectors of `columns` numbers, multiplied and added by fma."""
    check_sizes(columns=columns)
    return (vectorize(columns) @ innermost(isMap)) >> normalize(mulAddToFma)


@named
def tiled(rows: int, columns: int, depth: int) -> Strategy:
    """Tile all three loops of a product by `rows`, `columns` and `depth`: six loops."""
    check_sizes(rows=rows, columns=columns, depth=depth)
    return followedBy(
        fusedSum,
        tile(rows, columns) @ outermost(mapNest(2)),
        splitReduction(depth) @ innermost(isReduceSeq),
    )


@named
def permuted(rows: int, columns: int, depth: int) -> Strategy:
    """Like `tiled`, with the loop over a step between those over rows and columns, and columns on vectors."""
    check_sizes(rows=rows, columns=columns, depth=depth)
    return followedBy(
        tiled(rows, columns, depth),
        reorder(1, 2, 5, 3, 6, 4),
        onVectors(columns),
    )


@named
def packB(columns: int) -> Strategy:
    """Store the matrix that is read by columns in blocks of columns, copied by all threads, a vector at a time."""
    check_sizes(columns=columns)
    blocks = joinSplitArray(columns) >> argument(transposeRowsTwice)
    copied = copy >> fmap(copy >> fmap(copy))
    onThreads = (vectorize(columns) @ innermost(isCopy)) >> (vectorizing.parallel @ outermost(isMap))
    permuteB = copied >> onThreads >> normalize(isMap >> mapToMapSeq)
    return topDown(isAppliedTranspose >> blocks) >> (storeInMemory(isPacked, permuteB) @ inLambda)


@named
def packedLoops(rows: int, columns: int, depth: int) -> Strategy:
    """Pack the right matrix first; then compute the product as in `loopPerm`."""
    check_sizes(rows=rows, columns=columns, depth=depth)
    return followedBy(packB(columns), permuted(rows, columns, depth))


@named
def baseline() -> Strategy:
    """Three nested loops: the first of seven versions."""
    return fusedSum >> lowerToC


@named
def blocking(rows: int = 32, columns: int = 32, depth: int = 4) -> Strategy:
    """Tiles of rows x columns, summed in steps of `depth`, so that each tile stays in the cache."""
    check_sizes(rows=rows, columns=columns, depth=depth)
    return followedBy(tiled(rows, columns, depth), reorder(1, 2, 5, 6, 3, 4)) >> lowerToC


@named
def vectorization(rows: int = 32, columns: int = 32, depth: int = 4) -> Strategy:
    """Like `blocking`, with each row of a tile as a vector."""
    check_sizes(rows=rows, columns=columns, depth=depth)
    loops = followedBy(tiled(rows, columns, depth), reorder(1, 2, 5, 6, 3, 4))
    return followedBy(loops, onVectors(columns)) >> lowerToC


@named
def loopPerm(rows: int = 32, columns: int = 32, depth: int = 4) -> Strategy:
    """Like `vectorization`, with a whole step added to one row before the next row."""
    check_sizes(rows=rows, columns=columns, depth=depth)
    return permuted(rows, columns, depth) >> lowerToC


@named
def arrayPacking(rows: int = 32, columns: int = 32, depth: int = 4) -> Strategy:
    """Like `loopPerm`, with the right matrix copied first, so that each tile reads it contiguously."""
    check_sizes(rows=rows, columns=columns, depth=depth)
    return packedLoops(rows, columns, depth) >> lowerToC


@named
def cacheBlocks(rows: int = 32, columns: int = 32, depth: int = 4) -> Strategy:
    """Like `arrayPacking`, with the loop over the depth of a step unrolled."""
    check_sizes(rows=rows, columns=columns, depth=depth)
    return followedBy(packedLoops(rows, columns, depth), unroll @ innermost(isReduceSeq)) >> lowerToC


@named
def parallel(rows: int = 32, columns: int = 32, depth: int = 4) -> Strategy:
    """Like `cacheBlocks`, with tiles of different rows on different threads."""
    check_sizes(rows=rows, columns=columns, depth=depth)
    loops = packedLoops(rows, columns, depth)
    onThreads = vectorizing.parallel @ outermost(isMap)
    return followedBy(loops, onThreads, unroll @ innermost(isReduceSeq)) >> lowerToC


@named
def microKernel(
    rows: int | None = None, columns: int | None = None, machine: Processor | str = DEFAULT
) -> Strategy:
    """Tiles of rows x columns in registers, for each panel of columns, which threads pack; for any sizes.

    `columns` counts 32-bit numbers; tiles of 64-bit numbers have half as many. Remaining columns and rows are computed
    in tiles of their own. Sizes that are not given follow from `machine`, a processor or its name.
    """
    products = productsInRegisters(rows, columns, machine_of(machine))
    return storeProducts >> fuse >> hasProduct >> products >> lowerToThreads


@named
def panelTiles(
    rows: int | None = None,
    columns: int | None = None,
    panels: int = 1,
    edge: int | None = None,
    depth: int | None = None,
    machine: Processor | str = DEFAULT,
) -> Strategy:
    """Like `microKernel`, with `panels` panels packed together, and the remaining columns in panels of `edge` columns.

    With `depth`, sums are stored after each step of so many products, and a step's panels stay in the cache. `columns`
    and `edge` count 32-bit numbers. Sizes that are not given follow from `machine`, a processor or its name.
    """
    processor = machine_of(machine)
    of_words = product_tiles(processor, rows, columns)
    check_sizes(panels=panels, edge=size_or_default(edge, 1), depth=size_or_default(depth, 1))

    def tiles(words: int) -> Strategy:
        tile = of_words[words]
        block = panels * tile.columns
        rest = edge_columns(processor, tile.columns) if edge is None else max(1, edge // words)
        if depth is None:
            return registerTiles(tile.rows, tile.columns, rest, processor.line_words, block)
        return tilesByDepth(tile.rows, tile.columns, rest, depth, block)

    return storeProducts >> fuse >> hasProduct >> topDown(isNest >> byLength(tiles)) >> lowerToThreads


@named
def rowTiles(
    rows: int | None = None, columns: int | None = None, machine: Processor | str = DEFAULT
) -> Strategy:
    """Like `microKernel`, with tiles of rows on threads, each for all columns. The right factor is packed first; its
    last panel may overrun.
    """
    processor = machine_of(machine)
    of_words = product_tiles(processor, rows, columns)

    def tiles(words: int) -> Strategy:
        tile = of_words[words]
        return registerTilesByRows(tile.rows, tile.columns, processor.line_words)

    return storeProducts >> fuse >> hasProduct >> topDown(isNest >> byLength(tiles)) >> lowerToThreads


@named
def packed(
    rows: int | None = None,
    columns: int | None = None,
    height: int | None = None,
    borders: bool = True,
    machine: Processor | str = DEFAULT,
) -> Strategy:
    """Like `microKernel`, with both factors packed: a block of `height` rows stays in the cache for all panels.

    `height` is a multiple of `rows`. Remaining rows are packed separately. The last tiles may overrun: the excess is
    computed and dropped. With `borders`, the target may copy all other panels in a separate loop. Sizes that are not
    given follow from `machine`, a processor or its name.
    """
    processor = machine_of(machine)
    of_words = product_tiles(processor, rows, columns)

    def tiles(words: int) -> Strategy:
        tile = of_words[words]
        return packedTiles(
            tile.rows, tile.columns, size_or_default(height, block_height(processor, tile.rows))
        )

    changes = allowChanges(borders, together=False, prefetch=False)
    return fuse >> hasProduct >> topDown(isNest >> byLength(tiles)) >> lowerToThreads >> changes
