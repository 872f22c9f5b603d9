"""Strategies for nests of loops: tidying up, moving shapes inwards, isolating reductions, tiling.

Independent of machines. `strategies.tensor_core` and `strategies.openmp` are built from these.
"""

from __future__ import annotations

from elevate import Strategy, child, id_, named, normalize, normalizeBottomup, topDown, try_, where
from rise.records import dataclass
from rise.terms import App, Expr, Lam, Literal
from strategies.parts.parameters import check_sizes
from strategies.rules.cpu import vectorOperation
from strategies.rules.functions import (
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

#: inline immediately applied functions, projections of pairs, and zips with an unused component
simplifyAroundCopies: Strategy = betaPair | gentleBeta | fstPair | sndPair | pairEta | narrowZip
#: like `simplifyAroundCopies`, and remove copies
simplify: Strategy = simplifyAroundCopies | mapIdentity
#: apply `simplify` exhaustively
tidy: Strategy = named("tidy", normalize(simplify))


def isCallWithConstants(e: Expr) -> bool:
    """A function immediately applied to an array of literals."""
    return (
        isinstance(e, App) and isinstance(e.fun, Lam) and isConstant(e.arg) and not isinstance(e.arg, Literal)
    )


#: inline functions of sizes and of functions, such as those of a library, so that only numbers and arrays have names
openCalls: Strategy = named(
    "openCalls",
    normalize(
        letToCall
        | callAtSize
        | sizeInside
        | callInside
        | callFunction
        | where(isCallWithConstants) >> betaReduction
    ),
)


@dataclass(frozen=True, slots=True)
class Parameters(Strategy):
    """Eta-expand a program, so that its result is a value: `map f` becomes `fun(xs => map f xs)`."""

    def unfold(self) -> Strategy:
        return isFunction >> child(0)(self) | writeOut >> child(0)(self) | id_


#: fuse maps and reductions with their producers
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
#: move splits, zips and transpositions to where arrays are read, past every map, swapping loops where necessary
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
#: move splits, zips and padding to where arrays are read; keep the order of loops
align: Strategy = named(
    "align",
    normalizeBottomup(
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
#: compute the reductions of a nest in maps of their own, separate from what is computed from their results
isolateReductions: Strategy = named(
    "isolateReductions",
    normalize(mapped(isolateReduction) >> mapFissionZip >> tidy) >> try_(topDown(zipBroadcast)),
)
#: fuse maps into reductions, and reduce from the first element to the last
reduceInOrder: Strategy = named("reduceInOrder", normalize(reduceMapFusion | reduceToReduceSeq) >> tidy)

#: compute the operations in the function of a loop on vectors, one after the other
operationsOnVectors: Strategy = named(
    "operationsOnVectors",
    vectorOperation >> normalize(simplify | vectorOperation | zipMapFst | zipMapSnd | mapFusion),
)


@named
def tileNest(rows: int, columns: int) -> Strategy:
    """Tile the two outermost loops by rows x columns, with both loops over tiles outside."""
    check_sizes(rows=rows, columns=columns)
    cut = mapped(body(topDown(splitJoin(columns)))) >> joinColumns >> argument(argument(push))
    return topDown(splitJoin(rows) >> argument(push >> mapped(body(cut))))


@named
def tileLoop(size: int) -> Strategy:
    """Tile the outermost loop by `size`."""
    check_sizes(size=size)
    return topDown(splitJoin(size) >> argument(push))


@named
def tileRowReduction(depth: int) -> Strategy:
    """Split the reduction of a map into steps of `depth`, and move the loop over steps out of the map."""
    check_sizes(depth=depth)
    return topDown(mapped(body(splitReduceSeq(depth))) >> push >> liftReduceSeq >> push)


@named
def tileReduction(depth: int) -> Strategy:
    """Split the reduction of a nest of two maps into steps of `depth`, and move the loop over steps out of the nest."""
    check_sizes(depth=depth)
    inner = mapped(body(splitReduceSeq(depth))) >> push >> liftReduceSeq >> push
    return topDown(mapped(body(inner)) >> liftReduceSeq >> push)


#: move the loop of the reduction of a nest of two maps out of both
liftReduction: Strategy = named("liftReduction", mapped(body(liftReduceSeq >> push)) >> liftReduceSeq >> push)
#: move the loop of the reduction of a map out of it
liftRowReduction: Strategy = named("liftRowReduction", liftReduceSeq >> push)
