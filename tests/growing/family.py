"""Texts that grow: pieces that occur once, and pieces that are repeated any number of times. Independent of constructs.

In the pieces, `{i}` is the number of the repetition, from 0, `{i+1}` is the next one, and `{n}` is the number of
repetitions.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Each:
    """A piece that is repeated for each number."""

    piece: str
    between: str
    is_backwards: bool


#: the parts of a text, in order
Family: TypeAlias = tuple[str | Each, ...]

_PLACE = re.compile(r"\{(?:(n)|i([+-][0-9]+)?)\}")


def each(piece: str, between: str = "", *, is_backwards: bool = False) -> Each:
    """A piece for each number, with a separator."""
    return Each(piece, between, is_backwards)


def grown(family: Family, count: int) -> str:
    """The text with this number of repetitions.

    >>> grown(("fun(", each("x{i}", ", "), " => x0)"), 3)
    'fun(x0, x1, x2 => x0)'
    """
    parts: list[str] = []
    for part in family:
        if isinstance(part, str):
            parts.append(_numbered(part, 0, count))
            continue
        numbers = range(count)[::-1] if part.is_backwards else range(count)
        parts.append(part.between.join(_numbered(part.piece, i, count) for i in numbers))
    return "".join(parts)


def long(family: Family, characters: int) -> str:
    """The longest text with at most this number of characters, or else the shortest text."""
    low, high = 1, 2
    while len(grown(family, high)) <= characters:
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if len(grown(family, middle)) <= characters else (low, middle)
    return grown(family, low)


def _numbered(piece: str, number: int, count: int) -> str:
    def put(found: re.Match[str]) -> str:
        return str(count) if found[1] else str(number + int(found[2] or 0))

    return _PLACE.sub(put, piece) if "{" in piece else piece
