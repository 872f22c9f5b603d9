"""Places in the source where strategies were defined: `strategies/parts/nests.py:81`.

Depends on code and modules, but not on engines or languages.

The file is named by its module, so that a place is the same on every machine. Places are not compared: equal
strategies may have been defined at different places.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from pathlib import PurePath
from types import FrameType
from typing import Any

from elevate.tracebacks import ends_at_the_users_line

_DECORATORS = ends_at_the_users_line.__module__


def place_of_function(function: Callable[..., Any]) -> str:
    """Where a function begins; empty if it is not written in Python."""
    code = getattr(function, "__code__", None)
    return "" if code is None else location(code.co_filename, function.__module__, code.co_firstlineno)


def place_of_caller() -> str:
    """The line that called the function that calls this one; empty if Python code did not."""
    frame = inspect.currentframe()
    caller = frame and frame.f_back and frame.f_back.f_back
    while caller is not None and caller.f_globals.get("__name__") == _DECORATORS:
        caller = caller.f_back
    if caller is None:
        return ""
    return location(caller.f_code.co_filename, caller.f_globals.get("__name__", ""), caller.f_lineno)


def place_that_passed(value: object, package: str) -> str:
    """The line outside a package that passed a value to it; empty if there is none.

    A function that takes the value as a parameter only passes it on: then the line that called it.
    """
    frame = inspect.currentframe()
    place = ""
    while frame is not None:
        module: str = frame.f_globals.get("__name__", "")
        if module.partition(".")[0] != package and not frame.f_code.co_filename.startswith("<frozen"):
            place = location(frame.f_code.co_filename, module, frame.f_lineno)
            if not _takes(frame, value):
                break
        frame = frame.f_back
    return place


def _takes(frame: FrameType, value: object) -> bool:
    """Whether a value is a parameter of the function of a frame, or one of `*parameters`."""
    code = frame.f_code
    has_more = bool(code.co_flags & inspect.CO_VARARGS)
    names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount + has_more]
    taken = [frame.f_locals.get(name, frame) for name in names]  # a frame is never the value
    return any(one is value for one in (*taken, *(taken[-1] if has_more else ())))


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
