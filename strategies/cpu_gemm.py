"""Matrix products on CPUs: the seven versions of the paper (ICFP 2020, section 6.1), and two faster ones.

All start from the program that says what a matrix product is, in any of its sizes. In the seven, the sizes of tiles
must divide those of the matrices: what is derived says so as obligations. `microKernel` and `packed` take any sizes.
All sums are taken in the order of the program. `baseline` and `blocking` give the same bits; so do all the others,
which work on vectors and round once where the program multiplies and adds.
"""

from __future__ import annotations

from elevate import Strategy, innermost, lChoice, named, normalize, outermost, topDown, where
from rise.terms import Expr, Lam, spine
from strategies import vectorizing
from strategies.lowering.levels import PAR, SEQ
from strategies.lowering.positions import Write
from strategies.normal_forms import DFNF, followedBy
from strategies.parts.memory import storeInMemory
from strategies.parts.nests import fuse
from strategies.parts.packed_tiles import packedTiles
from strategies.parts.parameters import check_sizes
from strategies.parts.products import hasProduct, isNest
from strategies.parts.register_tiles import halved, isOfLongNumbers, productsInRegisters, storeProducts
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
    """Blocks of rows, each kept by its columns: `map (fun(block => transpose block)) (split n xs)`."""
    if e.root != ("map", 2):
        return False
    function, xs = spine(e)[1]
    is_block = isinstance(function, Lam) and function.body.root == ("transpose", 1)
    return is_block and isinstance(xs, Expr) and xs.root == ("split", 1)


isMap = where(isMapLoop, roots=[("map", 2)])
isCopy = where(isCopyLoop, roots=[("map", 2)])
isReduceSeq = where(isReduceLoop, roots=[("reduceSeq", 3)], depth=0)
isPacked = where(isPackedBlocks, roots=[("map", 2)])

#: the products are summed while they are computed
fusedSum: Strategy = named("fusedSum", DFNF >> topDown(reduceMapFusion) >> DFNF)
#: loops where there are maps, memory where it is needed
lowerToC: Strategy = named("lowerToC", normalize(letToCall) >> Write((SEQ,)))

#: the same, outermost loops on threads
lowerToThreads: Strategy = named("lowerToThreads", Write((PAR, SEQ)))


@named
def onVectors(columns: int) -> Strategy:
    """The innermost loop works on vectors of so many numbers, which are multiplied and added by one operation."""
    check_sizes(columns=columns)
    return (vectorize(columns) @ innermost(isMap)) >> normalize(mulAddToFma)


@named
def tiled(rows: int, columns: int, depth: int) -> Strategy:
    """Cut all three loops of a product, into `rows`, `columns` and steps of `depth`: six loops."""
    check_sizes(rows=rows, columns=columns, depth=depth)
    return followedBy(
        fusedSum,
        tile(rows, columns) @ outermost(mapNest(2)),
        splitReduction(depth) @ innermost(isReduceSeq),
    )


@named
def permuted(rows: int, columns: int, depth: int) -> Strategy:
    """The loop over a step stands inside the loop over rows, around that over columns, which works on vectors."""
    check_sizes(rows=rows, columns=columns, depth=depth)
    return followedBy(
        tiled(rows, columns, depth),
        reorder(1, 2, 5, 3, 6, 4),
        onVectors(columns),
    )


@named
def packB(columns: int) -> Strategy:
    """Keep the matrix that is read by columns in blocks of columns, copied on all threads, a vector at a time."""
    check_sizes(columns=columns)
    blocks = joinSplitArray(columns) >> argument(transposeRowsTwice)
    copied = copy >> fmap(copy >> fmap(copy))
    onThreads = (vectorize(columns) @ innermost(isCopy)) >> (vectorizing.parallel @ outermost(isMap))
    permuteB = copied >> onThreads >> normalize(isMap >> mapToMapSeq)
    return topDown(isAppliedTranspose >> blocks) >> (storeInMemory(isPacked, permuteB) @ inLambda)


@named
def packedLoops(rows: int, columns: int, depth: int) -> Strategy:
    """The right matrix packed first, then loops as in `loopPerm`."""
    check_sizes(rows=rows, columns=columns, depth=depth)
    return followedBy(packB(columns), permuted(rows, columns, depth))


@named
def baseline() -> Strategy:
    """Three loops, one in the other: the first of seven versions."""
    return fusedSum >> lowerToC


@named
def blocking(rows: int = 32, columns: int = 32, depth: int = 4) -> Strategy:
    """Tiles of rows x columns, summed in steps of `depth`: each tile stays in the cache."""
    check_sizes(rows=rows, columns=columns, depth=depth)
    return followedBy(tiled(rows, columns, depth), reorder(1, 2, 5, 6, 3, 4)) >> lowerToC


@named
def vectorization(rows: int = 32, columns: int = 32, depth: int = 4) -> Strategy:
    """As `blocking`; a row of a tile is a vector."""
    check_sizes(rows=rows, columns=columns, depth=depth)
    loops = followedBy(tiled(rows, columns, depth), reorder(1, 2, 5, 6, 3, 4))
    return followedBy(loops, onVectors(columns)) >> lowerToC


@named
def loopPerm(rows: int = 32, columns: int = 32, depth: int = 4) -> Strategy:
    """As `vectorization`; all of a step is added to one row before the next row."""
    check_sizes(rows=rows, columns=columns, depth=depth)
    return permuted(rows, columns, depth) >> lowerToC


@named
def arrayPacking(rows: int = 32, columns: int = 32, depth: int = 4) -> Strategy:
    """As `loopPerm`; the right matrix is first copied to where each tile reads it in one go."""
    check_sizes(rows=rows, columns=columns, depth=depth)
    return packedLoops(rows, columns, depth) >> lowerToC


@named
def cacheBlocks(rows: int = 32, columns: int = 32, depth: int = 4) -> Strategy:
    """As `arrayPacking`; the loop over a step is written out."""
    check_sizes(rows=rows, columns=columns, depth=depth)
    return followedBy(packedLoops(rows, columns, depth), unroll @ innermost(isReduceSeq)) >> lowerToC


@named
def parallel(rows: int = 32, columns: int = 32, depth: int = 4) -> Strategy:
    """As `cacheBlocks`; tiles of different rows are computed on different threads."""
    check_sizes(rows=rows, columns=columns, depth=depth)
    loops = packedLoops(rows, columns, depth)
    onThreads = vectorizing.parallel @ outermost(isMap)
    return followedBy(loops, onThreads, unroll @ innermost(isReduceSeq)) >> lowerToC


@named
def microKernel(rows: int = 6, columns: int = 64) -> Strategy:
    """Tiles of rows x columns that stay in registers, down panels of columns that threads pack; any sizes.

    `columns` counts numbers of 32 bits: there are half as many of 64. What is left of columns and rows is computed in
    tiles of its own.
    """
    return storeProducts >> fuse >> hasProduct >> productsInRegisters(rows, columns) >> lowerToThreads


@named
def packed(rows: int = 6, columns: int = 64, height: int = 96, borders: bool = True) -> Strategy:
    """As `microKernel`, with both factors packed: blocks of `height` rows stay in the cache while all panels pass.

    `height` is a multiple of `rows`. The rows that are left are packed by themselves. The last tiles may run over: what
    is too much is computed and dropped. With `borders` the target may copy all other panels by themselves.
    """
    check_sizes(rows=rows, columns=columns, height=height)
    tiles = lChoice(
        where(isOfLongNumbers) >> packedTiles(rows, halved(columns), height),
        packedTiles(rows, columns, height),
    )
    changes = allowChanges(borders, together=False, prefetch=False)
    return fuse >> hasProduct >> topDown(isNest >> tiles) >> lowerToThreads >> changes
