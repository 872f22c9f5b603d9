"""Pipelines of image stencils: separated, by lines, in ring buffers and registers, on vectors and threads.

They are those of "Towards a Domain-Extensible Compiler: Optimizing an Image Processing Pipeline on Mobile CPUs" (CGO
2021), and a step further: all stencils of a pipeline run in one loop. Knows windows of two dimensions and what is
mapped over them, and no filter by name.
"""

from __future__ import annotations

from elevate import Strategy, named, normalize, topDown, try_, where
from rise.naturals import const
from rise.terms import App, Bound, Expr, Lam
from strategies.lowering.levels import PAR, Level
from strategies.lowering.positions import Write
from strategies.parts.nests import fuse, simplify, tidy
from strategies.parts.parameters import check_sizes
from strategies.parts.schedules import allowChanges
from strategies.parts.streams import TAKING, inOrder, isOfStream, ringsInOrder
from strategies.parts.windows import computes, isOfViews, isSlide
from strategies.rules.applications import operands
from strategies.rules.functions import betaReduction, letToCall
from strategies.rules.fusion import mapFission, mapFusion, reduceMapFusion
from strategies.rules.images import (
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
from strategies.rules.weights import sumWrittenOut, weightsWrittenOut
from strategies.rules.zips import unzipZip
from strategies.vocabulary.traversals import argument, body, mapped


def isCallWithView(e: Expr) -> bool:
    """A function called on the spot with an array that is only looked at in another way."""
    return isinstance(e, App) and isinstance(e.fun, Lam) and holdsArray(e.arg.type) and not computes(e.arg)


def isMapOfMap(e: Expr) -> bool:
    """Two maps, one after the other."""
    return e.root == ("map", 2) and e.children[1].root == ("map", 2)


def mapsWindows(e: Expr) -> bool:
    """Two maps, one after the other, over windows, or over one."""
    if not isMapOfMap(e):
        return False
    xs = e.children[1].children[1]
    return isSlide(xs) or isinstance(xs, Bound)


def isOverWindows(e: Expr) -> bool:
    """A map over windows."""
    return e.root == ("map", 2) and isSlide(e.children[1])


def isOverLines(e: Expr) -> bool:
    """Windows of rows."""
    return isSlide(e) and holdsArray(operands(e)[2].type.element)


def isStrips(e: Expr) -> bool:
    """Windows that move by more than an element."""
    return isSlide(e) and operands(e)[1] != const(1)


def readsAsVectors(e: Expr) -> bool:
    """A map that reads each of the rows that another map computes as vectors."""
    function = operands(e)[0] if isMapOfMap(e) else None
    return isinstance(function, Lam) and vectors_of(function.body) is not None


def streamsMap(e: Expr) -> bool:
    """What takes the elements of a map one after the other."""
    return e.root in TAKING and e.children[1].root == ("map", 2)


#: loops over windows of lines, and in each over windows of columns
byLines: Strategy = named(
    "byLines",
    normalize(
        letToCall
        | simplify
        | where(isCallWithView) >> betaReduction
        | where(isOfViews, roots=[("slide", 1)]) >> slideMap
        | where(mapsWindows, roots=[("map", 2)]) >> mapFusion
        | transposeWindow
        | transposeTranspose
    ),
)
_sums = normalize(mapJoin | separateSumVH | transposeMapMap)
_dots = normalize(reduceMapFusion >> tidy >> separateDotVH)
_writtenOut = normalize(sumWrittenOut | weightsWrittenOut | idxMap | simplify)
#: what a window's columns are summed to is computed once for all windows that see a column
separate: Strategy = named(
    "separate", byLines >> _sums >> _dots >> byLines >> normalize(shareInWindows) >> _writtenOut
)
_onTheWay = normalize(where(streamsMap) >> argument(mapToMapStream) | where(isOfStream) >> mapToMapStream)


def lower(*outer: Level, borders: bool = True, prefetch: bool = True) -> Strategy:
    """Loops for all maps that are left: those over windows in order take them as they come.

    `borders` and `prefetch` are what the target is allowed to do with loops. Fails where windows are kept in a ring and
    are not taken in order.
    """
    changes = allowChanges(borders, together=False, prefetch=prefetch)
    return Write((*outer, inOrder)) >> _onTheWay >> ringsInOrder >> changes


#: each stencil as it is written, one after the other, over the whole picture
naive: Strategy = named("naive", fuse >> lower())
_passes = normalize(where(isOverWindows) >> mapFission >> argument(slideFission >> argument(toMemLocal)))
#: two passes over the whole picture for each stencil: sums of columns, then sums of these along rows
separated: Strategy = named("separated", separate >> try_(_passes) >> lower())
#: both passes for each line, one after the other
scanline: Strategy = named("scanline", separate >> lower())
_rings = normalize(where(isOverLines) >> slideToCircularBuffer(0) | bufferMap)
#: the lines that windows share in rings, each computed when it is first seen
cbuf: Strategy = named("cbuf", separate >> _rings >> lower())
#: in each line, what windows share in registers that move on
cbufRot: Strategy = named("cbufRot", separate >> _rings >> normalize(slideToRotateValues) >> lower())
#: numbers that are taken out of what was put together are read where they are
_reads = normalize(where(isCallWithView) >> betaReduction | simplify | idxZip | idxMakeArray | unzipZip)
#: all stencils in one loop: of the next line each element is computed when its column is asked for
lines: Strategy = named("lines", normalize(slideToLineBuffer) >> normalize(slideToRotateValues) >> _reads)


@named
def linesOnVectors(lanes: int) -> Strategy:
    """Compute rows as vectors of `lanes` numbers, whatever their length: the last vectors may run over."""
    check_sizes(lanes=lanes)
    rows = where(isOverWindows) >> mapped(body(vectorizeRoundUpAfter(lanes)))
    inwards = (
        vectorsOfMap
        | vectorsOfWindows
        | transposeTranspose
        | shareInWindows
        | where(readsAsVectors, roots=[("map", 2)]) >> mapFusion
        | simplify
    )
    return topDown(rows) >> normalize(inwards)


@named
def strips(size: int) -> Strategy:
    """Cut a picture into strips of so many lines, each with the lines above and below that its windows see."""
    check_sizes(2, size=size)
    inwards = (
        splitSlide(size)
        | splitMap
        | where(isStrips, roots=[("slide", 1)]) >> (slideMap | slideBeforeSlide)
        | padEmptySlide
        | padEmptyMap
        | simplify
        | where(isMapOfMap, roots=[("map", 2)]) >> mapFusion
    )
    cut = splitJoinEmpty(size) >> argument(argument(normalize(inwards) >> normalize(padEmptyToClamp)))
    return topDown(where(isOverWindows) >> cut)


@named
def vectorised(lanes: int = 16, borders: bool = True, prefetch: bool = True) -> Strategy:
    """All stencils in one loop over lines and vectors of `lanes` numbers: lines in rings, columns in registers."""
    return separate >> linesOnVectors(lanes) >> lines >> lower(borders=borders, prefetch=prefetch)


@named
def parallel(lanes: int = 16, size: int = 32, borders: bool = True, prefetch: bool = True) -> Strategy:
    """The same for strips of `size` lines, on threads. Any height and any width will do."""
    loops = lower(PAR, borders=borders, prefetch=prefetch)
    return separate >> strips(size) >> linesOnVectors(lanes) >> lines >> loops
