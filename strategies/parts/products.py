"""Matrix products in tiles for GPUs: the parts shared by strategies with and without tensor cores.

A product is a nest of two maps around a reduction of products, in any context. Independent of instructions and levels
of threads.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from elevate import Strategy, child, id_, lChoice, named, normalize, topDown, where
from rise.terms import App, DepLam, Expr, Lam, spine
from rise.types import ArrayType, PairType, Type
from strategies.lowering.positions import fold_body
from strategies.parts.nests import fuse, push, tidy
from strategies.parts.parameters import check_sizes, check_switches
from strategies.rules.fusion import mapFission, mapFissionZip
from strategies.rules.gpu_reductions import padCstNothing
from strategies.rules.let_floating import isolateReduction
from strategies.rules.matrix_products import isProductNest
from strategies.rules.movement import padMap, padNothing, padZip, takeAll
from strategies.rules.padding import (
    padConvertedProducts,
    padMapped,
    padMappedEmpty,
    padProducts,
    padRepeated,
    padTruths,
)
from strategies.rules.reductions import liftReduceSeq
from strategies.rules.stencils import padEmptyMap, padEmptyNothing, padEmptyZip
from strategies.vocabulary.traversals import FOLDED, argument, body, mapped

isNest = where(isProductNest)


def hasProductNest(e: Expr) -> bool:
    """A program that contains a matrix product."""
    return next(nests(e), None) is not None


def nests(e: Expr) -> Iterator[Expr]:
    """The matrix products of a program, outermost first, each once."""
    waiting, seen = [e], {e}
    while waiting:
        node = waiting.pop()
        if isProductNest(node):
            yield node
        new = [child for child in reversed(node.children) if child not in seen]
        seen.update(new)  # subterms are shared: as a tree, a program may be exponentially larger
        waiting += new


def summed(nest: Expr) -> Expr | None:
    """The array that a matrix product sums up, as read from memory; None if there is none."""
    waiting = [nest]
    while waiting:
        node = waiting.pop()
        if node.root in FOLDED:
            read = spine(node)[1][-1]
            while isinstance(read, App) and read.root == ("map", 2):
                read = read.arg
            return read if isinstance(read, Expr) else None
        waiting += reversed(node.children)
    return None


def factors(nest: Expr) -> tuple[Type, Type] | None:
    """The types of the numbers that a matrix product multiplies, as read from memory; None if they are not known."""
    read = summed(nest)
    pair = read.type.element if read is not None and isinstance(read.type, ArrayType) else None
    return (pair.first, pair.second) if isinstance(pair, PairType) else None


#: a program with a matrix product: two maps around a reduction of products
hasProduct: Strategy = where(hasProductNest, why=lambda e: "no matrix product found")


def isTransposedOperand(xs: object) -> bool:
    """A transposed array, or a zip whose first component is one."""
    while isinstance(xs, Expr) and xs.root == ("zip", 2):
        xs = spine(xs)[1][0]
    return isinstance(xs, Expr) and xs.root == ("transpose", 1)


def readsLeftByColumns(e: Expr) -> bool:
    """A nest whose outer loop runs over the rows of a transposed matrix."""
    _, arguments = spine(e)
    return len(arguments) == 2 and isTransposedOperand(arguments[1])


def readsRightByColumns(e: Expr) -> bool:
    """A nest whose inner loop runs over the rows of a transposed matrix."""
    _, arguments = spine(e)
    function = arguments[0] if arguments else None
    return isinstance(function, Lam) and readsLeftByColumns(function.body)


def appliesReduceSeq(e: Expr) -> bool:
    """`reduceSeq f i xs`."""
    return e.root == ("reduceSeq", 3)


def isBatchOfProducts(e: Expr) -> bool:
    """A program that maps over a batch of tiled products: tiles would be joined, a batch is not."""
    while isinstance(e, Lam | DepLam):
        e = e.body
    return e.root == ("map", 2) and not _isTrimmed(e)


def _isTrimmed(e: Expr) -> bool:
    """Whether rows are shortened by `take`."""
    function = spine(e)[1][0]
    return isinstance(function, Expr) and function.root == ("take", 0)


def called(s: Strategy) -> Strategy:
    """Apply a strategy to the body of an immediately applied function."""
    return child(0)(body(s))


def inLoop(s: Strategy) -> Strategy:
    """Apply a strategy to the body of the first reduction to which it applies."""
    return topDown(where(appliesReduceSeq) >> fold_body(s))


#: move the loop of the reduction in a map out of the map, even if the map computes more from its result
liftLoop: Strategy = named(
    "liftLoop",
    liftReduceSeq >> push
    | mapped(isolateReduction) >> mapFissionZip >> tidy >> topDown(liftReduceSeq >> push),
)


@named
def padNest(rows: int, columns: int, empty: bool = False) -> Strategy:
    """Pad a nest to full tiles of rows x columns; the excess is dropped when the result is stored.

    The padding repeats the last row and column. If it is `empty`, it has arbitrary values, so that several values of a
    row can be copied together if the row's length is known to be a multiple of their number.
    """
    check_sizes(rows=rows, columns=columns)
    check_switches(empty=empty)
    pad = padMappedEmpty if empty else padMapped
    inner = mapped(body(pad(columns))) >> mapFission
    outwards = padEmptyZip | padEmptyMap | padEmptyNothing if empty else padZip | padMap | padNothing
    return isNest >> inner >> argument(pad(rows)) >> normalize(outwards | takeAll)


@named
def padReduction(depth: int) -> Strategy:
    """Pad sums to full steps of `depth` products: with zeros, or with the last product for the least or greatest."""
    check_sizes(depth=depth)
    padded = topDown(padProducts(depth) | padConvertedProducts(depth) | padRepeated(depth) | padTruths(depth))
    return padded >> normalize(padCstNothing | padNothing)


def byOrder(derive: Callable[[bool, bool], Strategy], condition: Strategy = id_) -> Strategy:
    """Apply the strategy that `derive` returns, given whether the left and the right factor are read by columns, after
    `condition`.
    """

    def reading(left: Strategy, right: Strategy) -> Strategy:
        return topDown(isNest >> left >> right)

    byRows, byColumns = where(readsLeftByColumns), where(readsRightByColumns)
    return (
        fuse
        >> hasProduct
        >> condition
        >> lChoice(
            reading(byRows, byColumns) >> derive(True, True),
            reading(byRows, id_) >> derive(True, False),
            reading(id_, byColumns) >> derive(False, True),
            reading(id_, id_) >> derive(False, False),
        )
    )
