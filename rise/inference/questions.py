"""Answers questions of a text about types: `typeHole` and `printType`.

Depends on messages, but not on type inference.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

from rise.diagnostics import Diagnostic, Label, Lines, RiseError
from rise.inference.errors import Complaints
from rise.inference.names import without_numbers
from rise.inference.scope import General, Parameter, Shared
from rise.naturals import NatVar
from rise.records import dataclass
from rise.terms import Expr
from rise.text import syntax as s
from rise.text.names import bounded
from rise.text.patterns import is_whole
from rise.types import FunType, SpaceMeta, Type, TypeVar

MAX_LISTED: Final = 12  # of the names in scope, and of holes
MAX_MESSAGE_CHARACTERS: Final = 100
MAX_TYPE_COST: Final = 1000  # of a type that is printed


@dataclass(frozen=True, slots=True)
class TypeNote:
    """The answer of a `printType`: its message, a type, and its place; lines and columns count from 1."""

    message: str
    type: str
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.line}:{self.column}: {_subject(self.message)} : {self.type}"


@dataclass(frozen=True, slots=True)
class Question:
    """A `typeHole` with the names in scope, innermost last; or a `printType`, whose type is a function type."""

    asked: s.Asked
    type: Type
    names: Sequence[tuple[str, Any]] = ()


def refuse_holes(complain: Complaints, questions: Iterable[Question]) -> None:
    """Report the holes of a text: the type of each, and the names in scope at the first one."""
    holes = sorted((question for question in questions if question.asked.word == "typeHole"), key=_place)
    if not holes:
        return
    listed, more_holes = holes[:MAX_LISTED], len(holes) - MAX_LISTED
    types = [complain.shown(hole.type)[0] for hole in listed]
    labels = tuple(
        Label(hole.asked.span.start, hole.asked.span.end, f"{_subject(hole.asked.message)} : {t}")
        for hole, t in zip(listed, types, strict=True)
    )
    names = _in_scope(holes[0].names)
    notes = [f"in scope: {_with_type(complain, name, meaning)}" for name, meaning in names[:MAX_LISTED]]
    notes += [f"and {len(names) - MAX_LISTED} more"] if len(names) > MAX_LISTED else []
    notes += [f"and {more_holes} more hole{'s' * (more_holes > 1)} after these"] if more_holes > 0 else []
    title, hint = f"expected {types[0]}, found a hole", "write an expression of this type in its place"
    scope = complain.scope
    raise RiseError(Diagnostic("type-hole", title, labels, hint, tuple(notes), scope.source, scope.file))


def _in_scope(names: Sequence[tuple[str, Any]]) -> list[tuple[str, Any]]:
    """The names and their meanings, from the innermost outwards, without shadowed ones."""
    visible: dict[str, Any] = {}
    for name, meaning in reversed(names):
        if not is_whole(name):
            visible.setdefault(name, meaning)
    return list(visible.items())


def _with_type(complain: Complaints, name: str, meaning: Any) -> str:
    """A name in scope with its type or kind."""
    match meaning:
        case Parameter(_, t) | Shared(type=t) | General(Expr(type=t)):
            return f"{without_numbers(name)} : {complain.shown(t)[0]}"
        case NatVar():
            return f"{without_numbers(name)} : nat"
        case TypeVar(_, kind):
            return f"{without_numbers(name)} : {kind}"
        case SpaceMeta():
            return f"{without_numbers(name)} : space"
    return without_numbers(name)


def _subject(message: str) -> str:
    """The text before a type: the message of its question, or `this`."""
    return bounded(message, MAX_MESSAGE_CHARACTERS) or "this"


def _place(question: Question) -> int:
    return question.asked.span.start


def type_notes(complain: Complaints, questions: Iterable[Question]) -> list[TypeNote]:
    """The answers of the `printType`s of a text."""
    notes: list[TypeNote] = []
    prints = [question for question in questions if question.asked.word == "printType"]
    lines = Lines(complain.scope.source if prints else "")
    for question in prints:
        t = complain.solver.resolve(question.type)
        assert isinstance(t, FunType), t
        complain.scope.effort.spend(min(t.weight, MAX_TYPE_COST))
        line, column = lines.position(question.asked.span.start)
        notes.append(TypeNote(question.asked.message, complain.shown(t.parameter)[0], line, column))
    return notes
