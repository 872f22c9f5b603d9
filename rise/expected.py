"""What is said where a term is expected and something else is given. Knows no operation that takes terms."""

from __future__ import annotations

from rise.diagnostics import Diagnostic, RiseError
from rise.terms import Expr


def check_term(e: object) -> None:
    """Raise RiseError with a hint at the term that was meant, unless this is one."""
    if not isinstance(e, Expr):
        title = f"expected a term, found a {type(e).__name__}"
        hint = "pass program.main or program[name] of a text, and result.program of a strategy's result"
        raise RiseError(Diagnostic("no-term", title, hint=hint))
