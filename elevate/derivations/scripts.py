"""Recorded derivations as text: JSON, and a Python script. Knows no file and no rule.

Neither is executed when it is read: a script is parsed, and may name the rules that the reader allows.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Callable, Mapping, Sequence
from reprlib import Repr
from typing import Any, NoReturn

from elevate.derivations.addresses import CODE, Address, Rules, address_of, rule_at
from elevate.derivations.recorded import Record, Recorded, expected_recorded
from elevate.diagnostics import Diagnostic, StrategyError
from elevate.term import path_from

FORMAT = "elevate-derivation"
VERSION = 1
HINT = f"write it by `shine show --stage derivation --output d.json`: format {FORMAT}, version {VERSION}"

Read = Callable[[str], object]


def no_other(text: str) -> object:
    """Reads no parameters but integers."""
    raise ValueError(f"expected an integer, found {text!r}")


def to_json(recorded: Recorded, about: Mapping[str, object] | None = None) -> str:
    """A recorded derivation as JSON; `about` is for people, and is not read back."""
    steps: list[dict[str, Any]] = []
    for one in expected_recorded(recorded).records:
        address = address_of(one.rule)
        parameters = {"parameters": list(address.parameters)} if address.parameters else {}
        steps.append({"rule": address.name, **parameters, "path": list(one.path), "after": one.after})
    head: dict[str, object] = {"format": FORMAT, "version": VERSION, "about": dict(about or {})}
    lines = [f'  "{key}": {json.dumps(value, ensure_ascii=False)},\n' for key, value in head.items()]
    body = ",\n".join(f"    {json.dumps(step, ensure_ascii=False)}" for step in steps)
    return (
        "{\n"
        + "".join(lines)
        + f'  "given": {json.dumps(recorded.given)},\n  "steps": ['
        + f"\n{body}\n  ".rstrip("\n")
    ) + "]\n}\n"


def from_json(text: str, rules: Rules, read: Read = no_other) -> Recorded:
    """Read a recorded derivation. `rules` are all that it may name; `read` reads other parameters than integers.

    Raises StrategyError where the text is something else.
    """
    try:
        found = json.loads(_expected_text(text))
    except (ValueError, RecursionError) as error:
        refuse(f"this is no JSON: {error}")
    if not isinstance(found, dict) or found.get("format") != FORMAT:
        refuse(f"this is JSON, but no {FORMAT}")
    if found.get("version") != VERSION:
        refuse(f"expected version {VERSION} of {FORMAT}, found {shortened.repr(found.get('version'))}")
    match found:
        case {"given": str() as given, "steps": list() as steps}:
            return Recorded(
                given, tuple(_step(number, one, rules, read) for number, one in enumerate(steps, 1))
            )
    refuse("expected `given`, a text, and `steps`, a list")


def _step(number: int, written: object, rules: Rules, read: Read) -> Record:
    match written:
        case {"rule": str() as name, "path": list() as path, "after": str() as after, **rest}:
            parameters = rest.get("parameters", [])
            if all(type(index) is int and index >= 0 for index in path) and isinstance(parameters, list):
                rule = rule_at(Address(name, tuple(map(str, parameters))), rules, read)
                return Record(rule, tuple(path), after)
    refuse(f"step {number}: expected `rule`, `path` and `after`, found {shortened.repr(written)}")


def to_python(recorded: Recorded, about: str = "") -> str:
    """A recorded derivation as a Python script that defines `derivation`, a strategy.

    Raises StrategyError where a rule has parameters that are no integers: JSON holds these too.
    """
    names: dict[str, str] = {}
    lines: list[str] = []
    for one in expected_recorded(recorded).records:
        address = address_of(one.rule)
        if not all(text.isdecimal() or is_address(text) for text in address.parameters):
            refuse(f"{one.rule} has parameters that are no integers", "write JSON: --output d.json")
        given = [text if text.isdecimal() else name_for(text, names) for text in address.parameters]
        called = f"({', '.join(given)})" if given else ""
        base, _, inverse = address.name.partition(".inv")
        suffix = ".inv" if address.name != base else inverse
        path = ".".join(map(str, one.path))
        lines.append(
            f'    record({name_for(base, names)}{called}{suffix}, "{path}", {json.dumps(one.after)}),\n'
        )
    steps = len(recorded.records)
    count = f"{steps} step{'s' * (steps != 1)}, checked when they are taken again."
    head = f'"""{in_docstring(about or "A derivation")}: {count}"""\n\n'
    own = "from elevate import record, recorded\n" if steps else "from elevate import recorded\n"
    body = f"derivation = recorded(\n    {json.dumps(recorded.given)},\n{''.join(lines)})\n"
    return head + own + imports(names) + "\n" + body


def is_address(text: str) -> bool:
    """Whether a text is a `module:name`."""
    module, colon, name = text.partition(":")
    return bool(colon) and name.isidentifier() and all(part.isidentifier() for part in module.split("."))


def in_docstring(text: str) -> str:
    """A text that may stand in a docstring."""
    return " ".join(text.split()).replace("\\", "/").replace('"', "'")


def name_for(address: str, names: dict[str, str]) -> str:
    """What a rule is called in a script; noted in `names`, by address."""
    if address not in names:
        name = address.partition(":")[2]
        taken = {*names.values(), "record", "recorded", "derivation"}
        names[address] = next(
            one
            for one in (name, *(f"{name}_{number}" for number in range(2, len(taken) + 3)))
            if one not in taken
        )
    return names[address]


def imports(names: Mapping[str, str]) -> str:
    """The import lines of a script, by module."""
    modules: dict[str, list[str]] = {}
    for address, name in names.items():
        module, _, own = address.partition(":")
        modules.setdefault(module, []).append(own if own == name else f"{own} as {name}")
    return "".join(
        f"from {module} import {', '.join(sorted(modules[module]))}\n" for module in sorted(modules)
    )


def from_python(text: str, rules: Rules, read: Read = no_other) -> Recorded:
    """Read a script that `to_python` wrote, without executing it. Raises StrategyError where it says more."""
    try:
        statements = ast.parse(_expected_text(text)).body
    except (SyntaxError, ValueError) as error:
        refuse(f"this is no Python: {error}")
    except (RecursionError, MemoryError):
        refuse("this nests more deeply than a written derivation does")
    try:
        return _read(statements, rules, read)
    except _NotOurs as found:
        line = "".join(text.split("\n")[found.line - 1 : found.line])
        title = f"line {found.line}: expected what a written derivation has, found `{line.strip()[:60]}`"
        refuse(title, RUN)


class _NotOurs(Exception):
    """Something on a line that a written derivation does not have."""

    def __init__(self, line: int) -> None:
        super().__init__(line)
        self.line = line


def _read(statements: Sequence[ast.stmt], rules: Rules, read: Read) -> Recorded:
    names: dict[str, str] = {}
    found: Recorded | None = None
    for statement in statements:
        match statement:
            case ast.Expr(ast.Constant(str())):
                pass
            case ast.ImportFrom(str() as module, imported, 0):
                names |= {one.asname or one.name: f"{module}:{one.name}" for one in imported}
            case ast.Assign(
                [ast.Name("derivation")], ast.Call(ast.Name(made), [ast.Constant(str() as given), *steps])
            ) if names.get(made) == "elevate:recorded":
                found = Recorded(given, tuple(_record(one, names, rules, read) for one in steps))
            case _:
                _not_ours(statement)
    return found or refuse("expected an assignment to `derivation`")


def _record(call: ast.expr, names: Mapping[str, str], rules: Rules, read: Read) -> Record:
    match call:
        case ast.Call(
            ast.Name(made), [rule, ast.Constant(str() as path), ast.Constant(str() as after)], []
        ) if names.get(made) == "elevate:record":
            try:
                return Record(rule_at(_address(rule, names), rules, read), path_from(path), after)
            except ValueError as error:
                refuse(f"line {call.lineno}: {error}")
    _not_ours(call)


def _address(rule: ast.expr, names: Mapping[str, str]) -> Address:
    match rule:
        case ast.Name(name) if name in names:
            return Address(names[name])
        case ast.Attribute(ast.Name() | ast.Call() as inner, "inv"):
            found = _address(inner, names)
            return Address(f"{found.name}.inv", found.parameters)
        case ast.Call(ast.Name(name), arguments, []) if name in names:
            values = [
                one.value if isinstance(one, ast.Constant) else names.get(one.id)
                for one in arguments
                if isinstance(one, ast.Constant | ast.Name)
            ]
            if len(values) == len(arguments) and all(type(value) in (int, str) for value in values):
                return Address(names[name], tuple(map(str, values)))
    _not_ours(rule)


def _not_ours(node: ast.stmt | ast.expr) -> NoReturn:
    raise _NotOurs(node.lineno)


def _expected_text(given: str) -> str:
    if not isinstance(given, str):
        refuse(f"expected the text of a derivation, found a value of type {type(given).__name__}")
    return given


#: shows the beginning of what was read, however deep it is
shortened = Repr()
shortened.maxother = shortened.maxstring = 60

RUN = "run a strategy of your own as module:name"


def refuse(title: str, hint: str = HINT) -> NoReturn:
    """Say that a text is no derivation."""
    raise StrategyError(Diagnostic(code=CODE, title=title, hint=hint))
