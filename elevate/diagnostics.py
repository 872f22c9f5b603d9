"""Errors a user can cause, as values that render themselves. Independent of strategies."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Label:
    """A message about a range of the source text: characters `start` to `end`, exclusive."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One error: the fact (title), the place (labels), and what to do next (hint)."""

    code: str
    title: str
    labels: tuple[Label, ...] = ()
    hint: str = ""
    notes: tuple[str, ...] = ()
    source: str = ""
    file: str = ""

    def render(self) -> str:
        """The diagnostic as text: title, the labelled source lines with carets, notes, hint."""
        lines = [f"error[{self.code}]: {self.title}"]
        for label in self.labels:
            lines += _excerpt(self.source, self.file, label)
        lines += [f"note: {note}" for note in self.notes]
        if self.hint:
            lines.append(f"hint: {self.hint}")
        return "\n".join(lines)


class StrategyError(Exception):
    """An error in a strategy, a rule or a trace; a rule that does not match is a Failure instead."""

    def __init__(self, diagnostic: Diagnostic) -> None:
        super().__init__(diagnostic)
        self.diagnostic = diagnostic

    def __str__(self) -> str:
        return self.diagnostic.render()


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
