"""Parses text into surface syntax with the grammar's generated tables. Independent of names, kinds and types.

`rise.text.reader` imports this module when it reads the first text; no other module imports it.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from lark import Lark, UnexpectedInput

from rise.diagnostics import Diagnostic, RiseError
from rise.text.automaton import Automaton, StoppedError
from rise.text.builder import Builder
from rise.text.mistakes import explain
from rise.text.tables import DATA, MEMO


def parse(text: str, start: str) -> Any:
    """The syntax of a text, read from the grammar's rule `start`. Raises RiseError for a syntax error."""
    try:
        return _automaton().parse(text, start)
    except StoppedError:
        raise RiseError(_explained(text, start)) from None


def _explained(text: str, start: str) -> Diagnostic:
    """The diagnostic for a text that cannot be read: lark reads it again, and reports where it stops."""
    try:
        lark().parse(text, start)
    except UnexpectedInput as error:
        return explain(lark(), error, text, start)
    raise AssertionError("lark reads a text that its tables refuse")


@cache
def _automaton() -> Automaton:
    return Automaton(DATA, MEMO, Builder())


@cache
def lark() -> Lark:
    """Lark's own parser with the same tables, which reports where it stops."""
    load: Any = Lark._load_from_dict  # like the standalone parsers that lark generates
    parser: Lark = load(DATA, MEMO, transformer=Builder())
    return parser
