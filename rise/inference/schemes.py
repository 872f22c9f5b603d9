"""Reads the type schemes of primitives from their text, once, and instantiates them.

Independent of terms other than `Primitive`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from types import SimpleNamespace
from typing import Any, Final

from rise.free_names import surely_apart
from rise.inference.kinds import read_kind
from rise.inference.scope import Scope
from rise.inference.types import read_type
from rise.naturals import Nat, NatVar, nat
from rise.nodes import Node, transform
from rise.primitives import lookup
from rise.primitives.record import PrimitiveRecord
from rise.records import dataclass
from rise.scalars import SIZE_FUNCTION
from rise.size_functions import SizeFunVar
from rise.terms import DepApp, Expr, Primitive, fitting_dep_app
from rise.text import syntax as s
from rise.text.reader import read_type as read_type_text
from rise.types import (
    OF_TWO,
    Argument,
    DepFunType,
    FunType,
    Type,
    TypeVar,
    instantiate_dependent,
    shift_dependent,
)


@dataclass(frozen=True, slots=True, eq=False)  # a text is read once
class Scheme:
    """The type of a primitive, in which the implicit parameters are named variables."""

    parameters: tuple[tuple[str, str], ...]  # (name, kind), in order of the text
    variables: tuple[Node, ...]
    body: Type
    steps: tuple[tuple[Any, tuple[Any, ...]], ...]  # see Note [Steps]

    def instance(self, arguments: tuple[Argument, ...]) -> Type:
        """The type at these implicit arguments."""
        for argument in arguments:
            if argument.free or not argument.is_nameless:  # it is new, or arguments are equal up to names
                return _instance(self, arguments)
        return _cached_instance(self, arguments)


def _instance(scheme: Scheme, arguments: tuple[Argument, ...]) -> Type:
    if not scheme.steps:
        return scheme.body
    made: list[Any] = list(arguments)
    for node, parts in scheme.steps:
        if type(node) is int:
            made.append(shift_dependent(made[parts[0]], node))
        elif node in OF_TWO:
            first, second = parts
            made.append(
                node(
                    made[first] if type(first) is int else first,
                    made[second] if type(second) is int else second,
                )
            )
        else:
            made.append(node.with_parts(tuple([made[part] if type(part) is int else part for part in parts])))
    return made[-1]  # type: ignore[no-any-return]  # the last step makes the type


_cached_instance: Final = lru_cache(maxsize=1 << 12)(_instance)


@cache
def scheme_of(text: str) -> Scheme:
    """Read a type scheme. Its implicit parameters may stand before any parameter."""
    parameters: list[tuple[str, str]] = []
    scope = Scope(source=text)
    outer: list[s.Type] = []
    syntax: s.Type = read_type_text(text)
    while True:
        match syntax:
            case s.ImplicitArrow(_, name, kind, result):
                parameters.append((name, read_kind(scope, kind)))
                syntax = result
            case s.ExplicitArrow(_, _, _, result) | s.Arrow(_, _, result):
                outer.append(syntax)
                syntax = result
            case _:
                break
    for node in reversed(outer):
        match node:
            case s.ExplicitArrow(span, name, kind, _):
                syntax = s.ExplicitArrow(span, name, kind, syntax)
            case s.Arrow(span, parameter, _):
                syntax = s.Arrow(span, parameter, syntax)
    variables = {name: scheme_variable(name, kind) for name, kind in parameters}
    scope.free = lambda name, kind: variables.get(name)
    body = read_type(scope, syntax)
    return Scheme(tuple(parameters), tuple(variables.values()), body, _steps(body, [*variables.values()]))


def _steps(body: Type, variables: Sequence[Node]) -> tuple[tuple[Any, tuple[Any, ...]], ...]:
    """The steps that build a type with values for variables, see Note [Steps]."""
    names = frozenset(variables)
    #: by the identity of a node and the number of dependent binders around it
    places: dict[tuple[int, int], int] = {
        (id(variable), 0): place for place, variable in enumerate(variables)
    }
    steps: list[tuple[Any, tuple[Any, ...]]] = []
    stack: list[tuple[Node, int, bool]] = [(body, 0, False)]
    while stack:
        node, depth, is_finished = stack.pop()
        if (id(node), depth) in places or node.free.isdisjoint(names):
            continue
        below = depth + 1 if node.BINDER == 2 else depth
        if node in names:
            steps.append((depth, (places[id(node), 0],)))
        elif not is_finished:
            stack.append((node, depth, True))
            stack += [(part, below, False) for part in reversed(node.parts)]
            continue
        elif isinstance(node, Nat) and node is nat(node.parts[0]):  # type: ignore[arg-type]  # an atom, or a sum
            places[id(node), depth] = places[id(node.parts[0]), depth]
            continue
        else:
            made_from = tuple([places.get((id(part), below), part) for part in node.parts])
            steps.append((type(node) if type(node) in OF_TWO else node, made_from))
        places[id(node), depth] = len(variables) + len(steps) - 1
    return tuple(steps)


@cache
def scheme_at_sizes(text: str, most: int | None = None) -> tuple[int, Scheme]:
    """The number of explicit sizes that a primitive takes first, at most this number if it is given, and the scheme in
    which they are the last parameters: its instances are the types of the primitive applied to them.
    """
    scheme = scheme_of(text)
    body, variables = scheme.body, list(scheme.variables)
    while isinstance(body, DepFunType) and body.kind == "nat" and not body.implicit:
        if len(variables) - len(scheme.variables) == most:
            break
        variables.append(variable := NatVar(body.name, None))
        body = instantiate_dependent(body.result, nat(variable))
    count = len(variables) - len(scheme.variables)
    names = [(variable.name, "nat") for variable in variables if isinstance(variable, NatVar)][-count:]
    parameters = (*scheme.parameters, *names) if count else scheme.parameters
    return count, Scheme(parameters, tuple(variables), body, _steps(body, variables))


def scheme_variable(name: str, kind: str) -> Node:
    """The variable for an implicit parameter inside a scheme."""
    assert kind != "space", "a space is an explicit parameter"
    if kind == SIZE_FUNCTION:
        return SizeFunVar(name)
    return NatVar(name, None) if kind == "nat" else TypeVar(name, kind)


def instantiate_primitive(record: PrimitiveRecord, arguments: tuple[Argument, ...]) -> Primitive:
    """A primitive at its implicit arguments."""
    return Primitive(record.name, arguments, scheme_of(record.scheme).instance(arguments))


def applied(e: Expr, argument: Argument) -> DepApp:
    """A dependent application. If a primitive is applied to sizes that it takes first, the type is made from its
    scheme, after the last of them.
    """
    sizes: list[Any] = [argument]
    head = e
    while type(head) is DepApp:
        sizes.append(head.argument)
        head = head.fun
    record = lookup(head.name) if type(head) is Primitive else None
    count, scheme = (0, None) if record is None else scheme_at_sizes(record.scheme)
    if scheme is None or count < len(sizes):
        return DepApp(e, argument)
    if len(sizes) < count:
        return fitting_dep_app(e, argument, None)
    arguments = (*head.implicits, *reversed(sizes))  # type: ignore[attr-defined]  # a primitive
    return fitting_dep_app(e, argument, lambda: scheme.instance(arguments))


@cache
def parameter_names(scheme: str) -> tuple[tuple[str, ...], tuple[str | None, ...]]:
    """The names of the implicit parameters; and for each explicit parameter its name if it is dependent, otherwise
    None.
    """
    parsed = scheme_of(scheme)
    explicit: list[str | None] = []
    rest: Node = parsed.body
    while isinstance(rest, FunType | DepFunType):
        explicit.append(rest.name if isinstance(rest, DepFunType) else None)
        rest = rest.result
    return tuple(name for name, _ in parsed.parameters), tuple(explicit)


def sizes_of(record: PrimitiveRecord, implicits: Sequence[Any], dependent: Sequence[Any]) -> SimpleNamespace:
    """The parameters of a primitive by name, implicit and explicit ones, as arguments for its `places`."""
    names, arguments = parameter_names(record.scheme)
    explicit = (name for name in arguments if name is not None)
    return SimpleNamespace(
        **dict(zip(names, implicits, strict=True)), **dict(zip(explicit, dependent, strict=True))
    )


def substitute_names(node: Any, values: Mapping[Node, Any]) -> Any:
    """Replace named variables (sizes, types, terms) by values."""
    if not values:
        return node

    def visit(inner: Node, depth: int, dep_depth: int) -> Any:
        if inner in values:
            value = shift_dependent(values[inner], dep_depth)
            return nat(value) if isinstance(inner, NatVar) else value
        return None

    names = frozenset(values)
    return transform(
        node, visit, lambda inner, depth, dep_depth: surely_apart(inner.free, names), is_dependent=True
    )


# Note [Steps]
# A primitive is instantiated at each use, so its type is decomposed once. Each step builds one of the nodes that
# mention a variable, children first. It has the node of the scheme, or only its class if any two parts form such a
# node, and the parts. A part that is a number is a position among the arguments and the results of the steps before;
# any other part is used as it is. A step with a number in place of a node moves its part below that number of dependent
# binders. The last step builds the type.
