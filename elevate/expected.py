"""What public functions are given, checked where they are called. Knows terms and paths, and no strategy.

Each function gives back what it was given, or raises StrategyError with the next action.
"""

from __future__ import annotations

from typing import Any, Final, TypeVar

from elevate.diagnostics import Diagnostic, StrategyError
from elevate.term import P, Path, path_from

T = TypeVar("T")
CLIPPED: Final = 60
"""How many characters a message shows of a wrong value."""


def described(given: object) -> str:
    """A value as messages name it, clipped."""
    shown = repr(given)
    clipped = shown if len(shown) <= CLIPPED else f"{shown[:CLIPPED]}..."
    return f"{clipped}, of type {type(given).__name__}"


def expected(given: Any, kind: type[T], what: str, code: str, hint: str) -> T:
    """An instance of a class, which messages call `what`."""
    if isinstance(given, kind):
        return given
    raise StrategyError(Diagnostic(code, f"expected {what}, found {described(given)}", hint=hint))


def expected_term(given: P) -> P:
    """A term."""
    if hasattr(given, "root"):
        return given
    hint = "pass program.main or program[name] of a text, and result.program of a strategy's result"
    raise StrategyError(Diagnostic("no-term", f"expected a term, found {described(given)}", hint=hint))


def expected_text(given: str, what: str) -> str:
    """A text, which messages call `what`."""
    return expected(given, str, what, "no-text", "pass a str; `str(term)` is the text of a term")


def expected_path(given: object) -> Path:
    """A path as child indices, or as a trace prints it."""
    try:
        if isinstance(given, str):
            return path_from(given)
        if isinstance(given, tuple | list) and all(type(index) is int and index >= 0 for index in given):
            return tuple(given)
    except ValueError:
        pass
    title = f"expected a path as 1.0.2 or (1, 0, 2), found {described(given)}"
    raise StrategyError(Diagnostic("no-path", title, hint="`step.path` and `show_path(path)` are paths"))
