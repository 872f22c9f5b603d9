"""Diagnostics: what a user is told about a mistake, as a value. Knows no grammar and no types.

A diagnostic says the fact, shows the place in the source, and names the next action:

    error[size-mismatch]: 12 is not a multiple of 5
      2 |   xs |> split 5 |> join
        |         ^^^^^^^ m*5 must equal 12
    hint: split by a divisor of 12, or `padEmpty 3` first
"""

from __future__ import annotations

import difflib
import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

WIDEST_LINE: Final = 110  # characters of a source line that are shown
BEFORE: Final = 40  # of these before a label, where a line is clipped
CLIPPED: Final = "..."
LONGEST_WORD: Final = 60  # characters of a quoted fragment
TAB: Final = 4
MOST_BITS: Final = 128  # of an integer that is written out
UNITS: Final = ("bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB")

_LINE_END = re.compile(r"\r\n|\r|\n")
_HIDDEN = frozenset({"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp"})  # controls, formats, surrogates, separators


@dataclass(frozen=True, slots=True)
class Label:
    """A place in the source, offsets `start` to `end`, and what is to be said about it."""

    start: int
    end: int
    text: str = ""


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One mistake: `code` names its kind, `title` states the fact, `hint` the next action.

    Labels point into `source`; without it nothing of the source is shown. `file` may be empty.
    """

    code: str
    title: str
    labels: tuple[Label, ...] = ()
    hint: str = ""
    notes: tuple[str, ...] = ()
    source: str = ""
    file: str = ""

    def render(self) -> str:
        """Say it as text: the title, every label under its source line, the notes, the hint."""
        shown = [f"error[{self.code}]: {printable(self.title)}"]
        if self.file:
            shown.append(f" --> {printable(self.file)}{self._position()}")
        if self.source or self.labels:
            shown += _excerpts(self.source, self.labels)
        shown += [f"note: {printable(note)}" for note in self.notes]
        if self.hint:
            shown.append(f"hint: {printable(self.hint)}")
        return "\n".join(shown)

    def to_dict(self) -> dict[str, Any]:
        """The same as plain values, for JSON. Lines and columns count from 1, offsets from 0."""
        lines = Lines(self.source)
        labels: list[dict[str, Any]] = []
        for label in self.labels:
            line, column = lines.position(label.start)
            place = {"start": label.start, "end": label.end, "line": line, "column": column}
            labels.append({**place, "text": label.text})
        return {
            "severity": "error",
            "code": self.code,
            "title": self.title,
            "file": self.file,
            "labels": labels,
            "notes": list(self.notes),
            "hint": self.hint,
        }

    def _position(self) -> str:
        if not self.labels:
            return ""
        line, column = Lines(self.source).position(self.labels[0].start)
        return f":{line}:{column}"


class RiseError(Exception):
    """A mistake that a user can make and mend; `diagnostic` says which and how."""

    def __init__(self, diagnostic: Diagnostic) -> None:
        super().__init__(diagnostic)
        self.diagnostic = diagnostic

    def __str__(self) -> str:
        return self.diagnostic.render()


class Lines:
    """Where the lines of a text begin and end; `\\n`, `\\r\\n` and `\\r` end a line."""

    __slots__ = ("ends", "length", "starts")

    def __init__(self, text: str) -> None:
        breaks = list(_LINE_END.finditer(text))
        self.length = len(text)
        self.starts = [0, *(one.end() for one in breaks)]
        self.ends = [*(one.start() for one in breaks), len(text)]

    def line_of(self, offset: int) -> int:
        """The index of the line that holds an offset, from 0."""
        offset = min(max(offset, 0), self.length)
        low, high = 0, len(self.starts)
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if self.starts[middle] <= offset else (low, middle)
        return low

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column of an offset, both from 1."""
        line = self.line_of(offset)
        return line + 1, min(max(offset, 0), self.length) - self.starts[line] + 1


def did_you_mean(name: str, candidates: Iterable[str]) -> str:
    """A hint that names the candidates closest to a misspelt name, or "" if none is close.

    >>> did_you_mean("mapSec", ["map", "mapSeq", "reduce"])
    'did you mean `mapSeq` or `map`?'
    """
    known = sorted(set(candidates))
    same = [one for one in known if one.lower() == name.lower() and one != name]
    close = same or difflib.get_close_matches(name[:LONGEST_WORD], known, n=3, cutoff=0.6)
    *others, last = [f"`{printable(one)}`" for one in close] or [""]
    return f"did you mean {', '.join(others)}{' or ' if others else ''}{last}?" if last else ""


def quoted(fragment: str) -> str:
    """A fragment of the source in backquotes, clipped, with hidden characters made visible."""
    clipped = fragment if len(fragment) <= LONGEST_WORD else fragment[: LONGEST_WORD - 3] + CLIPPED
    return f"`{''.join(visible(one) for one in clipped)}`"


def number_text(number: int) -> str:
    """An integer as a message shows it: large powers of two as such, and not all digits of very large numbers.

    >>> number_text(2**63), number_text(1000), number_text(-(10**50))
    ('2^63', '1000', 'less than -2^166')
    """
    power = abs(number).bit_length() - 1
    if number > 1 << 30 and number == 1 << power:
        return f"2^{power}"
    if power < MOST_BITS:
        return str(number)
    return f"more than 2^{power}" if number > 0 else f"less than -2^{power}"


def bytes_text(count: int) -> str:
    """A number of bytes.

    >>> bytes_text(100), bytes_text(3 << 40)
    ('100 bytes', '3298534883328 bytes (3 TiB)')
    """
    rank = min(max(count.bit_length() - 1, 0) // 10, len(UNITS) - 1)
    return f"{count} bytes" + (f" ({count / (1 << 10 * rank):.4g} {UNITS[rank]})" if rank else "")


def printable(text: str) -> str:
    """The text with hidden characters made visible; line ends stay."""
    return text if text.isprintable() else "".join(one if one == "\n" else visible(one) for one in text)


def visible(character: str) -> str:
    """A character as it may be shown anywhere: hidden ones as their escapes, as `\\x1b`."""
    category = unicodedata.category(character)
    if category not in _HIDDEN and (category != "Zs" or character == " "):
        return character
    return character.encode("unicode_escape", "backslashreplace").decode("ascii")


def width(shown: str) -> int:
    """How many cells of a terminal a visible text takes: combining marks none, wide characters two."""
    if shown.isascii():
        return len(shown)
    return sum(
        0
        if unicodedata.category(one) in ("Mn", "Me")
        else 2
        if unicodedata.east_asian_width(one) in "WF"
        else 1
        for one in shown
    )


def _excerpts(source: str, labels: tuple[Label, ...]) -> list[str]:
    """The labelled lines in order, each under its line number, carets and text below."""
    lines = Lines(source)
    placed = sorted(labels, key=lambda one: (one.start, one.end))
    gutter = max((len(str(lines.line_of(one.start) + 1)) for one in placed), default=1)
    shown: list[str] = []
    before: tuple[int, int, int] | None = None
    for label in placed:
        number = lines.line_of(label.start)
        start, end = lines.starts[number], lines.ends[number]
        at = min(max(label.start, start), end)
        until = min(max(label.end, at), end)
        window = _window(start, end, at)
        left = CLIPPED if window[0] > start else ""
        if before != (number, *window):
            right = CLIPPED if window[1] < end else ""
            code = _cells(source[window[0] : window[1]])
            shown.append(f"  {number + 1:>{gutter}} | {left}{code}{right}".rstrip())
            before = (number, *window)
        indent = width(left + _cells(source[window[0] : at]))
        extent = width(_cells(source[window[0] : min(until, window[1])])) + len(left) - indent
        carets = " " * indent + "^" * max(extent, 1)
        text = printable(label.text).replace("\n", " ")
        shown.append(f"  {'':>{gutter}} | {carets} {text}".rstrip())
    return shown


def _window(start: int, end: int, at: int) -> tuple[int, int]:
    """The part of a line from `start` to `end` that is shown around `at`."""
    if end - start <= WIDEST_LINE:
        return start, end
    begin = max(min(at - BEFORE, end - WIDEST_LINE), start)
    return begin, min(begin + WIDEST_LINE, end)


def _cells(code: str) -> str:
    """Source as it is shown: tabs as spaces, hidden characters as their escapes."""
    if code.isprintable():
        return code
    shown: list[str] = []
    column = 0
    for one in code:
        cell = " " * (TAB - column % TAB) if one == "\t" else visible(one)
        column += width(cell)
        shown.append(cell)
    return "".join(shown)
