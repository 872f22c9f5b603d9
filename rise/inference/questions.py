"""Questions that a text asks about types: `typeHole` and `printType`. Knows what is said, not how types are found."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from rise.diagnostics import Diagnostic, Label, Lines, RiseError
from rise.inference.errors import Complaints
from rise.inference.names import plain
from rise.inference.scope import General, Parameter, Shared
from rise.naturals import NatVar
from rise.terms import Expr
from rise.text import syntax as s
from rise.text.names import bounded
from rise.types import FunType, SpaceMeta, Type, TypeVar

MOST_SHOWN: Final = 12  # names in scope
LONGEST: Final = 100  # characters of a message
LONGEST_TYPE: Final = 1000  # parts of a type that may have to be looked at to print it


@dataclass(frozen=True, slots=True)
class TypeNote:
    """What `printType` says: its message, a type, and where it stands; lines and columns count from 1."""

    message: str
    type: str
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.line}:{self.column}: {_subject(self.message)} : {self.type}"


@dataclass(frozen=True, slots=True)
class Question:
    """A hole, with the names around, innermost last; or a print, whose type is that of a function."""

    asked: s.Asked
    type: Type
    names: Sequence[tuple[str, Any]] = ()


def refuse_holes(complain: Complaints, questions: Iterable[Question]) -> None:
    """Report the holes of a text: the type of each, and what is in scope at the first."""
    holes = sorted((one for one in questions if one.asked.word == "typeHole"), key=_place)
    if not holes:
        return
    first, further = holes[:MOST_SHOWN], len(holes) - MOST_SHOWN
    types = [complain.shown(one.type)[0] for one in first]
    labels = tuple(
        Label(one.asked.span.start, one.asked.span.end, f"{_subject(one.asked.message)} : {t}")
        for one, t in zip(first, types, strict=True)
    )
    known = _in_scope(holes[0].names)
    notes = [f"in scope: {_described(complain, *one)}" for one in known[:MOST_SHOWN]]
    notes += [f"and {len(known) - MOST_SHOWN} more"] if len(known) > MOST_SHOWN else []
    notes += [f"and {further} more hole{'s' * (further > 1)} behind these"] if further > 0 else []
    title, hint = f"expected {types[0]}, found a hole", "write an expression of this type in its place"
    scope = complain.scope
    raise RiseError(Diagnostic("type-hole", title, labels, hint, tuple(notes), scope.source, scope.file))


def _in_scope(names: Sequence[tuple[str, Any]]) -> list[tuple[str, Any]]:
    """The names and what they mean, the innermost first; those that are hidden are left out."""
    visible: dict[str, Any] = {}
    for name, meaning in reversed(names):
        visible.setdefault(name, meaning)
    return list(visible.items())


def _described(complain: Complaints, name: str, meaning: Any) -> str:
    """A name in scope with its type or kind."""
    match meaning:
        case Parameter(_, t) | Shared(type=t) | General(Expr(type=t)):
            return f"{plain(name)} : {complain.shown(t)[0]}"
        case NatVar():
            return f"{plain(name)} : nat"
        case TypeVar(_, kind):
            return f"{plain(name)} : {kind}"
        case SpaceMeta():
            return f"{plain(name)} : space"
    return plain(name)


def _subject(message: str) -> str:
    """What a type is said of."""
    return bounded(message, LONGEST) or "this"


def _place(question: Question) -> int:
    return question.asked.span.start


def type_notes(complain: Complaints, questions: Iterable[Question]) -> list[TypeNote]:
    """What the prints of a text say."""
    found: list[TypeNote] = []
    asked = [one for one in questions if one.asked.word == "printType"]
    lines = Lines(complain.scope.source if asked else "")
    for one in asked:
        t = complain.solver.resolve(one.type)
        assert isinstance(t, FunType), t
        complain.scope.effort.spend(min(t.weight, LONGEST_TYPE))
        line, column = lines.position(one.asked.span.start)
        found.append(TypeNote(one.asked.message, complain.shown(t.parameter)[0], line, column))
    return found
