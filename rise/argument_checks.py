"""Checks that arguments have the expected kind, and raises a diagnostic if not. Independent of operations on terms."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from types import UnionType
from typing import Any, Protocol, TypeAlias, TypeVar

from rise.diagnostics import Diagnostic, RiseError
from rise.terms import Expr

T = TypeVar("T")


class Programmed(Protocol):
    """A program from a text or a Python function: accepted in place of its main term."""

    @property
    def main(self) -> Expr:
        """The term."""


Termlike: TypeAlias = Expr | Programmed


def term_of(e: Termlike) -> Expr:
    """The term, or the main term of a program. Raises RiseError for anything else."""
    if isinstance(e, Expr):
        return e
    main = getattr(e, "main", None)
    if isinstance(main, Expr):
        return main
    title = f"expected a term, found a {type(e).__name__}"
    if isinstance(e, str):
        hint = "read it first: `rise.parse(text)`, or `rise.parse_file(path)` for a file"
    else:
        hint = "pass program.main or program[name] of a text, and result.program of a strategy's result"
    raise RiseError(Diagnostic("no-term", title, hint=hint))


@contextmanager
def explaining(e: object) -> Iterator[None]:
    """Inside the block, a program that was passed instead of its term adds places to errors."""
    try:
        yield
    except RiseError as error:
        explain = getattr(e, "explained", None)
        if explain is not None:
            error.diagnostic = explain(error.diagnostic)
        raise


def definitions_of(given: Any) -> Mapping[str, Expr]:
    """Terms by name; a program is such a mapping, too. Raises RiseError for anything else."""
    if not isinstance(given, Mapping):
        raise misplaced("definitions by name", given, "`rise.show` shows a term")
    return {name: term_of(e) for name, e in given.items()}


def expected(given: Any, kind: type[T] | UnionType, what: str, hint: str) -> Any:
    """The given value, if it is of a kind, which messages call `what`. Raises RiseError if it is not."""
    if isinstance(given, kind) and not isinstance(given, bool):
        return given
    raise misplaced(what, given, hint)


def misplaced(expected: str, found: object, hint: str) -> RiseError:
    """The error for a value of a kind that a function does not accept."""
    title = f"expected {expected}, found a Python value of type {type(found).__name__}"
    return RiseError(Diagnostic("wrong-kind", title, hint=hint))
