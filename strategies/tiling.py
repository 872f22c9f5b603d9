"""Tiles of any rank, and loops in any order. Depends on nests of maps and reductions, but not on targets.

The loops of a nest are numbered from 1, outermost first. Between two of them there may be views, such as `join`,
through which the inner loop writes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import ClassVar

from elevate import (
    Diagnostic,
    Strategy,
    StrategyError,
    Traversal,
    applyNTimes,
    child,
    id_,
    named,
    normalize,
    repeat,
    seq,
    try_,
    where,
)
from elevate.strategy import CHOICE
from rise.records import dataclass
from rise.terms import App, Expr, Lam
from strategies.lowering.positions import fold_body, function_body
from strategies.lowering.predicates import isCall, isViewFunction
from strategies.parts.nests import push, tidy
from strategies.parts.parameters import check_sizes
from strategies.rules.cpu import sinkReduceSeq, sinkReduceSeqDependent, splitJoinCancel, swapReduceSeq
from strategies.rules.fusion import mapFission, mapFusion, reduceSeqMapFusion
from strategies.rules.movement import columnsFirst, columnsFirstDependent, splitJoin, transposeTranspose
from strategies.rules.reductions import liftReduceSeq, splitReduceSeq
from strategies.vocabulary.traversals import argument, isFunction


def isView(e: Expr) -> bool:
    """A view of an array through which results can be written."""
    return isinstance(e, App) and isViewFunction(e.fun)


def isLet(e: Expr) -> bool:
    """`let v (fun(x => e))`."""
    return e.root == ("let", 2)


def isMapLoop(e: Expr) -> bool:
    """A map with an eta-expanded function that is not only a view."""
    return (
        e.root == ("map", 2)
        and isinstance(e, App)
        and isinstance(e.fun.children[1], Lam)
        and not isViewFunction(e.fun)
    )


def isReduceLoop(e: Expr) -> bool:
    """A reduction in order."""
    return e.root == ("reduceSeq", 3)


def isLoop(e: Expr) -> bool:
    """A map that is not only a view, or a reduction in order."""
    return isMapLoop(e) or isReduceLoop(e)


@dataclass(frozen=True, slots=True)
class OutermostLoop(Strategy):
    """Apply a strategy to the outermost loop that writes a term's result; fails if there is none."""

    inner: Strategy
    traverses: ClassVar[bool] = True

    def unfold(self) -> Strategy:
        return (
            isFunction >> child(0)(self)
            | where(isCall) >> child(0)(child(0)(self))
            | where(isLet) >> argument(child(0)(self))
            | where(isView) >> argument(self)
            | where(isLoop) >> self.inner
        )


@dataclass(frozen=True, slots=True)
class Inside(Strategy):
    """Apply a strategy to the outermost loop in the body of a loop."""

    inner: Strategy

    def unfold(self) -> Strategy:
        below = OutermostLoop(self.inner)
        return where(isMapLoop) >> function_body(below) | where(isReduceLoop) >> fold_body(below)


@dataclass(frozen=True, slots=True)
class Loop(Strategy):
    """Apply a strategy to the loop of a nest with this number."""

    number: int
    inner: Strategy
    curried: ClassVar[bool] = True

    def unfold(self) -> Strategy:
        return OutermostLoop(applyNTimes(self.number - 1)(Inside)(self.inner))


def loop(number: int) -> Traversal:
    """Apply a strategy to the loop of a nest with this number, 1 for the outermost: `loop(2)(s)`."""
    _check(number >= 1, f"expected a loop counted from 1, found {number}", "loop(1) is the outermost")
    return lambda inner: Loop(number, inner)


#: remove views that undo each other
cancel: Strategy = named("cancel", normalize(splitJoinCancel | transposeTranspose))


@dataclass(frozen=True, slots=True)
class Settle(Strategy):
    """Move rearrangements of arrays to where they are read, from a loop inwards; keep the order of loops."""

    def unfold(self) -> Strategy:
        fused = repeat(mapFusion | reduceSeqMapFusion)
        return tidy >> argument(cancel >> push) >> fused >> tidy >> try_(Inside(self))


@dataclass(frozen=True, slots=True)
class InterchangeLoops(Strategy):
    """Swap a loop, a map or a reduction, with the next one inside; views between them move outside."""

    def unfold(self) -> Strategy:
        outside = function_body(where(isView)) >> mapFission >> argument(self)
        swapped = (columnsFirst | columnsFirstDependent) >> argument(settle)
        lifted = liftReduceSeq >> settle
        sunk = (sinkReduceSeq | sinkReduceSeqDependent | swapReduceSeq) >> settle
        return where(isMapLoop) >> (outside | swapped | lifted) | where(isReduceLoop) >> sunk


#: move rearrangements of arrays to where they are read, in every loop of a nest
settle: Strategy = Settle()
#: swap a loop with the next one inside
interchangeLoops: Strategy = InterchangeLoops()


@dataclass(frozen=True, slots=True)
class Reorder(Strategy):
    """Bring the loops of a nest into another order. Built by `reorder`."""

    permutation: tuple[int, ...]

    def unfold(self) -> Strategy:
        swaps = [loop(number)(interchangeLoops) for number in transpositions(self.permutation)]
        return seq(loop(len(self.permutation))(id_), *swaps)

    def show(self, binding: int = CHOICE) -> str:
        return f"reorder({', '.join(map(str, self.permutation))})"


@dataclass(frozen=True, slots=True)
class Tile(Strategy):
    """Tile the loops of a nest, the loops over tiles outside. Built by `tile`."""

    sizes: tuple[int, ...]

    def unfold(self) -> Strategy:
        rank = len(self.sizes)
        cuts = [
            loop(number)(splitJoin(size) >> argument(settle))
            for number, size in reversed(list(enumerate(self.sizes, start=1)))
        ]
        return seq(*cuts, reorder(*range(1, 2 * rank, 2), *range(2, 2 * rank + 1, 2)))

    def show(self, binding: int = CHOICE) -> str:
        return f"tile({', '.join(map(str, self.sizes))})"


def transpositions(permutation: tuple[int, ...]) -> Iterator[int]:
    """Yield the numbers of the loops to swap with the next one inside, in sequence, to reach this order."""
    order = sorted(permutation)
    for place, wanted in enumerate(permutation):
        for number in range(order.index(wanted), place, -1):
            order[number - 1], order[number] = order[number], order[number - 1]
            yield number


def reorder(*permutation: int) -> Strategy:
    """Bring the outermost loops of a nest into this order, as `reorder(1, 2, 5, 3, 6, 4)`: the fifth becomes the third.

    Swapping maps with maps, or reductions with maps, does not change the order of summation. Swapping two reductions
    does, and the derivation says so. Raises StrategyError if the arguments are not a permutation.
    """
    wanted = list(range(1, len(permutation) + 1))
    _check(
        bool(permutation) and sorted(permutation) == wanted,
        f"expected each of {_listed(wanted or [1, 2])} once, found {_listed(permutation) or 'nothing'}",
        "number the loops by their current order, outermost first: reorder(2, 1) swaps two",
    )
    return Reorder(permutation)


def tile(*sizes: int) -> Strategy:
    """Tile the outermost loops of a nest of maps by these sizes, all loops over tiles outside.

    Any rank is allowed: `tile(32)`, `tile(32, 32)`. Each size must divide its loop; if the loop's size is not known,
    this is an obligation of the derived program. Raises StrategyError if an argument is not a size.
    """
    check_tiles(sizes)
    return Tile(sizes)


def check_tiles(sizes: tuple[object, ...]) -> None:
    """Raise StrategyError unless these are sizes of tiles; users may pass any objects."""
    _check(
        bool(sizes) and all(isinstance(size, int) and size >= 1 for size in sizes),
        f"expected sizes of tiles, integers >= 1, found {_listed(sizes) or 'none'}",
        "pass one for each loop, outermost first: tile(32, 32)",
    )


@named
def splitReduction(depth: int) -> Strategy:
    """Split a sequential reduction into a loop over blocks of `depth` and one inside a block; the order stays."""
    check_sizes(depth=depth)
    return splitReduceSeq(depth) >> settle


def _check(holds: bool, title: str, hint: str) -> None:
    if not holds:
        raise StrategyError(Diagnostic(code="loops", title=title, hint=hint))


def _listed(items: Iterable[object]) -> str:
    return ", ".join(map(repr, items))
