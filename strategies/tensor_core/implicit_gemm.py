"""Contractions and convolutions on tensor cores, as products of matrices whose elements are found by views.

A convolution is a product of a matrix of windows, with a row for each position, and of one of kernels. The matrices are
not stored: the copies to shared memory read windows from the image, where sizes, strides, dilations and padding become
indices. Groups are a batch. Works for any contraction in normal form (`strategies.parts.contraction_nests`) whose
factors are converted at most.
"""

from __future__ import annotations

from typing import Any

from elevate import Strategy, id_, ifThenElse, lChoice, named, normalize, topDown, where
from elevate.argument_checks import expected_term
from rise.terms import App, Expr, Lam, spine
from strategies.costs.decisions import is_rearrangement
from strategies.gpu import onePerElement
from strategies.gpu_contractions import sumsLeftAcross, sumsRightAcross, sumsToRearrange
from strategies.gpu_kernels import EachKernel
from strategies.parts.contraction_nests import (
    columnsAreOfLeft,
    groups_of,
    isProductOfMatrices,
    matricise,
    normalFormOfSums,
    readyForTiles,
)
from strategies.parts.memory import nameSubterm
from strategies.parts.nests import tidy
from strategies.parts.parameters import check_sizes
from strategies.parts.product_checks import SumsProducts
from strategies.parts.products import isNest
from strategies.rules.functions import betaReduction, fstPair, letToCall, sndPair
from strategies.rules.fusion import mapFission, mapFusion, zipMapFst, zipMapSnd
from strategies.rules.gpu_reductions import reducePartsInto
from strategies.rules.indexing import idxMap
from strategies.rules.let_floating import betaPair
from strategies.rules.lowering import etaAbstraction
from strategies.rules.movement import columnsFirst, mapJoin, splitMap, splitZip, transposeMapMap
from strategies.rules.stencils import padEmptyMap, slideMap
from strategies.sharing import hasNoFold, isCallOfElements, mapsOperation
from strategies.tensor_core.designs import Design, copyAhead, fitting, lowered, multipliesFragments
from strategies.tensor_core.supported_types import HasFactorsOfTensorCores
from strategies.vocabulary.traversals import argument, body, mapped


def isMapOfOperations(e: Any) -> bool:
    """A map that computes its elements, without reductions."""
    return isinstance(e, Expr) and mapsOperation(e) and hasNoFold(e.children[0].children[1])


def isViewOfOperations(e: Expr) -> bool:
    """A view of an array that a map computes."""
    return isinstance(e, App) and isMapOfOperations(e.arg)


def mapsViewOfOperations(e: Expr) -> bool:
    """A map of a view over an array that another map computes."""
    return is_rearrangement(e.children[0].children[1]) and isViewOfOperations(e)


def mapsOperationOfView(e: Expr) -> bool:
    """A map of a function that computes something from a view of its argument."""
    function = spine(e)[1][0]
    match function:
        case Lam(_, _, App(operation, App() as view)) if not operation.mentions & 1 and hasNoFold(operation):
            return is_rearrangement(view) and not is_rearrangement(operation)
    return False


def mapsFunctionOfRows(e: Expr) -> bool:
    """A map over rows whose function is a map of a function with an explicit parameter, without reductions."""
    function = spine(e)[1][0]
    if not isinstance(function, App) or function.root != ("map", 1):
        return False
    return isinstance(function.arg, Lam) and hasNoFold(function) and not is_rearrangement(function)


def readsOperationsByPairs(e: Expr) -> bool:
    """A zip whose first array is computed by a map."""
    return isMapOfOperations(spine(e)[1][0])


def readsOperationsInPairs(e: Expr) -> bool:
    """A zip whose second array is computed by a map."""
    return isMapOfOperations(spine(e)[1][1])


@named
def viewsFirst() -> Strategy:
    """Move views from results of elementwise operations, such as conversions, to what these read."""
    return normalize(
        where(mapsViewOfOperations, roots=[("map", 2)]) >> mapFusion
        | where(isViewOfOperations)
        >> (transposeMapMap | splitMap | mapJoin.inv | slideMap | padEmptyMap | idxMap)
        | where(mapsOperationOfView, roots=[("map", 2)]) >> mapFission
        | where(mapsFunctionOfRows, roots=[("map", 2)]) >> etaAbstraction
    )


#: compute conversions where a product reads its factors
convertInside: Strategy = named(
    "convertInside",
    normalize(
        where(isCallOfElements) >> betaReduction
        | betaPair
        | fstPair
        | sndPair
        | where(isViewOfOperations, roots=[("map", 2)]) >> mapFusion
        | where(readsOperationsByPairs, roots=[("zip", 2)]) >> zipMapFst
        | where(readsOperationsInPairs, roots=[("zip", 2)]) >> zipMapSnd
    ),
)
#: make the rows of a product those of its left factor
rowsOfLeft: Strategy = named("rowsOfLeft", ifThenElse(where(columnsAreOfLeft), topDown(columnsFirst), id_))


def hasRowsAndColumns(e: Expr) -> bool:
    """A contraction in normal form with rows and columns."""
    return groups_of(expected_term(e))[-2:] == [1, 1]


#: name the first contraction of a program, whose other parts read it
nameContraction: Strategy = named("nameContraction", topDown(nameSubterm(sumsToRearrange)))
#: name the first product of a program, a contraction in normal form
nameProduct: Strategy = named("nameProduct", topDown(nameSubterm(normalFormOfSums)))


@named
def sumsInParts(parts: int) -> Strategy:
    """Compute `parts` parts of each sum of a product, as a contraction with one more subscript, and name the result;
    then add the parts of each sum (split-K).
    """
    check_sizes(parts=parts)
    sumInParts = reducePartsInto(parts) >> normalize(splitMap | splitZip | mapFusion) >> tidy
    eachInParts = mapped(body(mapped(body(sumInParts)) >> mapFission)) >> mapFission
    return topDown(isNest >> eachInParts >> argument(matricise)) >> nameProduct


def _why_whole(e: Expr) -> str:
    return "expected a single product for parts of sums, found a batch of products: set the parameter parts=1"


@named
def implicitGemm(
    rows: int = 128,
    columns: int = 128,
    depth: int = 32,
    warp_rows: int = 64,
    warp_columns: int = 64,
    m: int = 16,
    n: int = 8,
    k: int = 16,
    vector: int = 8,
    room: int = 8,
    edges: int = 1,
    stages: int = 1,
    parts: int = 1,
) -> Strategy:
    """Lower a contraction or a convolution to one kernel on tensor cores by `mma.sync`.

    The program is one sum of products of two arrays, in loops over them; these may be read through any views, such as
    windows with a stride, a dilation or padding, and converted. Rows are the subscripts of one array, for a convolution
    images and positions; columns are those of the other one, and the depth is the subscripts of the sum. Subscripts of
    both arrays, such as groups, are the batch. The parameters are those of `mmaSync`. `vector` numbers that follow each
    other in the sum are copied by one instruction if they are known to be adjacent in memory: if channels are
    innermost, and their number is a known multiple of `vector`. With `parts` > 1, which has to divide the length of the
    sums, as many blocks compute a part of each sum, and a second kernel adds the parts: few rows and columns with long
    sums then occupy more of the device (split-K). What is computed from the sums is a kernel of its own.

    Raises StrategyError if the tiles do not fit into each other, into a block or to an instruction.
    """
    check_sizes(parts=parts)
    d = fitting(
        Design(
            "mma",
            (m, n, k),
            rows,
            columns,
            depth,
            warp_rows,
            warp_columns,
            vector=vector,
            room=room,
            edges=edges,
            stages=stages,
        )
    )
    left, right = where(sumsLeftAcross), where(sumsRightAcross)
    product = (
        readyForTiles
        >> SumsProducts(1)
        >> HasFactorsOfTensorCores(m, n, k)
        >> lChoice(
            left >> right >> lowered(d, True, True),
            left >> lowered(d, True, False),
            right >> lowered(d, False, True),
            lowered(d, False, False),
        )
    )
    product = copyAhead(d, product)
    if parts > 1:
        inParts = where(isProductOfMatrices, why=_why_whole) >> sumsInParts(parts)
        product = inParts >> EachKernel(product | onePerElement)
    whole = (
        viewsFirst()
        >> convertInside
        >> matricise
        >> where(hasRowsAndColumns, why=lambda e: "expected subscripts of each array alone in the result")
        >> rowsOfLeft
        >> product
        >> multipliesFragments
    )
    apart = nameContraction >> EachKernel(whole | onePerElement) >> multipliesFragments
    return normalize(letToCall | where(isCallOfElements) >> betaReduction) >> (whole | apart)
