"""Instances of an equation's left side: random sizes, types, functions and values for its metavariables.

Knows what a pattern is made of. An instance is a term over free variables; its sizes may be symbols.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import hypothesis.strategies as st

from elevate import FloatClass
from rise.inference.equations import metavariable
from rise.naturals import NatVar, const, nat
from rise.nodes import Node, postorder
from rise.schemes import substitute_names
from rise.terms import App, Bound, DepApp, Expr, Lam, Literal, Primitive, Var, abstract, make_literal
from rise.types import FunType, ScalarType, TypeVar
from strategies.building import primitive_at
from strategies.equation import EquationRule
from strategies.testing.terms import SAFE, SIMPLE, Source, closed, number, some_type, term

SIZES = (1, 2, 3, 0, 4)


@dataclass(frozen=True, slots=True)
class Instance:
    """A term that a rule's left side matches, over free variables, and how it came about."""

    left: Expr
    parameters: tuple[Var, ...]
    sizes: Mapping[NatVar, int]
    """The sizes that are symbols in the term, and what they are when it is evaluated."""
    chosen: Mapping[str, Any]
    """What was chosen for each metavariable, by its name."""
    seed: int
    """What the inputs are made of."""

    def program(self, e: Expr) -> Expr:
        """A side of the equation as a closed program at the chosen sizes."""
        values: dict[Node, Any] = {v: const(size) for v, size in self.sizes.items()}
        parameters: list[Var] = [substitute_names(v, values) for v in self.parameters]
        return closed(substitute_names(e, values), parameters)


@st.composite
def instances(draw: st.DrawFn, rule: EquationRule) -> Instance:
    """Random instances of a rule's left side."""
    pattern = rule.compiled.left
    known: dict[Node, Any] = {metavariable(name): value for name, value in rule.arguments}
    names: dict[str, Any] = dict(rule.arguments)
    sizes: dict[NatVar, int] = {}
    are_symbols = draw(st.booleans())
    free = sorted(pattern.free, key=lambda v: str(getattr(v, "name", "")))
    for place, variable in enumerate(v for v in free if isinstance(v, NatVar) and v not in known):
        size = draw(st.sampled_from(SIZES))
        names[variable.name.removeprefix("?")] = size
        known[variable] = const(size)
        if are_symbols:
            symbol = NatVar(f"s{place}", None)
            sizes[symbol] = size
            known[variable] = nat(symbol)
    scalars = SIMPLE if rule.float_class is FloatClass.EXACT else [t for t in SIMPLE if t.name in SAFE]
    has_vectors = not _mentions(pattern, "cast")  # a vector has no cast to a number
    for type_variable in (v for v in free if isinstance(v, TypeVar)):
        kind = type_variable.kind
        known[type_variable] = some_type(draw, kind, scalars, has_vectors, has_arrays=not rule.where)
    source = Source(draw, is_plain=bool(rule.where) and draw(st.booleans()))
    binders = _binders(pattern, known)
    terms: dict[str, Expr] = {}
    for value in sorted((v for v in pattern.free if isinstance(v, Var)), key=lambda v: v.name):
        t = substitute_names(value.given, known)
        scope = tuple(binders[b] for b in sorted(rule.compiled.matcher.may_mention[value.name]))
        made: Expr
        if scope or isinstance(t, FunType):
            made = term(source, t, scope)
        elif source.is_plain and isinstance(t, ScalarType):
            made = number(t, draw(st.integers(0, 1)))
        else:
            made = source.parameter(t, value.name)
        names[value.name] = terms[value.name] = made
    left = _instantiated(pattern, terms, known, binders, ())
    return Instance(left, tuple(source.parameters), sizes, names, draw(st.integers(0, 99)))


def _mentions(pattern: Expr, name: str) -> bool:
    return any(isinstance(node, Primitive) and node.name == name for node in postorder(pattern))


def _binders(pattern: Expr, known: Mapping[Node, Any]) -> dict[str, Var]:
    """A free variable for each binder of a pattern, by the binder's name."""
    found: dict[str, Var] = {}
    waiting = [pattern]
    while waiting:
        node = waiting.pop()
        if isinstance(node, Lam):
            found[node.name] = Var(f"{node.name}'", substitute_names(node.parameter, known))
        waiting.extend(node.children)
    return found


def _instantiated(
    node: Expr,
    terms: Mapping[str, Expr],
    known: Mapping[Node, Any],
    binders: Mapping[str, Var],
    around: tuple[str, ...],
) -> Expr:
    """A pattern with its metavariables put in, and nothing else done to it: a pattern is small."""

    def inside(e: Expr, *more: str) -> Expr:
        return _instantiated(e, terms, known, binders, (*around, *more))

    def put(argument: Any) -> Any:
        return substitute_names(argument, known)

    match node:
        case Var(name, _):
            return terms[name]
        case Bound(index, _):
            return binders[around[-1 - index]]
        case App(fun, arg):
            return App(inside(fun), inside(arg))
        case DepApp(fun, argument):
            return DepApp(inside(fun), put(argument))
        case Lam(name, _, body):
            return abstract(inside(body, name), binders[name], name)
        case Primitive(name, implicits, _):
            return primitive_at(name, tuple(put(i) for i in implicits))
        case Literal():
            return make_literal(node.value, put(node.type))
    raise AssertionError(f"a pattern has no {node!r}")
