"""The CUDA text of each matrix instruction, by its record's name: fragments of WMMA here, `mma.sync` in `mma.py`.

Independent of statements.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Final

from rise.hardware.instructions import INSTRUCTIONS, MatrixInstruction
from shine.targets.cuda.instruction_text import NUMBERS, InstructionText
from shine.targets.cuda.mma import mma_text

_WMMA: Final = "nvcuda::wmma::"
_USES: Final = {"AMatrix": "matrix_a", "BMatrix": "matrix_b", "Accum": "accumulator"}


def _fragment(instruction: MatrixInstruction, role: str, by_rows: bool) -> str:
    layout = "" if role == "Accum" else f", {_WMMA}{'row' if by_rows else 'col'}_major"
    shape = f"{instruction.m}, {instruction.n}, {instruction.k}"
    element = NUMBERS[instruction.type_of(role)]
    return f"{_WMMA}fragment<{_WMMA}{_USES[role]}, {shape}, {element}{layout}>"


def _memory(by_rows: bool) -> str:
    return f"{_WMMA}mem_{'row' if by_rows else 'col'}_major"


def _load(
    instruction: MatrixInstruction,
    role: str,
    fragment: str,
    pointer: str,
    stride: str,
    by_rows: bool,
    space: str = "Shared",
    together: int = 1,
) -> str:
    layout = f", {_memory(by_rows)}" if role == "Accum" else ""
    loaded = f"{_WMMA}load_matrix_sync({fragment}, {pointer}, {stride}{layout});"
    if instruction.type_of(role) != "tf32":
        return loaded
    rounded = f"{fragment}.x[t] = {_WMMA}__float_to_tf32({fragment}.x[t]);"
    return f"{loaded}\nfor (int t = 0; t < {fragment}.num_elements; t++) {rounded}"


def _store(pointer: str, fragment: str, stride: str, by_rows: bool, together: int = 1) -> str:
    return f"{_WMMA}store_matrix_sync({pointer}, {fragment}, {stride}, {_memory(by_rows)});"


def _fill(fragment: str, value: str) -> str:
    return f"{_WMMA}fill_fragment({fragment}, {value});"


def _multiply_add(target: str, a: str, b: str, addend: str) -> str:
    return f"{_WMMA}mma_sync({target}, {a}, {b}, {addend});"


def _count(fragment: str) -> str:
    return f"{fragment}.num_elements"


def _number(fragment: str, index: str) -> str:
    return f"{fragment}.x[{index}]"


def _wmma(instruction: MatrixInstruction) -> InstructionText:
    return InstructionText(
        headers=("mma.h",),
        element={role: NUMBERS[instruction.stored_type_of(role)] for role in _USES},
        fragment=partial(_fragment, instruction),
        load=partial(_load, instruction),
        store=_store,
        fill=_fill,
        multiply_add=_multiply_add,
        count=_count,
        number=_number,
        registers=lambda role: "",
    )


TEXTS: Final[Mapping[str, InstructionText]] = {
    name: _wmma(instruction) if instruction.coordinates is None else mma_text(instruction)
    for name, instruction in INSTRUCTIONS.items()
}
