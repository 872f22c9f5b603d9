"""Reads the instructions and loops of machine code with `nvdisasm`, to see why a kernel is slow. Independent of texts.

nvdisasm is part of the CUDA toolkit, and of the package nvidia-cuda-nvdisasm (the extra `sass`).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from rise.diagnostics import Diagnostic, RiseError
from rise.records import dataclass
from shine.cache import scratch
from shine.programs import call
from shine.targets.cuda.nvcc import find_program

_SECTION: Final = re.compile(r"\.text\.(\S+):")
_INSTRUCTION: Final = re.compile(r"\s*/\*[0-9a-f]{4,}\*/\s+(?:(@!?U?P\w+)\s+)?([A-Z][A-Z0-9_.x]*)([^;]*)")
_LABEL: Final = re.compile(r"(\.L\w+):")
_TARGET: Final = re.compile(r"`\((\.L\w+)\)")
_WIDTHS: Final = {"U8": 1, "S8": 1, "U16": 2, "S16": 2, "64": 8, "128": 16}


@dataclass(frozen=True, slots=True)
class Instruction:
    """An instruction with its modifiers (`LDG.E.128`), its operands as printed, and its guard (`@!P0`)."""

    name: str
    operands: str = ""
    guard: str = ""

    @property
    def is_void(self) -> bool:
        """Whether its guard is never true. Compilers insert such reads of shared memory beside copies to it."""
        return self.guard in ("@!PT", "@!UPT")


@dataclass(frozen=True, slots=True)
class Listing:
    """The machine code of a kernel: its instructions, and for each label how many of them precede it."""

    code: tuple[Instruction, ...]
    labels: Mapping[str, int]

    def counts(self) -> Counter[str]:
        """How often each instruction occurs."""
        return Counter(instruction.name for instruction in self.code)

    def loops(self) -> tuple[tuple[Instruction, ...], ...]:
        """The innermost loops: from a label to a branch back to it, with no such loop inside, in order."""
        ends: dict[int, int] = {}
        for place, instruction in enumerate(self.code):
            target = _TARGET.search(instruction.operands) if instruction.name.startswith("BRA") else None
            begin = self.labels.get(target[1], place) if target else place
            if begin < place:  # a program ends with a branch to itself, which is no loop
                ends[begin] = place
        inner = (
            (begin, end)
            for begin, end in ends.items()
            if not any(begin < other and last <= end for other, last in ends.items())
        )
        return tuple(self.code[begin : end + 1] for begin, end in sorted(inner))


def instructions(image: bytes, kernel: str) -> Counter[str]:
    """How often each instruction occurs in a kernel, with its modifiers, such as `LDG.E.128`.

    Raises RiseError if nvdisasm is absent or fails, or if there is no such kernel.
    """
    return listing(image, kernel).counts()


def listing(image: bytes, kernel: str) -> Listing:
    """The machine code of a kernel. Raises RiseError as `instructions` does."""
    return read_listing(_disassembled(image), kernel)


def read_listing(text: str, kernel: str) -> Listing:
    """A kernel in the output of `nvdisasm -c`. Raises RiseError if it is not there.

    >>> text = ".text.f:\\n.L_x_0:\\n /*0000*/ IADD3 R0, R0, 0x1 ;\\n /*0010*/ @P0 BRA `(.L_x_0) ;"
    >>> [[one.name for one in loop] for loop in read_listing(text, "f").loops()]
    [['IADD3', 'BRA']]
    """
    code: list[Instruction] = []
    labels: dict[str, int] = {}
    current = ""
    is_found = False
    for line in text.splitlines():
        if started := _SECTION.match(line):
            current = started[1]
            is_found |= current == kernel
        elif current == kernel and (label := _LABEL.match(line)):
            labels[label[1]] = len(code)
        elif current == kernel and (match := _INSTRUCTION.match(line)):
            code.append(Instruction(match[2].rstrip("."), match[3].strip(), match[1] or ""))
    if not is_found:
        raise RiseError(
            Diagnostic("no-kernel", f"expected a kernel `{kernel}` in the machine code, found none")
        )
    return Listing(tuple(code), labels)


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


def main_loop(code: Listing, weight: Callable[[Instruction], int] = lambda _: 1) -> tuple[Instruction, ...]:
    """The innermost loop with the greatest weight, by default the longest one. Empty if there is no loop."""
    return max(code.loops(), key=lambda loop: sum(map(weight, loop)), default=())


def operations(code: Iterable[Instruction]) -> Counter[str]:
    """How often each operation occurs, whatever its modifiers. Reads that never run do not count.

    >>> dict(operations([Instruction("LDG.E.128"), Instruction("LDG.E"), Instruction("LDS", guard="@!PT")]))
    {'LDG': 2}
    """
    return Counter(one.name.split(".")[0] for one in code if not one.is_void)


def spilled_bytes(counts: Mapping[str, int]) -> int:
    """The bytes that loads and stores of local memory move in each thread, among these instructions.

    >>> spilled_bytes({"STL.64": 2, "LDL": 1, "LDG.E": 5})
    20
    """
    return sum(size * count for name in ("STL", "LDL") for size, count in widths(counts, name).items())


def _disassembled(image: bytes) -> str:
    program = find_disassembler()
    with scratch() as folder:
        cubin = folder / "kernel.cubin"
        cubin.write_bytes(image)
        ran = call([program, "-c", cubin], folder)
    if ran.status:
        title = f"expected {program} to show the machine code, found: {ran.stderr.strip() or ran.status}"
        hint = "an older nvdisasm cannot read newer machine code: use the one of the compiler's release"
        raise RiseError(Diagnostic("disassembler-failed", title, hint=hint))
    return ran.stdout


def find_disassembler() -> Path:
    """The program `nvdisasm`. Raises RiseError if it is absent."""
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
            hint="pip install 'rise-shine[sass]', or install the CUDA toolkit",
        )
    )
