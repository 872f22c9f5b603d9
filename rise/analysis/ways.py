"""Translates places in rearranged data: through views, functions of views, functions of indices. Knows no loops."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import SimpleNamespace
from typing import TypeAlias

from rise.indices import left_open
from rise.inference.schemes import sizes_of
from rise.naturals import Nat, const
from rise.primitives import lookup
from rise.primitives.record import Place, Way
from rise.terms import App, Bound, Expr, Lam, Literal, Primitive, spine
from rise.types import IndexType

Guards: TypeAlias = "tuple[tuple[Nat, Nat], ...]"
#: from a place inside a value to its place in the enclosing data, with guards; None if it is not there
Outwards: TypeAlias = "Callable[[Way], tuple[Way, Guards] | None]"


def filled(place: Place, sizes: SimpleNamespace) -> Outwards:
    """The translation through a view with known sizes."""

    def through(way: Way) -> tuple[Way, Guards] | None:
        outer = way[: place.depth]
        guards = () if place.below is None else left_open((place.below(sizes, *outer),))
        return None if guards is None else ((*place.way(sizes, *outer), *way[place.depth :]), guards)

    return through


def first_kept(way: Way, through: Outwards) -> tuple[Way, Guards] | None:
    """The translation through a view of each element."""
    inner = through(way[1:])
    return None if inner is None else ((way[0], *inner[0]), inner[1])


def rearranged(function: Expr) -> Outwards | None:
    """The translation through a function that only rearranges its argument; None for other functions."""
    views: list[Outwards] = []
    e = function.body if isinstance(function, Lam) else function
    while not (isinstance(function, Lam) and isinstance(e, Bound) and e.index == 0):
        head, arguments = spine(e)
        values = [argument for argument in arguments if isinstance(argument, Expr)]
        record = lookup(head.name) if isinstance(head, Primitive) else None
        if not isinstance(head, Primitive) or record is None:
            return None
        if head.name == "map" and values and (inner := rearranged(values[0])) is not None:
            views.append(lambda way, inner=inner: first_kept(way, inner))  # type: ignore[misc]  # one for each
            values = values[1:]
        elif len(record.places) == 1:
            dependent = [argument for argument in arguments if not isinstance(argument, Expr)]
            views.append(filled(record.places[0], sizes_of(record, head.implicits, dependent)))
        else:
            return None
        if not values:
            break
        e = values[-1]
    return lambda way: _composed(views, way)


def _composed(views: Sequence[Outwards], way: Way) -> tuple[Way, Guards] | None:
    guards: Guards = ()
    for view in reversed(views):
        step = view(way)
        if step is None:
            return None
        way, guards = step[0], (*guards, *step[1])
    return way, guards


def generating(indices: Expr) -> Expr | None:
    """The function that generates indices, if they are a `generate`."""
    head, arguments = spine(indices)
    function = arguments[0] if isinstance(head, Primitive) and head.name == "generate" and arguments else None
    return function if isinstance(function, Expr) else None


def value_of(function: Expr, index: Nat) -> Nat | None:
    """The value of a function of an index, if it can be derived."""
    sizes: list[Nat] = []
    e = function.body if isinstance(function, Lam) else function
    while True:
        match e:
            case App(Primitive("fromEnd"), inner) if isinstance(e.type, IndexType):
                sizes.append(e.type.size)
                e = inner
            case Bound(0) if isinstance(function, Lam):
                value = index
                break
            case Primitive("fromEnd", (Nat() as size, *_)):
                sizes.append(size)
                value = index
                break
            case Literal() if isinstance(e.given, IndexType):
                value = const(int(e.value))
                break
            case _:
                return None
    for size in reversed(sizes):
        value = size - 1 - value
    return value
