"""Finds uninitialised local arrays and fragments, and registers them with the runtime.

Matches braces, but does not parse C++.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Set

_DIRECTIVE = re.compile(r"^[ \t]*#(?:[^\n\\]|\\.|\\\n)*", re.MULTILINE)
_ALIGNMENT = re.compile(
    r"\b(?:__align__|__builtin_align__|alignas|__attribute__)\s*\((?:[^()]|\([^()]*\))*\)"
)
_TYPE = re.compile(
    r"\b(?:struct|class|union|enum|namespace)\b(?:.*[^)\s])?\s*$|\bextern\s*$|=\s*$", re.DOTALL
)
_SWITCH = re.compile(r"\bswitch\s*\(")
_DECLARATION = re.compile(
    r"\s*((?:[A-Za-z_][\w:]*(?:\s*<[^;{}]*>)?(?:\s+|\s*[*&]+\s*))+)(\w+\s*(?:[\[,][^;{}]*)?)", re.DOTALL
)
_ARRAY = re.compile(r"\s*\*?\s*(\w+)\s*(?:\[[^\]=]*\]\s*)+")
_FRAGMENT = re.compile(r"\bfragment\s*<")
_ALIAS = re.compile(
    r"\busing\s+(\w+)\s*=[^;]*\bfragment\s*<|\btypedef\b[^;]*\bfragment\s*<[^;]*>\s*(\w+)\s*;"
)
_OTHER_STATEMENT = re.compile(
    r"\b(?:return|typedef|using|extern|static|constexpr|goto|case|default|else|delete|new|throw|template|friend"
    r"|__shared__|__constant__|__device__|thread_local)\b"
)


def track_local_arrays(source: str, clean: str) -> str:
    """The text with a mark after each local array or fragment that is declared without initialiser, on the same line.

    `clean` is the text without comments and literals, of the same length.

    >>> text = "void f() { float a[4], b = 0; int c[] = {1}; { T d[2][2]; } a[3]; } struct S { int e[3]; };"
    >>> print(track_local_arrays(text, text).split(" } a")[0])
    void f() { float a[4], b = 0; SIM_LOCAL(a) int c[] = {1}; { T d[2][2]; SIM_LOCAL(d)
    >>> text = "using A = fragment<a, 8>; void f() { A x; fragment<b, 8> y[2], z; float w; A &u = x; }"
    >>> re.findall(r"SIM_LOCAL.(\\w+)", track_local_arrays(text, text))
    ['x', 'y', 'z']
    >>> text = "void f() { union { T v; float f[4]; } u; float g[4]; }"
    >>> re.findall(r"SIM_LOCAL.(\\w+)", track_local_arrays(text, text))
    ['g']
    """
    clean = _DIRECTIVE.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), clean)
    parts, end = [], 0
    aliases = {name for match in _ALIAS.finditer(clean) for name in match.groups() if name}
    for position, names in _declarations(clean, aliases):
        parts += [source[end:position], *(f" SIM_LOCAL({name})" for name in names)]
        end = position
    return "".join([*parts, source[end:]])


def _declarations(clean: str, aliases: Set[str]) -> Iterator[tuple[int, list[str]]]:
    """Where declarations of local arrays and fragments end, and their names; `aliases` name types of fragments."""
    scopes = [False]  # for each open brace, whether declarations there are local variables
    depths = []
    depth = start = 0
    for match in re.finditer(r"[;{}()]", clean):
        head = clean[start : match.start()]
        match match[0]:
            case "(":
                depth += 1
            case ")":
                depth -= 1
            case "{":
                head = _ALIGNMENT.sub("", head)
                is_other = _TYPE.search(head) is not None or _SWITCH.search(head) is not None
                scopes.append((scopes[-1] or ")" in head) and not is_other)
                depths.append(depth)
                depth, start = 0, match.end()
            case "}":
                if depths:
                    scopes.pop()
                    depth = depths.pop()
                start = match.end()
            case _ if depth == 0:
                names = _names(head, aliases) if scopes[-1] else []
                if names:
                    yield match.end(), names
                start = match.end()


def _names(statement: str, aliases: Set[str]) -> list[str]:
    """The arrays and fragments that a statement declares without initial values."""
    found = _DECLARATION.fullmatch(statement)
    if found is None or _OTHER_STATEMENT.search(found[1]):
        return []
    declared = re.split(r",(?![^\[]*\])(?![^<]*>)", found[2])
    has_fragments = _FRAGMENT.search(found[1]) is not None or bool(
        aliases & set(re.findall(r"\w+", found[1]))
    )
    if has_fragments and not set("*&") & set(found[1]):
        return [part.split("[")[0].strip() for part in declared]
    return [match[1] for part in declared if (match := _ARRAY.fullmatch(part))]
