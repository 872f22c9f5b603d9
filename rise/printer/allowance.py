"""Limits how much of a term is printed: all of it unless it is too long, or its beginning. Prints nothing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from rise.diagnostics import Diagnostic, RiseError
from rise.nodes import MAX_WEIGHT, Node, postorder
from rise.terms import App, Bound, Primitive, Var

#: the limit of an exact text: a number of terms, or a number of terms per distinct node if that is more
MIN_ALLOWED_TERMS: Final = 1 << 16
#: the number of printed terms after which all terms are counted, so that a text that is far too long ends early
COUNTED_AFTER: Final = 1 << 14
MAX_TERMS_PER_NODE: Final = 4
CHARACTERS_PER_TERM: Final = 16  # in the texts of types and sizes
#: limits of a brief text: stages of a pipeline, parts of a type
MAX_BRIEF_STAGES: Final = 8
MAX_BRIEF_TYPE_PARTS: Final = 24


class Allowance:
    """The number of terms left for one printing: at most `terms` are shown; if that is None, all are, or it is an
    error.
    """

    __slots__ = ("_left", "_limit", "_root", "room")
    #: the number of parts of a type that are shown; None for all
    room: int | None

    def __init__(self, root: Node, terms: int | None) -> None:
        self._root = root
        self._limit = COUNTED_AFTER
        self._left = COUNTED_AFTER if terms is None else terms
        self.room = None if terms is None else MAX_BRIEF_TYPE_PARTS

    def goes_on(self) -> bool:
        """Whether one more term may be printed. Raises RiseError if the exact text is too long."""
        self._left -= 1
        if self.room is not None:
            return self._left >= 0
        if self._left < 0:
            self._raise_limit()
        return True

    def written(self, text: str) -> str:
        """Count the text of a type or a size, and return it. Raises RiseError as `goes_on` does."""
        if self.room is None:
            self._left -= len(text) // CHARACTERS_PER_TERM
            if self._left < 0:
                self._raise_limit()
        return text

    def is_cut(self, chain: Sequence[object]) -> bool:
        """Whether a chain has reached its limit, so that the rest is shown as `...`."""
        return self.room is not None and len(chain) >= MAX_BRIEF_STAGES

    def _raise_limit(self) -> None:
        limit, least = MIN_ALLOWED_TERMS, 0
        if self._limit == COUNTED_AFTER:
            least = _least_terms(self._root)
        if self._limit >= MIN_ALLOWED_TERMS or least > MIN_ALLOWED_TERMS:
            limit = max(limit, MAX_TERMS_PER_NODE * sum(1 for _ in postorder(self._root)))
        self._left += limit - self._limit
        self._limit = limit
        if self._left < 0 or least > limit:
            title = f"expected a term of at most {limit:,} parts to print, found a longer one"
            hint = (
                "shared parts and definitions are printed each time they occur: name them with `let`, or print a"
                " definition that the term uses"
            )
            raise RiseError(Diagnostic("too-long-to-print", title, hint=hint))


def _least_terms(root: Node) -> int:
    """A lower bound of the number of terms that are printed: the names and primitives that are arguments, each time
    that they occur; at most `MAX_WEIGHT`.
    """
    counts: dict[int, int] = {}
    stack = [root]
    while stack:
        term: Any = stack[-1]
        waiting = [child for child in term.children if id(child) not in counts]
        if waiting:
            stack += waiting
            continue
        stack.pop()
        count = int(isinstance(term, App) and isinstance(term.arg, Bound | Var | Primitive))
        counts[id(term)] = min(count + sum([counts[id(child)] for child in term.children]), MAX_WEIGHT)
    return counts[id(root)]
