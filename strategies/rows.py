"""Rows of dependent arrays, and dependent pairs, in lowering. Knows no levels but the names of their rules."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from elevate import Strategy, child
from rise.terms import DepLam, Expr, Lam, spine
from strategies.equation import RuleFamily
from strategies.rules.dependent import (
    depMapToDepMapBlock,
    depMapToDepMapGlobal,
    depMapToDepMapLane,
    depMapToDepMapPar,
    depMapToDepMapSeq,
    depMapToDepMapThreads,
    depMapToDepMapWarp,
)

#: by a level's rule for maps, the one for rows
ON_GPU: Final[Mapping[str, RuleFamily]] = {
    "mapToMapGlobal": depMapToDepMapGlobal,
    "mapToMapBlock": depMapToDepMapBlock,
    "mapToMapThreads": depMapToDepMapThreads,
    "mapToMapWarp": depMapToDepMapWarp,
    "mapToMapLane": depMapToDepMapLane,
}
ROW_LOOPS: Final = frozenset(
    ("depMapSeq", "depMapPar", *("depM" + name.removeprefix("mapToM") for name in ON_GPU))
)


def isAppliedRowMap(e: Expr) -> bool:
    """`depMap f xs`, its function written out."""
    return e.root == ("depMap", 2) and _writes_rows(e)


def isRowLoop(e: Expr) -> bool:
    """A loop over the rows of a dependent array that is there already."""
    return isinstance(e.root, tuple) and e.root[0] in ROW_LOOPS and _writes_rows(e)


def _writes_rows(e: Expr) -> bool:
    function = next((one for one in spine(e)[1] if isinstance(one, DepLam)), None)
    return isinstance(function, DepLam) and isinstance(function.body, Lam)


def row_body(s: Strategy) -> Strategy:
    """Apply a strategy to the body of a map over rows: `depMap (fun(i: nat, row => HERE)) xs`."""
    return child(0)(child(1)(child(0)(child(0)(s))))


def isMatch(e: Expr) -> bool:
    """`dmatch p f`, its function written out."""
    return e.root == ("dmatch", 2) and _writes_rows(e)


def match_body(s: Strategy) -> Strategy:
    """Apply a strategy to the body of a match: `dmatch p (fun(n: nat, xs => HERE))`."""
    return child(1)(child(0)(child(0)(s)))


def row_loop(level: Strategy) -> Strategy:
    """Lower `depMap f xs`: as a level's rule lowers `map f xs`."""
    name, _, rest = getattr(level, "name", "").partition("(")
    if name == "mapToMapPar":
        return depMapToDepMapPar
    on_gpu = ON_GPU.get(name)
    return depMapToDepMapSeq if on_gpu is None else on_gpu(int(rest.rstrip(")") or 0))
