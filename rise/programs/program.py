"""Programs: the definitions of a text as typed terms. Independent of strategies."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import field, replace
from functools import cache
from os import PathLike
from pathlib import Path
from typing import Final

from rise.argument_checks import expected
from rise.diagnostics import Diagnostic, Label, RiseError, did_you_mean
from rise.garbage_collection import collections_off
from rise.inference.definitions import define, elaboration
from rise.inference.effort import Effort
from rise.inference.elaboration import Elaboration
from rise.inference.instances import Instances
from rise.inference.kinds import is_kind, read_kind
from rise.inference.names import is_reserved
from rise.inference.places import span_in
from rise.inference.questions import TypeNote
from rise.inference.schemes import scheme_variable
from rise.inference.scope import Scope, Synonym
from rise.inference.types import read_synonym, read_type
from rise.naturals import NatVar
from rise.nodes import Node
from rise.programs.foreign import no_function, signature_of
from rise.records import dataclass
from rise.terms import Expr, Var
from rise.text import syntax as s
from rise.text.libraries import Source, library_path, module_name, read_bytes, refuse, sources
from rise.text.names import bounded, meaning_of
from rise.text.reader import decode, read_expression
from rise.text.reader import read_type as read_type_text
from rise.text.trees import Span
from rise.tracebacks import ends_at_the_users_line

MAX_LISTED_CHARACTERS: Final = 200  # that a list of names has in messages
CONTEXT_HINT: Final = 'for example rise.parse_expr("map(f, xs)", {"f": "f32 -> f32", "xs": "N.f32"})'


@dataclass(frozen=True, slots=True)
class Program(Mapping[str, Expr]):
    """The definitions of a text, by name, in order: a mapping to typed terms.

    `text` and `file` are the source. `spans` has the place of each definition in it, `docs` the comment above each
    definition, and `doc` the comment at the head of the text. `types` are its names for types, `foreign` its foreign
    functions, and `notes` the output of `printType`.
    """

    definitions: Mapping[str, Expr]
    text: str = ""
    file: str = ""
    spans: Mapping[str, Span] = field(default_factory=dict)
    docs: Mapping[str, str] = field(default_factory=dict)
    doc: str = ""
    types: Mapping[str, Synonym] = field(default_factory=dict)
    foreign: Mapping[str, Var] = field(default_factory=dict)
    notes: tuple[TypeNote, ...] = ()

    def __getitem__(self, name: str) -> Expr:
        expected(name, str, "the name of a definition", 'as program["main"]')
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
        """The only definition, or the one called `main`. If there is neither, raises RiseError, which lists the
        definitions.
        """
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


@ends_at_the_users_line
@collections_off()
def parse(text: str, file: str = "") -> Program:
    """Parse definitions (or one expression, which is then called `main`) and infer their types. Imports of files are
    relative to `file`. Raises RiseError with one diagnostic.
    """
    expected(file, str | PathLike, "the path that the text is from", "`rise.parse_file` reads a file")
    programs: dict[Path | None, Program] = {}
    program = Program({})
    for source in sources(text, file):
        program = programs[source.path] = _elaborated(source, programs)
    return program


@cache
def library(name: str) -> Program:
    """The definitions of a library. Raises RiseError for an unknown name.

    >>> str(library("linear_algebra")["dot"].type)
    '{n: nat} -> {t: ring} -> n.t -> n.t -> t'
    """
    path = library_path(name)
    return parse(decode(read_bytes(path, path.name), path.name), path.name)


@collections_off()
def span_of(program: Program, name: str, path: tuple[int, ...]) -> Span | None:
    """The place of a part of a definition in the program's text; None if the text cannot be read again.

    `path` leads to the part from below the dependent parameters at the head of the definition's term. For a part of
    another text's definition, or of a function of a block, this is where that definition or function is named. The text
    is elaborated again, since terms store no places.

    >>> program = parse("val main = fun(xs: N.f32 => xs |> map(sqrt))")
    >>> start, end = span_of(program, "main", (0, 1))
    >>> program.text[start:end]
    'xs'
    """
    programs: dict[Path | None, Program] = {}
    elaborations: dict[str, Elaboration] = {}
    try:
        for source in sources(program.text, program.file):
            elaborations.clear()
            programs[source.path] = _elaborated(source, programs, elaborations)
    except RiseError:
        return None  # a file that it imports has changed
    last = programs[next(reversed(programs))]
    by_term: dict[Expr, Elaboration] = {}
    for other, work in elaborations.items():
        by_term.setdefault(last[other], work)  # the first one of equal terms, which cannot name the others
    return span_in(elaborations[name], path, by_term) if name in elaborations else None


def _elaborated(
    source: Source, programs: Mapping[Path | None, Program], works: dict[str, Elaboration] | None = None
) -> Program:
    """The program of a text, given the programs of the files that it imports. Adds the elaboration of each definition
    to `works`.
    """
    syntax, text, file = source.syntax, source.text, source.file
    instances = Instances(Effort(len(text)))
    known = _imported(source, programs)
    types, own_types = _synonyms(source, programs, instances.effort)
    foreign = _foreign(source, types)
    known |= foreign
    definitions: dict[str, Expr] = {}
    spans: dict[str, Span] = {}
    docs: dict[str, str] = {}
    notes: list[TypeNote] = []
    if syntax.expression is not None:
        work = elaboration(text, file, known, {}, synonyms=types, instances=instances)
        work.notes = notes
        definitions["main"] = define(work, syntax.expression)
        if works is not None:
            works["main"] = work
        spans["main"] = syntax.expression.span
    order = {definition.name: position for position, definition in enumerate(syntax.definitions)}
    for definition in syntax.definitions:
        name = definition.name
        if name in definitions or name in foreign:
            hint = "give one of them another name"
            Scope(source=text, file=file).fail(
                "defined-twice", f"`{name}` is defined twice", definition.name_span, "again here", hint
            )
        if is_reserved(name):
            title = f"`{name}` has a meaning in the language: {meaning_of(name)}"
            Scope(source=text, file=file).fail(
                "reserved-name", title, definition.name_span, "", "give the definition another name"
            )
        work = elaboration(text, file, known, {}, synonyms=types, instances=instances)
        work.notes = notes
        work.complain.recursive.append(name)
        work.complain.order = order
        known[name] = definitions[name] = define(work, definition.body, definition.type, definition.facts)
        if works is not None:
            works[name] = work
        spans[name] = definition.span
        docs[name] = definition.doc
    return Program(definitions, text, file, spans, docs, syntax.doc, own_types, foreign, _in_order(notes))


def _in_order(notes: list[TypeNote]) -> tuple[TypeNote, ...]:
    return tuple(sorted(notes, key=lambda note: (note.line, note.column)))


def _synonyms(
    source: Source, programs: Mapping[Path | None, Program], effort: Effort
) -> tuple[dict[str, Synonym], dict[str, Synonym]]:
    """The type synonyms in scope in a text, and those that it defines itself, which hide imported ones."""
    known: dict[str, Synonym] = {}
    for import_, path in zip(source.syntax.imports, source.beside, strict=True):
        program = library(module_name(import_)) if path is None else programs[path]
        names = {name.name for name in import_.names} or set(program.types)
        known |= {name: synonym for name, synonym in program.types.items() if name in names}
    own: dict[str, Synonym] = {}
    for synonym in source.syntax.synonyms:
        scope = Scope(source=source.text, file=source.file, synonyms=known, effort=effort)
        name, span = synonym.name, synonym.name_span
        if name in own:
            scope.fail(
                "defined-twice", f"`{name}` is defined twice", span, "again here", "give one another name"
            )
        if is_reserved(name):
            title = f"`{name}` has a meaning in the language: {meaning_of(name)}"
            scope.fail("reserved-name", title, span, "", "give the type another name")
        own[name] = read_synonym(scope, synonym)
        known[name] = own[name]
    return known, own


def _foreign(source: Source, types: Mapping[str, Synonym]) -> dict[str, Var]:
    """The foreign functions that a text declares: free variables of its terms."""
    functions: dict[str, Var] = {}
    for declaration in source.syntax.foreign:
        scope = Scope(free=_any_size, source=source.text, file=source.file, synonyms=types)
        if declaration.name in functions:
            hint = "declare it once"
            title = f"`{declaration.name}` is defined twice"
            scope.fail("defined-twice", title, declaration.name_span, "again here", hint)
        if is_reserved(declaration.name):
            title = f"`{declaration.name}` has a meaning in the language: {meaning_of(declaration.name)}"
            scope.fail("reserved-name", title, declaration.name_span, "", "give the function another name")
        t = read_type(scope, declaration.type)
        if signature_of(t) is None:
            label = Label(declaration.type.span.start, declaration.type.span.end)
            raise RiseError(
                replace(
                    no_function(declaration.name, t), labels=(label,), source=source.text, file=source.file
                )
            )
        functions[declaration.name] = Var(declaration.name, t)
    return functions


def _any_size(name: str, kind: str) -> Node | None:
    """A size of any name, so that a type that contains sizes can be read, and then rejected as a whole."""
    return NatVar(name, None) if kind == "nat" else None


def _imported(source: Source, programs: Mapping[Path | None, Program]) -> dict[str, Expr]:
    """The definitions that a text imports, without those that its own definitions hide."""
    syntax = source.syntax
    own = {one.name for one in syntax.definitions} | {one.name for one in syntax.foreign}
    known: dict[str, Expr] = {}
    origin: dict[str, str] = {}
    for statement, path in zip(source.syntax.imports, source.beside, strict=True):
        module = module_name(statement)
        whole = library(module) if path is None else programs[path]
        program: dict[str, Expr] = {**whole.definitions, **whole.foreign}
        for chosen in statement.names:
            if chosen.name not in program and chosen.name not in whole.types:
                hint = (
                    did_you_mean(chosen.name, program)
                    or f"it has {bounded(', '.join(program), MAX_LISTED_CHARACTERS)}"
                )
                title = f"`{chosen.name}` is not defined in {module}"
                refuse(source, chosen.span, "unknown-import", title, hint)
        for name in (
            [chosen.name for chosen in statement.names if chosen.name in program]
            if statement.names
            else program
        ):
            if name in own:
                continue
            if known.get(name, program[name]) != program[name]:
                title = (
                    f"`{name}` is imported from {origin[name]} and from {module}, with different definitions"
                )
                hint = f"import only the names that you need from one of them, without `{name}`: `import {module}: ...`"
                if statement.names:
                    hint = f"remove `{name}` here, or import only the names that you need from {origin[name]}"
                refuse(source, statement.name_span, "imported-twice", title, hint, "again here")
            known[name], origin[name] = program[name], module
    return known


@ends_at_the_users_line
def parse_file(path: str | PathLike[str]) -> Program:
    """`parse` the text of a file. Raises RiseError for a file that cannot be read or is not UTF-8."""
    expected(path, str | PathLike, "the path of a file", "`rise.parse` reads a text")
    name = os.fsdecode(path)
    return parse(decode(read_bytes(name, name), name), name)


@ends_at_the_users_line
@collections_off()
def parse_expr(text: str, context: Mapping[str, str] | None = None) -> Expr:
    """Parse one expression. `context` has the types of its free variables (`{"xs": "n.f32"}`). Sizes that occur there
    are free, too; other free sizes and types are declared as `{"n": "nat"}` and `{"t": "num"}`.
    """
    syntax = read_expression(text)
    return define(elaboration(text, "", {}, context_variables({} if context is None else context)), syntax)


def context_variables(context: Mapping[str, str]) -> dict[str, Node]:
    """The free variables that a context declares."""
    expected(context, Mapping, "types by the names of variables", CONTEXT_HINT)
    free: dict[str, Node] = {}
    types: dict[str, s.Type] = {}
    for name, type_text in context.items():
        expected(name, str, "types by the names of variables", CONTEXT_HINT)
        expected(type_text, str, f"the type of `{name}` as a text", CONTEXT_HINT)
        if is_reserved(name):
            title = f"`{name}` has a meaning in the language: {meaning_of(name)}"
            raise RiseError(Diagnostic("reserved-name", title, hint="give the free variable another name"))
        syntax = read_type_text(type_text)
        if is_kind(syntax):
            kind = read_kind(Scope(source=type_text), syntax)
            free[name] = scheme_variable(name, kind)
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
