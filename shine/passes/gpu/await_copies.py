"""Put waits for asynchronous copies as late as is right. Knows no target.

A copy must have arrived before its thread touches these elements again, and before the last barrier of the block that
leads to other threads that do. Statements are walked in order with the copies that are under way. At a barrier a thread
waits if anything between it and the next one touches a buffer that is being copied to; elsewhere, before a statement
that may touch elements on their way to it. One wait is for all copies so far. What is still under way at the end of a
loop's body is waited for there if the next iteration would have to wait earlier than this one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from rise.naturals import Nat, NatVar, nat
from shine.imperative.kernels import GpuKernel, Launch
from shine.imperative.nodes import Assign, AwaitCopies, Barrier, Block, For, If, Level, Statement
from shine.passes.gpu.conflicts import independent, never_meet
from shine.passes.gpu.control import Here, behind, inside
from shine.passes.gpu.effects import Around, Effect, effects_of, moved
from shine.passes.gpu.keep_copies import copies_in

#: the copies that are under way
State: TypeAlias = tuple[Effect, ...]
Names: TypeAlias = frozenset[str]
NOTHING: Names = frozenset()


@dataclass(frozen=True, slots=True)
class Reach:
    """The buffers that statements touch before a barrier of the block; and whether a way through them has none."""

    touched: Names = NOTHING
    passes: bool = True

    def then(self, following: Reach) -> Reach:
        """First these, then the following."""
        return Reach(self.touched | following.touched, following.passes) if self.passes else self


@dataclass(slots=True, eq=False)
class Walk:
    """One kernel, the buffers that it copies to asynchronously, and what is known of statements, by identity."""

    launch: Launch
    copied: Names
    reaches: dict[int, tuple[Statement, Reach]] = field(default_factory=dict)

    def reach(self, statement: Statement) -> Reach:
        """What a statement touches before a barrier."""
        known = self.reaches.get(id(statement))
        if known is None:
            known = self.reaches[id(statement)] = statement, self._reach(statement)
        return known[1]

    def _reach(self, statement: Statement) -> Reach:
        match statement:
            case Barrier(scope):
                return Reach(passes=scope != "block")
            case For(body=body) | If(body=body):
                return Reach(self.reach_of(body.statements).touched)
            case _:
                found = effects_of(statement, Around(self.copied))
                return Reach(frozenset(one.buffer.name for one in found))

    def reach_of(self, statements: Sequence[Statement]) -> Reach:
        """What statements in order touch before a barrier."""
        found = Reach()
        for statement in reversed(statements):
            found = self.reach(statement).then(found)
        return found


@dataclass(frozen=True, slots=True)
class Within:
    """Where a block stands: what is known there, the indices of the loops around it, which one thread has alike in one
    iteration; and the buffers touched behind it, before a barrier.
    """

    here: Here
    indices: frozenset[NatVar] = frozenset()
    touched: Names = NOTHING


def await_copies(kernel: GpuKernel) -> GpuKernel:
    """The kernel with the waits that it needs."""
    copies = copies_in(kernel.body)
    if not copies:
        return kernel
    walk = Walk(kernel.launch, frozenset(one.buffer.name for one in copies))
    body, left = _block(walk, kernel.body, Within(Here(Around(walk.copied))), ())
    if left:
        body = Block((*body.statements, AwaitCopies(left[-1].origin)))
    return replace(kernel, body=body)


def _block(walk: Walk, block: Block, within: Within, state: State) -> tuple[Block, State]:
    """The block with waits, after copies that are under way, the very same if none are missing; and what is under way
    in the end.
    """
    reaches = [Reach(within.touched)]
    for statement in reversed(block.statements):
        reaches.append(walk.reach(statement).then(reaches[-1]))
    made: list[Statement] = []
    for statement, following in zip(block.statements, reversed(reaches[:-1]), strict=True):
        at = replace(within, touched=following.touched)
        found, state = _one(walk, statement, at, state)
        made += found
        within = replace(within, here=behind(statement, within.here))
    same = len(made) == len(block.statements)
    same = same and all(one is other for one, other in zip(made, block.statements, strict=True))
    return (block if same else Block(tuple(made))), state


def _one(walk: Walk, statement: Statement, at: Within, state: State) -> tuple[list[Statement], State]:
    match statement:
        case AwaitCopies():
            return [statement], ()
        case Barrier(_, origin):
            if any(one.buffer.name in at.touched for one in state):
                return [AwaitCopies(origin), statement], ()
            return [statement], state
        case For():
            return _loop(walk, statement, at, state)
        case If(body=body):
            within = replace(at, here=inside(walk.launch, statement, at.here))
            made, last = _block(walk, body, within, state)
            return [statement if made is body else replace(statement, body=made)], _join(state, last)
        case _:
            effects = effects_of(statement, at.here.around)
            waits = any(_may_meet(one, other, at.indices) for one in state for other in effects)
            begun = tuple(one for one in effects if one.kind == "write") if _copies(statement) else ()
            before: list[Statement] = [AwaitCopies(statement.origin)] if waits else []
            return [*before, statement], _join(() if waits else state, begun)


def _loop(walk: Walk, loop: For, at: Within, state: State) -> tuple[list[Statement], State]:
    repeats = not isinstance(loop.kind, Level) or walk.launch.share(loop) == "many"
    touched = at.touched | (walk.reach(loop).touched if repeats else NOTHING)
    within = Within(inside(walk.launch, loop, at.here), at.indices | {loop.index}, touched)
    body, last = _block(walk, loop.body, within, ())
    before: list[Statement] = []
    if state and _block(walk, body, within, state)[0] is not body:
        before, state = [AwaitCopies(loop.origin)], ()
    if last and repeats and _block(walk, body, within, _earlier(walk, last, loop))[0] is not body:
        body, last = Block((*body.statements, AwaitCopies(last[-1].origin))), ()
    made = loop if body is loop.body else replace(loop, body=body)
    return [*before, made], _join(
        state, _at(last, loop, NatVar(f"{loop.index.name} at any time", loop.count))
    )


def _copies(statement: Statement) -> bool:
    return isinstance(statement, Assign) and statement.asynchronous


def _join(one: State, other: State) -> State:
    return tuple(dict.fromkeys((*one, *other)))


def _may_meet(one: Effect, other: Effect, indices: frozenset[NatVar]) -> bool:
    """Whether one thread may have two effects on one element, in the same iteration of the loops of these indices."""
    if one.buffer.name != other.buffer.name:
        return False
    first, second = (
        independent(replace(effect, own=tuple(v for v in effect.own if v not in indices)))
        for effect in (one, other)
    )
    return first is None or second is None or not never_meet(first, second)


def _earlier(walk: Walk, state: State, loop: For) -> State:
    """What a thread began to copy in its earlier iterations, as another one sees it."""
    ago, step = NatVar(f"{loop.index.name} ago", loop.count), nat(1)
    if isinstance(loop.kind, Level) and loop.kind.name != "block":
        step = walk.launch.extent(loop.kind)
    return _put(state, loop, nat(loop.index) - step * (nat(ago) + 1), ago)


def _at(state: State, loop: For, index: NatVar) -> State:
    """What is under way, whichever iteration began it."""
    return _put(state, loop, nat(index), index)


def _put(state: State, loop: For, to: Nat, own: NatVar) -> State:
    return tuple(moved(_released(one, loop.index), loop.index, to, (own,)) for one in state)


def _released(effect: Effect, index: NatVar) -> Effect:
    """The effect where an index is one like any other."""
    units = tuple(pair for pair in effect.units if pair[1] is not index)
    return replace(effect, own=tuple(v for v in effect.own if v is not index), units=units)
