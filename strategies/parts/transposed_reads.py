"""Loops that compute each number from a transposed matrix and perhaps other arrays, in tiles. Independent of targets.

Whichever of its two innermost loops is inside, such a nest reads or writes with a stride, one number of each cache line
at a time. A tile consists of one cache line of each of several rows of the matrix. It is copied first, so that each
line is read once and as a whole; then the copy is read along the rows of the result.
"""

from __future__ import annotations

from typing import Any, Final

from elevate import Directed, Strategy, child, id_, named, normalize, sometd, try_, where
from elevate.directed_strategies import Orders
from rise.analysis.reads import numbers_in
from rise.analysis.strides import element_steps
from rise.hardware import Processor
from rise.naturals import UNIT, ZERO, Nat
from rise.nodes import postorder
from rise.records import dataclass
from rise.scalars import SCALARS
from rise.terms import App, Bound, Expr, Var, has_primitive, mention
from rise.types import ArrayType, PairType, ScalarType, Type
from strategies.costs.decisions import is_view
from strategies.lowering.positions import Operands
from strategies.lowering.predicates import hasLoop, isCall, isPartOfVariable, isStored, isWritable
from strategies.parts.loop_order import isFew
from strategies.parts.machine_tiles import transposed_lines
from strategies.parts.nests import simplify
from strategies.parts.parameters import check_sizes
from strategies.parts.register_tiles import inWholeBlocks
from strategies.parts.windows import inner, side_by_side
from strategies.rules.fusion import mapFusion, zipMapFst, zipMapSnd
from strategies.rules.lowering import copy, etaAbstraction, holdsArray, recomputed, toMemLocal
from strategies.rules.movement import (
    columnsFirst,
    columnsFirstDependent,
    splitJoinRest,
    splitMap,
    splitZip,
    takeAll,
    transposeMapInner,
    transposeMapMap,
    transposeRepeated,
    transposeThrice,
    transposeThriceMapped,
    transposeTranspose,
    transposeZip,
)
from strategies.rules.shapes import transposeBeforeSplit
from strategies.rules.zips import dropTranspose, dropZip, takeTranspose, takeZip
from strategies.vocabulary.traversals import argument, body, isAppliedMap, isFunction, mapped

MATRIX: Final = 2  # axes

#: move splits, parts and transpositions to where arrays are read, and transpose last what is transposed
expose: Strategy = named(
    "expose",
    normalize(
        simplify
        | takeAll
        | takeZip
        | dropZip
        | takeTranspose
        | dropTranspose
        | splitZip
        | splitMap
        | transposeBeforeSplit
        | transposeTranspose
        | transposeThrice
        | transposeThriceMapped
        | transposeMapMap
        | transposeMapInner
        | transposeZip
        | transposeRepeated
        | zipMapFst
        | zipMapSnd
        | mapFusion
    ),
)
#: swap the two outermost loops of a nest
swapLoops: Strategy = named("swapLoops", (columnsFirst | columnsFirstDependent) >> argument(expose))


def isTransposedMatrix(e: Expr) -> bool:
    """A transposed matrix of numbers, or a transposed part of one, that is only a view."""
    if e.root != ("transpose", 1) or not is_view(e):
        return False
    t = e.type
    return isinstance(t, ArrayType) and isinstance(t.element, ArrayType) and not holdsArray(t.element.element)


def isTransposedNest(e: Expr) -> bool:
    """Two maps that compute numbers without a loop, from the numbers of a transposed matrix and perhaps others."""
    row = inner(e)
    number = None if row is None else inner(row)
    if row is None or number is None or holdsArray(number.type) or hasLoop(number):
        return False
    reads = e.children[1]
    own = [side for side in side_by_side(row.children[1]) if side.mentions & mention(0)]
    return any(map(isTransposedMatrix, side_by_side(reads))) and all(map(isPartOfVariable, own))


#: copy the parts of transposed matrices that a tile reads, along the rows in memory
copyTransposed: Strategy = named(
    "copyTransposed", argument(sometd(where(isTransposedMatrix) >> argument(copy) >> toMemLocal))
)


@named
def transposedTiles(rows: int, columns: int) -> Strategy:
    """Compute a nest of two maps over a transposed matrix in tiles of rows x columns, and copy what a tile reads of the
    matrix. Remaining rows and columns are computed without copies.
    """
    check_sizes(rows=rows, columns=columns)
    tile = mapped(body(swapLoops >> copyTransposed))
    block = swapLoops >> argument(
        splitJoinRest(columns) >> inWholeBlocks(expose >> tile) >> argument(expose >> swapLoops)
    )
    return where(isTransposedNest) >> splitJoinRest(rows) >> inWholeBlocks(expose >> mapped(body(block)))


def inInnermostLoops(axis: int, axes: int, tiles: Strategy) -> Strategy:
    """Apply a strategy to the two innermost loops of a nest of `axes` maps, after moving the loop over `axis` there."""
    if axes == MATRIX:
        return try_(etaAbstraction) >> mapped(body(try_(etaAbstraction))) >> tiles
    inside = mapped(body(expose >> inInnermostLoops(max(0, axis - 1), axes - 1, tiles)))
    written = try_(etaAbstraction) >> mapped(body(try_(etaAbstraction)))
    return written >> (swapLoops >> argument(inside) if axis == 0 else inside)


def _copyNumbers(axes: int) -> Strategy:
    """State that an array is copied number by number; `recompute` keeps the copies from being removed."""
    return copy >> mapped(body(_copyNumbers(axes - 1))) if axes else recomputed


def widest(e: Expr) -> int:
    """The bytes of the longest numbers among those that a term reads."""
    bits = [8]
    waiting = [node.type for node in postorder(e) if isinstance(node, Bound | Var)]
    while waiting:
        match waiting.pop():
            case ArrayType(_, element):
                waiting.append(element)
            case PairType(first, second):
                waiting += (first, second)
            case ScalarType(name):
                bits.append(SCALARS[name].bits)
    return max(bits) // 8


def sizes_of(t: Type) -> list[Nat]:
    """The sizes of the axes of an array."""
    sizes = []
    while isinstance(t, ArrayType):
        sizes.append(t.size)
        t = t.element
    return sizes


def transposed_axis(e: Expr, rows: int, columns: int) -> int | None:
    """The axis of an array along which a matrix is contiguous in memory that is read with a stride along the last axis;
    None if there is none, if it is known to have fewer than `rows` elements, or the last axis fewer than `columns`.
    """
    sizes = sizes_of(e.type)
    for steps in element_steps(e):
        if len(steps) != len(sizes) or steps[-1].distance in (UNIT, ZERO) or steps[-1].row is not None:
            continue
        for axis, step in enumerate(steps[:-1]):
            if step.distance == UNIT and step.row is None and not isFew(sizes[axis], rows):
                return None if isFew(sizes[-1], columns) else axis
    return None


def transposes(e: Expr) -> bool:
    """Whether a term transposes an array."""
    return has_primitive(e, "transpose")


def repeatsArrays(e: Expr) -> bool:
    """Whether a term repeats an array by `generate`; `element_steps` does not know where its numbers are."""
    return any(
        isinstance(node, App)
        and node.root == ("generate", 1)
        and isinstance(node.type, ArrayType)
        and holdsArray(node.type.element)
        for node in postorder(e)
    )


@dataclass(frozen=True, slots=True)
class TransposedReads(Directed):
    """Compute an array from a transposed matrix and perhaps others in tiles of `lines` cache lines of the matrix, each
    of `line` bytes. Fails for other arrays, for those with fewer than `least` rows, and for those that are
    known to fit into `cache` bytes.
    """

    line: int
    lines: int
    least: int
    cache: int

    def orders(self, term: Any) -> Orders:
        sizes = sizes_of(term.type)
        if len(sizes) < MATRIX or not transposes(term) or repeatsArrays(term):
            return False
        width = widest(term)
        rows = self.line // width
        axis = transposed_axis(term, max(rows, self.least), self.lines)
        if axis is None or isFew(numbers_in(term.type), self.cache // width):
            return False
        nest = expose >> try_(where(is_view) >> _copyNumbers(len(sizes)) >> expose)
        tiles = inInnermostLoops(axis, len(sizes), transposedTiles(rows, self.lines))
        return (yield nest >> tiles >> normalize(recomputed.inv), ()) is not None


def keepsOrder(e: Expr) -> bool:
    """A view through which an array is written in the order of memory, if its own numbers are written in order."""
    return isWritable(e) and e.root != ("transpose", 1)


@dataclass(frozen=True, slots=True)
class OfResults(Strategy):
    """Apply a strategy to the arrays that fill a program's result in the order of memory, as a whole or else in parts,
    and to those that it names; never fails.
    """

    inner: Strategy

    def unfold(self) -> Strategy:
        named_array = isAppliedMap >> self.inner
        stored = argument(where(isStored) >> argument(named_array) | named_array)
        return (
            isFunction >> child(0)(self)
            | where(isCall) >> try_(stored) >> child(0)(child(0)(self))
            | self.inner
            | where(keepsOrder) >> Operands(self)
            | id_
        )


@named
def tileTransposedReads(machine: Processor) -> Strategy:
    """Compute results that read transposed matrices in tiles; never fails."""
    return OfResults(TransposedReads(machine.line, transposed_lines(machine), machine.line_words, machine.l1))
