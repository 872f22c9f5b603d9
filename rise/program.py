"""Programs: a text's definitions as typed terms. Knows no strategy."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from rise.diagnostics import Diagnostic, RiseError, did_you_mean
from rise.inference.definitions import define, elaborator
from rise.inference.kinds import Scope, is_kind, read_kind, read_type
from rise.naturals import NatVar
from rise.nodes import Node
from rise.terms import Expr, Var
from rise.text import syntax as s
from rise.text.printer import is_reserved
from rise.text.reader import decode, read_expression, read_program
from rise.text.reader import read_type as read_type_text
from rise.text.trees import Span
from rise.types import TypeVar


@dataclass(frozen=True, slots=True)
class Program(Mapping[str, Expr]):
    """The definitions of a text, by name, in order: a mapping to typed terms.

    `text` and `file` are what was read; `spans` says where each definition stands in it, `docs` what the
    comment above it says.
    """

    definitions: Mapping[str, Expr]
    text: str = ""
    file: str = ""
    spans: Mapping[str, Span] = field(default_factory=dict)
    docs: Mapping[str, str] = field(default_factory=dict)

    def __getitem__(self, name: str) -> Expr:
        try:
            return self.definitions[name]
        except KeyError:
            hint = did_you_mean(name, self.definitions) or "definitions: " + ", ".join(self.definitions)
            raise RiseError(
                Diagnostic(
                    "unknown-definition", f"`{name}` is not defined", (), hint, (), self.text, self.file
                )
            ) from None

    def __contains__(self, name: object) -> bool:
        return name in self.definitions

    def __iter__(self) -> Iterator[str]:
        return iter(self.definitions)

    def __len__(self) -> int:
        return len(self.definitions)

    @property
    def main(self) -> Expr:
        """The only definition, else the one called `main`; else RiseError lists them."""
        return self[self.main_name]

    @property
    def main_name(self) -> str:
        """The name of the main definition."""
        if len(self.definitions) == 1:
            return next(iter(self.definitions))
        if "main" in self.definitions:
            return "main"
        title = f"expected one definition or one called `main`, found {', '.join(self.definitions)}"
        hint = "choose one: --def NAME, or program[name]"
        raise RiseError(Diagnostic("which-definition", title, (), hint, (), "", self.file))


def parse(text: str, file: str = "") -> Program:
    """Read definitions (or one expression, then called `main`) and infer their types.

    Raises RiseError with one diagnostic.
    """
    syntax = read_program(text, file)
    definitions: dict[str, Expr] = {}
    spans: dict[str, Span] = {}
    docs: dict[str, str] = {}
    if syntax.expression is not None:
        work = elaborator(text, file, {}, {})
        definitions["main"] = define(work, syntax.expression)
        spans["main"] = syntax.expression.span
    order = {definition.name: position for position, definition in enumerate(syntax.definitions)}
    for definition in syntax.definitions:
        name = definition.name
        if name in definitions:
            hint = "give one of them another name"
            Scope(source=text, file=file).fail(
                "defined-twice", f"`{name}` is defined twice", definition.name_span, "again here", hint
            )
        if is_reserved(name):
            title = f"`{name}` has a meaning in the language"
            Scope(source=text, file=file).fail(
                "reserved-name", title, definition.name_span, "", "give the definition another name"
            )
        work = elaborator(text, file, definitions, {})
        work.complain.recursive = name
        work.complain.order = order
        definitions[name] = define(work, definition.body, definition.type, definition.facts)
        spans[name] = definition.span
        docs[name] = definition.doc
    return Program(definitions, text, file, spans, docs)


def parse_file(path: str | Path) -> Program:
    """`parse` the text of a file. A file that cannot be read or is no UTF-8 is a RiseError."""
    name = str(path)
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        reason = error.strerror or str(error)
        raise RiseError(
            Diagnostic("file", f"{name} cannot be read: {reason}", hint="check the path")
        ) from None
    return parse(decode(data, name), name)


def parse_expr(text: str, context: Mapping[str, str] | None = None) -> Expr:
    """Read one expression. `context` gives the types of its free variables (`{"xs": "n.f32"}`); sizes that
    occur there are free too; a size alone is `{"n": "nat"}`, a type `{"t": "num"}`."""
    free = context_variables(context or {})
    return define(elaborator(text, "", {}, free), read_expression(text))


def context_variables(context: Mapping[str, str]) -> dict[str, Node]:
    """The free variables that a context declares."""
    free: dict[str, Node] = {}
    types: dict[str, s.Type] = {}
    for name, written in context.items():
        if is_reserved(name):
            title = f"`{name}` has a meaning in the language"
            raise RiseError(Diagnostic("reserved-name", title, hint="give the free variable another name"))
        syntax = read_type_text(written)
        if is_kind(syntax):
            kind = read_kind(Scope(source=written), syntax)
            free[name] = NatVar(name, None) if kind == "nat" else TypeVar(name, kind)
        else:
            types[name] = syntax

    def lookup(name: str, kind: str) -> Node | None:
        if kind == "nat" and name not in types:
            free.setdefault(name, NatVar(name, None))
        return free.get(name)

    values = {
        name: Var(name, read_type(Scope(free=lookup, source=context[name]), t)) for name, t in types.items()
    }
    return {**free, **values}
