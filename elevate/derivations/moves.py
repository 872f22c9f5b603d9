"""Where a firing puts the parts of what it rewrites. Knows of a rule what it tells of itself, and no language.

A rule with variables (an equation) has two methods besides those of `Rule`: `bindings(term)`, what the variables
stand for, by name, and `moves(redex, contractum)`, where each stands on both sides. Of other rules it is known only
which parts are equal before and after.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from elevate.expected import expected_path
from elevate.term import Path, Place, Term, path_of, preorder
from elevate.trace import Step, Steps, expected_step

MOST = 20_000
"""How many places of a term are looked at for equal parts."""


@dataclass(frozen=True, slots=True)
class Move:
    """A part of a redex, and where in the contractum it stands with all that is below it."""

    source: Path
    target: Path | None
    """None: nowhere; the rule drops it."""
    name: str = ""
    """The variable of the rule that stands for it."""


@dataclass(frozen=True, slots=True)
class Lost:
    """A place that a step did away with."""

    reason: str
    """`drops it`, or `takes it apart`: the place was a part of the pattern."""
    variable: str = ""

    def __str__(self) -> str:
        return f"drops {self.variable}, which holds it" if self.variable else self.reason


Told: TypeAlias = Sequence[Move]


def bindings_of(step: Step) -> Mapping[str, object]:
    """What the variables of a step's rule stood for, worked out again; nothing for a rule without variables.

    Terms come with their types, sizes and names as the rule's language has them.
    """
    ask: Callable[[Term], Mapping[str, object]] | None = getattr(expected_step(step).rule, "bindings", None)
    return {} if ask is None else ask(step.redex)


def moves_of(step: Step) -> Told:
    """Where the parts of a step's redex went: as its rule's variables say, else by what is equal."""
    ask: Callable[[Any, Any], Told | None] | None = getattr(expected_step(step).rule, "moves", None)
    told = None if ask is None else ask(step.redex, step.contractum)
    return equal_parts(step.redex, step.contractum) if told is None else told


def equal_parts(before: Term, after: Term) -> Told:
    """The largest parts of a term that another one has too, each with its places there."""
    there: dict[Term, list[Path]] = {}
    for count, (part, place) in enumerate(preorder(after)):
        if count == MOST:
            break
        there.setdefault(part, []).append(path_of(place))
    moves: list[Move] = []
    waiting: list[tuple[Term, Place]] = [(before, None)]
    while waiting and len(moves) < MOST:
        part, place = waiting.pop()
        if part in there:
            moves += [Move(path_of(place), target) for target in there[part]]
            continue
        children = part.children
        waiting.extend((children[index], (place, index)) for index in range(len(children) - 1, -1, -1))
    return moves


def is_below(path: Path, above: Path) -> bool:
    """Whether a path is another one, or leads below it."""
    return path[: len(above)] == above


def forward(path: Path, step: Step, moves: Told | None = None) -> tuple[Path, ...] | Lost:
    """Where the subterm at a path stands after a step; at several places where the step copies it.

    The place of the step itself stays, and so do all that are not below it. `moves` are the step's, where known.
    """
    at, path = expected_step(step).path, expected_path(path)
    if path == at or not is_below(path, at):
        return (path,)
    inner = path[len(at) :]
    found: list[Path] = []
    lost = Lost("drops it")
    for move in moves_of(step) if moves is None else moves:
        if is_below(inner, move.source):
            if move.target is not None:
                found.append((*at, *move.target, *inner[len(move.source) :]))
            else:
                lost = Lost("drops it", move.name)
        elif is_below(move.source, inner):
            lost = Lost("takes it apart")
    return tuple(dict.fromkeys(found)) if found else lost


def origins(path: Path, step: Step, moves: Told | None = None) -> Iterator[tuple[Path, int]]:
    """Where the subterm at a path stood before a step, and which of its places after the step this is.

    Nowhere, if the rule made it. The place of the step itself is first its own origin.
    """
    at, path = expected_step(step).path, expected_path(path)
    if path == at or not is_below(path, at):
        yield path, 0
        if path != at:
            return
    inner = path[len(at) :]
    numbers: dict[Path, int] = {}
    for move in moves_of(step) if moves is None else moves:
        if move.target is None:
            continue
        number = numbers.get(move.source, 0)
        numbers[move.source] = number + 1
        if is_below(inner, move.target):
            yield (*at, *move.source, *inner[len(move.target) :]), number


def first_origin(path: Path, steps: Steps) -> Path:
    """Where a subterm of the last program of a derivation stood in the first one; if a rule made it, where the part
    stood that the rule made it of.
    """
    for step in reversed(list(steps)):
        if path == step.path or not is_below(path, step.path):
            continue
        inner = path[len(step.path) :]
        source: Path = ()
        closest = 0
        for move in moves_of(step):
            # a part may stand in another one that moved: an argument in the body of the function that it is put in
            if move.target is not None and is_below(inner, move.target) and len(move.target) >= closest:
                closest = len(move.target) + 1
                source = (*move.source, *inner[len(move.target) :])
        path = (*step.path, *source)
    return path
