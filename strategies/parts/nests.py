"""Strategies for nests of loops: tidying up, moving shapes inwards, isolating reductions, tiling.

They know patterns but no machine; `strategies.tensor_core` and `strategies.openmp` are built from them.
"""

from __future__ import annotations

from dataclasses import dataclass

from elevate import Strategy, child, id_, named, normalize, topDown, try_, where
from rise.terms import App, Expr, Lam, Literal
from strategies.parts.parameters import check_sizes
from strategies.rules.functions import (
    argumentInside,
    betaReduction,
    callAtSize,
    callFunction,
    callInside,
    fstPair,
    gentleBeta,
    isConstant,
    letToCall,
    mapFstWritten,
    mapSndWritten,
    pairEta,
    sizeInside,
    sndPair,
)
from strategies.rules.fusion import (
    mapFissionZip,
    mapFusion,
    mapIdentity,
    reduceMapFusion,
    reduceSeqMapFusion,
    zipMapFst,
    zipMapSnd,
)
from strategies.rules.let_floating import betaPair, isolateReduction, narrowZip
from strategies.rules.lowering import reduceToReduceSeq
from strategies.rules.movement import (
    interchange,
    interchangeDependent,
    joinColumns,
    joinSplit,
    padMap,
    padNothing,
    padZip,
    splitJoin,
    splitMap,
    splitZip,
    takeAll,
    transposeMapMap,
    transposeRepeated,
    transposeTranspose,
    transposeZip,
    zipBroadcast,
)
from strategies.rules.normal_forms import writeOut
from strategies.rules.reductions import liftReduceSeq, splitReduceSeq
from strategies.rules.zips import dropZip, takeZip
from strategies.vocabulary.traversals import argument, body, isFunction, mapped

#: functions called on the spot, projections of pairs, zips of which a part is not used
simplifyAroundCopies: Strategy = betaPair | gentleBeta | fstPair | sndPair | pairEta | narrowZip
#: these, and copies
simplify: Strategy = simplifyAroundCopies | mapIdentity
tidy: Strategy = named("tidy", normalize(simplify))


def isCallWithConstants(e: Expr) -> bool:
    """A function called on the spot with an array of literals."""
    return (
        isinstance(e, App) and isinstance(e.fun, Lam) and isConstant(e.arg) and not isinstance(e.arg, Literal)
    )


#: functions of sizes and of functions, as those of a library are: called, so that only numbers and arrays have names
openCalls: Strategy = named(
    "openCalls",
    normalize(
        letToCall
        | callAtSize
        | sizeInside
        | argumentInside
        | callFunction
        | where(isCallWithConstants) >> betaReduction
    ),
)


@dataclass(frozen=True, slots=True)
class Parameters(Strategy):
    """Write out the parameters of a program, so that its result is a value: `map f` becomes `fun(xs => map f xs)`."""

    def unfold(self) -> Strategy:
        return isFunction >> child(0)(self) | writeOut >> child(0)(self) | id_


#: maps and reductions that feed each other become one
fuse: Strategy = named(
    "fuse",
    Parameters()
    >> normalize(
        letToCall
        | mapFstWritten
        | mapSndWritten
        | simplify
        | callInside
        | mapFusion
        | reduceMapFusion
        | reduceSeqMapFusion
        | joinSplit
        | transposeTranspose
    ),
)
#: splits, zips and transpositions go to where arrays are read, past every map; loops are swapped for it
push: Strategy = named(
    "push",
    normalize(
        simplify
        | splitMap
        | splitZip
        | interchange
        | transposeMapMap
        | transposeZip
        | transposeRepeated
        | interchangeDependent
        | zipMapFst
        | zipMapSnd
        | mapFusion
        | reduceSeqMapFusion
    ),
)
#: splits, zips and padding go to where arrays are read; the order of loops stays
align: Strategy = named(
    "align",
    normalize(
        simplify
        | takeAll
        | takeZip
        | dropZip
        | padNothing
        | padZip
        | padMap
        | splitZip
        | splitMap
        | transposeZip
        | transposeRepeated
        | zipMapFst
        | zipMapSnd
        | mapFusion
    ),
)
#: the reductions of a nest come first, alone in their maps; what is done with them stands behind
isolateReductions: Strategy = named(
    "isolateReductions",
    normalize(mapped(isolateReduction) >> mapFissionZip >> tidy) >> try_(topDown(zipBroadcast)),
)
#: reductions take in what is mapped before them, and run from the first element to the last
reduceInOrder: Strategy = named("reduceInOrder", normalize(reduceMapFusion | reduceToReduceSeq) >> tidy)


@named
def tileNest(rows: int, columns: int) -> Strategy:
    """Cut the two outermost loops into tiles of rows x columns: both loops over tiles outside."""
    check_sizes(rows=rows, columns=columns)
    cut = mapped(body(topDown(splitJoin(columns)))) >> joinColumns >> argument(argument(push))
    return topDown(splitJoin(rows) >> argument(push >> mapped(body(cut))))


@named
def tileReduction(depth: int) -> Strategy:
    """Cut the reduction of a nest of two maps into steps of `depth`, and bring its loop outside of both maps."""
    check_sizes(depth=depth)
    inner = mapped(body(splitReduceSeq(depth))) >> push >> liftReduceSeq >> push
    return topDown(mapped(body(inner)) >> liftReduceSeq >> push)


#: the loop of the reduction of a nest of two maps comes outside of both
liftReduction: Strategy = named("liftReduction", mapped(body(liftReduceSeq >> push)) >> liftReduceSeq >> push)
