"""The CUDA text of each matrix instruction, by its record's name. Knows no statements.

Operands are expressions: for a fragment, for a pointer to the first element of a matrix (of type `element`, const if it
is only read), and for the stride between rows or columns in elements. `by_rows` says which of the two.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Final

from rise.hardware.instructions import INSTRUCTIONS, MatrixInstruction

_WMMA: Final = "nvcuda::wmma::"
_USES: Final = {"AMatrix": "matrix_a", "BMatrix": "matrix_b", "Accum": "accumulator"}
#: the names of fragments' element types in `crt/mma.h`
_NUMBERS: Final = {
    "f16": "__half",
    "bf16": "__nv_bfloat16",
    "tf32": "nvcuda::wmma::precision::tf32",
    "f32": "float",
    "f64": "double",
    "i8": "signed char",
    "u8": "unsigned char",
    "i32": "int",
}


@dataclass(frozen=True, slots=True)
class InstructionText:
    """The text of an instruction: its headers, the element type in memory for each role, and functions for statements.

    - `fragment(role, by_rows)`: the type of a fragment; an accumulator's has no layout.
    - `load(role, fragment, pointer, stride, by_rows)` and `store(pointer, fragment, stride, by_rows)`: statements that
      read any fragment from memory, and write an accumulator to it.
    - `fill(fragment, value)`, `multiply_add(target, a, b, addend)`: statements; the target may be the addend.
    - `count(fragment)`, `number(fragment, index)`: the number of elements that a lane holds, and one of them.
    """

    headers: tuple[str, ...]
    element: Mapping[str, str]
    fragment: Callable[[str, bool], str]
    load: Callable[[str, str, str, str, bool], str]
    store: Callable[[str, str, str, bool], str]
    fill: Callable[[str, str], str]
    multiply_add: Callable[[str, str, str, str], str]
    count: Callable[[str], str]
    number: Callable[[str, str], str]


def _fragment(instruction: MatrixInstruction, role: str, by_rows: bool) -> str:
    layout = "" if role == "Accum" else f", {_WMMA}{'row' if by_rows else 'col'}_major"
    shape = f"{instruction.m}, {instruction.n}, {instruction.k}"
    element = _NUMBERS[instruction.type_of(role)]
    return f"{_WMMA}fragment<{_WMMA}{_USES[role]}, {shape}, {element}{layout}>"


def _memory(by_rows: bool) -> str:
    return f"{_WMMA}mem_{'row' if by_rows else 'col'}_major"


def _load(
    instruction: MatrixInstruction, role: str, fragment: str, pointer: str, stride: str, by_rows: bool
) -> str:
    layout = f", {_memory(by_rows)}" if role == "Accum" else ""
    loaded = f"{_WMMA}load_matrix_sync({fragment}, {pointer}, {stride}{layout});"
    if instruction.type_of(role) != "tf32":
        return loaded
    rounded = f"{fragment}.x[t] = {_WMMA}__float_to_tf32({fragment}.x[t]);"
    return f"{loaded}\nfor (int t = 0; t < {fragment}.num_elements; t++) {rounded}"


def _store(pointer: str, fragment: str, stride: str, by_rows: bool) -> str:
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
        element={role: _NUMBERS[instruction.stored_type_of(role)] for role in _USES},
        fragment=partial(_fragment, instruction),
        load=partial(_load, instruction),
        store=_store,
        fill=_fill,
        multiply_add=_multiply_add,
        count=_count,
        number=_number,
    )


TEXTS: Final[Mapping[str, InstructionText]] = {
    name: _wmma(instruction) for name, instruction in INSTRUCTIONS.items() if instruction.family == "wmma"
}
