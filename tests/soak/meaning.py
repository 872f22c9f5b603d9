"""The meaning of a program: its value, and how far each element may deviate. Independent of executors.

docs/semantics.md leaves some of it open: the last digits of library functions, which zero `min` gives, the bits of a
NaN, unspecified elements; a derivation that reassociates adds in any order. How much that matters is determined by
evaluating variants of the program in which each of these differs a little: an element that is the same in all
variants must be equal, one that varies must be within their range, and one that becomes an infinity or NaN is not
judged. A result out of range is compared with many more variants before it counts as wrong: in a few of them errors
may cancel.
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
#: primitives that round, in any order if a derivation is not exact
ROUNDING: Final = ("add", "sub", "mul", "div", "fma")
#: the variation of such an operation, in units in the last place
ROUNDING_UNITS: Final = 4
#: primitives that may give either zero
EITHER_ZERO: Final = ("min", "max", "clamp", "fma")
#: primitives that leave elements, or the bits of a NaN, unspecified
UNSPECIFIED: Final = with_trait("unspecified") | {
    "bitCast",
    "padClamp",
}  # the ends of an empty array are unspecified
#: alternative values for unspecified elements
OTHER_POISONS: Final = ((0x3C, 1.5, True), (0x00, -0.375, False), (0x71, 40.0, True))
#: primitives whose result jumps at multiples of the divisor
REMAINDERS: Final = ("mod", "floorMod")
#: the first variants: all results larger, all smaller, some of each
FIRST_WAYS: Final = ("more", "less", 0x9E35)
#: for results that seem wrong: odd numbers that hash the bits of results to select which are larger; no overflow;
#: next to zero; NaN for products that are zero or infinite but would be an infinity times zero in another order; NaN
#: for remainders of a dividend that is not known to within the divisor; NaN where some order of sums and products may
#: overflow or underflow on the way
ALL_WAYS: Final = (
    *FIRST_WAYS,
    *range(0x8001, 0xF001, 0x0500),
    "saturated",
    "above zero",
    "below zero",
    "annihilated",
    "wrapped",
    "largest",
    "smallest",
)
#: those of them in which every operation gives the magnitude of the largest or smallest result of any part of it: a
#: result is open if that is out of range
EXTREMES: Final = ("largest", "smallest")
FLOATS: Final = {facts.dtype for facts in SCALARS.values() if facts.is_float}


@dataclass(frozen=True, slots=True)
class Meaning:
    """The value of a program, array by array, and the values of its variants."""

    value: tuple[Leaf, ...]
    variants: tuple[tuple[Leaf, ...], ...]
    either_zero: bool
    with_more: Callable[[], Meaning] | None = None


Way: TypeAlias = "str | int"


def meaning(
    e: Expr,
    arguments: tuple[Any, ...],
    sizes: Mapping[str, Any],
    float_class: FloatClass,
    ways: tuple[Way, ...] = FIRST_WAYS,
) -> Meaning:
    """The meaning of a program for given arguments and derivations of a class. Raises RiseError as `evaluate` does."""
    value = flat(rise.evaluate(e, *arguments, sizes=sizes))
    variants: list[tuple[Leaf, ...]] = []
    for change, poison in zip(changes(e, float_class, ways), cycle(OTHER_POISONS)):
        try:
            with patch("rise.values.POISON", poison):
                variant = flat(rise.evaluate(changed(e, change), *arguments, sizes=sizes))
            is_extreme = change.keywords["way"] in EXTREMES
            variants.append(tuple(map(_in_range, value, variant)) if is_extreme else variant)
        except rise.RiseError:  # not judged: the change affects the guard of a division, or an index
            variants.append(tuple(np.zeros_like(leaf) for leaf in value))
            variants.append(tuple(np.full_like(leaf, np.ones((), leaf.dtype)) for leaf in value))
    names = {node.name for node in postorder(e) if isinstance(node, Primitive)}
    with_more = partial(meaning, e, arguments, sizes, float_class, ALL_WAYS) if ways != ALL_WAYS else None
    return Meaning(value, tuple(variants), not names.isdisjoint(EITHER_ZERO), with_more)


def flat(value: Any) -> tuple[Leaf, ...]:
    """The arrays of a result, with each row of different length and the number of a dependent pair as arrays, and the
    parts of complex numbers apart.
    """
    if isinstance(value, tuple | list):
        return tuple(leaf for part in value for leaf in flat(part))
    leaf = np.asarray(value)
    return (leaf.real, leaf.imag) if leaf.dtype.kind == "c" else (leaf,)


def _in_range(value: Leaf, extreme: Leaf) -> Leaf:
    """A result, with NaN for numbers whose largest or smallest magnitude overflows or underflows."""
    if value.dtype not in FLOATS:
        return value
    with np.errstate(all="ignore"):
        wide = np.abs(extreme.astype(np.float64))
    return np.where(np.isfinite(wide) & (wide != 0), value, value.dtype.type(np.nan))


def changes(e: Expr, float_class: FloatClass, ways: tuple[Way, ...]) -> Iterator[partial[Expr | None]]:
    """The changes that yield variants of a program: none if its result is specified to the last bit."""
    primitives = [node for node in postorder(e) if isinstance(node, Primitive)]
    is_open = any(map(is_unspecified, primitives))
    is_inexact = any(PRIMITIVES[p.name].units for p in primitives if p.name in PRIMITIVES)
    is_rounded = float_class > FloatClass.EXACT and any(
        _varied(p) or p.name == "scatterAdd" for p in primitives
    )
    for way in ways if is_inexact or is_rounded else ways[: len(OTHER_POISONS)] if is_open else ():
        if way not in EXTREMES or float_class >= FloatClass.REASSOCIATING:
            yield partial(_change, way=way, is_rounded=is_rounded)


def is_unspecified(primitive: Primitive) -> bool:
    """Whether a primitive leaves elements, or bits, unspecified."""
    return primitive.name in UNSPECIFIED or primitive.name in EITHER_ZERO


def changed(e: Expr, change: Callable[[Primitive], Expr | None]) -> Expr:
    """The program with some primitives replaced by functions."""

    def visit(node: Any, _depth: int, _dep_depth: int) -> Node | None:
        return change(node) if isinstance(node, Primitive) else None

    result: Expr = transform(e, visit, lambda node, _depth, _dep_depth: isinstance(node, Type))
    return result


def _change(primitive: Primitive, way: Way, is_rounded: bool) -> Expr | None:
    record = PRIMITIVES.get(primitive.name)
    if record is None:
        return None
    if primitive.name == "bitCast":
        return _bits(primitive, {"more": 2, "less": 0}.get(str(way), 1))
    if primitive.name in ("min", "max") and way in ("more", "less"):
        return _either_zero(primitive, way)
    if primitive.name == "scatterAdd" and is_rounded:
        return _scattered(primitive, way)
    if primitive.name in REMAINDERS:
        return _wrapped(primitive) if way == "wrapped" else None
    if way in EXTREMES:
        return _extreme(primitive, way)
    element = _varied(primitive)
    if element is None or not (record.units or (is_rounded and primitive.name in ROUNDING)):
        return None
    is_half = element.name in ("f16", "bf16")
    units = ROUNDING_UNITS if primitive.name in ROUNDING else 1 if is_half else record.units
    return _moved(primitive, element, units, way)


def _varied(primitive: Primitive) -> ScalarType | None:
    """The floating-point or complex type that an operation rounds to."""
    record = PRIMITIVES.get(primitive.name)
    if record is None or not (record.units or primitive.name in ROUNDING):
        return None
    t = primitive.implicits[0]
    t = t.element if isinstance(t, VectorType) else t
    return t if isinstance(t, ScalarType) and _part(t).name in EPSILON else None


def _part(t: ScalarType) -> ScalarType:
    """The type of a complex number's parts; another type itself."""
    return ScalarType(SCALARS[t.name].part or t.name)


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


def _moved(primitive: Primitive, element: ScalarType, units: int, way: Way) -> Expr:
    """An operation with a slightly different result."""
    variables, result = _parameters(primitive.type)
    called = apply(primitive, *variables)
    if isinstance(result, VectorType):  # no choice per lane: all larger, or all smaller
        number = make_literal(1 + _sign(way) * units * EPSILON[element.name], element)
        factor = apply(_at("vectorFromScalar", result.size, element), number)
        return _function(variables, apply(_at("mul", result), called, factor))
    if way == "annihilated" and primitive.name != "mul":
        return _function(variables, called)
    value = Var("value", result)
    part = _part(element)
    operands = [of for v in variables if v.given == result for of in _parts(v, element)]
    if way == "saturated":
        bodies = [_finite(number, operands, part) for number in _parts(value, element)]
    elif way in ("above zero", "below zero"):
        sign = 1 if way == "above zero" else -1
        bodies = [_beside_zero(number, part, sign) for number in _parts(value, element)]
    elif way == "annihilated":
        bodies = [_undefined_zero(number, part) for number in _parts(value, element)]
    else:
        bodies = [_scaled(value, element, units * EPSILON[part.name], way)]
    body = bodies[0] if len(bodies) == 1 else apply(_at("makeComplex", element, part), *bodies)
    return _function(variables, apply(abstract(body, value), called))


def _parts(value: Var, element: ScalarType) -> list[Expr]:
    """The parts of a complex number; another number itself."""
    part = _part(element)
    if part == element:
        return [value]
    return [apply(_at(name, part, element), value) for name in ("realPart", "imagPart")]


def _sign(way: Way) -> int:
    return -1 if way == "less" or (isinstance(way, int) and way >> 9 & 1) else 1


def _scaled(value: Var, element: ScalarType, by: float, way: Way) -> Expr:
    """A number changed by a part of its magnitude."""
    more, less = (_factor(sign * by, element) for sign in (1, -1))
    factor = less if way == "less" else more
    if isinstance(way, int):
        condition = _is_chosen(_parts(value, element)[0], _part(element), way)
        factor = apply(_at("select", element), condition, more, less)
    return apply(_at("mul", element), value, factor)


def _factor(by: float, element: ScalarType) -> Expr:
    """A number near 1; a complex one has a small imaginary part, which changes both parts of its multiples."""
    part = _part(element)
    real = make_literal(1 + by, part)
    if part == element:
        return real
    return apply(_at("makeComplex", element, part), real, make_literal(by, part))


def _is_chosen(value: Expr, element: ScalarType, mixer: int) -> Expr:
    """A condition that holds for half of all numbers, by their bits."""
    bits = SCALARS[element.name].bits
    unsigned = ScalarType(f"u{bits}")
    as_bits = apply(_at("bitCast", unsigned, element), value)
    mixed = apply(_at("mul", unsigned), as_bits, make_literal(mixer << bits - 16 | mixer, unsigned))
    return apply(_at("lt", unsigned), mixed, make_literal(1 << bits - 1, unsigned))


def _finite(value: Expr, operands: list[Expr], element: ScalarType) -> Expr:
    """The largest number instead of an infinity from finite operands: in another order, nothing may overflow."""
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


def _beside_zero(value: Expr, element: ScalarType, sign: int) -> Expr:
    """A nonzero number moved by a few of the smallest numbers: next to zero, relative errors mean nothing."""
    step = sign * ROUNDING_UNITS * SMALLEST[element.name]
    moved = apply(_at("add", element), value, make_literal(step, element))
    if sign < 0:  # an underflow to zero, which a fused operation rounds with the sign of the exact value
        return moved
    is_zero = apply(_at("eq", element), value, make_literal(0, element))
    return apply(_at("select", element), is_zero, value, moved)


def _extreme(primitive: Primitive, way: Way) -> Expr | None:
    """A sum or product of magnitudes: at least those of all its parts, or of a product at most those."""
    variables, element = _parameters(primitive.type)
    if primitive.name not in ROUNDING or not isinstance(element, ScalarType) or element.name not in EPSILON:
        return None
    parts = [apply(_at("abs", element), v) for v in variables]
    if primitive.name in ("mul", "fma"):
        bounded = _at("max" if way == "largest" else "min", element)
        factors = [apply(bounded, part, make_literal(1, element)) for part in parts[:2]]
        parts = [apply(_at("mul", element), *factors), *parts[2:]]
    elif primitive.name == "div":
        parts = [apply(primitive, *parts)]
    return _function(variables, parts[0] if len(parts) == 1 else apply(_at("add", element), *parts))


def _scattered(primitive: Primitive, way: Way) -> Expr | None:
    """`scatterAdd` of slightly different numbers, since it adds in any order."""
    variables, _ = _parameters(primitive.type)
    indices, added, start = variables
    t = added.given
    element = t.element if isinstance(t, ArrayType) else None
    if not isinstance(t, ArrayType) or not isinstance(element, ScalarType) or element.name not in EPSILON:
        return None
    number = Var("number", element)
    if way in EXTREMES:
        varied: Expr = _at("abs", element)
    else:
        varied = abstract(_scaled(number, element, ROUNDING_UNITS * EPSILON[element.name], way), number)
    moved = apply(_at("map", t.size, element, element), varied, added)
    return _function(variables, apply(primitive, indices, moved, start))


def _undefined_zero(value: Expr, element: ScalarType) -> Expr:
    """A NaN instead of a zero or an infinity: in another order, a product of small factors may be 0."""
    select, nan = _at("select", element), make_literal(float("nan"), element)
    is_zero = apply(_at("eq", element), value, make_literal(0, element))
    finite = apply(select, apply(_at("isfinite", element), value), value, nan)
    return apply(select, is_zero, nan, finite)


def _wrapped(primitive: Primitive) -> Expr | None:
    """A NaN instead of a remainder where rounding the dividend may change it by more than the divisor."""
    variables, element = _parameters(primitive.type)
    if not isinstance(element, ScalarType) or element.name not in EPSILON:
        return None
    dividend, divisor = (apply(_at("abs", element), v) for v in variables)
    error = make_literal(4 * ROUNDING_UNITS * EPSILON[element.name], element)
    is_open = apply(_at("lt", element), divisor, apply(_at("mul", element), dividend, error))
    remainder = apply(primitive, *variables)
    nan = make_literal(float("nan"), element)
    return _function(variables, apply(_at("select", element), is_open, nan, remainder))


def _either_zero(primitive: Primitive, way: Way) -> Expr:
    """The operation, which gives its first or its second operand if both are equal: numpy's may give either."""
    variables, result = _parameters(primitive.type)
    if isinstance(result, VectorType):
        return _function(variables, apply(primitive, *(variables if way == "more" else reversed(variables))))
    equal = apply(_at("eq", result), *variables)
    chosen = variables[0] if way == "more" else variables[1]
    return _function(variables, apply(_at("select", result), equal, chosen, apply(primitive, *variables)))


def _bits(primitive: Primitive, nan: int) -> Expr | None:
    variables, result = _parameters(primitive.type)
    source = variables[0].given
    is_float = isinstance(source, ScalarType) and source.name in EPSILON
    if not is_float or not isinstance(result, ScalarType) or result.name in EPSILON:
        return None
    is_nan = apply(_at("ne", source), variables[0], variables[0])
    chosen = apply(_at("select", result), is_nan, make_literal(nan, result), apply(primitive, *variables))
    return _function(variables, chosen)
