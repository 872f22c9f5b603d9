"""Tiles of stencils of any rank, each with its halo.

Depends on windows and nests, but not on targets.

A tile of windows consists of all windows of a part of the array. A nest is tiled starting from its outermost loop: that
loop is split and moved inside all others, and the next one becomes the outermost loop of a tile's computation.
"""

from __future__ import annotations

from typing import ClassVar

from elevate import Strategy, alltd, id_, named, normalize, try_, where
from elevate.strategy import CHOICE
from rise.records import dataclass
from strategies.lowering.positions import function_body
from strategies.parts.nests import simplify
from strategies.parts.windows import (
    hasSlide,
    isFused,
    isOfComputedRows,
    isOfViews,
    isPadOfAny,
    isSlide,
    keepsWindow,
)
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
    | where(keepsWindow, roots=[("drop", 1)]) >> dropSlide
    | where(keepsWindow, roots=[("take", 1)]) >> takeSlide
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
#: move windows, transpositions and padding to where arrays are read, so that loops over windows apply to `slide` itself
arrange: Strategy = named("arrange", normalize(_views))
#: swap the two outermost loops of a nest
swapStencilLoops: Strategy = named(
    "swapStencilLoops", (columnsFirst | columnsFirstDependent) >> argument(arrange)
)


@dataclass(frozen=True, slots=True)
class MapsOut(Strategy):
    """Move computations on a tile's elements that precede its windows into the loop over tiles."""

    def unfold(self) -> Strategy:
        return slideMap >> argument(self) | where(isSlide)


def inTile(size: int, s: Strategy) -> Strategy:
    """Give each tile of a loop that was split into tiles of `size` the part it needs, then apply a strategy inside."""
    tiles = normalize(splitSlide(size) | _views) >> normalize(padEmptyToClamp)
    return tiles >> argument(alltd(MapsOut())) >> arrange >> mapped(body(s))


def cut(size: int, s: Strategy) -> Strategy:
    """Split a loop into tiles of `size`, the last of which may overrun; then apply a strategy to a tile's loop."""
    return splitJoinEmpty(size) >> argument(argument(inTile(size, s)))


@dataclass(frozen=True, slots=True)
class ViewsOut(Strategy):
    """Move views around the result of an iteration out of the loop."""

    def unfold(self) -> Strategy:
        return try_(function_body(where(isView)) >> mapFission >> argument(self))


@dataclass(frozen=True, slots=True)
class Inwards(Strategy):
    """Move the outermost loop of a nest inside the next `count` loops."""

    count: int

    def unfold(self) -> Strategy:
        return (
            swapStencilLoops >> argument(function_body(Inwards(self.count - 1)) >> ViewsOut())
            if self.count
            else id_
        )


@dataclass(frozen=True, slots=True)
class HaloTile(Strategy):
    """Tile the loops of a stencil, each tile with the border it needs. Built by `haloTile`."""

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
    """Tile the outermost loops of a stencil by these sizes, all loops over tiles outside.

    Any rank is allowed: `haloTile(32)`, `haloTile(8, 8, 32)`. A tile is one array, the part of the input that its
    windows read, so that it can be stored. Each size must divide its loop, which is an obligation if it is not known;
    with `edges`, tiles may overrun, and read the last element again. Apply it to a normal form, where functions are
    eta-expanded: `DFNF >> haloTile(4, 8)`. Fails if there are no windows. Raises StrategyError if an argument is not a
    size.
    """
    check_tiles(sizes)
    return HaloTile(sizes, edges)
