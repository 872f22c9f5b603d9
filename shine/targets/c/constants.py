"""Declares arrays of known numbers in the functions that load them, in C and in CUDA. Independent of loops.

CUDA kernels may declare them too: a constant in a device function is in the memory of that device (CUDA C++
Programming Guide, "Static Variables within Function").
"""

from __future__ import annotations

import textwrap
from typing import Final

from shine.imperative.nodes import Block, Buffer
from shine.imperative.walk import constants
from shine.targets.c.assignments import array_type
from shine.targets.c.expressions import Context
from shine.targets.c.lines import MAX_LINE_CHARACTERS, Line, Page
from shine.targets.c.types import constant_text

_ALIGNED: Final = {"C": "_Alignas(64) static const", "CUDA": "static __align__(16) const"}


def constant_lines(block: Block, page: Page, context: Context) -> list[Line]:
    """The declarations of the constants that a block loads."""
    return [line for buffer in constants(block) for line in _declared(buffer, page, context)]


def _declared(buffer: Buffer, page: Page, context: Context) -> list[Line]:
    dialect = context.helpers.dialect
    texts = [constant_text(number, dialect).code for number in buffer.contents]
    if any("NAN" in text or "INFINITY" in text for text in texts):
        context.helpers.headers.add("math")
    c, name = array_type(buffer, context.helpers), page.scope.bind(buffer, buffer.name)
    start = f"{_ALIGNED[dialect.language]} {c} {name}[{len(texts)}] = {{"
    joined = ", ".join(texts)
    if len(start) + len(joined) + 2 * page.indent + 2 <= MAX_LINE_CHARACTERS:
        return [page.line(f"{start}{joined}}};", buffer.origin)]
    rows = textwrap.wrap(joined, MAX_LINE_CHARACTERS - 2 * page.indent - 2, break_long_words=False)
    return page.lines([start, *(f"  {row}" for row in rows), "};"], buffer.origin)
