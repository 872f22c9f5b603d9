"""Syntax trees of sources, which several laws look at. No law changes one. Knows nothing of the packages."""

import ast
from functools import cache


@cache
def parsed(text: str) -> ast.Module:
    """The syntax tree of a file."""
    return ast.parse(text)
