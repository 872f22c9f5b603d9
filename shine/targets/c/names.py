"""Names in C: what a program's names become, so that none clash with C's or with each other. Knows no
statements.
"""

from __future__ import annotations

import re
from collections.abc import Hashable
from typing import Final

_HELPER = re.compile(r".*_(bool|bf16|[iuf](8|16|32|64))(x\d+)?(_u)?$|^(bf16|[iuf](8|16|32|64)x\d+)(_u)?$")

_WORDS: Final = """
auto break case char const continue default do double else enum extern float for goto if inline int long
register restrict return short signed sizeof static struct switch typedef union unsigned void volatile while
bool true false asm typeof alignas alignof noreturn thread_local complex imaginary linux unix main
NULL INFINITY NAN PTRDIFF_MAX
allocate aligned_alloc free malloc calloc realloc report status memcpy memset memmove abort exit
exp log sqrt sin cos tanh pow fma fmod fabs abs floor ceil min max floorf ceilf
expf logf sqrtf sinf cosf tanhf powf fmaf fmodf fabsf
int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t size_t f16_of_bits
"""
RESERVED: Final = frozenset(_WORDS.split())


def identifier(name: str) -> str:
    """A C identifier that reads like a name.

    >>> identifier("x'"), identifier("float"), identifier("1st"), identifier("__a")
    ('x_', 'float_', 'v1st', 'v__a')
    """
    plain = re.sub(r"[^A-Za-z0-9_]", "_", name) or "v"
    if not re.match(r"[A-Za-z]", plain):
        plain = f"v{plain}"
    return f"{plain}_" if plain in RESERVED or _HELPER.match(plain) else plain


class Scope:
    """The names visible at a place, by what they stand for; a block is a child, which may hide nothing."""

    def __init__(self, outer: Scope | None = None) -> None:
        self._names: dict[Hashable, str] = {} if outer is None else dict(outer._names)
        self._ranks: dict[Hashable, int] = {} if outer is None else dict(outer._ranks)
        self._taken: set[str] = set() if outer is None else set(outer._taken)
        self.depth: int = 0 if outer is None else outer.depth

    def block(self) -> Scope:
        """A scope inside this one."""
        return Scope(self)

    def bind(self, key: Hashable, name: str, rank: int = -1) -> str:
        """Give a thing a name of its own, close to the one it has."""
        base = identifier(name)
        fresh, number = base, 0
        while fresh in self._taken:
            number += 1
            fresh = f"{base}_{number}"
        self._taken.add(fresh)
        self._names[key] = fresh
        self._ranks[key] = rank
        return fresh

    def enter_loop(self) -> int:
        """One loop deeper; its rank."""
        self.depth += 1
        return self.depth - 1

    def name(self, key: Hashable) -> str:
        """The name of a thing that is visible here."""
        found = self._names.get(key)
        assert found is not None, f"{key!r} is used where it is not visible"
        return found

    def rank(self, key: Hashable) -> int:
        """How deep the loop is whose index this is; -1 for sizes."""
        return self._ranks.get(key, -1)
