"""Names in the imperative program: each is given once, and no word of a language. Knows no terms and no texts."""

from __future__ import annotations

from typing import Final

from rise.primitives.functions import FUNCTIONS
from shine.imperative.identifiers import KEYWORDS, as_word

LONGEST: Final = 40  # characters
_WORDS: Final = KEYWORDS | {record.name for record in FUNCTIONS}


def safe(name: str) -> str:
    """A name in letters, digits and underscores that is no word of C or C++, and no function of numbers.

    >>> safe("x'"), safe("for"), safe("_a"), safe("")
    ('x_', 'for_', 'v_a', 'v')
    """
    plain = as_word(name)[:LONGEST]
    return f"{plain}_" if plain in _WORDS else plain


class Names:
    """The names of one procedure; each is given once."""

    def __init__(self) -> None:
        self._given: dict[str, int] = {}

    def fresh(self, name: str) -> str:
        """The name, or with the first free number behind it."""
        base = safe(name)
        found = base
        while found in self._given:
            self._given[base] += 1
            found = f"{base}_{self._given[base]}"
        self._given[found] = 0
        return found
