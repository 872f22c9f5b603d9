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
