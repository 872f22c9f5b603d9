"""Syntax trees of source files, shared by several laws. No law changes one. Independent of the packages."""

import ast
from functools import cache


@cache
def parsed(text: str) -> ast.Module:
    """The syntax tree of a file."""
    return ast.parse(text)


@cache
def nodes_of(tree: ast.Module) -> tuple[ast.AST, ...]:
    """All nodes of a file, as `ast.walk` finds them; traversing all files takes as long as parsing them."""
    return tuple(ast.walk(tree))
