"""How much of a term is printed: all of it, unless that is too long; or its beginning, for people. Prints nothing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rise.diagnostics import Diagnostic, RiseError
from rise.nodes import Node, postorder

#: of an exact text: so many terms however few nodes there are, else so many for each node that there is
MOST_TERMS: Final = 1 << 16
COPIES: Final = 8
CHARACTERS: Final = 16  # of types and sizes, that count as a term
#: what a debugger shows: so many stages of a pipeline, so many parts of a type
BRIEF_CHAIN: Final = 8
BRIEF_TYPE: Final = 24


class Allowance:
    """What is left for one printing. `terms` is how many are shown at most; with None all are shown, or refused."""

    __slots__ = ("_left", "_most", "_root", "room")
    #: how many parts of a type are shown; None for all
    room: int | None

    def __init__(self, root: Node, terms: int | None) -> None:
        self._root = root
        self._most = MOST_TERMS
        self._left = MOST_TERMS if terms is None else terms
        self.room = None if terms is None else BRIEF_TYPE

    def goes_on(self) -> bool:
        """Whether one more term may be looked at. Raises RiseError where the exact text is too long."""
        self._left -= 1
        if self.room is not None:
            return self._left >= 0
        if self._left < 0:
            self._refuse_beyond_all()
        return True

    def written(self, text: str) -> str:
        """A text of a type or a size, which is counted. Raises RiseError as `goes_on` does."""
        if self.room is None:
            self._left -= len(text) // CHARACTERS
            if self._left < 0:
                self._refuse_beyond_all()
        return text

    def is_cut(self, chain: Sequence[object]) -> bool:
        """Whether a chain is long enough already, so that its beginning shows as `...`."""
        return self.room is not None and len(chain) >= BRIEF_CHAIN

    def _refuse_beyond_all(self) -> None:
        most = max(MOST_TERMS, COPIES * sum(1 for _ in postorder(self._root)))
        self._left += most - self._most
        self._most = most
        if self._left < 0:
            title = f"expected a term of at most {most:,} parts to print, found a longer one"
            hint = (
                "what a term shares is written out as often as it stands there, definitions as well: name it with"
                " `let`, or look at a definition that it uses"
            )
            raise RiseError(Diagnostic("too-long-to-print", title, hint=hint))
