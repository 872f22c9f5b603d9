"""The sets of free variables that nodes store. Independent of what a variable is.

A small set is a frozenset. A large one is computed when it is asked for, and then shares its parts with the sets that
it was joined from: a type over n names has n nodes with different sets, whose copies would take O(n * n) memory.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Set
from typing import Any, Final, TypeAlias

MAX_COPIED_NAMES: Final = 32  # larger sets share their parts
NOTHING_FREE: Final[frozenset[Any]] = frozenset()


class ManyNames(Set[Any]):
    """A large set: the union of two sets, which is computed when it is asked for.

    Most are never computed: the ranges of the numbers of the unknowns in them are enough.
    """

    __slots__ = ("_joined", "_parts", "ranges")
    #: the two sets, until their union is computed
    _joined: tuple[FreeNames, FreeNames] | None
    #: frozensets, each at least twice as large as the next one, which may overlap; None: not computed
    _parts: tuple[frozenset[Any], ...] | None
    #: for each class of unknowns of inference in it, the least and the greatest of their numbers
    ranges: Ranges

    def __init__(self, first: FreeNames, second: FreeNames) -> None:
        self._joined, self._parts = (first, second), None
        self.ranges = _both(_ranges_of(first), _ranges_of(second))

    @property
    def parts(self) -> tuple[frozenset[Any], ...]:
        """Frozensets whose union is the set, each at least twice as large as the next one. Sets share them."""
        if self._parts is None:
            _divide(self)
        assert self._parts is not None
        return self._parts

    def holds(self, names: FreeNames) -> bool:
        """Whether the set is known to contain these names."""
        if self._joined is None:
            return type(names) is frozenset and all(name in self for name in names)
        first, second = self._joined
        if first is names or second is names:
            return True
        is_small = type(names) is frozenset
        return is_small and any(type(side) is frozenset and names <= side for side in (first, second))

    def _whole(self) -> frozenset[Any]:
        if self._parts is None:
            self._parts, self._joined = (_collected(self),), None
        elif len(self._parts) > 1:
            return self._parts[0].union(*self._parts[1:])
        return self._parts[0]

    @classmethod
    def _from_iterable(cls, it: Iterable[Any]) -> Any:  # used by the operators of Set
        return frozenset(it)

    def __contains__(self, name: object) -> bool:
        number = abs(getattr(name, "ident", 0))
        if number:
            least, greatest = self.ranges.get(type(name), _NO_RANGE)
            if not least <= number <= greatest:
                return False
        return any(name in part for part in self.parts)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._whole())

    def __len__(self) -> int:
        return len(self._whole())

    def __bool__(self) -> bool:
        return True

    def __hash__(self) -> int:
        return hash(self._whole())

    def __repr__(self) -> str:
        return repr(self._whole())

    def isdisjoint(self, other: Iterable[Any]) -> bool:
        return all(part.isdisjoint(other) for part in self.parts)


FreeNames: TypeAlias = frozenset[Any] | ManyNames
Ranges: TypeAlias = Mapping[type[Any], tuple[int, int]]


def joined(first: FreeNames, second: FreeNames) -> FreeNames:
    """The union of two sets; one of them if it is known to contain the other, so that most nodes share a set."""
    if first is second or not second:
        return first
    if not first:
        return second
    if type(first) is ManyNames and first.holds(second):
        return first
    if type(second) is ManyNames and second.holds(first):
        return second
    if type(first) is frozenset and type(second) is frozenset:
        if second <= first:
            return first
        if first <= second:
            return second
        if len(first) + len(second) <= MAX_COPIED_NAMES:
            return first | second
    return ManyNames(first, second)


def surely_apart(names: FreeNames, others: frozenset[Any]) -> bool:
    """Whether two sets are known to be disjoint; False if a set would have to be computed first."""
    return names.isdisjoint(others) if type(names) is not ManyNames or names._parts is not None else False


def union(sets: list[FreeNames]) -> FreeNames:
    """The union of several sets; one of them if it contains the others."""
    distinct = {id(names): names for names in sets if names}
    largest = max(distinct.values(), key=len, default=NOTHING_FREE)
    names = NOTHING_FREE.union(*distinct.values())
    if len(names) == len(largest):
        return largest
    return names


_NO_RANGE: Final = (1, 0)


def _ranges_of(names: FreeNames) -> Ranges:
    """For each class of unknowns in a set, the least and the greatest of their numbers."""
    if type(names) is ManyNames:
        return names.ranges
    ranges: dict[type[Any], tuple[int, int]] = {}
    for name in names:
        number = abs(getattr(name, "ident", 0))
        if number:
            least, greatest = ranges.get(type(name), (number, number))
            ranges[type(name)] = min(least, number), max(greatest, number)
    return ranges


def _both(first: Ranges, second: Ranges) -> Ranges:
    """The ranges of the union of two sets."""
    if not second or first is second:
        return first
    merged = dict(first)
    for kind, range_of_kind in second.items():
        known = first.get(kind)
        if known is not None and known is not range_of_kind:
            (least, greatest), (other_least, other_greatest) = known, range_of_kind
            range_of_kind = (
                least if least < other_least else other_least,
                greatest if greatest > other_greatest else other_greatest,
            )
        merged[kind] = range_of_kind
    return merged


def _collected(names: ManyNames) -> frozenset[Any]:
    """All names of a set that is not computed yet."""
    found: set[Any] = set()
    seen: set[int] = set()
    stack: list[FreeNames] = [names]
    while stack:
        some = stack.pop()
        if id(some) in seen:
            continue
        seen.add(id(some))
        if type(some) is ManyNames:
            stack += some._joined or some.parts
        else:
            found |= some
    return frozenset(found)


def _divide(names: ManyNames) -> None:
    """Compute the parts of a set, and those of the sets that it was joined from."""
    stack = [names]
    while stack:
        some = stack[-1]
        if some._joined is None:
            stack.pop()
            continue
        waiting = [side for side in some._joined if type(side) is ManyNames and side._parts is None]
        if waiting:
            stack += waiting
            continue
        stack.pop()
        some._parts, some._joined = _many(*map(_parts, some._joined)), None


def _many(
    parts: tuple[frozenset[Any], ...], others: tuple[frozenset[Any], ...]
) -> tuple[frozenset[Any], ...]:
    """The union of two sets in parts."""
    if len(parts[0]) < len(others[0]):
        parts, others = others, parts
    ids = {id(part) for part in parts}
    new = [part for part in others if id(part) not in ids and not _contain(parts, part)]
    return _balanced((*parts, *new)) if new else parts


def _parts(names: FreeNames) -> tuple[frozenset[Any], ...]:
    return names.parts if type(names) is ManyNames else (names,)  # type: ignore[return-value]  # a frozenset


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
