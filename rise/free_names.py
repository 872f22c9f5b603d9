"""The sets of free variables that nodes keep. Knows nothing of what a variable is.

A small set is a frozenset. A large one shares its parts with the sets that it was joined from: in a type over n names
each of n nodes has a set of its own, and copies of these would take n * n places.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Set
from itertools import chain
from typing import Any, Final, TypeAlias

FEW: Final = 32  # names that are copied from set to set
NOTHING_FREE: Final[frozenset[Any]] = frozenset()


class ManyNames(Set[Any]):
    """A set in parts: frozensets, each at least twice as large as the next one. Parts may overlap."""

    __slots__ = ("parts",)
    parts: tuple[frozenset[Any], ...]

    def __init__(self, parts: Iterable[frozenset[Any]]) -> None:
        self.parts = _balanced(parts)

    @classmethod
    def _from_iterable(cls, it: Iterable[Any]) -> Any:  # what the operators of Set make their results with
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


def joined(some: FreeNames, others: FreeNames) -> FreeNames:
    """The union of two sets, one of them where it holds the other: most nodes share theirs."""
    if some is others or not others:
        return some
    if type(some) is frozenset and type(others) is frozenset:
        if others <= some:
            return some
        if some <= others:
            return others
        if len(some) + len(others) <= FEW:
            return some | others
    return _many(some, others)


def union(sets: list[FreeNames]) -> FreeNames:
    """The union of several sets, one of them where it holds the others."""
    different = {id(names): names for names in sets if names}
    largest = max(different.values(), key=len, default=NOTHING_FREE)
    names = NOTHING_FREE.union(*different.values())
    if len(names) == len(largest):
        return largest
    return names if len(names) <= FEW else ManyNames((names,))


def _many(some: FreeNames, others: FreeNames) -> FreeNames:
    if not some:
        return others
    parts, more = _parts(some), _parts(others)
    if len(parts[0]) < len(more[0]):
        some, others, parts, more = others, some, more, parts
    ids = {id(part) for part in parts}
    new = [part for part in more if id(part) not in ids and not _holds(parts, part)]
    return ManyNames((*parts, *new)) if new else some


def _parts(names: FreeNames) -> tuple[frozenset[Any], ...]:
    return names.parts if isinstance(names, ManyNames) else (names,)


def _holds(parts: tuple[frozenset[Any], ...], names: frozenset[Any]) -> bool:
    """Whether the parts together hold all of the names."""
    return any(names <= part for part in parts) or all(any(name in part for part in parts) for name in names)


def _balanced(parts: Iterable[frozenset[Any]]) -> tuple[frozenset[Any], ...]:
    """The parts in order of size, those joined that are of about one size."""
    found: list[frozenset[Any]] = []
    for part in sorted(parts, key=len, reverse=True):
        while found and len(found[-1]) < 2 * len(part):
            part |= found.pop()
        found.append(part)
    return tuple(found)
