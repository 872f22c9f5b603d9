"""Computes where an application of a rule moves the subterms of its redex.

Depends only on what rules declare, and not on languages.

A rule with variables (an equation) has two more methods than `Rule`: `bindings(term)`, the values of the variables by
name, and `moves(redex, contractum)`, the places of each on both sides. For other rules, equal subterms before and after
are found.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from elevate.argument_checks import expected_path
from elevate.term import Path, Place, Term, path_of, preorder
from elevate.trace import Step, Steps, expected_step
from elevate.tracebacks import ends_at_the_users_line

MAX_PLACES = 20_000
"""How many places of a term are searched for equal subterms."""


@dataclass(frozen=True, slots=True)
class Move:
    """A subterm of a redex, and its place in the contractum."""

    source: Path
    target: Path | None
    """None if the rule drops it."""
    name: str = ""
    """The variable of the rule that matched it."""


@dataclass(frozen=True, slots=True)
class Lost:
    """The reason why a place is gone after a step."""

    reason: str
    """`drops it`, or `takes it apart` if the pattern of the rule reaches below the place."""
    variable: str = ""

    def __str__(self) -> str:
        return f"drops {self.variable}, which contains it" if self.variable else self.reason


Moves: TypeAlias = Sequence[Move]


@ends_at_the_users_line
def bindings_of(step: Step) -> Mapping[str, object]:
    """The values of the variables of a step's rule, computed again; empty for a rule without variables.

    Terms have types, sizes and names as in the language of the rule.
    """
    bindings: Callable[[Term], Mapping[str, object]] | None = getattr(
        expected_step(step).rule, "bindings", None
    )
    return {} if bindings is None else bindings(step.redex)


@ends_at_the_users_line
def moves_of(step: Step) -> Moves:
    """The moves of the subterms of a step's redex: by the variables of its rule, or otherwise by equality."""
    declared_moves: Callable[[Any, Any], Moves | None] | None = getattr(
        expected_step(step).rule, "moves", None
    )
    moves = None if declared_moves is None else declared_moves(step.redex, step.contractum)
    return equal_parts(step.redex, step.contractum) if moves is None else moves


def equal_parts(before: Term, after: Term) -> Moves:
    """The largest subterms of a term that occur in another one, with their places there."""
    targets: dict[Term, list[Path]] = {}
    for count, (part, place) in enumerate(preorder(after)):
        if count == MAX_PLACES:
            break
        targets.setdefault(part, []).append(path_of(place))
    moves: list[Move] = []
    waiting: list[tuple[Term, Place]] = [(before, None)]
    while waiting and len(moves) < MAX_PLACES:
        part, place = waiting.pop()
        if part in targets:
            moves += [Move(path_of(place), target) for target in targets[part]]
            continue
        children = part.children
        waiting.extend((children[index], (place, index)) for index in range(len(children) - 1, -1, -1))
    return moves


def is_below(path: Path, above: Path) -> bool:
    """Whether a path is another one or leads below it."""
    return path[: len(above)] == above


@ends_at_the_users_line
def forward(path: Path, step: Step, moves: Moves | None = None) -> tuple[Path, ...] | Lost:
    """The places of the subterm at a path after a step; several if the step copies it.

    The place of the step itself stays, and so do all places not below it. `moves` are those of the step, if known.
    """
    at, path = expected_step(step).path, expected_path(path)
    if path == at or not is_below(path, at):
        return (path,)
    inner = path[len(at) :]
    places: list[Path] = []
    lost = Lost("drops it")
    for move in moves_of(step) if moves is None else moves:
        if is_below(inner, move.source):
            if move.target is not None:
                places.append((*at, *move.target, *inner[len(move.source) :]))
            else:
                lost = Lost("drops it", move.name)
        elif is_below(move.source, inner):
            lost = Lost("takes it apart")
    return tuple(dict.fromkeys(places)) if places else lost


@ends_at_the_users_line
def origins(path: Path, step: Step, moves: Moves | None = None) -> Iterator[tuple[Path, int]]:
    """The places of the subterm at a path before a step, each with the number of this copy.

    No places if the rule created it. The place of the step itself is its own first origin.
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
    """The place in the first program of a derivation of a subterm of the last; if a rule created the subterm, the place
    of what it was created from.
    """
    for step in reversed(list(steps)):
        if path == step.path or not is_below(path, step.path):
            continue
        inner = path[len(step.path) :]
        source: Path = ()
        closest = 0
        for move in moves_of(step):
            # a subterm may be inside another one that moved, as an argument substituted into a function body is
            if move.target is not None and is_below(inner, move.target) and len(move.target) >= closest:
                closest = len(move.target) + 1
                source = (*move.source, *inner[len(move.target) :])
        path = (*step.path, *source)
    return path
