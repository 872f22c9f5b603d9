"""Decides what is stored: fuses as much as possible, then stores or recomputes each remaining value.

First, all maps, zips and elements of arrays are moved to their readers, so that the remaining values are shared or
reordered. Then matrix products are separated from the computations around them, loop-invariant numbers are hoisted, and
each remaining array is computed where it is read, or stored, whichever is cheaper according to `strategies.costs`.

One subject: the steps of one decision, each of which depends on the terms that the ones before it leave.
"""

from __future__ import annotations

from elevate import (
    Reach,
    Strategy,
    alltd,
    named,
    normalize,
    normalizeBottomup,
    not_,
    repeat,
    somebu,
    topDown,
    try_,
    where,
)
from rise.naturals import UNIT
from rise.primitives import PROJECTIONS
from rise.terms import App, Expr, Lam, has_primitive, spine
from rise.types import ArrayType, is_data
from strategies.costs.decisions import is_in_order, is_read_once, is_rearrangement, is_recomputed, is_view
from strategies.costs.products import (
    has_sum_of_products,
    head_name,
    is_read_by_rows,
    is_sum_of_products,
    reads_rows,
)
from strategies.costs.shared_rows import is_read_by_rows_of_both
from strategies.parts.loop_order import isShort
from strategies.parts.nests import Parameters
from strategies.parts.outermost_maps import OutsideLoops
from strategies.parts.products import isNest
from strategies.parts.register_tiles import RowsFirst
from strategies.rules.functions import (
    betaReduction,
    callInside,
    fstPair,
    gentleBeta,
    isCalledFunction,
    letToCall,
    mapFstWritten,
    mapSndWritten,
    pairEta,
    sndPair,
)
from strategies.rules.fusion import mapFusion, mapIdentity, zipMapFst, zipMapSnd
from strategies.rules.indexing import (
    generateFromElements,
    idxGenerate,
    idxMap,
    idxZip,
    mapIndices,
    mapIndicesOfColumns,
    mapOverIndices,
)
from strategies.rules.invariants import nameGenerated, nameSum, nameSums
from strategies.rules.let_floating import betaPair, narrowZip
from strategies.rules.lowering import etaAbstraction
from strategies.rules.matrix_products import partsOfFirst, partsOfSecond
from strategies.rules.movement import arrayRowByRow, concatRowByRow, joinSplit, transposeTranspose
from strategies.rules.shapes import idxOnlyBlock, joinOne, joinOneRow, mapOneColumn, mapOneRow
from strategies.rules.sharing import (
    callOutside,
    callWithin,
    inlineCheap,
    mapPairZip,
    nameProducts,
    pairsApart,
    storeReread,
    storeRows,
    storeRowsBefore,
    storeSplitRows,
    unboxOne,
)
from strategies.rules.zips import mapsOutsidePair, zipAgain, zipJoined, zipSame, zipShared, zipWithJoined
from strategies.vocabulary.traversals import FOLDS, SCANS, argument


def hasNoNest(e: Expr) -> bool:
    """A term that does not compute sums of products within two loops, as a matrix product does."""
    stack: list[tuple[Expr, int]] = [(e, 0)]
    while stack:
        node, loops = stack.pop()
        if loops > 1 and is_sum_of_products(node):
            return False
        is_loop = node.root == ("map", 1)  # a map without its array, which may be applied to one
        stack += [(child, loops + is_loop) for child in node.children]
    return True


def isCallOfArray(e: Expr) -> bool:
    """A call with an array."""
    return isinstance(e, App) and isinstance(e.fun, Lam) and isinstance(e.arg.type, ArrayType)


def isCallOfElements(e: Expr) -> bool:
    """A call with an array that is computed element by element, without reductions."""
    return isCallOfArray(e) and not has_primitive(e.children[1], *FOLDS, *SCANS)


def isCallOfOne(e: Expr) -> bool:
    """A call with an array of one element."""
    return isCallOfArray(e) and e.children[1].type.parts[0] == UNIT


def hasNoFold(e: Expr) -> bool:
    """A term without reductions and scans."""
    return not has_primitive(e, *FOLDS, *SCANS)


def mapsOperation(e: Expr) -> bool:
    """A map whose results are numbers, or which does more than to rearrange elements."""
    if e.root != ("map", 2):
        return False
    return not isinstance(e.type.parts[1], ArrayType) or not is_rearrangement(e.children[0].children[1])


def zipsOperation(e: Expr) -> bool:
    """A zip whose first array is such a map."""
    return mapsOperation(e.children[0].children[1])


def zipsWithOperation(e: Expr) -> bool:
    """A zip whose second array is such a map."""
    return mapsOperation(e.children[1])


def isCallOfView(e: Expr) -> bool:
    """A call with an array that takes no operations and no memory, or that its readers recompute."""
    if not (isinstance(e, App) and isinstance(e.fun, Lam)):
        return False
    return is_recomputed(e.arg) or (isCallOfArray(e) and is_view(e.arg))


def namesProducts(e: Expr) -> bool:
    """A map that names a row of a matrix product in each iteration."""
    match e:
        case App(App(_, Lam(_, _, App(Lam(), row)))) if e.root == ("map", 2) and row.root == ("map", 2):
            function = spine(row)[1][0]
            return isinstance(function, Lam) and is_sum_of_products(function.body)
    return False


def mapsApplication(e: Expr) -> bool:
    """A map of a function that is not written out, but the result of a call."""
    return isinstance(e.children[0].children[1], App)


def mapsCall(e: Expr) -> bool:
    """A map of a partially applied function, `map (f a) xs` with f eta-expanded or `a` an array that is computed as a
    whole, or of rows of a matrix product.
    """
    function = spine(e)[1][0]
    if not isinstance(function, App) or isinstance(function.fun, Lam):
        return isinstance(function, App)
    if function.root == ("map", 1):
        return has_sum_of_products(function)
    return any(isinstance(one, Expr) and is_in_order(one) for one in spine(function)[1])


def sumsInside(e: Expr) -> bool:
    """A map whose function contains a reduction."""
    return has_primitive(e.children[0].children[1], *FOLDS)


def generatesMatrices(e: Expr) -> bool:
    """An array of matrices, each generated from its index."""
    if e.root != ("generate", 1) or not isinstance(e.type.parts[1], ArrayType):
        return False
    return isinstance(e.type.parts[1].element, ArrayType)


def generatesProducts(e: Expr) -> bool:
    """An array of matrices, each generated from its index by reductions."""
    return generatesMatrices(e) and has_primitive(e, *FOLDS)


def mapsZip(e: Expr) -> bool:
    """A map over a zip."""
    return e.children[1].root == ("zip", 2)


def readsJoinedRows(e: Expr) -> bool:
    """A map without reductions over a zip of an array with joined rows, of which there is no array."""
    function, xs = e.children[0].children[1], e.children[1]
    if not mapsZip(e) or has_primitive(function, *FOLDS):
        return False
    sides = (xs.children[0].children[1], xs.children[1])
    joined = [_joins_rows(side) for side in sides]
    return joined[0] != joined[1]


def _joins_rows(e: Expr) -> bool:
    """Joined rows that are not known to be short, and of which there is no array."""
    if not isinstance(e, App) or e.root != ("join", 1):
        return False
    rows = e.arg.type
    while isinstance(e, App) and e.root == ("join", 1):
        e = e.arg
    return (
        isinstance(rows, ArrayType)
        and not isShort(rows.element)
        and isinstance(e, App)
        and head_name(e) not in PROJECTIONS
    )


def hasOneRow(e: Expr) -> bool:
    """A map over an array of one row, with reductions inside."""
    return e.root == ("map", 2) and e.children[1].type.parts[0] == UNIT and sumsInside(e)


def mapsToOne(e: Expr) -> bool:
    """A map whose function computes an array of one number by a map."""
    function = e.children[0].children[1]
    if not isinstance(function, Lam) or function.body.root != ("map", 2):
        return False
    size, number = function.body.type.parts
    return size == UNIT and not isinstance(number, ArrayType)


def hasOneColumn(e: Expr) -> bool:
    """A map whose function computes an array of one number by a map, with reductions inside."""
    return mapsToOne(e) and sumsInside(e)


#: compute the only row of a product without a loop over rows; within a loop, it is a row of a larger product
oneRow: Strategy = named("oneRow", OutsideLoops(where(hasOneRow) >> mapOneRow))
#: compute a view where it is read
inlineView: Strategy = where(
    isCallOfView, roots=["App"], reach=Reach(1, whole=(1,), fits=isCalledFunction)
) >> (betaReduction)
#: compute a number where it is read, if that repeats no work
inlineNumber: Strategy = not_(where(isCallOfArray, depth=1)) >> gentleBeta
#: fuse maps and zips with their readers within terms without reductions, from the inside: each operation is then fused
#: once, whereas `meet`, from the outside, fuses it again with each of its readers, and theirs
fuseElements: Strategy = named(
    "fuseElements",
    normalizeBottomup(
        where(hasNoFold)
        >> (
            letToCall
            | where(isCallOfArray, roots=["App"]) >> callWithin
            | betaPair
            | inlineView
            | inlineNumber
            | fstPair
            | sndPair
            | where(zipsOperation, roots=[("zip", 2)]) >> zipMapFst
            | where(zipsWithOperation, roots=[("zip", 2)]) >> zipMapSnd
            | where(mapsOperation, roots=[("map", 2)]) >> mapFusion
            | where(is_read_once, roots=["App"]) >> gentleBeta
        )
    ),
)
#: fuse every map with its reader, move views to where they are read, and inline numbers that are used once
meet: Strategy = named(
    "meet",
    fuseElements
    >> normalize(
        letToCall
        | mapFstWritten
        | mapSndWritten
        | where(mapsCall, roots=[("map", 2)], reach=Reach(2, whole=(0,), fits=mapsApplication))
        >> etaAbstraction
        | where(hasOneColumn, roots=[("map", 2)], reach=Reach(5, whole=(0,), fits=mapsToOne)) >> mapOneColumn
        | betaPair
        | inlineView
        | inlineNumber
        | fstPair
        | sndPair
        | pairEta
        | narrowZip
        | mapIdentity
        | callInside
        | zipSame
        | zipAgain
        | zipShared
        | zipMapFst
        | zipMapSnd
        | generateFromElements
        | where(generatesMatrices, roots=[("generate", 1)], depth=0)
        >> where(generatesProducts, roots=[("generate", 1)])
        >> mapOverIndices
        | idxGenerate
        | idxMap
        | idxZip
        | where(isCallOfOne, roots=["App"], depth=1) >> unboxOne
        | mapFusion
        | where(readsJoinedRows, roots=[("map", 2)], reach=Reach(3, fits=mapsZip))
        >> (zipJoined | zipWithJoined)
        | joinSplit
        | joinOneRow
        | joinOne
        | idxOnlyBlock
        | transposeTranspose
        | where(hasNoNest, roots=[("transpose", 1)]) >> concatRowByRow
        | arrayRowByRow
    ),
)
#: compute both arrays of a pair in one loop if they read the same rows of an array, which is then not stored
joinReaders: Strategy = named(
    "joinReaders", alltd(where(is_read_by_rows_of_both, roots=["App"]) >> topDown(mapsOutsidePair))
)
#: inline arrays that are cheaper to compute where they are read than to store, innermost first, and fuse them there
fuseShared: Strategy = named("fuseShared", meet >> repeat(somebu(inlineCheap) >> meet))


def namesRows(e: Expr) -> bool:
    """A call that contains another call, which names rows of a factor of a matrix product."""
    inner = e.fun.body if isinstance(e, App) and isinstance(e.fun, Lam) else None
    return isinstance(inner, App) and isinstance(inner.fun, Lam) and reads_rows(inner.fun.body)


#: hoist loop-invariant sums; put named values in the order in which they are computed, except that values from which a
#: factor of a matrix product is computed are named inside that factor
hoistSums: Strategy = named(
    "hoistSums",
    normalize(nameGenerated)
    >> normalize(nameSums)
    >> normalize(nameSum)
    >> normalize(callWithin)
    >> normalize(where(namesRows) >> callOutside),
)
#: store values that are cheaper to store than to recompute
storeShared: Strategy = named("storeShared", normalize(storeReread))
#: fill independent arrays one after the other instead of in one loop
fillApart: Strategy = named("fillApart", normalize(mapPairZip | mapIdentity))


def isReadByRows(e: Expr) -> bool:
    """A call with a value other than an array, from which rows of a matrix product are computed, and which computes no
    sum of products itself.
    """
    match e:
        case App(Lam(_, t, body), v) if is_data(t) and not isinstance(t, ArrayType):
            return is_read_by_rows(body) and not has_sum_of_products(v)
    return False


#: store matrix products whose rows are read one by one
readRowsFirst: Strategy = named(
    "readRowsFirst",
    normalize(pairsApart) >> normalize(storeRows | where(isReadByRows, roots=["App"]) >> betaReduction),
)
#: separate each matrix product into its own nest; if there are several, store each for all rows
productsApart: Strategy = named(
    "productsApart",
    normalize(nameProducts)
    >> alltd(where(namesProducts) >> RowsFirst())
    >> fuseShared
    >> readRowsFirst
    >> meet
    >> repeat(somebu(storeRows) >> meet),  # products of rows that are stored only now
)
#: bring rows that are computed from indices to the form of a matrix product; fails if there is none
rowsOfProduct: Strategy = named(
    "rowsOfProduct",
    repeat(topDown(partsOfFirst | partsOfSecond)) >> try_(mapIndices | mapIndicesOfColumns) >> isNest,
)
#: compute rows of a matrix product that do not depend on the state of a loop before the loop, as one product
productsBefore: Strategy = named(
    "productsBefore", try_(somebu(storeRowsBefore >> argument(argument(rowsOfProduct))) >> meet)
)
#: the first part of `share`: name all values that it makes decisions about
nameShared: Strategy = named(
    "nameShared",
    Parameters() >> meet >> oneRow >> meet >> joinReaders >> fuseShared >> productsApart >> hoistSums,
)
#: decide what is stored and what is recomputed, before lowering; see docs/performance.md
share: Strategy = named(
    "share",
    nameShared >> normalize(storeSplitRows) >> productsBefore >> storeShared >> fillApart,
)
