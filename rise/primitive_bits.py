"""Numbers the names of primitives, so that sets of them are integers. Independent of terms and records.

Each term knows the set of primitives that it contains: the union of its children's. Whether it contains one of some
primitives is then decided without visiting its nodes.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache, reduce
from operator import or_
from typing import Final

from rise.forks import Lock

#: the names by their numbers; only grows. Programs cannot observe the numbers, which follow from the order of creation.
_NAMES: Final[list[str]] = []
_BITS: Final[dict[str, int]] = {}
_LOCK: Final = Lock()


def bit_of(name: str) -> int:
    """The bit of a primitive in sets."""
    bit = _BITS.get(name)
    if bit is None:
        with _LOCK.held():
            bit = _BITS.get(name)
            if bit is None:
                _NAMES.append(name)
                bit = _BITS[name] = 1 << len(_NAMES) - 1
    return bit


def bits_of(names: Iterable[str]) -> int:
    """The set of some primitives.

    >>> names_of(bits_of(["map", "zip"]) & bits_of(["zip", "join"]))
    frozenset({'zip'})
    """
    return reduce(or_, map(bit_of, names), 0)


@lru_cache(maxsize=1 << 12)
def names_of(bits: int) -> frozenset[str]:
    """The names of the primitives in a set."""
    names = []
    while bits:
        last = bits & -bits
        names.append(_NAMES[last.bit_length() - 1])
        bits ^= last
    return frozenset(names)
