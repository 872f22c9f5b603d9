"""Translates the instructions of an inline assembly statement to C++ that calls the simulator's functions.

Registers are C++ variables of the constraint's or the declaration's type; an instruction reads their bits as its own
types. Depends on the table of instructions, but not on the context of statements.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from functools import cache
from typing import Final

from rise.records import dataclass
from shine.simulator.ptx import instructions
from shine.simulator.ptx_operands import (
    CONSTRAINTS,
    UNKNOWN,
    WRONG,
    BadAssembly,
    Operand,
    Register,
    Scope,
    Translation,
    address_text,
    bits_of,
    label_text,
    read_text,
    refuse,
    register_address,
    register_of,
    written_text,
)
from shine.simulator.ptx_rows import C_TYPES, Instruction, whatever_order

_REGISTERS: Final = {"16": "unsigned short", "32": "unsigned", "64": "unsigned long long"}
_DECLARATION = re.compile(r"\.reg\s*\.(pred|[busf](?:16|32|64))\s+(.*)", re.DOTALL)
_GUARD = re.compile(r"@(!?)\s*(%?[\w$]+)\s+")
_LABEL = re.compile(r"([A-Za-z_$][\w$]*)\s*:(?!:)\s*")
_BRANCH: Final = ("bra", "bra.uni")
#: instructions that have shared memory of the block or the cluster, and not without saying which
_NEEDS_WINDOW: Final = re.compile(r"cp\.(?:reduce\.)?async\.bulk\b|fence\.proxy\b|st\.async\b|red\.async\b")
_SINK: Final = "_"  # stands for a register that is not needed


def statement_text(template: str, operands: Sequence[Operand]) -> str:
    """The C++ of a statement, on one line, without a semicolon. Raises BadAssembly.

    >>> text = statement_text("mov.u32 %0, %laneid;", [Operand("r", "x", False, True)])
    >>> "ptx::lane()" in text, text.endswith("simulator::ptx::give(x, sim_0); } while (0)")
    (True, True)
    """
    translation = Translation(operands)
    body = _instructions(template, translation)
    lines = [*_begin(operands, translation.addressed), f"{{ {body} }}"]
    for number, operand in enumerate(operands):
        if operand.writes and number not in translation.addressed:
            lines.append(f"simulator::ptx::give({operand.expression}, sim_{number});")
    return f"do {{ const int sim_line = __builtin_LINE(); (void)sim_line; {' '.join(lines)} }} while (0)"


def _begin(operands: Sequence[Operand], addressed: set[int]) -> Iterator[str]:
    for number, operand in enumerate(operands):
        c, _ = CONSTRAINTS[operand.letter]
        if number in addressed:
            continue
        if operand.letter == "n":
            yield f"constexpr long long sim_{number} = (long long)({operand.expression});"
        elif operand.reads:
            yield f"{c} sim_{number} = simulator::ptx::taken<{c}>({operand.expression});"
        else:
            yield f"{c} sim_{number} = {{}};"


def _instructions(template: str, translation: Translation) -> str:
    text = re.sub(r"//[^\n]*|/\*.*?\*/", " ", template, flags=re.DOTALL)
    position = 0
    while (rest := text[position:].lstrip()) != "":
        position = len(text) - len(rest)
        if rest[0] in "{}":
            position += 1
            if rest[0] == "{":
                translation.scopes.append(Scope())
            elif len(translation.scopes) > 1:
                translation.scopes[-2].lines.append(f"{{ {_closed(translation)} }}")
            else:
                refuse("expected an open brace before a closing one, found none")
        elif label := _LABEL.match(rest):
            position += label.end()
            _add_label(label[1], translation)
        else:
            end = rest.find(";")
            if end < 0:
                refuse(f"expected `;` after each instruction, found none after `{rest.strip()[:40]}`")
            position += end + 1
            if rest[:end].strip():
                _add(rest[:end].strip(), translation)
    if len(translation.scopes) > 1:
        refuse("expected as many closing braces as open ones, found fewer")
    return _closed(translation)


def _closed(translation: Translation) -> str:
    """Close the innermost scope, and return its text. Branches to labels that it lacks are passed to the enclosing
    scope.
    """
    scope = translation.scopes.pop()
    missing = scope.targets - scope.labels
    if translation.scopes:
        translation.scopes[-1].targets |= missing
    elif missing:
        refuse(f"expected a label of this statement to branch to, found `{min(missing)}`")
    return scope.text()


def _add_label(name: str, translation: Translation) -> None:
    scope = translation.scopes[-1]
    if name in scope.labels:
        refuse(f"expected each label once in its braces, found `{name}` again")
    scope.labels.add(name)
    scope.lines.append(f"{label_text(name)}: ;")


def _add(text: str, translation: Translation) -> None:
    scope = translation.scopes[-1]
    if declared := _DECLARATION.fullmatch(text):
        scope.declared += _declare(declared[1], declared[2], translation)
    else:
        scope.lines.append(_one(text, translation))


def _one(text: str, translation: Translation) -> str:
    guard = _GUARD.match(text)
    if guard:
        text = text[guard.end() :]
    given, _, rest = re.sub(r"\s+", " ", text).partition(" ")
    mnemonic = in_order(given.replace("shared::cta", "shared"))
    if _NEEDS_WINDOW.match(mnemonic) and re.search(r"\.shared(?!::)", given):
        refuse(f"expected `.shared::cta` or `.shared::cluster` in `{given}`, found `.shared`")
    rows = instructions().get(mnemonic)
    if rows is None and mnemonic.startswith(("ld.", "st.")):
        rows = instructions().get(mnemonic.replace("shared::cluster", "shared"))
    if mnemonic in _BRANCH:
        written = _branch(mnemonic, rest.strip(), translation)
    elif rows is None:
        raise BadAssembly(UNKNOWN + mnemonic)
    else:
        written = _call(mnemonic, rows, _split(rest), translation)
    if guard:
        condition = register_of(guard[2], translation)
        if condition.bits != 1:
            refuse(f"expected a predicate before `{mnemonic}`, found `{guard[2]}`")
        return f"if ({'!' if guard[1] else ''}{condition.text}) {{ {written} }}"
    return f"{{ {written} }}"


@cache
def _orders() -> Mapping[tuple[object, ...], set[str]]:
    """The mnemonics of the table, by what they have in common with the same modifiers in another order."""
    found: dict[tuple[object, ...], set[str]] = {}
    for mnemonic in instructions():
        found.setdefault(whatever_order(mnemonic), set()).add(mnemonic)
    return found


def in_order(mnemonic: str) -> str:
    """The mnemonic as the table has it, if that differs only in the order of modifiers.

    >>> in_order("ldmatrix.sync.aligned.x4.m8n8.shared.b16")
    'ldmatrix.sync.aligned.m8n8.x4.shared.b16'
    """
    known = instructions()
    return mnemonic if mnemonic in known else min(_orders().get(whatever_order(mnemonic), (mnemonic,)))


def _branch(mnemonic: str, target: str, translation: Translation) -> str:
    if not re.fullmatch(r"[A-Za-z_$][\w$]*", target):
        refuse(f"expected a label after `{mnemonic}`, found `{target or 'nothing'}`")
    translation.scopes[-1].targets.add(target)
    return f"goto {label_text(target)};"


def _declare(t: str, names: str, translation: Translation) -> list[str]:
    lines = []
    c = "bool" if t == "pred" else _REGISTERS[t[1:]]
    for name in (part.strip() for part in names.split(",")):
        many = re.fullmatch(r"(%?[\w$]+)<(\d+)>", name)
        for one in [f"{many[1]}{i}" for i in range(int(many[2]))] if many else [name]:
            if not re.fullmatch(r"%?[A-Za-z_$][\w$]*", one):
                refuse(f"expected names of registers after `.reg .{t}`, found `{one}`")
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


def _call(mnemonic: str, rows: Sequence[Instruction], given: Sequence[str], translation: Translation) -> str:
    fitting = [row for row in rows if _shapes(row.operands) == [_given_shape(one) for one in given]]
    if not fitting:
        forms = " or ".join(f"`{', '.join(row.operands) or 'nothing'}`" for row in rows)
        refuse(f"expected {forms} after `{mnemonic}`, found `{', '.join(given) or 'nothing'}`")
    (row,) = fitting
    call = _Call(mnemonic, translation)
    if row.since > 70:
        too_old = f"{WRONG}expected sm_{row.since} or newer for `{mnemonic}`"
        call.before.append(f'static_assert(__CUDA_ARCH__ >= {10 * row.since}, "{too_old}"); ')
    if row.until:
        too_new = f"{WRONG}expected sm_{row.until} or older for `{mnemonic}`"
        call.before.append(f'static_assert(__CUDA_ARCH__ <= {10 * row.until}, "{too_new}"); ')
    for kind, one in zip(row.operands, given, strict=True):
        call.add(kind, one)
    if row.at_line:
        call.arguments.append("sim_line")
    return call.text(row.function if row.function.startswith("__") else f"simulator::ptx::{row.function}")


@dataclass(slots=True)
class _Call:
    """The text of a call, to which operands are added in order.

    `result` is a statement with `$` for the call, if its value is used.
    """

    mnemonic: str
    translation: Translation
    before: list[str] = field(default_factory=list)
    arguments: list[str] = field(default_factory=list)
    result: str = "$;"
    after: list[str] = field(default_factory=list)

    def text(self, function: str) -> str:
        """The statements of a call of the function."""
        call = self.result.replace("$", f"{function}({', '.join(self.arguments)})")
        return "".join(self.before) + call + "".join(self.after)

    def add(self, kind: str, given: str) -> None:
        """Add an operand of a kind, as rows of the table write it."""
        t, _, count = kind.lstrip("=><+").partition("*")
        if kind[0] == "[" and count:
            self._add_tensor(count, given)
        elif kind[0] == "[":
            is_of_cluster = "shared::cluster" in self.mnemonic
            self.arguments.append(address_text(kind, given, self.translation, is_of_cluster))
        elif "|" in t:
            self._add_two(t, given)
        elif kind == _SINK:
            if given != _SINK:
                refuse(
                    f"expected `_` in `{self.mnemonic}`, which gives no state of another block, found `{given}`"
                )
        elif count:
            self._add_several(kind, t, count, given)
        elif kind[0] not in "=>":
            self.arguments.append(read_text(given, t, kind[0] == "<", self.translation))
        elif given != _SINK:
            self.result = self._written(given, t, kind[0] == ">")

    def _written(self, given: str, t: str, may_be_wider: bool = False) -> str:
        return written_text(given, C_TYPES[t], bits_of(t), may_be_wider, self.translation)

    def _add_tensor(self, count: str, given: str) -> None:
        """A tensor map with coordinates."""
        name = self.translation.fresh()
        map_text, _, coordinates = given[1:-1].partition(",")
        numbers = _split(coordinates.strip()[1:-1])
        values = ", ".join(read_text(number, "s32", False, self.translation) for number in numbers)
        self.before.append(f"const int {name}[{count}] = {{{values}}}; ")
        address = address_text("[global]", f"[{map_text.strip()}]", self.translation)
        self.arguments.append(f"simulator::ptx::Tensor{{(const void *){address}.address, {name}, {count}}}")

    def _add_two(self, types: str, given: str) -> None:
        """A value and a predicate, which the call returns together."""
        name = self.translation.fresh()
        self.result = f"const auto {name} = $;"
        for t, part, member in zip(types.split("|"), given.split("|"), ("value", "holds"), strict=True):
            if part.strip() != _SINK:
                self.after.append(self._written(part.strip(), t).replace("$", f"{name}.{member}"))

    def _add_several(self, kind: str, t: str, count: str, given: str) -> None:
        """Several registers, as an array."""
        name, parts = self.translation.fresh(), _split(given[1:-1])
        if kind[0] == "+":
            addresses = ", ".join(register_address(part, bits_of(t), self.translation) for part in parts)
            self.before.append(f"char *{name}[{count}] = {{{addresses}}}; ")
        elif kind[0] in "=>":
            self.before.append(f"{C_TYPES[t]} {name}[{count}] = {{}}; ")
            for number, part in enumerate(parts):
                written = self._written(part, t, kind[0] == ">")
                self.after.append(written.replace("$", f"{name}[{number}]"))
        else:
            values = ", ".join(read_text(part, t, kind[0] == "<", self.translation) for part in parts)
            self.before.append(f"const {C_TYPES[t]} {name}[{count}] = {{{values}}}; ")
        self.arguments.append(name)


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
