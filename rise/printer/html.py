"""Texts of programs and types as HTML, for notebooks. Knows the words of the language, and no terms."""

from __future__ import annotations

import re
from typing import Final

from rise.scalars import SCALARS

#: characters of a text that are shown
LONGEST: Final = 20_000
_STYLES: Final = {
    "word": "color:#a626a4",
    "type": "color:#0184bc",
    "number": "color:#986801",
    "comment": "color:#888",
}
_TOKEN: Final = re.compile(
    r"(?P<comment>//[^\n]*)"
    r"|(?P<word>\b(?:val|fun|if|then|else|where|true|false|inf|nan)\b)"
    rf"|(?P<type>\b(?:{'|'.join(SCALARS)}|nat|space|idx|vec|Fragment)\b)"
    r"|(?P<number>(?<![\w'])[0-9]+(?:\.[0-9]+)?(?:e-?[0-9]+)?\w*)"
)


def html_of(text: str) -> str:
    """The text with its words, types and numbers in colours.

    >>> html_of("x: f32 => x")
    '<pre>x: <span style="color:#0184bc">f32</span> =&gt; x</pre>'
    """
    shown = text[:LONGEST]
    rest = "" if len(text) <= LONGEST else f"\n... ({len(text)} characters)"
    pieces: list[str] = []
    end = 0
    for found in _TOKEN.finditer(shown):
        style = _STYLES[found.lastgroup or "word"]
        pieces += [escaped(shown[end : found.start()]), f'<span style="{style}">{escaped(found[0])}</span>']
        end = found.end()
    pieces += [escaped(shown[end:]), rest]
    return f"<pre>{''.join(pieces)}</pre>"


def escaped(text: str) -> str:
    """The text without marks of HTML."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")
