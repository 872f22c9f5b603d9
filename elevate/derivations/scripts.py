"""Recorded derivations as text: JSON or a Python script. Independent of files and rules.

Neither is executed when it is read: a script is parsed, and may only name rules that the reader allows.
"""

from __future__ import annotations

import ast
import json
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from reprlib import Repr
from typing import Any, NoReturn

from elevate.derivations.addresses import CODE, Address, Rules, address_of, rule_at
from elevate.derivations.records import Record, Recorded, expected_recorded
from elevate.diagnostics import Diagnostic, StrategyError
from elevate.term import path_from
from elevate.tracebacks import ends_at_the_users_line

FORMAT = "elevate-derivation"
VERSIONS = (1, 2)
HINT = f"write it by `shine show --stage derivation --output d.json`: format {FORMAT}, version 1 or 2"

Read = Callable[[str], object]


@dataclass(frozen=True, slots=True)
class Evidence:
    """What version 2 adds: entries of the file, and of each step, from which a checker of the language can check the
    derivation without the rules.
    """

    entries: Mapping[str, object]
    steps: Sequence[Mapping[str, object]]


def read_no_other(text: str) -> object:
    """Reject all parameters that are not integers."""
    raise ValueError(f"expected an integer, found {text!r}")


@ends_at_the_users_line
def to_json(
    recorded: Recorded, about: Mapping[str, object] | None = None, evidence: Evidence | None = None
) -> str:
    """A recorded derivation as JSON, of version 2 if it has evidence; `about` is for people and is not read back."""
    records = expected_recorded(recorded).records
    added = [{} for _ in records] if evidence is None else evidence.steps
    steps: list[dict[str, Any]] = []
    for record, more in zip(records, added, strict=True):
        address = address_of(record.rule)
        parameters = {"parameters": list(address.parameters)} if address.parameters else {}
        at = {"rule": address.name, **parameters, "path": list(record.path), "after": record.after}
        steps.append({**at, **more})
    version = VERSIONS[evidence is not None]
    head: dict[str, object] = {"format": FORMAT, "version": version, "about": dict(about or {})}
    head |= {} if evidence is None else evidence.entries
    lines = [f'  "{key}": {json.dumps(value, ensure_ascii=False)},\n' for key, value in head.items()]
    body = ",\n".join(f"    {json.dumps(step, ensure_ascii=False)}" for step in steps)
    return (
        "{\n"
        + "".join(lines)
        + f'  "given": {json.dumps(recorded.given)},\n  "steps": ['
        + f"\n{body}\n  ".rstrip("\n")
    ) + "]\n}\n"


@ends_at_the_users_line
def from_json(text: str, rules: Rules, read: Read = read_no_other) -> Recorded:
    """Read a recorded derivation. It may only name `rules`; `read` reads parameters that are not integers.

    Raises StrategyError if the text is something else.
    """
    content = content_of(text)
    return Recorded(
        content["given"],
        tuple(_step(number, step, rules, read) for number, step in enumerate(content["steps"], 1)),
    )


def content_of(text: str) -> dict[str, Any]:
    """The content of a file; only `version`, `given` and that `steps` is a list are checked. Raises StrategyError."""
    try:
        content = json.loads(_expected_text(text))
    except (ValueError, RecursionError) as error:
        refuse(f"this is not JSON: {error}")
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        refuse(f"this is JSON, but not of format {FORMAT}")
    if content.get("version") not in VERSIONS or type(content["version"]) is not int:
        refuse(f"expected version 1 or 2 of {FORMAT}, found {shortened.repr(content.get('version'))}")
    match content:
        case {"given": str(), "steps": list()}:
            return content
    refuse("expected `given`, a text, and `steps`, a list")


def _step(number: int, written: object, rules: Rules, read: Read) -> Record:
    match written:
        case {"rule": str() as name, "path": list() as path, "after": str() as after, **rest}:
            parameters = rest.get("parameters", [])
            if (
                all(type(index) is int and index >= 0 for index in path)
                and isinstance(parameters, list)
                and all(type(parameter) in (int, str) for parameter in parameters)
            ):
                rule = rule_at(Address(name, tuple(map(str, parameters))), rules, read)
                return Record(rule, tuple(path), after)
    refuse(f"step {number}: expected `rule`, `path` and `after`, found {shortened.repr(written)}")


@ends_at_the_users_line
def to_python(recorded: Recorded, about: str = "") -> str:
    """A recorded derivation as a Python script that defines `derivation`, a strategy.

    Raises StrategyError if a rule has parameters that are not integers; JSON supports these too.
    """
    names: dict[str, str] = {}
    lines: list[str] = []
    for record in expected_recorded(recorded).records:
        address = address_of(record.rule)
        if not all(text.isdecimal() or is_address(text) for text in address.parameters):
            refuse(f"{record.rule} has parameters that are not integers", "write JSON: --output d.json")
        arguments = [text if text.isdecimal() else name_for(text, names) for text in address.parameters]
        call = f"({', '.join(arguments)})" if arguments else ""
        base = address.base
        suffix = address.name.removeprefix(base)
        path = ".".join(map(str, record.path))
        lines.append(
            f'    record({name_for(base, names)}{call}{suffix}, "{path}", {_literal(record.after)}),\n'
        )
    steps = len(recorded.records)
    count = f"{steps} step{'s' * (steps != 1)}, checked when they are replayed."
    docstring = f'"""{in_docstring(about or "A derivation")}: {count}"""\n\n'
    elevate_import = "from elevate import record, recorded\n" if steps else "from elevate import recorded\n"
    body = f"derivation = recorded(\n    {_literal(recorded.given)},\n{''.join(lines)})\n"
    return docstring + elevate_import + imports(names) + "\n" + body


def _literal(text: str) -> str:
    """A Python literal. JSON's is one if it is ASCII: JSON writes other characters as pairs of surrogates."""
    return json.dumps(text) if text.isascii() else repr(text)


def is_address(text: str) -> bool:
    """Whether a text is a `module:name`."""
    module, colon, name = text.partition(":")
    return bool(colon) and name.isidentifier() and all(part.isidentifier() for part in module.split("."))


def in_docstring(text: str) -> str:
    """A text with everything replaced that a docstring cannot contain."""
    return " ".join(text.split()).replace("\\", "/").replace('"', "'")


def name_for(address: str, names: dict[str, str]) -> str:
    """The name of a rule in a script, added to `names` by address."""
    if address not in names:
        name = address.partition(":")[2]
        taken = {*names.values(), "record", "recorded", "derivation"}
        names[address] = next(
            candidate
            for candidate in (name, *(f"{name}_{number}" for number in range(2, len(taken) + 3)))
            if candidate not in taken
        )
    return names[address]


def imports(names: Mapping[str, str]) -> str:
    """The import lines of a script, by module."""
    modules: dict[str, list[str]] = {}
    for address, name in names.items():
        module, _, own_name = address.partition(":")
        modules.setdefault(module, []).append(own_name if own_name == name else f"{own_name} as {name}")
    return "".join(
        f"from {module} import {', '.join(sorted(modules[module]))}\n" for module in sorted(modules)
    )


@ends_at_the_users_line
def from_python(text: str, rules: Rules, read: Read = read_no_other) -> Recorded:
    """Read a script that `to_python` wrote, without executing it. Raises StrategyError if it contains anything else."""
    try:
        with warnings.catch_warnings(action="ignore"):
            statements = ast.parse(_expected_text(text)).body
    except (SyntaxError, ValueError) as error:
        refuse(f"this is not Python: {error}")
    except (RecursionError, MemoryError):
        refuse("this nests more deeply than a saved derivation does")
    try:
        return _read(statements, rules, read)
    except _ForeignCode as foreign:
        line = "".join(text.split("\n")[foreign.line - 1 : foreign.line])
        title = f"line {foreign.line}: expected only what a saved derivation contains, found `{line.strip()[:60]}`"
        refuse(title, RUN)


class _ForeignCode(Exception):
    """A line with something that a saved derivation does not contain."""

    def __init__(self, line: int) -> None:
        super().__init__(line)
        self.line = line


def _read(statements: Sequence[ast.stmt], rules: Rules, read: Read) -> Recorded:
    names: dict[str, str] = {}
    recorded: Recorded | None = None
    for statement in statements:
        match statement:
            case ast.Expr(ast.Constant(str())):
                pass
            case ast.ImportFrom(str() as module, imported, 0):
                names |= {alias.asname or alias.name: f"{module}:{alias.name}" for alias in imported}
            case ast.Assign(
                [ast.Name("derivation")], ast.Call(ast.Name(function), [ast.Constant(str() as given), *steps])
            ) if names.get(function) == "elevate:recorded":
                recorded = Recorded(given, tuple(_record(step, names, rules, read) for step in steps))
            case _:
                _foreign_code(statement)
    return recorded or refuse("expected an assignment to `derivation`")


def _record(call: ast.expr, names: Mapping[str, str], rules: Rules, read: Read) -> Record:
    match call:
        case ast.Call(
            ast.Name(function), [rule, ast.Constant(str() as path), ast.Constant(str() as after)], []
        ) if names.get(function) == "elevate:record":
            try:
                return Record(rule_at(_address(rule, names), rules, read), path_from(path), after)
            except ValueError as error:
                refuse(f"line {call.lineno}: {error}")
    _foreign_code(call)


def _address(rule: ast.expr, names: Mapping[str, str]) -> Address:
    match rule:
        case ast.Name(name) if name in names:
            return Address(names[name])
        case ast.Attribute(ast.Name() | ast.Call() as inner, "inv"):
            base = _address(inner, names)
            return Address(f"{base.name}.inv", base.parameters)
        case ast.Call(ast.Name(name), arguments, []) if name in names:
            values = [
                argument.value if isinstance(argument, ast.Constant) else names.get(argument.id)
                for argument in arguments
                if isinstance(argument, ast.Constant | ast.Name)
            ]
            if len(values) == len(arguments) and all(type(value) in (int, str) for value in values):
                return Address(names[name], tuple(map(str, values)))
    _foreign_code(rule)


def _foreign_code(node: ast.stmt | ast.expr) -> NoReturn:
    raise _ForeignCode(node.lineno)


def _expected_text(given: str) -> str:
    if not isinstance(given, str):
        refuse(f"expected the text of a derivation, found a value of type {type(given).__name__}")
    return given


shortened = Repr()
"""Shows the beginning of a value, however deep it is."""
shortened.maxother = shortened.maxstring = 60

RUN = "run your own strategy as module:name"


def refuse(title: str, hint: str = HINT) -> NoReturn:
    """Raise the error for a text that is not a derivation."""
    raise StrategyError(Diagnostic(code=CODE, title=title, hint=hint))
