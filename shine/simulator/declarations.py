"""Writes declarations of shared and constant memory in one order of words, as the simulator's macros need them.

CUDA accepts `__shared__` and `__constant__` anywhere among the words before a name, and `static` and `alignas` beside
them. Here they come first, since they stand for a declaration of their own and the beginning of another. Knows nothing
of types.
"""

from __future__ import annotations

import re
from typing import Final

from shine.simulator.text import without_noise

_DIRECTIVE = re.compile(r"^[ \t]*#(?:[^\n\\]|\\.|\\\n)*", re.MULTILINE)
_ALIGNMENT: Final = r"(?:alignas|__align__|__attribute__)\s*\((?:[^()]|\([^()]*\))*\)"
_BEFORE = re.compile(rf"(?:[\w\s]|::|<[^;{{}}()]*>|{_ALIGNMENT})*")
_MEMORY = re.compile(
    rf"\b(__shared__|__constant__)\b((?:\s+(?:static|extern|const|volatile|__device__|{_ALIGNMENT}))*)"
)
#: what does not begin a declaration of a variable that is no template
_OTHER = re.compile(r"\b(?:template|using|typedef|return)\b")
#: within directives, where a macro stands for the words
_IN_MACRO = re.compile(r"\bstatic(\s+)(?=__(?:shared|constant)__)")


def with_memory_first(source: str) -> str:
    """The text with `__shared__` or `__constant__` before the other words of each declaration; only `extern` stays
    before it. Lines keep their numbers.

    >>> with_memory_first("static alignas(16) __shared__ float s[4]; float __shared__ t[2];")
    '__shared__ __align__(16) float s[4]; __shared__ float t[2];'
    >>> with_memory_first("extern volatile __shared__ int d[]; const __constant__ int c = 1; __shared__ int e;")
    'extern __shared__ volatile int d[]; __constant__ const int c = 1; __shared__ int e;'
    >>> with_memory_first("template <class T> __constant__ T one = 1;")
    'template <class T> __constant__ T one = 1;'
    """
    clean = _DIRECTIVE.sub(lambda line: re.sub(r"[^\n]", " ", line[0]), without_noise(source))
    parts, end = [], 0
    for match in _MEMORY.finditer(clean):
        begin = max(clean.rfind(mark, 0, match.start()) for mark in ";{}") + 1
        before = clean[begin : match.start()]
        words = f"{before} {match[2]}"
        if not words.strip() or not _BEFORE.fullmatch(before) or _OTHER.search(before):
            continue
        lines = "\n" * words.lstrip().count("\n")
        linkage = "extern " if re.search(r"\bextern\b", words) else ""
        rest = re.sub(r"\b(?:static|extern)\b", " ", words)
        rest = " ".join(re.sub(r"\balignas\b", "__align__", rest).split())
        start = begin + len(before) - len(before.lstrip())
        parts += [source[end:start], f"{linkage}{match[1]} {rest}".rstrip(), lines]
        end = match.end()
    whole = "".join([*parts, source[end:]])
    return _DIRECTIVE.sub(lambda line: _IN_MACRO.sub(r"      \1", line[0]), whole)
