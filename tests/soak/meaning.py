"""What a program's result may be: its value, and how far each element may lie from it. Knows no executor.

Some of it is left open by docs/semantics.md: the last digits of library functions, which zero `min` gives, the bits of
a NaN, what no element says; a derivation that reassociates adds in any order. How much that matters is found by
evaluating the program again with each of these a little different: an element that stays the same in all these
variants has to be equal, one that moves has to lie where they lie, and one that jumps says nothing. A result that lies
elsewhere is compared with many more variants before it is called wrong: in a few of them errors may cancel.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import cycle
from typing import Any, Final, TypeAlias
from unittest.mock import patch

import numpy as np

import rise
from elevate import FloatClass
from rise import Primitive, Var
from rise.inference.schemes import instantiate_primitive
from rise.nodes import Node, postorder, transform
from rise.primitives import PRIMITIVES, with_trait
from rise.scalars import SCALARS
from rise.terms import Expr, abstract, apply, make_literal
from rise.types import ArrayType, FunType, ScalarType, Type, VectorType
from rise.values import Leaf

#: the distance from 1 to the next number
EPSILON: Final[Mapping[str, float]] = {"f16": 2.0**-10, "bf16": 2.0**-7, "f32": 2.0**-23, "f64": 2.0**-52}
#: the smallest number above 0
SMALLEST: Final[Mapping[str, float]] = {
    "f16": 2.0**-24,
    "bf16": 2.0**-133,
    "f32": 2.0**-149,
    "f64": 2.0**-1074,
}
#: what rounds, and may do so in another order where a derivation is not exact
ROUNDING: Final = ("add", "sub", "mul", "div", "fma")
#: how many last places such an operation is varied by
PLACES: Final = 4
#: what may give either zero
EITHER_ZERO: Final = ("min", "max", "clamp", "fma")
#: what leaves elements, or the bits of a NaN, unspecified
OPEN: Final = with_trait("unspecified") | {
    "bitCast",
    "padClamp",
}  # the ends of an empty array are unspecified
#: how often the distance between variants a result may lie outside of them
MARGIN: Final = 1.0
#: what else may stand where nothing is specified
OTHER_POISONS: Final = ((0x3C, 1.5, True), (0x00, -0.375, False), (0x71, 40.0, True))
#: the first variants: all results more, all less, some of each
FEW: Final = ("more", "less", 0x9E35)
#: for what seems wrong: odd numbers that mix the bits of results to choose which are more; no overflow; next to zero;
#: products that are zero where in another order they are an infinity times zero
MANY: Final = (*FEW, *range(0x8001, 0xF001, 0x0500), "saturated", "above zero", "below zero", "annihilated")
_FLOATS: Final = {SCALARS[name].dtype for name in EPSILON}


@dataclass(frozen=True, slots=True)
class Meaning:
    """The value of a program, array by array, and what its variants are."""

    value: tuple[Leaf, ...]
    variants: tuple[tuple[Leaf, ...], ...]
    either_zero: bool
    with_more: Callable[[], Meaning] | None = None


@dataclass(slots=True)
class Agreement:
    """How many numbers were the same, near enough, or could not be judged; what is wrong, if anything is."""

    same: int = 0
    near: int = 0
    open: int = 0
    wrong: str = ""


Way: TypeAlias = "str | int"


def meaning(
    e: Expr,
    arguments: tuple[Any, ...],
    sizes: Mapping[str, Any],
    float_class: FloatClass,
    ways: tuple[Way, ...] = FEW,
) -> Meaning:
    """The meaning of a program at some arguments, for derivations of a class. Raises RiseError as `evaluate` does."""
    found = flat(rise.evaluate(e, *arguments, sizes=sizes))
    variants: list[tuple[Leaf, ...]] = []
    for change, poison in zip(changes(e, float_class, ways), cycle(OTHER_POISONS)):
        try:
            with patch("rise.values.POISON", poison):
                variants.append(flat(rise.evaluate(changed(e, change), *arguments, sizes=sizes)))
        except rise.RiseError:  # nothing can be said: a guard of a division, or an index, has changed
            variants.append(tuple(np.zeros_like(leaf) for leaf in found))
            variants.append(tuple(np.full_like(leaf, np.ones((), leaf.dtype)) for leaf in found))
    names = {node.name for node in postorder(e) if isinstance(node, Primitive)}
    with_more = partial(meaning, e, arguments, sizes, float_class, MANY) if ways != MANY else None
    return Meaning(found, tuple(variants), not names.isdisjoint(EITHER_ZERO), with_more)


def flat(value: Any) -> tuple[Leaf, ...]:
    """The arrays of a result; rows of different lengths one by one, the number of a dependent pair as an array."""
    if isinstance(value, tuple | list):
        return tuple(leaf for part in value for leaf in flat(part))
    return (np.asarray(value),)


Change = Callable[[Primitive], Expr | None]


def changes(e: Expr, float_class: FloatClass, ways: tuple[Way, ...]) -> Iterator[Change]:
    """The variants of a program that are worth a look: none where all is said to the last bit."""
    found = [node for node in postorder(e) if isinstance(node, Primitive)]
    is_open = any(is_unspecified(one) for one in found)
    is_inexact = any(PRIMITIVES[one.name].units for one in found if one.name in PRIMITIVES)
    is_rounded = float_class > FloatClass.EXACT and any(
        _varied(one) or one.name == "scatterAdd" for one in found
    )
    for way in ways if is_inexact or is_rounded else ways[: len(OTHER_POISONS)] if is_open else ():
        yield partial(_change, way=way, is_rounded=is_rounded)


def is_unspecified(one: Primitive) -> bool:
    """Whether a primitive leaves elements, or bits, unspecified."""
    return one.name in OPEN or one.name in EITHER_ZERO


def changed(e: Expr, change: Change) -> Expr:
    """The program with some primitives replaced by functions."""

    def visit(node: Any, _depth: int, _dep_depth: int) -> Node | None:
        return change(node) if isinstance(node, Primitive) else None

    found: Expr = transform(e, visit, lambda node, _depth, _dep_depth: isinstance(node, Type))
    return found


def _change(one: Primitive, way: Way, is_rounded: bool) -> Expr | None:
    record = PRIMITIVES.get(one.name)
    if record is None:
        return None
    if one.name == "bitCast":
        return _bits(one, {"more": 2, "less": 0}.get(str(way), 1))
    if one.name in ("min", "max") and way == "less":
        return _swapped(one)
    if one.name == "scatterAdd" and is_rounded:
        return _scattered(one, way)
    element = _varied(one)
    if element is None or not (record.units or (is_rounded and one.name in ROUNDING)):
        return None
    is_half = element.name in ("f16", "bf16")
    units = PLACES if one.name in ROUNDING else 1 if is_half else record.units
    return _moved(one, element, units, way)


def _varied(one: Primitive) -> ScalarType | None:
    """The floating-point type that an operation rounds to."""
    record = PRIMITIVES.get(one.name)
    if record is None or not (record.units or one.name in ROUNDING):
        return None
    t = one.implicits[0]
    t = t.element if isinstance(t, VectorType) else t
    return t if isinstance(t, ScalarType) and t.name in EPSILON else None


def _parameters(t: Type) -> tuple[list[Var], Type]:
    variables: list[Var] = []
    while isinstance(t, FunType):
        variables.append(Var(f"v{len(variables)}", t.parameter))
        t = t.result
    return variables, t


def _function(variables: list[Var], body: Expr) -> Expr:
    for variable in reversed(variables):
        body = abstract(body, variable)
    return body


def _at(name: str, *implicits: Any) -> Primitive:
    return instantiate_primitive(PRIMITIVES[name], implicits)


def _moved(one: Primitive, element: ScalarType, units: int, way: Way) -> Expr:
    """An operation whose result is a little different."""
    variables, result = _parameters(one.type)
    called = apply(one, *variables)
    if isinstance(result, VectorType):  # no choice for each lane: all more, or all less
        number = make_literal(1 + _sign(way) * units * EPSILON[element.name], element)
        factor = apply(_at("vectorFromScalar", result.size, element), number)
        return _function(variables, apply(_at("mul", result), called, factor))
    value = Var("value", result)
    if way == "saturated":
        body = _finite(value, [v for v in variables if v.given == result], element)
    elif way in ("above zero", "below zero"):
        body = _beside_zero(value, element, 1 if way == "above zero" else -1)
    elif way == "annihilated":
        if one.name != "mul":
            return _function(variables, called)
        body = _undefined_zero(value, element)
    else:
        body = _scaled(value, element, units * EPSILON[element.name], way)
    return _function(variables, apply(abstract(body, value), called))


def _sign(way: Way) -> int:
    return -1 if way == "less" or (isinstance(way, int) and way >> 9 & 1) else 1


def _scaled(value: Var, element: ScalarType, by: float, way: Way) -> Expr:
    more, less = (make_literal(1 + sign * by, element) for sign in (1, -1))
    factor: Expr = less if way == "less" else more
    if isinstance(way, int):
        factor = apply(_at("select", element), _is_chosen(value, element, way), more, less)
    return apply(_at("mul", element), value, factor)


def _is_chosen(value: Var, element: ScalarType, mixer: int) -> Expr:
    """Half of all numbers, by their bits."""
    bits = SCALARS[element.name].bits
    unsigned = ScalarType(f"u{bits}")
    as_bits = apply(_at("bitCast", unsigned, element), value)
    mixed = apply(_at("mul", unsigned), as_bits, make_literal(mixer << bits - 16 | mixer, unsigned))
    return apply(_at("lt", unsigned), mixed, make_literal(1 << bits - 1, unsigned))


def _finite(value: Var, operands: list[Var], element: ScalarType) -> Expr:
    """The largest number in place of an infinity that comes of finite operands: in another order, nothing overflows."""
    largest = _largest(element)
    ends = [make_literal(end, element) for end in (largest, -largest)]
    select, lt = _at("select", element), _at("lt", element)
    body = apply(select, apply(lt, value, ends[1]), ends[1], value)
    body = apply(select, apply(lt, ends[0], value), ends[0], body)
    for operand in operands:
        body = apply(select, apply(_at("isfinite", element), operand), body, value)
    return body


def _largest(element: ScalarType) -> float:
    exponent = {"f16": 15, "f64": 1023}.get(element.name, 127)
    return float((2 - EPSILON[element.name]) * 2.0**exponent)


def _beside_zero(value: Var, element: ScalarType, sign: int) -> Expr:
    """A number that is not zero a few of the smallest numbers further off: there, relative errors say nothing."""
    step = sign * PLACES * SMALLEST[element.name]
    moved = apply(_at("add", element), value, make_literal(step, element))
    if sign < 0:  # an underflow to zero, which a fused operation rounds with the sign of the exact value
        return moved
    is_zero = apply(_at("eq", element), value, make_literal(0, element))
    return apply(_at("select", element), is_zero, value, moved)


def _scattered(one: Primitive, way: Way) -> Expr | None:
    """`scatterAdd` of numbers that are a little different: it adds them in no order."""
    variables, _ = _parameters(one.type)
    indices, added, start = variables
    t = added.given
    element = t.element if isinstance(t, ArrayType) else None
    if not isinstance(t, ArrayType) or not isinstance(element, ScalarType) or element.name not in EPSILON:
        return None
    number = Var("number", element)
    varied = abstract(_scaled(number, element, PLACES * EPSILON[element.name], way), number)
    moved = apply(_at("map", t.size, element, element), varied, added)
    return _function(variables, apply(one, indices, moved, start))


def _undefined_zero(value: Var, element: ScalarType) -> Expr:
    """A NaN in place of a zero."""
    is_zero = apply(_at("eq", element), value, make_literal(0, element))
    return apply(_at("select", element), is_zero, make_literal(float("nan"), element), value)


def _swapped(one: Primitive) -> Expr:
    variables, _ = _parameters(one.type)
    return _function(variables, apply(one, *reversed(variables)))


def _bits(one: Primitive, nan: int) -> Expr | None:
    variables, result = _parameters(one.type)
    source = variables[0].given
    is_float = isinstance(source, ScalarType) and source.name in EPSILON
    if not is_float or not isinstance(result, ScalarType) or result.name in EPSILON:
        return None
    is_nan = apply(_at("ne", source), variables[0], variables[0])
    chosen = apply(_at("select", result), is_nan, make_literal(nan, result), apply(one, *variables))
    return _function(variables, chosen)


def compare(found: Any, expected: Meaning) -> Agreement:
    """Whether a result is what the program means."""
    said = _compare_all(flat(found), expected)
    if said.wrong and expected.variants and expected.with_more is not None:
        return compare(found, expected.with_more())
    return said


def _compare_all(found: tuple[Leaf, ...], expected: Meaning) -> Agreement:
    said = Agreement()
    if len(found) != len(expected.value):
        said.wrong = f"expected {len(expected.value)} arrays, found {len(found)}"
        return said
    for number, (one, other) in enumerate(zip(found, expected.value, strict=True)):
        if one.dtype != other.dtype or one.shape != other.shape:
            said.wrong = f"expected {other.dtype}{other.shape}, found {one.dtype}{one.shape}"
            return said
        _compare(one, other, [variant[number] for variant in expected.variants], expected.either_zero, said)
        if said.wrong:
            return said
    return said


def _compare(found: Leaf, expected: Leaf, variants: list[Leaf], either_zero: bool, said: Agreement) -> None:
    is_same = _same(found, expected, either_zero)
    moves = np.zeros(expected.shape, np.bool_)
    for one in variants:
        moves |= ~_same(one, expected, either_zero)
    is_float = expected.dtype in _FLOATS
    near = np.zeros(expected.shape, np.bool_)
    is_open = moves & ~is_same
    if is_float and moves.any():
        all_ = np.stack([expected, *variants]).astype(np.float64)
        with np.errstate(all="ignore"):
            low, high = all_.min(axis=0), all_.max(axis=0)
            margin = MARGIN * (high - low)
            value = found.astype(np.float64)
            near = moves & ~is_same & (low - margin <= value) & (value <= high + margin)
        is_open = moves & ~is_same & ~near & ~np.isfinite(all_).all(axis=0)
    wrong = ~is_same & ~near & ~is_open
    said.same += int(is_same.sum())
    said.near += int(near.sum())
    said.open += int(is_open.sum())
    if wrong.any():
        place = tuple(map(int, np.argwhere(wrong)[0]))
        where = f" at {place}" if place else ""
        many = f"{int(wrong.sum())} of {wrong.size} are wrong"
        said.wrong = f"{many}: expected {expected[place]}{where}, found {found[place]}"


def _same(one: Leaf, other: Leaf, either_zero: bool) -> Leaf:
    """Where two arrays are equal to the bit, but for those of a NaN, and where it is open, the sign of a zero."""
    if one.dtype not in _FLOATS:
        return np.asarray(one == other)
    with np.errstate(all="ignore"):
        is_equal = one == other
        if not either_zero:
            is_equal &= np.signbit(one.astype(np.float64)) == np.signbit(other.astype(np.float64))
        return np.asarray(is_equal | ((one != one) & (other != other)))
