"""Where strategies were defined: `strategies/parts/nests.py:81`. Knows code and modules, no engine and no language.

A place is the file as its module is named, so that it is the same on every machine. It is no part of what a strategy
is: two that are equal may have been defined at different places.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Mapping
from functools import lru_cache
from pathlib import PurePath
from typing import Any


def place_of_function(function: Callable[..., Any]) -> str:
    """Where a function begins; empty where it is none of Python's."""
    code = getattr(function, "__code__", None)
    return "" if code is None else written(code.co_filename, function.__module__, code.co_firstlineno)


def place_of_caller() -> str:
    """The line that called the function that asks; empty where nothing of Python called it."""
    frame = inspect.currentframe()
    caller = frame and frame.f_back and frame.f_back.f_back
    if caller is None:
        return ""
    return written(caller.f_code.co_filename, caller.f_globals.get("__name__", ""), caller.f_lineno)


def place_of_variable(namespace: Mapping[str, Any], name: str) -> str:
    """Where a module gives a variable its value; empty where the module has no source, or does not."""
    file = namespace.get("__file__")
    line = assignments(file).get(name) if isinstance(file, str) else None
    return "" if line is None else written(str(file), namespace.get("__name__", ""), line)


@lru_cache(maxsize=256)
def assignments(file: str) -> Mapping[str, int]:
    """The variables that a file gives a value at its top, with the line; none where it cannot be read."""
    try:
        with open(file, encoding="utf-8") as source:
            body = ast.parse(source.read()).body
    except (OSError, SyntaxError, ValueError):
        return {}
    found: dict[str, int] = {}
    for one in body:
        targets = (
            one.targets
            if isinstance(one, ast.Assign)
            else [one.target]
            if isinstance(one, ast.AnnAssign)
            else []
        )
        found |= {each.id: one.lineno for each in targets if isinstance(each, ast.Name)}
    return found


def written(file: str, module: str, line: int) -> str:
    """The file, with as many folders as its module has packages, and the line.

    >>> written("somewhere/strategies/rules/fusion.py", "strategies.rules.fusion", 23)
    'strategies/rules/fusion.py:23'
    >>> written("somewhere/mine.py", "__main__", 4)
    'mine.py:4'
    """
    path = PurePath(file)
    count = module.count(".") + 1 + (path.stem == "__init__")
    return f"{'/'.join(path.parts[-count:])}:{line}"
