"""Inserts waits for asynchronous copies as late as possible. Knows no target.

A copy must be complete before its thread touches these elements again, and before the last block barrier that precedes
accesses by other threads. Statements are visited in order with the pending copies. At a barrier a thread waits if
anything between it and the next barrier touches the target buffer of a pending copy; elsewhere, before a statement that
may touch elements of a pending copy. One wait completes all copies so far. Copies that are pending at the end of a
loop's body are awaited there if the next iteration would otherwise have to wait earlier than this one.
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

#: the pending copies
State: TypeAlias = tuple[Effect, ...]
Names: TypeAlias = frozenset[str]
NO_NAMES: Names = frozenset()


@dataclass(frozen=True, slots=True)
class Reach:
    """The buffers that statements touch before a block barrier, and whether a path through them has no barrier."""

    touched: Names = NO_NAMES
    passes: bool = True

    def then(self, following: Reach) -> Reach:
        """The reach of these statements followed by others."""
        return Reach(self.touched | following.touched, following.passes) if self.passes else self


@dataclass(slots=True, eq=False)
class Walk:
    """One kernel, the target buffers of its asynchronous copies, and cached reaches of statements, by identity."""

    launch: Launch
    copied: Names
    reaches: dict[int, tuple[Statement, Reach]] = field(default_factory=dict)

    def reach(self, statement: Statement) -> Reach:
        """The buffers that a statement touches before a barrier."""
        entry = self.reaches.get(id(statement))
        if entry is None:
            entry = self.reaches[id(statement)] = statement, self._reach(statement)
        return entry[1]

    def _reach(self, statement: Statement) -> Reach:
        match statement:
            case Barrier(scope):
                return Reach(passes=scope != "block")
            case For(body=body) | If(body=body):
                return Reach(self.reach_of(body.statements).touched)
            case _:
                effects = effects_of(statement, Around(self.copied))
                return Reach(frozenset(effect.buffer.name for effect in effects))

    def reach_of(self, statements: Sequence[Statement]) -> Reach:
        """The buffers that a sequence of statements touches before a barrier."""
        reach = Reach()
        for statement in reversed(statements):
            reach = self.reach(statement).then(reach)
        return reach


@dataclass(frozen=True, slots=True)
class Context:
    """The context of a block: the facts known there; the indices of the loops around it, which are fixed for a thread
    in one iteration; and the buffers that are touched after it, before a barrier.
    """

    here: Here
    indices: frozenset[NatVar] = frozenset()
    touched: Names = NO_NAMES


def await_copies(kernel: GpuKernel) -> GpuKernel:
    """The kernel with the necessary waits."""
    copies = copies_in(kernel.body)
    if not copies:
        return kernel
    walk = Walk(kernel.launch, frozenset(copy.buffer.name for copy in copies))
    body, pending = _block(walk, kernel.body, Context(Here(Around(walk.copied))), ())
    if pending:
        body = Block((*body.statements, AwaitCopies(pending[-1].origin)))
    return replace(kernel, body=body)


def _block(walk: Walk, block: Block, context: Context, state: State) -> tuple[Block, State]:
    """The block with waits, given the pending copies before it (the same object if it needs none); and the pending
    copies after it.
    """
    reaches = [Reach(context.touched)]
    for statement in reversed(block.statements):
        reaches.append(walk.reach(statement).then(reaches[-1]))
    statements: list[Statement] = []
    for statement, following in zip(block.statements, reversed(reaches[:-1]), strict=True):
        at_statement = replace(context, touched=following.touched)
        replacement, state = _place(walk, statement, at_statement, state)
        statements += replacement
        context = replace(context, here=behind(statement, context.here))
    is_same = len(statements) == len(block.statements)
    is_same = is_same and all(new is old for new, old in zip(statements, block.statements, strict=True))
    return (block if is_same else Block(tuple(statements))), state


def _place(walk: Walk, statement: Statement, context: Context, state: State) -> tuple[list[Statement], State]:
    match statement:
        case AwaitCopies():
            return [statement], ()
        case Barrier(_, origin):
            if any(copy.buffer.name in context.touched for copy in state):
                return [AwaitCopies(origin), statement], ()
            return [statement], state
        case For():
            return _loop(walk, statement, context, state)
        case If(body=body):
            inner = replace(context, here=inside(walk.launch, statement, context.here))
            new_body, last = _block(walk, body, inner, state)
            return [statement if new_body is body else replace(statement, body=new_body)], _join(state, last)
        case _:
            effects = effects_of(statement, context.here.around)
            waits = any(_may_meet(copy, effect, context.indices) for copy in state for effect in effects)
            started = (
                tuple(effect for effect in effects if effect.kind == "write") if _copies(statement) else ()
            )
            before: list[Statement] = [AwaitCopies(statement.origin)] if waits else []
            return [*before, statement], _join(() if waits else state, started)


def _loop(walk: Walk, loop: For, context: Context, state: State) -> tuple[list[Statement], State]:
    repeats = not isinstance(loop.kind, Level) or walk.launch.share(loop) == "many"
    touched = context.touched | (walk.reach(loop).touched if repeats else NO_NAMES)
    inner = Context(inside(walk.launch, loop, context.here), context.indices | {loop.index}, touched)
    body, pending = _block(walk, loop.body, inner, ())
    before: list[Statement] = []
    if state and _block(walk, body, inner, state)[0] is not body:
        before, state = [AwaitCopies(loop.origin)], ()
    if pending and repeats and _block(walk, body, inner, _earlier(walk, pending, loop))[0] is not body:
        body, pending = Block((*body.statements, AwaitCopies(pending[-1].origin))), ()
    new_loop = loop if body is loop.body else replace(loop, body=body)
    return [*before, new_loop], _join(
        state, _at(pending, loop, NatVar(f"{loop.index.name} at any time", loop.count))
    )


def _copies(statement: Statement) -> bool:
    return isinstance(statement, Assign) and statement.asynchronous


def _join(first: State, second: State) -> State:
    return tuple(dict.fromkeys((*first, *second)))


def _may_meet(one: Effect, other: Effect, indices: frozenset[NatVar]) -> bool:
    """Whether a thread may have both effects on one element, in the same iteration of the loops of these indices."""
    if one.buffer.name != other.buffer.name:
        return False
    first, second = (
        independent(replace(effect, own=tuple(v for v in effect.own if v not in indices)))
        for effect in (one, other)
    )
    return first is None or second is None or not never_meet(first, second)


def _earlier(walk: Walk, state: State, loop: For) -> State:
    """The copies that a thread started in earlier iterations, relative to the current one."""
    distance, step = NatVar(f"{loop.index.name} ago", loop.count), nat(1)
    if isinstance(loop.kind, Level) and loop.kind.name != "block":
        step = walk.launch.extent(loop.kind)
    return _reindexed(state, loop, nat(loop.index) - step * (nat(distance) + 1), distance)


def _at(state: State, loop: For, index: NatVar) -> State:
    """The pending copies of any iteration."""
    return _reindexed(state, loop, nat(index), index)


def _reindexed(state: State, loop: For, to: Nat, own: NatVar) -> State:
    return tuple(moved(_released(copy, loop.index), loop.index, to, (own,)) for copy in state)


def _released(effect: Effect, index: NatVar) -> Effect:
    """The effect with an index that no longer stands for its loop's units."""
    units = tuple(pair for pair in effect.units if pair[1] is not index)
    return replace(effect, own=tuple(v for v in effect.own if v is not index), units=units)
