"""Builds terms that read arrays as vectors, and functions of numbers as functions of vectors. Independent of rules.

An array of numbers is read as `asVector v (padEmpty r xs)`, an array of pairs as the zip of both components, and an
array of short arrays column by column. A function of numbers is applied to vectors, lane by lane, if it consists of
arithmetic only.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from rise.naturals import Nat, const, exact_quotient
from rise.nodes import postorder
from rise.primitives import PROJECTIONS, has_trait
from rise.terms import App, Bound, DepApp, Expr, Lam, Literal, Primitive, apply
from rise.types import ArrayType, FunType, IndexType, PairType, ScalarType, Type, VectorType
from strategies.equations.applications import array_type, element_at, transposed, zip_of
from strategies.equations.builder import primitive_at

MAX_LANE_ELEMENTS: Final = 16  # longer arrays are not read element by element

#: the roots of the terms that `as_vectors` builds
READ_AS_VECTORS: Final = (("asVector", 1), ("transpose", 1), "App")


def lanes_type(t: Any, v: Nat) -> Any:
    """A type with its numbers replaced by vectors; None if it contains vectors or other types."""
    match t:
        case ScalarType():
            return VectorType(v, t)
        case IndexType() | Nat():
            return t
        case ArrayType(size, element):
            inner = lanes_type(element, v)
            return None if inner is None else ArrayType(size, inner)
        case PairType(a, b) | FunType(a, b):
            one, two = lanes_type(a, v), lanes_type(b, v)
            return None if one is None or two is None else type(t)(one, two)
    return None


def on_lanes(function: Expr, v: Nat) -> Expr | None:
    """The same function of vectors; None if it does more than arithmetic, or mentions other variables."""
    if not isinstance(function, Lam) or function.loose or function.free:
        return None
    on_vectors: dict[int, Expr] = {}
    for node in postorder(function):
        if not isinstance(node, Expr):
            continue
        rebuilt = _on_lanes(node, v, on_vectors)
        if rebuilt is None:
            return None
        on_vectors[id(node)] = rebuilt
    return on_vectors[id(function)]


def _on_lanes(node: Expr, v: Nat, parts: dict[int, Expr]) -> Expr | None:
    match node:
        case Bound(index, t):
            given = lanes_type(t, v)
            return None if given is None else Bound(index, given)
        case Lam(name, t, body):
            given = lanes_type(t, v)
            return None if given is None else Lam(name, given, parts[id(body)])
        case App(fun, arg):
            return App(parts[id(fun)], parts[id(arg)])
        case DepApp(fun, argument):
            return DepApp(parts[id(fun)], argument)
        case Literal():
            if isinstance(node.type, IndexType):
                return node
            return App(primitive_at("vectorFromScalar", (v, node.type)), node)
        case Primitive(name, implicits, _):
            is_conversion = len(implicits) > 1
            if not has_trait(name, "parametric") and (is_conversion or not has_trait(name, "lanewise")):
                return None
            given = tuple(lanes_type(implicit, v) for implicit in implicits)
            return None if None in given else primitive_at(name, given)
    return None


def as_vectors(xs: Expr, v: Nat, more: Nat) -> Expr:
    """An array read as vectors of v, followed by `more` unspecified elements."""
    t = array_type(xs)
    match t.element:
        case PairType(a, b):
            return by_parts(xs, t.size, (a, b), lambda part: as_vectors(part, v, more))
        case ArrayType(size, element):
            row = ArrayType(t.size, element)
            inner = as_vectors(Bound(0, row), v, more)
            over_rows = primitive_at("map", (size, row, inner.type))
            return transposed(apply(over_rows, Lam("row", row, inner), transposed(xs)))
        case _:
            return lanes_of(App(DepApp(primitive_at("padEmpty", (t.size, t.element)), more), xs), v)


def lanes_of(xs: Expr, v: Nat) -> Expr:
    """`asVector v xs`."""
    t = array_type(xs)
    return App(DepApp(primitive_at("asVector", (exact_quotient(t.size, v), t.element)), v), xs)


def by_parts(xs: Expr, size: Nat, elements: tuple[Type, Type], read: Callable[[Expr], Expr]) -> Expr:
    """An array of pairs, as the zip of its two components, each read by `read`."""
    first, second = elements
    pairs = PairType(ArrayType(size, first), ArrayType(size, second))
    both = Bound(0, pairs)
    one, two = (read(App(primitive_at(name, (pairs.first, pairs.second)), both)) for name in PROJECTIONS)
    return App(Lam("both", pairs, zip_of(one, two)), App(primitive_at("unzip", (size, first, second)), xs))


def vectors_of(e: Expr) -> tuple[Expr, Nat, Nat] | None:
    """The array, lanes and number of added elements of a term that `as_vectors` built; None for other terms."""
    leaf = e
    while not (isinstance(leaf, App) and isinstance(leaf.fun, DepApp) and leaf.root == ("asVector", 1)):
        match leaf:
            case App(Lam(_, _, body), _):
                leaf = body
            case App(App(Primitive("zip", _, _), one), _):
                leaf = one
            case App(Primitive("transpose", _, _), App(App(Primitive("map", _, _), Lam(_, _, body)), _)):
                leaf = body
            case _:
                return None
    match leaf:
        case App(DepApp(_, Nat() as v), App(DepApp(Primitive("padEmpty", _, _), Nat() as more), _)) if (
            v != const(0)
        ):
            xs = _read_so(e)
            return (xs, v, more) if xs is not None and as_vectors(xs, v, more) == e else None
    return None


def _read_so(e: Expr) -> Expr | None:
    match e:
        case App(DepApp(), App(DepApp(), xs)) | App(Lam(), App(Primitive("unzip", _, _), xs)):
            return xs
        case App(Primitive("transpose", _, _), App(App(Primitive("map", _, _), _), rows)):
            return rows.arg if rows.root == ("transpose", 1) and isinstance(rows, App) else transposed(rows)
    return None


def ahead(windows: Expr, v: Nat, count: Nat) -> Expr:
    """The `count` vectors that start at lanes 0, 1 and so on of a window of two vectors, by components for pairs."""
    t = array_type(windows)
    match t.element:
        case PairType(a, b):
            return by_parts(windows, t.size, (a, b), lambda part: ahead(part, v, count))
        case VectorType(_, element):
            starts = [_from_lane(windows, v, element, lane) for lane in range(int(count.constant or 0))]
            return apply(primitive_at(f"makeArray{len(starts)}", (t.element,)), *starts)
    raise AssertionError(f"no vectors: {t}")


def _from_lane(windows: Expr, v: Nat, element: Any, lane: int) -> Expr:
    """The vector that starts at a lane of the first of two vectors."""
    if lane == 0:
        return element_at(windows, 0)
    numbers = App(primitive_at("asScalar", (v, const(2), element)), windows)
    rest = App(DepApp(primitive_at("drop", (v * 2 - lane, element)), const(lane)), numbers)
    some = App(DepApp(primitive_at("take", (v - lane, element)), v), rest)
    return element_at(App(DepApp(primitive_at("asVector", (const(1), element)), v), some), 0)
