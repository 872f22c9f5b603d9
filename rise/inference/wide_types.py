"""Terms at a type: conversions to the type that its sums are kept in are left out where that is the type itself.

Knows the primitive that converts, and the one that applies it to arrays.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rise.inference.schemes import substitute_names
from rise.nodes import Node
from rise.terms import App, Expr, Primitive
from rise.types import Type, TypeVar, WideType, wide


def put_in(e: Expr, values: Mapping[Node, Any]) -> Expr:
    """A term with values for some of its named variables."""
    e = at_wide(e, [v for v, value in values.items() if isinstance(v, TypeVar) and is_wide(value)])
    found: Expr = substitute_names(e, values)
    return found


def is_wide(t: Any) -> bool:
    """Whether it is a type whose sums are of the type itself."""
    return isinstance(t, Type) and wide(t) is t


def at_wide(e: Expr, variables: Sequence[TypeVar], done: dict[int, Any] | None = None) -> Expr:
    """The term where the variables are types whose sums are of the type itself: nothing is converted for them.

    `done` holds what was rebuilt before for the same variables; what is in it must be kept alive.
    """
    if done is None:
        done = {}
    stack: list[Node] = [e]
    while stack:
        node = stack[-1]
        if node.free.isdisjoint(variables):
            done[id(node)] = node
        if id(node) in done:
            stack.pop()
            continue
        kept = _kept(node, variables)
        parts = node.parts if kept is None else (kept,)
        waiting = [part for part in parts if id(part) not in done]
        if waiting:
            stack += waiting
            continue
        stack.pop()
        if kept is not None:
            done[id(node)] = done[id(kept)]
        else:
            changed = any(done[id(part)] is not part for part in parts)
            done[id(node)] = node.with_parts(tuple(done[id(part)] for part in parts)) if changed else node
    found: Expr = done[id(e)]
    return found


def _kept(node: Node, variables: Sequence[TypeVar]) -> Node | None:
    """What stands for a node: for the type of a variable's sums the variable, for what is converted to that type, or
    back, what it was.
    """
    match node:
        case WideType(TypeVar() as variable) if variable in variables:
            return variable
        case App(function, arg):
            while isinstance(function, App) and function.root == ("map", 1):
                function = function.arg
            match function:
                case Primitive("cast", (WideType(sums), of)) | Primitive("cast", (of, WideType(sums))):
                    return arg if sums is of and of in variables else None
    return None
