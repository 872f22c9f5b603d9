"""Names in C and its like: what a program's names become, so that none clash with the language's or with each other.
Knows no statements.
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
abs min max isnan isinf isfinite f16_of_bits
shine_team shine_take shine_wait shine_spread shine_wake
int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t size_t
"""
_MATHEMATICS: Final = """
acos acosh asin asinh atan atan2 atanh cbrt ceil cos cosh erf exp exp2 expm1 fabs floor fma fmod hypot log log10 log1p
log2 pow rint round rsqrt sin sinh sqrt tan tanh trunc
"""
_FUNCTIONS: Final = _MATHEMATICS.split()
RESERVED: Final = frozenset((*_WORDS.split(), *_FUNCTIONS, *(f"{name}f" for name in _FUNCTIONS)))


def identifier(name: str, reserved: frozenset[str] = RESERVED) -> str:
    """An identifier that reads like a name.

    >>> identifier("x'"), identifier("float"), identifier("1st"), identifier("__a")
    ('x_', 'float_', 'v1st', 'v__a')
    """
    plain = re.sub(r"[^A-Za-z0-9_]", "_", name) or "v"
    if not re.match(r"[A-Za-z]", plain):
        plain = f"v{plain}"
    return f"{plain}_" if plain in reserved or _HELPER.match(plain) else plain


class Scope:
    """The names visible at a place, by what they stand for; a block is a child, which may hide nothing.

    `written` are the things whose names were asked for, here or in any block.
    """

    def __init__(self, outer: Scope | None = None, reserved: frozenset[str] = RESERVED) -> None:
        self.reserved: frozenset[str] = reserved if outer is None else outer.reserved
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
        base = identifier(name, self.reserved)
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
