"""Reads the kinds of dependent parameters, and memory spaces, from syntax. Independent of types and sizes."""

from __future__ import annotations

from rise.diagnostics import did_you_mean
from rise.inference.scope import General, Parameter, Scope, Shared
from rise.nodes import Node
from rise.scalars import FAMILY, IMPLIES, SIZE_FUNCTION, SPACES, kind_classes, kind_name
from rise.text import syntax as s
from rise.types import Space, SpaceBound, SpaceMeta


def is_kind(syntax: s.Type) -> bool:
    """Whether syntax that may be a type is a kind: the kind of sizes or of functions of sizes, or a class of types."""
    match syntax:
        case s.Arrow(_, s.TypeName(_, "nat"), s.TypeName(_, "nat" | "data")):
            return True
    return all(
        isinstance(part, s.TypeName) and (part.name == "nat" or part.name in IMPLIES)
        for part in _summands(syntax)
    )


def _summands(syntax: s.Type) -> list[s.Type]:
    """The summands of a type's syntax; the summands of a kind are classes of types."""
    summands: list[s.Type] = []
    waiting = [syntax]
    while waiting:
        match waiting.pop():
            case s.TypeBinary(_, "+", left, right):
                waiting += [right, left]
            case part:
                summands.append(part)
    return summands


def read_kind(scope: Scope, kind: s.Type) -> str:
    """`nat`, `space`, or a class of types such as `num` or `floating + ord`."""
    match kind:
        case s.TypeName(_, "nat" | "space" as name):
            return name
        case s.Arrow(_, s.TypeName(_, "nat"), s.TypeName(_, "nat" | "data" as result)):
            return SIZE_FUNCTION if result == "nat" else FAMILY
    names = [part.name for part in _summands(kind) if isinstance(part, s.TypeName) and part.name in IMPLIES]
    if len(names) == len(_summands(kind)):
        return kind_name(frozenset().union(*map(kind_classes, names)))
    scope.fail(
        "unknown-kind",
        "expected a kind: nat, space, or a class of types (data, num, ord, floating, integral)",
        kind.span,
        "this is not a kind",
    )


def read_space(scope: Scope, syntax: s.Type) -> Space | SpaceBound | SpaceMeta:
    """`Global`, `Shared`, `Local`, `Constant`, or a space variable in scope."""
    match syntax:
        case s.TypeName(_, name) if name in SPACES:
            return Space(name)
        case s.TypeName(_, name):
            match scope.lookup(name):
                case SpaceBound() | SpaceMeta() as bound:
                    return bound
                case Node() | Parameter() | Shared() | General() as other:
                    scope.refuse("a memory space", name, other, syntax.span)
            hint = did_you_mean(name, SPACES)
            scope.fail("unknown-name", f"expected a memory space, found `{name}`", syntax.span, "", hint)
    scope.fail(
        "unknown-name", f"expected a memory space ({', '.join(SPACES)})", syntax.span, "this is not one"
    )
