"""Finds the definition of a function in its source. Independent of its use."""

from __future__ import annotations

import ast
import linecache
from collections.abc import Mapping, Sequence
from functools import lru_cache
from types import CodeType
from typing import Final, TypeVar

from rise.records import dataclass

Node = TypeVar("Node", bound=ast.AST)
#: the name that lambdas get
LAMBDA: Final = "__lambda"


def definition_of(code: CodeType) -> ast.FunctionDef | None:
    """The definition in the source of a function, or None if it cannot be found. A lambda is given a name.

    The caller may change it.
    """
    functions = _functions_in("".join(linecache.getlines(code.co_filename)))
    if code.co_name == "<lambda>":
        return _lambda_of(code, functions.lambdas.get(code.co_firstlineno, ()))
    found = functions.definitions.get((code.co_name, code.co_firstlineno))
    return None if found is None else _copied(found)


@dataclass(frozen=True, slots=True)
class _Functions:
    """The functions in a source: definitions by name and first line, which may be a decorator's, and lambdas by line,
    outer ones first.
    """

    definitions: Mapping[tuple[str, int], ast.FunctionDef]
    lambdas: Mapping[int, Sequence[ast.Lambda]]


@lru_cache(maxsize=16)
def _functions_in(text: str) -> _Functions:
    """The functions in the text of a file; none if it cannot be parsed. Cached, since a program calls many functions of
    one file.
    """
    definitions: dict[tuple[str, int], ast.FunctionDef] = {}
    lambdas: dict[int, list[ast.Lambda]] = {}
    try:
        module = ast.parse(text)
    except (SyntaxError, ValueError):
        return _Functions({}, {})
    for node in ast.walk(module):
        if isinstance(node, ast.FunctionDef):
            first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
            definitions.setdefault((node.name, first), node)
        elif isinstance(node, ast.Lambda):
            lambdas.setdefault(node.lineno, []).append(node)
    return _Functions(definitions, lambdas)


def _copied(root: Node) -> Node:
    """A copy of a part of a syntax tree. It may be nested more deeply than Python can recurse."""
    copies: dict[int, ast.AST] = {}

    def copied(value: object) -> object:
        if isinstance(value, list):
            return [copied(one) for one in value]
        return copies[id(value)] if isinstance(value, ast.AST) else value

    for node in reversed(list(ast.walk(root))):  # children first
        fields = {name: copied(value) for name, value in ast.iter_fields(node)}
        copies[id(node)] = ast.copy_location(type(node)(**fields), node)
    copy = copies[id(root)]
    assert isinstance(copy, type(root))
    return copy


def _lambda_of(code: CodeType, lambdas: Sequence[ast.Lambda]) -> ast.FunctionDef | None:
    """The innermost lambda whose body contains all of the code, as a definition."""
    spans = [(one, two) for one, two in map(_span, code.co_positions()) if one < two]
    found: ast.Lambda | None = None
    for node in lambdas:
        body = node.body
        first, last = _span((body.lineno, body.end_lineno, body.col_offset, body.end_col_offset))
        if spans and all(first <= one and two <= last for one, two in spans):
            found = node
    if found is None:
        return None
    found = _copied(found)
    result = ast.copy_location(ast.Return(found.body), found.body)
    return ast.copy_location(ast.FunctionDef(LAMBDA, found.args, [result], [], None), found)


def _span(position: tuple[int | None, ...]) -> tuple[tuple[int, int], tuple[int, int]]:
    """The span of a part of a source; empty if it is unknown."""
    line, last_line, column, last_column = (-1 if one is None else one for one in position)
    return (line, column), (last_line, last_column)
