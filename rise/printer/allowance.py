"""Limits how much of a term is printed: all of it unless it is too long, or its beginning. Prints nothing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rise.diagnostics import Diagnostic, RiseError
from rise.nodes import Node, postorder

#: the limit of an exact text: a number of terms, or a number of terms per distinct node if that is more
MIN_ALLOWED_TERMS: Final = 1 << 16
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
        self._limit = MIN_ALLOWED_TERMS
        self._left = MIN_ALLOWED_TERMS if terms is None else terms
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
        limit = max(MIN_ALLOWED_TERMS, MAX_TERMS_PER_NODE * sum(1 for _ in postorder(self._root)))
        self._left += limit - self._limit
        self._limit = limit
        if self._left < 0:
            title = f"expected a term of at most {limit:,} parts to print, found a longer one"
            hint = (
                "shared parts and definitions are printed each time they occur: name them with `let`, or print a"
                " definition that the term uses"
            )
            raise RiseError(Diagnostic("too-long-to-print", title, hint=hint))
