"""Terms at a type: conversions to the type that its sums are kept in are left out where that is the type itself.

Knows the primitive that converts, and the one that applies it to arrays.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final

from rise.nodes import Node, postorder
from rise.schemes import substitute_names
from rise.terms import App, DepLam, Expr, Primitive
from rise.types import Type, TypeVar, WideType, instantiate_dependent, wide


def instantiated(e: DepLam, argument: Any) -> Expr:
    """The body of a dependent function at an argument."""
    if not isinstance(argument, Type) or not _is_wide(argument) or not _mentions_sums(e):
        body: Expr = instantiate_dependent(e.body, argument)
        return body
    variable = TypeVar(_NAME, e.kind)
    opened = at_wide(instantiate_dependent(e.body, variable), variable)
    found: Expr = substitute_names(opened, {variable: argument})
    return found


def put_in(e: Expr, values: Mapping[Node, Any]) -> Expr:
    """A term with values for some of its named variables."""
    for variable, value in values.items():
        if isinstance(variable, TypeVar) and isinstance(value, Type) and _is_wide(value):
            e = at_wide(e, variable)
    found: Expr = substitute_names(e, values)
    return found


def at_wide(e: Expr, variable: TypeVar) -> Expr:
    """The term where the variable is a type whose sums are of the type itself: nothing is converted for them."""
    sums = wide(variable)
    if not _mentions_sums(e):
        return e
    done: dict[int, Any] = {}
    for node in postorder(e):
        kept = _converted(node, variable, sums)
        if node is sums:
            done[id(node)] = variable
        elif kept is not None:
            done[id(node)] = done[id(kept)]
        else:
            parts = tuple(done[id(part)] for part in node.parts)
            changed = any(new is not old for new, old in zip(parts, node.parts, strict=True))
            done[id(node)] = node.with_parts(parts) if changed else node
    found: Expr = done[id(e)]
    return found


def _converted(node: Node, variable: TypeVar, sums: Type) -> Expr | None:
    """What is converted for a sum, or back."""
    if not isinstance(node, App):
        return None
    function = node.fun
    while isinstance(function, App) and function.root == ("map", 1):
        function = function.arg
    match function:
        case Primitive("cast", (target, source)) if {target, source} == {variable, sums}:
            return node.arg
    return None


def _is_wide(t: Type) -> bool:
    """Whether sums of a type are of the type itself."""
    return wide(t) is t


@lru_cache(maxsize=1 << 10)
def _mentions_sums(e: Expr) -> bool:
    return any(isinstance(node, WideType) for node in postorder(e))


_NAME: Final = "%sums"  # no text can say it
