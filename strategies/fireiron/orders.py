"""Tiles with strides, and units that process tiles in another order: permutations of loops and of their accumulators.

Depends on places, but not on steps.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from elevate import Strategy, normalize, seq, topDown, try_, where
from rise.terms import Expr, Lam, spine
from strategies.fireiron.places import Place, cancelTiles, kept_as, namesView
from strategies.fireiron.recognition import isElementNest
from strategies.parts.nests import simplify, tidy
from strategies.rules.accumulators import joinOfLet, mapOfLet, splitOfLet
from strategies.rules.functions import betaReduction
from strategies.rules.fusion import mapFusion, zipMapFst, zipMapSnd
from strategies.rules.staging import nameSecond
from strategies.rules.strides import (
    JOINED_ACCUMULATORS,
    SWAPPED_ACCUMULATORS,
    accumulatingGridInOneLoop,
    gridInOneLoop,
    permutedRowsOutside,
    rowsInOneLoop,
    swapColumns,
    swapOfMap,
    swapOfZip,
    swapRows,
    swapTwice,
    viewsOutsideGrid,
)
from strategies.rules.tensor_cores import besideColumn
from strategies.vocabulary.traversals import argument, body, mapped

#: the digits that are swapped: how many values the higher and the lower one have, and the value of one unit of the
#: lower one
Swap: TypeAlias = tuple[int, int, int]


def isUnitLoop(e: Expr) -> bool:
    """A loop over tiles, each a matrix of numbers."""
    return e.root == ("map", 2) and isinstance(f := spine(e)[1][0], Lam) and isElementNest(f.body)


def isGrid(e: Expr) -> bool:
    """Two loops over tiles, each a matrix of numbers."""
    return e.root == ("map", 2) and isinstance(f := spine(e)[1][0], Lam) and isUnitLoop(f.body)


def swaps_of(bits: Sequence[int]) -> list[Swap]:
    """The swaps of digits that move each bit of a number to its place; places are given for the lowest bit first."""
    wanted, order = list(reversed(bits)), list(reversed(range(len(bits))))
    swaps: list[Swap] = []
    for place, bit in enumerate(wanted):
        first = order.index(bit)
        if first == place:
            continue
        last = first
        while order[first : last + 1] == wanted[place : place + last + 1 - first] and last < len(order):
            last += 1
        below = len(order) - last
        swaps.append((1 << (first - place), 1 << (last - first), 1 << below))
        order[place:last] = order[first:last] + order[place:first]
    return swaps


def cancel_swaps(*swaps: Swap) -> Strategy:
    """Remove permutations that undo each other."""
    swapped = [
        one for q, r, s in swaps for one in (swapTwice(q, r, s), swapOfMap(q, r, s), swapOfZip(q, r, s))
    ]
    rules = (
        simplify
        | where(namesView) >> betaReduction
        | mapOfLet
        | splitOfLet
        | joinOfLet
        | mapFusion
        | zipMapFst
        | zipMapSnd
    )
    for rule in swapped:
        rules = rules | rule
    return normalize(rules)


def strided(place: Place, rows: Swap, columns: Swap) -> Strategy:
    """Permute the rows and columns of the remaining product, of its accumulators, and of the function of its sums."""
    nest = swapRows(*rows) >> topDown(where(isElementNest) >> swapColumns(*columns))
    if not place.loops:
        return place.at(nest)  # the result stays permuted, which maps around the nest undo
    accumulators = [
        kept_as(place, number, SWAPPED_ACCUMULATORS[count + axis](*swap))
        for number, count in enumerate(place.loops)
        for axis, swap in enumerate((rows, columns))
    ]
    function = try_(place.function(where(isElementNest) >> nest))
    outside = try_(place.function(permutedRowsOutside(*columns)))
    return seq(*accumulators, place.at(nest), function, cancel_swaps(rows, columns), outside)


def in_one_loop(place: Place) -> Strategy:
    """Run the grid of tiles around the remaining product as one loop, with its accumulators in one row."""
    one = where(isGrid) >> gridInOneLoop
    if not place.loops:
        return place.besides(topDown(one | viewsOutsideGrid >> argument(one)) >> tidy)
    accumulators = [
        kept_as(place, number, JOINED_ACCUMULATORS[count]) for number, count in enumerate(place.loops)
    ]
    accumulating = mapped(body(nameSecond)) >> accumulatingGridInOneLoop
    inside = place.within(len(place.loops), topDown(where(isGrid) >> accumulating) >> tidy)
    zeros = place.init(topDown(one))
    row = where(isGrid) >> (rowsInOneLoop | accumulating | besideColumn >> tidy >> accumulating) | one
    function = try_(place.function(row | viewsOutsideGrid >> argument(row)))
    return seq(*accumulators, inside, zeros, function, cancelTiles)


def reordered(place: Place, swap: Swap) -> Strategy:
    """Run the loop over tiles around the remaining product in another order."""
    accumulators = [
        kept_as(place, number, SWAPPED_ACCUMULATORS[count](*swap)) for number, count in enumerate(place.loops)
    ]
    inside = place.within(len(place.loops), topDown(where(isUnitLoop) >> swapRows(*swap)))
    function = try_(place.function(where(isUnitLoop) >> swapRows(*swap)))
    return seq(*accumulators, inside, function, cancel_swaps(swap))
