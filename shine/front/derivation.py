"""Applies strategies part by part, and records a derivation: each step with its place. Independent of the terminal."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence

import elevate
from elevate import Counters, Failure, FloatClass, Observer, Path, Recorded, Step, Steps, Strategy
from elevate.combinators import Named
from elevate.derivations.moves import first_origin
from elevate.strategy import Seq
from rise.diagnostics import Diagnostic, RiseError
from rise.printer.scopes import Scope, named, scope_inside
from rise.records import dataclass
from rise.terms import App, Expr, Lam, Primitive, spine
from rise.text.names import bounded
from shine.front.failure_tree import tree_lines
from strategies.equations.rule import EquationRule

MAX_NAME_CHARACTERS = 72


@dataclass(frozen=True, slots=True)
class Phase:
    """One part of a strategy, applied to the result of the previous parts."""

    strategy: str
    before: Expr
    after: Expr
    steps: elevate.Steps
    counters: Counters
    seconds: float


@dataclass(frozen=True, slots=True)
class Derivation:
    """What a strategy did to a program: its parts in order, and the resulting program."""

    strategy: str
    phases: tuple[Phase, ...]
    program: Expr
    result: Expr

    @property
    def counters(self) -> Counters:
        """Firings, attempts and visits of all parts."""
        return Counters(
            sum(phase.counters.firings for phase in self.phases),
            sum(phase.counters.attempts for phase in self.phases),
            sum(phase.counters.visits for phase in self.phases),
        )

    @property
    def seconds(self) -> float:
        """The time that all parts took."""
        return sum(phase.seconds for phase in self.phases)

    @property
    def float_class(self) -> FloatClass:
        """The effect that the derivation may have on floating-point results."""
        return elevate.join(entry[0].float_class for phase in self.phases for entry in phase.steps.entries())


@dataclass(frozen=True, slots=True)
class Place:
    """Where a step happened: the names in scope, and the enclosing functions of patterns, innermost last."""

    scope: Scope
    inside: tuple[str, ...]

    @property
    def loop(self) -> str:
        """The last parameter of the innermost of those functions; empty if there is none."""
        return self.inside[-1].partition("(")[2].rstrip(")").rpartition(", ")[2] if self.inside else ""


@dataclass(frozen=True, slots=True)
class Shown:
    """A step of a derivation with its number, its place, and the program after it."""

    number: int
    step: Step
    place: Place
    program: Expr

    @property
    def sides(self) -> tuple[Expr, Expr]:
        """The term before the step, and the term after it."""
        before, after = self.step.redex, self.step.contractum
        assert isinstance(before, Expr) and isinstance(after, Expr), self.step
        return before, after

    @property
    def said(self) -> str:
        """The decision that the rule reports, with its numbers, for the innermost loop around it; empty if there is
        none.
        """
        rule = self.step.rule
        if not isinstance(rule, EquationRule) or rule.says is None:
            return ""
        said = rule.says(named(self.sides[0], self.place.scope))
        per = self.place.loop
        return f"{said} per {per}" if said.endswith(" kept") and per else said


@dataclass(frozen=True, slots=True)
class Stopped:
    """A strategy that did not apply: the previous parts, the program after them, and the failure of the next part."""

    strategy: Strategy
    phases: tuple[Phase, ...]
    program: Expr
    part: int
    count: int
    failure: Failure

    @property
    def given(self) -> Expr:
        """The program before the first part."""
        return self.phases[0].before if self.phases else self.program


class StrategyFailed(RiseError):
    """The diagnostic of a strategy that does not apply, and where it stopped."""

    def __init__(self, diagnostic: Diagnostic, stopped: Stopped) -> None:
        super().__init__(diagnostic)
        self.stopped = stopped


def objected(stopped: Stopped) -> Path | None:
    """The path, in the original program, to the part that a rule or a predicate objects to: one that knows what to do
    about it, or else a precondition that is not met, or the nearest attempt. None if the whole program is to blame.
    """
    leaves = [leaf for leaf in stopped.failure.explain().leaves() if leaf.focus or leaf.path]
    leaves.sort(key=lambda leaf: 0 if leaf.hint and leaf.focus else 1 if leaf.is_precondition else 2)
    for leaf in leaves[:1]:
        steps = sum((phase.steps for phase in stopped.phases), Steps()) + leaf.steps
        return first_origin(leaf.focus or leaf.path, steps)
    return None


def derive(strategy: Strategy, program: Expr, what: str = "the program") -> Derivation:
    """Apply a strategy. Raises RiseError with its failure tree if it fails."""
    outcome = attempt(strategy, program)
    if isinstance(outcome, Stopped):
        raise StrategyFailed(failure(outcome, what), outcome)
    return outcome


def attempt(strategy: Strategy, program: Expr, observers: Sequence[Observer] = ()) -> Derivation | Stopped:
    """Apply a strategy part by part, up to the first that fails.

    Raises StrategyError, which names the step, if a saved derivation cannot be replayed.
    """
    phases: list[Phase] = []
    current = program
    parts = parts_of(strategy)
    for number, part in enumerate(parts, start=1):
        start = time.perf_counter()
        if isinstance(part, Recorded) and not observers:
            replayed = elevate.rederive(current, part)
            counters = Counters(len(replayed.steps), len(replayed.steps), 0)
            phases.append(
                Phase(
                    brief(part),
                    current,
                    replayed.result,
                    replayed.steps,
                    counters,
                    time.perf_counter() - start,
                )
            )
            current = replayed.result
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
    """The parts that a strategy applies to the whole program, in order."""
    while isinstance(strategy, Named):
        strategy = strategy.body
    return strategy.parts if isinstance(strategy, Seq) else (strategy,)


def steps_of(derivation: Derivation) -> Iterator[tuple[Phase, list[Shown]]]:
    """Every part with its steps, numbered across all parts."""
    number = 0
    for phase in derivation.phases:
        phase_steps: list[Shown] = []
        programs = elevate.replay(phase.before, phase.steps)
        before = next(programs)
        for step, after in zip(phase.steps, programs, strict=True):
            number += 1
            phase_steps.append(Shown(number, step, place_of(before, step.path), after))
            before = after
        yield phase, phase_steps


def place_of(program: Expr, path: Path) -> Place:
    """The place at a path; names are those of the printed program."""
    inside: list[str] = []
    ancestors: list[Expr] = []
    node = program
    for index in path:
        match node:
            case App(fun, Lam() as argument) if index == 1:
                head, _ = spine(fun)
                if isinstance(head, Primitive):
                    inside.append(f"{head.name}({parameters_of(argument)})")
            case _:
                pass
        ancestors.append(node)
        node = node.children[index]
    return Place(scope_inside(ancestors), tuple(inside))


def parameters_of(function: Expr) -> str:
    """The names of a function's parameters."""
    names: list[str] = []
    while isinstance(function, Lam):
        names.append(function.name)
        function = function.body
    return ", ".join(names)


def folded(steps: list[Shown]) -> Iterator[list[Shown]]:
    """Group steps: runs of administrative rules and runs of one rule together, others alone."""
    group: list[Shown] = []
    for shown in steps:
        if group and not _folds_with(group[-1], shown):
            yield group
            group = []
        group.append(shown)
    if group:
        yield group


def is_administrative(shown: Shown) -> bool:
    """Whether a step only tidies up."""
    rule = shown.step.rule
    return isinstance(rule, EquationRule) and rule.tidies and not rule.is_inverse


def _folds_with(first: Shown, second: Shown) -> bool:
    if is_administrative(first) or is_administrative(second):
        return is_administrative(first) and is_administrative(second)
    return first.step.rule.name == second.step.rule.name


def brief(strategy: Strategy) -> str:
    """A strategy's text, shortened if it is long."""
    return bounded(str(strategy), MAX_NAME_CHARACTERS)


def failure(stopped: Stopped, what: str) -> Diagnostic:
    """The diagnostic for a strategy that does not apply, with its failure tree and any unmet precondition."""
    tree = stopped.failure.explain()
    title = f"{brief(stopped.strategy)} does not apply to {what}"
    hint = "choose another strategy, or wrap what need not apply in `try_`"
    unmet = tree.precondition
    if unmet is not None:
        title += f": a precondition of {bounded(unmet.strategy, MAX_NAME_CHARACTERS)} is not met"
        hint = "choose sizes or parameters that meet the precondition, or another strategy"
        if _has_edges_off(stopped.strategy):
            hint = f"set the parameter edges=1, which lets tiles overrun; or {hint}"
    hint = next((leaf.hint for leaf in tree.leaves() if leaf.hint), hint)
    notes = ["\n".join(tree_lines(tree))]
    if stopped.count > 1:
        notes.insert(0, progress(stopped))
    return Diagnostic("strategy-failed", title, (), hint, tuple(notes))


def _has_edges_off(strategy: Strategy) -> bool:
    """Whether a strategy has the parameter `edges`, which allows partial tiles at the edges, and it is off."""
    if not isinstance(strategy, Named):
        return False
    names = [name for name, _ in strategy.defaults]
    values = strategy.parameters[len(strategy.parameters) - len(names) :]
    return ("edges", 0) in zip(names, values, strict=True)


def progress(stopped: Stopped) -> str:
    """A text that says which part failed, and after how many steps."""
    steps = sum(len(phase.steps) for phase in stopped.phases)
    after_text = f" after {steps} step{'s' * (steps != 1)}" if steps else ""
    return f"part {stopped.part} of {stopped.count} failed{after_text}"
