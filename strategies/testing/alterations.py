"""Changes every number of a term: by a constant, or by the variables in scope.

Depends on a few primitives by name.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from rise.primitives import PROJECTIONS
from rise.terms import App, Expr, Lam, Var, abstract, make_literal, substitute
from rise.types import ArrayType, FragmentType, FunType, PairType, ScalarType, Type, VectorType
from strategies.testing.terms import Source, digest, digestible, primitive

Amount: TypeAlias = Callable[[ScalarType, tuple[Expr, ...]], Expr]
"""The term to add to a number of a type, given the parameters of the enclosing functions."""


def altered(e: Expr) -> Expr | None:
    """A term of the same type in which every number is different; None if its type has no such term."""
    return _altered(e, e.type, (), _one)


def mixed(source: Source, e: Expr, scope: tuple[Expr, ...]) -> Expr:
    """A term in which a number that depends on all values in scope, if there are any, is added to every number."""

    def amount(t: ScalarType, parameters: tuple[Expr, ...]) -> Expr:
        whole: Expr | None = None
        for value in (*scope, *parameters):
            if digestible(value.type):
                part = digest(source, value, t)
                if whole is not None:
                    doubled = primitive("mul", (t,), whole, make_literal(2, t))
                    part = primitive("add", (t,), doubled, part)
                whole = part
        return make_literal(1, t) if whole is None else whole

    return _altered(e, e.type, (), amount) or e


def _one(t: ScalarType, parameters: tuple[Expr, ...]) -> Expr:
    return make_literal(1, t)


def _altered(e: Expr, t: Any, parameters: tuple[Expr, ...], amount: Amount) -> Expr | None:
    match t:
        case FunType(parameter, result):
            x = Var(f"parameter{len(parameters)}'", parameter)
            called = substitute(e.body, x) if isinstance(e, Lam) else App(e, x)
            inside = _altered(called, result, (*parameters, x), amount)
            return None if inside is None else abstract(inside, x, "x")
        case ScalarType("bool"):
            return primitive("not", (), e)
        case ScalarType():
            return primitive("add", (t,), e, amount(t, parameters))
        case VectorType(size, element) if isinstance(element, ScalarType):
            more = primitive("vectorFromScalar", (size, element), amount(element, parameters))
            return primitive("add", (t,), e, more)
        case PairType(first, second):
            sides = [primitive(name, (first, second), e) for name in PROJECTIONS]
            changed = [_altered(side, side.type, parameters, amount) for side in sides]
            if changed == [None, None]:
                return None
            return primitive(
                "pair", (first, second), *(new or old for new, old in zip(changed, sides, strict=True))
            )
        case ArrayType(size, element):
            function = _function(element, parameters, amount)
            return None if function is None else primitive("map", (size, element, element), function, e)
        case FragmentType(rows, columns, depth, element, "Accum", _):
            function = _function(element, parameters, amount)
            sizes = (rows, columns, depth, element)
            return None if function is None else primitive("mapFragment", sizes, function, e)
    return None


def _function(element: Type, parameters: tuple[Expr, ...], amount: Amount) -> Expr | None:
    x = Var(f"element{len(parameters)}'", element)
    inside = _altered(x, element, (*parameters,), amount)
    return None if inside is None else abstract(inside, x, "e")
