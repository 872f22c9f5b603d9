"""Tiles of stencils of any rank, each with the border that its windows need. Knows windows and nests, no target.

A tile of windows is all windows of a part of the array. A nest is tiled from its outermost loop: that loop is cut, goes
inside of all others, and the next one is the outermost of what a tile computes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from elevate import Strategy, alltd, id_, named, normalize, try_, where
from elevate.strategy import CHOICE
from strategies.lowering.positions import function_body
from strategies.parts.nests import simplify
from strategies.parts.windows import hasSlide, isFused, isOfComputedRows, isOfViews, isPadOfAny, isSlide
from strategies.rules.fusion import mapFission, mapFusion, zipMapFst, zipMapSnd
from strategies.rules.movement import (
    columnsFirst,
    columnsFirstDependent,
    padMap,
    splitJoin,
    splitMap,
    splitZip,
    transposeMapInner,
    transposeMapMap,
    transposeRepeated,
    transposeThrice,
    transposeThriceMapped,
    transposeTranspose,
    transposeZip,
)
from strategies.rules.stencils import (
    dropSlide,
    padEmptyClamp,
    padEmptyConst,
    padEmptyMap,
    padEmptyNothing,
    padEmptySlide,
    padEmptyToClamp,
    padEmptyTranspose,
    padEmptyZip,
    slideFission,
    slideMap,
    splitJoinEmpty,
    splitSlide,
    takeSlide,
    transposeSlides,
    transposeWindows,
    transposeWindowsMapped,
)
from strategies.tiling import OutermostLoop, check_tiles, isView
from strategies.vocabulary.traversals import argument, body, mapped

_views = (
    simplify
    | where(isOfViews, roots=[("slide", 1)]) >> slideMap
    | where(isOfComputedRows, roots=[("map", 2)]) >> slideFission
    | dropSlide
    | takeSlide
    | splitZip
    | splitMap
    | transposeTranspose
    | transposeThrice
    | transposeThriceMapped
    | transposeWindows
    | transposeWindowsMapped
    | transposeSlides
    | transposeMapMap
    | transposeMapInner
    | transposeZip
    | transposeRepeated
    | zipMapFst
    | zipMapSnd
    | padMap
    | padEmptyNothing
    | padEmptyZip
    | where(isPadOfAny, roots=[("padEmpty", 1)]) >> padEmptyMap
    | padEmptySlide
    | padEmptyClamp
    | padEmptyConst
    | padEmptyTranspose
    | where(isFused, roots=[("map", 2)]) >> mapFusion
)
#: windows, transpositions and padding go to where arrays are read; each loop over windows sees the slide itself
arrange: Strategy = named("arrange", normalize(_views))
#: the inner loop of a nest comes outside
swapStencilLoops: Strategy = named(
    "swapStencilLoops", (columnsFirst | columnsFirstDependent) >> argument(arrange)
)


@dataclass(frozen=True, slots=True)
class MapsOut(Strategy):
    """What is computed of a tile's elements before its windows comes into the loop over tiles."""

    def unfold(self) -> Strategy:
        return slideMap >> argument(self) | where(isSlide)


def inTile(size: int, s: Strategy) -> Strategy:
    """Settle a loop that was cut into tiles of `size`: each sees the part it needs; a strategy goes on inside."""
    tiles = normalize(splitSlide(size) | _views) >> normalize(padEmptyToClamp)
    return tiles >> argument(alltd(MapsOut())) >> arrange >> mapped(body(s))


def cut(size: int, s: Strategy) -> Strategy:
    """Cut a loop into tiles of `size`, of which the last one may run over; then apply a strategy to a tile's loop."""
    return splitJoinEmpty(size) >> argument(argument(inTile(size, s)))


@dataclass(frozen=True, slots=True)
class ViewsOut(Strategy):
    """Views around what a loop computes come outside of the loop."""

    def unfold(self) -> Strategy:
        return try_(function_body(where(isView)) >> mapFission >> argument(self))


@dataclass(frozen=True, slots=True)
class Inwards(Strategy):
    """The outermost loop of a nest goes inside of the next `count` ones."""

    count: int

    def unfold(self) -> Strategy:
        return (
            swapStencilLoops >> argument(function_body(Inwards(self.count - 1)) >> ViewsOut())
            if self.count
            else id_
        )


@dataclass(frozen=True, slots=True)
class HaloTile(Strategy):
    """Cut the loops of a stencil into tiles, each with the border it needs. Built by `haloTile`."""

    sizes: tuple[int, ...]
    edges: bool = False
    traverses: ClassVar[bool] = True

    def unfold(self) -> Strategy:
        tiles: Strategy = id_
        for size in reversed(self.sizes):
            inside = Inwards(len(self.sizes) - 1) >> tiles
            whole = splitJoin(size) >> argument(inTile(size, inside))
            tiles = OutermostLoop(cut(size, inside) if self.edges else whole)
        return where(hasSlide) >> arrange >> tiles

    def show(self, binding: int = CHOICE) -> str:
        return f"haloTile({', '.join(map(str, self.sizes))}{', edges=True' if self.edges else ''})"


def haloTile(*sizes: int, edges: bool = False) -> Strategy:
    """Cut the outermost loops of a stencil into tiles of these sizes, all loops over tiles outside.

    Of any rank: `haloTile(32)`, `haloTile(8, 8, 32)`. A tile is one array, the part of the input that its windows
    see, so that it can be stored. Each size must divide its loop, an obligation where that is not known yet; with
    `edges` tiles may run over, and read the last element again. Apply it to a normal form, where functions are
    written out: `DFNF >> haloTile(4, 8)`. Fails where there are no windows. Raises StrategyError for what is no size.
    """
    check_tiles(sizes)
    return HaloTile(sizes, edges)
