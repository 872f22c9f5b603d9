"""Building the right side of an equation from bindings. Knows terms and metavariables, no primitive and no strategy."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any, TypeAlias

from rise.inference.schemes import instantiate_primitive, substitute_names
from rise.naturals import Nat
from rise.primitives import lookup
from rise.terms import (
    App,
    Bound,
    DepApp,
    DepLam,
    Expr,
    Lam,
    Literal,
    Primitive,
    Var,
    make_literal,
    substitute,
)
from rise.types import ArrayType, FunType, PairType, TypeVar, shift_dependent
from strategies.equations.matcher import Bindings, moved, size_at, variable_of
from strategies.equations.patterns import Binders

Build: TypeAlias = Callable[[Bindings], Expr]
BuildType: TypeAlias = Callable[[Bindings], Any]


@dataclass(frozen=True, slots=True)
class Builder:
    """The right side of an equation: a typed template, and how to fill it, worked out once."""

    template: Expr
    build: Build = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "build", term_builder(self.template, ()))


def term_builder(node: Expr, binders: Binders) -> Build:
    """Puts in the metavariables of a template below these binders.

    A metavariable that is a function of a variable is applied on the spot: `f x` with f bound to `fun(a => b)` is b
    at x, since only a name changes.
    """
    match node:
        case Var(name, _):

            def variable(bindings: Bindings) -> Expr:
                term, source = bindings.terms[name]
                return term if term.loose == 0 or source == binders else moved(term, source, binders)

            return variable
        case App(fun, arg):
            function_of, argument_of = term_builder(fun, binders), term_builder(arg, binders)
            if not isinstance(fun, Var | App):
                return lambda bindings: App(function_of(bindings), argument_of(bindings))

            def call(bindings: Bindings) -> Expr:
                function, argument = function_of(bindings), argument_of(bindings)
                if isinstance(function, Lam) and isinstance(argument, Bound | Var):
                    return substitute(function.body, argument)
                return App(function, argument)

            return call
        case Lam(name, parameter, body):
            parameter_of, body_of = type_builder(parameter), term_builder(body, (*binders, name))
            return lambda bindings: Lam(
                bindings.names.get(name, name), parameter_of(bindings), body_of(bindings)
            )
        case DepLam(name, kind, implicit, facts, body):
            inside_of = term_builder(body, binders)
            return lambda bindings: DepLam(name, kind, implicit, facts, inside_of(_below_size(bindings)))
        case Primitive(name, implicits, _):
            if not node.free:
                return lambda bindings: node
            implicits_of = tuple(type_builder(implicit) for implicit in implicits)
            return lambda bindings: primitive_at(name, tuple([one(bindings) for one in implicits_of]))
        case DepApp(fun, argument):
            function_of, argument_of = term_builder(fun, binders), type_builder(argument)
            return lambda bindings: DepApp(function_of(bindings), argument_of(bindings))
        case Bound(index, given):
            type_of = type_builder(given)
            return lambda bindings: Bound(index, type_of(bindings))
        case Literal():
            type_of = type_builder(node.type)
            value = node.value
            return lambda bindings: make_literal(value, type_of(bindings))
    raise AssertionError(f"a template has no {node!r}")


def _below_size(bindings: Bindings) -> Bindings:
    """The same bindings, seen from below a function of a size."""
    terms = {name: (shift_dependent(term, 1), source) for name, (term, source) in bindings.terms.items()}
    types = {name: shift_dependent(one, 1) for name, one in bindings.types.items()}
    return replace(bindings, terms=terms, types=types)


def type_builder(node: Any) -> BuildType:
    """Puts in the metavariables of a type, a size or a space."""
    if not node.free:
        return lambda bindings: node
    match node:
        case Nat():
            variable = variable_of(node)
            if variable is not None:
                return lambda bindings: bindings.types.get(variable, node)
            return lambda bindings: size_at(node, bindings.types)
        case TypeVar():
            return lambda bindings: bindings.types.get(node, node)
        case ArrayType(size, element):
            size_of, element_of = type_builder(size), type_builder(element)
            return lambda bindings: ArrayType(size_of(bindings), element_of(bindings))
        case PairType(first, second):
            first_of, second_of = type_builder(first), type_builder(second)
            return lambda bindings: PairType(first_of(bindings), second_of(bindings))
        case FunType(parameter, result):
            parameter_of, result_of = type_builder(parameter), type_builder(result)
            return lambda bindings: FunType(parameter_of(bindings), result_of(bindings))
    return lambda bindings: substitute_names(node, bindings.types)


@lru_cache(maxsize=1 << 12)
def primitive_at(name: str, implicits: tuple[Any, ...]) -> Primitive:
    """A primitive at its implicit arguments."""
    record = lookup(name)
    assert record is not None, name
    return instantiate_primitive(record, implicits)
