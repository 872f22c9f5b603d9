"""Fills local variables that may be read before they are written, to show whether results depend on them.

gcc warns of such variables. Their declarations then get a call of the runtime, which gives them undefined values: other
ones if the kernel runs again. Arrays of numbers and fragments are tracked in another way (`local_arrays.py`). Parses
messages of gcc; does not decide what is a mistake.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from shine.simulator.text import FILE, without_noise

_MESSAGE = re.compile(
    rf"^(?:.*/)?{re.escape(FILE)}:(?P<line>\d+):(?P<column>\d+): (?P<kind>warning|note): "
    r"[‘'](?P<name>\w+)[\w.:<>, ]*[’'] "
    r"(?:(?:is|may be) used uninitialized|(?:was )?declared here)|^\S+: warning: .*used uninitialized"
    rf"|\bat (?:\S*/)?{re.escape(FILE)}:(?P<inlined>\d+):",
    re.MULTILINE,
)
_BEGIN: Final = f'#line 1 "{FILE}"\n'


def fill_unset_variables(unit: str, messages: str) -> str:
    """The translation unit with a call after the declaration of each variable that gcc warned of, on the same line.

    >>> unit = '#line 1 "kernel.cu"\\nvoid f() { float s, t = 0; s += t; }'
    >>> said = "kernel.cu:1:33: warning: 's' is used uninitialized\\nkernel.cu:1:18: note: 's' was declared here"
    >>> print(fill_unset_variables(unit, said).split("\\n")[1])
    void f() { float s, t = 0; SIM_UNSET(s, 1) s += t; }
    """
    start = unit.find(_BEGIN)
    if start < 0:
        return unit
    start += len(_BEGIN)
    clean = without_noise(unit)
    lines = unit[start:].split("\n")
    inserted: dict[int, dict[str, int]] = {}
    for name, used, line, column in _declared(messages):
        if line > len(lines):
            continue
        before = lines[line - 1].encode()[: column - 1].decode(errors="replace")
        place = start + sum(len(one) + 1 for one in lines[: line - 1]) + len(before)
        end = _end_of_declaration(clean, place, name)
        if end is not None and f"SIM_LOCAL({name})" not in unit[end : unit.find("\n", end)]:
            inserted.setdefault(end, {}).setdefault(name, used)
    for end in sorted(inserted, reverse=True):
        calls = "".join(f" SIM_UNSET({name}, {line})" for name, line in inserted[end].items())
        unit = unit[:end] + calls + unit[end:]
    return unit


def _declared(messages: str) -> Iterator[tuple[str, int, int, int]]:
    """The name of each variable, the line where it is read, and the line and the column of its declaration."""
    used = 0
    for message in _MESSAGE.finditer(messages):
        if message["inlined"]:
            used = int(message["inlined"])
        elif message["kind"] == "warning":
            used = int(message["line"])
        elif message["kind"] == "note":
            line = int(message["line"])
            yield message["name"], used or line, line, int(message["column"])
            used = 0


def _end_of_declaration(clean: str, place: int, name: str) -> int | None:
    """Where the declaration ends that has a name at a place; None if no statement may follow it."""
    if re.match(rf"{name}\b", clean[place:]) is None:
        return None
    head = re.split(r"[;{}]", clean[:place])[-1]
    if head.count("(") != head.count(")"):  # of a loop, or a parameter
        return None
    depth = 0
    for mark in re.finditer(r"[()\[\]{};]", clean[place:]):
        if mark[0] == ";" and depth == 0:
            return place + mark.end()
        depth += (mark[0] in "([{") - (mark[0] in ")]}")
        if depth < 0:
            return None
    return None
