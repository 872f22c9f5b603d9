"""Names in the imperative program: unique, and not reserved in any target language. Independent of terms and texts."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from rise.part_names import AND
from rise.primitives.functions import FUNCTIONS
from shine.imperative.identifiers import KEYWORDS, as_word

MAX_NAME_LENGTH: Final = 40  # characters
ENDINGS: Final = {1: "st", 2: "nd", 3: "rd"}
_WORDS: Final = KEYWORDS | {record.name for record in FUNCTIONS}

#: what translation calls things that the program does not name
UNNAMED: Final = frozenset(("x", "stored", "choice", "updated", "at", "b", "p"))
_COUNTER: Final = re.compile(r"(?<=[A-Za-z0-9])(_\d+)+$")
_PART: Final = re.compile(r"(.*?)(_\d+(?:st|nd|rd|th))?")


def safe(name: str) -> str:
    """A name in letters, digits and underscores that is no word of C or C++, and no function of numbers.

    >>> safe("x'"), safe("for"), safe("_a"), safe("")
    ('x_', 'for_', 'v_a', 'v')
    """
    plain = as_word(name)[:MAX_NAME_LENGTH]
    return f"{plain}_" if plain in _WORDS else plain


def part_names(name: str, count: int) -> list[str]:
    """The names of the arrays or numbers that a value consists of, after their positions in it.

    >>> part_names("x", 1), part_names("pair", 2), part_names("e_and_total", 2), part_names("e_and_total", 3)
    (['x'], ['pair_1st', 'pair_2nd'], ['e', 'total'], ['x_1st', 'x_2nd', 'x_3rd'])
    """
    names = name.split(AND)
    if count == len(names):
        return names
    base = name if len(names) == 1 else "x"
    return [name] if count == 1 else [f"{base}_{ordinal(k)}" for k in range(1, count + 1)]


def ordinal(number: int) -> str:
    """A number >= 1 as an ordinal.

    >>> [ordinal(k) for k in (1, 2, 3, 4, 11, 12, 13, 21, 102)]
    ['1st', '2nd', '3rd', '4th', '11th', '12th', '13th', '21st', '102nd']
    """
    is_teen = number // 10 % 10 == 1
    return f"{number}{'th' if is_teen else ENDINGS.get(number % 10, 'th')}"


@lru_cache(maxsize=1 << 12)
def plain(name: str) -> str:
    """A name without the number that made it unique.

    >>> plain("acc_12"), plain("x_1_2"), plain("pair_2nd_1"), plain("i")
    ('acc', 'x', 'pair_2nd', 'i')
    """
    return _COUNTER.sub("", name)


@lru_cache(maxsize=1 << 12)
def parted(name: str) -> tuple[str, str]:
    """The name without its part, and the part.

    >>> parted("pair_2nd_1"), parted("sum")
    (('pair', '_2nd'), ('sum', ''))
    """
    found = _PART.fullmatch(plain(name))
    assert found is not None
    return found[1], found[2] or ""


def is_made(name: str) -> bool:
    """Whether translation made a name that has no meaning."""
    return parted(name)[0] in UNNAMED


class Names:
    """The names of one procedure; each is given once."""

    def __init__(self) -> None:
        self._given: dict[str, int] = {}

    def fresh(self, name: str) -> str:
        """The name, with the first free number appended if it is taken."""
        base = safe(name)
        found = base
        while found in self._given:
            self._given[base] += 1
            found = f"{base}_{self._given[base]}"
        self._given[found] = 0
        return found
