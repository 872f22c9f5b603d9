"""Edits a step of a derivation and repeats the others, each at its new position. Independent of languages."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, Generic

from elevate.argument_checks import expected, expected_path
from elevate.derivations.correspondence import Correspondence
from elevate.derivations.derivation import Derivation, derivation_of, expected_derivation
from elevate.derivations.records import step_at, why_not
from elevate.diagnostics import Diagnostic, StrategyError
from elevate.result import PC
from elevate.rules import Rule
from elevate.term import P, Path, replaced, show_path
from elevate.trace import Step
from elevate.tracebacks import ends_at_the_users_line


@dataclass(frozen=True, slots=True)
class Divergence:
    """A step of a derivation that could not be repeated, and why."""

    number: int
    step: Step
    reasons: tuple[str, ...]
    """Where it was tried and what was there, or why its position no longer exists."""

    def __str__(self) -> str:
        lines = [
            f"step {self.number} ({self.step.rule.name} at {show_path(self.step.path)}) no longer applies"
        ]
        return "\n  ".join((*lines, *self.reasons))


@dataclass(frozen=True, slots=True)
class Rebased(Generic[PC]):
    """The derivation after an edit, as far as it got, and the first step that could not be repeated."""

    derivation: Derivation[PC]
    divergence: Divergence | None
    kept: tuple[int, ...]
    """The numbers of the steps of the old derivation that were repeated."""


@ends_at_the_users_line
def without(derivation: Derivation[P], *numbers: int, goes_on: bool = False) -> Rebased[P]:
    """The derivation without some steps, counted from 1.

    Stops at the first step that cannot be repeated, or with `goes_on` omits it.
    """
    derivation = expected_derivation(derivation)
    for number in numbers:
        _check(derivation, number)
    return rebase(derivation, frozenset(numbers), {}, goes_on)


@ends_at_the_users_line
def with_step(
    derivation: Derivation[P], number: int, rule: Rule, path: Path | str, *, goes_on: bool = False
) -> Rebased[P]:
    """The derivation with another rule or place for one of its steps."""
    _check(expected_derivation(derivation), number)
    return rebase(derivation, frozenset((number,)), {number: _expected_step(rule, path)}, goes_on)


@ends_at_the_users_line
def with_step_before(
    derivation: Derivation[P], number: int, rule: Rule, path: Path | str, *, goes_on: bool = False
) -> Rebased[P]:
    """The derivation with a new step before the step of a number; at the end for the number after the last."""
    steps = expected_derivation(derivation).steps
    if type(number) is not int or number != len(steps) + 1:
        _check(derivation, number)
    return rebase(derivation, frozenset(), {number: _expected_step(rule, path)}, goes_on)


def _expected_step(rule: Rule, path: Path | str) -> tuple[Rule, Path]:
    """Check the rule and the path of a new step."""
    hint = "a step is of one rule: for more steps, edit more than once"
    return expected(rule, Rule, "a rule", "no-strategy", hint), expected_path(path)


def rebase(
    derivation: Derivation[P], dropped: Collection[int], inserted: dict[int, tuple[Rule, Path]], goes_on: bool
) -> Rebased[P]:
    """Drop some steps, insert others before the given numbers, and repeat the rest."""
    old: Any = derivation.given
    new: Any = derivation.given
    steps: list[Step] = []
    kept: list[int] = []
    divergence: Divergence | None = None
    correspondence = Correspondence()
    old_steps: list[Step | None] = [*derivation.steps, None]
    for number, step in enumerate(old_steps, start=1):
        if number in inserted:
            new_step = _new_step(number, *inserted[number], new)
            new = replaced(new, new_step.path, new_step.contractum)
            steps.append(new_step)
            replaced_step = step if number in dropped else None
            correspondence.add(replaced_step, new_step)
            if replaced_step is not None:
                old = replaced(old, replaced_step.path, replaced_step.contractum)
                correspondence.check(old, new)
                continue
        if step is None:
            break
        repeated: Step | None = None
        if number not in dropped:
            location = correspondence.locate(step.path)
            rule = step.rule
            assert isinstance(rule, Rule), step
            if isinstance(location, str):
                reasons: tuple[str, ...] = (location,)
            else:
                repeated = step_at(rule, location, new)
                reasons = () if repeated else tuple(why_not(rule, location, new))
            if repeated is None:
                divergence = divergence or Divergence(number, step, reasons)
                if not goes_on:
                    break
        if repeated is not None:
            kept.append(number)
            steps.append(repeated)
            new = replaced(new, repeated.path, repeated.contractum)
        old = replaced(old, step.path, step.contractum)
        correspondence.add(step, repeated)
        correspondence.check(old, new)
    return Rebased(derivation_of(derivation.given, steps, new), divergence, tuple(kept))


def _new_step(number: int, rule: Rule, path: Path, program: Any) -> Step:
    step = step_at(rule, path, program)
    if step is None:
        title = f"{rule} does not apply at {show_path(path)} before step {number}"
        raise StrategyError(
            Diagnostic(
                "edit-does-not-apply",
                title,
                notes=tuple(why_not(rule, path, program)),
                hint="choose another position or another rule",
            )
        )
    return step


def _check(derivation: Derivation[Any], number: int) -> None:
    count = len(derivation.steps)
    if type(number) is not int or not 1 <= number <= count:
        title = f"expected the number of a step, 1 to {count}, found {number}"
        raise StrategyError(Diagnostic("no-step", title, hint="steps are counted from 1"))
