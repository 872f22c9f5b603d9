"""Derivations: a strategy applied part by part, every step with its place. Knows no terminal."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import elevate
from elevate import Counters, Failure, FloatClass, Observer, Path, Recorded, Step, Strategy
from elevate.combinators import Named
from elevate.strategy import Seq
from rise.diagnostics import Diagnostic, RiseError
from rise.printer.scopes import Scope, scope_inside
from rise.terms import App, Expr, Lam, Primitive, spine
from rise.text.names import bounded
from shine.front.failure_tree import tree_lines
from strategies.equations.rule import EquationRule

LONGEST_NAME = 72  # characters of a strategy's text


@dataclass(frozen=True, slots=True)
class Phase:
    """One part of a strategy, applied to the program that the parts before it left."""

    strategy: str
    before: Expr
    after: Expr
    steps: elevate.Steps
    counters: Counters
    seconds: float


@dataclass(frozen=True, slots=True)
class Derivation:
    """What a strategy did to a program: its parts in order, and the program that came out."""

    strategy: str
    phases: tuple[Phase, ...]
    program: Expr
    result: Expr

    @property
    def counters(self) -> Counters:
        """Firings, attempts and visits of all parts."""
        return Counters(
            sum(one.counters.firings for one in self.phases),
            sum(one.counters.attempts for one in self.phases),
            sum(one.counters.visits for one in self.phases),
        )

    @property
    def seconds(self) -> float:
        """The time that all parts took."""
        return sum(one.seconds for one in self.phases)

    @property
    def float_class(self) -> FloatClass:
        """What the derivation may do to floating-point results."""
        return elevate.join(entry[0].float_class for one in self.phases for entry in one.steps.entries())


@dataclass(frozen=True, slots=True)
class Place:
    """Where a step happened: the names in scope, and the functions of patterns around it, innermost last."""

    scope: Scope
    inside: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Shown:
    """A step of a derivation with its number, its place, and the program after it."""

    number: int
    step: Step
    place: Place
    program: Expr

    @property
    def sides(self) -> tuple[Expr, Expr]:
        """What stood there, and what stands there now."""
        before, after = self.step.redex, self.step.contractum
        assert isinstance(before, Expr) and isinstance(after, Expr), self.step
        return before, after


@dataclass(frozen=True, slots=True)
class Stopped:
    """A strategy that did not apply: the parts before, the program that they left, and the failure of the next."""

    strategy: Strategy
    phases: tuple[Phase, ...]
    program: Expr
    part: int
    count: int
    failure: Failure


def derive(strategy: Strategy, program: Expr, what: str = "the program") -> Derivation:
    """Apply a strategy. Raises RiseError with its failure tree where it fails."""
    found = attempt(strategy, program)
    if isinstance(found, Stopped):
        raise RiseError(failure(found, what))
    return found


def attempt(strategy: Strategy, program: Expr, observers: Sequence[Observer] = ()) -> Derivation | Stopped:
    """Apply a strategy part by part, and say how far it came.

    Raises StrategyError where a saved derivation goes otherwise than it did, which names the step.
    """
    phases: list[Phase] = []
    current = program
    parts = parts_of(strategy)
    for number, part in enumerate(parts, start=1):
        start = time.perf_counter()
        if isinstance(part, Recorded) and not observers:
            again = elevate.rederive(current, part)
            counters = Counters(len(again.steps), len(again.steps), 0)
            phases.append(
                Phase(brief(part), current, again.result, again.steps, counters, time.perf_counter() - start)
            )
            current = again.result
            continue
        outcome = elevate.run(part, current, observers=observers)
        seconds = time.perf_counter() - start
        if isinstance(outcome.result, Failure):
            return Stopped(strategy, tuple(phases), current, number, len(parts), outcome.result)
        result = outcome.result
        phases.append(Phase(brief(part), current, result.program, result.steps, outcome.counters, seconds))
        current = result.program
    return Derivation(brief(strategy), tuple(phases), program, current)


def parts_of(strategy: Strategy) -> tuple[Strategy, ...]:
    """The parts that a strategy applies to the whole program, one after the other."""
    while isinstance(strategy, Named):
        strategy = strategy.body
    return strategy.parts if isinstance(strategy, Seq) else (strategy,)


def steps_of(derivation: Derivation) -> Iterator[tuple[Phase, list[Shown]]]:
    """Every part with its steps, numbered through."""
    number = 0
    for phase in derivation.phases:
        shown: list[Shown] = []
        programs = elevate.replay(phase.before, phase.steps)
        before = next(programs)
        for step, after in zip(phase.steps, programs, strict=True):
            number += 1
            shown.append(Shown(number, step, place_of(before, step.path), after))
            before = after
        yield phase, shown


def place_of(program: Expr, path: Path) -> Place:
    """The place of a path, in words; names are those that the printed program has."""
    inside: list[str] = []
    around: list[Expr] = []
    node = program
    for index in path:
        match node:
            case App(fun, Lam() as argument) if index == 1:
                head, _ = spine(fun)
                if isinstance(head, Primitive):
                    inside.append(f"{head.name}({parameters_of(argument)})")
            case _:
                pass
        around.append(node)
        node = node.children[index]
    return Place(scope_inside(around), tuple(inside))


def parameters_of(function: Expr) -> str:
    """The names of a function's parameters."""
    names: list[str] = []
    while isinstance(function, Lam):
        names.append(function.name)
        function = function.body
    return ", ".join(names)


def folded(steps: list[Shown]) -> Iterator[list[Shown]]:
    """Steps in groups: one by one, but for runs of administrative rules, and of one rule."""
    group: list[Shown] = []
    for shown in steps:
        if group and not _belongs(group[-1], shown):
            yield group
            group = []
        group.append(shown)
    if group:
        yield group


def is_administrative(shown: Shown) -> bool:
    """Whether a step only tidies up."""
    rule = shown.step.rule
    return isinstance(rule, EquationRule) and rule.tidies and not rule.is_inverse


def _belongs(one: Shown, other: Shown) -> bool:
    if is_administrative(one) or is_administrative(other):
        return is_administrative(one) and is_administrative(other)
    return one.step.rule.name == other.step.rule.name


def brief(strategy: Strategy) -> str:
    """A strategy's text, cut where it is long."""
    return bounded(str(strategy), LONGEST_NAME)


def failure(stopped: Stopped, what: str) -> Diagnostic:
    """Say that a strategy does not apply, with its failure tree; a precondition that was not met is said first."""
    tree = stopped.failure.explain()
    title = f"{brief(stopped.strategy)} does not apply to {what}"
    hint = "choose another strategy, or wrap what need not apply in `try_`"
    unmet = tree.precondition
    if unmet is not None:
        title += f": a precondition of {bounded(unmet.strategy, LONGEST_NAME)} is not met"
        hint = "choose sizes or parameters that meet the precondition, or another strategy"
    notes = ["\n".join(tree_lines(tree))]
    if stopped.count > 1:
        notes.insert(0, progress(stopped))
    return Diagnostic("strategy-failed", title, (), hint, tuple(notes))


def progress(stopped: Stopped) -> str:
    """Which part failed, after how many steps."""
    steps = sum(len(one.steps) for one in stopped.phases)
    done = f" after {steps} step{'s' * (steps != 1)}" if steps else ""
    return f"part {stopped.part} of {stopped.count} failed{done}"
