"""From steps to rewriting: each step becomes a strategy at the product that is left, followed by a comparison of the
specification there with the predicted one.

Uses the parts of strategies for products.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from elevate import Strategy, child, id_, named, normalize, seq, topDown, try_, where
from rise.terms import App, Bound, Expr, Lam, spine
from rise.types import ArrayType
from strategies.fireiron.recognition import HasSpec, isElementNest, isMatrixLoop
from strategies.fireiron.specs import RF, SH, MatMulSpec, Spec
from strategies.fireiron.steps import (
    MMA_SHAPE,
    DoneStep,
    EpilogStep,
    LoadStep,
    MmaStep,
    SplitStep,
    StageStep,
    Step,
    TileStep,
    instruction,
)
from strategies.lowering.levels import SEQ, Level
from strategies.lowering.positions import Write, fold_body, function_body, isViewFunction
from strategies.parts.nests import (
    fuse,
    isolateReductions,
    liftReduction,
    reduceInOrder,
    simplify,
    tidy,
    tileNest,
    tileReduction,
)
from strategies.parts.products import hasProduct, isNest
from strategies.parts.staging import copyByThreads
from strategies.rules.accumulators import (
    FRAGMENT_ACCUMULATORS,
    TILED_ACCUMULATORS,
    fragmentOfLet,
    fragmentOfMatrix,
    mapOfLet,
    moveInTiles,
    nameColumnOperand,
    nameRowOperand,
    splitOfLet,
)
from strategies.rules.cpu import callToLet, splitJoinCancel
from strategies.rules.functions import betaReduction, letToCall
from strategies.rules.fusion import mapFusion, zipMapFst, zipMapSnd
from strategies.rules.lowering import copy, mapToMapSeqUnroll, reduceSeqToUnroll, toMemLocal
from strategies.rules.matrix_products import mulAddToFma
from strategies.rules.movement import joinSplit, transposeTranspose
from strategies.rules.staging import (
    nameFirst,
    nameSecond,
    padRows,
    splitOfJoin,
    toMemShared,
    transposeTwice,
    vectorsOf,
)
from strategies.rules.tensor_cores import constantFragment, tileProductAdd
from strategies.rules.zips import zipSwap
from strategies.vocabulary.traversals import argument

_UNROLLED: Final = Level(mapToMapSeqUnroll)
#: remove tilings that undo each other; keep the order of loops
cancelTiles: Strategy = named(
    "cancelTiles",
    normalize(
        simplify
        | mapOfLet
        | splitOfLet
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
_isLoop: Final = where(isMatrixLoop)
_isElements: Final = where(isElementNest)


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


def inLoops(number: int, inner: Strategy) -> Strategy:
    """Apply a strategy in the body of so many nested loops over parts of a sum."""
    for _ in range(number):
        inner = topDown(_isLoop >> fold_body(inner))
    return inner


@dataclass(frozen=True, slots=True)
class Place:
    """Where a schedule is in a program: the tiles inside each loop over parts of the sum, and the levels of tiles."""

    loops: tuple[int, ...] = ()
    unrolled: tuple[bool, ...] = ()
    levels: tuple[Level, ...] = ()
    width: int = 0
    epilog: EpilogStep | None = None
    has_fragments: bool = False
    is_element: bool = False

    def at(self, inner: Strategy) -> Strategy:
        """Apply a strategy to the product that is left."""
        if not self.loops:
            return topDown(isNest >> inner)
        return inLoops(len(self.loops), topDown(_isElements >> inner))

    def loop(self, number: int, inner: Strategy) -> Strategy:
        """Apply a strategy to the loop with this number, outermost first."""
        return inLoops(number, topDown(_isLoop >> inner))

    def init(self, inner: Strategy) -> Strategy:
        """Apply a strategy to what the outermost loop adds to."""
        return self.loop(0, child(0)(child(1)(inner)))


def strategy_of(start: Spec, trail: Sequence[tuple[Step, Spec]]) -> Strategy:
    """The strategy of a schedule of a product."""
    assert isinstance(start, MatMulSpec)
    parts: list[Strategy] = [fuse, hasProduct, HasSpec(start)]
    place, spec = Place(width=_width(start, trail)), start
    for step, left in trail:
        assert isinstance(left, MatMulSpec)
        place, strategy = _step(place, step, spec, left)
        parts += [strategy, HasSpec(left, place.is_element, str(step))]
        spec = left
    return seq(*parts, _lowered(place))


def _width(start: MatMulSpec, trail: Sequence[tuple[Step, Spec]]) -> int:
    """The threads of a block along its first dimension, if threads have two; 0 if they are warps."""
    spec: Spec = start
    for step, left in trail:
        if isinstance(step, TileStep) and step.unit is not None and step.unit.name == "Thread":
            assert isinstance(spec, MatMulSpec)
            whole, part = (spec.m, step.shape[0]) if step.order == "columns" else (spec.n, step.shape[1])
            return whole // part if isinstance(whole, int) else 0
        spec = left
    return 0


def _step(place: Place, step: Step, spec: MatMulSpec, left: MatMulSpec) -> tuple[Place, Strategy]:
    match step:
        case TileStep():
            return _tile(place, step, spec)
        case LoadStep():
            return place, place.at(_load(place, step, spec))
        case SplitStep():
            return _split(place, step)
        case StageStep():
            raise AssertionError("a product has no such step")
        case EpilogStep():
            return replace(place, epilog=step), isolateReductions >> reduceInOrder
        case MmaStep():
            return _mma(place, spec)
        case DoneStep():
            return _done(place, left)


def levels_of(step: TileStep) -> tuple[Level, ...]:
    """The levels that run the two loops over tiles."""
    if step.unit is None:
        return (_UNROLLED, _UNROLLED) if step.unrolled else (SEQ, SEQ)
    rows, columns = (0, 1) if step.order == "columns" else (1, 0)
    return step.unit.level(rows), step.unit.level(columns)


def _tile(place: Place, step: TileStep, spec: MatMulSpec) -> tuple[Place, Strategy]:
    levels = (*place.levels, *levels_of(step))
    if step.shape == (1, 1) and step.unit is None:
        return replace(place, levels=levels, is_element=True), id_
    rows, columns = step.shape
    after = replace(place, levels=levels, loops=tuple(count + 1 for count in place.loops))
    if not place.loops:
        return after, place.at(tileNest(rows, columns))
    accumulators = [
        place.loop(
            number,
            TILED_ACCUMULATORS[count](rows, columns) >> argumentOfViews(fold_body(normalize(betaReduction))),
        )
        for number, count in enumerate(place.loops)
    ]
    inside = inLoops(
        1, place_in(place).at(tileNest(rows, columns)) >> cancelTiles >> place_in(after).at(sumsFirst)
    )
    zeros = place.init(topDown(_isElements >> tileNest(rows, columns)) >> cancelTiles)
    return after, seq(*accumulators, inside, zeros, cancelTiles)


def place_in(place: Place) -> Place:
    """The place inside of the outermost loop."""
    return replace(place, loops=place.loops[1:])


def argumentOfViews(inner: Strategy) -> Strategy:
    """Apply a strategy to the loop that views of a term read."""
    return topDown(_isLoop >> inner)


def _load(place: Place, step: LoadStep, spec: MatMulSpec) -> Strategy:
    name = nameFirst | nameRowOperand if step.operand == "A" else nameSecond | nameColumnOperand
    if step.location is SH:
        return name >> argument(_shared(place, step, spec)) >> callToLet
    if step.location is RF:
        return name >> argument(copy >> toMemLocal) >> callToLet
    return id_  # `done` makes fragments of factors


def _shared(place: Place, step: LoadStep, spec: MatMulSpec) -> Strategy:
    """Store a factor in shared memory, by its rows or by its columns."""
    columns = step.moved(spec).columns
    assert isinstance(columns, int)
    room = step.room + -(columns + step.room) % step.multiple
    move = copyInTiles(step.move) if step.move else _by_threads(place)
    padded = padRows(room) >> argument(argument(argument(move))) if room else argument(move)
    stored = toMemShared >> padded
    by_columns = (step.operand == "B") != (step.order == "columns")
    return transposeTwice >> argument(stored) if by_columns else stored


def _by_threads(place: Place) -> Strategy:
    return splitOfJoin >> argument(copyByThreads(place.width))


def copyInTiles(steps: Sequence[Step]) -> Strategy:
    """Copy a matrix by the tiles of a move."""
    if not steps:
        return _copied(id_)
    step, *rest = steps
    assert isinstance(step, TileStep), "moves of factors consist of tiles"
    rows, columns = step.shape
    outer, inner = levels_of(step)
    if step.vector:
        each = copy >> outer.map_rule >> function_body(copy >> inner.map_rule)
        return vectorsOf(columns) >> argument(each)
    inside = outer.map_rule >> function_body(inner.map_rule >> function_body(copyInTiles(rest)))
    return moveInTiles(rows, columns) >> argument(argument(inside))


def _copied(inner: Strategy) -> Strategy:
    """Copy a matrix element by element, on one thread."""
    return copy >> SEQ.map_rule >> function_body(copy >> SEQ.map_rule >> function_body(inner))


def _split(place: Place, step: SplitStep) -> tuple[Place, Strategy]:
    after = replace(place, loops=(*place.loops, 0), unrolled=(*place.unrolled, step.unrolled))
    if step.depth == 1:
        return after, place.at(liftReduction)
    return after, inLoops(len(place.loops), tileReduction(step.depth))


def _mma(place: Place, spec: MatMulSpec) -> tuple[Place, Strategy]:
    """Tiles of the shape of an instruction, and the instruction."""
    m, n, k = MMA_SHAPE
    parts: list[Strategy] = []
    if spec.k != k:
        place, split = _split(place, SplitStep(k))
        parts.append(split)
    if (spec.m, spec.n) != (m, n):
        place, tiles = _tile(place, TileStep(m, n), spec)
        parts.append(tiles)
    return replace(place, has_fragments=True), seq(*parts, _fragments(place, k))


def _fragments(place: Place, depth: int) -> Strategy:
    """Matrix instructions for the products of tiles, and their accumulators in fragments in each loop."""
    keep = [
        place.loop(
            number,
            FRAGMENT_ACCUMULATORS[count](depth) >> argumentOfViews(fold_body(normalize(betaReduction))),
        )
        for number, count in enumerate(place.loops)
    ]
    return topDown(tileProductAdd) >> seq(*keep, cancelFragments)


def _done(place: Place, spec: MatMulSpec) -> tuple[Place, Strategy]:
    kind = instruction(spec)
    if kind == "wmma":
        return place, id_ if place.has_fragments else _fragments(place, int(spec.k))
    return place, try_(isolateReductions >> reduceInOrder) >> normalize(mulAddToFma)


def isStoredResult(e: Expr) -> bool:
    """The sums of a block as a matrix of numbers: views and maps around the loop that adds."""
    t = e.type
    if not isinstance(t, ArrayType) or not isinstance(t.element, ArrayType) or e.root == ("toMem", 1):
        return False
    if isinstance(t.element.element, ArrayType):
        return False
    while isinstance(e, App) and (e.root == ("map", 2) or isViewFunction(e.fun)):
        e = e.arg
    return isMatrixLoop(e)


def _lowered(place: Place) -> Strategy:
    """Loops on levels: of the epilog as its moves say, and all others as the tiles say."""
    parts: list[Strategy] = [normalize(letToCall)]
    if place.epilog is not None and place.epilog.init:
        parts.append(place.init(Write((*levels_of_move(place.epilog.init), SEQ))))
    if place.epilog is not None and place.epilog.store:
        parts.append(_stored(place, place.epilog.store))
    parts.append(Write((*place.levels, SEQ)))
    for number in reversed(range(len(place.loops))):
        if place.unrolled[number]:
            parts.append(place.loop(number, reduceSeqToUnroll))
    return seq(*parts)


def levels_of_move(steps: Sequence[Step]) -> tuple[Level, ...]:
    """The levels of the tiles of a move, outermost first."""
    return tuple(level for step in steps if isinstance(step, TileStep) for level in levels_of(step))


def _stored(place: Place, steps: Sequence[Step]) -> Strategy:
    """Move the sums to C: through shared memory, or directly by the units that have them."""
    first, *rest = steps
    if isinstance(first, StageStep):
        copied = copyInTiles(rest) if rest else _by_threads(place)
        room = padRows(first.room) if first.room else id_
        return topDown(where(isStoredResult) >> toMemShared >> room >> copied)
    levels = (*levels_of_move(steps), SEQ)
    copies: Strategy = id_
    for number in reversed(range(2 * place.loops[0] + 2)):
        level = levels[min(number, len(levels) - 1)]
        copies = copy >> level.map_rule >> function_body(copies)
    return place.loop(0, copies)
