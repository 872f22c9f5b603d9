"""A compiler of CUDA C++: what it is asked for and what it answers. Knows neither NVRTC nor nvcc."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

#: `docs/semantics.md`: each operation rounds once. The lines of the text are kept for messages and profilers.
OPTIONS: Final = ("--fmad=false", "-std=c++17", "-lineinfo")
#: what the assembler is told for each kind of machine code: left alone, it may spill some registers of a thread so that
#: more threads fit
ASSEMBLER: Final[Mapping[str, tuple[str, ...]]] = {
    "cubin": ("-v",),
    "roomy": ("-v", "--register-usage-level=10"),
}


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a compiler made of a text, or None where it failed, and all that it said."""

    image: bytes | None
    log: str


@dataclass(frozen=True, slots=True)
class Toolchain:
    """A compiler: its name for people, what tells it from others, and how it is called.

    `run(source, arch, kind)` makes machine code (`cubin`), the same with as many registers as it takes
    (`roomy`), or PTX (`ptx`) for an architecture.
    """

    name: str
    identity: str
    run: Callable[[str, str, str], Outcome]


def facts(path: Path) -> str:
    """What changes when a file is replaced by another version."""
    found = path.resolve()
    status = found.stat()
    return f"{found} {status.st_mtime_ns} {status.st_size}"
