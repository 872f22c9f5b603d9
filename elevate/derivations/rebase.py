"""Editing one step of a derivation and taking the others again, each where its place is now. Knows no language."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, Generic

from elevate.derivations.correspondence import Correspondence
from elevate.derivations.derivation import Derivation, derivation_of, expected_derivation
from elevate.derivations.recorded import step_at, why_not
from elevate.diagnostics import Diagnostic, StrategyError
from elevate.expected import expected, expected_path
from elevate.result import PC
from elevate.rules import Rule
from elevate.term import P, Path, replaced, show_path
from elevate.trace import Step


@dataclass(frozen=True, slots=True)
class Divergence:
    """A step of a derivation that could not be taken again, and why."""

    number: int
    step: Step
    reasons: tuple[str, ...]
    """Where it was tried and what stood there; or what became of its place."""

    def __str__(self) -> str:
        lines = [
            f"step {self.number} ({self.step.rule.name} at {show_path(self.step.path)}) does not apply any more"
        ]
        return "\n  ".join((*lines, *self.reasons))


@dataclass(frozen=True, slots=True)
class Rebased(Generic[PC]):
    """The derivation after an edit, as far as it went, and the first step that could not be taken again."""

    derivation: Derivation[PC]
    divergence: Divergence | None
    kept: tuple[int, ...]
    """The numbers of the steps of the old derivation that were taken again."""


def without(derivation: Derivation[P], *numbers: int, goes_on: bool = False) -> Rebased[P]:
    """The derivation without some steps, counted from 1.

    Stops at the first divergence, or leaves out what cannot be taken where it `goes_on`.
    """
    derivation = expected_derivation(derivation)
    for number in numbers:
        _check(derivation, number)
    return rebase(derivation, frozenset(numbers), {}, goes_on)


def with_step(
    derivation: Derivation[P], number: int, rule: Rule, path: Path | str, *, goes_on: bool = False
) -> Rebased[P]:
    """The derivation with another rule, or another place, for one of its steps."""
    _check(expected_derivation(derivation), number)
    return rebase(derivation, frozenset((number,)), {number: _taken(rule, path)}, goes_on)


def with_step_before(
    derivation: Derivation[P], number: int, rule: Rule, path: Path | str, *, goes_on: bool = False
) -> Rebased[P]:
    """The derivation with one more step before the one of this number; after all, where it is one too many."""
    steps = expected_derivation(derivation).steps
    if type(number) is not int or number != len(steps) + 1:
        _check(derivation, number)
    return rebase(derivation, frozenset(), {number: _taken(rule, path)}, goes_on)


def _taken(rule: Rule, path: Path | str) -> tuple[Rule, Path]:
    """What a new step takes, and where."""
    hint = "a step takes one rule: for more steps, edit more than once"
    return expected(rule, Rule, "a rule", "no-strategy", hint), expected_path(path)


def rebase(
    derivation: Derivation[P], drop: Collection[int], put: dict[int, tuple[Rule, Path]], goes_on: bool
) -> Rebased[P]:
    """Drop some steps, put others before what was there, take the rest again."""
    old: Any = derivation.given
    new: Any = derivation.given
    steps: list[Step] = []
    kept: list[int] = []
    first: Divergence | None = None
    between = Correspondence()
    wanted: list[Step | None] = [*derivation.steps, None]
    for number, step in enumerate(wanted, start=1):
        if number in put:
            made = _new_step(number, *put[number], new)
            new = replaced(new, made.path, made.contractum)
            steps.append(made)
            replaces = step if number in drop else None
            between.add(replaces, made)
            if replaces is not None:
                old = replaced(old, replaces.path, replaces.contractum)
                between.check(old, new)
                continue
        if step is None:
            break
        again: Step | None = None
        if number not in drop:
            found = between.locate(step.path)
            rule = step.rule
            assert isinstance(rule, Rule), step
            if isinstance(found, str):
                reasons: tuple[str, ...] = (found,)
            else:
                again = step_at(rule, found, new)
                reasons = () if again else tuple(why_not(rule, found, new))
            if again is None:
                first = first or Divergence(number, step, reasons)
                if not goes_on:
                    break
        if again is not None:
            kept.append(number)
            steps.append(again)
            new = replaced(new, again.path, again.contractum)
        old = replaced(old, step.path, step.contractum)
        between.add(step, again)
        between.check(old, new)
    return Rebased(derivation_of(derivation.given, steps, new), first, tuple(kept))


def _new_step(number: int, rule: Rule, path: Path, program: Any) -> Step:
    made = step_at(rule, path, program)
    if made is None:
        title = f"{rule} does not apply at {show_path(path)} before step {number}"
        raise StrategyError(
            Diagnostic(
                "edit-does-not-apply",
                title,
                notes=tuple(why_not(rule, path, program)),
                hint="choose another place or another rule",
            )
        )
    return made


def _check(derivation: Derivation[Any], number: int) -> None:
    count = len(derivation.steps)
    if type(number) is not int or not 1 <= number <= count:
        title = f"expected the number of a step, 1 to {count}, found {number}"
        raise StrategyError(Diagnostic("no-step", title, hint="steps are counted from 1"))
