"""Conversions of arrays: done where an array is stored, instead of wherever an element is used."""

from __future__ import annotations

from typing import Any, NamedTuple

from rise.nodes import Node, transform
from rise.primitives import PROJECTIONS
from rise.terms import App, Bound, Expr, Lam, Primitive, apply
from rise.types import ArrayType, FunType, PairType, Type, shift_dependent
from strategies.equations.builder import primitive_at
from strategies.equations.rule import rule


def isConversion(e: Expr) -> bool:
    """`cast`, or a map of a conversion."""
    while isinstance(e, App) and e.root == ("map", 1):
        e = e.arg
    return isinstance(e, Primitive) and e.name == "cast"


class _Sides(NamedTuple):
    """The two arrays of a zip, and what is done with a side of every element: `conversion (side p)`."""

    side: str
    conversion: Expr
    first: Expr
    second: Expr


def _sides(body: Expr, zipped: Expr) -> _Sides | None:
    match zipped:
        case App(App(Primitive("zip", _, _), first), second):
            for side in PROJECTIONS:
                conversion = _conversion_of(body, side)
                if conversion is not None:
                    return _Sides(side, conversion, first, second)
    return None


def _conversion_of(body: Expr, side: str) -> Expr | None:
    """The conversion that every use of a side of the innermost variable goes through."""
    found: Expr | None = None
    stack: list[tuple[Expr, int]] = [(body, 0)]
    while stack:
        node, depth = stack.pop()
        if node.loose <= depth:
            continue
        match node:
            case App(conversion, App(Primitive(name, _, _), Bound(index, _))) if (
                name == side and index == depth and isConversion(conversion)
            ):
                if found is not None and found != conversion:
                    return None
                found = conversion
            case App(Primitive(name, _, _), Bound(index, _)) if index == depth and name in PROJECTIONS:
                if name == side:
                    return None
            case Bound(index, _):
                if index == depth:
                    return None
            case Lam(_, _, inner):
                stack.append((inner, depth + 1))
            case _:
                stack.extend((child, depth) for child in node.children)
    return found


def _converted(sides: _Sides) -> Expr:
    """The zip, with the conversion done before."""
    arrays = dict(zip(PROJECTIONS, (sides.first, sides.second), strict=True))
    t = arrays[sides.side].type
    conversion = sides.conversion.type
    assert isinstance(t, ArrayType) and isinstance(conversion, FunType)
    mapper = primitive_at("map", (t.size, conversion.parameter, conversion.result))
    arrays[sides.side] = apply(mapper, sides.conversion, arrays[sides.side])
    elements = [a.type.element for a in arrays.values() if isinstance(a.type, ArrayType)]
    return apply(primitive_at("zip", (t.size, *elements)), *arrays.values())


def _unconverted(body: Expr, sides: _Sides, pair: PairType) -> Expr:
    """The body, where the side comes converted."""

    def visit(node: Node, depth: int, dep_depth: int) -> Node | None:
        match node:
            case App(conversion, App(Primitive(name, _, _), Bound(index, _))) if (
                name == sides.side and index == depth and conversion == sides.conversion
            ):
                return projection(name, depth, dep_depth)
            case App(Primitive(name, _, _), Bound(index, _)) if index == depth and name in PROJECTIONS:
                return projection(name, depth, dep_depth)
        return None if isinstance(node, Expr) else node

    def projection(name: str, depth: int, dep_depth: int) -> Expr:
        made: Expr = shift_dependent(
            App(primitive_at(name, (pair.first, pair.second)), Bound(0, pair)), dep_depth
        )
        assert isinstance(made, App) and isinstance(made.arg, Bound)
        return App(made.fun, Bound(depth, made.arg.given))

    return transform(body, visit, lambda node, depth, dep_depth: node.loose <= depth)


def _element(zipped: Expr) -> PairType:
    t = zipped.type
    assert isinstance(t, ArrayType) and isinstance(t.element, PairType)
    return t.element


def _convert_before(term: Any) -> Expr | None:
    match term:
        case App(App(Primitive("map", (size, *_), _), Lam(name, _, body)), zipped):
            sides = _sides(body, zipped)
            if sides is None:
                return None
            new = _converted(sides)
            pair = _element(new)
            inside = _unconverted(body, sides, pair)
            return apply(primitive_at("map", (size, pair, inside.type)), Lam(name, pair, inside), new)
        case App(App(App(Primitive("reduceSeq", (size, *_), _), Lam(a, acc, Lam(name, _, body))), i), zipped):
            sides = _sides(body, zipped)
            if sides is None:
                return None
            new = _converted(sides)
            pair = _element(new)
            step = Lam(a, acc, Lam(name, pair, _unconverted(body, sides, pair)))
            result: Type = i.type
            return apply(primitive_at("reduceSeq", (size, pair, result)), step, i, new)
    return None


convertBefore = rule(
    "map (fun(p => f[cast (snd p)])) (zip xs ys) = map (fun(p => f[snd p])) (zip xs (map cast ys)),"
    " and alike for reductions and for conversions of rows",
    why="Convert an array once, where it is stored, instead of each element wherever it is used.",
    by=_convert_before,
    roots=(("map", 2), ("reduceSeq", 3)),
)
