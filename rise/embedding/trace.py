"""Symbolic values while a Python function runs: typed pieces of terms.

Knows the syntax that is built and its scopes. Knows no operation and no numpy.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple, TypeAlias

from rise.dsl.printer import Annotation, Applied, Function, Meant, Mixed, Syntax, Variable, Written
from rise.embedding.places import here, refuse
from rise.embedding.sharing import Binding, close, occurrences
from rise.naturals import Nat
from rise.text.type_printer import show_type
from rise.types import ArrayType, FunType, ScalarType, Type

#: a view of more primitives than this is bound by `let` where it is used twice
WIDEST_VIEW: Final = 64


@dataclass(slots=True, eq=False)
class Scope:
    """The body of a function, open while Python's function runs."""

    trace: Trace
    depth: int
    bindings: list[Binding] = field(default_factory=list)


class Known(NamedTuple):
    """A variable, where it is bound, and its type."""

    variable: Variable
    scope: Scope
    type: Type


@dataclass(slots=True, eq=False)
class Trace:
    """One run of a Python function on symbolic values: the scopes that are open, and what is known of variables."""

    sizes: Sequence[str] = ()  # the names of the program's sizes
    scopes: list[Scope] = field(default_factory=list)
    weights: dict[int, int] = field(default_factory=dict)  # of the variables of views
    known: dict[int, Known] = field(default_factory=dict)
    counts: dict[tuple[Nat, Type], Part] = field(default_factory=dict)  # sizes as numbers
    transposed: dict[int, Part] = field(default_factory=dict)  # what a variable is the transpose of

    @property
    def root(self) -> Scope:
        return self.scopes[0]


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """A symbolic value: its type, its syntax, the innermost scope that it needs."""

    type: Type
    syntax: Syntax
    scope: Scope

    @property
    def shape(self) -> tuple[Nat, ...]:
        return shape_of(self.type)

    @property
    def element(self) -> Type:
        return element_of(self.type)

    @property
    def trace(self) -> Trace:
        return self.scope.trace


Body: TypeAlias = Callable[..., Part]


def shape_of(t: Type) -> tuple[Nat, ...]:
    """The sizes of an array, outermost first."""
    found: list[Nat] = []
    while isinstance(t, ArrayType):
        found.append(t.size)
        t = t.element
    return tuple(found)


def element_of(t: Type) -> Type:
    """What an array holds at last."""
    while isinstance(t, ArrayType):
        t = t.element
    return t


def array_of(shape: Sequence[Nat], element: Type) -> Type:
    """The type of an array."""
    for size in reversed(shape):
        element = ArrayType(size, element)
    return element


def scalar_name(t: Type) -> str:
    """The name of a scalar type, or ""."""
    return t.name if isinstance(t, ScalarType) else ""


def shown(t: Type) -> str:
    """A type as a text of the user's."""
    return show_type(t)


def computed(type: Type, syntax: Syntax, *operands: Part) -> Part:
    """The result of an operation on some values."""
    return _bound(type, syntax, operands, 0)


def viewed(type: Type, syntax: Syntax, *operands: Part) -> Part:
    """The result of an operation that moves no data."""
    trace = operands[0].trace
    weight = 1 + sum(trace.weights.get(id(one.syntax), 0) for one in operands)
    return _bound(type, syntax, operands, weight if weight <= WIDEST_VIEW else 0)


def apply(name: str, *arguments: Syntax) -> Syntax:
    """A primitive, applied."""
    return Applied(Written(name), arguments)


def piped(name: str, *arguments: Syntax) -> Syntax:
    """A primitive, applied to all but the last argument and then to it: a function of data, written `f(a)(xs)`."""
    return Applied(Applied(Written(name), arguments[:-1]), arguments[-1:])


def literal(value: float, type: Type, scope: Scope) -> Part:
    """A number of a type."""
    text = ("true" if value else "false") if isinstance(value, bool) else repr(value)
    if scalar_name(type) not in ("f32", "i32", "bool") or (scalar_name(type) == "f32") != isinstance(
        value, float
    ):
        return Part(type, Mixed((text, " : ", Meant(type))), scope.trace.root)
    return Part(type, Written(text, not text.startswith("-")), scope.trace.root)


def scope_of(parts: Sequence[Part]) -> Scope:
    """The innermost scope that some values need; they must all be in scope."""
    innermost = parts[0].scope
    trace = innermost.trace
    for part in parts:
        scope = part.scope
        if (
            scope.trace is not trace
            or len(trace.scopes) <= scope.depth
            or trace.scopes[scope.depth] is not scope
        ):
            title = "a value is used outside of the function that it belongs to"
            refuse("escape", title, "return it from its own function, and use what `map` or `reduce` gives")
        if scope.depth > innermost.depth:
            innermost = scope
    return innermost


def _bound(type: Type, syntax: Syntax, operands: Sequence[Part], weight: int) -> Part:
    scope = scope_of(operands)
    variable = Variable("v")
    scope.bindings.append(Binding(variable, syntax, weight, here()))
    scope.trace.known[id(variable)] = Known(variable, scope, type)
    if weight:
        scope.trace.weights[id(variable)] = weight
    return Part(type, variable, scope)


def function(
    trace: Trace, names: Sequence[str], types: Sequence[Type], body: Body, written: Sequence[Annotation] = ()
) -> Part:
    """The function that a Python function computes.

    `written` are the types of its parameters as they are to stand in the text, else they are left out.
    """
    scope = Scope(trace, len(trace.scopes))
    trace.scopes.append(scope)
    variables = [Variable(name) for name in names]
    trace.known.update((id(v), Known(v, scope, t)) for v, t in zip(variables, types, strict=True))
    try:
        result = body(*(Part(t, v, scope) for v, t in zip(variables, types, strict=True)))
        scope_of([result])
    finally:
        trace.scopes.pop()
    closed = close(scope.bindings, result.syntax)
    annotations = written or [None] * len(variables)
    whole = Function(tuple(zip(variables, annotations, strict=True)), closed)
    made = whole if written else _without_parameter(whole)
    type = result.type
    for t in reversed(types):
        type = FunType(t, type)
    needed = [trace.known[id(v)].scope for v, _ in occurrences(made) if id(v) in trace.known]
    outside = [one for one in needed if one.depth < scope.depth]
    return Part(
        type, made, max(outside, key=lambda one: one.depth, default=trace.root if trace.scopes else scope)
    )


def result_of(function: Part) -> Type:
    """What a function of one or more parameters gives at last."""
    t = function.type
    while isinstance(t, FunType):
        t = t.result
    return t


def _without_parameter(made: Function) -> Syntax:
    """`f` for `fun(x => f(x))`."""
    match made:
        case Function(((variable, _),), Applied(fun, (argument,))) if argument is variable:
            if all(one is not variable for one, _ in occurrences(fun)):
                return fun
    return made
