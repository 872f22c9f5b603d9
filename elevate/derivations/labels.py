"""Labels on places, which follow the labelled subterm while a program is rewritten. Independent of languages.

Terms are shared, so a label is a path; it moves as the variables of the rules that fire do.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, ClassVar, TypeAlias

from elevate.argument_checks import expected_path
from elevate.combinators import IfThenElse, Named, Not, Repeat, RepeatNTimes, Try
from elevate.derivations.moves import Lost, Moves, forward, is_below, moves_of
from elevate.directed_strategies import At, Directed, Orders
from elevate.engine.divergence import cycle
from elevate.normal_forms import Keeping
from elevate.strategy import LChoice, Seq, Strategy, Traversal, fail, parts, seq
from elevate.term import Path, Term, path_of, place_of, preorder, show_path
from elevate.trace import Step, expected_steps
from elevate.tracebacks import ends_at_the_users_line

Paths: TypeAlias = tuple[Path, ...]


@dataclass(frozen=True, slots=True)
class Found:
    """A place of the followed subterm, and the steps that fired inside it, with paths relative to the place.

    Applied to the original subterm, these steps result in the term at the place.
    """

    path: Path
    inside: tuple[Step, ...] = ()


@dataclass(frozen=True, slots=True)
class Gone:
    """A place that is gone after a step."""

    number: int
    step: Step
    path: Path
    """The place before the step."""
    lost: Lost

    def __str__(self) -> str:
        return f"step {self.number} ({self.step.rule.name} at {show_path(self.step.path)}) {self.lost}"


@dataclass(frozen=True, slots=True)
class Followed:
    """The places of a followed subterm, none if it is gone, and the steps that removed places of it."""

    places: tuple[Found, ...]
    gone: tuple[Gone, ...] = ()

    @property
    def paths(self) -> Paths:
        """The places alone."""
        return tuple(found.path for found in self.places)


@ends_at_the_users_line
def follow(path: Path | str, steps: Iterable[Step]) -> Followed:
    """The places of the subterm at a path after some steps, for example those of a Success.

    Copies are several places. After beta reduction the body is followed as the same subterm.
    """
    places = [Found(expected_path(path))]
    gone: list[Gone] = []
    for number, step in enumerate(expected_steps(steps), start=1):
        places, lost = followed(places, step, number)
        gone += lost
    return Followed(tuple(places), tuple(gone))


def followed(places: list[Found], step: Step, number: int) -> tuple[list[Found], list[Gone]]:
    """The places after one more step, and those that it removed."""
    moves: Moves | None = None
    after: dict[Path, Found] = {}
    gone: list[Gone] = []
    for place in places:
        path = place.path
        if is_below(step.path, path):
            inner_step = Step(step.rule, step.path[len(path) :], step.redex, step.contractum)
            after[path] = Found(path, (*place.inside, inner_step))
        elif not is_below(path, step.path):
            after[path] = place
        else:
            moves = moves_of(step) if moves is None else moves
            targets = forward(path, step, moves)
            if isinstance(targets, Lost):
                gone.append(Gone(number, step, path, targets))
            else:
                after |= {target: Found(target, place.inside) for target in targets}
    return list(after.values()), gone


@dataclass(frozen=True, slots=True)
class AtLabel(Strategy):
    """Apply a strategy at every place of a label, inside `labelled`.

    Fails if the label is gone, or if the strategy fails at one of its places.
    """

    label: str
    inner: Strategy
    curried: ClassVar[bool] = True

    def unfold(self) -> Strategy:
        return Named(f"no label {self.label} is defined here", (), fail)


@dataclass(frozen=True, slots=True)
class Labelled(Directed):
    """A strategy with labels, which are moved after each of its parts. Built by `labelled`."""

    labels: tuple[tuple[str, Strategy | Paths], ...]
    inner: Strategy

    def orders(self, term: Any) -> Orders:
        places: dict[str, Followed] = {}
        for name, where in self.labels:
            if isinstance(where, Strategy):
                path = yield from first_place(where, term)
                if path is None:
                    return False
                places[name] = Followed((Found(path),))
            else:
                places[name] = Followed(tuple(map(Found, where)))
        taken: list[Step] = []
        for part in self.inner.parts if isinstance(self.inner, Seq) else (self.inner,):
            if isinstance(part, Repeat) and mentions_label(part):
                term = yield from repeated(part, term, places, taken)
                continue
            happened = yield resolved(part, places), ()
            if happened is None:
                return False
            term = happened.term
            move_labels(places, happened.steps, taken)
        return True

    def show(self, binding: int = 0) -> str:
        labels = ", ".join(f"{name}={_label_text(where)}" for name, where in self.labels)
        return f"labelled({labels})({self.inner.show()})"


def _label_text(where: Strategy | Paths) -> str:
    if isinstance(where, Strategy):
        return where.show()
    paths = [f'"{".".join(map(str, path))}"' for path in where]
    return paths[0] if len(paths) == 1 else f"({', '.join(paths)})"


def move_labels(places: dict[str, Followed], steps: Iterable[Step], taken: list[Step]) -> None:
    """Move labels by more steps; `taken` are the steps so far."""
    for step in steps:
        taken.append(step)
        for name, label in places.items():
            after, gone = followed(list(label.places), step, len(taken))
            places[name] = Followed(tuple(after), (*label.gone, *gone))


def repeated(part: Repeat, term: Any, places: dict[str, Followed], taken: list[Step]) -> Any:
    """Orders that repeat a strategy, moving its labels after each round. Returns the final term."""
    seen = {term: len(taken)}
    while (happened := (yield _inside(part.inner, places), ())) is not None:
        term = happened.term
        move_labels(places, happened.steps, taken)
        if term in seen:
            cycle_steps = taken[seen[term] :]
            raise cycle(
                part, [(step.rule, place_of(step.path), step.redex, step.contractum) for step in cycle_steps]
            )
        seen[term] = len(taken)
    return term


def first_place(where: Strategy, term: Term) -> Any:
    """Orders that find the first place, parents first, where a strategy succeeds; its rewrites are discarded."""
    for _, place in preorder(term):
        path = path_of(place)
        if (yield Not(Not(where)), path) is not None:
            return path
    return None


@ends_at_the_users_line
def labelled(**labels: Strategy | Path | str) -> Traversal:
    """Define labels for the parts of a strategy: `labelled(rows=isMap)(split >> atLabel("rows")(parallel))`.

    A label starts at a path, or at the first place, parents first, where a strategy succeeds; fails if there is none.
    """
    definitions: list[tuple[str, Strategy | Paths]] = []
    for name, where in labels.items():
        match where:
            case Strategy():
                definitions.append((name, where))
            case _:
                definitions.append((name, (expected_path(where),)))
    return lambda inner: Labelled(tuple(definitions), inner)


@ends_at_the_users_line
def atLabel(label: str) -> Traversal:
    """Apply a strategy at every place of a label: `atLabel("rows")(s)`, inside `labelled`."""
    return lambda inner: AtLabel(label, inner)


def resolved(part: Strategy, places: dict[str, Followed]) -> Strategy:
    """A part with its labels replaced by paths, as of before it runs; sequences and repetitions inside it move their
    labels themselves."""
    match part:
        case AtLabel(label, inner) if label in places:
            paths = sorted(places[label].paths, key=len, reverse=True)
            if not paths:
                reasons = "; ".join(map(str, places[label].gone))
                return Named(f"the label {label} no longer exists: {reasons}", (), fail)
            return seq(*(At(path, inner) for path in paths))
        case LChoice(alternatives):
            return LChoice(tuple(_inside(inner_part, places) for inner_part in alternatives))
        case Try(inner):
            return Try(_inside(inner, places))
        case Not(inner):
            return Not(_inside(inner, places))
        case IfThenElse(condition, then, otherwise):
            return IfThenElse(*(_inside(inner_part, places) for inner_part in (condition, then, otherwise)))
        case Named(name, parameters, body):
            return Named(name, parameters, _inside(body, places))
        case RepeatNTimes() | Keeping():
            return _inside(part.unfold(), places)
    return part


def _inside(strategy: Strategy, places: dict[str, Followed]) -> Strategy:
    if not mentions_label(strategy):
        return strategy
    return Labelled(tuple((name, found.paths) for name, found in places.items()), strategy)


def mentions_label(strategy: Strategy) -> bool:
    """Whether a strategy contains an `atLabel`."""
    waiting: list[object] = [strategy]
    while waiting:
        part = waiting.pop()
        match part:
            case AtLabel():
                return True
            case tuple():
                waiting += part
            case Strategy():
                waiting += parts(part)
            case _:
                pass
    return False
