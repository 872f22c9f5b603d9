"""Names in the imperative program: unique, and safe in C. Knows no terms."""

from __future__ import annotations

import re
from typing import Final

_RESERVED: Final = frozenset(
    re.findall(
        r"\w+",
        """
        alignas alignof and and_eq asm atomic auto bitand bitor bool break case catch char char8_t
        char16_t char32_t class compl concept const const_cast consteval constexpr constinit
        continue co_await co_return co_yield decltype default define defined delete do double
        dynamic_cast else enum explicit export extern false float for friend goto if inline int long
        main mutable namespace new noexcept not not_eq nullptr operator or or_eq private protected
        public register reinterpret_cast requires restrict return short signed sizeof static
        static_assert static_cast struct switch template this thread_local throw true try typedef
        typeid typename union unsigned using virtual void volatile wchar_t while xor xor_eq linux
        unix half float16 bfloat16 int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t
        size_t NULL errno abs acos asin atan ceil cos cosh exp exp2 fabs floor fma fmax fmin fmod
        free index isnan j0 j1 jn ldexp log log2 malloc max memcpy memset min mod pow printf rand
        remainder round sin sinh sqrt tan tanh trunc y0 y1 yn
        """,
    )
)
_UNSAFE: Final = re.compile(r"[^A-Za-z0-9_]+")


def safe(name: str) -> str:
    """A name as C takes it.

    >>> safe("x'"), safe("for"), safe("_a"), safe("")
    ('x_', 'for_', 'v_a', 'v')
    """
    plain = _UNSAFE.sub("_", name)[:40]
    if plain in _RESERVED:
        return plain + "_"
    return "v" + plain if not plain or not plain[0].isalpha() else plain


class Names:
    """The names of one procedure; each is given once."""

    def __init__(self) -> None:
        self._given: dict[str, int] = {}

    def fresh(self, name: str) -> str:
        """The name, or with the first free number behind it."""
        base = safe(name)
        found = base
        while found in self._given:
            self._given[base] += 1
            found = f"{base}_{self._given[base]}"
        self._given[found] = 0
        return found
