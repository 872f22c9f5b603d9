"""A short script for a derivation: a strategy that takes the same steps, close to what a person would write.

Depends on the strategies, but not on languages.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import elevate.derivations.addresses as addresses
from elevate.combinators import RepeatNTimes
from elevate.derivations.derivation import Derivation, expected_derivation
from elevate.derivations.scripts import imports, in_docstring, refuse
from elevate.diagnostics import StrategyError
from elevate.directed_strategies import At
from elevate.engine.run import run
from elevate.observers import Observer
from elevate.result import Success
from elevate.rules import Rule
from elevate.strategy import ATOM, Seq, Strategy, expected_strategy, lChoice, parts, seq
from elevate.term import Term, replaced
from elevate.trace import Step
from elevate.tracebacks import ends_at_the_users_line
from elevate.traversals import BottomUp, Normalize, TopDown

MAX_RULES = 4
"""How many rules one `normalize` of a script may have."""


class OtherStepError(Exception):
    """The run takes a step that is not the next one of the derivation."""


@dataclass
class Comparing(Observer):
    """Counts the steps that a run has in common with a derivation, and stops at the first other step."""

    wanted: Sequence[Step]
    start: int
    count: int = 0

    def fired(self, step: Step) -> None:
        position = self.start + self.count
        if position == len(self.wanted) or self.wanted[position] != step:
            raise OtherStepError
        self.count += 1

    def discarded(self, count: int) -> None:
        self.count -= count


@ends_at_the_users_line
def minimal_script(derivation: Derivation[Any]) -> Strategy:
    """A short strategy that takes the steps of a derivation, in this order and at these places.

    Several steps become a `normalize`, a `topDown` or a `bottomUp` that takes exactly these; others are given by path.
    """
    steps = list(expected_derivation(derivation).steps)
    program: Term = derivation.given
    strategies: list[Strategy] = []
    position = 0
    while position < len(steps):
        part, count = next_part(program, steps, position)
        strategies.append(part)
        for step in steps[position : position + count]:
            program = replaced(program, step.path, step.contractum)
        position += count
    return seq(*merged(strategies))


def next_part(program: Term, steps: Sequence[Step], start: int) -> tuple[Strategy, int]:
    """A strategy for the next steps, and how many it takes."""
    rules = [rule_of(steps[start])]
    best: tuple[Strategy, int] | None = None
    while len(rules) <= MAX_RULES:
        strategy = Normalize(lChoice(*rules))
        count, is_whole = steps_taken(strategy, program, steps, start)
        if is_whole and count > (best[1] + 1 if best else 1):
            best = strategy, count
        if start + count == len(steps) or (next_rule := rule_of(steps[start + count])) in rules:
            break
        rules.append(next_rule)
    if best is not None:
        return best
    first = steps[start]
    for once in (TopDown(rule_of(first)), BottomUp(rule_of(first))):
        if steps_taken(once, program, steps, start) == (1, True):
            return once, 1
    return At(first.path, rule_of(first)) if first.path else rule_of(first), 1


def rule_of(step: Step) -> Rule:
    """The rule of a step."""
    assert isinstance(step.rule, Rule), step
    return step.rule


def steps_taken(strategy: Strategy, program: Term, steps: Sequence[Step], start: int) -> tuple[int, bool]:
    """How many steps of a derivation a strategy takes, and whether it takes no others."""
    observer = Comparing(steps, start)
    try:
        outcome = run(strategy, program, observers=[observer], fuel=len(steps) - start + 1)
    except (OtherStepError, StrategyError):
        return observer.count, False
    return observer.count, isinstance(outcome.result, Success)


def merged(strategies: list[Strategy]) -> list[Strategy]:
    """The parts with equal neighbours joined: a repetition, or a sequence at one path."""
    groups: list[tuple[Strategy, int]] = []
    for part in strategies:
        previous, times = groups[-1] if groups else (None, 0)
        if part == previous and isinstance(part, TopDown | BottomUp):
            groups[-1] = part, times + 1
        elif isinstance(part, At) and isinstance(previous, At) and part.path == previous.path:
            groups[-1] = At(part.path, seq(previous.inner, part.inner)), 1
        else:
            groups.append((part, 1))
    return [part if times == 1 else RepeatNTimes(times, part) for part, times in groups]


@ends_at_the_users_line
def script_text(strategy: Strategy, about: str = "") -> str:
    """A strategy as a Python module that defines `script`. Raises StrategyError for a rule without an address."""
    names: dict[str, str] = {}
    constructors: set[str] = set()
    waiting: list[object] = [expected_strategy(strategy)]
    while waiting:
        part = waiting.pop()
        match part:
            case Rule():
                base = addresses.address_of(part).base
                names[base] = base.partition(":")[2]
            case Seq(inner):
                waiting += inner
            case Strategy():
                constructors.add(part.spelling or type(part).__name__[:1].lower() + type(part).__name__[1:])
                waiting += parts(part)
            case tuple():
                waiting += part
            case _:
                pass
    if len({*names.values()} | constructors) < len(names) + len(constructors):
        refuse("two rules of the script have the same name", "write the steps: --output d.py")
    lines = strategy.parts if isinstance(strategy, Seq) else (strategy,)
    body = "\n    >> ".join(line.show(ATOM) for line in lines)
    imported = sorted(constructors - {"lChoice"})
    elevate_import = f"from elevate import {', '.join(imported)}\n" if imported else ""
    docstring = in_docstring(about or "A script of a derivation.")
    return f'"""{docstring}"""\n\n{elevate_import}{imports(names)}\nscript = (\n    {body}\n)\n'
