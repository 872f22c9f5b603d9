"""Syntax trees of source files, shared by several laws. No law changes one. Independent of the packages."""

import ast
from functools import cache


@cache
def parsed(text: str) -> ast.Module:
    """The syntax tree of a file."""
    return ast.parse(text)
