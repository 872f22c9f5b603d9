"""Loops over the rows of dependent arrays in the lowering of programs. Knows no levels but their rules' names."""

from __future__ import annotations

from typing import Final

from elevate import Strategy, child
from rise.terms import DepLam, Expr, Lam, spine
from strategies.rules.dependent import depMapToDepMapGlobal, depMapToDepMapPar, depMapToDepMapSeq

ROW_LOOPS: Final = frozenset(("depMapSeq", "depMapPar", "depMapGlobal"))


def isAppliedRowMap(e: Expr) -> bool:
    """`depMap f xs`, its function written out."""
    return e.root == ("depMap", 2) and _writes_rows(e)


def isRowLoop(e: Expr) -> bool:
    """A loop over the rows of a dependent array that is there already."""
    return isinstance(e.root, tuple) and e.root[0] in ROW_LOOPS and _writes_rows(e)


def _writes_rows(e: Expr) -> bool:
    function = next((one for one in spine(e)[1] if isinstance(one, Expr)), None)
    return isinstance(function, DepLam) and isinstance(function.body, Lam)


def row_body(s: Strategy) -> Strategy:
    """Apply a strategy to the body of a map over rows: `depMap (fun(i: nat, row => HERE)) xs`."""
    return child(0)(child(1)(child(0)(child(0)(s))))


def row_loop(level: Strategy) -> Strategy:
    """Lower `depMap f xs`: over the threads that a level's rule starts, or one row after the other."""
    name, _, rest = getattr(level, "name", "").partition("(")
    if name == "mapToMapPar":
        return depMapToDepMapPar
    if name == "mapToMapGlobal":
        return depMapToDepMapGlobal(int(rest.rstrip(")") or 0))
    return depMapToDepMapSeq
