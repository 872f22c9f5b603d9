"""Removes host code from CUDA source, so that the kernels of complete programs can be built. Independent of types.

Only texts that launch kernels themselves or have a `main` are changed. Functions at file scope that are not for the
device are removed, and so are includes of headers that the simulator lacks. Lines keep their numbers.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Final

from rise.diagnostics import Diagnostic
from shine.simulator.model import SimulatorError
from shine.simulator.text import without_noise

_MAIN = re.compile(r"\bmain\s*\(|<<<")
_TRANSPARENT = re.compile(r"\s*(?:inline\s+)?namespace\b[^;{}()=]*|\s*extern\s*\"?\s*\"?\s*")
_FOR_DEVICE = re.compile(r"\b(?:__global__|__device__|constexpr)\b")
_TYPE = re.compile(r"\s*(?:template\s*<.*?>\s*)?(?:typedef\s+)?(?:struct|class|union|enum)\b", re.DOTALL)
_INCLUDE = re.compile(r"^[ \t]*#[ \t]*include[ \t]*[<\"]([^>\"\n]+)[>\"]", re.MULTILINE)
_OF_STANDARD: Final = re.compile(r"\bstd\s*::|\busing\s+namespace\s+std\b|\bcuda(?:Stream|Event|Error)_t\b")


def has_host_code(source: str) -> bool:
    """Whether a text launches kernels or has a `main`."""
    return _MAIN.search(without_noise(source)) is not None


def without_host_code(source: str, has_header: Callable[[str], bool]) -> str:
    """The text without its host code; `has_header` says which headers the simulator has.

    >>> text = "__global__ void f(int* x) {}\\nint main() { f<<<1, 1>>>(0); }"
    >>> without_host_code(text, lambda _: True).rstrip()
    '__global__ void f(int* x) {}'
    """
    if not has_host_code(source):
        return source
    clean = without_noise(source)
    # Directives are no items, and their braces do not count.
    scanned = re.sub(
        r"^[ \t]*#(?:[^\n\\]|\\.|\\\n)*", lambda line: _blank(line[0]), clean, flags=re.MULTILINE
    )
    kept = source
    for start, end in _host_items(scanned):
        kept = kept[:start] + _blank(kept[start:end]) + kept[end:]

    def include(match: re.Match[str]) -> str:
        return match[0] if has_header(match[1]) else _blank(match[0])

    return _INCLUDE.sub(include, kept)


def check_launches(device_code: str) -> None:
    """Raise SimulatorError if a kernel launches another one."""
    found = without_noise(device_code).find("<<<")
    if found < 0:
        return
    line = device_code.count("\n", 0, found) + 1
    title = f"expected kernels that launch no other kernels, found `<<<` on line {line}"
    hint = "launch them one after the other"
    raise SimulatorError(Diagnostic("kernel-launch", title, hint=hint), ((line, title),))


def _host_items(clean: str) -> Iterator[tuple[int, int]]:
    """The start and end of each host item at file scope or in a namespace."""
    start, depth, head_end = 0, 0, 0
    for mark in re.finditer(r"[{};]", clean):
        at = mark.start()
        if mark[0] == "{":
            if depth == 0 and _TRANSPARENT.fullmatch(clean[start:at]):
                start = at + 1
                continue
            if depth == 0:
                head_end = at
            depth += 1
        elif mark[0] == "}":
            if depth == 0:  # the end of a namespace
                start = at + 1
                continue
            depth -= 1
            head = clean[start:head_end]
            is_function = "(" in head and "=" not in head.split("(")[0] and not _TYPE.match(head)
            if depth == 0 and is_function:
                if not _FOR_DEVICE.search(head):
                    yield start, at + 1
                start = at + 1
        elif depth == 0:
            item = clean[start : at + 1]
            if _OF_STANDARD.search(item) and not _FOR_DEVICE.search(item):
                yield start, at + 1
            start = at + 1


def _blank(text: str) -> str:
    return re.sub(r"[^\n]", " ", text)
