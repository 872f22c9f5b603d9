"""Names in C and its like: what the things of a program are called, so that no two share a name.

Knows what the printed texts use themselves. What a single name becomes: see `shine.imperative.identifiers`.
"""

from __future__ import annotations

from collections.abc import Container, Hashable, Mapping
from types import MappingProxyType
from typing import Any, Final

from rise.primitives.functions import FUNCTIONS
from shine.imperative.identifiers import as_word, identifier, is_free
from shine.targets.c.library import is_of_library

#: before the name of an exported function that the language or its library has already
PREFIX: Final = "shine_"
#: functions of numbers, and those of the C library that texts call for some of them
_NUMBERS: Final = (*(record.name for record in FUNCTIONS), "copysign", "fabs", "fma", "fmod", "rint")
#: what a text in C uses itself, but for names of a form that `identifier` knows
RESERVED: Final = frozenset(
    (
        "aligned_alloc",
        "allocate",
        "keep_scalar",
        "f16_of_bits",
        "f32_of_bits",
        "free",
        "report",
        "status",
        *_NUMBERS,
        *(f"{name}f" for name in _NUMBERS),
    )
)


def exported(name: str, words: Container[str] = RESERVED) -> str:
    """A name for a function that others call: none that is linked with it, or that headers declare.

    >>> exported("mm"), exported("ilogb"), exported("omp_get_max_threads"), exported("2d-conv")
    ('mm', 'shine_ilogb', 'shine_omp_get_max_threads', 'v2d_conv')
    """
    plain = as_word(name)
    return f"{PREFIX}{plain}" if is_of_library(plain) or not is_free(plain, words) else plain


class Scope:
    """The names visible at a place, by what they stand for; a block is a child, which may hide nothing.

    `words` are those that the text uses itself. `called` says what things are called that do not go by their own name.
    `written` are the things whose names were asked for, here or in any block.
    """

    def __init__(
        self,
        outer: Scope | None = None,
        words: Container[str] = RESERVED,
        called: Mapping[Any, str] = MappingProxyType({}),
    ) -> None:
        self.words: Container[str] = words if outer is None else outer.words
        self.called: Mapping[Any, str] = called if outer is None else outer.called
        self._names: dict[Hashable, str] = {} if outer is None else dict(outer._names)
        self._ranks: dict[Hashable, int] = {} if outer is None else dict(outer._ranks)
        self._taken: set[str] = set() if outer is None else set(outer._taken)
        self.depth: int = 0 if outer is None else outer.depth
        self.written: set[Hashable] = set() if outer is None else outer.written

    def block(self) -> Scope:
        """A scope inside this one."""
        return Scope(self)

    def bind(self, key: Hashable, name: str, rank: int = -1) -> str:
        """Give a thing a name of its own, close to the one it has."""
        return self.take(key, identifier(self.called.get(key, name), self.words), rank)

    def take(self, key: Hashable, base: str, rank: int = -1) -> str:
        """Give a thing this name, or with the first free number behind it; it may be a word that the text uses."""
        fresh, number = base, 0
        while fresh in self._taken:
            number += 1
            fresh = f"{base}_{number}"
        self._taken.add(fresh)
        self._names[key] = fresh
        self._ranks[key] = rank
        return fresh

    def alias(self, key: Hashable, name: str, rank: int = -1) -> None:
        """Let a thing have a name that is visible already and means the same."""
        self._names[key] = name
        self._ranks[key] = rank

    def known(self, key: Hashable) -> str | None:
        """The name of a thing, if it has one here."""
        return self._names.get(key)

    def forget(self, *keys: Hashable) -> None:
        """Take away the one name that these things have, since it was never written."""
        self._taken -= {self._names.pop(key) for key in keys}

    def enter_loop(self) -> int:
        """One loop deeper; its rank."""
        self.depth += 1
        return self.depth - 1

    def name(self, key: Hashable) -> str:
        """The name of a thing that is visible here."""
        found = self._names.get(key)
        assert found is not None, f"{key!r} is used where it is not visible"
        self.written.add(key)
        return found

    def rank(self, key: Hashable) -> int:
        """How deep the loop is whose index this is; -1 for sizes."""
        return self._ranks.get(key, -1)
