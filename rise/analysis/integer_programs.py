"""Programs over integers in place of floating-point numbers, so that sums in any order are equal to the last bit.

A translation does not depend on what numbers are, so a kernel of such a program has the loops, indices and buffers of
the original one. Independent of kernels.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from hashlib import sha256
from typing import Any, Final, NoReturn

import numpy as np

from rise.diagnostics import Diagnostic, RiseError
from rise.inference.schemes import instantiate_primitive, scheme_of
from rise.meanings import Elementwise
from rise.nodes import transform
from rise.primitives import PRIMITIVES, has_trait, operands_of
from rise.records import dataclass
from rise.scalars import SCALARS, is_type_kind, kind_classes
from rise.terms import Bound, Expr, Lam, Literal, Primitive, Var, apply, make_literal
from rise.text.type_printer import brief_type
from rise.types import FunType, ScalarType, Type, VectorType

#: for each type of floating-point numbers, the integers of the same width
INTEGERS: Final = {name: f"i{facts.bits}" for name, facts in SCALARS.items() if facts.is_float}
SOME_INTEGERS: Final = np.arange(16, dtype=np.float64)


@dataclass(frozen=True, slots=True)
class IntegerProgram:
    """A program over integers. `functions` names those of the original program that integers do not have: here they are
    linear, `c + a * x`, with numbers of their own, or `x + 1` for `floor` and the like. `has_floats`: whether the
    original program has floating-point types.
    """

    term: Expr
    functions: tuple[str, ...]
    has_floats: bool


def with_integers(e: Expr) -> IntegerProgram:
    """The program with integers of the same width in place of floating-point numbers; sums and products wrap.

    Raises RiseError for complex numbers and for foreign functions, which have no such form.

    >>> import rise
    >>> found = with_integers(rise.parse_expr("fun(xs: 4.f32 => xs |> map(fun(x => exp(x) + 0.5)))"))
    >>> str(found.term.type), found.functions
    ('4.i32 -> 4.i32', ('exp',))
    """
    if any(isinstance(free, Var) for free in e.free):
        names = ", ".join(sorted(free.name for free in e.free if isinstance(free, Var)))
        _refuse(f"foreign functions, {names}", "its code is for numbers of its own types")
    functions: dict[str, None] = {}
    types: set[str] = set()

    def visit(node: Any, _depth: int, _dep_depth: int) -> Any:
        match node:
            case ScalarType(name) if SCALARS[name].part:
                _refuse("complex numbers", "sums of their products have no counterpart among integers")
            case ScalarType(name) if name in INTEGERS:
                types.add(name)
                return ScalarType(INTEGERS[name])
            case Literal(_, given):
                t = of_type(given)
                return None if t is given else _number(node, t)
            case Primitive(name, _, given):
                t = of_type(given)
                if t is not given and not _has_integers(name):
                    if has_trait(name, "multiplies"):  # and adds, rounding once
                        return _function(t, lambda x, y, z: _sum(_product(x, y), z))
                    functions[name] = None
                    return _function(t, lambda x: _sum(x, _one(t))) if _is_near(name) else _linear(name, t)
        return None

    def of_type(t: Type) -> Type:
        return transform(t, visit, lambda node, depth, dep_depth: False)

    term = transform(e, visit, lambda node, depth, dep_depth: False)
    return IntegerProgram(term, tuple(sorted(functions)), bool(types))


def _has_integers(name: str) -> bool:
    """Whether a primitive has instances at integers, and these are defined for all of them."""
    record = PRIMITIVES.get(name)
    if record is None:  # an array of a number of elements
        return True
    kinds = [kind for _, kind in scheme_of(record.scheme).parameters if is_type_kind(kind)]
    return not has_trait(name, "divides") and not any("inexact" in kind_classes(kind) for kind in kinds)


def _is_near(name: str) -> bool:
    """Whether the result of a function is next to its argument, as that of `floor` is; it may be used as an index, and
    the difference of the two may be used, too.
    """
    match PRIMITIVES[name].meaning:
        case Elementwise(function) if operands_of(name) == 1:
            with np.errstate(all="ignore"):
                return bool(np.all(function(SOME_INTEGERS) == SOME_INTEGERS))
    return False


def _linear(name: str, t: Type) -> Expr:
    """A linear function of the type of a primitive, with odd numbers that depend on its name.

    Each argument is used once, so that calls inside of it stay as they are.
    """

    def sum_of(*arguments: Expr) -> Expr:
        total: Expr = _odd(name, arguments[0].type)
        for place, argument in enumerate(arguments):
            total = _sum(total, _product(argument, _odd(f"{name} {place}", argument.type)))
        return total

    return _function(t, sum_of)


def _function(t: Type, body: Callable[..., Expr]) -> Expr:
    """A function of numbers of one type, to the same type."""
    parameters: list[Type] = []
    while isinstance(t, FunType):
        parameters.append(t.parameter)
        t = t.result
    if any(parameter != t for parameter in parameters):
        _refuse(f"a function from {brief_type(parameters[0])} to {brief_type(t)}", "it is not linear")
    e = body(*(Bound(place, t) for place in reversed(range(len(parameters)))))
    for place in reversed(range(len(parameters))):
        e = Lam(f"x{place}", t, e)
    return e


def _sum(x: Expr, y: Expr) -> Expr:
    return apply(instantiate_primitive(PRIMITIVES["add"], (x.type,)), x, y)


def _product(x: Expr, y: Expr) -> Expr:
    return apply(instantiate_primitive(PRIMITIVES["mul"], (x.type,)), x, y)


def _one(t: Type) -> Literal:
    assert isinstance(t, FunType), t
    return make_literal(1, t.parameter)


def _number(literal: Literal, t: Type) -> Literal:
    """The integer for a number: the same, if there is one; the greatest and least for infinities."""
    value: Any = literal.value
    bits = _bits(t)
    if isinstance(value, float) and math.isinf(value):
        return make_literal((1 << (bits - 1)) - 1 if value > 0 else -(1 << (bits - 1)), t)
    if isinstance(value, float) and math.isnan(value):
        return _odd("NaN", t)
    exact = Fraction(value)
    is_small = abs(exact) < 1 << (bits - 2)
    return make_literal(int(exact), t) if exact.denominator == 1 and is_small else _odd(str(exact), t)


def _odd(text: str, t: Type) -> Literal:
    """An odd number that a text determines."""
    bits = _bits(t)
    number = int.from_bytes(sha256(text.encode()).digest()[: bits // 8], "little") | 1
    return make_literal(number - (1 << bits) if number >> (bits - 1) else number, t)


def _bits(t: Type) -> int:
    element = t.element if isinstance(t, VectorType) else t
    assert isinstance(element, ScalarType), t
    return SCALARS[element.name].bits


def _refuse(what: str, reason: str) -> NoReturn:
    title = f"expected numbers that integers can stand for, found {what}"
    raise RiseError(
        Diagnostic("no-integers", title, notes=(reason,), hint="compare results: shine run --verify")
    )
