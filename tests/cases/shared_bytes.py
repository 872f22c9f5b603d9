"""`python -m tests.cases.shared_bytes`: writes how many bytes of shared memory the kernels of cases and derivations
take.

A line has a program, a kernel, its arrays in shared memory, their total size (each a multiple of 16 bytes) and the
bytes that a block takes, which are fewer if arrays share them. Kernels with at most one array are not listed.
"""

from __future__ import annotations

import sys
from functools import cache
from pathlib import Path
from typing import Final

from cases.case_files import Numbers
from shine.imperative.kernels import GpuProgram
from shine.passes.gpu.alignment import bytes_in
from shine.passes.gpu.lay_out_shared import shared_bytes
from tests.cases.stages import CASES, ROOT, passed
from tests.cuda.entries import ENTRIES, Entry
from tests.cuda.kernels import compiled_at, gpu_program

TABLE: Final = ROOT / "tests" / "golden" / "shared_bytes.txt"


def lines_of(name: str, program: GpuProgram) -> list[str]:
    """The lines of a program's kernels."""
    lines: list[str] = []
    for number, kernel in enumerate(program.kernels, 1):
        if len(kernel.shared) > 1:
            apart = sum(-(-bytes_in(buffer) // 16) * 16 for buffer, _ in kernel.shared)
            counted = f"{len(kernel.shared)} arrays, {apart} -> {shared_bytes(kernel)} bytes"
            lines.append(f"{name}, kernel {number}: {counted}")
    return lines


@cache
def listed() -> tuple[str, ...]:
    """The lines of the table."""
    return tuple(TABLE.read_text(encoding="utf-8").splitlines())


def listed_of(name: str) -> list[str]:
    """The lines of a program in the table."""
    return [line for line in listed() if line.startswith(f"{name}, kernel ")]


def main(path: Path = TABLE) -> None:
    """Write the table."""
    lines: list[str] = []
    for case in CASES:
        program = passed(case, "cuda")
        assert isinstance(program, GpuProgram)
        lines += lines_of(case.name, program)
    for entry in ENTRIES:
        for sizes in compiled_at(entry):
            lines += lines_of_entry(entry, sizes)
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    sys.stdout.write(f"{len(lines)} kernels\n")


def lines_of_entry(entry: Entry, sizes: Numbers) -> list[str]:
    """The lines of a derivation at sizes."""
    return lines_of(named(entry, sizes), gpu_program(entry, sizes))


def named(entry: Entry, sizes: Numbers) -> str:
    """The name of a derivation at sizes."""
    return " ".join((str(entry), *(f"{name}={size}" for name, size in sizes)))


if __name__ == "__main__":
    main()
