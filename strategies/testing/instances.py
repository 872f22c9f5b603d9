"""Instances of an equation's left side: random sizes, types, functions and values for its metavariables.

Knows the parts of a pattern. An instance is a term over free variables; its sizes may be symbolic.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import hypothesis.strategies as st
from hypothesis import reject

from elevate import FloatClass
from rise.inference.equations import metavariable
from rise.inference.schemes import substitute_names
from rise.naturals import NatVar, const, nat
from rise.nodes import Node, postorder
from rise.primitives import PRIMITIVES, has_trait, lookup
from rise.primitives.related_types import partner
from rise.records import dataclass
from rise.scalars import is_complex
from rise.terms import Expr, Primitive, Var, apply
from rise.types import DepFunType, FunType, ScalarType, Type, TypeVar
from strategies.equations.compilation import Compiled
from strategies.equations.instances import binders_of, instantiated
from strategies.equations.inverses import PROMISES
from strategies.equations.rule import EquationRule
from strategies.testing.alterations import mixed
from strategies.testing.exercise import size_names
from strategies.testing.terms import (
    ALL,
    BINARY,
    SAFE,
    Source,
    closed,
    number,
    row_function,
    some_type,
    term,
)

SIZES = (1, 2, 3, 0, 4)
SMALL_SIZES = (1, 2, 1, 2, 0)
MANY_SIZES = 5
"""A rule with so many sizes is tested at small ones: its arrays of arrays would have thousands of numbers."""
#: the associative operations, as `reduce` requires of its function
ASSOCIATIVE = tuple(
    name for name in BINARY if PRIMITIVES[name].neutral is not None or has_trait(name, "chooses")
)


@dataclass(frozen=True, slots=True)
class Instance:
    """A term that a rule's left side matches, over free variables, and the choices that led to it."""

    left: Expr
    parameters: tuple[Var, ...]
    sizes: Mapping[NatVar, int]
    """The symbolic sizes of the term, with their values for evaluation."""
    chosen: Mapping[str, Any]
    """The choice for each metavariable, by its name."""
    seed: int
    """Determines the inputs."""
    terms: Mapping[str, Expr]
    """The terms of the metavariables."""
    known: Mapping[Node, Any]
    """The sizes and types of the pattern."""
    named_sizes: Mapping[str, int]
    """The sizes by their names in the equation, those of parameters among them."""

    def program(self, e: Expr) -> Expr:
        """A side of the equation as a closed program with the chosen sizes."""
        values: dict[Node, Any] = {v: const(size) for v, size in self.sizes.items()}
        parameters: list[Var] = [substitute_names(v, values) for v in self.parameters]
        return closed(substitute_names(e, values), parameters)


@st.composite
def instances(
    draw: st.DrawFn, rule: EquationRule, is_opaque: bool = False, compiled: Compiled | None = None
) -> Instance:
    """Random instances of a rule's left side, with variables for all functions if `is_opaque`.

    `compiled` is the pattern of a rule by a function.
    """
    compiled = rule.compiled if compiled is None else compiled
    pattern = compiled.left
    called = size_names(pattern)
    known: dict[Node, Any] = {metavariable(name): value for name, value in rule.arguments}
    names: dict[str, Any] = dict(rule.arguments)
    named_sizes = {name: value.constant for name, value in rule.arguments if value.constant is not None}
    sizes: dict[NatVar, int] = {}
    are_symbols = draw(st.booleans())
    free = sorted(pattern.free, key=lambda v: str(getattr(v, "name", "")))
    open_sizes = [v for v in free if isinstance(v, NatVar) and v not in known]
    among = SMALL_SIZES if len(open_sizes) >= MANY_SIZES else SIZES
    for index, variable in enumerate(open_sizes):
        size = draw(st.sampled_from(among))
        names[called[variable]] = named_sizes[called[variable]] = size
        known[variable] = const(size)
        if are_symbols:
            symbol = NatVar(f"s{index}", None)
            sizes[symbol] = size
            known[variable] = nat(symbol)
    scalars = ALL if rule.float_class is FloatClass.EXACT else [t for t in ALL if t.name in SAFE]
    sides = (pattern, compiled.right)
    has_vectors = not any(_mentions(side, "cast") for side in sides)  # a vector has no cast to a number
    has_conditions, relies = bool(rule.where or rule.compute), relies_on_promise(rule, compiled)
    for type_variable in (v for v in free if isinstance(v, TypeVar)):
        kind = type_variable.kind
        known[type_variable] = some_type(
            draw, kind, scalars, has_vectors, has_arrays=not (has_conditions or relies)
        )
    _relate(pattern, known)
    is_plain = relies or (has_conditions and draw(st.booleans()))
    source = Source(
        draw,
        is_plain=is_plain,
        operations=ASSOCIATIVE if relies else BINARY,
        may_keep_order=relies and not has_conditions,
    )
    binders = binders_of(pattern, known)
    terms: dict[str, Expr] = {}
    for value in sorted((v for v in pattern.free if isinstance(v, Var)), key=lambda v: v.name):
        t = substitute_names(value.given, known)
        scope = tuple(binders[b] for b in sorted(compiled.matcher.may_mention[value.name]))
        value_term: Expr
        if is_opaque:
            value_term = opaque(source, value.name, t, scope)
        elif isinstance(t, DepFunType):
            value_term = row_function(draw, source, value.name, t)
        elif scope or isinstance(t, FunType):
            value_term = term(source, t, scope)
            is_chosen = relies or (source.is_plain and isinstance(t, FunType))  # as conditions require
            if not is_chosen and draw(st.booleans()):
                value_term = mixed(source, value_term, scope)
        elif source.is_plain and isinstance(t, ScalarType):
            value_term = number(t, draw(st.integers(0, 1)))
        else:
            value_term = source.parameter(t, value.name)
        names[value.name] = terms[value.name] = value_term
    try:
        left = instantiated(pattern, terms, known)
    except ZeroDivisionError:  # a size that no instance has
        reject()
    seed = draw(st.integers(0, 99))
    parameters = tuple(source.parameters)
    sizes_by_name = dict(sorted(named_sizes.items()))
    instance = Instance(left, parameters, sizes, names, seed, terms, known, sizes_by_name)
    try:
        instance.program(left)
    except ZeroDivisionError:
        reject()
    return instance


def opaque(source: Source, name: str, t: Type, scope: tuple[Var, ...]) -> Expr:
    """A free variable, applied to the variables in scope."""
    for variable in reversed(scope):
        t = FunType(variable.type, t)
    function: Expr = source.parameter(t, name)
    return apply(function, *scope)


def relies_on_promise(rule: EquationRule, compiled: Compiled | None = None) -> bool:
    """Whether a rule holds only for functions that satisfy a primitive's requirements, such as associativity."""
    if rule.float_class is not FloatClass.REASSOCIATING:
        return False
    left = (rule.compiled if compiled is None else compiled).left
    return any(isinstance(node, Primitive) and node.name in PROMISES for node in postorder(left))


def _mentions(pattern: Expr, name: str) -> bool:
    return any(isinstance(node, Primitive) and node.name == name for node in postorder(pattern))


def _relate(pattern: Expr, known: dict[Node, Any]) -> None:
    """Give the parts of complex numbers their type, where a pattern takes these apart or makes them."""
    for node in postorder(pattern):
        record = lookup(node.name) if isinstance(node, Primitive) else None
        if isinstance(node, Primitive) and record is not None and record.relation == "parts":
            for one, other in (node.implicits, node.implicits[::-1]):
                if is_complex(str(known.get(one))):
                    known[other] = partner(record.relation, known[one])
