"""Finds the local functions of blocks that have no free variables.

Depends on names and where they are bound, but not on types.

Such a function is elaborated like a definition, so that it can be used at several types. One walk over the syntax, in
the order of the text and without recursion, finds them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field
from typing import Final, TypeAlias

from rise.records import dataclass
from rise.scalars import ROLES, SPACES
from rise.text import syntax as s
from rise.text.trees import Syntax, children

_NO_SIZES: Final = frozenset({*SPACES, *ROLES, "Array", "Fragment"})
_OUTSIDE: Final = -1


@dataclass(frozen=True, slots=True)
class GeneralFunction:
    """A local function of a block; `uses` are the earlier local functions that it uses."""

    binding: s.Binding
    uses: dict[str, s.Binding]


@dataclass(frozen=True, slots=True)
class _Bound:
    """The meaning of a name: the position of its binder, and for a general function also its binding."""

    position: int
    general: s.Binding | None = None


@dataclass(slots=True)
class _Open:
    """A function whose text is being walked. `outermost` is the position of the outermost binder that it uses."""

    binding: s.Binding
    position: int
    outermost: int
    uses: dict[str, tuple[int, s.Binding]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Bind:
    name: str


@dataclass(frozen=True, slots=True)
class _Unbind:
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Close:
    binding: s.Binding


_Task: TypeAlias = Syntax | _Bind | _Unbind | _Close


def general_functions(expr: s.Expr) -> Iterator[GeneralFunction]:
    """The local functions of blocks that use no variables from outside, each after those that it uses.

    >>> from rise.text.reader import read_expression
    >>> text = "fun(a => let twice = fun(x => x + x) let more = fun(x => x + a) in twice(more(a)))"
    >>> [function.binding.name for function in general_functions(read_expression(text))]
    ['twice']
    """
    scope: dict[str, list[_Bound]] = {}
    open_functions: list[_Open] = []
    position = 0
    work: list[_Task] = [expr]
    while work:
        match work.pop():
            case s.Name(_, name) | s.TypeName(_, name):
                _use(name, scope, open_functions)
            case s.Fun(_, params, body):
                parts: list[_Task] = []
                for param in params:
                    parts += [*_written(param), _Bind(param.name), *param.facts]
                unbind = _Unbind(tuple(param.name for param in params))
                work += reversed([*parts, body, unbind])
            case s.Block(_, bindings, body):
                parts = []
                for binding in bindings:
                    if _is_function(binding.value):
                        parts += [binding, _Close(binding)]
                    else:
                        parts += [*children(binding), _Bind(binding.name)]
                unbind = _Unbind(tuple(binding.name for binding in bindings))
                work += reversed([*parts, body, unbind])
            case s.Binding() as binding:
                position += 1
                open_functions.append(_Open(binding, position, position))
                work += reversed(list(children(binding)))
            case _Close(binding):
                function = open_functions.pop()
                position += 1
                is_general = function.outermost >= function.position
                bound = _Bound(position, binding if is_general else None)
                scope.setdefault(binding.name, []).append(bound)
                if open_functions:
                    _propagate_uses(function, open_functions[-1])
                if is_general:
                    yield GeneralFunction(binding, {name: used for name, (_, used) in function.uses.items()})
            case _Bind(name):
                position += 1
                scope.setdefault(name, []).append(_Bound(position))
            case _Unbind(names):
                for name in names:
                    scope[name].pop()
            case Syntax() as node:
                work += reversed(list(children(node)))


def _is_function(expr: s.Expr) -> bool:
    """Whether an expression is syntactically a function."""
    return isinstance(expr, s.Fun | s.Compose | s.After | s.Section)


def _written(param: s.Param) -> list[Syntax]:
    return [] if param.type is None else [param.type]


def _use(name: str, scope: dict[str, list[_Bound]], open_functions: list[_Open]) -> None:
    """Record the use of a name in the innermost open function."""
    if not open_functions:
        return
    function = open_functions[-1]
    meanings = scope.get(name)
    if not meanings:
        if name[:1].isupper() and name not in _NO_SIZES:
            function.outermost = _OUTSIDE  # a size that is bound at the definition's head
        return
    bound = meanings[-1]
    if bound.general is None:
        function.outermost = min(function.outermost, bound.position)
    elif bound.position < function.position:
        function.uses[name] = bound.position, bound.general


def _propagate_uses(inner: _Open, outer: _Open) -> None:
    """Add the names that a function uses from outside to those of the enclosing function."""
    outer.outermost = min(outer.outermost, inner.outermost)
    outer.uses |= {name: use for name, use in inner.uses.items() if use[0] < outer.position}
