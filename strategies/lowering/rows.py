"""Lowers rows of dependent arrays, dependent pairs, and values in which an index is a size. Independent of levels."""

from __future__ import annotations

from typing import Final

from elevate import Strategy, child
from rise.primitives import with_trait
from rise.terms import DepLam, Expr, Lam, spine

#: the loops that maps over rows are lowered to
ROW_LOOPS: Final = with_trait("rows", "loops")


def isAppliedRowMap(e: Expr) -> bool:
    """`depMap f xs` with an eta-expanded function."""
    return e.root == ("depMap", 2) and _writes_rows(e)


def isRowLoop(e: Expr) -> bool:
    """A map over the rows of a dependent array that is already lowered to a loop."""
    return isinstance(e.root, tuple) and e.root[0] in ROW_LOOPS and _writes_rows(e)


def _writes_rows(e: Expr) -> bool:
    function = next((operand for operand in spine(e)[1] if isinstance(operand, DepLam)), None)
    return isinstance(function, DepLam) and isinstance(function.body, Lam)


def row_body(s: Strategy) -> Strategy:
    """Apply a strategy to the body of a map over rows: `depMap (fun(i: nat, row => HERE)) xs`."""
    return child(0)(child(1)(child(0)(child(0)(s))))


def isSized(e: Expr) -> bool:
    """`indexAsNat i (fun(n: nat => ...))`: a value in which an index is a size."""
    return e.root == ("indexAsNat", 2) and isinstance(e.children[1], DepLam)


def sized_body(s: Strategy) -> Strategy:
    """Apply a strategy to such a value: `indexAsNat i (fun(n: nat => HERE))`."""
    return child(1)(child(0)(s))


def isMatch(e: Expr) -> bool:
    """`dmatch p f` with an eta-expanded function."""
    return e.root == ("dmatch", 2) and _writes_rows(e)


def match_body(s: Strategy) -> Strategy:
    """Apply a strategy to the body of a match: `dmatch p (fun(n: nat, xs => HERE))`."""
    return child(1)(child(0)(child(0)(s)))
