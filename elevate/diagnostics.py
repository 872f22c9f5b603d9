"""Errors that a user can cause, as values that render themselves. Independent of strategies."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from elevate.places import place_that_passed
from elevate.tracebacks import Checked

MAX_SHOWN_CHARACTERS: Final = 60
"""How many characters of a wrong value a message shows."""


@dataclass(frozen=True, slots=True)
class Label(metaclass=Checked):
    """A message about a range of the source text: characters `start` to `end`, exclusive."""

    start: int
    end: int
    text: str

    def __post_init__(self) -> None:
        check_fields(self, start=int, end=int, text=str)


@dataclass(frozen=True, slots=True)
class Diagnostic(metaclass=Checked):
    """One error: the fact (title), the place (labels), and what to do next (hint)."""

    code: str
    title: str
    labels: tuple[Label, ...] = ()
    hint: str = ""
    notes: tuple[str, ...] = ()
    source: str = ""
    file: str = ""

    def __post_init__(self) -> None:
        check_fields(self, code=str, title=str, labels=tuple, hint=str, notes=tuple, source=str, file=str)
        check_items(self, labels=Label, notes=str)

    def render(self) -> str:
        """The diagnostic as text: title, the labelled source lines with carets, notes, hint."""
        lines = [f"error[{self.code}]: {self.title}"]
        for label in self.labels:
            lines += _excerpt(self.source, self.file, label)
        lines += [f"note: {note}" for note in self.notes]
        if self.hint:
            lines.append(f"hint: {self.hint}")
        return "\n".join(lines)


class StrategyError(Exception, metaclass=Checked):
    """An error in a strategy, a rule or a trace; a rule that does not match is a Failure instead."""

    def __init__(self, diagnostic: Diagnostic) -> None:
        if not hasattr(diagnostic, "render"):
            raise wrong_field(self, "diagnostic", diagnostic, "a Diagnostic")
        super().__init__(diagnostic)
        self.diagnostic = diagnostic

    def __str__(self) -> str:
        return self.diagnostic.render()


def described(value: object) -> str:
    """A value as messages show it, clipped, with its type."""
    text = repr(value)
    clipped = text if len(text) <= MAX_SHOWN_CHARACTERS else f"{text[:MAX_SHOWN_CHARACTERS]}..."
    return f"{clipped}, of type {type(value).__name__}"


def passed_at(given: object) -> tuple[str, ...]:
    """A note with the line outside of this package that passed a wrong value."""
    place = place_that_passed(given, "elevate")
    return (f"at {place}",) if place else ()


def check_fields(record: object, **kinds: type[Any]) -> None:
    """Check the classes of fields of a record that users build. Raises StrategyError for another value."""
    for name, kind in kinds.items():
        given = getattr(record, name)
        if not isinstance(given, kind):
            raise wrong_field(record, name, given, _named(kind))


def check_items(record: object, **kinds: type[Any]) -> None:
    """Check the classes of the items of fields that are tuples. Raises StrategyError for another item."""
    for name, kind in kinds.items():
        for item in getattr(record, name):
            if not isinstance(item, kind):
                raise wrong_field(record, name, item, f"a tuple, each item {_named(kind)},")


def wrong_field(
    record: object, name: str, given: object, what: str, code: str = "wrong-field"
) -> StrategyError:
    """The error for a field that is not what it must be, called `what`, with the line that passed it."""
    title = f"expected {what} as `{name}` of {type(record).__name__}, found {described(given)}"
    return StrategyError(Diagnostic(code, title, notes=passed_at(given), hint=f"pass {what.rstrip(',')}"))


def _named(kind: type[Any]) -> str:
    article = "an" if kind.__name__[0].lower() in "aeiou" else "a"
    return f"{article} {kind.__name__}"


def _excerpt(source: str, file: str, label: Label) -> list[str]:
    """The source line of a label with carets under its range."""
    if not source:
        return [f"  {label.text}"] if label.text else []
    first = source.rfind("\n", 0, label.start) + 1
    last = source.find("\n", first)
    line = source[first : last if last >= 0 else len(source)].rstrip("\r")
    number = source.count("\n", 0, first) + 1
    gutter = f"  {number} | "
    column = label.start - first
    width = max(1, min(label.end - label.start, len(line) - column))
    blank = "".join("\t" if character == "\t" else " " for character in line[:column])
    carets = f"{' ' * (len(gutter) - 2)}| {blank}{'^' * width} {label.text}".rstrip()
    where = [f"  at {file}:{number}:{column + 1}"] if file else []
    return [*where, gutter + line, carets]
