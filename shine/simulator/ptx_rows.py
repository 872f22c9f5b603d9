"""A row of the table of PTX instructions: a mnemonic, its operands, and the function that implements it."""

from __future__ import annotations

import re
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
#: the names of instructions, after which NVIDIA's assembler takes modifiers in any order
_NAME: Final = re.compile(
    r"bar(?:rier)?(?:\.cta|\.cluster)?(?:\.(?:warp|red|arrive|wait))?(?![\w:])|setmaxnreg\.\w+"
    r"|mbarrier\.\w+(?:\.expect_tx|\.parity)?"
    r"|cp\.(?:reduce\.)?async(?:\.mbarrier\.arrive|(?:\.bulk)?(?:\.prefetch)?(?:\.tensor|\.\w+_group|\.wait_all)?)"
    r"|\w+(?:\.(?:lo|hi|wide|full|l|r|to|async|proxy|mma_async|fence|commit_group|wait_group)(?![\w:]))?"
)
#: modifiers whose order counts among those of one kind: types, kinds of memory, orders of matrices, operations
_KINDS: Final = tuple(
    re.compile(words)
    for words in (
        r"[busf]\d+(?:x2)?|bf16(?:x2)?|tf32|e\dm\d(?:x2)?|pred",
        r"(?:shared|global)(?:::\w+)?",
        r"row|col",
        r"and|x?or|popc",
    )
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
    until: int = 0


def row(
    mnemonic: str, operands: str, function: str, at_line: bool = False, since: int = 0, until: int = 0
) -> Instruction:
    """A row whose operands are separated by spaces; `since` is the first architecture that has the instruction, and
    `until` the last one, if a later one lacks it.
    """
    return Instruction(mnemonic, tuple(operands.split()), function, at_line, since, until)


def whatever_order(mnemonic: str) -> tuple[str | tuple[str, ...], ...]:
    """What two mnemonics have in common that differ only in the order of modifiers, where that does not count.

    >>> whatever_order("ldmatrix.sync.aligned.x4.m8n8.b16") == whatever_order("ldmatrix.sync.aligned.m8n8.x4.b16")
    True
    >>> whatever_order("cvt.rn.f16.f32") == whatever_order("cvt.rn.f32.f16")
    False
    """
    name = _NAME.match(mnemonic)
    if name is None:
        return (mnemonic,)
    modifiers = mnemonic[name.end() :].split(".")
    kinds = (tuple(one for one in modifiers if kind.fullmatch(one)) for kind in _KINDS)
    return name[0], tuple(sorted(modifiers)), *kinds
