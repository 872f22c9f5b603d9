"""The steps of a derivation, stored as a rope, and their replay. Rules are identified only by name and float class."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from elevate.argument_checks import check_paths, check_terms, expected, expected_term
from elevate.diagnostics import Diagnostic, StrategyError, wrong_field
from elevate.floats import FloatClass
from elevate.term import P, Path, Place, Term, path_of, place_of, replaced, show_path, show_term, subterm
from elevate.tracebacks import Checked, ends_at_the_users_line


class Fired(Protocol):
    """What a trace needs to know about a rule."""

    @property
    def name(self) -> str: ...
    @property
    def float_class(self) -> FloatClass: ...


Entry: TypeAlias = tuple[Fired, Place, Term, Term]
"""A step as the engine logs it, with a linked place."""


@dataclass(frozen=True, slots=True)
class Step(metaclass=Checked):
    """One firing: `rule` rewrote `redex`, at `path` of the whole program, to `contractum`."""

    rule: Fired
    path: Path
    redex: Term
    contractum: Term

    def __post_init__(self) -> None:
        if type(self.path) is not tuple:  # its items are not looked at: a derivation has many steps
            check_paths(self, "path")
        if not (hasattr(self.redex, "root") and hasattr(self.contractum, "root")):
            check_terms(self, "redex", "contractum")
        if not hasattr(self.rule, "float_class"):
            raise wrong_field(self, "rule", self.rule, "a rule")

    def __str__(self) -> str:
        where = show_path(self.path)
        return f"{self.rule.name} at {where}: {show_term(self.redex)} = {show_term(self.contractum)}"


@dataclass(frozen=True, slots=True)
class _Under:
    """Steps of a subterm, with paths from an enclosing term."""

    path: Path
    steps: Steps


class Steps:
    """The steps of a derivation in order. Joining two, or moving all below a path, costs O(1).

    `len` costs O(1); paths are computed when a step is read.
    """

    __slots__ = ("_parts", "_length")

    def __init__(self, steps: Iterable[Step] = ()) -> None:
        entries = tuple((step.rule, place_of(step.path), step.redex, step.contractum) for step in steps)
        self._parts: tuple[tuple[Entry, ...] | Steps | _Under, ...] = (entries,)
        self._length = len(entries)

    @staticmethod
    def logged(entries: tuple[Entry, ...]) -> Steps:
        """The steps that an engine logged."""
        return _rope((entries,), len(entries))

    def __add__(self, later: Steps) -> Steps:
        if not later._length:
            return self
        return _rope((self, later), self._length + later._length) if self._length else later

    def under(self, path: Path) -> Steps:
        """The same steps in a program that has this one at `path`."""
        return _rope((_Under(path, self),), self._length) if path and self._length else self

    def seen_from(self, path: Path) -> Steps:
        """The same steps with paths relative to `path`, below which all of them are."""
        if not path or not self._length:
            return self
        moved = ((rule, place_of(path_of(place)[len(path) :]), a, b) for rule, place, a, b in self.entries())
        return Steps.logged(tuple(moved))

    def __len__(self) -> int:
        return self._length

    def __iter__(self) -> Iterator[Step]:
        for rule, place, redex, contractum in self.entries():
            yield Step(rule, path_of(place), redex, contractum)

    def entries(self) -> Iterator[Entry]:
        """The steps with linked places, which are free unless the steps were moved."""
        waiting: list[tuple[tuple[Entry, ...] | Steps | _Under, Place]] = [(self, None)]
        while waiting:
            part, above = waiting.pop()
            if isinstance(part, Steps):
                waiting.extend((inner, above) for inner in reversed(part._parts))
            elif isinstance(part, _Under):
                waiting.append((part.steps, place_of(part.path, above)))
            elif above is None:
                yield from part
            else:
                for rule, place, redex, contractum in part:
                    yield rule, place_of(path_of(place), above), redex, contractum

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Steps):
            return NotImplemented
        return self._length == other._length and all(a == b for a, b in zip(self, other, strict=True))

    def __hash__(self) -> int:
        return hash((Steps, self._length))

    def __repr__(self) -> str:
        shown = [entry[0].name for entry, _ in zip(self.entries(), range(6), strict=False)]
        more = f", ... {self._length - 6} more" if self._length > 6 else ""
        return f"<{self._length} steps: {', '.join(shown)}{more}>" if self._length else "<0 steps>"

    def __reduce__(self) -> tuple[type[Steps], tuple[list[Step]]]:
        return Steps, (list(self),)


def _rope(parts: tuple[tuple[Entry, ...] | Steps | _Under, ...], length: int) -> Steps:
    steps = Steps.__new__(Steps)
    steps._parts = parts
    steps._length = length
    return steps


def expected_step(given: Step) -> Step:
    """Check that a value is a step. Raises StrategyError with the next action if it is not."""
    hint = "`result.steps` has the steps of a strategy's result, `derivation.steps` those of a derivation"
    return expected(given, Step, "a step", "no-step", hint)


def expected_steps(given: Iterable[Step]) -> Iterator[Step]:
    """Steps, each checked when it is read. Raises StrategyError as `expected_step` does."""
    if not isinstance(given, Iterable):
        expected_step(given)
    return map(expected_step, given)


@ends_at_the_users_line
def replay(program: P, steps: Iterable[Step]) -> Iterator[P]:
    """The programs of a derivation: the initial one, then the one after each step.

    Raises StrategyError if the redex of a step is not at its path.
    """
    yield expected_term(program)
    current: Term = program
    for number, step in enumerate(expected_steps(steps), start=1):
        target = subterm(current, step.path)
        if target is None or target != step.redex:
            raise StrategyError(_differs(number, step, target))
        current = replaced(current, step.path, step.contractum)
        yield current  # type: ignore[misc]  # a step keeps the language: rebuild returns the same type


def _differs(number: int, step: Step, target: Term | None) -> Diagnostic:
    actual = "the program has no such position" if target is None else f"found {show_term(target)}"
    return Diagnostic(
        code="replay-differs",
        title=f"step {number} ({step.rule.name}) expects {show_term(step.redex)}, {actual}",
        notes=(f"the position is {show_path(step.path)}",),
        hint="replay the steps on the program they were derived from, or derive them again",
    )
