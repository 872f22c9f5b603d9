"""Prints a program with one place marked. Depends on terms, but not on strategies."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from elevate import Path, subterm
from rise.printer.scopes import named, scope_inside
from rise.printer.terms import show
from rise.terms import Expr, Var

MARK: Final = "\ue000"
SHOWN_AS: Final = "①"
CONTEXT_LINES: Final = 2  # lines of the program above and below


def marked(program: Expr, path: Path, width: int) -> Iterator[str]:
    """Some lines of a program around a place, shown as ① with a caret below; then the term at that place."""
    place = subterm(program, path)
    assert isinstance(place, Expr), path
    ancestors: list[Expr] = []
    node = program
    for index in path:
        ancestors.append(node)
        node = node.children[index]
    place_named = named(place, scope_inside(ancestors))
    if path:
        lines = show(with_mark(program, path, place), width, is_typed=False).split("\n")
        marked_line = next((number for number, line in enumerate(lines) if MARK in line), 0)
        first, last = max(marked_line - CONTEXT_LINES, 0), min(marked_line + CONTEXT_LINES + 1, len(lines))
        if first:
            yield "..."
        for number in range(first, last):
            yield lines[number].replace(MARK, SHOWN_AS)
            if number == marked_line and MARK in lines[number]:
                yield " " * lines[number].index(MARK) + "^"
        if last < len(lines):
            yield "..."
    head, indent = (f"{SHOWN_AS} = ", "    ") if path else ("", "")
    for number, line in enumerate(show(place_named, max(width - 4, 30), is_typed=False).split("\n")):
        yield (head if number == 0 else indent) + line


def with_mark(program: Expr, path: Path, place: Expr) -> Expr:
    """The program with a variable in place of the term at a path. Enclosing binders keep their names."""
    ancestors = [program]
    for index in path[:-1]:
        ancestors.append(ancestors[-1].children[index])
    node_above: Expr = Var(MARK, place.type)
    for index, node in zip(reversed(path), reversed(ancestors), strict=True):
        children = list(node.children)
        children[index] = node_above
        node_above = node.rebuild(tuple(children))
    return node_above
