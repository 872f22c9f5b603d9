"""A row of the table of PTX instructions: a mnemonic, its operands, and the function that implements it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from rise.records import dataclass

#: the C++ type of each type of PTX
C_TYPES: Final[Mapping[str, str]] = {
    **{f"{sign}8": f"{word} char" for sign, word in (("s", "signed"), ("u", "unsigned"), ("b", "unsigned"))},
    "s16": "short",
    "u16": "unsigned short",
    "b16": "unsigned short",
    "s32": "int",
    "u32": "unsigned",
    "b32": "unsigned",
    "imm": "int",
    "s64": "long long",
    "u64": "unsigned long long",
    "b64": "unsigned long long",
    "f32": "float",
    "f64": "double",
    "pred": "bool",
}
#: those that memory has
STORED_TYPES: Final = (
    "b8",
    "b16",
    "b32",
    "b64",
    "u8",
    "u16",
    "u32",
    "u64",
    "s8",
    "s16",
    "s32",
    "s64",
    "f32",
    "f64",
)


@dataclass(frozen=True, slots=True)
class Instruction:
    """A mnemonic with one list of operands. `function` takes the operands that are read, in order, and returns the
    operand that is written.

    Registers in braces are arrays; those that are written are the first arguments. With `at_line`, the line is the last
    argument.
    """

    mnemonic: str
    operands: tuple[str, ...]
    function: str
    at_line: bool = False
    since: int = 0


def row(mnemonic: str, operands: str, function: str, at_line: bool = False, since: int = 0) -> Instruction:
    """A row whose operands are separated by spaces; `since` is the first architecture that has the instruction."""
    return Instruction(mnemonic, tuple(operands.split()), function, at_line, since)
