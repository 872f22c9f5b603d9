"""Operands of inline assembly as C++: registers, from constraints or declared; constants; addresses.

Depends on types and sizes of registers, but not on instructions.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import Final, NoReturn

from rise.records import dataclass
from shine.simulator.ptx import SPECIAL
from shine.simulator.ptx_rows import C_TYPES

#: the C++ type and the bits of a register by constraint; `n` is a constant
CONSTRAINTS: Final[Mapping[str, tuple[str, int]]] = {
    "h": ("unsigned short", 16),
    "r": ("unsigned", 32),
    "l": ("unsigned long long", 64),
    "f": ("float", 32),
    "d": ("double", 64),
    "n": ("long long", 0),
}
_IMMEDIATE = re.compile(r"[+-]?(?:0[xX][0-9a-fA-F]+|\d+)[uU]?")
_REAL = re.compile(r"0([fF])([0-9a-fA-F]{8})|0([dD])([0-9a-fA-F]{16})|-?\d+\.\d*(?:[eE][+-]?\d+)?")


class BadAssembly(Exception):
    """Assembly that the simulator does not support; the text begins with UNKNOWN or WRONG."""


#: begin the texts: an instruction that the table lacks, and a mistake in one that it has
UNKNOWN: Final = "unknown instruction: "
WRONG: Final = "wrong assembly: "


def refuse(title: str) -> NoReturn:
    raise BadAssembly(WRONG + title)


@dataclass(frozen=True, slots=True)
class Operand:
    """An operand of a statement: the letter of its constraint, the expression, whether it is read, whether it is
    written.
    """

    letter: str
    expression: str
    reads: bool
    writes: bool


@dataclass(frozen=True, slots=True)
class Register:
    """A C++ expression, its type in C++, and its number of bits: 0 for a constant, 1 for a predicate."""

    text: str
    bits: int


@dataclass(slots=True)
class Scope:
    """A scope in braces: its registers and labels, the lines that declare them, and its instructions."""

    registers: dict[str, Register] = field(default_factory=dict)
    labels: set[str] = field(default_factory=set)
    targets: set[str] = field(default_factory=set)
    declared: list[str] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)

    def text(self) -> str:
        """The lines in order. Declarations come first, since a branch must not jump over one."""
        labels = [f"__label__ {', '.join(map(label_text, sorted(self.labels)))};"] if self.labels else []
        return " ".join([*labels, *self.declared, *self.lines])


@dataclass(slots=True)
class Translation:
    operands: Sequence[Operand]
    scopes: list[Scope] = field(default_factory=lambda: [Scope()])
    count: int = 0
    addressed: set[int] = field(default_factory=set)  # operands that are passed by their addresses

    def fresh(self) -> str:
        self.count += 1
        return f"sim_v{self.count}"


def label_text(name: str) -> str:
    return "sim_l_" + name.replace("$", "_S_")


def bits_of(t: str) -> int:
    return 1 if t == "pred" else int(re.sub(r"\D", "", t) or 0)


def register_of(text: str, translation: Translation) -> Register:
    if number := re.fullmatch(r"%(\d+)", text):
        if int(number[1]) >= len(translation.operands):
            refuse(f"expected one of {len(translation.operands)} operands, found `{text}`")
        operand = translation.operands[int(number[1])]
        return Register(f"sim_{number[1]}", CONSTRAINTS[operand.letter][1])
    name = text.lstrip("%")
    for scope in reversed(translation.scopes):
        if name in scope.registers:
            return scope.registers[name]
    if name in SPECIAL and text.startswith("%"):
        expression, t = SPECIAL[name]
        return Register(f"({C_TYPES[t]}){expression}", bits_of(t))
    refuse(f"expected a register that is declared, found `{text}`")


def read_text(text: str, t: str, may_be_wider: bool, translation: Translation) -> str:
    """An operand that an instruction reads as a type."""
    c = C_TYPES[t]
    negated = text.startswith("!") and t == "pred"
    if negated:
        text = text[1:].strip()
    if _IMMEDIATE.fullmatch(text):
        return f"({c}){text.rstrip('uU')}ull" if t != "imm" else f"({c}){text.rstrip('uU')}"
    if real := _REAL.fullmatch(text):
        if real[1]:
            return f"({c})__uint_as_float(0x{real[2]}u)"
        return f"({c})__longlong_as_double(0x{real[4]}ll)" if real[3] else f"({c}){text}"
    register = register_of(text, translation)
    if register.bits == 0:
        return f"({c}){register.text}"
    if t == "imm":
        refuse(f"expected a constant (`n`, or a number), found `{text}`")
    if register.bits != bits_of(t) and not (may_be_wider and register.bits > bits_of(t)):
        refuse(f"expected a register of type {t}, found `{text}` of {_size(register)}")
    if register.bits != bits_of(t):
        return f"({c}){register.text}"
    return f"{'!' if negated else ''}simulator::ptx::as<{c}>({register.text})"


def written_text(text: str, c: str, bits: int, may_be_wider: bool, translation: Translation) -> str:
    """An assignment of `$` to an operand."""
    register = register_of(text, translation)
    number = re.fullmatch(r"%(\d+)", text)
    if number and not translation.operands[int(number[1])].writes:
        refuse(f"expected an operand that is written (`=` or `+`), found `{text}`")
    if register.text.startswith("("):
        refuse(f"expected a register that can be written, found `{text}`")
    if register.bits != bits and not (may_be_wider and register.bits > bits):
        refuse(f"expected a register of {bits} bits to write to, found `{text}` of {_size(register)}")
    if register.bits != bits:
        return f"simulator::ptx::widen({register.text}, ({c})($));"
    return f"{register.text} = simulator::ptx::as<decltype({register.text})>($);"


def register_address(text: str, bits: int, translation: Translation) -> str:
    """The address of an operand that an instruction reads now and writes later."""
    number = re.fullmatch(r"%(\d+)", text)
    register_of(text, translation)
    operand = translation.operands[int(number[1])] if number else None
    if number is None or operand is None or not operand.reads or not operand.writes:
        refuse(f"expected an operand that is read and written (`+`), found `{text}`")
    if CONSTRAINTS[operand.letter][1] != bits:
        refuse(f"expected a register of {bits} bits, found `{text}`")
    translation.addressed.add(int(number[1]))
    return f"(char *)&{operand.expression}"


def _size(register: Register) -> str:
    return {0: "no size", 1: "a predicate"}.get(register.bits, f"{register.bits} bits")


def address_text(kind: str, text: str, translation: Translation, of_cluster: bool = False) -> str:
    """An address; `of_cluster` says whether it may be in the shared memory of another block."""
    parts = re.fullmatch(r"\[\s*(%?[\w$]+)\s*(?:\+\s*([+-]?\s*(?:0[xX][0-9a-fA-F]+|\d+|%\d+))\s*)?\]", text)
    if parts is None:
        refuse(f"expected an address as `[register]` or `[register + number]`, found `{text}`")
    register = register_of(parts[1], translation)
    if register.bits not in (32, 64) or (kind == "[global]" and register.bits == 32):
        refuse(f"expected an address of 64 bits, found `{parts[1]}` of {_size(register)}")
    offset = ""
    if parts[2]:
        is_operand = parts[2].startswith("%")
        if is_operand and register_of(parts[2], translation).bits:
            refuse(f"expected a constant offset, found `{parts[2]}`")
        offset = f" + {register_of(parts[2], translation).text if is_operand else parts[2]}"
    at = f"(unsigned long long)({register.text}){offset}, sim_line"
    if kind == "[shared]":
        return f"simulator::ptx::Shared{{{at}, {'true' if of_cluster else 'false'}}}"
    return f"simulator::ptx::Global{{{at}}}"
