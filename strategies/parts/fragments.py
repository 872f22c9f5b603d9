"""Converts tiles of products to fragments, and distributes their epilogues over lanes.

Independent of levels above a warp.

An epilogue is what is computed from a product: a function of each element and of other values at the same position. If
all numbers have the same type, the epilogue is computed on fragments; otherwise by lanes, on the elements that they are
known to hold, or from shared memory if that is not known. In the latter case, lanes also combine sums with one number
per row or column, since fragments with repeated numbers cannot be loaded.
"""

from __future__ import annotations

from typing import Any, ClassVar

from elevate import Predicate, Strategy, alltd, named, normalize, sometd, topDown, where
from rise.hardware import family_of, is_by_rows, is_known, share_of_lane
from rise.indices import is_multiple
from rise.naturals import const
from rise.nodes import postorder
from rise.records import dataclass
from rise.terms import DepLam, Expr, Lam, occurs, spine
from rise.types import ArrayType, FragmentType
from strategies.parts.nests import tidy
from strategies.parts.parameters import check_shape, check_sizes, check_switches, types_of
from strategies.parts.products import called, inLoop
from strategies.rules.fusion import mapFissionZip
from strategies.rules.gpu import mapToMapLane
from strategies.rules.lowering import copy, mapToMapSeqUnroll, toMemLocal
from strategies.rules.staging import toMemShared
from strategies.rules.tensor_cores import (
    besideColumn,
    besideRow,
    constantFragment,
    fragmentLoop,
    fragmentLoopNested,
    inLanes,
    mapFragmentOut,
    nameLoad,
    nameLoadedArray,
    repeatColumn,
    storeTogether,
    tileProductAdd,
    tileProductAddPlain,
    tileProductAddRounded,
    zipFragmentOut,
)
from strategies.vocabulary.traversals import argument, body, mapped

_exact = tileProductAdd | tileProductAddPlain
_loops = fragmentLoop | fragmentLoopNested | constantFragment
#: turn tiles of products into fragments that stay in registers across loops; fails if there is no product
multiplyFragments: Strategy = named(
    "multiplyFragments", topDown(_exact) >> normalize(_exact | _loops) >> tidy
)
#: as `multiplyFragments`, for products of f32, whose factors are rounded to tf32
multiplyRounded: Strategy = named(
    "multiplyRounded", topDown(tileProductAddRounded) >> normalize(tileProductAddRounded | _loops) >> tidy
)


def _combined(e: Expr) -> list[Any]:
    """The arrays that an epilogue combines, the product first."""
    xs = spine(e)[1][1] if e.root == ("map", 2) else e
    return spine(xs)[1] if isinstance(xs, Expr) and xs.root == ("zip", 2) else []


def hasKnownLanes(e: Expr) -> bool:
    """A map over a product zipped with other arrays, if the hardware specifies which sums each lane holds."""
    match _combined(e):
        case [Expr(root=("asMatrix", 1)) as product, _]:
            fragment = spine(product)[1][0]
            assert isinstance(fragment, Expr), fragment
            t = fragment.type
            assert isinstance(t, FragmentType), t
            m, n, k = (size.constant or 0 for size in (t.rows, t.columns, t.depth))
            return is_known((m, n, k))
    return False


def repeatsNumbers(e: Expr) -> bool:
    """A map over a product zipped with other arrays, if a function in one of these ignores its argument.

    A fragment of a repeated vector is loaded with a stride of 0, but instructions require at least a whole line, unless
    each lane can load the numbers that it is known to hold (PTX ISA, `wmma.load`).
    """
    return any(
        isinstance(node, Lam) and not occurs(node.body)
        for array in _combined(e)[1:]
        for node in postorder(array)
    )


#: combine a result with a vector of one number per row, repeated as a matrix
columnOut: Strategy = named("columnOut", besideColumn >> tidy >> repeatColumn)
_matrixOut = where(lambda e: hasKnownLanes(e) or not repeatsNumbers(e)) >> zipFragmentOut
_columnOut = where(hasKnownLanes) >> columnOut
#: compute epilogues of products in fragments, if all numbers have the fragments' type and can be loaded into fragments
epilogueInFragments: Strategy = named(
    "epilogueInFragments", normalize(constantFragment | _matrixOut | _columnOut | mapFragmentOut) >> tidy
)

_loadsOut = normalize(mapped(body(nameLoad)) >> mapFissionZip >> tidy)
_keepLoads = nameLoadedArray >> argument(toMemLocal)
_keepBoth = _keepLoads >> called(_keepLoads)
#: load each factor of a nest of maps once, before the nest, and keep it in registers
loadFirst: Strategy = named("loadFirst", _loadsOut >> inLoop(_keepBoth))


def isNestOfProducts(e: Expr) -> bool:
    """Two maps that compute products of matrices in fragments."""
    for _ in range(2):
        function = spine(e)[1][0] if e.root == ("map", 2) else None
        if not isinstance(function, Lam):
            return False
        e = function.body
    return e.root == ("tensorMatMulAdd", 3)


#: load each factor of the innermost nests of maps once, before the nest, and keep it in registers
loadBeforeNest: Strategy = named("loadBeforeNest", topDown(where(isNestOfProducts) >> _loadsOut >> _keepBoth))


def isStoredTile(e: Expr) -> bool:
    """A matrix made from a fragment and not stored yet."""
    return e.root == ("asMatrix", 1)


def isEpilogue(e: Expr) -> bool:
    """A map over the rows of a matrix made from a fragment, perhaps zipped with other arrays."""
    if e.root != ("map", 2):
        return False
    xs = spine(e)[1][1]
    while isinstance(xs, Expr) and xs.root == ("zip", 2):
        xs = spine(xs)[1][0]
    return isinstance(xs, Expr) and isStoredTile(xs)


@dataclass(frozen=True, slots=True)
class HasWholeVectors(Predicate):
    """Holds for a program that returns rows whose length is known to be a multiple of `width`."""

    width: int
    roots: ClassVar[None] = None
    depth: ClassVar[None] = None

    def holds(self, term: Any) -> bool:
        while isinstance(term, Lam | DepLam):
            term = term.body
        t = term.type
        while isinstance(t, ArrayType):
            if not isinstance(t.element, ArrayType):
                return is_multiple(t.size, const(self.width))
            t = t.element
        return False


@named
def epilogueByLanes(m: int = 16, n: int = 8, k: int = 16, edges: int = 0) -> Strategy:
    """Compute the epilogue of products of a shape by the lanes of a warp: any function of numbers of any types.

    Sums stay in registers if the instruction specifies which lanes hold them; otherwise they go through shared memory.
    Each lane stores adjacent numbers together; with `edges`, only if the rows of the result consist of whole vectors.
    With `edges`, lanes also store results without an epilogue, since a fragment can only be stored as a whole. Raises
    StrategyError if no instruction has the shape.
    """
    check_sizes(m=m, n=n, k=k)
    check_switches(edges=edges)
    family = family_of((m, n, k))
    check_shape(m, n, k, family, rounded=int(not types_of((m, n, k), family)))
    width = share_of_lane((m, n, k))[2]
    if width == 1:
        return _byLanes((m, n, k), mapToMapSeqUnroll, edges)
    together = _byLanes((m, n, k), storeTogether(width), edges)
    apart = _byLanes((m, n, k), mapToMapSeqUnroll, edges)
    return HasWholeVectors(width) >> together | apart if edges else together


def _byLanes(shape: tuple[int, int, int], store: Strategy, edges: int) -> Strategy:
    """Like `epilogueByLanes`, with a strategy for the map over adjacent numbers."""
    rows, lanes, width = share_of_lane(shape)
    keep = toMemLocal if is_by_rows(shape) else toMemShared
    onLanes = mapToMapLane(0) >> mapped(body(mapToMapSeqUnroll >> mapped(body(store))))
    inside = argument(argument(argument(argument(argument(onLanes)))))
    onLane = besideRow >> tidy >> inLanes(rows, lanes, width) >> inside >> alltd(where(isStoredTile) >> keep)
    each = where(isEpilogue) >> onLane
    copied = where(isStoredTile) >> copy >> mapped(body(copy)) >> onLane
    return sometd(each | copied if edges else each)
