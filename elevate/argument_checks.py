"""Checks of the arguments of public functions. Depends on terms and paths, but not on strategies.

Each function returns its argument, or raises StrategyError with the next action.
"""

from __future__ import annotations

from operator import index
from typing import Any, TypeVar

from elevate.diagnostics import Diagnostic, StrategyError, described, passed_at, wrong_field
from elevate.term import P, Path, path_from

T = TypeVar("T")


def expected(given: Any, kind: type[T], what: str, code: str, hint: str) -> T:
    """An instance of a class, called `what` in messages."""
    if isinstance(given, kind):
        return given
    raise StrategyError(
        Diagnostic(code, f"expected {what}, found {described(given)}", notes=passed_at(given), hint=hint)
    )


def expected_count(given: Any, what: str) -> int:
    """An integer >= 0, called `what` in messages; numpy's integers are allowed, too."""
    try:
        count = -1 if isinstance(given, bool) else index(given)
    except TypeError:
        count = -1
    if count < 0:
        title = f"expected {what}, an integer >= 0, found {described(given)}"
        raise StrategyError(
            Diagnostic("no-count", title, notes=passed_at(given), hint="pass an int, such as 2")
        )
    return count


def expected_term(given: P) -> P:
    """A term."""
    if hasattr(given, "root"):
        return given
    hint = "pass program.main or program[name] of a text, and result.program of a strategy's result"
    raise StrategyError(Diagnostic("no-term", f"expected a term, found {described(given)}", hint=hint))


def check_terms(record: object, *names: str) -> None:
    """Check the fields of a record that are terms. Raises StrategyError for another value."""
    for name in names:
        given = getattr(record, name)
        if not hasattr(given, "root"):
            raise wrong_field(record, name, given, "a term")


def check_paths(record: object, *names: str) -> None:
    """Check the fields of a record that are paths. Raises StrategyError for another value."""
    for name in names:
        given = getattr(record, name)
        if type(given) is not tuple or not all(type(index) is int for index in given):
            raise wrong_field(record, name, given, "a path, a tuple of child indices such as (1, 0, 2),")


def expected_text(given: str, what: str) -> str:
    """A text, called `what` in messages."""
    return expected(given, str, what, "no-text", "pass a str; `str(term)` is the text of a term")


def expected_path(given: object) -> Path:
    """A path as child indices, or as traces print it."""
    try:
        if isinstance(given, str):
            return path_from(given)
        if isinstance(given, tuple | list) and all(type(index) is int and index >= 0 for index in given):
            return tuple(given)
    except ValueError:
        pass
    title = f"expected a path as 1.0.2 or (1, 0, 2), found {described(given)}"
    raise StrategyError(Diagnostic("no-path", title, hint="`step.path` and `show_path(path)` are paths"))
