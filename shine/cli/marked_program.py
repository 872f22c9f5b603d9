"""A printed program with one place of it marked. Knows terms, and no strategy."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from elevate import Path, subterm
from rise.printer.scopes import named, scope_inside
from rise.printer.terms import show
from rise.terms import Expr, Var

MARK: Final = "\ue000"
SHOWN_AS: Final = "①"
AROUND: Final = 2  # lines of the program above and below


def marked(program: Expr, path: Path, width: int) -> Iterator[str]:
    """Some lines of a program around a place, which shows as ① with carets below; then what stands there."""
    place = subterm(program, path)
    assert isinstance(place, Expr), path
    around: list[Expr] = []
    node = program
    for index in path:
        around.append(node)
        node = node.children[index]
    stands = named(place, scope_inside(around))
    if path:
        lines = show(with_mark(program, path, place), width, is_typed=False).split("\n")
        found = next((number for number, line in enumerate(lines) if MARK in line), 0)
        first, last = max(found - AROUND, 0), min(found + AROUND + 1, len(lines))
        if first:
            yield "..."
        for number in range(first, last):
            yield lines[number].replace(MARK, SHOWN_AS)
            if number == found and MARK in lines[number]:
                yield " " * lines[number].index(MARK) + "^"
        if last < len(lines):
            yield "..."
    head, indent = (f"{SHOWN_AS} = ", "    ") if path else ("", "")
    for number, line in enumerate(show(stands, max(width - 4, 30), is_typed=False).split("\n")):
        yield (head if number == 0 else indent) + line


def with_mark(program: Expr, path: Path, place: Expr) -> Expr:
    """The program with a variable for what stands at a path. Binders around keep their names."""
    spine = [program]
    for index in path[:-1]:
        spine.append(spine[-1].children[index])
    made: Expr = Var(MARK, place.type)
    for index, node in zip(reversed(path), reversed(spine), strict=True):
        children = list(node.children)
        children[index] = made
        made = node.rebuild(tuple(children))
    return made
