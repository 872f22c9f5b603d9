"""Generates inputs of programs, and compares results bit by bit or approximately. Independent of rules."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any, Final

import rise
from elevate import FloatClass
from rise.arguments.ragged_arrays import halves_of
from rise.natural_values import evaluate_natural
from rise.naturals import const
from rise.primitives import with_trait
from rise.scalars import SCALARS
from rise.testing.edges import axes
from rise.types import (
    ArrayType,
    DepArrayType,
    DepPairType,
    FunType,
    IndexType,
    PairType,
    ScalarType,
    Type,
    type_at,
)
from rise.values import poison

TOLERANCE: Final = {
    FloatClass.CONTRACTING: 1e-4,
    FloatClass.REASSOCIATING: 1e-4,
    FloatClass.APPROXIMATE: 1e-1,
}
UNSPECIFIED_VIEWS: Final = with_trait("unspecified")
"""Views that may add unspecified elements."""


def run(program: rise.Expr, is_whole: bool = False, seed: int = 0) -> Any:
    """The result of a closed program for inputs determined by its type and `seed`; these are whole numbers if
    `is_whole`.
    """
    return rise.evaluate(program, *inputs(program.type, is_whole, seed))


def inputs(t: Type, is_whole: bool = False, seed: int = 0) -> list[Any]:
    """Values for the parameters of a function type, mostly different, including -0.0."""
    values: list[Any] = []
    while isinstance(t, FunType):
        values.append(some_value(t.parameter, is_whole, seed + len(values)))
        t = t.result
    return values


@lru_cache(maxsize=1 << 12)
def some_value(t: Type, is_whole: bool, seed: int) -> Any:
    """A value of a type without free sizes."""
    match t:
        case PairType(first, second):
            return some_value(first, is_whole, 2 * seed + 3), some_value(second, is_whole, 2 * seed + 4)
        case DepPairType(family):
            return seed % 4, some_value(type_at(family, const(seed % 4)), is_whole, seed)
        case DepArrayType() if (halves := halves_of(t)) is not None:
            return tuple(some_value(half, is_whole, 2 * seed + 3 + k) for k, half in enumerate(halves))
        case DepArrayType(size, family):
            rows = range(int(evaluate_natural(size, {})))
            return [some_value(type_at(family, const(i)), is_whole, seed + i) for i in rows]
    sizes, leaf = axes(t)
    if isinstance(leaf, PairType):
        sides = (_array(sizes, leaf.first), _array(sizes, leaf.second))
        return tuple(some_value(side, is_whole, 2 * seed + 3 + k) for k, side in enumerate(sides))
    return rise.evaluate(rise.parse(_text(sizes, leaf, is_whole, seed)).main)


def _array(sizes: list[int], t: Type) -> Type:
    for size in reversed(sizes):
        t = ArrayType(const(size), t)
    return t


def _text(sizes: list[int], leaf: Type, is_whole: bool, seed: int) -> str:
    """The text of a program whose elements are their scrambled positions."""
    position = " + ".join(f"indexAsInt(i{k}) * {_stride(sizes, k)}i64" for k in range(len(sizes))) or "0i64"
    spread = 7 if is_whole else 101 if seed % 2 else 11
    scrambled = f"(({position}) * {29 + 6 * (seed % 5)}i64 + {seed * 17 % 97}i64) % {spread}i64"
    text = _leaf(leaf, scrambled, spread // 2, is_whole)
    for k in reversed(range(len(sizes))):
        text = f"generate(fun(i{k}: idx[{sizes[k]}] => {text}))"
    return text


def _stride(sizes: list[int], axis: int) -> int:
    return math.prod(sizes[axis + 1 :])


def _leaf(leaf: Type, scrambled: str, middle: int, is_whole: bool) -> str:
    match leaf:
        case IndexType(size):
            return f"{scrambled} % {max(1, int(evaluate_natural(size, {})))}i64"
        case ScalarType("bool"):
            return f"{scrambled} % 2i64 == 0i64"
        case ScalarType(name) if part := SCALARS[name].part:
            real, other = (
                _leaf(ScalarType(part), text, middle, is_whole)
                for text in (scrambled, f"({scrambled} * 5i64) % {2 * middle + 1}i64")
            )
            return f"makeComplex{{{name}}}({real}, {other})"
        case ScalarType(name) if "floating" in SCALARS[name].classes and not is_whole:
            return f"cast{{{name}}}({scrambled} - {middle}i64) * -0.1{name}"
        case ScalarType(name) if name.startswith("u"):
            return f"cast{{{name}}}({scrambled})"
        case ScalarType(name):
            return f"cast{{{name}}}({scrambled} - {middle}i64)"
    raise AssertionError(f"expected data in inputs, found {leaf}")


def differ(before: Any, after: Any, float_class: FloatClass, may_be_unspecified: bool) -> bool:
    """Whether results differ, except in elements that were unspecified before and may become anything."""
    if isinstance(before, tuple | list):
        return any(differ(a, b, float_class, may_be_unspecified) for a, b in zip(before, after, strict=True))
    if before.dtype != after.dtype or before.shape != after.shape:
        return True
    if before.tobytes() == after.tobytes():
        return False
    unspecified = poison((1,), before.dtype).item()
    tolerance = TOLERANCE.get(float_class, 0.0)
    pairs = zip(before.reshape(-1).tolist(), after.reshape(-1).tolist(), strict=True)
    return not all(
        _same(a, b, tolerance) or (may_be_unspecified and (a == unspecified or a != a)) for a, b in pairs
    )


def _same(a: Any, b: Any, tolerance: float) -> bool:
    if isinstance(a, complex):
        return _same(a.real, b.real, tolerance) and _same(a.imag, b.imag, tolerance)
    if a == b:
        return tolerance > 0 or math.copysign(1, a) == math.copysign(1, b)
    return bool(a != a and b != b) or abs(a - b) <= tolerance * max(1.0, abs(a))


def may_be_unspecified(e: rise.Expr) -> bool:
    """Whether a term may have unspecified elements."""
    waiting = [e]
    while waiting:
        node = waiting.pop()
        if isinstance(node, rise.Primitive) and node.name in UNSPECIFIED_VIEWS:
            return True
        waiting.extend(node.children)
    return False
