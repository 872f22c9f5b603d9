"""Products whose left factor is a product itself: naming the first product, and computing it where it is read.

Independent of schedules and machines. The first product is named by `let` or by a call. Copies have names, too, but
only the value of this name contains a reduction.
"""

from __future__ import annotations

from typing import Final

from elevate import Strategy, child, named, normalize, repeat, seq, topDown, try_, where
from rise.nodes import postorder
from rise.primitives import applied, with_trait
from rise.terms import App, DepLam, Expr, Lam, spine
from strategies.lowering.predicates import isStored
from strategies.parts.nests import fuse, push, simplify, tidy
from strategies.parts.parameters import check_sizes
from strategies.rules.cpu import callToLet
from strategies.rules.functions import betaReduction, letToCall
from strategies.rules.fusion import mapFusion, zipMapFst, zipMapSnd
from strategies.rules.lowering import etaAbstraction
from strategies.rules.movement import joinSplit
from strategies.rules.strides import (
    computeColumnsOutsideGrid,
    computeOutsideGrid,
    rowsInOneLoop,
    viewsOutsideGrid,
)
from strategies.rules.zips import mapNamed, nameForAll, zipNamedFirst, zipNamedSecond
from strategies.vocabulary.traversals import FOLDED, argument, body

#: terms with two operands, each of which a projection reads
PAIRED: Final = frozenset(root for root in applied(with_trait("pairs")) if root[1] == 2)


def hasReduction(e: Expr) -> bool:
    """A term that contains a reduction."""
    return any(isinstance(node, Expr) and node.root in FOLDED for node in postorder(e))


def isNamed(e: Expr) -> bool:
    """A term that names a value by `let`."""
    return e.root == ("let", 2)


def namesProduct(e: Expr) -> bool:
    """A term that names a value with a reduction, by `let` or by a call."""
    value = value_with_name(e)
    return value is not None and hasReduction(value)


def storesProduct(e: Expr) -> bool:
    """A term that names a stored value with a reduction, or a transposition of it."""
    value = value_with_name(e)
    if value is not None and value.root == ("transpose", 1) and isinstance(value, App):
        value = value.arg
    return value is not None and isStored(value) and hasReduction(value)


def value_with_name(e: Expr) -> Expr | None:
    """The value that a term names, by `let` or by a call; None if it names none."""
    if not isinstance(e, App):
        return None
    if e.root == ("let", 2):
        value, function = spine(e)[1]
        return value if isinstance(value, Expr) and isinstance(function, Lam) else None
    return e.arg if isinstance(e.fun, Lam) else None


def isMapNamingProduct(e: Expr) -> bool:
    """A map whose function names a row with reductions, which is not a number."""
    function = spine(e)[1][0] if e.root == ("map", 2) else None
    return isinstance(function, Lam) and namesProduct(function.body)


def hasChain(e: Expr) -> bool:
    """A program with a map whose function names a row with reductions."""
    return any(isinstance(node, Expr) and isMapNamingProduct(node) for node in postorder(e))


def namesFactor(e: Expr) -> bool:
    """A program that names an array of reductions for all rows of a product."""
    while isinstance(e, Lam | DepLam):
        e = e.body
    return namesProduct(e)


def isMapOfReduction(e: Expr) -> bool:
    """A map whose function contains a reduction."""
    return e.root == ("map", 2) and hasReduction(e.children[0])


def isZipWithSums(e: Expr) -> bool:
    """A zip of an array of reductions with another array."""
    return e.root in PAIRED and any(isinstance(one, Expr) and isMapOfReduction(one) for one in spine(e)[1])


def readsNamedProduct(e: Expr) -> bool:
    """A map or a zip of what is computed with a named array of reductions."""
    is_reader = e.root == ("map", 2) or e.root in PAIRED
    return is_reader and any(isinstance(one, Expr) and namesProduct(one) for one in spine(e)[1])


#: read what is computed with a named array of reductions below the name
belowNames: Strategy = where(readsNamedProduct) >> (zipNamedFirst | zipNamedSecond | mapNamed)
#: fuse functions of sums and elements of other arrays with the nest of the sums
fuseWithSums: Strategy = named(
    "fuseWithSums",
    fuse >> normalize(where(isZipWithSums) >> (zipMapFst | zipMapSnd) | mapFusion | simplify | belowNames),
)


def inFirstProduct(inner: Strategy) -> Strategy:
    """Apply a strategy to the first product, the value of its name."""
    return topDown(where(namesProduct) >> (where(isNamed) >> child(0)(child(1)(inner)) | child(1)(inner)))


def inSecondProduct(inner: Strategy) -> Strategy:
    """Apply a strategy to what reads the first product by its name."""
    return topDown(where(namesProduct) >> (where(isNamed) >> argument(body(inner)) | child(0)(body(inner))))


def inStoredProduct(inner: Strategy) -> Strategy:
    """Apply a strategy to the first product, below the memory that it is stored in, also if it is read by columns."""
    stored = where(isStored) >> argument(inner)
    return inFirstProduct(stored | argument(stored))


#: name the left factor of a product for all of its rows, if it is a product itself
nameFirstProduct: Strategy = named(
    "nameFirstProduct",
    where(hasChain, why=lambda e: "no product of a product and a matrix found, as in (A @ B) @ C")
    >> topDown(
        where(isMapNamingProduct) >> nameForAll >> argument(tidy) >> child(0)(body(tidy)) >> callToLet
    ),
)
#: name the right factor of a product, if it is a product itself
nameRightProduct: Strategy = named(
    "nameRightProduct",
    where(namesFactor, why=lambda e: "no product of a matrix and a product found, as in A @ (B @ C)")
    >> topDown(where(namesProduct) >> callToLet),
)
#: inline calls with a product, and move shapes to where arrays are read
inlineProduct: Strategy = named(
    "inlineProduct", push >> repeat(topDown(where(namesProduct) >> betaReduction) >> push)
)
#: run a loop over all tiles as one loop again, where views of the result were moved into it
tilesInOneLoop: Strategy = topDown(
    viewsOutsideGrid >> argument(rowsInOneLoop >> argument(argument(joinSplit)))
)
#: name the rows of a product whose shapes are moved to where its factors are read, past one loop over parts
inlinePastLoop: Strategy = named(
    "inlinePastLoop", normalize(where(isMapOfReduction) >> etaAbstraction) >> inlineProduct
)


@named
def computeWhereRead(loops: int = 1) -> Strategy:
    """Compute the first product where a stored part of it is read, inside loops over parts of the sum, and move the
    shapes of parts to where factors are read.
    """
    check_sizes(0, loops=loops)
    past = seq(*(inlinePastLoop for _ in range(max(loops, 1))))
    return (
        topDown(where(namesProduct) >> letToCall)
        >> inlineProduct
        >> try_(topDown(computeOutsideGrid | computeColumnsOutsideGrid) >> inlineProduct)
        >> past
        >> try_(tilesInOneLoop)
        >> topDown(where(storesProduct))
    )
