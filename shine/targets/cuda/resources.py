"""Reads the resources that a kernel takes from the assembler's log. Independent of compilers and limits."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from rise.records import dataclass

_ENTRY: Final = re.compile(r"Compiling entry function '(.+?)'")
_FRAME: Final = re.compile(r"(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads")
_USED: Final = re.compile(r": Used (\d+) registers(.*)")
_PART: Final = re.compile(r"(\d+) (barriers|bytes cumulative stack size|bytes smem|bytes lmem)")


@dataclass(frozen=True, slots=True)
class Resources:
    """The resources of a kernel. Per thread: registers, and bytes of local memory, stack, and spill stores and loads.

    Per block: bytes of static shared memory (`shared`), and barriers.
    """

    registers: int = 0
    shared: int = 0
    local: int = 0
    spill_stores: int = 0
    spill_loads: int = 0
    stack: int = 0
    barriers: int = 0


def read_resources(log: str) -> dict[str, Resources]:
    """The resources of each kernel, from the log of an assembler with the option `-v`."""
    resources: dict[str, Resources] = {}
    name = ""
    for line in log.splitlines():
        if entry := _ENTRY.search(line):
            name = entry[1]
            resources[name] = Resources()
        elif not name:
            continue
        elif frame := _FRAME.search(line):  # a called function has its own frame
            previous = resources[name]
            stack, stores, loads = map(int, frame.groups())
            resources[name] = replace(
                previous,
                stack=previous.stack + stack,
                local=previous.local + stack,
                spill_stores=previous.spill_stores + stores,
                spill_loads=previous.spill_loads + loads,
            )
        elif used := _USED.search(line):
            parts = {part: int(number) for number, part in _PART.findall(used[2])}
            stack = parts.get("bytes cumulative stack size", resources[name].stack)
            resources[name] = replace(
                resources[name],
                registers=int(used[1]),
                shared=parts.get("bytes smem", 0),
                local=stack + parts.get("bytes lmem", 0),
                barriers=parts.get("barriers", 0),
            )
    return resources
