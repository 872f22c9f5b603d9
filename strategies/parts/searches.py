"""Searches rows for the index of the least or greatest number by finding the number first, then its index.

A sequential search of pairs takes a step for each number. The two reductions here use vectors and read a row twice, the
second time from L1 unless the row is long.
"""

from __future__ import annotations

from typing import Final

from elevate import Strategy, alltd, child, named, normalize, not_, try_, where
from rise.quotients import is_nonnegative
from rise.scalars import SCALARS
from rise.terms import App, Expr, has_primitive
from rise.types import ArrayType, ScalarType
from strategies.lowering.predicates import COMPUTING, isStored
from strategies.parts.loop_order import SHORT_ROW, Along, isFew
from strategies.parts.nests import tidy
from strategies.parts.parameters import check_sizes
from strategies.parts.partial_results import fillsStrips, inStrips, mapsReduction
from strategies.parts.windows import hasSlide
from strategies.rules.argmin_argmax import (
    argmaxAsNarrowSearch,
    argmaxAsSearch,
    argmaxAsShortSearch,
    argmaxBySize,
    argminAsNarrowSearch,
    argminAsSearch,
    argminAsShortSearch,
    argminBySize,
)
from strategies.rules.lowering import etaAbstraction, toMemLocal
from strategies.vocabulary.traversals import argument

#: least number of bits of the elements of rows that are searched in vectors
LEAST_BITS: Final = 32
#: least length of rows that are searched in vectors: for shorter ones, combining the partial results takes longer
FEWEST_IN_VECTORS: Final = 8


def searchesLongRow(e: Expr) -> bool:
    """A search of an array that is not known to be short, of numbers of at least 32 bits: gcc does not vectorise a
    search of shorter numbers with 64-bit indices.
    """
    xs = e.arg.type if isinstance(e, App) else None
    if not isinstance(xs, ArrayType) or not isinstance(xs.element, ScalarType):
        return False
    return SCALARS[xs.element.name].bits >= LEAST_BITS and not isFew(xs.size, SHORT_ROW)


def searchesRowOfAnySize(e: Expr) -> bool:
    """A search of an array that may have only a few elements."""
    xs = e.arg.type if isinstance(e, App) else None
    return isinstance(xs, ArrayType) and not is_nonnegative(xs.size - FEWEST_IN_VECTORS)


def searchesWords(e: Expr) -> bool:
    """A search of an array of 32-bit numbers, whose vectors have as many elements as vectors of 32-bit indices."""
    xs = e.arg.type if isinstance(e, App) else None
    return (
        isinstance(xs, ArrayType)
        and isinstance(xs.element, ScalarType)
        and SCALARS[xs.element.name].bits == 32
    )


def isOfComputed(e: Expr) -> bool:
    """A function applied to an array that loops compute and that is not stored."""
    return isinstance(e, App) and not isStored(e.arg) and has_primitive(e.arg, *COMPUTING)


@named
def searchInVectors(lanes: int) -> Strategy:
    """Find the least or greatest number of an array, then its index, each by `lanes` partial results."""
    check_sizes(lanes=lanes)
    strips = alltd(where(fillsStrips) >> inStrips(lanes))
    stored = try_(where(isOfComputed) >> argument(toMemLocal)) >> strips
    narrow = where(searchesWords) >> (argmaxAsShortSearch | argminAsShortSearch)
    return where(searchesLongRow) >> (narrow | argmaxAsSearch | argminAsSearch) >> stored


@named
def searches(lanes: int) -> Strategy:
    """Find the least or greatest number of each of many rows, then its index, each by `lanes` partial results."""
    check_sizes(lanes=lanes)
    strips = alltd(where(fillsStrips) >> inStrips(lanes))
    shortest = FEWEST_IN_VECTORS - 1
    stored = try_(where(isOfComputed) >> argument(toMemLocal)) >> strips
    found = (argmaxAsSearch | argminAsSearch) >> stored
    bySize = (argmaxBySize(shortest) | argminBySize(shortest)) >> child(1)(found)
    ofAnySize = where(searchesRowOfAnySize) >> (
        argmaxAsNarrowSearch(shortest) | argminAsNarrowSearch(shortest)
    )
    narrow = (ofAnySize | argmaxAsNarrowSearch(0) | argminAsNarrowSearch(0)) >> stored
    wide = where(searchesRowOfAnySize) >> bySize | found
    search = where(searchesLongRow) >> (where(searchesWords) >> narrow | wide)
    writtenOut = where(mapsReduction, roots=[("map", 2)]) >> etaAbstraction
    along = normalize(writtenOut) >> Along(search, selects=True) >> tidy
    return try_(not_(where(hasSlide)) >> along)
