"""Tests rules at all small sizes, on distinct numbers and functions that keep all their arguments apart.

A rule that only moves data is, at one size, correct for all data if it is correct for distinct numbers. Knows no rule.
"""

from __future__ import annotations

import math
from functools import lru_cache
from itertools import product
from typing import Any, Final

import rise
from elevate import Diagnostic, StrategyError
from rise.inference.schemes import substitute_names
from rise.naturals import NatVar, const
from rise.nodes import Node
from rise.printer.terms import show_brief
from rise.scalars import SCALARS, kind_classes
from rise.terms import Expr, Var, make_literal
from rise.types import (
    ArrayType,
    FunType,
    IndexType,
    PairType,
    ScalarType,
    Type,
    TypeVar,
    VectorType,
    classes_of,
)
from strategies.equations.instances import binders_of, instantiated
from strategies.equations.rule import EquationRule, RuleFamily
from strategies.testing.instances import relies_on_promise
from strategies.testing.terms import I64, Source, closed, digest, function_of, primitive
from strategies.testing.values import differ, may_be_unspecified

MAX_SWEPT_SIZE: Final = 3
"""The largest size for rules with at most two sizes; one less for rules with more."""
SWEPT_PARAMETERS: Final = (1, 2, 3)


def sweep(given: EquationRule | RuleFamily) -> int:
    """Evaluate both sides of a rule at all small sizes of which it has an instance. Returns how many sizes that are.

    Raises StrategyError with the first sizes at which the results differ. Functions hash all of their arguments to one
    number, so that different arguments give different results.
    """
    if isinstance(given, RuleFamily):
        return sum(sweep(given(*[size] * len(given.parameters))) for size in SWEPT_PARAMETERS)
    if len(given.forms) > 1:
        return sum(map(sweep, given.forms))
    pattern = given.compiled.left
    names = sorted(
        (v for v in pattern.free if isinstance(v, NatVar) and v not in given.given), key=lambda v: v.name
    )
    sizes = range(MAX_SWEPT_SIZE + (len(names) < 3))
    return sum(
        _holds(given, pattern, dict(zip(names, chosen, strict=True)))
        for chosen in product(sizes, repeat=len(names))
    )


def _holds(rule: EquationRule, pattern: Expr, sizes: dict[NatVar, int]) -> bool:
    known: dict[Node, Any] = {**rule.given, **{name: const(size) for name, size in sizes.items()}}
    known |= {t: _type(t.kind) for t in pattern.free if isinstance(t, TypeVar)}
    try:
        left, parameters = _instance(rule, pattern, known)
        right = rule.apply(left)
        if right is None:
            return False  # a condition does not hold, or the rule has no instance of these sizes
        inputs = _distinct(parameters)
        expected = rise.evaluate(closed(left, parameters), *inputs)
    except (rise.RiseError, AssertionError, ZeroDivisionError):
        return False
    actual = rise.evaluate(closed(right, parameters), *inputs)
    if differ(expected, actual, rule.float_class, may_be_unspecified(left)):
        sizes_shown = ", ".join(f"{name.name[1:]} = {size}" for name, size in sizes.items())
        notes = (
            f"its equation is {rule.written}",
            f"before: {show_brief(left)}",
            f"after:  {show_brief(right)}",
        )
        title = f"{rule.name} changes what a program computes where {sizes_shown}"
        raise StrategyError(Diagnostic("wrong-rule", title, notes=notes, hint="correct the rule"))
    return True


def _type(kind: str) -> Type:
    """A type of a kind, integers if the kind has them."""
    candidates = (I64, ScalarType("f64"))
    return next((t for t in candidates if kind_classes(kind) <= (classes_of(t) or frozenset())), I64)


def _instance(rule: EquationRule, pattern: Expr, known: dict[Node, Any]) -> tuple[Expr, list[Var]]:
    binders = binders_of(pattern, known)
    parameters: list[Var] = []
    terms: dict[str, Expr] = {}
    source = Source(draw=lambda strategy: None)
    for index, variable in enumerate(
        sorted((v for v in pattern.free if isinstance(v, Var)), key=lambda v: v.name)
    ):
        t = substitute_names(variable.given, known)
        scope = [binders[b] for b in sorted(rule.compiled.matcher.may_mention[variable.name])]
        plain = (
            _operation(t) if (rule.where or rule.compute or relies_on_promise(rule)) and not scope else None
        )
        if plain is not None:
            terms[variable.name] = plain
        elif scope or isinstance(t, FunType):
            terms[variable.name] = _function(source, t, scope, 7 + 4 * index)
        else:
            parameters.append(Var(variable.name, t))
            terms[variable.name] = parameters[-1]
    return instantiated(pattern, terms, known), parameters


def _operation(t: Type) -> Expr | None:
    """What conditions of reductions require: `add` for a function of two numbers, 0 for a number."""
    match t:
        case FunType(ScalarType() as a, FunType(ScalarType() as b, ScalarType() as c)) if a == b == c:
            return primitive("add", (a,))
        case ScalarType():
            return make_literal(0, t)
    return None


def _function(source: Source, t: Type, scope: list[Var], salt: int) -> Expr:
    """A function, or a value in the scope of some variables, computed from all of its arguments and variables."""
    if isinstance(t, FunType):
        x = source.variable(t.parameter)
        return function_of(x, _function(source, t.result, [*scope, x], salt))
    number: Expr = make_literal(salt, I64)
    for variable in scope:
        scaled = primitive("mul", (I64,), number, make_literal(131, I64))
        number = primitive("add", (I64,), scaled, digest(source, variable, I64))
    return _value_from(source, t, number)


def _value_from(source: Source, t: Type, number: Expr) -> Expr:
    """A value of a type, computed from a number so that different numbers give different values."""
    match t:
        case ScalarType("bool"):
            return primitive("lt", (I64,), make_literal(0, I64), number)
        case ScalarType(name) if name in SCALARS:
            return number if t == I64 else primitive("cast", (t, I64), number)
        case PairType(first, second):
            other = primitive("mul", (I64,), number, make_literal(3, I64))
            return primitive(
                "pair",
                (first, second),
                _value_from(source, first, number),
                _value_from(source, second, other),
            )
        case ArrayType(size, element):
            i = source.variable(IndexType(size))
            scaled = primitive("mul", (I64,), number, make_literal(37, I64))
            place = primitive("indexAsInt", (size,), i)
            inside = _value_from(source, element, primitive("add", (I64,), scaled, place))
            return primitive("generate", (size, element), function_of(i, inside))
    raise AssertionError(f"no value of type {t} can be computed from a number")


def _distinct(parameters: list[Var]) -> list[Any]:
    """Values for parameters, whose numbers all differ."""
    return [_numbered(parameter.type, (), 1 + 1000 * index) for index, parameter in enumerate(parameters)]


@lru_cache(maxsize=1 << 12)
def _numbered(t: Type, sizes: tuple[int, ...], first: int) -> Any:
    """A value whose numbers are consecutive, from `first` on."""
    match t:
        case ArrayType(size, element) | VectorType(size, element):
            assert size.constant is not None and size.constant >= 0
            return _numbered(element, (*sizes, size.constant), first)
        case PairType(left, right):
            return _numbered(left, sizes, first), _numbered(right, sizes, first + 500)
    terms = [f"indexAsInt(i{k}) * {math.prod(sizes[k + 1 :])}i64" for k in range(len(sizes))]
    number = " + ".join([f"{first}i64", *terms])
    match t:
        case IndexType(size):
            text = f"({number}) % {max(1, size.constant or 0)}i64"
        case ScalarType("bool"):
            text = f"({number}) % 2i64 == 0i64"
        case ScalarType(name):
            text = number if t == I64 else f"cast{{{name}}}({number})"
        case _:
            raise AssertionError(f"no input of type {t}")
    for k in reversed(range(len(sizes))):
        text = f"generate(fun(i{k}: idx[{sizes[k]}] => {text}))"
    return rise.evaluate(rise.parse(text).main)
