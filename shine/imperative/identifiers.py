"""Converts names in programs to identifiers of C, C++ and CUDA. Depends on reserved words, but not on programs.

Note [Identifiers]
A name that a text can use stays unchanged: `x`, `N`, `rows`. Any other name gets an underscore at the end, which no
name of a header, a compiler or the printed texts has. Whether a name needs one follows from its form and from closed
lists, so that no header has to be read:

- keywords of C and C++, and macros in lower case;
- names that look like macros: two or more capitals and no lower-case letter (`NULL`, `M_PI`, `INT_MAX`), `I`, and the
  few forms of macros with lower-case letters (`M_PIf`, `L_tmpnam`, `cudaStreamDefault`). Other names of headers do not
  matter inside a function: a local name hides functions, types and variables, and a macro with parameters (`signbit`,
  `assert`) is not expanded unless a bracket follows;
- names that the printed texts use themselves: each language has its list. Helper functions and vector types have names
  of a special form (`max_f32`, `f32x8_u`), integer types end in `_t`, and internal names begin with `shine_` or `sim_`.

An exported function can also clash with declarations of headers and with linked functions: see `exported` in
`shine.targets.c.names`.
"""

from __future__ import annotations

import re
from collections.abc import Container
from typing import Final

#: C11 and C23, C++20, and the macros of their headers and compilers in lower case
_KEYWORDS: Final = """
alignas alignof and and_eq asm auto bitand bitor bool break case catch char char16_t char32_t char8_t class co_await
co_return co_yield compl complex concept const const_cast consteval constexpr constinit continue decltype default
delete do double dynamic_cast else enum errno explicit export extern false final float for friend goto i386 if
imaginary import inline int linux long main math_errhandling module mutable namespace new noexcept noreturn not not_eq
nullptr operator or or_eq override private protected public register reinterpret_cast requires restrict return short
signed sizeof static static_assert static_cast stderr stdin stdout struct switch template this thread_local throw true
try typedef typeid typename typeof typeof_unqual union unix unsigned using virtual void volatile while xor xor_eq
"""
KEYWORDS: Final = frozenset(_KEYWORDS.split())
_WORD: Final = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_OTHER: Final = re.compile(r"[^A-Za-z0-9_]+")
_HELPER: Final = re.compile(
    r".*_(bool|bf16|f8e[45]m[23]|[iuf](8|16|32|64))(x\d+)?(_[ua])?$|^(bool|bf16|f8e[45]m[23]|[iuf](8|16|32|64))(x\d+)(_[ua])?$"
)
_OURS: Final = re.compile(r"(shine|sim|SIM)_.*|.*_t$")
_MACRO: Final = re.compile(r"[^a-z]*[A-Z][^a-z]*[A-Z][^a-z]*|I|(L|M|NV|P)_\w*[A-Za-z]\w*|cuda[A-Z]\w*")


def as_word(name: str) -> str:
    """A name of letters, digits and underscores that begins with a letter.

    >>> as_word("x'"), as_word("1st"), as_word("__a"), as_word("λ")
    ('x_', 'v1st', 'v__a', 'v_')
    """
    plain = _OTHER.sub("_", name)
    return plain if _WORD.fullmatch(plain) else f"v{plain}"


def identifier(name: str, words: Container[str] = ()) -> str:
    """An identifier for use inside a function of a text that itself uses `words`. See Note [Identifiers].

    >>> identifier("x"), identifier("N"), identifier("signbit"), identifier("M_PI"), identifier("float")
    ('x', 'N', 'signbit', 'M_PI_', 'float_')
    >>> identifier("max_f32"), identifier("size_t"), identifier("free", {"free"})
    ('max_f32_', 'size_t_', 'free_')
    """
    plain = as_word(name)
    return plain if is_free(plain, words) else f"{plain}_"


def is_free(word: str, words: Container[str] = ()) -> bool:
    """Whether a word is unused inside a function of a text that itself uses `words`.

    >>> is_free("x"), is_free("M_PI"), is_free("float_")
    (True, False, True)
    """
    return word.endswith("_") or not (is_said(word, words) or _MACRO.fullmatch(word))


def is_said(name: str, words: Container[str] = ()) -> bool:
    """Whether a language or a printed text uses a name; macros of headers do not count.

    >>> is_said("float"), is_said("load_f32x4"), is_said("blend")
    (True, True, False)
    """
    return name in KEYWORDS or name in words or any(form.fullmatch(name) for form in (_HELPER, _OURS))
