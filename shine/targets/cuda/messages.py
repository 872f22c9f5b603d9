"""Parses the messages of CUDA compilers and their places in a text. Independent of compiler options and diagnostics."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import PurePath
from typing import Final, Literal, TypeAlias

from rise.diagnostics import Lines
from rise.records import dataclass

#: the name of a text in messages
FILE: Final = "kernel.cu"
Severity: TypeAlias = Literal["error", "warning"]

_FRONT: Final = re.compile(
    r"(?P<file>[^()\n]+)\((?P<line>\d+)\): (?:catastrophic )?(?P<severity>error|warning)[^:]*: (?P<message>.*)"
)
_USER: Final = re.compile(r" at line (\d+) of \S*" + re.escape(FILE))
_ASSEMBLER: Final = re.compile(
    r"ptxas\s+(?:.*?, line (?P<line>\d+)\s*; )?(?P<severity>fatal|error|warning|info)\s*: (?P<message>.*)"
)
#: messages of the assembler about warpgroup products that are serialised or do not fit: always errors
_SERIOUS: Final = re.compile(r"\(C7[56]\d\d\)")
_AROUND: Final = re.compile(r" around line (\d+)")
_FUNCTION: Final = re.compile(r"\b[Ff]unction '(\w+)'")
_DRIVER: Final = re.compile(r"(?:nvcc|nvrtc)(?: fatal *|): (?:error: )?(?P<message>.*)")
_LOCATION: Final = re.compile(r"\s*\.loc\s+(\d+)\s+(\d+)\s+(\d+)")
_INLINED: Final = re.compile(r"inlined_at\s+(\d+)\s+(\d+)\s+(\d+)")
_NAMED: Final = re.compile(r'\s*\.file\s+(\d+)\s+"(.*?)"')


@dataclass(frozen=True, slots=True)
class Complaint:
    """A message about a text: line and column are counted from 1, and 0 where they are unknown."""

    line: int
    column: int
    message: str
    severity: Severity = "error"


def read_complaints(log: str, source: str, assembly: Callable[[], str]) -> tuple[Complaint, ...]:
    """The messages in a log, in order. Those of the assembler refer to lines of the PTX, `assembly()`, which is called
    only if needed.
    """
    lines = log.splitlines()
    written = source.splitlines()
    places: dict[int, int] = {}
    complaints: list[Complaint] = []
    for number, text in enumerate(lines):
        if match := _FRONT.fullmatch(text):
            complaints.append(_front(match, lines[number + 1 :], written))
        elif match := _ASSEMBLER.fullmatch(text):
            severity, message = match["severity"], match["message"].strip()
            is_serious = _SERIOUS.search(message) is not None
            if severity == "info" and not is_serious:
                continue
            assembly_line = match["line"] or (around[1] if (around := _AROUND.search(message)) else None)
            if assembly_line and not places:
                places = dict(enumerate(places_of(assembly()), 1))
            line, column = (places.get(int(assembly_line), 0), 0) if assembly_line else (0, 0)
            if not line and (owner := _FUNCTION.search(message)):
                line, column = place_of_kernel(owner[1], source)
            final_severity: Severity = "warning" if severity == "warning" and not is_serious else "error"
            complaints.append(Complaint(line, column, message, final_severity))
        elif match := _DRIVER.fullmatch(text):
            complaints.append(Complaint(0, 0, match["message"].strip()))
    return tuple(complaints)


def place_of_kernel(name: str, source: str) -> tuple[int, int]:
    """Line and column of a kernel's name in its definition; zeros if there is none."""
    defined = re.search(rf"__global__[^;{{}}]*?\b({re.escape(name)})\s*\(", source)
    return Lines(source).position(defined.start(1)) if defined else (0, 0)


def places_of(assembly: str) -> list[int]:
    """For each line of PTX, the line of the text that it was compiled from, or 0."""
    own: set[str] = set()
    lines = assembly.splitlines()
    for text in lines:
        if (named := _NAMED.match(text)) and PurePath(named[2]).name == FILE:
            own.add(named[1])
    source_lines: list[int] = []
    current = 0
    for text in lines:
        if place := _LOCATION.match(text):
            chain = [place.groups(), *(inlined.groups() for inlined in _INLINED.finditer(text))]
            current = next((int(line) for file, line, _ in chain if file in own), current)
        source_lines.append(current)
    return source_lines


def _front(match: re.Match[str], after: Sequence[str], written: Sequence[str]) -> Complaint:
    """A message of the C++ front end, which is followed by the source line and a caret."""
    severity: Severity = "warning" if match["severity"] == "warning" else "error"
    line, message = int(match["line"]), match["message"].strip()
    if PurePath(match["file"]).name != FILE:
        message_text = f"{PurePath(match['file']).name}:{line}: {message}"
        user = next((match_in_text for text in after[:12] if (match_in_text := _USER.search(text))), None)
        return Complaint(int(user[1]) if user else 0, 0, message_text, severity)
    column = 0
    if 1 <= line <= len(written) and len(after) > 1 and after[1].strip() == "^":
        own, message_text = written[line - 1], after[0]
        start = own.find(message_text.strip())
        if start >= 0:
            column = start + after[1].index("^") - (len(message_text) - len(message_text.lstrip())) + 1
    return Complaint(line, column, message, severity)
