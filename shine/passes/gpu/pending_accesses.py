"""The memory effects that are pending before and after statements. Independent of statements other than loops.

An effect is pending until a barrier of the block.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Literal, TypeAlias

from rise.naturals import NatVar, const, nat
from rise.quotients import is_nonnegative
from rise.records import dataclass
from shine.imperative.hashes import HashedOnce
from shine.imperative.kernels import Launch
from shine.imperative.nodes import For, Level, Origin
from shine.passes.gpu.conflicts import meet
from shine.passes.gpu.effects import Effect, moved, replaced

Scope: TypeAlias = Literal["block", "warp"]


@dataclass(frozen=True, slots=True)
class Pending(HashedOnce):
    """An effect with no block barrier after it, or before it; `crossed`: whether there is a warp barrier."""

    effect: Effect
    crossed: bool = False


State: TypeAlias = tuple[Pending, ...]


@dataclass(frozen=True, slots=True)
class Summary:
    """The effects of statements that no barrier separates from statements before them (`first`) and after them
    (`last`); and the strongest barrier on every path through them.
    """

    first: State = ()
    last: State = ()
    through: Scope | None = None

    def then(self, following: Summary) -> Summary:
        """The summary of these statements followed by others."""
        passed = {self.through, following.through}
        return Summary(
            join(self.first, after(following.first, self.through)),
            join(after(self.last, following.through), following.last),
            "block" if "block" in passed else "warp" if "warp" in passed else None,
        )


def join(first: State, second: State) -> State:
    """The effects that are pending on either path."""
    return tuple(dict.fromkeys((*first, *second)))


def after(state: State, barrier: Scope | None) -> State:
    """The effects that are still pending after a barrier."""
    match barrier:
        case "block":
            return ()
        case "warp":
            return tuple(dict.fromkeys(Pending(pending.effect, True) for pending in state))
    return state


def needed_barrier(
    state: State, coming: State, launch: Launch, is_warp: bool = False
) -> tuple[Scope, Origin] | None:
    """The barrier that two sequences of effects need between them, and the origin of the effect that needs it; within
    one warp, only its own lanes count."""
    barrier: tuple[Scope, Origin] | None = None
    for before in state:
        for following in coming:
            meeting = meet(before.effect, following.effect, launch)
            if meeting == "block" and not is_warp:
                return "block", following.effect.origin
            if meeting is not None and barrier is None and not before.crossed and not following.crossed:
                barrier = "warp", following.effect.origin
    return barrier


def repeated(body: Summary, loop: For) -> Summary:
    """The summary of all iterations of a loop that all threads run uniformly."""
    if _is_over_warps(loop):
        return Summary(_released(body.first, loop.index), _released(body.last, loop.index))
    anywhere = NatVar(f"{loop.index.name} at any time", loop.count)
    first, last = _at_index(body.first, loop, anywhere), _at_index(body.last, loop, anywhere)
    if not isinstance(loop.kind, Level):
        start = tuple(replace(p, effect=moved(p.effect, loop.index, const(0))) for p in body.first)
        end = tuple(replace(p, effect=moved(p.effect, loop.index, loop.count - 1)) for p in body.last)
        first = join(start, after(first, body.through))
        last = join(end, after(last, body.through))
    runs = is_nonnegative(loop.count - 1) and not isinstance(loop.kind, Level)
    return Summary(first, last, body.through if runs else None)


def _at_index(state: State, loop: For, index: NatVar) -> State:
    return tuple(replace(p, effect=moved(p.effect, loop.index, nat(index), (index,))) for p in state)


def _is_over_warps(loop: For) -> bool:
    return isinstance(loop.kind, Level) and loop.kind.name == "warp"


def _released(state: State, index: NatVar) -> State:
    """The pending effects with an index that may have any value."""
    return tuple(replace(p, effect=replace(p.effect, own=(*p.effect.own, index))) for p in state)


def earlier(body: Summary, loop: For) -> State:
    """The effects of earlier iterations that are pending at the start of an iteration."""
    if loop.count.constant == 1:
        return ()
    index, distance = nat(loop.index), NatVar(f"{loop.index.name} ago", loop.count)
    if _is_over_warps(loop):
        others = [replaced(p.effect, {loop.index: distance}) for p in body.last]
        others = [
            replace(o, own=(*o.own, distance), guards=(*o.guards, (nat(distance), index))) for o in others
        ]
        return tuple(Pending(other, p.crossed) for other, p in zip(others, body.last, strict=True))
    last: list[Pending] = []
    before: list[Pending] = []
    for pending in body.last:
        previous = moved(pending.effect, loop.index, index - 1)
        guards = (*previous.guards, (const(0), index))  # there must be an earlier iteration
        last.append(replace(pending, effect=replace(previous, guards=guards)))
        if previous is not pending.effect:
            any_before = moved(
                pending.effect, loop.index, index - 1 - distance, (distance,), ((nat(distance), index),)
            )
            before.append(replace(pending, effect=any_before))
    if isinstance(loop.kind, Level):  # one block does not run all iterations
        return join(tuple(last), tuple(before))
    return join(tuple(last), after(tuple(before), body.through))
