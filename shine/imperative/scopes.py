"""Gives unique names to the declarations visible in a block. `identifiers` defines the form of single names."""

from __future__ import annotations

from collections.abc import Container, Hashable, Mapping
from types import MappingProxyType
from typing import Any, Final, TypeVar

from shine.imperative.identifiers import identifier

K = TypeVar("K")
#: the lowest ranks of loops by their kind: loops over units of which a thread runs one iteration, so that the index
#: is constant; loops over units of which it runs several; and all others
UNITS: Final = 0
TURNS: Final = 1 << 16
LOOPS: Final = 1 << 17


class Scope:
    """The names visible in a block, by the keys that they stand for; inner blocks do not hide names.

    `words` are the names that the text itself uses. `called` has names for keys that replace their own. `written` are
    the keys whose names were used, in this or any other block.
    """

    def __init__(
        self,
        outer: Scope | None = None,
        words: Container[str] = (),
        called: Mapping[Any, str] = MappingProxyType({}),
    ) -> None:
        self.words: Container[str] = words if outer is None else outer.words
        self.called: Mapping[Any, str] = called if outer is None else outer.called
        self._names: dict[Hashable, str] = {} if outer is None else dict(outer._names)
        self._ranks: dict[Hashable, int] = {} if outer is None else dict(outer._ranks)
        self._taken: set[str] = set() if outer is None else set(outer._taken)
        #: names with a lower number are all taken
        self._numbers: dict[str, int] = {} if outer is None else dict(outer._numbers)
        self.depth: int = 0 if outer is None else outer.depth
        self.written: set[Hashable] = set() if outer is None else outer.written

    def block(self) -> Scope:
        """A scope inside this one."""
        return Scope(self)

    def bind(self, key: Hashable, name: str, rank: int = -1) -> str:
        """Give a key a unique name, close to the given one."""
        return self.take(key, identifier(self.called.get(key, name), self.words), rank)

    def take(self, key: Hashable, base: str, rank: int = -1) -> str:
        """Give a key this name, with the first free number appended if it is taken; words of the text are allowed."""
        fresh = base
        if fresh in self._taken:
            number = self._numbers.get(base, 1)
            while (fresh := f"{base}_{number}") in self._taken:
                number += 1
            self._numbers[base] = number
        self._taken.add(fresh)
        self._names[key] = fresh
        self._ranks[key] = rank
        return fresh

    def alias(self, key: Hashable, name: str, rank: int = -1) -> None:
        """Give a key a name that is already visible and has the same meaning."""
        self._names[key] = name
        self._ranks[key] = rank

    def known(self, key: Hashable) -> str | None:
        """The name of a key, if it has one here."""
        return self._names.get(key)

    def key_of(self, name: str, kind: type[K]) -> K | None:
        """The key of a kind that has a name here."""
        return next((key for key, own in self._names.items() if own == name and isinstance(key, kind)), None)

    def is_taken(self, name: str) -> bool:
        """Whether a name is visible here."""
        return name in self._taken

    def forget(self, *keys: Hashable) -> None:
        """Free the names of these keys, since they were never written."""
        self._taken -= {self._names.pop(key) for key in keys}
        self._numbers.clear()

    def enter_loop(self, kind: int = LOOPS) -> int:
        """Enter a loop; returns its rank, which is higher than those of the loops of its kind around it."""
        self.depth += 1
        return kind + self.depth - 1

    def name(self, key: Hashable) -> str:
        """The name of a key that is visible here."""
        found = self._names.get(key)
        assert found is not None, f"{key!r} is used where it is not visible"
        self.written.add(key)
        return found

    def rank(self, key: Hashable) -> int:
        """The rank of the loop whose index this is; -1 for sizes."""
        return self._ranks.get(key, -1)
