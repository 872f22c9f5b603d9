"""The body of a kernel for a PTX instruction whose operands are registers, constants, and memory of its lane."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from benchmarks.gpu.instruction_operands import DIGITS, LANES, SLOTS
from shine.simulator.ptx_rows import Instruction

MEMORY: Final = 8  # words of the memory of a lane
_IMMEDIATES: Final = {"lop3.b32": "0x6a"}


@dataclass(slots=True)
class Writer:
    """Writes the kernel of a row whose operands are registers, constants, and memory of its lane."""

    row: Instruction
    before: list[str] = field(default_factory=list)
    after: list[str] = field(default_factory=list)
    inside: list[str] = field(default_factory=list)  # PTX before the instruction
    behind: list[str] = field(default_factory=list)  # PTX after it
    outputs: list[tuple[str, str]] = field(default_factory=list)  # operands of the statement
    inputs: list[tuple[str, str]] = field(default_factory=list)
    kinds: list[str] = field(default_factory=list)
    slot: int = 0
    registers: int = 0

    def written(self) -> tuple[str, tuple[str, ...]]:
        """The body, and the kinds of its words."""
        row = self.row
        spaces = [one for one in row.operands if one in ("[shared]", "[global]")]
        if spaces:
            self.kinds += ["bits"] * MEMORY
        texts = [self.operand(number, one) for number, one in enumerate(row.operands)]
        instruction = f"{row.mnemonic} {', '.join(texts)};"
        names = self.outputs + self.inputs
        statement = " ".join((*self.inside, instruction, *self.behind))
        for number, (name, _) in sorted(enumerate(names), reverse=True, key=lambda one: one[0]):
            statement = re.sub(rf"\${name}\b", f"%{number}", statement)
        outs = ", ".join(f'"{how}"({name})' for name, how in self.outputs)
        ins = ", ".join(f'"{how}"({name})' for name, how in self.inputs)
        clobbers = ' : "memory"' if spaces else ""
        body = [
            *own_memory(spaces),
            *self.before,
            f'asm volatile("{{ {statement} }}" : {outs} : {ins}{clobbers});',
            *(SHARED_OUT if "[shared]" in spaces else ()),
            *self.after,
        ]
        return "\n  ".join(body), tuple(self.kinds)

    def operand(self, number: int, one: str) -> str:
        mnemonic = self.row.mnemonic
        fixed = _fixed(self.row, number)
        if fixed is not None:
            return fixed
        if one == "imm":
            return _IMMEDIATES.get(mnemonic, "1")
        if one[0] == "[":
            self.inputs.append((f"at_{one[1:-1]}", "r" if one == "[shared]" else "l"))
            return f"[$at_{one[1:-1]}]"
        bare = one.lstrip("=<>")
        t, star, times = bare.partition("*")
        widens = one[0] in "<>"
        if one[0] in "=>":
            parts = [self._output(t, widens, number) for _ in range(int(times or 1))]
        else:
            parts = [self._input(t, widens, number) for _ in range(int(times or 1))]
        return f"{{{', '.join(parts)}}}" if star else parts[0]

    def _output(self, t: str, widens: bool, number: int) -> str:
        c, letter, to_bits = _register(t, widens)
        name = f"d{self.registers}"
        self.registers += 1
        self.before.append(f"{c} {name};")
        self.outputs.append((name, f"={letter}"))
        self.after.append(f"out[{len(self.kinds)}] = {to_bits}({name});")
        self.kinds.append(self._kind(t, number))
        if t != "pred":
            return f"${name}"
        self.inside.append(f".reg .pred q{name};")
        self.behind.append(f"selp.u32 ${name}, 1, 0, q{name};")
        return f"q{name}"

    def _kind(self, t: str, number: int) -> str:
        words = self.row.mnemonic.split(".")
        if words[0] == "mma":
            return {"f16": "f16"}.get(_types_of_matrices(self.row)[0], t if t in ("f32", "f64") else "bits")
        if t in ("f32", "f64"):
            return t
        if words[0] != "mov" and t in ("b16", "b32"):
            for kind in ("bf16", "f16"):
                if words[-1].startswith(kind) or (words[0] == "cvt" and words[-2].startswith(kind)):
                    return kind
            if "tf32" in words:
                return "f32"
        return "bits"

    def _input(self, t: str, widens: bool, number: int) -> str:
        c, letter, _ = _register(t, widens)
        name = f"s{self.slot}"
        word = f"bits[{self.slot} * {LANES}]"
        if self.row.mnemonic.startswith("mma."):
            kind = _types_of_matrices(self.row)[number]
            if kind in DIGITS:
                word = f"{kind}[{self.slot} * {LANES}]"
        self.slot += 1
        self.before.append(f"const {c} {name} = {_value(t, c, word, self.row.mnemonic, number)};")
        self.inputs.append((name, letter))
        if t != "pred":
            return f"${name}"
        self.inside.append(f".reg .pred p{name}; setp.ne.u32 p{name}, ${name}, 0;")
        return f"p{name}"


SHARED_OUT: Final = ("__syncwarp();", f"for (int i = 0; i < {MEMORY}; i++) out[i] = memory[lane][i];")


def own_memory(spaces: Sequence[str]) -> list[str]:
    """The memory of a lane: either in shared memory and copied to the results, or among the results."""
    lines: list[str] = []
    source = f"bits[({SLOTS} - {MEMORY} + i) * {LANES}]"
    if "[global]" in spaces:
        lines += [
            f"for (int i = 0; i < {MEMORY}; i++) out[i] = {source};",
            "unsigned long long* at_global = out;",
        ]
    if "[shared]" in spaces:
        lines += [
            f"__shared__ __align__(128) unsigned long long memory[{LANES}][{MEMORY}];",
            f"for (int i = 0; i < {MEMORY}; i++) memory[lane][i] = {source};",
            "__syncwarp();",
            "const unsigned at_shared = (unsigned)__cvta_generic_to_shared(memory[lane]);",
        ]
    return lines


def _register(t: str, widens: bool) -> tuple[str, str, str]:
    """The C++ type of a register, its constraint, and the function that gives its bits."""
    if t == "f32":
        return "float", "f", "__float_as_uint"
    if t == "f64":
        return "double", "d", "__double_as_longlong"
    if t == "pred" or (widens and int(t[1:]) < 32):
        return "unsigned", "r", ""
    return {
        "16": ("unsigned short", "h", ""),
        "32": ("unsigned", "r", ""),
        "64": ("unsigned long long", "l", ""),
    }[t[1:]]


def _value(t: str, c: str, word: str, mnemonic: str, number: int) -> str:
    """The value of an operand from a word of bits."""
    if mnemonic.startswith(("div.", "rem.")) and t[0] in "su" and number == 2:
        return f"({c})({word} & 0x7fff | 1)"  # a division by 0, or of the least number by -1, has no defined result
    if mnemonic.startswith(("sin.", "cos.", "ex2.", "tanh.")):
        return f"__int2float_rn((int){word} >> 8) * 0x1p-22f"
    if mnemonic.startswith(("lg2.", "rsqrt.", "sqrt.approx", "rcp.approx", "div.approx", "div.full")):
        return f"__uint_as_float(((unsigned){word} & 0x3ffffff) + 0x3e000000u)"
    if t == "f32":
        return f"__uint_as_float((unsigned){word})"
    if t == "f64":
        return f"__longlong_as_double((long long){word})"
    if t == "pred":
        return f"(unsigned){word} >> 13 & 1"
    return f"({c}){word}"


def _types_of_matrices(row: Instruction) -> tuple[str, str, str, str]:
    """The types of D, A, B and C of a product of a warp."""
    words = [word for word in row.mnemonic.split(".") if word not in ("xor", "and", "popc")]
    d, a, b, c = words[-4:]
    return d, a, b, c


def _fixed(row: Instruction, number: int) -> str | None:
    """The text of an operand that is the same in all lanes."""
    first, *rest = row.mnemonic.split(".")
    last = number == len(row.operands) - 1
    if first in ("vote", "redux", "elect") and last:
        return "0xffffffff"
    if first == "shfl" and number >= 3:
        return "0xffffffff" if last else "0" if "up" in rest else "31"
    if first in ("bar", "barrier") and row.operands[number] == "u32":
        return "1" if number == 1 else "32"
    return None
