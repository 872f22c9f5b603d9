"""A short script of a derivation: a strategy that takes the same steps, as a person would write it.

Knows the strategies, and no language.
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
from elevate.directed import At
from elevate.engine.run import run
from elevate.observers import Observer
from elevate.result import Success
from elevate.rules import Rule
from elevate.strategy import ATOM, Seq, Strategy, expected_strategy, lChoice, parts, seq
from elevate.term import Term, replaced
from elevate.trace import Step
from elevate.traversals import BottomUp, Normalize, TopDown

RULES = 4
"""How many rules one `normalize` of a script may have."""


class OtherwiseError(Exception):
    """The run takes another step than the derivation."""


@dataclass
class Comparing(Observer):
    """Counts the steps of a run that are those of a derivation, and stops at the first that is not."""

    wanted: Sequence[Step]
    start: int
    count: int = 0

    def fired(self, step: Step) -> None:
        position = self.start + self.count
        if position == len(self.wanted) or self.wanted[position] != step:
            raise OtherwiseError
        self.count += 1

    def discarded(self, count: int) -> None:
        self.count -= count


def minimal_script(derivation: Derivation[Any]) -> Strategy:
    """A short strategy that takes the steps of a derivation, in this order and at these places.

    Runs become `normalize`, `topDown` or `bottomUp` where these take the very same steps; else a step says its path.
    """
    steps = list(expected_derivation(derivation).steps)
    program: Term = derivation.given
    found: list[Strategy] = []
    position = 0
    while position < len(steps):
        part, count = next_part(program, steps, position)
        found.append(part)
        for step in steps[position : position + count]:
            program = replaced(program, step.path, step.contractum)
        position += count
    return seq(*merged(found))


def next_part(program: Term, steps: Sequence[Step], start: int) -> tuple[Strategy, int]:
    """What to write for the next steps, and how many they are."""
    rules = [rule_of(steps[start])]
    best: tuple[Strategy, int] | None = None
    while len(rules) <= RULES:
        strategy = Normalize(lChoice(*rules))
        count, is_whole = steps_taken(strategy, program, steps, start)
        if is_whole and count > (best[1] + 1 if best else 1):
            best = strategy, count
        if start + count == len(steps) or (after := rule_of(steps[start + count])) in rules:
            break
        rules.append(after)
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
    """How many steps of a derivation a strategy takes, and whether it takes no other."""
    seen = Comparing(steps, start)
    try:
        outcome = run(strategy, program, observers=[seen], fuel=len(steps) - start + 1)
    except (OtherwiseError, StrategyError):
        return seen.count, False
    return seen.count, isinstance(outcome.result, Success)


def merged(found: list[Strategy]) -> list[Strategy]:
    """Parts that stand for the same, in a row, as one: a repetition, or a sequence at one path."""
    kept: list[tuple[Strategy, int]] = []
    for part in found:
        before, times = kept[-1] if kept else (None, 0)
        if part == before and isinstance(part, TopDown | BottomUp):
            kept[-1] = part, times + 1
        elif isinstance(part, At) and isinstance(before, At) and part.path == before.path:
            kept[-1] = At(part.path, seq(before.inner, part.inner)), 1
        else:
            kept.append((part, 1))
    return [part if times == 1 else RepeatNTimes(times, part) for part, times in kept]


def script_text(strategy: Strategy, about: str = "") -> str:
    """A strategy as a Python module that defines `script`. Raises StrategyError for a rule that has no address."""
    names: dict[str, str] = {}
    words: set[str] = set()
    waiting: list[object] = [expected_strategy(strategy)]
    while waiting:
        one = waiting.pop()
        match one:
            case Rule():
                base = addresses.address_of(one).name.partition(".inv")[0]
                names[base] = base.partition(":")[2]
            case Seq(inner):
                waiting += inner
            case Strategy():
                words.add(one.spelling or type(one).__name__[:1].lower() + type(one).__name__[1:])
                waiting += parts(one)
            case tuple():
                waiting += one
            case _:
                pass
    if len({*names.values()} | words) < len(names) + len(words):
        refuse("two rules of the script have the same name", "write the steps: --output d.py")
    lines = strategy.parts if isinstance(strategy, Seq) else (strategy,)
    body = "\n    >> ".join(one.show(ATOM) for one in lines)
    own = f"from elevate import {', '.join(sorted(words - {'lChoice'}))}\n" if words - {"lChoice"} else ""
    head = in_docstring(about or "A script of a derivation.")
    return f'"""{head}"""\n\n{own}{imports(names)}\nscript = (\n    {body}\n)\n'
