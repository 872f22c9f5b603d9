"""Parses text into surface syntax with the grammar's generated tables. Independent of names, kinds and types.

`rise.text.reader` loads it when it reads the first text; nothing else imports it.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from lark import Lark, UnexpectedInput

from rise.diagnostics import RiseError
from rise.text.builder import Builder
from rise.text.mistakes import explain
from rise.text.tables import DATA, MEMO


def parse(text: str, start: str) -> Any:
    """The syntax of a text, read from the grammar's rule `start`. Raises RiseError for a syntax error."""
    try:
        return _parser().parse(text, start)
    except UnexpectedInput as error:
        raise RiseError(explain(_parser(), error, text, start)) from None


@cache
def _parser() -> Lark:
    load: Any = Lark._load_from_dict  # like the standalone parsers that lark generates
    parser: Lark = load(DATA, MEMO, transformer=Builder())
    return parser
