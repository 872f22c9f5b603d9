"""Places in a program where a schedule is applied: the loops around the remaining product, and simplification there.

Depends on products, but not on steps.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from elevate import Strategy, child, named, normalize, topDown, try_, where
from rise.records import dataclass
from rise.terms import App, Bound, Expr, Lam, spine
from strategies.fireiron.recognition import isElementNest, numbers_of
from strategies.fireiron.specs import Spec
from strategies.fireiron.steps import EpilogStep
from strategies.lowering.levels import Level
from strategies.lowering.positions import fold_body
from strategies.lowering.predicates import isViewFunction
from strategies.parts.nests import simplify, tidy
from strategies.parts.product_chains import PAIRED, inSecondProduct
from strategies.parts.products import isNest
from strategies.rules.accumulators import fragmentOfLet, fragmentOfMatrix, joinOfLet, mapOfLet, splitOfLet
from strategies.rules.cpu import splitJoinCancel
from strategies.rules.functions import betaReduction, isCheap
from strategies.rules.fusion import mapFusion, zipMapFst, zipMapSnd
from strategies.rules.movement import joinSplit, transposeTranspose
from strategies.rules.staging import isMatrixLoop, nameLoop
from strategies.rules.tensor_cores import constantFragment
from strategies.rules.zips import zipSwap
from strategies.vocabulary.traversals import argument, body


def namesView(e: Expr) -> bool:
    """A term that names a view of a variable, or of a part of one, by a call; reading it again costs nothing."""
    if not isinstance(e, App) or not isinstance(e.fun, Lam):
        return False
    array = e.arg
    while isinstance(array, App) and isViewFunction(array.fun):
        array = array.arg
    return array is not e.arg and isCheap(array)


#: remove tilings that undo each other; keep the order of loops
cancelTiles: Strategy = named(
    "cancelTiles",
    normalize(
        simplify
        | where(namesView) >> betaReduction
        | mapOfLet
        | splitOfLet
        | joinOfLet
        | splitJoinCancel
        | transposeTranspose
        | joinSplit
        | mapFusion
        | zipMapFst
        | zipMapSnd
    ),
)
#: remove matrices between fragments
cancelFragments: Strategy = named(
    "cancelFragments",
    normalize(
        simplify
        | mapOfLet
        | fragmentOfLet
        | mapFusion
        | zipMapFst
        | zipMapSnd
        | fragmentOfMatrix
        | constantFragment
    ),
)


def isSingleNumber(e: Expr) -> bool:
    """A number."""
    return numbers_of(e, 0) is not None


def isNumberLoop(e: Expr) -> bool:
    """A map that computes the numbers of a row."""
    return numbers_of(e, 1) is not None


def isOpenReduction(e: Expr) -> bool:
    """A reduction in any order."""
    return e.root == ("reduce", 3)


#: a loop that adds to an array of sums
isSumLoop: Final = where(isMatrixLoop)
#: maps and zips of arrays
OVER_ARRAYS: Final = frozenset((("map", 2), *PAIRED))
#: nests of maps that compute numbers, by the number of maps
NUMBERS: Final = (where(isSingleNumber), where(isNumberLoop), where(isElementNest))


def isOverSums(e: Expr) -> bool:
    """The array of sums of a loop, or views, maps and zips of it."""
    waiting = [e]
    while waiting:
        array = waiting.pop()
        if isMatrixLoop(array):
            return True
        if array.root in OVER_ARRAYS or (isinstance(array, App) and isViewFunction(array.fun)):
            waiting += [one for one in spine(array)[1] if isinstance(one, Expr)]
    return False


def isMapOverSums(e: Expr) -> bool:
    """A map over sums, or over views, maps and zips of them."""
    return e.root == ("map", 2) and isOverSums(e)


def readsSumsSecond(e: Expr) -> bool:
    """A nest over the zip of rows of a factor and rows of sums, in this order."""
    match spine(e)[1]:
        case [Lam(body=App(arg=App() as both) as nest), _] if nest.root == ("map", 2) and both.root == (
            "zip",
            2,
        ):
            sums = spine(both)[1][0]
        case _:
            return False
    return (
        isinstance(sums, App)
        and sums.root == ("snd", 1)
        and isinstance(sums.arg, Bound)
        and sums.arg.index == 0
    )


#: read the sums of a nest before the rows of its factor
sumsFirst: Strategy = named(
    "sumsFirst", try_(where(readsSumsSecond) >> argument(zipSwap) >> mapFusion >> tidy)
)


@dataclass(frozen=True, slots=True)
class Place:
    """The place of a schedule in a program: how often each loop over parts of the sum has its accumulators tiled, and
    the levels of tiles.

    `spec` is the specification before all steps, `flat` are the kinds of units that are numbered on one dimension,
    `sums` the move of the sums to the result; `named` is the number of loops around the name of the first product of a
    chain, None without one; `in_parts` says whether a reduction consists of parts already, `in_rows` whether the
    innermost loop reads a row of each factor, for one product of each sum; `threads` how many threads of a block reduce
    parts, `held` how often sums are tiled before the first loop, so that their moves are inside of these tiles;
    `stages_tiles` says whether they then go through shared memory.
    """

    spec: Spec
    loops: tuple[int, ...] = ()
    unrolled: tuple[bool, ...] = ()
    levels: tuple[Level, ...] = ()
    width: int = 0
    flat: frozenset[str] = frozenset()
    epilog: EpilogStep | None = None
    sums: Spec | None = None
    named: int | None = None
    has_fragments: bool = False
    is_element: bool = False
    in_parts: bool = False
    in_rows: bool = False
    threads: int = 1
    held: int = 0
    stages_tiles: bool = False

    def at(self, inner: Strategy) -> Strategy:
        """Apply a strategy to the remaining nest."""
        if not self.unrolled and self.spec.kind.multiplies:
            return self.within(0, topDown(isNest >> inner))
        if self.in_parts:
            return topDown(where(isOpenReduction) >> inner)
        return self.within(len(self.loops), topDown(self.elements >> inner))

    def within(self, number: int, inner: Strategy) -> Strategy:
        """Apply a strategy in the body of `number` nested loops over parts of the sum, and there in what reads the
        first product of a chain, unless this is named further inside.
        """
        for count in range(number, -1, -1):
            inner = inSecondProduct(inner) if count == self.named else inner
            inner = topDown(isSumLoop >> fold_body(inner)) if count else inner
        return inner

    def besides(self, inner: Strategy) -> Strategy:
        """Apply a strategy to all of the program except the first product of a chain, and loops around its name."""
        return self.within(self.named or 0, inner)

    @property
    def elements(self) -> Strategy:
        """A nest of maps that compute the numbers of the result."""
        return NUMBERS[len(self.spec.shape)]

    def loop(self, number: int, inner: Strategy) -> Strategy:
        """Apply a strategy to the loop with this number, outermost first."""
        return self.within(number, topDown(isSumLoop >> inner))

    def function(self, inner: Strategy) -> Strategy:
        """Apply a strategy to the function of sums, outermost first, and not to the sums; fails if there is none."""
        function = inner | child(0)(topDown(inner))
        apart = nameLoop >> child(0)(body(function)) >> betaReduction
        return self.within(0, topDown(where(isMapOverSums) >> apart))

    def init(self, inner: Strategy) -> Strategy:
        """Apply a strategy to the initial value of the outermost loop."""
        return self.loop(0, child(0)(child(1)(inner)))


def place_in(place: Place) -> Place:
    """The place inside of the outermost loop."""
    named = None if place.named is None or place.named < 2 else place.named - 1
    return replace(place, loops=place.loops[1:], named=named)


def argumentOfViews(inner: Strategy) -> Strategy:
    """Apply a strategy to the loop below the views of a term."""
    return topDown(isSumLoop >> inner)


def kept_as(place: Place, number: int, rule: Strategy) -> Strategy:
    """Keep the accumulator of the loop with this number in another form, by a rule of `accumulators`."""
    return place.loop(number, rule >> argumentOfViews(fold_body(normalize(betaReduction))))
