"""What compilers of CUDA say about a text: messages and their places. Knows no compiler's options, no diagnostics."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import Final, Literal, TypeAlias

from rise.diagnostics import Lines

#: how a text is called in messages
FILE: Final = "kernel.cu"
Severity: TypeAlias = Literal["error", "warning"]

_FRONT: Final = re.compile(
    r"(?P<file>[^()\n]+)\((?P<line>\d+)\): (?:catastrophic )?(?P<severity>error|warning)[^:]*: (?P<message>.*)"
)
_USER: Final = re.compile(r" at line (\d+) of \S*" + re.escape(FILE))
_ASSEMBLER: Final = re.compile(
    r"ptxas\s+(?:.*?, line (?P<line>\d+)\s*; )?(?P<severity>fatal|error|warning|info)\s*: (?P<message>.*)"
)
#: what the assembler did about products of warpgroups that are badly synchronised or do not fit: always a mistake
_SERIOUS: Final = re.compile(r"\(C7[56]\d\d\)")
_AROUND: Final = re.compile(r" around line (\d+)")
_FUNCTION: Final = re.compile(r"\b[Ff]unction '(\w+)'")
_DRIVER: Final = re.compile(r"(?:nvcc|nvrtc)(?: fatal *|): (?:error: )?(?P<message>.*)")
_LOCATION: Final = re.compile(r"\s*\.loc\s+(\d+)\s+(\d+)\s+(\d+)")
_INLINED: Final = re.compile(r"inlined_at\s+(\d+)\s+(\d+)\s+(\d+)")
_NAMED: Final = re.compile(r'\s*\.file\s+(\d+)\s+"(.*?)"')


@dataclass(frozen=True, slots=True)
class Complaint:
    """A message about a text: line and column count from 1, and are 0 where the compiler does not say."""

    line: int
    column: int
    message: str
    severity: Severity = "error"


def read_complaints(log: str, source: str, assembly: Callable[[], str]) -> tuple[Complaint, ...]:
    """The messages in a log, in order. The assembler speaks of lines of `assembly()`, which is asked for only then."""
    lines = log.splitlines()
    written = source.splitlines()
    places: dict[int, int] = {}
    found: list[Complaint] = []
    for at, text in enumerate(lines):
        if said := _FRONT.fullmatch(text):
            found.append(_front(said, lines[at + 1 :], written))
        elif said := _ASSEMBLER.fullmatch(text):
            severity, message = said["severity"], said["message"].strip()
            serious = _SERIOUS.search(message) is not None
            if severity == "info" and not serious:
                continue
            near = said["line"] or (around[1] if (around := _AROUND.search(message)) else None)
            if near and not places:
                places = dict(enumerate(places_of(assembly()), 1))
            line, column = (places.get(int(near), 0), 0) if near else (0, 0)
            if not line and (owner := _FUNCTION.search(message)):
                line, column = place_of_kernel(owner[1], source)
            weight: Severity = "warning" if severity == "warning" and not serious else "error"
            found.append(Complaint(line, column, message, weight))
        elif said := _DRIVER.fullmatch(text):
            found.append(Complaint(0, 0, said["message"].strip()))
    return tuple(found)


def place_of_kernel(name: str, source: str) -> tuple[int, int]:
    """Line and column of the name of a kernel in its definition; zeros where it has none."""
    defined = re.search(rf"__global__[^;{{}}]*?\b({re.escape(name)})\s*\(", source)
    return Lines(source).position(defined.start(1)) if defined else (0, 0)


def places_of(assembly: str) -> list[int]:
    """For each line of PTX, the line of the text that it was made from, or 0."""
    own: set[str] = set()
    lines = assembly.splitlines()
    for text in lines:
        if (named := _NAMED.match(text)) and PurePath(named[2]).name == FILE:
            own.add(named[1])
    found: list[int] = []
    present = 0
    for text in lines:
        if place := _LOCATION.match(text):
            chain = [place.groups(), *(one.groups() for one in _INLINED.finditer(text))]
            present = next((int(line) for file, line, _ in chain if file in own), present)
        found.append(present)
    return found


def _front(said: re.Match[str], after: Sequence[str], written: Sequence[str]) -> Complaint:
    """A message of the C++ front end; below it stand the line and a caret."""
    severity: Severity = "warning" if said["severity"] == "warning" else "error"
    line, message = int(said["line"]), said["message"].strip()
    if PurePath(said["file"]).name != FILE:
        shown = f"{PurePath(said['file']).name}:{line}: {message}"
        user = next((one for text in after[:12] if (one := _USER.search(text))), None)
        return Complaint(int(user[1]) if user else 0, 0, shown, severity)
    column = 0
    if 1 <= line <= len(written) and len(after) > 1 and after[1].strip() == "^":
        own, shown = written[line - 1], after[0]
        begins = own.find(shown.strip())
        if begins >= 0:
            column = begins + after[1].index("^") - (len(shown) - len(shown.lstrip())) + 1
    return Complaint(line, column, message, severity)
