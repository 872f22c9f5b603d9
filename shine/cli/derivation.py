"""Derivations: a strategy applied part by part, every step with its place. Knows no terminal."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass

import elevate
from elevate import Counters, Failure, FailureTree, FloatClass, Path, Step, Strategy, show_path
from elevate.combinators import Named
from elevate.strategy import Seq
from rise.diagnostics import Diagnostic, RiseError
from rise.terms import App, DepLam, Expr, Lam, Primitive, spine
from rise.text.names import Names, bounded
from rise.text.printer import is_reserved

LONGEST_NAME = 72  # characters of a strategy's text
LONGEST_LINE = 96
TREE_LINES = 24  # lines of a failure tree that are shown

#: rules that only tidy up: consecutive ones fold to one line
ADMINISTRATIVE = frozenset(
    (
        *("betaReduction", "gentleBeta", "betaPair", "callInside", "letToCall"),
        *("etaReduction", "etaAbstraction", "etaAbstractionFold"),
        *("fstPair", "sndPair", "pairEta", "mapIdentity", "narrowZip"),
        *("takeAll", "padNothing", "joinSplit", "transposeTranspose"),
    )
)


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
    """Where a step happened: the names in scope, innermost last, and the functions of patterns around it."""

    ordinary: tuple[str, ...]
    dependent: tuple[str, ...]
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


def derive(strategy: Strategy, program: Expr, what: str = "the program") -> Derivation:
    """Apply a strategy. Raises RiseError with its failure tree where it fails."""
    phases: list[Phase] = []
    current = program
    parts = parts_of(strategy)
    for number, part in enumerate(parts, start=1):
        start = time.perf_counter()
        outcome = elevate.run(part, current)
        seconds = time.perf_counter() - start
        if isinstance(outcome.result, Failure):
            raise RiseError(failure(strategy, outcome.result, what, number, len(parts), phases))
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
    names = Names(is_reserved=is_reserved)
    inside: list[str] = []
    node = program
    for index in path:
        match node:
            case Lam(name):
                names.bind_ordinary(name)
            case DepLam(name, kind):
                names.bind_dependent(name, kind)
            case App(fun, Lam() as argument) if index == 1:
                head, _ = spine(fun)
                if isinstance(head, Primitive):
                    inside.append(f"{head.name}({parameters_of(argument)})")
        node = node.children[index]
    return Place(tuple(names.ordinary), tuple(names.dependent), tuple(inside))


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
    return shown.step.rule.name.partition("(")[0] in ADMINISTRATIVE


def _belongs(one: Shown, other: Shown) -> bool:
    if is_administrative(one) or is_administrative(other):
        return is_administrative(one) and is_administrative(other)
    return one.step.rule.name == other.step.rule.name


def brief(strategy: Strategy) -> str:
    """A strategy's text, cut where it is long."""
    return bounded(str(strategy), LONGEST_NAME)


def failure(
    strategy: Strategy, failed: Failure, what: str, number: int, count: int, before: list[Phase]
) -> Diagnostic:
    """Say that a strategy does not apply, with its failure tree."""
    title = f"{brief(strategy)} does not apply to {what}"
    notes = ["\n".join(tree_lines(failed.explain()))]
    steps = sum(len(one.steps) for one in before)
    if count > 1:
        done = f" after {steps} step{'s' * (steps != 1)}" if steps else ""
        notes.insert(0, f"part {number} of {count} failed{done}")
    hint = "choose another strategy, or wrap what need not apply in `try_`"
    return Diagnostic("strategy-failed", title, (), hint, tuple(notes))


def tree_lines(tree: FailureTree) -> Iterator[str]:
    """A failure tree as indented lines, each cut where it is long; of many the first."""
    lines: list[str] = []
    waiting: list[tuple[FailureTree, str]] = [(tree, "")]
    while waiting and len(lines) < TREE_LINES:
        node, indent = waiting.pop()
        lines.append(
            f"{indent}{bounded(node.strategy, LONGEST_NAME)} at {show_path(node.path)}: {node.reason}"
        )
        for word, said in (("expected", node.expected), ("found   ", node.found)):
            if said:
                lines.append(f"{indent}  {word} {bounded(' '.join(said.split()), LONGEST_LINE)}")
        waiting += [(part, indent + "  ") for part in reversed(node.parts)]
    yield from lines
    if waiting:
        yield "..."
