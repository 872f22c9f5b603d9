"""Strategies that reduce arrays to numbers by several partial results, which vector instructions update together.

Independent of machines: the number of partial results is a parameter (`strategies.parts.machine_tiles`).
"""

from __future__ import annotations

from typing import ClassVar

from elevate import Predicate, Strategy, child, named, normalize, not_, try_, where
from rise.hardware import DEFAULT
from rise.indices import is_multiple
from rise.naturals import const
from rise.nodes import Node
from rise.primitives import has_trait
from rise.records import dataclass
from rise.terms import Expr, Lam, has_primitive, primitives_in
from rise.types import ArrayType
from strategies.lowering.predicates import COMPUTING, hasLoop
from strategies.parts.loop_order import Along, ByRows, isShort, rowByRow
from strategies.parts.nests import reduceInOrder, simplify, simplifyAroundCopies
from strategies.parts.parameters import check_sizes
from strategies.parts.windows import hasSlide
from strategies.rules.lowering import etaAbstraction, holdsArray, toMemLocal
from strategies.rules.movement import constantMap, transposeTranspose
from strategies.rules.reductions import combineRest, halveReduce, liftReduceSeq, stripReduce, stripReduceRest
from strategies.vocabulary.traversals import argument, body, mapped


def hasOnlyMaps(e: Node) -> bool:
    """Whether the only loops of a term are maps."""
    return not isinstance(e, Expr) or not has_primitive(e, *COMPUTING - {"map"})


def mapsReduction(e: Expr) -> bool:
    """A map whose function contains a loop other than a map, and has no explicit parameter: `map(reduce(add, 0.0))`."""
    if e.root != ("map", 2):
        return False
    function = e.children[0].children[1]
    return not isinstance(function, Lam) and not hasOnlyMaps(function)


#: reduce rows together, by one reduction over vectors of partial results
together: Strategy = named(
    "together",
    mapped(reduceInOrder) >> liftReduceSeq >> normalize(simplify | transposeTranspose | constantMap),
)


def fillsStrips(e: Expr) -> bool:
    """A reduction to a number of an array that is not known to be short, where neither the function nor an element
    needs a loop.
    """
    if e.root != ("reduce", 3) or holdsArray(e.type) or hasLoop(e.children[0].children[1]):
        return False
    xs = e.children[1]
    return not isShort(xs.type) and not (xs.root == ("map", 2) and hasLoop(xs.children[0].children[1]))


def readsInOrder(e: Expr) -> bool:
    """A reduction of an array whose elements are read in order, each once, and not at computed indices."""
    if e.root != ("reduce", 3):
        return False
    names = primitives_in(e.children[1])
    return "idx" not in names and not any(has_trait(name, "rereads") for name in names)


def isOfWholeLines(e: Expr) -> bool:
    """A reduction of an array whose size is known to be a multiple of the count of numbers in a cache line."""
    t = e.children[1].type if e.root == ("reduce", 3) else None
    return isinstance(t, ArrayType) and is_multiple(t.size, const(DEFAULT.line_words))


@named
def inHalves(count: int) -> Strategy:
    """Reduce `count` numbers, a power of two, by combining halves, each step a vector operation; the last four one by
    one.
    """
    check_sizes(count=count)
    steps: Strategy = argument(toMemLocal)
    half = 4
    while half < count:
        steps = halveReduce(half) >> argument(try_(where(hasOnlyMaps) >> toMemLocal)) >> child(0)(body(steps))
        half *= 2
    return steps


@named
def toPartialResults(lanes: int) -> Strategy:
    """Reduce an array of any size, read in order, to `lanes` partial results, and reduce these one by one."""
    check_sizes(lanes=lanes)
    rows = argument(together)
    whole = where(isOfWholeLines) >> stripReduce(lanes) >> rows
    parts = stripReduceRest(lanes) >> child(0)(argument(rows))
    return whole | where(readsInOrder) >> parts >> combineRest >> argument(toMemLocal)


@named
def inStrips(lanes: int) -> Strategy:
    """Reduce an array of any size to a number by `lanes` partial results, and combine these in halves."""
    check_sizes(lanes=lanes)
    rest = stripReduceRest(lanes) >> child(0)(argument(argument(together) >> inHalves(lanes)))
    return toPartialResults(lanes) >> inHalves(lanes) | rest


@dataclass(frozen=True, slots=True)
class IsLong(Predicate):
    """A reduction of an array that is known to have at least `least` elements."""

    least: int
    roots: ClassVar[frozenset[object]] = frozenset((("reduce", 3),))
    depth: ClassVar[None] = None

    def holds(self, term: Expr) -> bool:
        t = term.children[1].type
        size = t.size.constant if isinstance(t, ArrayType) else None
        return size is not None and size >= self.least


@named
def partialResults(lanes: int, longer: tuple[tuple[int, int], ...] = ()) -> Strategy:
    """Reduce each of many arrays to a number by `lanes` partial results, which vector instructions update together.
    `longer` has other numbers of partial results, each after the length of arrays from which it is used.

    Reductions that read fewer cache lines together with adjacent ones than one by one stay unchanged.
    """
    strip = inStrips(lanes)
    for length, count in longer:
        strip = IsLong(length) >> inStrips(count) | strip
    strip = where(fillsStrips) >> strip
    writtenOut = where(mapsReduction, roots=[("map", 2)]) >> etaAbstraction
    along = normalize(writtenOut) >> ByRows(rowByRow) >> Along(strip)
    return normalize(simplifyAroundCopies) >> try_(not_(where(hasSlide)) >> along)
