"""Loops over arrays of several axes that compute each number without a loop: one loop over all elements.

The last axis may be short, as for points and the channels of an image; the C compiler vectorises the joined loop
whatever the lengths of the axes. Only arrays whose elements are read in the order of memory are joined, so that the
position in one needs no division.
"""

from __future__ import annotations

from collections.abc import Iterator

from elevate import Strategy, named, normalize, try_, where
from rise.primitives import PROJECTIONS
from rise.records import dataclass
from rise.terms import App, Bound, Expr, Lam, Primitive, mention
from rise.types import FunType
from strategies.lowering.predicates import hasLoop, head
from strategies.parts.nests import tidy
from strategies.parts.outermost_maps import OutermostMaps
from strategies.rules.lowering import etaAbstraction, holdsArray
from strategies.rules.movement import joinMaps, joinZips
from strategies.vocabulary.traversals import argument


def isNestInOrder(e: Expr) -> bool:
    """A nest of maps that computes numbers from elements of arrays in the order of memory, without inner loops."""
    match e:
        case App(App(Primitive("map"), App(Primitive("map"), inner)), xs):
            return _is_in_order(xs) and _has_numbers(inner)
        case App(App(Primitive("map"), Lam(_, _, App(App(Primitive("map"), inner), row))), xs):
            is_closed = not inner.mentions & mention(0)
            return is_closed and _is_part(row, of_row=True) and _is_in_order(xs) and _has_numbers(inner)
    return False


def _has_numbers(function: Expr) -> bool:
    """A function that computes a number without a loop, or numbers by nests of maps."""
    while True:
        match function:
            case App(Primitive("map"), inner) | Lam(_, _, App(App(Primitive("map"), inner), _)):
                function = inner
            case Lam(_, _, body):
                return not holdsArray(body.type) and not hasLoop(body)
            case _:
                return isinstance(function.type, FunType) and not holdsArray(function.type.result)


def _components(e: Expr) -> Iterator[Expr]:
    """The arrays of which this is a zip, or the array itself."""
    waiting = [e]
    while waiting:
        match waiting.pop():
            case App(App(Primitive("zip"), xs), ys):
                waiting += (ys, xs)
            case component:
                yield component


def _is_part(e: Expr, of_row: bool = False) -> bool:
    """A variable, a component of one, or a zip of such; with `of_row`, only of the innermost variable."""
    for component in _components(e):
        while isinstance(component, App) and head(component) in PROJECTIONS:
            component = component.arg
        if not isinstance(component, Bound) or (of_row and component.index):
            return False
    return True


def _is_in_order(e: Expr) -> bool:
    """Arrays, or joined rows of arrays, whose elements follow each other in memory."""
    waiting = [e]
    while waiting:
        for one in _components(waiting.pop()):
            if one.root == ("join", 1):
                waiting.append(one.children[1])
            elif not _is_part(one):
                return False
    return True


@dataclass(frozen=True, slots=True)
class JoinNest(Strategy):
    """Compute the elements of a nest of maps in one loop; fails if they are not read in order."""

    def unfold(self) -> Strategy:
        return (
            where(isNestInOrder)
            >> try_(etaAbstraction)
            >> joinMaps
            >> normalize(joinZips)
            >> tidy
            >> argument(try_(self))
        )


#: compute the elements of arrays of several axes in one loop each; never fails
joinNests: Strategy = named("joinNests", OutermostMaps(JoinNest()))
