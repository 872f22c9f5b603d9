"""Displays program text and types as HTML, for notebooks. Depends on the keywords of the language, but not on terms."""

from __future__ import annotations

import re
from typing import Final

from rise.scalars import SCALARS

#: that are shown of a text
MAX_CHARACTERS: Final = 20_000
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
    shown = text[:MAX_CHARACTERS]
    rest = "" if len(text) <= MAX_CHARACTERS else f"\n... ({len(text)} characters)"
    pieces: list[str] = []
    end = 0
    for match in _TOKEN.finditer(shown):
        style = _STYLES[match.lastgroup or "word"]
        pieces += [escaped(shown[end : match.start()]), f'<span style="{style}">{escaped(match[0])}</span>']
        end = match.end()
    pieces += [escaped(shown[end:]), rest]
    return f"<pre>{''.join(pieces)}</pre>"


def escaped(text: str) -> str:
    """The text with HTML's special characters escaped."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")
