"""The parameters of functions, and the names bound by blocks, during elaboration. Independent of drafts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

from rise.inference.names import is_reserved
from rise.inference.scope import Scope
from rise.nodes import Node
from rise.terms import Fact
from rise.text import syntax as s
from rise.text.names import meaning_of
from rise.types import DepFunType, FamilyCall, FunType, Type, TypeMeta

#: the depth of nested functions up to which a function that maps rows is searched for
MAX_SEARCH_DEPTH: Final = 8


class Opened(NamedTuple):
    """A parameter of a function whose body is being elaborated."""

    name: str
    kind: str  # "" for a value
    implicit: bool
    variable: Node | None  # for a size, a type or a space
    type: Type | None  # for a value
    facts: tuple[Fact, ...] = ()


def takes_size_first(function: s.Expr) -> bool:
    """Whether this is a function literal whose first parameter is a size."""
    match function:
        case s.Fun(_, (s.Param(_, _, s.TypeName(_, "nat"), False), *_)):
            return True
    return False


def takes_rows(function: s.Expr) -> bool:
    """Whether this is a function literal whose first parameter is a size, or whose value is passed to such a function:
    `fun(a => a |> depMap(fun(i: nat, row => ...)))`, `map(fun(a => ...))`. The search depth is limited.
    """
    waiting = [(function, MAX_SEARCH_DEPTH)]
    while waiting:
        expr, depth_left = waiting.pop()
        if takes_size_first(expr):
            return True
        match expr:
            case s.Fun(_, (s.Param(_, _, None, False),), body) if depth_left:
                waiting += [(inner, depth_left - 1) for inner in _arguments(body)]
            case s.Apply(_, s.Name(), inner) if depth_left:
                waiting.append((inner, depth_left - 1))
    return False


def may_map_rows(wanted: Type, rest: Type, head: Callable[[Type], Type]) -> bool:
    """Whether the first argument is a function like that of `depMap`, or a function of values of an unknown type, as
    for `map`.
    """
    match wanted:
        case DepFunType(_, _, _, FunType(FamilyCall(), _)):
            return isinstance(rest, FunType)
        case FunType(parameter, _):
            return isinstance(rest, FunType) and isinstance(head(parameter), TypeMeta)
    return False


def _arguments(expr: s.Expr) -> Iterator[s.Expr]:
    """The arguments of the functions in a chain of applications, without the value at the start of the chain."""
    while isinstance(expr, s.Block):
        expr = expr.body
    while isinstance(expr, s.Apply):
        fun, expr = expr.fun, expr.arg
        while isinstance(fun, s.Apply):
            yield fun.arg
            fun = fun.fun
        if isinstance(expr, s.Fun):
            yield expr


def refuse_twins(scope: Scope, params: tuple[s.Param, ...]) -> None:
    """Refuse two parameters of one function with the same name; `_` may occur several times."""
    seen: set[str] = set()
    for param in params:
        if param.name in seen:
            title = f"this function has two parameters named `{param.name}`"
            scope.fail("defined-twice", title, param.span, "again here", "rename one of them")
        if param.name != "_":
            seen.add(param.name)


def refuse_reserved(scope: Scope, binding: s.Binding) -> None:
    """Refuse a `let` of a name that has a meaning in the language, as `val` does."""
    if is_reserved(binding.name):
        title = f"`{binding.name}` has a meaning in the language: {meaning_of(binding.name)}"
        scope.fail("reserved-name", title, binding.name_span, "", "give the value another name")
