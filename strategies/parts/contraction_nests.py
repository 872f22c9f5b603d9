"""The normal form of contractions: batch x rows x columns x sum, with at most one loop for each group of subscripts.

Independent of machines and tiles. The loops are around one sum of products.

The program determines the groups: subscripts of the result that both operands have are the batch, those of only one
operand are the rows or the columns; the columns include the innermost loop. All views of the operands are inside the
nest, and all views of the result around it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from elevate import Predicate, Strategy, named, normalize, where
from elevate.argument_checks import expected_term
from rise.primitives import PROJECTIONS
from rise.terms import App, Bound, DepLam, Expr, Lam, Primitive, spine
from strategies.parts.nests import openCalls, simplify
from strategies.parts.products import hasProduct
from strategies.rules.contractions import (
    isRearrangement,
    joinColumnwise,
    joinPairedRows,
    joinPairedSums,
    joinRows,
    joinSums,
    pairsBeforeColumns,
    pairsBeforeRows,
    viewsInOperands,
    viewsInPairs,
)
from strategies.rules.functions import letToCall
from strategies.rules.fusion import mapFission, reduceMapFusion
from strategies.rules.movement import columnsFirst, joinSplit, transposeTranspose
from strategies.vocabulary.traversals import FOLDED


def rearrangesLast(e: Expr) -> bool:
    """A loop whose result is rearranged: `map (fun(x => transpose (...))) xs`."""
    if e.root != ("map", 2):
        return False
    match spine(e)[1][0]:
        case Lam(_, _, App(view, shown)):
            return not view.mentions & 1 and shown.children != () and isRearrangement(view)
    return False


def operands_of(e: Expr) -> list[frozenset[int]] | None:
    """For each loop of a nest, outermost first, the operands of the innermost product from which its index selects.
    None if there is no nest around a reduction over the zip of two operands.
    """
    arrays: list[Expr] = []
    node: Any = e
    while node.root == ("map", 2):
        function, xs = spine(node)[1]
        if not isinstance(function, Lam):
            return None
        assert isinstance(xs, Expr)
        arrays.append(xs)
        node = function.body
    pairs = _summed(node)
    if pairs is None or not arrays:
        return None
    selected = [_selected(side, (), arrays) for side in pairs]
    return [
        frozenset(position for position, levels in enumerate(selected) if level in levels)
        for level in range(len(arrays))
    ]


def _summed(e: Any) -> tuple[Expr, Expr] | None:
    """The two arrays whose zip a term reduces; None for other terms."""
    if e.root not in FOLDED:
        return None
    xs = e.arg
    while isinstance(xs, App) and xs.root == ("map", 2):
        xs = xs.arg
    return (xs.children[0].children[1], xs.children[1]) if xs.root == ("zip", 2) else None


def _selected(e: Any, halves: tuple[int, ...], arrays: Sequence[Expr]) -> set[int]:
    """The loops, by level, on whose index a value depends; `arrays` are those over which the enclosing loops run."""
    found: set[int] = set()
    # a value, the components taken from it, the number of enclosing loops, and of functions inside these
    waiting: list[tuple[Any, tuple[int, ...], int, int]] = [(e, halves, len(arrays), 0)]
    while waiting:
        node, chosen, depth, inside = waiting.pop()
        while (half := _half(node)) is not None:
            node, chosen = node.arg, (*chosen, half)
        if isinstance(node, Bound):
            level = depth + inside - 1 - node.index
            if 0 <= level < depth:
                found.add(level)
                waiting.append((arrays[level], chosen, level, 0))
        elif node.root == ("zip", 2) and chosen:
            side = node.children[0].children[1] if chosen[-1] == 0 else node.children[1]
            waiting.append((side, chosen[:-1], depth, inside))
        else:
            within = inside + isinstance(node, Lam)
            waiting += [(child, (), depth, within) for child in node.children]
    return found


def _half(e: Any) -> int | None:
    """The component of a pair that a projection takes, 0 or 1; None for other terms."""
    name = e.fun.name if isinstance(e, App) and isinstance(e.fun, Primitive) else ""
    return PROJECTIONS.index(name) if name in PROJECTIONS else None


def isColumnAroundRow(e: Expr) -> bool:
    """A loop over columns directly around a loop over rows; the innermost loop of the nest is over columns."""
    operands = operands_of(e)
    if operands is None or len(operands) < 3:
        return False
    columns = operands[-1]
    return operands[0] == columns != operands[1] and len(operands[1]) == len(columns) == 1


def isMatricised(e: Expr) -> bool:
    """A nest of at most one loop over a batch, one over rows and one over columns, in this order, around a sum."""
    operands = operands_of(e)
    if operands is None or len(operands) > 3:
        return False
    sizes = [len(one) for one in operands]
    return sizes == sorted(sizes, reverse=True) and len(set(operands)) == len(operands) and 0 not in sizes


normalFormOfSums: Predicate = where(isMatricised)


def nest_of(e: Expr) -> Expr:
    """The nest of loops in a term, below the views that rearrange its result."""
    node: Any = e
    while isinstance(node, Lam | DepLam) or (isinstance(node, App) and isRearrangement(node.fun)):
        node = node.arg if isinstance(node, App) else node.body
    assert isinstance(node, Expr)
    return node


def isContraction(e: Expr) -> bool:
    """A term that computes one nest in normal form, perhaps rearranged. Raises StrategyError if the argument is not a
    term.
    """
    return isMatricised(nest_of(expected_term(e)))


#: bring a contraction to its normal form, batch x rows x columns around one sum of products; fails for other programs
matricise: Strategy = named(
    "matricise",
    openCalls
    >> normalize(
        simplify
        | joinPairedSums
        | joinSums
        | where(rearrangesLast, roots=[("map", 2)]) >> mapFission
        | where(isColumnAroundRow, roots=[("map", 2)]) >> columnsFirst
        | pairsBeforeRows
        | pairsBeforeColumns
        | joinPairedRows
        | joinRows
        | viewsInOperands
        | viewsInPairs
        | joinSplit
        | transposeTranspose
    )
    >> where(
        isContraction,
        why=lambda e: "this is not a single sum of products of two operands, in loops over them",
    ),
)
#: prepare a contraction in its normal form for tiling: fuse products into the sum, and join the subscripts of a sum
#: without loops over rows; fails if there is no product
readyForTiles: Strategy = named(
    "readyForTiles",
    hasProduct >> normalize(letToCall | simplify | reduceMapFusion) >> normalize(joinColumnwise),
)


def groups_of(e: Expr) -> list[int]:
    """The loops of a contraction in normal form, outermost first, each as the number of operands from which it selects:
    2 for the batch, 1 for rows and for columns. Raises StrategyError if the argument is not a term.
    """
    return [len(operands) for operands in operands_of(nest_of(expected_term(e))) or ()]


def isProductOfMatrices(e: Expr) -> bool:
    """A contraction in normal form with rows and columns, and without a batch."""
    return groups_of(e) == [1, 1]


def isBatchOfMatrices(e: Expr) -> bool:
    """A contraction in normal form with a batch, rows and columns."""
    return groups_of(e) == [2, 1, 1]


def columnsAreOfLeft(e: Expr) -> bool:
    """A contraction in normal form whose columns are subscripts of the left operand."""
    return _operand_of_columns(e) == {0}


def columnsAreOfRight(e: Expr) -> bool:
    """A contraction in normal form whose columns are subscripts of the right operand."""
    return _operand_of_columns(e) == {1}


def _operand_of_columns(e: Expr) -> frozenset[int]:
    operands = operands_of(nest_of(expected_term(e))) or [frozenset()]
    return operands[-1]
