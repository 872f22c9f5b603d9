"""Source lines with their origins, and the first lines of functions. Independent of statements."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rise.records import dataclass
from shine.imperative.nodes import Origin
from shine.imperative.scopes import Scope
from shine.targets.c.helpers import Helpers

MAX_LINE_CHARACTERS: Final = 110


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the source, with the path of the sub-term that it was translated from."""

    text: str
    origin: Origin | None = None


@dataclass(frozen=True, slots=True)
class Page:
    """The context of lines: the visible names and the indentation."""

    scope: Scope
    indent: int

    def inside(self) -> Page:
        """The context of a block inside this one."""
        return Page(self.scope.block(), self.indent + 1)

    def line(self, text: str, origin: Origin | None = None) -> Line:
        """A line of this block."""
        return Line("  " * self.indent + text, origin)

    def lines(self, texts: Sequence[str], origin: Origin | None = None) -> list[Line]:
        """Lines of this block."""
        return [self.line(text, origin) for text in texts]


def function_head(before: str, parameters: Sequence[str]) -> str:
    """The first line or lines of a function: the text before the parentheses, and the parameters."""
    one_line = f"{before}({', '.join(parameters)}) {{"
    if len(one_line) <= MAX_LINE_CHARACTERS:
        return one_line
    return f"{before}(\n" + ",\n".join(f"    {parameter}" for parameter in parameters) + "\n) {"


def preamble(helpers: Helpers, foreign: Sequence[str] = ()) -> list[Line]:
    """The lines before the functions of a program: headers, types, foreign texts and helper functions."""
    lines = [Line(text) for text in helpers.includes()]
    if helpers.types:
        lines += [*([Line("")] if lines else []), *(Line(text) for text in helpers.types.values())]
    for text in (*foreign, *helpers.functions.values()):
        lines += [Line(""), Line(text)]
    return [*lines, Line("")] if lines else []


def whole_text(lines: Sequence[Line]) -> tuple[str, tuple[Origin | None, ...]]:
    """The text of lines, each of which may contain several, and the origin of each line of the text."""
    flat = [Line(text, line.origin) for line in lines for text in line.text.split("\n")]
    return "".join(f"{line.text}\n" for line in flat), tuple(line.origin for line in flat)
