"""Translates the instructions of an inline assembly statement to C++ that calls the simulator's functions.

Registers are C++ variables of the constraint's or the declaration's type; an instruction reads their bits as its own
types. Knows the table of instructions, not where statements stand.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, NoReturn

from shine.simulator.ptx import SPECIAL, instructions
from shine.simulator.ptx_rows import C_TYPES, Instruction

#: the C++ type and the bits of a register by constraint; `n` is a constant
CONSTRAINTS: Final[Mapping[str, tuple[str, int]]] = {
    "h": ("unsigned short", 16),
    "r": ("unsigned", 32),
    "l": ("unsigned long long", 64),
    "f": ("float", 32),
    "d": ("double", 64),
    "n": ("long long", 0),
}
_REGISTERS: Final = {"16": "unsigned short", "32": "unsigned", "64": "unsigned long long"}
_DECLARATION = re.compile(r"\.reg\s*\.(pred|[busf](?:16|32|64))\s+(.*)", re.DOTALL)
_GUARD = re.compile(r"@(!?)\s*([\w$]+)\s+")
_LABEL = re.compile(r"([A-Za-z_$][\w$]*)\s*:(?!:)\s*")
_BRANCH: Final = ("bra", "bra.uni")
_IMMEDIATE = re.compile(r"[+-]?(?:0[xX][0-9a-fA-F]+|\d+)[uU]?")
_REAL = re.compile(r"0([fF])([0-9a-fA-F]{8})|0([dD])([0-9a-fA-F]{16})|-?\d+\.\d*(?:[eE][+-]?\d+)?")


class BadAssembly(Exception):
    """Assembly that the simulator does not take; the text begins with UNKNOWN or WRONG."""


_SINK: Final = "_"  # stands for a register that is not needed

#: begin the texts: an instruction that the table lacks, and a mistake in one that it has
UNKNOWN: Final = "unknown instruction: "
WRONG: Final = "wrong assembly: "


def _refuse(title: str) -> NoReturn:
    raise BadAssembly(WRONG + title)


@dataclass(frozen=True, slots=True)
class Operand:
    """An operand of a statement: its constraint's letter, the expression, whether it is read and whether written."""

    letter: str
    expression: str
    reads: bool
    writes: bool


@dataclass(frozen=True, slots=True)
class Register:
    """A C++ expression, its type there, and its bits; 0 for a constant and 1 for a predicate."""

    text: str
    bits: int


@dataclass(slots=True)
class _Scope:
    """A brace: its registers and labels, the lines that declare them, and its instructions."""

    registers: dict[str, Register] = field(default_factory=dict)
    labels: set[str] = field(default_factory=set)
    targets: set[str] = field(default_factory=set)
    declared: list[str] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)

    def text(self) -> str:
        """The lines in order. Declarations come first, since a branch must not jump over one."""
        labels = [f"__label__ {', '.join(map(_label, sorted(self.labels)))};"] if self.labels else []
        return " ".join([*labels, *self.declared, *self.lines])


@dataclass(slots=True)
class _Translation:
    operands: Sequence[Operand]
    scopes: list[_Scope] = field(default_factory=lambda: [_Scope()])
    count: int = 0

    def fresh(self) -> str:
        self.count += 1
        return f"sim_v{self.count}"


def statement_text(template: str, operands: Sequence[Operand]) -> str:
    """The C++ of a statement, on one line, without a semicolon. Raises BadAssembly.

    >>> text = statement_text("mov.u32 %0, %laneid;", [Operand("r", "x", False, True)])
    >>> "ptx::lane()" in text, text.endswith("simulator::ptx::give(x, sim_0); } while (0)")
    (True, True)
    """
    translation = _Translation(operands)
    lines = [*_begin(operands), f"{{ {_instructions(template, translation)} }}"]
    for number, operand in enumerate(operands):
        if operand.writes:
            lines.append(f"simulator::ptx::give({operand.expression}, sim_{number});")
    return f"do {{ const int sim_line = __builtin_LINE(); (void)sim_line; {' '.join(lines)} }} while (0)"


def _begin(operands: Sequence[Operand]) -> Iterator[str]:
    for number, operand in enumerate(operands):
        c, _ = CONSTRAINTS[operand.letter]
        if operand.letter == "n":
            yield f"constexpr long long sim_{number} = (long long)({operand.expression});"
        elif operand.reads:
            yield f"{c} sim_{number} = simulator::ptx::taken<{c}>({operand.expression});"
        else:
            yield f"{c} sim_{number} = {{}};"


def _instructions(template: str, translation: _Translation) -> str:
    text = re.sub(r"//[^\n]*|/\*.*?\*/", " ", template, flags=re.DOTALL)
    position = 0
    while (rest := text[position:].lstrip()) != "":
        position = len(text) - len(rest)
        if rest[0] in "{}":
            position += 1
            if rest[0] == "{":
                translation.scopes.append(_Scope())
            elif len(translation.scopes) > 1:
                translation.scopes[-2].lines.append(f"{{ {_closed(translation)} }}")
            else:
                _refuse("expected an open brace before a closing one, found none")
        elif label := _LABEL.match(rest):
            position += label.end()
            _add_label(label[1], translation)
        else:
            end = rest.find(";")
            if end < 0:
                _refuse(f"expected `;` after each instruction, found none after `{rest.strip()[:40]}`")
            position += end + 1
            if rest[:end].strip():
                _add(rest[:end].strip(), translation)
    if len(translation.scopes) > 1:
        _refuse("expected as many closing braces as open ones, found fewer")
    return _closed(translation)


def _closed(translation: _Translation) -> str:
    """The text of the innermost scope, which ends. Branches to labels that it lacks are its enclosing scope's."""
    scope = translation.scopes.pop()
    missing = scope.targets - scope.labels
    if translation.scopes:
        translation.scopes[-1].targets |= missing
    elif missing:
        _refuse(f"expected a label of this statement to branch to, found `{min(missing)}`")
    return scope.text()


def _label(name: str) -> str:
    return "sim_l_" + name.replace("$", "_S_")


def _add_label(name: str, translation: _Translation) -> None:
    scope = translation.scopes[-1]
    if name in scope.labels:
        _refuse(f"expected each label once in its braces, found `{name}` again")
    scope.labels.add(name)
    scope.lines.append(f"{_label(name)}: ;")


def _add(text: str, translation: _Translation) -> None:
    scope = translation.scopes[-1]
    if declared := _DECLARATION.fullmatch(text):
        scope.declared += _declare(declared[1], declared[2], translation)
    else:
        scope.lines.append(_one(text, translation))


def _one(text: str, translation: _Translation) -> str:
    guard = _GUARD.match(text)
    if guard:
        text = text[guard.end() :]
    mnemonic, _, rest = re.sub(r"\s+", " ", text).partition(" ")
    mnemonic = mnemonic.replace("shared::cta", "shared")
    rows = instructions().get(mnemonic)
    if mnemonic in _BRANCH:
        written = _branch(mnemonic, rest.strip(), translation)
    elif rows is None:
        raise BadAssembly(UNKNOWN + mnemonic)
    else:
        written = _call(mnemonic, rows, _split(rest), translation)
    if guard:
        condition = _register(guard[2], translation)
        if condition.bits != 1:
            _refuse(f"expected a predicate before `{mnemonic}`, found `{guard[2]}`")
        return f"if ({'!' if guard[1] else ''}{condition.text}) {{ {written} }}"
    return f"{{ {written} }}"


def _branch(mnemonic: str, target: str, translation: _Translation) -> str:
    if not re.fullmatch(r"[A-Za-z_$][\w$]*", target):
        _refuse(f"expected a label after `{mnemonic}`, found `{target or 'nothing'}`")
    translation.scopes[-1].targets.add(target)
    return f"goto {_label(target)};"


def _declare(t: str, names: str, translation: _Translation) -> list[str]:
    lines = []
    c = "bool" if t == "pred" else _REGISTERS[t[1:]]
    for name in (part.strip() for part in names.split(",")):
        many = re.fullmatch(r"(%?[\w$]+)<(\d+)>", name)
        for one in [f"{many[1]}{i}" for i in range(int(many[2]))] if many else [name]:
            if not re.fullmatch(r"%?[A-Za-z_$][\w$]*", one):
                _refuse(f"expected names of registers after `.reg .{t}`, found `{one}`")
            variable = "sim_r_" + re.sub(r"\W", "_", one)
            register = Register(variable, 1 if t == "pred" else int(t[1:]))
            translation.scopes[-1].registers[one.lstrip("%")] = register
            lines.append(f"{c} {variable} = {{}};")
    return lines


def _split(text: str) -> list[str]:
    """Split operands at commas outside of braces and brackets."""
    parts, depth = [""], 0
    for character in text:
        depth += (character in "{[") - (character in "}]")
        if character == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += character
    return [part.strip() for part in parts] if text.strip() else []


def _call(mnemonic: str, rows: Sequence[Instruction], given: Sequence[str], translation: _Translation) -> str:
    fitting = [row for row in rows if _shapes(row.operands) == [_given_shape(one) for one in given]]
    if not fitting:
        forms = " or ".join(f"`{', '.join(row.operands) or 'nothing'}`" for row in rows)
        _refuse(f"expected {forms} after `{mnemonic}`, found `{', '.join(given) or 'nothing'}`")
    (row,) = fitting
    told = f"{WRONG}expected sm_{row.since} or newer for `{mnemonic}`"
    since = f'static_assert(__CUDA_ARCH__ >= {10 * row.since}, "{told}"); '
    before, arguments, after = [since if row.since > 70 else ""], [], []
    result = ""
    for kind, one in zip(row.operands, given, strict=True):
        t, _, count = kind.lstrip("=><").partition("*")
        if count and kind[0] == "[":
            name = translation.fresh()
            map_text, _, coordinates = one[1:-1].partition(",")
            values = ", ".join(
                _read(part, "s32", False, translation) for part in _split(coordinates.strip()[1:-1])
            )
            before.append(f"const int {name}[{count}] = {{{values}}}; ")
            at = f"(const void *){_address('[global]', f'[{map_text.strip()}]', translation)}.address"
            arguments.append(f"simulator::ptx::Tensor{{{at}, {name}, {count}}}")
        elif kind[0] == "[":
            arguments.append(_address(kind, one, translation))
        elif "|" in t:
            name = translation.fresh()
            result = f"const auto {name} = $;"
            halves = zip(t.split("|"), one.split("|"), ("value", "holds"), strict=True)
            after += [
                _written(part.strip(), C_TYPES[its], _bits(its), False, translation).replace(
                    "$", f"{name}.{member}"
                )
                for its, part, member in halves
                if part.strip() != _SINK
            ]
        elif kind[0] in "=>" and not count:
            if one != _SINK:
                result = _written(one, C_TYPES[t], _bits(t), kind[0] == ">", translation)
        elif count:
            name, parts = translation.fresh(), _split(one[1:-1])
            if kind[0] in "=>":
                before.append(f"{C_TYPES[t]} {name}[{count}] = {{}}; ")
                after += [
                    _written(part, C_TYPES[t], _bits(t), kind[0] == ">", translation).replace(
                        "$", f"{name}[{i}]"
                    )
                    for i, part in enumerate(parts)
                ]
            else:
                values = ", ".join(_read(part, t, kind[0] == "<", translation) for part in parts)
                before.append(f"const {C_TYPES[t]} {name}[{count}] = {{{values}}}; ")
            arguments.append(name)
        else:
            arguments.append(_read(one, t, kind[0] == "<", translation))
    if row.at_line:
        arguments.append("sim_line")
    function = row.function if row.function.startswith("__") else f"simulator::ptx::{row.function}"
    call = f"{function}({', '.join(arguments)})"
    return "".join(before) + (result.replace("$", call) if result else f"{call};") + "".join(after)


def _shapes(operands: Sequence[str]) -> list[str]:
    return [
        _shape_of_address(kind)
        if kind[0] == "["
        else "two"
        if "|" in kind
        else kind.partition("*")[2] or "one"
        for kind in operands
    ]


def _shape_of_address(kind: str) -> str:
    return f"tensor {kind.partition('*')[2]}" if "*" in kind else "address"


def _given_shape(text: str) -> str:
    if text.startswith("["):
        coordinates = _split(text[1:-1])[1:]
        return f"tensor {len(_split(coordinates[0][1:-1]))}" if coordinates else "address"
    if text.startswith("{"):
        return str(len(_split(text[1:-1])))
    return "two" if "|" in text else "one"


def _bits(t: str) -> int:
    return 1 if t == "pred" else int(re.sub(r"\D", "", t) or 0)


def _register(text: str, translation: _Translation) -> Register:
    if number := re.fullmatch(r"%(\d+)", text):
        if int(number[1]) >= len(translation.operands):
            _refuse(f"expected one of {len(translation.operands)} operands, found `{text}`")
        operand = translation.operands[int(number[1])]
        return Register(f"sim_{number[1]}", CONSTRAINTS[operand.letter][1])
    name = text.lstrip("%")
    for scope in reversed(translation.scopes):
        if name in scope.registers:
            return scope.registers[name]
    if name in SPECIAL and text.startswith("%"):
        expression, t = SPECIAL[name]
        return Register(f"({C_TYPES[t]}){expression}", _bits(t))
    _refuse(f"expected a register that is declared, found `{text}`")


def _read(text: str, t: str, may_be_wider: bool, translation: _Translation) -> str:
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
    register = _register(text, translation)
    if register.bits == 0:
        return f"({c}){register.text}"
    if t == "imm":
        _refuse(f"expected a constant (`n`, or a number), found `{text}`")
    if register.bits != _bits(t) and not (may_be_wider and register.bits > _bits(t)):
        _refuse(f"expected a register of type {t}, found `{text}` of {_size(register)}")
    if register.bits != _bits(t):
        return f"({c}){register.text}"
    return f"{'!' if negated else ''}simulator::ptx::as<{c}>({register.text})"


def _written(text: str, c: str, bits: int, may_be_wider: bool, translation: _Translation) -> str:
    """An assignment of `$` to an operand."""
    register = _register(text, translation)
    number = re.fullmatch(r"%(\d+)", text)
    if number and not translation.operands[int(number[1])].writes:
        _refuse(f"expected an operand that is written (`=` or `+`), found `{text}`")
    if register.text.startswith("("):
        _refuse(f"expected a register that can be written, found `{text}`")
    if register.bits != bits and not (may_be_wider and register.bits > bits):
        _refuse(f"expected a register of {bits} bits to write to, found `{text}` of {_size(register)}")
    if register.bits != bits:
        return f"simulator::ptx::widen({register.text}, ({c})($));"
    return f"{register.text} = simulator::ptx::as<decltype({register.text})>($);"


def _size(register: Register) -> str:
    return {0: "no size", 1: "a predicate"}.get(register.bits, f"{register.bits} bits")


def _address(kind: str, text: str, translation: _Translation) -> str:
    parts = re.fullmatch(r"\[\s*(%?[\w$]+)\s*(?:\+\s*([+-]?\s*(?:0[xX][0-9a-fA-F]+|\d+|%\d+))\s*)?\]", text)
    if parts is None:
        _refuse(f"expected an address as `[register]` or `[register + number]`, found `{text}`")
    register = _register(parts[1], translation)
    if register.bits not in (32, 64) or (kind == "[global]" and register.bits == 32):
        _refuse(f"expected an address of 64 bits, found `{parts[1]}` of {_size(register)}")
    offset = ""
    if parts[2]:
        is_operand = parts[2].startswith("%")
        if is_operand and _register(parts[2], translation).bits:
            _refuse(f"expected a constant offset, found `{parts[2]}`")
        offset = f" + {_register(parts[2], translation).text if is_operand else parts[2]}"
    space = "Shared" if kind == "[shared]" else "Global"
    return f"simulator::ptx::{space}{{(unsigned long long)({register.text}){offset}, sim_line}}"
