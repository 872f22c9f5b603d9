"""Matrix products of any size in tiles that stay in registers. Knows vectors and memory, and no threads.

A panel of columns of the right factor is stored in the order of reading. Tiles go down the panel, each of them in
registers while all of its products are summed. What is left of the columns is done in narrow panels, of which the last
one may run over; what is left of the rows, one by one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from elevate import Strategy, alltd, child, lChoice, named, normalize, topDown, try_, where
from rise.scalars import SCALARS
from rise.terms import Expr, spine
from rise.types import ArrayType, ScalarType
from strategies.lowering.positions import isCall, isStored
from strategies.parts.memory import NameSubterm
from strategies.parts.nests import align, isolateReductions, liftReduction, simplify, tidy
from strategies.parts.parameters import check_sizes
from strategies.parts.products import (
    called,
    hasProduct,
    hasProductNest,
    isNest,
    readsLeftByColumns,
    readsRightByColumns,
)
from strategies.rules.conversions import convertBefore
from strategies.rules.functions import betaReduction
from strategies.rules.fusion import mapFissionZip, mapIdentity
from strategies.rules.lowering import copy, toMemLocal
from strategies.rules.matrix_products import mulAddToFma, nameRows, packConverted, packOperand
from strategies.rules.movement import (
    columnsFirst,
    columnsFirstDependent,
    constantMap,
    splitJoin,
    splitJoinPadded,
    splitJoinRest,
    transposeTranspose,
)
from strategies.rules.staging import transposeTwice
from strategies.vocabulary.traversals import argument, body, isAppliedMap, mapped

NARROW_PANELS: Final = 4  # narrow panels in a wide one
LINE: Final = 16  # numbers that memory gives at once
WORD: Final = 32  # bits of the numbers that tiles are counted in

#: the inner loop of a nest comes outside
swapProductLoops: Strategy = named(
    "swapProductLoops", (columnsFirst | columnsFirstDependent) >> argument(align)
)
#: the sums of a tile side by side: the loop over what is summed comes outside of those over rows and columns
sideBySide: Strategy = named(
    "sideBySide",
    topDown(
        isNest
        >> isolateReductions
        >> topDown(liftReduction >> normalize(constantMap | convertBefore | mulAddToFma))
    ),
)


def whole(s: Strategy) -> Strategy:
    """Apply a strategy to the blocks of a loop that `splitJoinRest` has cut: `concat (join (blocks)) (rest)`."""
    return child(0)(argument(argument(s)))


#: a copy that runs over columns first
byColumns: Strategy = mapIdentity >> transposeTwice >> argument(copy)
#: a part that is stored
store: Strategy = argument(copy >> toMemLocal)
#: a transposed matrix is stored, a line of what it is transposed from at a time
storeTransposed: Strategy = named(
    "storeTransposed",
    argument(copy >> splitJoinRest(LINE) >> whole(mapped(body(byColumns))) >> toMemLocal),
)
#: a left factor that is read by columns is stored by rows
packRows: Strategy = named("packRows", where(readsLeftByColumns) >> nameRows >> storeTransposed)


def isZip(e: Expr) -> bool:
    """`zip xs ys`."""
    return e.root == ("zip", 2)


def isLetOfProduct(e: Expr) -> bool:
    """A value that is named, is computed by a matrix product, and is not kept in memory yet."""
    if e.root != ("let", 2):
        return False
    value = spine(e)[1][0]
    return isinstance(value, Expr) and not isStored(value) and hasProductNest(value)


#: matrix products that a program names are kept in memory
storeProducts: Strategy = named(
    "storeProducts", tidy >> normalize(where(isLetOfProduct) >> child(0)(argument(toMemLocal)))
)
#: the first part that is kept in memory gets a name
nameStored: Strategy = NameSubterm(where(isStored))


def halved(columns: int) -> int:
    """How many numbers of two words a tile has in a row that has so many of one."""
    return max(1, columns // 2)


def isOfLongNumbers(e: Expr) -> bool:
    """A product whose numbers take more than a word."""
    t = e.type
    while isinstance(t, ArrayType):
        t = t.element
    return isinstance(t, ScalarType) and SCALARS[t.name].bits > WORD


@named
def tilesOf(rows: int, stored: Strategy) -> Strategy:
    """Compute a panel in tiles of so many rows, and the rows that are left one by one.

    What the tiles have in common is stored in the order of reading: `stored` says how.
    """
    check_sizes(rows=rows)
    pack = topDown(packOperand >> stored) >> try_(topDown(packConverted >> store))
    cut = splitJoinRest(rows) >> whole(align >> sideBySide)
    left = argument(splitJoin(1) >> align >> sideBySide)
    return topDown(isNest >> swapProductLoops >> topDown(cut >> left)) >> pack


@named
def registerTiles(rows: int, columns: int, edge: int) -> Strategy:
    """Compute a matrix product in tiles of rows x columns that stay in registers while the products are summed.

    The loop over panels of columns is outermost. The columns that are left are done in panels of `edge`, of which
    the last one may run over: what is too much is computed and dropped. No sum changes.
    """
    check_sizes(rows=rows, columns=columns, edge=edge)

    def panels(stored: Strategy) -> Strategy:
        left = argument(splitJoinPadded(edge) >> align >> tilesOf(rows, stored))
        return swapProductLoops >> topDown(
            splitJoinRest(columns) >> whole(align >> tilesOf(rows, stored)) >> left
        )

    return isNest >> lChoice(where(readsRightByColumns) >> panels(store), panels(storeTransposed))


#: an array that stands first in a zip is kept in memory
storeBeside: Strategy = where(isZip) >> child(0)(child(1)(isAppliedMap >> toMemLocal))


def namesColumns(e: Expr) -> bool:
    """A call whose argument is a map over the columns of a matrix."""
    return isCall(e) and e.children[1].root == ("map", 2) and readsLeftByColumns(e.children[1])


#: rows that are made of a matrix's columns, each with a number that is made of it: first all numbers, then all rows,
#: which are filled side by side, as the matrix is read; where they are read they are columns
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


@dataclass(frozen=True, slots=True)
class RowsFirst(Strategy):
    """Store what a loop names first in each turn, for all turns, where a matrix product comes out: one product of all
    rows instead of one row after the other. Fails where none does.
    """

    def unfold(self) -> Strategy:
        stored = isAppliedMap >> try_(self) >> toMemLocal
        return mapFissionZip >> tidy >> hasProduct >> argument(storeBeside | stored)


@dataclass(frozen=True, slots=True)
class InFactors(Strategy):
    """Apply a strategy to a matrix product and to those that its factors are; each that is kept gets a name."""

    inner: Strategy

    def unfold(self) -> Strategy:
        factor = argument(try_(alltd(isNest >> self)))
        return nameStored >> called(self) >> factor | self.inner


@named
def productsInRegisters(rows: int, columns: int) -> Strategy:
    """Compute every matrix product of a program in register tiles; fails where it has none.

    `columns` counts numbers of 32 bits: tiles of longer ones have half as many. A left factor that is read by columns
    is stored by rows first.
    """
    check_sizes(rows=rows, columns=columns)
    tiles = [registerTiles(rows, many, max(1, many // NARROW_PANELS)) for many in (halved(columns), columns)]
    tile = lChoice(where(isOfLongNumbers) >> tiles[0], tiles[1])
    return hasProduct >> alltd(isNest >> InFactors(packRows >> called(tile) | tile))
