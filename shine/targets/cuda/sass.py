"""Counts the instructions of machine code with `nvdisasm`, to see why a kernel is slow. Knows no texts.

nvdisasm is part of the CUDA toolkit, and of the package nvidia-cuda-nvdisasm.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from rise.diagnostics import Diagnostic, RiseError
from shine.cache import scratch
from shine.programs import call
from shine.targets.cuda.nvcc import find_program

_SECTION: Final = re.compile(r"\.text\.(\S+):")
_INSTRUCTION: Final = re.compile(r"\s*/\*[0-9a-f]{4,}\*/\s+(?:@!?U?P\w+\s+)?([A-Z][A-Z0-9_.]*)")
_LABEL: Final = re.compile(r"(\.L\w+):")
_TARGET: Final = re.compile(r"`\((\.L\w+)\)")
_WIDTHS: Final = {"U8": 1, "S8": 1, "U16": 2, "S16": 2, "64": 8, "128": 16}


def instructions(image: bytes, kernel: str) -> Counter[str]:
    """How often each instruction occurs in a kernel, with its modifiers, as in `LDG.E.128`.

    Raises RiseError if nvdisasm is absent or fails, or if there is no such kernel.
    """
    counts: Counter[str] = Counter()
    current = ""
    is_found = False
    for line in _disassembled(image).splitlines():
        if section := _SECTION.match(line):
            current = section[1]
            is_found |= current == kernel
        elif current == kernel and (match := _INSTRUCTION.match(line)):
            counts[match[1].rstrip(".")] += 1
    if not is_found:
        raise RiseError(
            Diagnostic("no-kernel", f"expected a kernel `{kernel}` in the machine code, found none")
        )
    return counts


def innermost_loop(image: bytes, kernel: str, operation: str) -> Counter[str]:
    """How often each instruction occurs in the loop that has most of an operation, such as `HMMA`, and no loop in it;
    empty if no loop has any.

    Raises RiseError as `instructions` does.
    """
    names, starts, jumps = _control(_disassembled(image), kernel)
    loops = [(starts[label], end) for end, label in jumps if starts.get(label, end + 1) <= end]
    inner = [
        (a, b)
        for a, b in loops
        if a < b and not any((a, b) != (c, d) and a <= c and d <= b and c < d for c, d in loops)
    ]
    bodies = [Counter(names[start : end + 1]) for start, end in inner]

    def operations(body: Counter[str]) -> int:
        return sum(count for name, count in body.items() if name.split(".")[0] == operation)

    best = max(bodies, key=operations, default=Counter[str]())
    return best if operations(best) else Counter()


def _control(listing: str, kernel: str) -> tuple[list[str], dict[str, int], list[tuple[int, str]]]:
    """The instructions of a kernel in order; where labels are among them; and the jumps, from where to which label."""
    names: list[str] = []
    starts: dict[str, int] = {}
    jumps: list[tuple[int, str]] = []
    current = ""
    for line in listing.splitlines():
        if section := _SECTION.match(line):
            current = section[1]
        elif current == kernel and (label := _LABEL.match(line)):
            starts[label[1]] = len(names)
        elif current == kernel and (match := _INSTRUCTION.match(line)):
            if match[1].startswith("BRA") and (target := _TARGET.search(line)):
                jumps.append((len(names), target[1]))
            names.append(match[1].rstrip("."))
    return names, starts, jumps


def widths(counts: Mapping[str, int], operation: str) -> Counter[int]:
    """The bytes that accesses of an operation (`LDG`, `STG`, `LDS`, `STS`) move per thread, each with its count.

    >>> sorted(widths({"LDG.E.128.CONSTANT": 4, "LDG.E": 1, "STG.E.64": 2}, "LDG").items())
    [(4, 1), (16, 4)]
    """
    widths_moved: Counter[int] = Counter()
    for name, count in counts.items():
        first, *modifiers = name.split(".")
        if first == operation:
            widths_moved[next((_WIDTHS[modifier] for modifier in modifiers if modifier in _WIDTHS), 4)] += (
                count
            )
    return widths_moved


def _disassembled(image: bytes) -> str:
    program = _find()
    with scratch() as folder:
        cubin = folder / "kernel.cubin"
        cubin.write_bytes(image)
        ran = call([program, "-c", cubin], folder)
    if ran.status:
        title = f"expected {program} to show the machine code, found: {ran.stderr.strip() or ran.status}"
        hint = "an older nvdisasm cannot read newer machine code: use the one of the compiler's release"
        raise RiseError(Diagnostic("disassembler-failed", title, hint=hint))
    return ran.stdout


def _find() -> Path:
    path = find_program("nvdisasm")
    if path is not None:
        return path
    spec = find_spec("nvidia")
    for root in map(Path, spec.submodule_search_locations or () if spec else ()):
        for packaged in sorted((*root.glob("*/bin/nvdisasm"), *root.glob("*/*/bin/nvdisasm"))):
            return packaged
    raise RiseError(
        Diagnostic(
            "no-disassembler",
            "expected the program nvdisasm to show machine code, found none",
            hint="pip install nvidia-cuda-nvdisasm, or install the CUDA toolkit",
        )
    )
