"""The interface to a compiler of CUDA C++. Independent of NVRTC and nvcc."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from rise.records import dataclass

#: `docs/semantics.md`: each operation rounds once. Line information is for messages and profilers.
OPTIONS: Final = ("--fmad=false", "-std=c++17", "-lineinfo")
#: options of the assembler for each kind of machine code: by default, it may spill some registers of a thread so that
#: more threads fit
ASSEMBLER: Final[Mapping[str, tuple[str, ...]]] = {
    "cubin": ("-v",),
    "roomy": ("-v", "--register-usage-level=10"),
}


@dataclass(frozen=True, slots=True)
class Outcome:
    """The machine code or PTX of a text, or None if the compiler failed, and its whole log."""

    image: bytes | None
    log: str


@dataclass(frozen=True, slots=True)
class Toolchain:
    """A compiler: its name in messages, a text that identifies it, and a function that calls it.

    `run(source, arch, kind)` compiles for an architecture: to machine code (`cubin`), to machine code with as many
    registers as needed (`roomy`), or to PTX (`ptx`).
    """

    name: str
    identity: str
    run: Callable[[str, str, str], Outcome]


def facts(path: Path) -> str:
    """A text that changes when a file is replaced by another version."""
    resolved = path.resolve()
    status = resolved.stat()
    return f"{resolved} {status.st_mtime_ns} {status.st_size}"
