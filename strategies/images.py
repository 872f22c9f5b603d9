"""Pipelines of image stencils: separated, by lines, in ring buffers and registers, on vectors and threads.

Implements the versions of "Towards a Domain-Extensible Compiler: Optimizing an Image Processing Pipeline on Mobile
CPUs" (CGO 2021), and one more: all stencils of a pipeline in one loop. Depends on two-dimensional windows and maps over
them, but not on particular filters.
"""

from __future__ import annotations

from typing import Final

from elevate import Strategy, named, normalize, topDown, try_, where
from rise.hardware import DEFAULT, Processor
from rise.naturals import const
from rise.terms import App, Bound, Expr, Lam, mention
from rise.types import FunType
from strategies.equations.applications import operands
from strategies.lowering.levels import PAR, Level
from strategies.lowering.positions import Write
from strategies.parts.machine_tiles import machine_of, size_or_default, vector_lanes
from strategies.parts.nests import fuse, simplify, tidy
from strategies.parts.parameters import check_sizes
from strategies.parts.schedules import allowChanges
from strategies.parts.streams import CONSUMERS, LeaveUntaken, inOrder, isOverStream, ringsInOrder
from strategies.parts.windows import computes, isOfViews, isSlide
from strategies.rules.functions import betaReduction, etaReduction, letToCall, partialCallInside
from strategies.rules.fusion import mapFission, mapFusion, reduceMapFusion
from strategies.rules.images import (
    pairImages,
    shareInWindows,
    slideToLineBuffer,
    transposeWindow,
    vectorsOfMap,
    vectorsOfWindows,
)
from strategies.rules.indexing import idxMakeArray, idxMap, idxZip
from strategies.rules.lowering import holdsArray, toMemLocal
from strategies.rules.movement import mapJoin, splitMap, transposeMapMap, transposeTranspose
from strategies.rules.sliding import separateDotVH, separateSumVH, slideBeforeSlide
from strategies.rules.stencils import (
    padEmptyMap,
    padEmptySlide,
    padEmptyToClamp,
    slideFission,
    slideMap,
    splitJoinEmpty,
    splitSlide,
)
from strategies.rules.streams import (
    bufferMap,
    mapToMapStream,
    slideToCircularBuffer,
    slideToRotateValues,
)
from strategies.rules.vector_terms import vectors_of
from strategies.rules.vectors import vectorizeRoundUpAfter
from strategies.rules.weights import sumWrittenOut, weightsAsProducts, weightsWrittenOut
from strategies.rules.zips import unzipZip, zipMaps, zipSame, zipWindows
from strategies.vocabulary.traversals import argument, body, mapped

#: lines of a strip: with windows of five lines, an eighth of the lines is computed twice, and images have strips for
#: many threads
STRIP_LINES: Final = 32


def isCallWithView(e: Expr) -> bool:
    """A function immediately applied to a view of an array."""
    return isinstance(e, App) and isinstance(e.fun, Lam) and holdsArray(e.arg.type) and not computes(e.arg)


def isFunctionOfRow(e: Expr) -> bool:
    """A function that maps over its argument."""
    return isinstance(e, Lam) and e.body.root == ("map", 2)


def isCallUsedOnce(e: Expr) -> bool:
    """A function of an array, immediately applied, that uses it at most once, and not in a function that may run
    several times.
    """
    if not (isinstance(e, App) and isinstance(e.fun, Lam) and holdsArray(e.arg.type)):
        return False
    uses, waiting = 0, [(e.fun.body, 0)]
    while waiting:
        node, depth = waiting.pop()
        if not node.mentions & mention(depth):
            continue
        match node:
            case Bound():
                uses += 1
            case App(Lam(_, _, body), given):
                waiting += [(body, depth + 1), (given, depth)]
            case Lam() | App(_, Expr(type=FunType())):
                return False
            case _:
                waiting += [(child, depth) for child in node.children]
    return uses <= 1


def isMapOfMap(e: Expr) -> bool:
    """A map of a map."""
    return e.root == ("map", 2) and e.children[1].root == ("map", 2)


def mapsWindows(e: Expr) -> bool:
    """A map of a map over windows, or over one window."""
    if not isMapOfMap(e):
        return False
    xs = e.children[1].children[1]
    return isSlide(xs) or isinstance(xs, Bound)


def isOverWindows(e: Expr) -> bool:
    """A map over windows."""
    return e.root == ("map", 2) and isSlide(e.children[1])


def isOfLines(e: Expr) -> bool:
    """Windows of rows."""
    return isSlide(e) and holdsArray(operands(e)[2].type.element)


def isOverLines(e: Expr) -> bool:
    """A map over windows of rows."""
    return e.root == ("map", 2) and isOfLines(e.children[1])


def isOfColumns(e: Expr) -> bool:
    """Windows of the columns of a named window of rows."""
    of = operands(e)[2] if isOfLines(e) else None
    return of is not None and of.root == ("transpose", 1) and isinstance(of.children[1], Bound)


def isStrips(e: Expr) -> bool:
    """Windows with a step of more than one element."""
    return isSlide(e) and operands(e)[1] != const(1)


def readsAsVectors(e: Expr) -> bool:
    """A map that reads each row of another map's result as vectors."""
    function = operands(e)[0] if isMapOfMap(e) else None
    return isinstance(function, Lam) and vectors_of(function.body) is not None


def streamsMap(e: Expr) -> bool:
    """A term that consumes the elements of a map in order."""
    return e.root in CONSUMERS and e.children[1].root == ("map", 2)


#: create loops over windows of lines, each with a loop over windows of columns inside
byLines: Strategy = named(
    "byLines",
    normalize(
        letToCall
        | simplify
        | partialCallInside
        | where(isCallWithView) >> betaReduction
        | where(isCallUsedOnce) >> betaReduction
        | pairImages
        | where(isOfViews, roots=[("slide", 1)]) >> slideMap
        | zipWindows
        | zipMaps
        | zipSame
        | where(mapsWindows, roots=[("map", 2)]) >> mapFusion
        | transposeWindow
        | where(isFunctionOfRow) >> etaReduction
        | transposeMapMap
        | transposeTranspose
    ),
)
_sums = normalize(mapJoin | separateSumVH | transposeMapMap)
_dots = normalize(try_(reduceMapFusion >> tidy) >> try_(weightsAsProducts) >> separateDotVH)
_writtenOut = normalize(sumWrittenOut | weightsWrittenOut | idxMap | simplify)
#: separate stencils, so that the sum of each column is computed once for all windows that contain the column
separate: Strategy = named(
    "separate", byLines >> _sums >> _dots >> byLines >> normalize(shareInWindows) >> _writtenOut
)
_onTheWay = normalize(where(streamsMap) >> argument(mapToMapStream) | where(isOverStream) >> mapToMapStream)


def lower(*outer: Level, borders: bool = True, prefetch: bool = True) -> Strategy:
    """Lower the remaining maps to loops; those over streams of windows consume them in order.

    `borders` and `prefetch` are changes of loops that the target is allowed to make. Fails if windows of lines are kept
    in a ring buffer but not consumed in order; others are then read at their places.
    """
    changes = allowChanges(borders, together=False, prefetch=prefetch)
    return Write((*outer, inOrder)) >> _onTheWay >> LeaveUntaken() >> ringsInOrder >> changes


#: compute each stencil as it is written, one after the other, over the whole image
naive: Strategy = named("naive", fuse >> lower())
_passes = normalize(where(isOverWindows) >> mapFission >> argument(slideFission >> argument(toMemLocal)))
#: compute each stencil in two passes over the whole image: sums of columns, then sums of these along rows
separated: Strategy = named("separated", separate >> try_(_passes) >> lower())
#: compute both passes line by line
scanline: Strategy = named("scanline", separate >> lower())
_rings = normalize(where(isOfLines) >> slideToCircularBuffer(0) | bufferMap)
#: keep the lines that windows share in ring buffers, each computed when it is first read
cbuf: Strategy = named("cbuf", separate >> _rings >> lower())
#: like `cbuf`, and keep what windows of a line share in rotating registers
cbufRot: Strategy = named("cbufRot", separate >> _rings >> normalize(slideToRotateValues) >> lower())
#: read components of constructed pairs and arrays directly
_reads = normalize(where(isCallWithView) >> betaReduction | simplify | idxZip | idxMakeArray | unzipZip)
_columns = where(isOverLines) >> mapped(body(topDown(where(isOfColumns) >> slideToRotateValues)))
_lineBuffers = normalize(_columns) >> normalize(slideToLineBuffer)
#: compute all stencils in one loop, with each element of the next line computed when its column is read
lines: Strategy = named("lines", _lineBuffers >> normalize(slideToRotateValues) >> _reads)


@named
def linesOnVectors(lanes: int) -> Strategy:
    """Compute rows of any length as vectors of `lanes` numbers, the last of which may overrun."""
    check_sizes(lanes=lanes)
    rows = where(isOverWindows) >> mapped(body(vectorizeRoundUpAfter(lanes)))
    moves = (
        vectorsOfMap
        | vectorsOfWindows
        | transposeTranspose
        | shareInWindows
        | where(readsAsVectors, roots=[("map", 2)]) >> mapFusion
        | simplify
    )
    return topDown(rows) >> normalize(moves)


@named
def strips(size: int) -> Strategy:
    """Split an image into strips of `size` lines, each with the lines above and below that its windows read."""
    check_sizes(2, size=size)
    moves = (
        splitSlide(size)
        | splitMap
        | where(isStrips, roots=[("slide", 1)]) >> (slideMap | slideBeforeSlide)
        | padEmptySlide
        | padEmptyMap
        | simplify
        | where(isMapOfMap, roots=[("map", 2)]) >> mapFusion
    )
    tiles = splitJoinEmpty(size) >> argument(argument(normalize(moves) >> normalize(padEmptyToClamp)))
    return topDown(where(isOverWindows) >> tiles)


@named
def vectorised(
    lanes: int | None = None,
    borders: bool = True,
    prefetch: bool = True,
    machine: Processor | str = DEFAULT,
) -> Strategy:
    """Compute all stencils in one loop over lines and vectors of `lanes` numbers, in ring buffers and registers.

    `lanes` defaults to those of `machine`, a processor or its name.
    """
    lanes = size_or_default(lanes, vector_lanes(machine_of(machine)))
    return separate >> linesOnVectors(lanes) >> lines >> lower(borders=borders, prefetch=prefetch)


@named
def parallel(
    lanes: int | None = None,
    size: int = STRIP_LINES,
    borders: bool = True,
    prefetch: bool = True,
    machine: Processor | str = DEFAULT,
) -> Strategy:
    """Like `vectorised`, for strips of `size` lines on threads, and images of any height and width."""
    lanes = size_or_default(lanes, vector_lanes(machine_of(machine)))
    loops = lower(PAR, borders=borders, prefetch=prefetch)
    return separate >> strips(size) >> linesOnVectors(lanes) >> lines >> loops
