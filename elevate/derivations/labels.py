"""Labels on places, which stay with what they were put on while a program is rewritten. Knows no language.

Terms are shared, so a label is a path, and moves by what the rules that fire say of their variables.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, ClassVar, TypeAlias

from elevate.combinators import IfThenElse, Named, Not, Repeat, RepeatNTimes, Try
from elevate.derivations.moves import Lost, Told, forward, is_below, moves_of
from elevate.directed import At, Directed, Orders
from elevate.engine.divergence import cycle
from elevate.expected import expected_path
from elevate.maintained import Keeping
from elevate.strategy import LChoice, Seq, Strategy, Traversal, fail, parts, seq
from elevate.term import Path, Term, path_of, place_of, preorder, show_path
from elevate.trace import Step, expected_steps

Paths: TypeAlias = tuple[Path, ...]


@dataclass(frozen=True, slots=True)
class Found:
    """A place of what was followed, and the steps that fired inside it, seen from the place.

    Done to what was followed, these steps give what stands there now.
    """

    path: Path
    inside: tuple[Step, ...] = ()


@dataclass(frozen=True, slots=True)
class Gone:
    """A place that a step did away with."""

    number: int
    step: Step
    path: Path
    """Where it was before the step."""
    lost: Lost

    def __str__(self) -> str:
        return f"step {self.number} ({self.step.rule.name} at {show_path(self.step.path)}) {self.lost}"


@dataclass(frozen=True, slots=True)
class Followed:
    """Where a subterm went: its places, none where it is gone, and which steps did away with a place of it."""

    places: tuple[Found, ...]
    gone: tuple[Gone, ...] = ()

    @property
    def paths(self) -> Paths:
        """The places alone."""
        return tuple(found.path for found in self.places)


def follow(path: Path | str, steps: Iterable[Step]) -> Followed:
    """Where the subterm at a path is after some steps, for example those of a Success.

    Copies of it are several places. Of a call that is carried out the body counts as the same, its variable aside.
    """
    places = [Found(expected_path(path))]
    gone: list[Gone] = []
    for number, step in enumerate(expected_steps(steps), start=1):
        places, lost = followed(places, step, number)
        gone += lost
    return Followed(tuple(places), tuple(gone))


def followed(places: list[Found], step: Step, number: int) -> tuple[list[Found], list[Gone]]:
    """Places after one more step, and what is gone by it."""
    moves: Told | None = None
    found: dict[Path, Found] = {}
    gone: list[Gone] = []
    for place in places:
        path = place.path
        if is_below(step.path, path):
            seen = Step(step.rule, step.path[len(path) :], step.redex, step.contractum)
            found[path] = Found(path, (*place.inside, seen))
        elif not is_below(path, step.path):
            found[path] = place
        else:
            moves = moves_of(step) if moves is None else moves
            there = forward(path, step, moves)
            if isinstance(there, Lost):
                gone.append(Gone(number, step, path, there))
            else:
                found |= {one: Found(one, place.inside) for one in there}
    return list(found.values()), gone


@dataclass(frozen=True, slots=True)
class AtLabel(Strategy):
    """Apply a strategy at every place of a label, in a strategy that `labelled` gives labels to.

    Fails where the label is gone, and where the strategy fails at one of its places.
    """

    label: str
    inner: Strategy
    curried: ClassVar[bool] = True

    def unfold(self) -> Strategy:
        return Named(f"no label {self.label} is known here", (), fail)


@dataclass(frozen=True, slots=True)
class Labelled(Directed):
    """A strategy whose parts know labels; each label moves on as the parts rewrite. Built by `labelled`."""

    labels: tuple[tuple[str, Strategy | Paths], ...]
    inner: Strategy

    def orders(self, term: Any) -> Orders:
        places: dict[str, Followed] = {}
        for name, where in self.labels:
            if isinstance(where, Strategy):
                here = yield from first_place(where, term)
                if here is None:
                    return False
                places[name] = Followed((Found(here),))
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
            move_on(places, happened.steps, taken)
        return True

    def show(self, binding: int = 0) -> str:
        given = ", ".join(f"{name}={_written(where)}" for name, where in self.labels)
        return f"labelled({given})({self.inner.show()})"


def _written(where: Strategy | Paths) -> str:
    if isinstance(where, Strategy):
        return where.show()
    paths = [f'"{".".join(map(str, path))}"' for path in where]
    return paths[0] if len(paths) == 1 else f"({', '.join(paths)})"


def move_on(places: dict[str, Followed], steps: Iterable[Step], taken: list[Step]) -> None:
    """Labels after more steps; `taken` are those before."""
    for step in steps:
        taken.append(step)
        for name, before in places.items():
            now, gone = followed(list(before.places), step, len(taken))
            places[name] = Followed(tuple(now), (*before.gone, *gone))


def repeated(part: Repeat, term: Any, places: dict[str, Followed], taken: list[Step]) -> Any:
    """Orders that repeat a strategy; its labels move on from one time to the next. Answers the term in the end."""
    seen = {term: len(taken)}
    while (happened := (yield _inside(part.inner, places), ())) is not None:
        term = happened.term
        move_on(places, happened.steps, taken)
        if term in seen:
            circle = taken[seen[term] :]
            raise cycle(part, [(one.rule, place_of(one.path), one.redex, one.contractum) for one in circle])
        seen[term] = len(taken)
    return term


def first_place(where: Strategy, term: Term) -> Any:
    """Orders that find the first place, parents first, where a strategy succeeds; its rewrites are not kept."""
    for _, place in preorder(term):
        path = path_of(place)
        if (yield Not(Not(where)), path) is not None:
            return path
    return None


def labelled(**labels: Strategy | Path | str) -> Traversal:
    """Give labels to the parts of a strategy: `labelled(rows=isMap)(split >> atLabel("rows")(parallel))`.

    A label is put on a path, or on the first place, parents first, where a strategy succeeds; fails where none does.
    """
    given: list[tuple[str, Strategy | Paths]] = []
    for name, where in labels.items():
        match where:
            case Strategy():
                given.append((name, where))
            case _:
                given.append((name, (expected_path(where),)))
    return lambda inner: Labelled(tuple(given), inner)


def atLabel(label: str) -> Traversal:
    """Apply a strategy at every place of a label: `atLabel("rows")(s)`, inside `labelled`."""
    return lambda inner: AtLabel(label, inner)


def resolved(part: Strategy, places: dict[str, Followed]) -> Strategy:
    """A part with paths for labels, as they are before it runs; a sequence or a repetition inside it follows them by
    itself."""
    match part:
        case AtLabel(label, inner) if label in places:
            paths = sorted(places[label].paths, key=len, reverse=True)
            if not paths:
                told = "; ".join(map(str, places[label].gone))
                return Named(f"the label {label} is gone: {told}", (), fail)
            return seq(*(At(path, inner) for path in paths))
        case LChoice(alternatives):
            return LChoice(tuple(_inside(one, places) for one in alternatives))
        case Try(inner):
            return Try(_inside(inner, places))
        case Not(inner):
            return Not(_inside(inner, places))
        case IfThenElse(condition, then, otherwise):
            return IfThenElse(*(_inside(one, places) for one in (condition, then, otherwise)))
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
    """Whether a strategy is applied at a label somewhere inside."""
    waiting: list[object] = [strategy]
    while waiting:
        one = waiting.pop()
        match one:
            case AtLabel():
                return True
            case tuple():
                waiting += one
            case Strategy():
                waiting += parts(one)
            case _:
                pass
    return False
