"""Opens and closes directly nested dependent binders together, in one walk.

Handles naturals, types and spaces, in any node that contains them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from rise.dependent_indices import replace_indices
from rise.free_names import surely_apart
from rise.naturals import NatBound, nat
from rise.nodes import Node, transform
from rise.size_functions import SizeFunBound, SizeFunVar
from rise.types import INDEXED, SpaceBound, SpaceMeta, TypeBound, TypeVar, bound_like, shift_dependent

#: the memo of `rise.nodes.transform`, or of `replace_indices`
Done: TypeAlias = dict[Any, Any]


def instantiate_all(node: Any, arguments: Sequence[Any], done: Done | None = None) -> Any:
    """Substitute arguments for the innermost dependent variables of a node, the last for the innermost, and lower the
    indices of the others.

    `done` is a memo of earlier calls with the same arguments; its nodes must be kept alive.
    """
    count = len(arguments)
    if node.dep_loose == 0 or count == 0:
        return node

    def put(variable: Any, depth: int) -> Any:
        index: int = variable.index
        if index < depth + count:
            return shift_dependent(arguments[count - 1 - (index - depth)], depth)
        return bound_like(variable, index - count)

    return replace_indices(node, put, done)


def abstract_all(node: Any, variables: Sequence[Node], done: Done | None = None) -> Any:
    """Turn named variables into the innermost dependent indices, the last into the innermost.

    `done` is a memo of earlier calls with the same variables; its nodes must be kept alive.
    """
    return abstraction(variables)(node, done)


def abstraction(variables: Sequence[Node]) -> Callable[[Any, Done | None], Any]:
    """`abstract_all` for these variables, for many nodes."""
    indices = {variable: index for index, variable in enumerate(reversed(variables))}
    names = frozenset(indices)
    count = len(variables)

    def visit(inner: Node, depth: int, dep_depth: int) -> Any:
        if type(inner) in INDEXED:
            index: int = inner.index  # type: ignore[attr-defined]  # as its class says
            return bound_like(inner, index + count) if index >= dep_depth else None
        return bound_for(inner, indices[inner] + dep_depth) if inner in indices else None

    def untouched(inner: Node, depth: int, dep_depth: int) -> bool:
        return inner.dep_loose <= dep_depth and surely_apart(inner.free, names)

    return lambda node, done: transform(node, visit, untouched, is_dependent=True, done=done)


def bound_for(variable: Node, index: int) -> Any:
    """The dependent index that replaces a named variable."""
    match variable:
        case TypeVar(_, kind):
            return TypeBound(index, kind)
        case SpaceMeta():
            return SpaceBound(index)
        case SizeFunVar():
            return SizeFunBound(index)
        case _:
            return nat(NatBound(index))
