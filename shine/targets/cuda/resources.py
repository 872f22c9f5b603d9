"""What a kernel takes of a multiprocessor, as the assembler reports it. Knows no compiler and no limits."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Final

_ENTRY: Final = re.compile(r"Compiling entry function '(.+?)'")
_FRAME: Final = re.compile(r"(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads")
_USED: Final = re.compile(r": Used (\d+) registers(.*)")
_PART: Final = re.compile(r"(\d+) (barriers|bytes cumulative stack size|bytes smem|bytes lmem)")


@dataclass(frozen=True, slots=True)
class Resources:
    """Of a thread: registers, and bytes of local memory, of its stack, and of spilled registers written and read.

    Of a block: bytes of static shared memory, and barriers.
    """

    registers: int = 0
    shared: int = 0
    local: int = 0
    spill_stores: int = 0
    spill_loads: int = 0
    stack: int = 0
    barriers: int = 0


def read_resources(log: str) -> dict[str, Resources]:
    """What each kernel takes, from the log of an assembler that was told `-v`."""
    found: dict[str, Resources] = {}
    name = ""
    for line in log.splitlines():
        if entry := _ENTRY.search(line):
            name = entry[1]
            found[name] = Resources()
        elif not name:
            continue
        elif frame := _FRAME.search(line):  # a function that is called has a frame of its own
            before = found[name]
            stack, stores, loads = map(int, frame.groups())
            found[name] = replace(
                before,
                stack=before.stack + stack,
                local=before.local + stack,
                spill_stores=before.spill_stores + stores,
                spill_loads=before.spill_loads + loads,
            )
        elif used := _USED.search(line):
            parts = {what: int(number) for number, what in _PART.findall(used[2])}
            stack = parts.get("bytes cumulative stack size", found[name].stack)
            found[name] = replace(
                found[name],
                registers=int(used[1]),
                shared=parts.get("bytes smem", 0),
                local=stack + parts.get("bytes lmem", 0),
                barriers=parts.get("barriers", 0),
            )
    return found
