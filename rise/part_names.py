"""Names of pairs derived from their parts, and of parts derived from their pairs. Independent of terms.

Programs name arrays, and functions read elements of several of them as pairs: a pair with the parts `x` and `e` is
called `x_and_e`, and the parts of a pair `stats` are called `stats_1st` and `stats_2nd`.
"""

from __future__ import annotations

import re
from typing import Final, TypeAlias

from rise.types import ArrayType, PairType, Type

#: the suffixes that the parts of a named pair add to its name
ENDS: Final = ("_1st", "_2nd")
#: the separator between the names of the parts in the name of a pair
AND: Final = "_and_"
#: the names that rules and functions of numpy give to elements of which nothing is known
ELEMENTS: Final = (
    "a",
    "acc",
    "b",
    "block",
    "column",
    "i",
    "p",
    "q",
    "row",
    "v",
    "w",
    "window",
    "x",
    "xy",
    "y",
)
#: the names that rules give to values
VALUES: Final = ("given", "number", "numbers", "packed", "products", "r", "rows", "stored", "sum")
_SAYING_NOTHING: Final = re.compile(rf"(|[a-z]s|{'|'.join(ELEMENTS + VALUES)})\d*")
#: a pair with more parts is not named after them
MOST_PARTS: Final = 8

#: what is known of a value: its name; what is known of each part of a pair; or nothing
Said: TypeAlias = "str | tuple[Said, Said] | None"


def said_by(name: str, t: Type) -> Said:
    """The information in a name about a value of a type, or about the elements of an array.

    >>> from rise.types import F32
    >>> pair = PairType(F32, F32)
    >>> said_by("e", F32), said_by("p", pair), said_by("e", pair), said_by("x_and_e", pair)
    ('e', None, 'e', (None, 'e'))
    """
    pair, names = _pair_in(t), name.split(AND)
    if pair is None or not 1 < len(names) == leaves(pair) <= MOST_PARTS:
        return None if _SAYING_NOTHING.fullmatch(name) else name
    count = leaves(pair.first)
    return said_by(AND.join(names[:count]), pair.first), said_by(AND.join(names[count:]), pair.second)


def spelled(said: Said, t: Type) -> str:
    """The name of a value of a type that expresses this information.

    >>> from rise.types import F32
    >>> spelled((None, "e"), PairType(F32, F32)), spelled((None, None), PairType(F32, F32)), spelled("e", F32)
    ('x_and_e', 'p', 'e')
    """
    if isinstance(said, str):
        return said
    if _pair_in(t) is None:
        return "x"
    return AND.join(_names(said, t)) if _is_known(said) and leaves(t) <= MOST_PARTS else "p"


def part(said: Said, side: int) -> Said:
    """What is known of the first (0) or the second (1) part of a pair."""
    return said[side] if isinstance(said, tuple) else said and f"{said}{ENDS[side]}"


def part_names(name: str, pair: PairType) -> tuple[str, str]:
    """The names of the parts of a named pair.

    >>> from rise.types import F32
    >>> pair = PairType(F32, F32)
    >>> part_names("stats", pair), part_names("x_and_e", pair), part_names("p", pair)
    (('stats_1st', 'stats_2nd'), ('x', 'e'), ('p', 'p'))
    """
    said = said_by(name, pair)
    if said is None:
        return name, name
    return spelled(part(said, 0), pair.first), spelled(part(said, 1), pair.second)


def merged(said: Said, other: Said) -> Said:
    """What is known of a value, completed from a second source for parts of which the first says nothing.

    >>> merged((None, "e"), ("a", None)), merged(None, "stats"), merged((None, "e"), "stats")
    (('a', 'e'), 'stats', ('stats_1st', 'e'))
    """
    if isinstance(said, tuple):
        return merged(said[0], part(other, 0)), merged(said[1], part(other, 1))
    return other if said is None else said


def _pair_in(t: Type) -> PairType | None:
    while isinstance(t, ArrayType):
        t = t.element
    return t if isinstance(t, PairType) else None


def leaves(t: Type) -> int:
    """The number of parts of a pair that are not pairs; some greater number if there are more than `MOST_PARTS`."""
    waiting, count = [t], 0
    while waiting and count <= MOST_PARTS:
        pair = _pair_in(waiting.pop())
        if pair is None:
            count += 1
        else:
            waiting += [pair.first, pair.second]
    return count


def _is_known(said: Said) -> bool:
    return any(map(_is_known, said)) if isinstance(said, tuple) else said is not None


def _names(said: Said, t: Type) -> list[str]:
    """The names of the parts that are not pairs."""
    pair = _pair_in(t)
    if pair is None:
        return [spelled(said, t)]
    return [*_names(part(said, 0), pair.first), *_names(part(said, 1), pair.second)]
