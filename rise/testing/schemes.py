"""Finds parameters at which the result of a primitive has a given type: some are solved for, others are drawn.

Independent of terms except primitives.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import field
from fractions import Fraction
from functools import cache, lru_cache
from typing import Any, Final, TypeAlias

from rise.inference.isolation import isolate
from rise.inference.schemes import instantiate_primitive, scheme_of, substitute_names
from rise.naturals import Nat, NatBound, NatVar, nat
from rise.nodes import Node
from rise.primitives import PRIMITIVES
from rise.primitives.record import PrimitiveRecord
from rise.primitives.related_types import partner, unrelated
from rise.records import dataclass
from rise.scalars import FAMILY, SIZE_FUNCTION, kind_classes
from rise.size_functions import size_map
from rise.terms import App, DepApp, Expr, Primitive
from rise.types import (
    F32,
    Argument,
    ArrayType,
    DepFunType,
    FragmentType,
    FunType,
    Type,
    TypeVar,
    classes_of,
    instantiate_dependent,
    is_data,
    type_family,
)

#: the length of the rows of dependent arrays in random terms
_LENGTH: Final = nat(NatBound(0)) + 1


#: a function that draws a parameter of a kind, if the wanted type does not determine the parameter
Draw: TypeAlias = Callable[[str], Any]


@dataclass(frozen=True, slots=True)
class Shape:
    """A primitive applied to some arguments: their types and the result type. Dependent parameters are unknowns."""

    record: PrimitiveRecord
    implicits: tuple[tuple[Node, str], ...]
    takes: tuple[Type | tuple[Node, str], ...]
    gives: Type


@dataclass(frozen=True, slots=True)
class Instance:
    """A shape whose parameters are all known: the primitive, the dependent arguments, the types of the others."""

    primitive: Primitive
    arguments: tuple[Type | Argument, ...]
    takes_value: tuple[bool, ...]
    gives: Type


@cache
def shapes() -> tuple[Shape, ...]:
    """All primitives with every number of arguments, from none to all."""
    return tuple(shape for record in PRIMITIVES.values() for shape in shapes_of(record))


def shapes_of(record: PrimitiveRecord) -> Iterator[Shape]:
    """A primitive with every number of arguments, from none to all."""
    scheme = scheme_of(record.scheme)
    unknowns = [_unknown(name, kind) for name, kind in scheme.parameters]
    implicits = tuple((unknown, kind) for unknown, (_, kind) in zip(unknowns, scheme.parameters, strict=True))
    body = scheme.instance(tuple(map(_as_part, unknowns)))
    takes: list[Type | tuple[Node, str]] = []
    while True:
        if not isinstance(body, DepFunType):
            yield Shape(record, implicits, tuple(takes), body)
        match body:
            case FunType(parameter, result):
                takes.append(parameter)
                body = result
            case DepFunType(name, kind, False, result):
                unknown = _unknown(f"{name}{len(takes)}", kind)
                takes.append((unknown, kind))
                body = instantiate_dependent(result, unknown)
            case _:
                return


def _unknown(name: str, kind: str) -> Node:
    # Spaces do not occur in types, so any unknown can stand for one. All shapes have the same family and the same
    # function of sizes, since matching cannot find them.
    if kind == FAMILY:
        return type_family("i", ArrayType(_LENGTH, F32))
    if kind == SIZE_FUNCTION:
        return size_map("i", _LENGTH)
    return TypeVar(f"?{name}", kind) if kind not in ("nat", "space") else NatVar(f"?{name}", None)


def _as_part(unknown: Node) -> Any:
    return nat(unknown) if isinstance(unknown, NatVar) else unknown


@dataclass(slots=True)
class _Match:
    """The values of the unknowns of a shape so far, and the equations between sizes."""

    draw: Draw
    known: dict[Node, Any] = field(default_factory=dict)
    sizes: list[tuple[Nat, Nat]] = field(default_factory=list)


def instance(shape: Shape, wanted: Type | None, draw: Draw) -> Instance | None:
    """An instance of the shape whose result has the wanted type, or any type; None if there is none."""
    match = _Match(draw)
    if wanted is not None and not (_types_fit(match, shape.gives, wanted) and _sizes_fit(match)):
        return None
    fixed = set(match.known)
    dependent = [taken for taken in shape.takes if isinstance(taken, tuple)]
    for unknown, kind in (*shape.implicits, *dependent):
        if unknown not in match.known:
            match.known[unknown] = unknown if kind in (FAMILY, SIZE_FUNCTION) else draw(kind)
    types = [match.known[unknown] for unknown, _ in shape.implicits]
    if unrelated(shape.record.relation, types):
        first, second = (unknown for unknown, _ in shape.implicits)
        for one, other in ((first, second), (second, first)):
            related = partner(shape.record.relation, match.known[one])
            if other not in fixed and related is not None:
                match.known[other] = related
                break
        else:
            return None
    return _finished(shape, match.known)


def application(record: PrimitiveRecord, arguments: Sequence[Expr | Argument]) -> Expr | None:
    """A primitive applied to terms and sizes; None if the types do not fit."""
    shape = next((known for known in shapes_of(record) if len(known.takes) == len(arguments)), None)
    if shape is None:
        return None
    match = _Match(lambda kind: None)
    for taken, argument in zip(shape.takes, arguments, strict=True):
        if isinstance(taken, tuple):
            match.known[taken[0]] = argument
        elif not isinstance(argument, Expr) or not _types_fit(match, taken, argument.type):
            return None
    if not _sizes_fit(match) or any(unknown not in match.known for unknown, _ in shape.implicits):
        return None
    result: Expr = instantiate_primitive(
        record, tuple(match.known[unknown] for unknown, _ in shape.implicits)
    )
    for argument in arguments:
        result = App(result, argument) if isinstance(argument, Expr) else DepApp(result, argument)
    return result


@lru_cache(maxsize=1 << 10)
def giving(wanted: Type) -> tuple[Shape, ...]:
    """The shapes whose result may have a type, apart from sizes."""
    return tuple(shape for shape in shapes() if _types_fit(_Match(lambda kind: None), shape.gives, wanted))


def _finished(shape: Shape, known: dict[Node, Any]) -> Instance:
    primitive = instantiate_primitive(shape.record, tuple(known[unknown] for unknown, _ in shape.implicits))
    arguments: list[Type | Argument] = []
    for taken in shape.takes:
        arguments.append(known[taken[0]] if isinstance(taken, tuple) else substitute_names(taken, known))
    takes_value = tuple(isinstance(taken, Type) for taken in shape.takes)
    return Instance(primitive, tuple(arguments), takes_value, substitute_names(shape.gives, known))


def _types_fit(match: _Match, pattern: Type, wanted: Type) -> bool:
    work: list[tuple[Node, Node]] = [(pattern, wanted)]
    while work:
        left, right = work.pop()
        if isinstance(left, TypeVar) and left.name.startswith("?"):
            if not isinstance(right, Type) or not _is_of(right, left.kind):
                return False
            if match.known.setdefault(left, right) != right:
                return False
        elif isinstance(left, Nat) and isinstance(right, Nat):
            match.sizes.append((left, right))
        elif type(left) is not type(right) or isinstance(left, DepFunType):
            return False
        elif isinstance(left, FragmentType) and isinstance(right, FragmentType):
            if (left.role, left.scope) != (right.role, right.scope):
                return False
            work += zip(left.parts, right.parts, strict=True)
        elif not left.parts:
            if left != right:
                return False
        else:
            work += zip(left.parts, right.parts, strict=True)
    return True


def _is_of(t: Type, kind: str) -> bool:
    if not is_data(t) or (isinstance(t, FragmentType) and kind != "data"):
        return False
    return kind_classes(kind) <= (classes_of(t) or frozenset())


def _sizes_fit(match: _Match) -> bool:
    """Solve the equations between sizes: draw all unknowns of an equation except one, and solve for that."""
    for pattern, wanted in match.sizes:
        left: Nat = substitute_names(pattern, match.known)
        unknowns = sorted(filter(_is_unknown, left.free), key=lambda unknown: unknown.name)
        for unknown in unknowns[1:]:
            match.known[unknown] = match.draw("nat")
        left = substitute_names(left, match.known)
        if unknowns:
            size = isolate(left - wanted, unknowns[0])
            if size is None or not _may_be_size(size):
                return False
            match.known[unknowns[0]] = size
        elif left is not wanted:
            return False
    return True


def _is_unknown(node: Any) -> bool:
    return isinstance(node, NatVar) and node.name.startswith("?")


def _may_be_size(a: Nat) -> bool:
    """Whether a size is symbolic or a natural number."""
    match a.terms:
        case ():
            return True
        case (((), value),):
            return not isinstance(value, Fraction) and value >= 0
    return True
