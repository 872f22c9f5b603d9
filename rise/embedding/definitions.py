"""Finds the definition of a function in its source. Independent of its use."""

from __future__ import annotations

import ast
import linecache
from types import CodeType
from typing import Final

#: the name that lambdas get
LAMBDA: Final = "__lambda"


def definition_of(code: CodeType) -> ast.FunctionDef | None:
    """The definition in the source of a function, or None if it cannot be found. A lambda is given a name."""
    text = "".join(linecache.getlines(code.co_filename))
    try:
        module = ast.parse(text)
    except (SyntaxError, ValueError):
        return None
    if code.co_name == "<lambda>":
        return _lambda_of(code, module)
    for node in ast.walk(module):
        if isinstance(node, ast.FunctionDef) and node.name == code.co_name:
            first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
            if first == code.co_firstlineno:
                return node
    return None


def _lambda_of(code: CodeType, module: ast.Module) -> ast.FunctionDef | None:
    """The innermost lambda whose body contains all of the code, as a definition."""
    spans = [(one, two) for one, two in map(_span, code.co_positions()) if one < two]
    found: ast.Lambda | None = None
    for node in ast.walk(module):
        if isinstance(node, ast.Lambda) and node.lineno == code.co_firstlineno:
            body = node.body
            first, last = _span((body.lineno, body.end_lineno, body.col_offset, body.end_col_offset))
            if spans and all(first <= one and two <= last for one, two in spans):
                found = node
    if found is None:
        return None
    result = ast.copy_location(ast.Return(found.body), found.body)
    return ast.copy_location(ast.FunctionDef(LAMBDA, found.args, [result], [], None), found)


def _span(position: tuple[int | None, ...]) -> tuple[tuple[int, int], tuple[int, int]]:
    """The span of a part of a source; empty if it is unknown."""
    line, last_line, column, last_column = (-1 if one is None else one for one in position)
    return (line, column), (last_line, last_column)
