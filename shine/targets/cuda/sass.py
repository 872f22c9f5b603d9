"""The instructions of machine code, as `nvdisasm` shows them: what to look at when a kernel is slow. Knows no texts.

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
    """How often each instruction stands in a kernel, with its modifiers, as `LDG.E.128`.

    Raises RiseError where nvdisasm is absent or fails, or where the kernel is not there.
    """
    found: Counter[str] = Counter()
    present = ""
    seen = False
    for line in _disassembled(image).splitlines():
        if section := _SECTION.match(line):
            present = section[1]
            seen |= present == kernel
        elif present == kernel and (one := _INSTRUCTION.match(line)):
            found[one[1].rstrip(".")] += 1
    if not seen:
        raise RiseError(
            Diagnostic("no-kernel", f"expected a kernel `{kernel}` in the machine code, found none")
        )
    return found


def widths(counts: Mapping[str, int], operation: str) -> Counter[int]:
    """How many bytes the accesses of an operation (`LDG`, `STG`, `LDS`, `STS`) move for a thread, and how often.

    >>> sorted(widths({"LDG.E.128.CONSTANT": 4, "LDG.E": 1, "STG.E.64": 2}, "LDG").items())
    [(4, 1), (16, 4)]
    """
    found: Counter[int] = Counter()
    for name, count in counts.items():
        first, *modifiers = name.split(".")
        if first == operation:
            found[next((_WIDTHS[one] for one in modifiers if one in _WIDTHS), 4)] += count
    return found


def _disassembled(image: bytes) -> str:
    program = _find()
    with scratch() as folder:
        cubin = folder / "kernel.cubin"
        cubin.write_bytes(image)
        ran = call([program, "-c", cubin], folder)
    if ran.status:
        title = f"expected {program} to show the machine code, found: {ran.stderr.strip() or ran.status}"
        hint = "an older nvdisasm does not know newer machine code: use the one of the compiler's release"
        raise RiseError(Diagnostic("disassembler-failed", title, hint=hint))
    return ran.stdout


def _find() -> Path:
    found = find_program("nvdisasm")
    if found is not None:
        return found
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
