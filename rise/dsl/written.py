"""What is built in Python, as text: names for variables, parentheses, one line. Knows no Python functions.

A variable is itself and not its name: names are chosen here, so that none hides another that is meant.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple, TypeAlias

from rise.diagnostics import Diagnostic, RiseError
from rise.terms import Expr
from rise.text.printer import is_reserved

#: how the names of typed terms begin
EMBEDDED: Final = "term'"
_NAME: Final = re.compile(r"(?<![A-Za-z0-9_'.])[A-Za-z_][A-Za-z0-9_']*")


@dataclass(frozen=True, slots=True, eq=False)
class Variable:
    """A parameter, or a free variable, which has a type (or a kind)."""

    name: str
    free: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Written:
    """A piece of text. `name` is the definition that it names, if it does."""

    text: str
    is_atom: bool = True
    name: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Embedded:
    """A typed term, with the types of its free variables. It stands in the text as a definition's name."""

    expr: Expr
    context: Mapping[str, str]


@dataclass(frozen=True, slots=True, eq=False)
class Applied:
    """`fun(a, b)`."""

    fun: Syntax
    arguments: tuple[Syntax, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Braces:
    """`fun{f32}`."""

    fun: Syntax
    inside: tuple[str | Syntax, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Mixed:
    """Pieces of text and terms in parentheses: `(a + b)`, `(if c then a else b)`."""

    pieces: tuple[str | Syntax, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Listed:
    """`[a, b]`."""

    elements: tuple[Syntax, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Function:
    """`fun(x: t, y => body)`; a type in braces, `{nat}`, is the kind of an implicit parameter."""

    parameters: tuple[tuple[Variable, str], ...]
    body: Syntax


Syntax: TypeAlias = Variable | Written | Embedded | Applied | Braces | Mixed | Listed | Function
_Work: TypeAlias = "str | Syntax | tuple[Variable, str]"


@dataclass(slots=True)
class _Writer:
    """The names in scope, and the text so far."""

    free: Mapping[str, str]
    is_whole: bool
    taken: set[str] = field(default_factory=set)
    chosen: dict[int, str] = field(default_factory=dict)
    scope: dict[str, list[str]] = field(default_factory=dict)  # what a name means in the texts of types
    pieces: list[str] = field(default_factory=list)
    embedded: dict[Expr, str] = field(default_factory=dict)

    def write(self, root: Syntax) -> None:
        """Append a term's text."""
        work: list[_Work] = [root]
        while work:
            match work.pop():
                case str() as text:
                    self.pieces.append(text)
                case (Variable() as left, str()):
                    self._leave(left)
                case Variable() as variable:
                    self.pieces.append(self._name_of(variable))
                case Embedded(expr):
                    self.pieces.append(self._embedded(expr))
                case Written(text, is_atom):
                    self.pieces.append(text if is_atom else f"({text})")
                case Applied(fun, arguments):
                    work += [")", *_separated(arguments), "(", *_head(fun)]
                case Braces(fun, inside):
                    shown = [self._renamed(one) if isinstance(one, str) else one for one in inside]
                    work += ["}", *_separated(shown), "{", *_head(fun)]
                case Mixed(pieces):
                    work += [")", *reversed(pieces), "("]
                case Listed(elements):
                    work += ["]", *_separated(elements), "["]
                case Function(parameters, body):
                    heads = [self._enter(variable, type) for variable, type in parameters]
                    work += [")", *parameters, body, f"fun({', '.join(heads)} => "]

    def _enter(self, variable: Variable, type: str) -> str:
        """Choose a name for a parameter; it, with its type, as text."""
        is_implicit = type.startswith("{") and type.endswith("}")
        shown = self._renamed(type[1:-1] if is_implicit else type)
        stem = variable.name if variable.name.isascii() else "x"
        meanings = self.scope.setdefault(variable.name, [])
        number = len(meanings)
        name = f"{stem}{number}" if number else stem
        while is_reserved(name) or name.startswith(EMBEDDED) or name in self.free or name in self.taken:
            number += 1
            name = f"{stem}{number}"
        self.chosen[id(variable)] = name
        self.taken.add(name)
        meanings.append(name)
        if is_implicit:
            return f"{{{name}: {shown}}}"
        return f"{name}: {shown}" if shown else name

    def _embedded(self, expr: Expr) -> str:
        """The name of a typed term, which no variable has."""
        if expr not in self.embedded:
            number = len(self.embedded) + 1
            while f"{EMBEDDED}{number}" in self.free:
                number += len(self.free)
            self.embedded[expr] = f"{EMBEDDED}{number}"
        return self.embedded[expr]

    def _leave(self, variable: Variable) -> None:
        self.taken.discard(self.chosen.pop(id(variable)))
        self.scope[variable.name].pop()

    def _name_of(self, variable: Variable) -> str:
        name = self.chosen.get(id(variable))
        if variable.free or (name is None and not self.is_whole):
            return variable.name
        if name is None:
            title = f"the variable `{variable.name}` is used outside of its function"
            hint = "use a variable only in what its own `fun` or `lambda` returns"
            raise RiseError(Diagnostic("escape", title, hint=hint))
        return name

    def _renamed(self, text: str) -> str:
        """The text of a type with the names that were chosen for what it mentions."""

        def name(found: re.Match[str]) -> str:
            meanings = self.scope.get(found[0])
            return meanings[-1] if meanings else found[0]

        return _NAME.sub(name, text)


class Text(NamedTuple):
    """A whole text, the types of its free variables, and the typed terms that its names mean."""

    text: str
    context: dict[str, str]
    embedded: dict[str, Expr]


def write(root: Syntax, is_whole: bool = True) -> Text:
    """A term's text. In a whole term every parameter stands below its function; in a part of one it need not."""
    context = _free_names(root)
    writer = _Writer(context, is_whole)
    writer.write(root)
    free = {name: type for name, type in context.items() if type}
    return Text("".join(writer.pieces), free, {name: expr for expr, name in writer.embedded.items()})


def _free_names(root: Syntax) -> dict[str, str]:
    """What is free in a term: variables with their types, and names of definitions, which have none."""
    found: dict[str, str] = {}
    for node in _nodes(root):
        for name, type in _free_in(node).items():
            if found.setdefault(name, type) != type:
                title = f"the free variable `{name}` has two types: {found[name]} and {type}"
                raise RiseError(Diagnostic("two-types", title, hint="give one of them another name"))
    return found


def _free_in(node: Syntax) -> Mapping[str, str]:
    match node:
        case Variable(name, type) if type:
            return {name: type}
        case Written(_, _, name) if name:
            return {name: ""}
        case Embedded(_, context):
            return context
    return {}


def _nodes(root: Syntax) -> Iterator[Syntax]:
    """Every different sub-term once, in the order of the text."""
    seen: set[int] = set()
    work: list[Syntax] = [root]
    while work:
        node = work.pop()
        if id(node) in seen:
            continue
        seen.add(id(node))
        yield node
        match node:
            case Applied(fun, arguments):
                work += [*reversed(arguments), fun]
            case Braces(fun, inside):
                work += [*(one for one in reversed(inside) if not isinstance(one, str)), fun]
            case Mixed(pieces):
                work += [piece for piece in reversed(pieces) if not isinstance(piece, str)]
            case Listed(elements):
                work += reversed(elements)
            case Function(_, body):
                work.append(body)


def _head(fun: Syntax) -> list[_Work]:
    """What is applied: in parentheses, unless it holds together."""
    return [")", fun, "("] if isinstance(fun, Function) else [fun]


def _separated(items: Sequence[str | Syntax]) -> list[_Work]:
    """Terms, the last one first, with commas between them."""
    work: list[_Work] = []
    for item in reversed(items):
        work += [", ", item] if work else [item]
    return work
