"""What stands for a term where one is expected, and what is said of anything else. Knows no operation on terms."""

from __future__ import annotations

from typing import Protocol, TypeAlias

from rise.diagnostics import Diagnostic, RiseError
from rise.terms import Expr


class Programmed(Protocol):
    """A program of a text or of a Python function: its main term stands for it."""

    @property
    def main(self) -> Expr:
        """The term."""


Termlike: TypeAlias = Expr | Programmed


def term_of(e: Termlike) -> Expr:
    """The term, or a program's main one. Raises RiseError with a hint at the term that was meant, if it is neither."""
    if isinstance(e, Expr):
        return e
    main = getattr(e, "main", None)
    if isinstance(main, Expr):
        return main
    title = f"expected a term, found a {type(e).__name__}"
    hint = "pass program.main or program[name] of a text, and result.program of a strategy's result"
    raise RiseError(Diagnostic("no-term", title, hint=hint))
