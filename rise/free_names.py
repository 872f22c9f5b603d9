"""The sets of free variables that nodes store. Does not know what a variable is.

A small set is a frozenset. A large one shares its parts with the sets that it was joined from: a type over n names
has n nodes with different sets, whose copies would take O(n * n) memory.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Set
from itertools import chain
from typing import Any, Final, TypeAlias

MAX_COPIED_NAMES: Final = 32  # larger sets share their parts
NOTHING_FREE: Final[frozenset[Any]] = frozenset()


class ManyNames(Set[Any]):
    """A set in parts: frozensets, each at least twice as large as the next one. Parts may overlap."""

    __slots__ = ("parts",)
    parts: tuple[frozenset[Any], ...]

    def __init__(self, parts: Iterable[frozenset[Any]]) -> None:
        self.parts = _balanced(parts)

    @classmethod
    def _from_iterable(cls, it: Iterable[Any]) -> Any:  # used by the operators of Set
        return frozenset(it)

    def __contains__(self, name: object) -> bool:
        return any(name in part for part in self.parts)

    def __iter__(self) -> Iterator[Any]:
        return iter(dict.fromkeys(chain.from_iterable(self.parts)))

    def __len__(self) -> int:
        return len(self.parts[0].union(*self.parts[1:]))

    def __bool__(self) -> bool:
        return True

    def __hash__(self) -> int:
        return hash(frozenset(self))

    def __repr__(self) -> str:
        return repr(frozenset(self))

    def isdisjoint(self, other: Iterable[Any]) -> bool:
        return all(part.isdisjoint(other) for part in self.parts)


FreeNames: TypeAlias = frozenset[Any] | ManyNames


def joined(first: FreeNames, second: FreeNames) -> FreeNames:
    """The union of two sets; one of them if it contains the other, so that most nodes share a set."""
    if first is second or not second:
        return first
    if type(first) is frozenset and type(second) is frozenset:
        if second <= first:
            return first
        if first <= second:
            return second
        if len(first) + len(second) <= MAX_COPIED_NAMES:
            return first | second
    return _many(first, second)


def union(sets: list[FreeNames]) -> FreeNames:
    """The union of several sets; one of them if it contains the others."""
    distinct = {id(names): names for names in sets if names}
    largest = max(distinct.values(), key=len, default=NOTHING_FREE)
    names = NOTHING_FREE.union(*distinct.values())
    if len(names) == len(largest):
        return largest
    return names if len(names) <= MAX_COPIED_NAMES else ManyNames((names,))


def _many(first: FreeNames, second: FreeNames) -> FreeNames:
    if not first:
        return second
    parts, other_parts = _parts(first), _parts(second)
    if len(parts[0]) < len(other_parts[0]):
        first, second, parts, other_parts = second, first, other_parts, parts
    ids = {id(part) for part in parts}
    new = [part for part in other_parts if id(part) not in ids and not _contain(parts, part)]
    return ManyNames((*parts, *new)) if new else first


def _parts(names: FreeNames) -> tuple[frozenset[Any], ...]:
    return names.parts if isinstance(names, ManyNames) else (names,)


def _contain(parts: tuple[frozenset[Any], ...], names: frozenset[Any]) -> bool:
    """Whether the parts together contain all of the names."""
    some = next(iter(names))
    if all(some not in part for part in parts):
        return False
    for part in parts:
        names = names - part
        if not names:
            return True
    return False


def _balanced(parts: Iterable[frozenset[Any]]) -> tuple[frozenset[Any], ...]:
    """The parts, largest first; parts of similar size are joined."""
    balanced: list[frozenset[Any]] = []
    for part in sorted(parts, key=len, reverse=True):
        while balanced and len(balanced[-1]) < 2 * len(part):
            part |= balanced.pop()
        balanced.append(part)
    return tuple(balanced)
