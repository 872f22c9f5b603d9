"""Finds values by the names that a program gives them, and the loops around them. Does not rewrite."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from elevate.term import Path, path_of, subterm, surroundings
from elevate.term import Place as Linked
from rise.naturals import Nat
from rise.printer.scopes import within
from rise.records import dataclass
from rise.terms import App, DepLam, Expr, Lam, Primitive, spine
from rise.text.nat_printer import show_nat
from rise.types import ArrayType, DepArrayType, is_data
from strategies.rules.invariants import ONCE

#: where a word of a name in mixed case begins
_HUMP: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


@dataclass(frozen=True, slots=True)
class EnclosingLoop:
    """A pattern that calls a function, and the path to the body of that function."""

    names: tuple[str, ...]
    pattern: Path
    body: Path


@dataclass(frozen=True, slots=True)
class NamedValue:
    """A value that a program names, by `let` or by immediately applying a function: `path` leads to that term.

    `body` reads the value as its innermost variable. `loops` are the enclosing loops, outermost first.
    """

    name: str
    path: Path
    is_let: bool
    value: Expr
    body: Expr
    loops: tuple[EnclosingLoop, ...]

    @property
    def value_path(self) -> Path:
        """The path to the value itself."""
        return (*self.path, 0, 1) if self.is_let else (*self.path, 1)


def named_values(program: Expr) -> Iterator[NamedValue]:
    """The named values of a program, in the order in which its text names them."""
    waiting: list[tuple[Expr, Linked, tuple[EnclosingLoop, ...]]] = [(program, None, ())]
    while waiting:
        node, place, loops = waiting.pop()
        named = _parts_of(node)
        if named is not None:
            name, value, function, is_let = named
            if is_data(value.type):
                yield NamedValue(name, path_of(place), is_let, value, function.body, loops)
            at_value: Linked = ((place, 0), 1) if is_let else (place, 1)
            at_function: Linked = (place, 1) if is_let else (place, 0)
            waiting.append((function.body, (at_function, 0), loops))
            waiting.append((value, at_value, loops))
            continue
        if isinstance(node, App) and isinstance(spine(node)[0], Primitive):
            waiting += reversed(list(_operands(node, place, loops)))
            continue
        waiting += [(one, (place, index), loops) for index, one in reversed(list(enumerate(node.children)))]


def _parts_of(node: Expr) -> tuple[str, Expr, Lam, bool] | None:
    match node:
        case App(App(Primitive(), value), Lam(name) as function) if node.root == ONCE:
            return name, value, function, True
        case App(Lam(name) as function, value):
            return name, value, function, False
    return None


def _operands(
    node: Expr, place: Linked, loops: tuple[EnclosingLoop, ...]
) -> Iterator[tuple[Expr, Linked, tuple[EnclosingLoop, ...]]]:
    """The operands of a primitive, in order; the functions among them are called in loops."""
    found: list[tuple[Expr, Linked]] = []
    pattern, inner = place, node
    while not isinstance(inner, Primitive):
        if isinstance(inner, App):
            found.append((inner.arg, (place, 1)))
        inner, place = inner.children[0], (place, 0)
    for operand, at in reversed(found):
        names: list[str] = []
        body, below = operand, at
        while isinstance(body, Lam | DepLam):
            names.append(body.name)
            body, below = body.children[0], (below, 0)
        if names:
            yield body, below, (*loops, EnclosingLoop(tuple(names), path_of(pattern), path_of(below)))
        else:
            yield operand, at, loops


def axis_of(program: Expr, loop: EnclosingLoop) -> str:
    """The name of a loop in printed code: `n` if it runs over the size N; empty if the size has no name."""
    pattern = subterm(program, loop.pattern)
    around = surroundings(program, loop.pattern)
    assert isinstance(pattern, Expr)
    size = _size_of(within(pattern, around))  # type: ignore[arg-type]  # of an Expr Exprs
    text = "" if size is None else show_nat(size)
    return _HUMP.sub("_", text).lower() if text.isidentifier() else ""


def _size_of(pattern: Expr) -> Nat | None:
    arrays = [one for one in spine(pattern)[1] if isinstance(one, Expr) and is_data(one.type)]
    for one in reversed(arrays):
        if isinstance(one.type, ArrayType | DepArrayType):
            size: Nat = one.type.size
            return size
    return None


def loop_names(program: Expr, loops: Sequence[EnclosingLoop]) -> list[str]:
    """The names by which the loops can be selected: the last name of the function, and the axis."""
    found = (name for loop in loops for name in (loop.names[-1], axis_of(program, loop)))
    return [name for name in dict.fromkeys(found) if name]
