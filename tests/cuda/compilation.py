"""Joins CUDA texts into one text, for compilers that take longer to start than to compile a kernel. Independent of
programs.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from shine.targets.cuda.compiler import Cubin, compile_text
from shine.targets.cuda.module import CudaModule

_INCLUDES: Final = re.compile(r"^#include .*\n", re.MULTILINE)
_KERNEL: Final = re.compile(r'extern "C" (__global__ void (?:__launch_bounds__\([^)]*\) )?)(\w+)\(')


def compiled_together(
    modules: Sequence[CudaModule], arch: str, cache: Path
) -> tuple[Cubin, Mapping[str, int]]:
    """The machine code of several texts, and for each kernel the number of its text. Spills and local memory are
    errors.
    """
    source, owners = joined(modules)
    return compile_text(source, arch, list(owners), strict=True, cache=cache), owners


def joined(modules: Sequence[CudaModule]) -> tuple[str, Mapping[str, int]]:
    """Several texts as one, and for each kernel the number of its text.

    Each text is in a namespace of its own, for its types and helpers; its kernels have its number in their names.
    """
    includes: dict[str, None] = {}
    parts: list[str] = []
    owners: dict[str, int] = {}
    for number, module in enumerate(modules):
        includes |= dict.fromkeys(_INCLUDES.findall(module.source))
        names = {kernel.name: f"{kernel.name}_of_{number}" for kernel in module.kernels}
        owners |= dict.fromkeys(names.values(), number)
        text, count = _KERNEL.subn(
            lambda found, names=names: f'extern "C" {found[1]}{names[found[2]]}(',
            _INCLUDES.sub("", module.source),
        )
        assert count == len(names), module.source
        parts.append(f"namespace text_{number} {{\n{text}\n}}\n")
    return "".join((*includes, *parts)), owners
