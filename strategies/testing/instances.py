"""Random instances of an equation's left side: sizes, types, functions and values for its metavariables.

An instance is a term with free variables; its sizes may be symbolic.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
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
    SAFE_FLOATS,
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
"""A rule with this many sizes is tested at small ones, since its nested arrays would have thousands of numbers."""
#: the associative operations, as `reduce` requires of its function
ASSOCIATIVE = tuple(
    name for name in BINARY if PRIMITIVES[name].neutral is not None or has_trait(name, "chooses")
)


@dataclass(frozen=True, slots=True)
class Instance:
    """A term with free variables that a rule's left side matches, and the choices that led to it."""

    left: Expr
    parameters: tuple[Var, ...]
    sizes: Mapping[NatVar, int]
    """The symbolic sizes of the term, with the values that evaluation uses."""
    chosen: Mapping[str, Any]
    """The choice for each metavariable, by its name."""
    seed: int
    """The seed of the inputs."""
    terms: Mapping[str, Expr]
    """The terms of the metavariables."""
    known: Mapping[Node, Any]
    """The sizes and types of the pattern."""
    named_sizes: Mapping[str, int]
    """The sizes by their names in the equation, including those of parameters."""

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

    `compiled` is given for a rule by a function: the pattern of its left side.
    """
    compiled = rule.compiled if compiled is None else compiled
    pattern = compiled.left
    has_conditions, relies = bool(rule.where or rule.compute), relies_on_promise(rule, compiled)
    choices = _Choices(
        {metavariable(name): value for name, value in rule.arguments},
        dict(rule.arguments),
        {name: value.constant for name, value in rule.arguments if value.constant is not None},
    )
    _choose_sizes(draw, pattern, choices)
    _choose_types(draw, rule, compiled, choices, has_arrays=not (has_conditions or relies))
    known = choices.known
    _relate(pattern, known)
    source = Source(
        draw,
        is_plain=relies or (has_conditions and draw(st.booleans())),
        operations=ASSOCIATIVE if relies else BINARY,
        may_keep_order=relies and not has_conditions,
    )
    values = sorted((v for v in pattern.free if isinstance(v, Var)), key=lambda v: v.name)
    try:
        binders = binders_of(pattern, known)
        types = [substitute_names(value.given, known) for value in values]
    except ZeroDivisionError:  # a size that no instance has
        reject()
    terms: dict[str, Expr] = {}
    for value, t in zip(values, types, strict=True):
        scope = tuple(binders[b] for b in sorted(compiled.matcher.may_mention[value.name]))
        if is_opaque:
            terms[value.name] = opaque(source, value.name, t, scope)
        else:
            terms[value.name] = _some_term(draw, source, value.name, t, scope, relies)
    try:
        left = instantiated(pattern, terms, known)
    except ZeroDivisionError:  # a size that no instance has
        reject()
    instance = Instance(
        left,
        tuple(source.parameters),
        choices.symbols,
        choices.names | terms,
        draw(st.integers(0, 99)),
        terms,
        known,
        dict(sorted(choices.named_sizes.items())),
    )
    try:
        instance.program(left)
    except ZeroDivisionError:
        reject()
    return instance


@dataclass(slots=True)
class _Choices:
    """Sizes and types as they are chosen: by the pattern's variables, and by names; sizes that stay symbolic."""

    known: dict[Node, Any]
    names: dict[str, Any]
    named_sizes: dict[str, int]
    symbols: dict[NatVar, int] = field(default_factory=dict)


def _choose_sizes(draw: st.DrawFn, pattern: Expr, choices: _Choices) -> None:
    called, are_symbols = size_names(pattern), draw(st.booleans())
    variables = [v for v in _variables(pattern) if isinstance(v, NatVar) and v not in choices.known]
    among = SMALL_SIZES if len(variables) >= MANY_SIZES else SIZES
    for index, variable in enumerate(variables):
        size = draw(st.sampled_from(among))
        name = called[variable]
        choices.names[name] = choices.named_sizes[name] = size
        choices.known[variable] = const(size)
        if are_symbols:
            symbol = NatVar(f"s{index}", None)
            choices.symbols[symbol] = size
            choices.known[variable] = nat(symbol)


def _choose_types(
    draw: st.DrawFn, rule: EquationRule, compiled: Compiled, choices: _Choices, has_arrays: bool
) -> None:
    allowed = {FloatClass.EXACT: None, FloatClass.APPROXIMATE: SAFE_FLOATS}.get(rule.float_class, SAFE)
    scalars = [t for t in ALL if allowed is None or t.name in allowed]
    sides = (compiled.left, compiled.right)
    has_vectors = not any(_mentions(side, "cast") for side in sides)  # a vector cannot be cast to a number
    for variable in _variables(compiled.left):
        if isinstance(variable, TypeVar):
            choices.known[variable] = some_type(
                draw, variable.kind, scalars, has_vectors, has_arrays=has_arrays
            )


def _variables(pattern: Expr) -> list[Any]:
    return sorted(pattern.free, key=lambda v: str(getattr(v, "name", "")))


def _some_term(
    draw: st.DrawFn, source: Source, name: str, t: Type, scope: tuple[Var, ...], relies: bool
) -> Expr:
    """A term for a metavariable; `relies` as `relies_on_promise`."""
    if isinstance(t, DepFunType):
        return row_function(draw, source, name, t)
    if scope or isinstance(t, FunType):
        function = term(source, t, scope)
        is_chosen = relies or (source.is_plain and isinstance(t, FunType))  # as required by conditions
        return function if is_chosen or not draw(st.booleans()) else mixed(source, function, scope)
    if source.is_plain and isinstance(t, ScalarType):
        return number(t, draw(st.integers(0, 1)))
    return source.parameter(t, name)


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
    """Give the components of complex numbers their type, if a pattern takes complex numbers apart or builds them."""
    for node in postorder(pattern):
        record = lookup(node.name) if isinstance(node, Primitive) else None
        if isinstance(node, Primitive) and record is not None and record.relation == "parts":
            for one, other in (node.implicits, node.implicits[::-1]):
                if is_complex(str(known.get(one))):
                    known[other] = partner(record.relation, known[one])
