"""Where strategies were defined: `strategies/parts/nests.py:81`. Knows code and modules, neither engines nor languages.

The file is named by its module, so that a place is the same on every machine. Places are not compared: equal
strategies may have been defined at different places.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from pathlib import PurePath
from typing import Any


def place_of_function(function: Callable[..., Any]) -> str:
    """Where a function begins; empty if it is not written in Python."""
    code = getattr(function, "__code__", None)
    return "" if code is None else location(code.co_filename, function.__module__, code.co_firstlineno)


def place_of_caller() -> str:
    """The line that called the function that calls this one; empty if Python code did not."""
    frame = inspect.currentframe()
    caller = frame and frame.f_back and frame.f_back.f_back
    if caller is None:
        return ""
    return location(caller.f_code.co_filename, caller.f_globals.get("__name__", ""), caller.f_lineno)


def location(file: str, module: str, line: int) -> str:
    """The file with as many folders as its module has packages, and the line.

    >>> location("somewhere/strategies/rules/fusion.py", "strategies.rules.fusion", 23)
    'strategies/rules/fusion.py:23'
    >>> location("somewhere/mine.py", "__main__", 4)
    'mine.py:4'
    """
    path = PurePath(file)
    count = module.count(".") + 1 + (path.stem == "__init__")
    return f"{'/'.join(path.parts[-count:])}:{line}"
