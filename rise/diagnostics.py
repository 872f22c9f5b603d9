"""Diagnostics: messages about users' mistakes, as values. Independent of the grammar and of types.

A diagnostic states the fact, shows the place in the source, and names the next action:

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
from typing import Any, Final

from rise.records import dataclass

MAX_LINE_CHARACTERS: Final = 110  # that are shown of a source line
CHARACTERS_BEFORE_LABEL: Final = 40  # that are shown before the label, if a line is clipped
ELLIPSIS: Final = "..."
MAX_FRAGMENT_CHARACTERS: Final = 60  # that are shown of a quoted fragment
TAB_WIDTH: Final = 4
MAX_PRINTED_BITS: Final = 128  # of integers that are printed in full
UNITS: Final = ("bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB")

_LINE_END = re.compile(r"\r\n|\r|\n")
_HIDDEN = frozenset({"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp"})  # controls, formats, surrogates, separators


class _Given:
    """The base of records that users build: for wrong fields, raises a RiseError in the user's line."""

    __slots__ = ()

    def __new__(cls, *fields: Any, **named: Any) -> Any:
        error = _wrong_fields(cls, fields, named)
        if error is not None:
            try:
                raise error
            except RiseError:  # a bare `raise` adds no frame of its own
                error.__traceback__ = None
                raise
        return object.__new__(cls)


@dataclass(frozen=True, slots=True)
class Label(_Given):
    """A place in the source, from offset `start` to `end`, with a text about it."""

    start: int
    end: int
    text: str = ""


@dataclass(frozen=True, slots=True)
class Diagnostic(_Given):
    """One mistake: `code` names its kind, `title` states the fact, `hint` the next action.

    Labels point into `source`; if it is empty, no source lines are shown. `file` may be empty.
    """

    code: str
    title: str
    labels: tuple[Label, ...] = ()
    hint: str = ""
    notes: tuple[str, ...] = ()
    source: str = ""
    file: str = ""

    def render(self) -> str:
        """The diagnostic as text: the title, every label under its source line, the notes, the hint."""
        lines = [f"error[{self.code}]: {printable(self.title)}"]
        if self.file:
            lines.append(f" --> {printable(self.file)}{self._position()}")
        if self.source or self.labels:
            lines += _excerpts(self.source, self.labels)
        lines += [f"note: {printable(note)}" for note in self.notes]
        if self.hint:
            lines.append(f"hint: {printable(self.hint)}")
        return "\n".join(lines)

    def to_dict(self) -> dict[str, Any]:
        """The diagnostic as plain values, for JSON. Lines and columns count from 1, offsets from 0."""
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
    """A mistake that a user can make and fix, described by `diagnostic`."""

    def __init__(self, diagnostic: Diagnostic) -> None:
        if not hasattr(diagnostic, "render"):
            error = _wrong_field("RiseError(diagnostic)", "diagnostic", diagnostic, "a Diagnostic")
            try:
                raise error
            except RiseError:
                error.__traceback__ = None
                raise
        super().__init__(diagnostic)
        self.diagnostic = diagnostic

    def __str__(self) -> str:
        return self.diagnostic.render()


#: for each field of the records above, in order: its name, its class, and for a tuple the class of its items
_FIELDS: Final[dict[str, tuple[tuple[str, type[Any], type[Any] | None], ...]]] = {
    "Label": (("start", int, None), ("end", int, None), ("text", str, None)),
    "Diagnostic": (
        ("code", str, None),
        ("title", str, None),
        ("labels", tuple, Label),
        ("hint", str, None),
        ("notes", tuple, str),
        ("source", str, None),
        ("file", str, None),
    ),
}


def described(value: object) -> str:
    """A value as messages show it, clipped, with its type."""
    text = repr(value)
    clipped = text if len(text) <= MAX_FRAGMENT_CHARACTERS else f"{text[:MAX_FRAGMENT_CHARACTERS]}..."
    return f"{clipped}, of type {type(value).__name__}"


def _wrong_fields(cls: type[Any], fields: tuple[Any, ...], named: dict[str, Any]) -> RiseError | None:
    """The error for the first wrong field of a record; None if all are right."""
    kind = "Label" if issubclass(cls, Label) else "Diagnostic"
    expected = _FIELDS[kind]
    given = dict(zip([name for name, _, _ in expected], fields, strict=False)) | named
    for name, wanted, item in expected:
        if name not in given:
            continue
        value = given[name]
        wrong = [value] if not isinstance(value, wanted) else []
        if item is not None and not wrong:
            wrong = [one for one in value if not isinstance(one, item)]
        if wrong:
            one = f"{'an' if wanted is int else 'a'} {wanted.__name__}"
            what = one if item is None else f"a tuple, each item a {item.__name__},"
            signature = f"{kind}({', '.join(name for name, _, _ in expected)})"
            return _wrong_field(signature, name, wrong[0], what)
    return None


def _wrong_field(signature: str, name: str, given: object, what: str) -> RiseError:
    title = f"expected {what} as `{name}` of {signature}, found {described(given)}"
    return RiseError(Diagnostic("wrong-field", title, hint=f"pass {what.rstrip(',')}"))


class Lines:
    """Where the lines of a text begin and end; `\\n`, `\\r\\n` and `\\r` end a line."""

    __slots__ = ("ends", "length", "starts")

    def __init__(self, text: str) -> None:
        breaks = list(_LINE_END.finditer(text))
        self.length = len(text)
        self.starts = [0, *(match.end() for match in breaks)]
        self.ends = [*(match.start() for match in breaks), len(text)]

    def line_of(self, offset: int) -> int:
        """The line that contains an offset, counted from 0."""
        offset = min(max(offset, 0), self.length)
        low, high = 0, len(self.starts)
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if self.starts[middle] <= offset else (low, middle)
        return low

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column of an offset, both counted from 1."""
        line = self.line_of(offset)
        return line + 1, min(max(offset, 0), self.length) - self.starts[line] + 1


def did_you_mean(name: str, candidates: Iterable[str]) -> str:
    """A hint that names the candidates closest to a misspelt name, or "" if none is close.

    >>> did_you_mean("mapSec", ["map", "mapSeq", "reduce"])
    'did you mean `mapSeq` or `map`?'
    """
    known = sorted(set(candidates))
    other_case = [candidate for candidate in known if candidate.lower() == name.lower() and candidate != name]
    close = other_case or difflib.get_close_matches(name[:MAX_FRAGMENT_CHARACTERS], known, n=3, cutoff=0.6)
    *others, last = [f"`{printable(candidate)}`" for candidate in close] or [""]
    return f"did you mean {', '.join(others)}{' or ' if others else ''}{last}?" if last else ""


def quoted(fragment: str) -> str:
    """A fragment of the source in backquotes, clipped, with hidden characters escaped."""
    is_long = len(fragment) > MAX_FRAGMENT_CHARACTERS
    clipped = fragment[: MAX_FRAGMENT_CHARACTERS - 3] + ELLIPSIS if is_long else fragment
    return f"`{''.join(map(visible, clipped))}`"


def number_text(number: int) -> str:
    """An integer for a message: large powers of two as powers, and very large numbers as bounds.

    >>> number_text(2**63), number_text(1000), number_text(-(10**50))
    ('2^63', '1000', 'less than -2^166')
    """
    power = abs(number).bit_length() - 1
    if number > 1 << 30 and number == 1 << power:
        return f"2^{power}"
    if power < MAX_PRINTED_BITS:
        return str(number)
    return f"more than 2^{power}" if number > 0 else f"less than -2^{power}"


def bytes_text(count: int) -> str:
    """A number of bytes, with its unit.

    >>> bytes_text(100), bytes_text(3 << 40)
    ('100 bytes', '3298534883328 bytes (3 TiB)')
    """
    rank = min(max(count.bit_length() - 1, 0) // 10, len(UNITS) - 1)
    return f"{count} bytes" + (f" ({count / (1 << 10 * rank):.4g} {UNITS[rank]})" if rank else "")


def printable(text: str) -> str:
    """The text with hidden characters escaped; line ends stay."""
    return text if text.isprintable() else "".join(c if c == "\n" else visible(c) for c in text)


def visible(character: str) -> str:
    """The character itself, or its escape if it is hidden, such as `\\x1b`."""
    category = unicodedata.category(character)
    if category not in _HIDDEN and (category != "Zs" or character == " "):
        return character
    return character.encode("unicode_escape", "backslashreplace").decode("ascii")


def width(shown: str) -> int:
    """The number of terminal cells that a visible text takes: none for combining marks, two for wide characters."""
    if shown.isascii():
        return len(shown)
    return sum(
        0
        if unicodedata.category(character) in ("Mn", "Me")
        else 2
        if unicodedata.east_asian_width(character) in "WF"
        else 1
        for character in shown
    )


def _excerpts(source: str, labels: tuple[Label, ...]) -> list[str]:
    """The labelled lines in order, each with its line number, carets and text below."""
    lines = Lines(source)
    placed = sorted(labels, key=lambda label: (label.start, label.end))
    gutter = max((len(str(lines.line_of(label.start) + 1)) for label in placed), default=1)
    excerpt: list[str] = []
    previous: tuple[int, int, int] | None = None
    for label in placed:
        line = lines.line_of(label.start)
        start, end = lines.starts[line], lines.ends[line]
        first = min(max(label.start, start), end)
        last = min(max(label.end, first), end)
        window = _window(start, end, first)
        left = ELLIPSIS if window[0] > start else ""
        if previous != (line, *window):
            right = ELLIPSIS if window[1] < end else ""
            code = _cells(source[window[0] : window[1]])
            excerpt.append(f"  {line + 1:>{gutter}} | {left}{code}{right}".rstrip())
            previous = (line, *window)
        indent = width(left + _cells(source[window[0] : first]))
        extent = width(_cells(source[window[0] : min(last, window[1])])) + len(left) - indent
        carets = " " * indent + "^" * max(extent, 1)
        text = printable(label.text).replace("\n", " ")
        excerpt.append(f"  {'':>{gutter}} | {carets} {text}".rstrip())
    return excerpt


def _window(start: int, end: int, offset: int) -> tuple[int, int]:
    """The part of the line from `start` to `end` that is shown around `offset`."""
    if end - start <= MAX_LINE_CHARACTERS:
        return start, end
    first = max(min(offset - CHARACTERS_BEFORE_LABEL, end - MAX_LINE_CHARACTERS), start)
    return first, min(first + MAX_LINE_CHARACTERS, end)


def _cells(code: str) -> str:
    """Source code for display: tabs as spaces, hidden characters as their escapes."""
    if code.isprintable():
        return code
    shown: list[str] = []
    column = 0
    for character in code:
        cell = " " * (TAB_WIDTH - column % TAB_WIDTH) if character == "\t" else visible(character)
        column += width(cell)
        shown.append(cell)
    return "".join(shown)
