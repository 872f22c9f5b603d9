"""What is known of memory before and after statements, as far as no barrier stands between. Knows no statements but
loops.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from rise.naturals import NatVar, const, nat
from rise.quotients import is_nonnegative
from shine.imperative.kernels import Launch
from shine.imperative.nodes import For, Level, Origin
from shine.passes.gpu.conflicts import meet
from shine.passes.gpu.effects import Effect, moved, replaced

Scope: TypeAlias = Literal["block", "warp"]


@dataclass(frozen=True, slots=True)
class Pending:
    """An effect from which, or to which, no barrier of the block leads; `crossed`: one of the warp does."""

    effect: Effect
    crossed: bool = False


State: TypeAlias = tuple[Pending, ...]


@dataclass(frozen=True, slots=True)
class Summary:
    """What statements do that no barrier separates from what is before them (`first`), and after (`last`); and the
    strongest barrier that every way through them passes.
    """

    first: State = ()
    last: State = ()
    through: Scope | None = None

    def then(self, following: Summary) -> Summary:
        """First these, then the following."""
        passed = {self.through, following.through}
        return Summary(
            join(self.first, after(following.first, self.through)),
            join(after(self.last, following.through), following.last),
            "block" if "block" in passed else "warp" if "warp" in passed else None,
        )


def join(one: State, other: State) -> State:
    """What is pending on one way or the other."""
    return tuple(dict.fromkeys((*one, *other)))


def after(state: State, barrier: Scope | None) -> State:
    """What is still pending behind a barrier."""
    match barrier:
        case "block":
            return ()
        case "warp":
            return tuple(dict.fromkeys(Pending(one.effect, True) for one in state))
    return state


def needed(state: State, coming: State, launch: Launch, is_warp: bool = False) -> tuple[Scope, Origin] | None:
    """The barrier that must stand between, and where what needs it is from; in one warp, only its own lanes count."""
    found: tuple[Scope, Origin] | None = None
    for one in state:
        for other in coming:
            meeting = meet(one.effect, other.effect, launch)
            if meeting == "block" and not is_warp:
                return "block", other.effect.origin
            if meeting is not None and found is None and not one.crossed and not other.crossed:
                found = "warp", other.effect.origin
    return found


def repeated(body: Summary, loop: For) -> Summary:
    """All iterations of a loop that every thread runs alike."""
    if _is_over_warps(loop):
        return Summary(_released(body.first, loop.index), _released(body.last, loop.index))
    anywhere = NatVar(f"{loop.index.name} at any time", loop.count)
    first, last = _put(body.first, loop, anywhere), _put(body.last, loop, anywhere)
    if not isinstance(loop.kind, Level):
        start = tuple(replace(p, effect=moved(p.effect, loop.index, const(0))) for p in body.first)
        end = tuple(replace(p, effect=moved(p.effect, loop.index, loop.count - 1)) for p in body.last)
        first = join(start, after(first, body.through))
        last = join(end, after(last, body.through))
    runs = is_nonnegative(loop.count - 1) and not isinstance(loop.kind, Level)
    return Summary(first, last, body.through if runs else None)


def _put(state: State, loop: For, index: NatVar) -> State:
    return tuple(replace(p, effect=moved(p.effect, loop.index, nat(index), (index,))) for p in state)


def _is_over_warps(loop: For) -> bool:
    return isinstance(loop.kind, Level) and loop.kind.name == "warp"


def _released(state: State, index: NatVar) -> State:
    """What is pending, where an index may be any."""
    return tuple(replace(p, effect=replace(p.effect, own=(*p.effect.own, index))) for p in state)


def earlier(body: Summary, loop: For) -> State:
    """What is pending from earlier iterations where one begins."""
    if loop.count.constant == 1:
        return ()
    index, ago = nat(loop.index), NatVar(f"{loop.index.name} ago", loop.count)
    if _is_over_warps(loop):
        others = [replaced(one.effect, {loop.index: ago}) for one in body.last]
        others = [replace(o, own=(*o.own, ago), guards=(*o.guards, (nat(ago), index))) for o in others]
        return tuple(Pending(o, one.crossed) for o, one in zip(others, body.last, strict=True))
    last: list[Pending] = []
    before: list[Pending] = []
    for one in body.last:
        previous = moved(one.effect, loop.index, index - 1)
        guards = (*previous.guards, (const(0), index))  # there is an earlier iteration
        last.append(replace(one, effect=replace(previous, guards=guards)))
        if previous is not one.effect:
            any_before = moved(one.effect, loop.index, index - 1 - ago, (ago,), ((nat(ago), index),))
            before.append(replace(one, effect=any_before))
    if isinstance(loop.kind, Level):  # a block does not have all iterations
        return join(tuple(last), tuple(before))
    return join(tuple(last), after(tuple(before), body.through))
