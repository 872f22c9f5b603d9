"""Recorded derivations: rules, places and fingerprints, but no terms; replaying one checks it.

Independent of languages and files.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from elevate.argument_checks import expected, expected_path, expected_term, expected_text
from elevate.derivations.derivation import Derivation, derivation_of, expected_derivation
from elevate.derivations.fingerprints import Known, fingerprint
from elevate.diagnostics import Diagnostic, StrategyError
from elevate.directed_strategies import Directed, Orders
from elevate.engine.divergence import raised
from elevate.rules import Rule
from elevate.strategy import CHOICE
from elevate.term import P, Path, Term, replaced, show_path, show_term, subterm, surroundings, within
from elevate.trace import Step
from elevate.tracebacks import ends_at_the_users_line


@dataclass(frozen=True, slots=True)
class Record:
    """A recorded step: the rule, the place, and the fingerprint of the program after it."""

    rule: Rule
    path: Path
    after: str


@dataclass(frozen=True, slots=True)
class Recorded(Directed):
    """A strategy that repeats a derivation on the same program; it fails if anything differs."""

    given: str
    """The fingerprint of the initial program."""
    records: tuple[Record, ...]

    def orders(self, term: Any) -> Orders:
        known: Known = {}
        if fingerprint(term, known) != self.given:
            return False
        for record in self.records:
            happened = yield record.rule, record.path
            if happened is None or fingerprint(happened.term, known) != record.after:
                return False
        return True

    def show(self, binding: int = CHOICE) -> str:
        return f"recorded({len(self.records)} steps)"


def expected_recorded(given: Recorded) -> Recorded:
    """Check that a value is a recorded derivation. Raises StrategyError if it is not."""
    hint = "`recording(derivation)` and `from_json(text, rules)` return one"
    return expected(given, Recorded, "a recorded derivation", "no-derivation", hint)


@ends_at_the_users_line
def record(rule: Rule, path: Path | str, after: str) -> Record:
    """A step of a recorded derivation: `record(mapFusion, "1.0.2", "0f3a...")`."""
    hint = "a step is of one rule; `script_text` writes other strategies"
    rule = expected(rule, Rule, "a rule", "no-strategy", hint)
    return Record(rule, expected_path(path), expected_text(after, "a fingerprint"))


@ends_at_the_users_line
def recorded(given: str, *records: Record) -> Recorded:
    """A recorded derivation from the program with the fingerprint `given`."""
    hint = "`record(rule, path, fingerprint)` returns one"
    for step in records:
        expected(step, Record, "a step", "no-derivation", hint)
    return Recorded(expected_text(given, "a fingerprint"), records)


@ends_at_the_users_line
def recording(derivation: Derivation[Any]) -> Recorded:
    """Record a derivation, all of whose steps must be firings of rules."""
    known: Known = {}
    fingerprints = [fingerprint(program, known) for program in expected_derivation(derivation).programs()]
    records: list[Record] = []
    for step, after in zip(derivation.steps, fingerprints[1:], strict=True):
        assert isinstance(step.rule, Rule), step
        records.append(Record(step.rule, step.path, after))
    return Recorded(fingerprints[0], tuple(records))


@ends_at_the_users_line
def rederive(program: P, records: Recorded) -> Derivation[P]:
    """Repeat a recorded derivation. Raises StrategyError that names the first step that differs."""
    known: Known = {}
    actual = fingerprint(expected_term(program), known)
    records = expected_recorded(records)
    if actual != records.given:
        title = f"the derivation starts from a different program: expected fingerprint {records.given}, found {actual}"
        raise StrategyError(
            Diagnostic("replay-differs", title, hint="pass the program that it was recorded from")
        )
    current: Any = program
    steps: list[Step] = []
    for number, record in enumerate(records.records, start=1):
        step = step_at(record.rule, record.path, current)
        if step is None:
            raise StrategyError(_no_step(number, record, current))
        current = replaced(current, record.path, step.contractum)
        steps.append(step)
        actual = fingerprint(current, known)
        if actual != record.after:
            title = (
                f"step {number} ({record.rule}) gives a different program: expected fingerprint {record.after},"
                f" found {actual}"
            )
            notes = (f"at {show_path(record.path)}: {show_term(step.redex)} = {show_term(step.contractum)}",)
            raise StrategyError(Diagnostic("replay-differs", title, notes=notes, hint=DERIVE_AGAIN))
    return derivation_of(program, steps, current)


DERIVE_AGAIN = "the rule or the file has changed since: derive it again"


def step_at(rule: Rule, path: Path, program: Term) -> Step | None:
    """The step of a rule at a place; None if it does not apply. Raises StrategyError if the rule raises."""
    target = subterm(program, path)
    if target is None:
        return None
    try:
        contractum = rule.apply(target)
    except StrategyError:
        raise
    except Exception as error:  # reported with the rule and the place
        raise raised(rule, path, target, error) from error
    return None if contractum is None else Step(rule, path, target, contractum)


def why_not(rule: Rule, path: Path, program: Term) -> Iterator[str]:
    """Why a rule does not apply at a place, line by line."""
    target = subterm(program, path)
    if target is None:
        yield f"the program has no position {show_path(path)}"
        return
    yield f"at {show_path(path)} is {show_term(within(target, surroundings(program, path)))}"
    miss = rule.mismatch(target)
    if miss.expected:
        yield f"expected {miss.expected}, found {miss.found}"
    elif miss.reason:
        yield miss.reason


def _no_step(number: int, record: Record, program: Term) -> Diagnostic:
    title = f"step {number} ({record.rule}) does not apply at {show_path(record.path)}"
    return Diagnostic(
        "replay-differs", title, notes=tuple(why_not(record.rule, record.path, program)), hint=DERIVE_AGAIN
    )
