"""Lowers patterns to loops, and places arrays in memory."""

from __future__ import annotations

from typing import Final

from elevate import FloatClass
from rise.primitives import with_trait
from rise.terms import Expr, Lam
from rise.types import (
    ArrayType,
    DepArrayType,
    DepPairType,
    FragmentType,
    PairType,
    ScalarType,
    Type,
    VectorType,
)
from strategies.equations.matcher import Bindings
from strategies.equations.rule import rule
from strategies.vocabulary.traversals import FOLDS, SCANS

#: loops with a function of an accumulator and the next element
_LOOPS: Final = (FOLDS | SCANS) & with_trait("loops")

mapToMapSeq = rule("map f xs = mapSeq f xs", why="Compute one element after the other.")
mapToMapSeqUnroll = rule(
    "map f xs = mapSeqUnroll f xs", why="Compute one element after the other, in an unrolled loop."
)
mapToMapPar = rule("map f xs = mapPar f xs", why="Compute elements on different threads (OpenMP).")
mapParToMapSeq = rule(
    "mapPar f xs = mapSeq f xs",
    why="Compute one element after the other, instead of several on different threads.",
)
reduceToReduceSeq = rule("reduce f i xs = reduceSeq f i xs", why="Reduce one element after the other.")
reduceSeqToUnroll = rule("reduceSeq f i xs = reduceSeqUnroll f i xs", why="Unroll the loop of a reduction.")
scanToScanSeq = rule("scan f i xs = scanSeq f i xs", why="Scan one element after the other.")


def isNotWrittenOut(bindings: Bindings) -> bool:
    """A function whose parameter is not written out"""
    return not isinstance(bindings.term("f"), Lam)


etaAbstraction = rule(
    "map f xs = map (fun(x => f(x))) xs",
    why="Write the function of a map as a lambda, so that its body can be rewritten.",
    where=isNotWrittenOut,
    tidies=True,
)


def _fold_written_out(loop: str) -> tuple[str, str]:
    """The equations of a loop whose function has no explicit parameters, or only the first one."""
    return (
        f"{loop} f i xs = {loop} (fun(x, x_ => f x x_)) i xs",
        f"{loop} (fun(y => f)) i xs = {loop} (fun(y, x => f x)) i xs",
    )


_FOLDS_WRITTEN_OUT: Final = tuple(each for loop in sorted(_LOOPS) for each in _fold_written_out(loop))
etaAbstractionFold = rule(
    _FOLDS_WRITTEN_OUT[0],
    also=_FOLDS_WRITTEN_OUT[1:],
    why="Write the function of a reduction as a lambda, so that its body can be rewritten.",
    where=isNotWrittenOut,
    tidies=True,
)


toMemLocal = rule(
    "xs = toMem(Local, xs)",
    why="Store a result, so that reading it twice does not compute it twice.",
)

nameWhole = rule(
    "p = (fun(x => x)) p",
    why="Name a computed value, so that its parts are copied from one computation.",
)

recomputed = rule("xs = recompute xs", why="Recompute a value wherever it is read.")

reciprocal = rule(
    "x / d = x * recompute (1.0 / (d : f32))",
    why="Divide several numbers by the same one with a single division.",
    float_class=FloatClass.APPROXIMATE,
)


copy = rule(
    "(xs : n.t) = map (fun(x => x)) xs",
    also=(
        "xs = depMap (fun(i: nat, row => row)) xs",
        "p = dmatch p (fun(n: nat, x => makeDepPair n x))",
        "p = pair (fst p) (snd p)",
    ),
    why="State that an array is copied.",
)


def isArray(e: Expr) -> bool:
    """A value that contains an array or a fragment."""
    return holdsArray(e.type)


def holdsArray(t: Type) -> bool:
    """Whether values of the type need memory of their own."""
    match t:
        case ArrayType() | DepArrayType() | DepPairType() | FragmentType():
            return True
        case PairType(first, second):
            return holdsArray(first) or holdsArray(second)
        case ScalarType() | VectorType():
            return False
    return False
