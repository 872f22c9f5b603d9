"""Instantiates a pattern with terms, sizes and types for its metavariables."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rise.inference.schemes import substitute_names
from rise.nodes import Node
from rise.terms import (
    App,
    Bound,
    DepApp,
    Expr,
    Lam,
    Literal,
    Primitive,
    Var,
    abstract,
    make_literal,
    substitute,
)
from rise.types import Type
from strategies.equations.builder import primitive_at
from strategies.equations.patterns import context_of


def binders_of(pattern: Expr, known: Mapping[Node, Any]) -> dict[str, Var]:
    """A free variable for each binder of a pattern, by the binder's name."""
    found: dict[str, Var] = {}
    waiting = [pattern]
    while waiting:
        node = waiting.pop()
        if isinstance(node, Lam):
            found[node.name] = _variable(node.name, substitute_names(node.parameter, known))
        waiting.extend(node.children)
    return found


def _variable(name: str, t: Type) -> Var:
    return Var(f"{name}'", t)


def instantiated(
    node: Expr,
    terms: Mapping[str, Expr],
    known: Mapping[Node, Any],
    around: tuple[Var, ...] = (),
) -> Expr:
    """A pattern with terms for its metavariables; these may mention the variables of `binders_of`."""

    def inside(e: Expr, *more: Var) -> Expr:
        return instantiated(e, terms, known, (*around, *more))

    def put(argument: Any) -> Any:
        return substitute_names(argument, known)

    match node:
        case Var(name, _):
            return terms[name]
        case Bound(index, _):
            return around[-1 - index]
        case App(fun, arg):
            function, argument = inside(fun), inside(arg)
            if isinstance(function, Lam) and context_of(node) is not None:
                return substitute(function.body, argument)
            return App(function, argument)
        case DepApp(fun, argument):
            return DepApp(inside(fun), put(argument))
        case Lam(name, parameter, body):
            variable = _variable(name, put(parameter))
            return abstract(inside(body, variable), variable, name)
        case Primitive(name, implicits, _):
            return primitive_at(name, tuple(put(i) for i in implicits))
        case Literal():
            return make_literal(node.value, put(node.type))
    raise AssertionError(f"a pattern has no {node!r}")
