"""Blocks of an array, each of them transposed, as tiles of matrix products read them. Depends on nests of loops."""

from __future__ import annotations

from elevate import Predicate, Strategy, child, named, normalize, try_, where
from rise.terms import App, Bound, Expr, Lam, spine
from strategies.parts.nests import tidy
from strategies.rules.cpu import transposeRowsTwice
from strategies.rules.functions import betaReduction
from strategies.rules.fusion import mapFusion, zipMapFst
from strategies.rules.movement import transposeTranspose
from strategies.vocabulary.traversals import argument, body, mapped


def isTurnedBlocks(e: Expr) -> bool:
    """The blocks of an array, each transposed: `map (fun(block => transpose block)) (split n xs)`."""
    if e.root != ("map", 2):
        return False
    function, xs = spine(e)[1]
    return (
        isinstance(function, Lam)
        and function.body.root == ("transpose", 1)
        and isinstance(function.body, App)
        and isinstance(function.body.arg, Bound)
        and isinstance(xs, Expr)
        and xs.root == ("split", 1)
    )


#: blocks of an array, each transposed
turnedBlocks: Predicate = where(isTurnedBlocks)


def isOverBlocks(e: Expr) -> bool:
    """A loop over blocks: `map f (split n xs)`."""
    if e.root != ("map", 2):
        return False
    return _is_split(spine(e)[1][1])


def isOverZippedBlocks(e: Expr) -> bool:
    """A loop over blocks that are zipped with others: `map f (zip (split n xs) ys)`."""
    if e.root != ("map", 2):
        return False
    zipped = spine(e)[1][1]
    return isinstance(zipped, Expr) and zipped.root == ("zip", 2) and _is_split(spine(zipped)[1][0])


def _is_split(xs: object) -> bool:
    return isinstance(xs, Expr) and xs.root == ("split", 1)


#: remove what is left of blocks that are transposed twice
_tidied = mapFusion >> mapped(body(try_(betaReduction))) >> tidy >> normalize(transposeTranspose)
#: run a loop over transposed blocks instead of blocks, and remove double transpositions
turned: Strategy = named("turned", where(isOverBlocks) >> argument(transposeRowsTwice) >> _tidied)
#: the same for blocks that are zipped with others
turnedFirst: Strategy = named(
    "turnedFirst",
    where(isOverZippedBlocks) >> argument(child(0)(child(1)(transposeRowsTwice)) >> zipMapFst) >> _tidied,
)
