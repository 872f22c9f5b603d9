"""Removes conversions between a type and its wide type, which is the type of its sums, if both are the same type.

Handles `cast`, and `map`, which applies it to arrays.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rise.free_names import surely_apart
from rise.inference.schemes import substitute_names
from rise.nodes import Node
from rise.terms import App, Expr, Primitive
from rise.types import Type, TypeBound, TypeMeta, TypeVar, WideType, wide


def put_in(e: Expr, values: Mapping[Node, Any]) -> Expr:
    """Replace some named variables of a term by values."""
    e = at_wide(e, [v for v, value in values.items() if isinstance(v, TypeVar) and is_wide(value)])
    term: Expr = substitute_names(e, values)
    return term


def is_wide(t: Any) -> bool:
    """Whether this is a type that equals its wide type."""
    return isinstance(t, Type) and not isinstance(t, TypeVar | TypeBound | TypeMeta) and wide(t) is t


def at_wide(e: Expr, variables: Sequence[TypeVar], done: dict[int, Any] | None = None) -> Expr:
    """The term without conversions between the variables and their wide types; these variables are types that equal
    their wide types.

    `done` holds the nodes rebuilt before for the same variables, by identity; they must be kept alive.
    """
    if done is None:
        done = {}
    names = frozenset(variables)
    stack: list[Node] = [e]
    while stack:
        node = stack[-1]
        if surely_apart(node.free, names):
            done[id(node)] = node
        if id(node) in done:
            stack.pop()
            continue
        replacement = _replacement(node, variables)
        parts = node.parts if replacement is None else (replacement,)
        waiting = [part for part in parts if id(part) not in done]
        if waiting:
            stack += waiting
            continue
        stack.pop()
        if replacement is not None:
            done[id(node)] = done[id(replacement)]
        else:
            is_changed = any(done[id(part)] is not part for part in parts)
            done[id(node)] = node.with_parts(tuple(done[id(part)] for part in parts)) if is_changed else node
    term: Expr = done[id(e)]
    return term


def _replacement(node: Node, variables: Sequence[TypeVar]) -> Node | None:
    """The replacement of a node: the variable for its wide type, and the argument for a conversion between the two."""
    match node:
        case WideType(TypeVar() as variable) if variable in variables:
            return variable
        case App(function, arg):
            while isinstance(function, App) and function.root == ("map", 1):
                function = function.arg
            match function:
                case Primitive("cast", (WideType(narrow), t)) | Primitive("cast", (t, WideType(narrow))):
                    return arg if narrow is t and t in variables else None
    return None
