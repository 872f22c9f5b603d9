"""Recorded derivations: rules, places and fingerprints, without the terms; run again, they are checked.

Knows no language and no file.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from elevate.derivations.derivation import Derivation, derivation_of, expected_derivation
from elevate.derivations.fingerprints import Known, fingerprint
from elevate.diagnostics import Diagnostic, StrategyError
from elevate.directed import Directed, Orders
from elevate.engine.divergence import raised
from elevate.expected import expected, expected_path, expected_term, expected_text
from elevate.rules import Rule
from elevate.strategy import CHOICE
from elevate.term import P, Path, Term, replaced, show_path, show_term, subterm, surroundings, within
from elevate.trace import Step


@dataclass(frozen=True, slots=True)
class Record:
    """A step as it is written down: the rule, the place, the fingerprint of the program after it."""

    rule: Rule
    path: Path
    after: str


@dataclass(frozen=True, slots=True)
class Recorded(Directed):
    """A strategy that does what a derivation did, on the same program; it fails where anything differs."""

    given: str
    """The fingerprint of the program that it begins with."""
    records: tuple[Record, ...]

    def orders(self, term: Any) -> Orders:
        known: Known = {}
        if fingerprint(term, known) != self.given:
            return False
        for one in self.records:
            happened = yield one.rule, one.path
            if happened is None or fingerprint(happened.term, known) != one.after:
                return False
        return True

    def show(self, binding: int = CHOICE) -> str:
        return f"recorded({len(self.records)} steps)"


def expected_recorded(given: Recorded) -> Recorded:
    """What was given, which is to be a recorded derivation. Raises StrategyError where it is none."""
    hint = "`recording(derivation)` and `from_json(text, rules)` give one"
    return expected(given, Recorded, "a recorded derivation", "no-derivation", hint)


def record(rule: Rule, path: Path | str, after: str) -> Record:
    """A step of a recorded derivation: `record(mapFusion, "1.0.2", "0f3a...")`."""
    what = "a rule, which a strategy is built from"
    hint = "a step takes one rule: `script_text` writes strategies"
    rule = expected(rule, Rule, what, "no-strategy", hint)
    return Record(rule, expected_path(path), expected_text(after, "a fingerprint"))


def recorded(given: str, *records: Record) -> Recorded:
    """A recorded derivation, from the program with a fingerprint."""
    hint = "`record(rule, path, fingerprint)` gives one"
    for one in records:
        expected(one, Record, "a step", "no-derivation", hint)
    return Recorded(expected_text(given, "a fingerprint"), records)


def recording(derivation: Derivation[Any]) -> Recorded:
    """What to write down of a derivation. Raises StrategyError where something other than a rule fired."""
    known: Known = {}
    prints = [fingerprint(program, known) for program in expected_derivation(derivation).programs()]
    records: list[Record] = []
    for step, after in zip(derivation.steps, prints[1:], strict=True):
        assert isinstance(step.rule, Rule), step
        records.append(Record(step.rule, step.path, after))
    return Recorded(prints[0], tuple(records))


def rederive(program: P, records: Recorded) -> Derivation[P]:
    """Do what a recorded derivation did. Raises StrategyError that names the first step that differs."""
    known: Known = {}
    found = fingerprint(expected_term(program), known)
    records = expected_recorded(records)
    if found != records.given:
        title = f"the derivation is of another program: expected fingerprint {records.given}, found {found}"
        raise StrategyError(
            Diagnostic("replay-differs", title, hint="give the program that it was derived from")
        )
    current: Any = program
    steps: list[Step] = []
    for number, one in enumerate(records.records, start=1):
        step = step_at(one.rule, one.path, current)
        if step is None:
            raise StrategyError(_no_step(number, one, current))
        current = replaced(current, one.path, step.contractum)
        steps.append(step)
        found = fingerprint(current, known)
        if found != one.after:
            title = (
                f"step {number} ({one.rule}) gives another program: expected fingerprint {one.after},"
                f" found {found}"
            )
            notes = (f"at {show_path(one.path)}: {show_term(step.redex)} = {show_term(step.contractum)}",)
            raise StrategyError(Diagnostic("replay-differs", title, notes=notes, hint=AGAIN))
    return derivation_of(program, steps, current)


AGAIN = "the rule has changed since, or the file: derive it again"


def step_at(rule: Rule, path: Path, program: Term) -> Step | None:
    """The step that a rule makes at a place; None where there is none. Raises StrategyError where it raises."""
    target = subterm(program, path)
    if target is None:
        return None
    try:
        contractum = rule.apply(target)
    except StrategyError:
        raise
    except Exception as error:  # whatever a rule raises: told with the rule and the place
        raise raised(rule, path, target, error) from error
    return None if contractum is None else Step(rule, path, target, contractum)


def why_not(rule: Rule, path: Path, program: Term) -> Iterator[str]:
    """Why a rule makes no step at a place, a line each."""
    target = subterm(program, path)
    if target is None:
        yield f"the program has no place {show_path(path)}"
        return
    yield f"at {show_path(path)} stands {show_term(within(target, surroundings(program, path)))}"
    miss = rule.mismatch(target)
    if miss.expected:
        yield f"expected {miss.expected}, found {miss.found}"
    elif miss.reason:
        yield miss.reason


def _no_step(number: int, one: Record, program: Term) -> Diagnostic:
    title = f"step {number} ({one.rule}) does not apply at {show_path(one.path)}"
    return Diagnostic("replay-differs", title, notes=tuple(why_not(one.rule, one.path, program)), hint=AGAIN)
