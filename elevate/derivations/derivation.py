"""Derivations: a program, the steps that were taken, and the result. Runs strategies, independent of engines."""

from __future__ import annotations

import html
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Generic

from elevate.argument_checks import expected
from elevate.diagnostics import Diagnostic, StrategyError
from elevate.engine.run import run
from elevate.floats import FloatClass, join
from elevate.result import PC
from elevate.strategy import Failure, Strategy
from elevate.term import P, show_term
from elevate.trace import Step, Steps, replay
from elevate.tracebacks import ends_at_the_users_line


@dataclass(frozen=True, slots=True)
class Derivation(Generic[PC]):
    """What a strategy did to a program. The intermediate programs are computed by replay."""

    given: PC
    steps: Steps
    result: PC

    def programs(self) -> Iterator[PC]:
        """The initial program, then the one after each step."""
        return replay(self.given, self.steps)

    def until(self, number: int) -> Derivation[PC]:
        """The derivation of the first `number` steps, to be continued by `then` or otherwise.

        Raises StrategyError if there are fewer steps.
        """
        if not 0 <= number <= len(self.steps):
            title = f"expected a number of steps, 0 to {len(self.steps)}, found {number}"
            raise StrategyError(
                Diagnostic("no-such-step", title, hint="`str(derivation)` lists them by number")
            )
        result = next(islice(self.programs(), number, None))
        return Derivation(self.given, Steps(islice(self.steps, number)), result)

    def then(self, strategy: Strategy) -> Derivation[PC]:
        """The derivation continued by a strategy. Raises StrategyError with the failure tree if the strategy fails."""
        result = run(strategy, self.result).result
        if isinstance(result, Failure):
            return result.program  # raises
        return Derivation(self.given, self.steps + result.steps, result.program)

    @property
    def float_class(self) -> FloatClass:
        """How the whole derivation may change floating-point results."""
        return join({entry[0].float_class for entry in self.steps.entries()})

    def __str__(self) -> str:
        return "\n".join(f"{number:4}  {step}" for number, step in enumerate(self.steps, start=1))

    def _repr_html_(self) -> str:
        rows = "".join(f"<li>{html.escape(str(step))}</li>" for step in self.steps)
        return f"<pre>{html.escape(show_term(self.given))}</pre><ol>{rows}</ol>"


@ends_at_the_users_line
def derive(strategy: Strategy, program: P) -> Derivation[P]:
    """The derivation by a strategy from a program. Raises StrategyError with the failure tree if it fails."""
    result = run(strategy, program).result
    if isinstance(result, Failure):
        return result.program  # raises
    return Derivation(program, result.steps, result.program)


def expected_derivation(given: Derivation[P]) -> Derivation[P]:
    """Check that a value is a derivation. Raises StrategyError with the next action if it is not."""
    hint = "`derive(strategy, program)` returns one, which also has the initial program"
    return expected(given, Derivation, "a derivation", "no-derivation", hint)


def derivation_of(given: P, steps: list[Step], result: P) -> Derivation[P]:
    """The derivation with a list of steps."""
    return Derivation(given, Steps(steps), result)
