"""The names in scope, and their meanings. Independent of syntax other than spans."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field, replace
from typing import Final, NoReturn, TypeAlias

from rise.diagnostics import Diagnostic, Label, RiseError
from rise.inference.effort import Effort
from rise.naturals import NatBound
from rise.nodes import Node
from rise.records import dataclass
from rise.scalars import SIZE_FUNCTION
from rise.size_functions import SizeFunBound, SizeFunction
from rise.terms import Expr
from rise.text.names import LITERALS, QUESTIONS
from rise.text.trees import Span
from rise.types import SpaceBound, SpaceMeta, Type, TypeBound


@dataclass(frozen=True, slots=True)
class Parameter:
    """A function's variable, which shadows sizes and types of the same name. Levels are counted from the outermost
    function.
    """

    level: int
    type: Type


@dataclass(frozen=True, slots=True)
class Shared:
    """A local function that uses variables from outside. It is elaborated once, at one depth, with one type."""

    draft: int
    depth: int
    type: Type


@dataclass(frozen=True, slots=True)
class General:
    """A local function that uses no variables from outside, so that it is elaborated as a definition."""

    expr: Expr


@dataclass(frozen=True, slots=True)
class Synonym:
    """A name for a type: the names and kinds of its parameters, and the type, with indices for the parameters.

    `written` is its source text, `doc` the comment above it.
    """

    name: str
    parameters: tuple[tuple[str, str], ...]
    type: Type
    written: str = ""
    doc: str = ""

    @property
    def shown(self) -> str:
        """The name with its parameters."""
        names = ", ".join(name for name, _ in self.parameters)
        return f"{self.name}[{names}]" if names else self.name


Meaning: TypeAlias = Node | Parameter | Shared | General
VALUES: Final = (Parameter, Shared, General)


@dataclass(slots=True)
class Scope:
    """The names in scope, innermost last.

    `names` are bound by enclosing functions: dependent ones denote unique variables, parameters denote values. `bound`
    lists (name, kind) for the binders inside the type that is being read, whose names denote indices. `free` returns
    the node for an unbound name of a kind ("nat" or "data"), or None. `is_closed` if the text is read for an existing
    term, so that no more names can be bound. `effort` limits the cost of reading.
    """

    names: list[tuple[str, Meaning]] = field(default_factory=list)
    bound: list[tuple[str, str]] = field(default_factory=list)
    free: Callable[[str, str], Node | None] = lambda name, kind: None
    source: str = ""
    file: str = ""
    is_closed: bool = False
    synonyms: Mapping[str, Synonym] = field(default_factory=dict)
    effort: Effort = field(default_factory=Effort)
    _meanings: dict[str, list[Meaning]] = field(default_factory=dict, init=False)
    _places: dict[str, list[int]] = field(default_factory=dict, init=False)  # positions in `bound`, by name

    def __post_init__(self) -> None:
        for name, meaning in self.names:
            self._meanings.setdefault(name, []).append(meaning)
        for place, (name, _) in enumerate(self.bound):
            self._places.setdefault(name, []).append(place)

    def enter(self, name: str, meaning: Meaning) -> None:
        """Enter the function that binds a name."""
        self.names.append((name, meaning))
        self._meanings.setdefault(name, []).append(meaning)

    def leave(self) -> None:
        """Leave the innermost function."""
        name, _ = self.names.pop()
        self._meanings[name].pop()

    def bind(self, name: str, kind: str) -> None:
        """Enter a binder inside a type."""
        self._places.setdefault(name, []).append(len(self.bound))
        self.bound.append((name, kind))

    def unbind(self, depth: int | None = None) -> str:
        """Leave the innermost binder inside a type, or all below `depth`; returns the kind of the last one left."""
        depth = len(self.bound) - 1 if depth is None else depth
        kind = ""
        while len(self.bound) > depth:
            name, kind = self.bound.pop()
            self._places[name].pop()
        return kind

    def lookup(self, name: str) -> Meaning | None:
        """The meaning of a bound name inside all current binders; None if it is unbound."""
        places = self._places.get(name)
        if places:
            return bound_variable(len(self.bound) - 1 - places[-1], self.bound[places[-1]][1])
        meanings = self._meanings.get(name)
        return meanings[-1] if meanings else None

    def fail(self, code: str, title: str, span: Span, label: str = "", hint: str = "") -> NoReturn:
        """Report an error in the text."""
        labels = (Label(span.start, span.end, label),)
        raise RiseError(Diagnostic(code, title, labels, hint, (), self.source, self.file))

    def placed(self, error: RiseError, span: Span) -> RiseError:
        """The error, at this place if it has no place yet."""
        diagnostic = error.diagnostic
        if diagnostic.labels or diagnostic.source:
            return error
        labels = (Label(span.start, span.end),)
        return RiseError(replace(diagnostic, labels=labels, source=self.source, file=self.file))

    def quoted(self, error: RiseError, text: str, span: Span) -> RiseError:
        """The error about a text, placed in the string that quotes it within this span."""
        found, start = error.diagnostic, self.source.find(f'"{text}"', span.start) + 1
        labels = tuple(Label(one.start + start, one.end + start, one.text) for one in found.labels)
        return RiseError(replace(found, labels=labels, source=self.source, file=self.file))

    def refuse(self, expected: str, name: str, meaning: Meaning, span: Span) -> NoReturn:
        """Report a name of the wrong kind."""
        if isinstance(meaning, VALUES):
            hint = "write the kind of a parameter that is a size or a type: `fun(n: nat, ...)`, `fun({t: data}, ...)`"
            kind = "value"
        else:
            hint = ""
            kind = "type" if isinstance(meaning, Type) else "space" if is_space(meaning) else "size"
            kind = "function of sizes" if isinstance(meaning, SizeFunction) else kind
        self.fail("wrong-kind", f"expected {expected}, found the {kind} `{name}`", span, "", hint)

    def refuse_word(self, expected: str, name: str, span: Span) -> None:
        """Report a word of the language that is an expression instead of a size or a type."""
        if name in QUESTIONS:
            hint = "a type hole replaces an expression; to find out a type, omit it"
            self.fail("wrong-kind", f"expected {expected}, found the question `{name}`", span, "", hint)
        if name in LITERALS:
            self.fail("wrong-kind", f"expected {expected}, found the literal `{name}`", span)


def is_space(meaning: Node) -> bool:
    return isinstance(meaning, SpaceBound | SpaceMeta)


def bound_variable(index: int, kind: str) -> Node:
    """The dependent variable of a kind at an index."""
    if kind == "nat":
        return NatBound(index)
    if kind == "space":
        return SpaceBound(index)
    if kind == SIZE_FUNCTION:
        return SizeFunBound(index)
    return TypeBound(index, kind)
