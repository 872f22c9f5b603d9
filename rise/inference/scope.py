"""The names that a text may use, and what each is bound to. Knows no syntax but spans."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Final, NoReturn, TypeAlias

from rise.diagnostics import Diagnostic, Label, RiseError
from rise.inference.effort import Effort
from rise.naturals import NatBound
from rise.nodes import Node
from rise.scalars import SIZE_FUNCTION
from rise.size_functions import SizeFunBound, SizeFunction
from rise.terms import Expr
from rise.text.names import LITERALS, QUESTIONS
from rise.text.trees import Span
from rise.types import SpaceBound, SpaceMeta, Type, TypeBound


@dataclass(frozen=True, slots=True)
class Parameter:
    """A function's variable: it hides sizes and types of its name. Its level counts from the outside."""

    level: int
    type: Type


@dataclass(frozen=True, slots=True)
class Shared:
    """A function that a block names and that uses what is around: elaborated once, at a depth, with one type."""

    draft: int
    depth: int
    type: Type


@dataclass(frozen=True, slots=True)
class General:
    """A function that a block names and that uses nothing around: a definition."""

    expr: Expr


@dataclass(frozen=True, slots=True)
class Synonym:
    """A name for a type: names and kinds of its parameters, and the type below them, as indices.

    `written` is how it stands in its text, `doc` what the comment above it says.
    """

    name: str
    parameters: tuple[tuple[str, str], ...]
    type: Type
    written: str = ""
    doc: str = ""

    @property
    def shown(self) -> str:
        """How it is written."""
        names = ", ".join(name for name, _ in self.parameters)
        return f"{self.name}[{names}]" if names else self.name


Meaning: TypeAlias = Node | Parameter | Shared | General
VALUES: Final = (Parameter, Shared, General)


@dataclass(slots=True)
class Scope:
    """The names that a text may use, innermost last.

    `names` are bound by functions around the text: dependent ones stand for unique variables, parameters for
    values; `bound`, (name, kind), are bound inside the type that is being read, and are indices. `free`
    answers for a name that is bound nowhere, given its kind ("nat" or "data"): a node, or None. `is_closed`:
    the text is read for a term that stands already, so that no more can be bound. `effort` is what reading may cost.
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
    _places: dict[str, list[int]] = field(default_factory=dict, init=False)  # in `bound`, of each name

    def __post_init__(self) -> None:
        for name, meaning in self.names:
            self._meanings.setdefault(name, []).append(meaning)

    def enter(self, name: str, meaning: Meaning) -> None:
        """Go into the function that binds a name."""
        self.names.append((name, meaning))
        self._meanings.setdefault(name, []).append(meaning)

    def leave(self) -> None:
        """Go out of the innermost function again."""
        name, _ = self.names.pop()
        self._meanings[name].pop()

    def bind(self, name: str, kind: str) -> None:
        """Go into what binds a name inside of a type."""
        self._places.setdefault(name, []).append(len(self.bound))
        self.bound.append((name, kind))

    def unbind(self, depth: int | None = None) -> str:
        """Go out of the innermost binder inside of a type, or of all but so many; the kind of the last one."""
        depth = len(self.bound) - 1 if depth is None else depth
        kind = ""
        while len(self.bound) > depth:
            name, kind = self.bound.pop()
            self._places[name].pop()
        return kind

    def lookup(self, name: str) -> Meaning | None:
        """What a name means that is bound, as seen from inside all binders."""
        places = self._places.get(name)
        if places:
            return bound_variable(len(self.bound) - 1 - places[-1], self.bound[places[-1]][1])
        meanings = self._meanings.get(name)
        return meanings[-1] if meanings else None

    def fail(self, code: str, title: str, span: Span, label: str = "", hint: str = "") -> NoReturn:
        """Report one mistake of the text."""
        labels = (Label(span.start, span.end, label),)
        raise RiseError(Diagnostic(code, title, labels, hint, (), self.source, self.file))

    def placed(self, error: RiseError, span: Span) -> RiseError:
        """The error, at a place if it names none."""
        told = error.diagnostic
        if told.labels or told.source:
            return error
        labels = (Label(span.start, span.end),)
        return RiseError(replace(told, labels=labels, source=self.source, file=self.file))

    def refuse(self, expected: str, name: str, meaning: Meaning, span: Span) -> NoReturn:
        """Report a name of another kind than is expected."""
        if isinstance(meaning, VALUES):
            hint = "sizes, types, spaces are parameters by kind: `fun(n: nat, ...)`, `fun({t: data}, ...)`"
            found = "value"
        else:
            hint = ""
            found = "type" if isinstance(meaning, Type) else "space" if is_space(meaning) else "size"
            found = "function of sizes" if isinstance(meaning, SizeFunction) else found
        self.fail("wrong-kind", f"expected {expected}, found the {found} `{name}`", span, "", hint)

    def refuse_word(self, expected: str, name: str, span: Span) -> None:
        """Report a word of the language that is an expression, where a size or a type is expected."""
        if name in QUESTIONS:
            hint = "a question stands for an expression: leave types out, and it says them"
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
