"""Finds the place of a mistake in a Python file. Depends on frames and sources, but not on terms."""

from __future__ import annotations

import linecache
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from os import path, sep
from types import CodeType, FrameType
from typing import Any, Final, NoReturn

from rise.diagnostics import Diagnostic, Label, RiseError
from rise.records import dataclass

MOST_PLACES: Final = 4  # that a diagnostic lists
_ROOT: Final = path.dirname(path.dirname(path.dirname(__file__)))
#: the packages that call functions of users, and are called by them
_OURS: Final = tuple(path.join(_ROOT, package) + sep for package in ("rise", "shine"))
_NUMPY: Final = f"{sep}numpy{sep}"
_ASSIGNED: Final = re.compile(r"\s*([A-Za-z_][A-Za-z0-9_]*)\s*(?::[^=]*)?=\s*")
#: `x[i] = v`, `x[i] += v` and `x += v`
_ELEMENTS: Final = re.compile(
    r"([A-Za-z_][A-Za-z0-9_]*)(?:\[.*\]\s*=|(?:\[.*\])?\s*(?:[-+*/@%&|^]|//|\*\*|<<|>>)=)[^=].*", re.S
)


@dataclass(frozen=True, slots=True)
class Place:
    """A part of a line of a Python file: lines count from 1, columns from 0 in bytes of UTF-8."""

    file: str
    line: int
    start: int = 0
    end: int | None = None

    @property
    def assigned(self) -> str:
        """The name to which the line assigns this expression, or the name of the array to whose elements it does, or
        "".
        """
        line = linecache.getline(self.file, self.line)
        before, here, after = (
            line[: self.start],
            line[self.start : self.end],
            line[self.end :] if self.end else "",
        )
        if not before.strip() and (match := _ELEMENTS.fullmatch(here + after.rstrip())):
            return match[1]
        match = _ASSIGNED.fullmatch(before)
        return match[1] if match and not after.strip() else ""


def here() -> Place:
    """The user's expression that is being evaluated: the innermost one outside this package."""
    frame = _users()
    if frame is None:
        return Place("", 0)
    return _place(frame.f_code, frame.f_lineno, frame.f_lasti)


def _place(code: CodeType, number: int, instruction: int) -> Place:
    positions = _positions(code, code.co_filename)
    line, last, start, end = positions[instruction // 2] if instruction < 2 * len(positions) else (None,) * 4
    is_known = line == number and start is not None
    return Place(code.co_filename, number, (start or 0) if is_known else 0, end if line == last else None)


@lru_cache(maxsize=1 << 8)
def _positions(code: CodeType, file: str) -> Sequence[tuple[int | None, int | None, int | None, int | None]]:
    """The positions of the instructions of a code in a file: codes of different files may be equal."""
    return tuple(code.co_positions())


def calls_of(error: BaseException) -> list[tuple[str, Place]]:
    """The calls of the user's functions in an error's traceback, outermost first, as names and places."""
    calls: list[tuple[str, Place]] = []
    step = error.__traceback__
    while step is not None:
        code = step.tb_frame.f_code
        if not _is_ours(code.co_filename):
            calls.append((code.co_name, _place(code, step.tb_lineno, step.tb_lasti)))
        step = step.tb_next
    return calls


def names_here() -> Mapping[str, Any]:
    """The local variables at the place where a user calls this package."""
    frame = _users()
    return {} if frame is None else frame.f_locals


def or_source(hint: str) -> str:
    """The hint; if the source of the user's function cannot be found, a hint that loops and branches need it."""
    if linecache.getlines(here().file):
        return hint
    return "loops and branches are read from the source, which cannot be found: define the function in a file"


def _users() -> FrameType | None:
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        if not _is_ours(frame.f_code.co_filename):
            return frame
        frame = frame.f_back
    return None


@lru_cache(maxsize=1 << 10)
def _is_ours(file: str) -> bool:
    return file.startswith(_OURS) or _NUMPY in file


def parameter(function: Callable[..., Any], name: str) -> Place:
    """The place of a function's parameter; for `""`, the place of its definition."""
    code: CodeType | None = getattr(function, "__code__", None)
    if code is None:
        return Place("", 0)
    definition = r"\blambda\b" if code.co_name == "<lambda>" else r"\s*def\s+(\w+)"
    pattern = re.compile(rf"\b{re.escape(name)}\b\s*(?::\s*[^,)]*)?" if name else definition)
    for line in range(code.co_firstlineno, code.co_firstlineno + 50):
        text = linecache.getline(code.co_filename, line)
        match = pattern.search(text, text.find("(") + 1 if name and "def " in text else 0)
        if match and not (name and text.lstrip().startswith("@")):
            return Place(code.co_filename, line, *(_bytes(text, column) for column in match.span()))
    return Place(code.co_filename, code.co_firstlineno)


def at_definition(error: RiseError, function: Callable[..., Any]) -> RiseError:
    """A mistake in the results of a function, which no line of it computes, at the function's definition."""
    found = error.diagnostic
    plain = Diagnostic(found.code, found.title, hint=found.hint, notes=found.notes)
    outside = located(plain, here())
    if type(error) is not RiseError or (found.file, found.labels) != (outside.file, outside.labels):
        return error
    return RiseError(located(plain, parameter(function, "")))


def refuse(code: str, title: str, hint: str, said: str = "", at: Place | None = None) -> NoReturn:
    """Raise the diagnostic of a mistake in a Python function, with the place in its file."""
    raise RiseError(located(Diagnostic(code, title, hint=hint), at or here(), said))


def located(diagnostic: Diagnostic, at: Place, said: str = "") -> Diagnostic:
    """The diagnostic with a label at a place in a Python file."""
    lines = linecache.getlines(at.file)
    if not 0 < at.line <= len(lines):
        label: tuple[Label, ...] = ()
        source = ""
    else:
        source = "".join(lines)
        before = sum(map(len, lines[: at.line - 1]))
        text = lines[at.line - 1].rstrip("\n")
        start = max(_characters(text, at.start), len(text) - len(text.lstrip()))
        end = len(text) if at.end is None else _characters(text, at.end)
        label = (Label(before + start, before + max(end, start + 1), said),)
    notes = diagnostic.notes
    return Diagnostic(diagnostic.code, diagnostic.title, label, diagnostic.hint, notes, source, at.file)


def at_one_of(diagnostic: Diagnostic, places: Sequence[Place]) -> Diagnostic:
    """The diagnostic with a label at a place in a Python file; if there are several candidates, with a note of their
    lines.
    """
    if diagnostic.labels or not places:
        return diagnostic
    if len(places) == 1:
        return located(diagnostic, places[0])
    shown = [f"{path.basename(one.file)}:{one.line}: `{_text(one)}`" for one in places[:MOST_PLACES]]
    more = [f"{len(places) - MOST_PLACES} more places"] if len(places) > MOST_PLACES else []
    return replace(diagnostic, notes=(f"at one of {', '.join([*shown, *more])}", *diagnostic.notes))


def _text(place: Place) -> str:
    """The expression at a place."""
    line = linecache.getline(place.file, place.line).rstrip("\n")
    return line[
        _characters(line, place.start) : None if place.end is None else _characters(line, place.end)
    ].strip()


def _bytes(text: str, column: int) -> int:
    return len(text[:column].encode())


def _characters(text: str, column: int) -> int:
    return len(text.encode()[:column].decode(errors="ignore"))
