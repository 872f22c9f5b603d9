"""The texts of foreign functions in C and similar languages, which are printed before a program that calls them.

Independent of programs. A text that several functions share is printed once. Its macros are undefined after it, and for
each function a check follows that the text defines it with the type that the program declares.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from rise.diagnostics import Diagnostic, RiseError
from rise.programs.foreign import Foreign, numbers_of
from shine.imperative.calls import matrices_of
from shine.imperative.identifiers import as_word, is_said
from shine.imperative.nodes import For
from shine.targets.c.dialect import Dialect
from shine.targets.c.expressions import Place, element_text, index_text
from shine.targets.c.helpers import Helpers
from shine.targets.c.library import MACROS
from shine.targets.c.names import RESERVED

_CONTINUED: Final = re.compile(r"\\[ \t]*\r?\n|/\*.*?\*/", re.DOTALL)
_DEFINED: Final = re.compile(r"^[ \t]*(?:#|%:)[ \t]*(?:define|undef)[ \t]+([A-Za-z_]\w*)", re.MULTILINE)
_SAME_TYPE = """template <class A, class B> struct same_type {
  static constexpr bool value = false;
};
template <class A> struct same_type<A, A> {
  static constexpr bool value = true;
};"""


def foreign_texts(
    functions: Sequence[Foreign], helpers: Helpers, reserved: frozenset[str] = RESERVED
) -> list[str]:
    """The declarations that calls need. Raises RiseError if a text is missing or a name is already in use."""
    dialect = helpers.dialect
    texts: dict[str, None] = {}
    for foreign in functions:
        if as_word(foreign.name) != foreign.name or is_said(foreign.name, reserved) or foreign.name in MACROS:
            title = f"expected a foreign function that {dialect.language} can name, found `{foreign.name}`"
            hint = "rename it: the language or the compiler already uses this name"
            raise RiseError(Diagnostic("foreign-name", title, hint=hint))
        text = foreign.c if dialect.language == "C" else foreign.cuda
        if text is None:
            part = "c" if dialect.language == "C" else "cuda"
            title = f"expected {dialect.language} source of the foreign function `{foreign.name}`, found none"
            hint = f"pass it: rise.Foreign(..., {part}=...)"
            raise RiseError(Diagnostic("foreign-text", title, hint=hint))
        for t in (*foreign.signature, *map(numbers_of, foreign.arrays_read)):
            helpers.element(t.name)
        texts[_apart(text.strip("\n"), dialect)] = None
    if not functions:
        return []
    return [*texts, "\n".join(_tests(functions, dialect))]


def _apart(text: str, dialect: Dialect) -> str:
    """A text whose macros are restored after it, so that they do not affect later texts."""
    macros = dict.fromkeys(_DEFINED.findall(_CONTINUED.sub(" ", text)))
    if not macros:
        return text
    before = [f'#pragma push_macro("{name}")' for name in macros]
    after = [f'#pragma pop_macro("{name}")' for name in macros]
    if dialect.language != "C":  # NVRTC lacks these pragmas, and defines few macros
        before = ["#ifndef __CUDACC_RTC__", *before, "#endif"]
        forgotten = [f"#undef {name}" for name in macros]
        after = ["#ifdef __CUDACC_RTC__", *forgotten, "#else", *after, "#endif"]
    return "\n".join([*before, text, *after])


def _tests(functions: Sequence[Foreign], dialect: Dialect) -> list[str]:
    tests: list[str] = [] if dialect.language == "C" else [_SAME_TYPE]
    for foreign in functions:
        *takes, gives = (dialect.types[t.name] for t in foreign.signature)
        if foreign.array is not None:
            gives, takes = "void", _pointers(foreign, dialect)
        said = f'"expected the type of {foreign.text}"'
        if dialect.language == "C":
            pointer = f"{gives} (*)({', '.join(takes)})"
            tests.append(f"_Static_assert(_Generic(&{foreign.name}, {pointer}: 1, default: 0), {said});")
        else:
            if foreign.product is not None:
                left, right, sums = takes
                gives, takes = "void", [f"{sums}*", f"const {left}*", f"const {right}*"]
            function = f"{gives}({', '.join(takes)})"
            tests.append(f"static_assert(same_type<decltype({foreign.name}), {function}>::value, {said});")
    return tests


def _pointers(one: Foreign, dialect: Dialect) -> list[str]:
    """The parameters of code for an array: a pointer and the distance of rows, for the result and each array read."""
    types = [dialect.types[numbers_of(t).name] for t in one.arrays_read]
    constant = [f"const {c}*" for c in types]
    pointers = [f"{dialect.types[one.signature[-1].name]}*", *constant]
    return [part for pointer in pointers for part in (pointer, "int")]


def call_of(loop: For, place: Place) -> str:
    """The call of the foreign function that does what a loop does."""
    assert loop.code is not None, loop
    arguments = [
        text
        for matrix in matrices_of(loop)
        for text in (
            f"&{element_text(matrix.buffer, matrix.index, place)}",
            index_text(matrix.stride, place).code,
        )
    ]
    return f"{loop.code.name}({', '.join(arguments)});"
