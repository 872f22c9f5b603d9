"""Names that functions and blocks bind while these are elaborated. Knows no drafts."""

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

#: functions inside of functions that are looked at for one over rows
DEEPEST: Final = 8


class Opened(NamedTuple):
    """A parameter of a function whose body is being elaborated."""

    name: str
    kind: str  # "" of a value
    implicit: bool
    variable: Node | None  # of a size, a type or a space
    type: Type | None  # of a value
    facts: tuple[Fact, ...] = ()


def takes_size_first(function: s.Expr) -> bool:
    """Whether a function is written out whose first parameter is a size."""
    match function:
        case s.Fun(_, (s.Param(_, _, s.TypeName(_, "nat"), False), *_)):
            return True
    return False


def takes_rows(function: s.Expr) -> bool:
    """Whether a function is written out whose first parameter is a size, or one of a value that goes through something
    with such a function: `fun(a => a |> depMap(fun(i: nat, row => ...)))`, `map(fun(a => ...))`. What stands much
    deeper is not looked at.
    """
    waiting = [(function, DEEPEST)]
    while waiting:
        one, left = waiting.pop()
        if takes_size_first(one):
            return True
        match one:
            case s.Fun(_, (s.Param(_, _, None, False),), body) if left:
                waiting += [(inner, left - 1) for inner in _arguments(body)]
            case s.Apply(_, s.Name(), inner) if left:
                waiting.append((inner, left - 1))
    return False


def may_map_rows(wanted: Type, rest: Type, head: Callable[[Type], Type]) -> bool:
    """Whether something takes first what `depMap` takes, or a function of values of an unknown type, as `map` does."""
    match wanted:
        case DepFunType(_, _, _, FunType(FamilyCall(), _)):
            return isinstance(rest, FunType)
        case FunType(parameter, _):
            return isinstance(rest, FunType) and isinstance(head(parameter), TypeMeta)
    return False


def _arguments(expr: s.Expr) -> Iterator[s.Expr]:
    """What the functions of a chain of applications are applied to besides its first value."""
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
    """Two parameters of one function have two names; `_` names none."""
    seen: set[str] = set()
    for param in params:
        if param.name in seen:
            title = f"`{param.name}` is a parameter of this function twice"
            scope.fail("defined-twice", title, param.span, "again here", "give one of them another name")
        if param.name != "_":
            seen.add(param.name)


def refuse_reserved(scope: Scope, binding: s.Binding) -> None:
    """A name that `let` gives has no meaning yet, as one that `val` gives."""
    if is_reserved(binding.name):
        title = f"`{binding.name}` has a meaning in the language: {meaning_of(binding.name)}"
        scope.fail("reserved-name", title, binding.name_span, "", "give the value another name")
