"""The parts of the CUDA text of a matrix instruction. Independent of instructions and statements.

Operands are expressions: for a fragment, for a pointer to the first element of a matrix (of type `element`, const if it
is only read), and for the stride between rows or columns in elements. `by_rows` says which of the two.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from rise.records import dataclass

#: the names of fragments' element types in `crt/mma.h`
NUMBERS: Final = {
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

    - `fragment(role, by_rows)`: the type of a fragment, or of its numbers; an accumulator's has no layout.
      `registers(role)` follows the name where it is declared: the extent of an array of a lane's numbers.
    - `load(role, fragment, pointer, stride, by_rows, space, together)`, `store(pointer, fragment, stride, by_rows,
      together)`: statements that read any fragment from memory of a space, and write an accumulator to it. The matrix
      and its lines start at multiples of `together` numbers, a power of two.
    - `fill(fragment, value)`, `multiply_add(target, a, b, addend)`: statements; the target may be the addend.
    - `count(fragment)`, `number(fragment, index)`: the number of elements that a lane holds, and one of them.
    """

    headers: tuple[str, ...]
    element: Mapping[str, str]
    fragment: Callable[[str, bool], str]
    load: Callable[[str, str, str, str, bool, str, int], str]
    store: Callable[[str, str, str, bool, int], str]
    fill: Callable[[str, str], str]
    multiply_add: Callable[[str, str, str, str], str]
    count: Callable[[str], str]
    number: Callable[[str, str], str]
    registers: Callable[[str], str]
