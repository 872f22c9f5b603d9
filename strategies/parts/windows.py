"""Predicates on the windows of a program and the loops over them. Does not rewrite.

A stencil is a map over windows; a two-dimensional stencil is a nest of two maps, one of them over windows.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import Final

from elevate import Predicate, where
from rise.nodes import postorder
from rise.primitives import applied, with_trait
from rise.quotients import is_nonnegative
from rise.scalars import SCALARS
from rise.terms import App, Bound, DepApp, DepLam, Expr, Lam, Primitive, has_primitive, primitives_in, spine
from rise.types import ArrayType, FunType, PairType, ScalarType, Space, Type
from strategies.lowering.predicates import isViewPrimitive
from strategies.vocabulary.traversals import maps_on

#: applied primitives that rearrange the elements of their arguments
SHAPES: Final = applied(with_trait("rearranges"))
#: functions that are undefined for some integers
DIVISIONS: Final = with_trait("divides")
#: loops over blocks of threads
ON_BLOCKS: Final = maps_on("block")


def isSlide(e: Expr) -> bool:
    """`slide n m xs`."""
    return e.root == ("slide", 1)


def hasSlide(e: Expr) -> bool:
    """A program with `slide`."""
    return has_primitive(e, "slide")


def keepsWindow(e: Expr) -> bool:
    """An array that is known to have an element: `slide` gives at least one window, for all sizes."""
    return isinstance(e.type, ArrayType) and is_nonnegative(e.type.size - 1)


def isOfWindows(e: Expr) -> bool:
    """An array of windows, or one in which `zip`, `transpose` and the like rearrange such an array."""
    waiting = [e]
    while waiting:
        node = waiting.pop()
        if isSlide(node):
            return True
        if node.root in SHAPES:
            waiting += [operand for operand in spine(node)[1] if isinstance(operand, Expr)]
    return False


def side_by_side(xs: Expr) -> Iterator[Expr]:
    """The arrays that nested zips combine; any other array by itself."""
    waiting = [xs]
    while waiting:
        node = waiting.pop()
        if node.root == ("zip", 2):
            waiting += [operand for operand in spine(node)[1] if isinstance(operand, Expr)]
        else:
            yield node


def inner(e: Expr) -> Expr | None:
    """The body of a map's function, if it is eta-expanded."""
    if e.root != ("map", 2):
        return None
    function = spine(e)[1][0]
    return function.body if isinstance(function, Lam) else None


def isStencilNest(e: Expr) -> bool:
    """Two nested maps, one of them over windows, that contain no other map over windows."""
    row = inner(e)
    computed = None if row is None else inner(row)
    if row is None or computed is None or isOwn(row):
        return False
    if computed.root == ("map", 2) and not isOwn(computed) and isOfWindows(computed.children[1]):
        return False
    return isOfWindows(e.children[1]) or isOfWindows(row.children[1])


def isOwn(e: Expr) -> bool:
    """A map over the element of the enclosing map itself."""
    return e.root == ("map", 2) and isinstance(e.children[1], Bound) and e.children[1].index == 0


def isStencil(e: Expr) -> bool:
    """A map over windows of numbers that is not a stencil nest."""
    if e.root != ("map", 2) or isStencilNest(e):
        return False
    return isOfWindows(e.children[1]) and not isOfRows(e.children[1])


def isOfRows(e: Expr) -> bool:
    """An array of matrices whose rows have an unknown length, or a zip that contains one."""
    t = e.type
    assert isinstance(t, ArrayType)
    waiting: list[Type] = [t.element]
    while waiting:
        match waiting.pop():
            case PairType(first, second):
                waiting += [first, second]
            case ArrayType(_, ArrayType(size, _)) if size.constant is None:
                return True
            case _:
                continue
    return False


def computes(e: Expr) -> bool:
    """A function or value that does more than rearrange elements."""
    return not all(map(isViewPrimitive, primitives_in(e)))


def isOfViews(e: Expr) -> bool:
    """Windows of a map that only rearranges elements."""
    return isSlide(e) and e.children[1].root == ("map", 2) and not computes(e.children[1].children[0])


def isOfComputedRows(e: Expr) -> bool:
    """A map that takes windows of each row, where the rows are computed."""
    row = inner(e)
    return row is not None and isSlide(row) and computes(row.children[1])


def isFused(e: Expr) -> bool:
    """A map of a map, unless it takes windows of rows that are computed."""
    rows = e.children[1] if e.root == ("map", 2) else e
    row = inner(e)
    return rows.root == ("map", 2) and not (row is not None and isSlide(row) and computes(rows.children[0]))


def isTotal(e: Expr) -> bool:
    """A term that is defined for all numbers: no quotient of integers."""
    return not any(isinstance(node, Primitive) and isIntegerQuotient(node) for node in postorder(e))


def isIntegerQuotient(e: Primitive) -> bool:
    """A quotient or remainder of integers."""
    match e.type:
        case FunType(ScalarType(name)) if e.name in DIVISIONS:
            return "integral" in SCALARS[name].classes
    return False


def isPadOfAny(e: Expr) -> bool:
    """Padding with unspecified elements of a map that may be computed for these, too, or that is not over windows."""
    if e.root != ("padEmpty", 1) or e.children[1].root != ("map", 2):
        return False
    function, xs = spine(e.children[1])[1]
    return isinstance(function, Expr) and isinstance(xs, Expr) and (isTotal(function) or not isOfWindows(xs))


def runsOverWindows(e: Expr) -> bool:
    """A map over windows."""
    return isinstance(e, App) and isOfWindows(e.arg)


def isArrayOfArrays(e: Expr) -> bool:
    """An array of arrays."""
    return isinstance(e.type, ArrayType) and isinstance(e.type.element, ArrayType)


def isBatchOfGrids(e: Expr) -> bool:
    """A program that maps over tiled grids."""
    while isinstance(e, Lam | DepLam) or e.root == ("split", 1):
        e = e.body if isinstance(e, Lam | DepLam) else e.children[1]
    return e.root == ("map", 2)


def hasStencilNest(e: Expr) -> bool:
    """A program with a two-dimensional stencil."""
    return any(isinstance(node, Expr) and isStencilNest(node) for node in postorder(e))


def isBatches(e: Expr) -> bool:
    """Two maps, the inner over the element of the outer, around a two-dimensional stencil."""
    row = inner(e)
    grid = None if row is None or not isOwn(row) else inner(row)
    return grid is not None and hasStencilNest(grid)


def hasKnownTiles(e: Expr) -> bool:
    """A program whose arrays in shared memory have known sizes."""
    for node in postorder(e):
        match node:
            case App(DepApp(Primitive("toMem"), Space("Shared")), stored):
                if not hasKnownSize(stored.type):
                    return False
    return True


def hasKnownSize(t: Type) -> bool:
    """Whether all sizes in a type are numbers."""
    return not t.free and not t.dep_loose


def isBeforeWindows(e: Expr) -> bool:
    """An array that a map computes element by element, with no windows involved."""
    return e.root == ("map", 2) and computes(e) and not hasSlide(e)


beforeWindows: Predicate = where(isBeforeWindows, roots=[("map", 2)])


def storesInsideBlocks(e: Expr) -> bool:
    """A lowered program in which blocks of threads store intermediate arrays in global memory."""
    return storesInside(ON_BLOCKS, e)


def storesInside(
    loops: frozenset[Hashable], e: Expr, spaces: frozenset[Space] = frozenset({Space("Global")})
) -> bool:
    """A lowered program that stores an array in one of `spaces` in the function of one of the maps `loops`."""
    waiting = [(e, False)]
    while waiting:
        node, inside = waiting.pop()
        match node:
            case DepApp(Primitive("toMem"), Space() as space) if inside and space in spaces:
                return True
        if node.root in loops:
            function, xs = node.children
            waiting += [(function, True), (xs, inside)]
        else:
            waiting += [(child, inside) for child in node.children]
    return False
