"""Applies primitives to typed terms, for rules that compute their right side. Depends on types, but not on rules."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rise.naturals import Nat, const
from rise.terms import App, DepApp, Expr, Lam, Primitive, apply, make_literal, spine
from rise.types import ArrayType, IndexType, PairType
from strategies.equations.builder import primitive_at


def array_type(xs: Expr) -> ArrayType:
    """The type of an array."""
    assert isinstance(xs.type, ArrayType), xs
    return xs.type


def operands(e: Expr) -> list[Any]:
    """The arguments of a primitive."""
    return list(spine(e)[1])


def map_of(function: Lam, xs: Expr) -> Expr:
    """`map function xs`."""
    t = array_type(xs)
    return apply(primitive_at("map", (t.size, t.element, function.body.type)), function, xs)


def zip_of(xs: Expr, ys: Expr) -> Expr:
    """`zip xs ys`."""
    t = array_type(xs)
    return apply(primitive_at("zip", (t.size, t.element, array_type(ys).element)), xs, ys)


def element_at(xs: Expr, index: int) -> Expr:
    """`idx index xs`."""
    t = array_type(xs)
    return apply(primitive_at("idx", (t.size, t.element)), make_literal(index, IndexType(t.size)), xs)


def transposed(xs: Expr) -> Expr:
    """`transpose xs`."""
    t = array_type(xs)
    assert isinstance(t.element, ArrayType)
    return App(primitive_at("transpose", (t.size, t.element.size, t.element.element)), xs)


def projected(e: Expr, path: Iterable[str]) -> Expr:
    """A component of nested pairs: `fst` and `snd` applied in this order."""
    for side in path:
        assert isinstance(e.type, PairType), e
        e = App(primitive_at(side, (e.type.first, e.type.second)), e)
    return e


def pair_of(first: Expr, second: Expr) -> Expr:
    """`pair first second`."""
    return apply(primitive_at("pair", (first.type, second.type)), first, second)


def windows_of(size: Nat, count: Nat, xs: Expr) -> Expr:
    """All `count + 1` windows of `size` elements."""
    return App(DepApp(DepApp(primitive_at("slide", (count, array_type(xs).element)), size), const(1)), xs)


def elements_of(xs: Expr) -> list[Expr] | None:
    """The elements of an array literal, `[a, b, c]`; None for other arrays."""
    head, arguments = spine(xs)
    elements = [e for e in arguments if isinstance(e, Expr)]
    if isinstance(head, Primitive) and head.name == f"makeArray{len(elements)}":
        return elements
    return None
