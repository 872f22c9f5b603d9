"""Inserts waits for asynchronous copies as late as possible, for as few groups as possible. Independent of targets.

A copy must be complete before its thread touches these elements again, and before the last block barrier that precedes
accesses by other threads. Statements are visited in order with the copies in flight and their ages: the number of
groups of copies since. At a barrier, a thread waits for the copies to elements that are touched between this barrier
and the next one; before other statements, it waits for the copies to elements that the statement may touch. A wait
completes the youngest of these, and thus all older ones; a copy in no group is completed by a wait for all.

A loop that forms groups itself is visited with the copies from before it and from its earlier iterations. In other
loops, copies in flight at the end of the body are awaited there if the next iteration would otherwise have to wait
earlier than this one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import field, replace
from typing import TypeAlias

from rise.naturals import Nat, NatVar, nat
from rise.quotients import is_nonnegative
from rise.records import dataclass
from shine.imperative.kernels import GpuKernel, Launch
from shine.imperative.nodes import (
    Assign,
    AwaitCopies,
    Barrier,
    Block,
    CommitCopies,
    Condition,
    For,
    If,
    Level,
    Origin,
    Statement,
)
from shine.imperative.walk import rebuilt, statements
from shine.passes.gpu.accessing_threads import variables_in
from shine.passes.gpu.conflicts import may_meet
from shine.passes.gpu.effects import Around, Effect, Guards, effects_of, moved
from shine.passes.gpu.keep_copies import copies_in
from shine.passes.gpu.uniformity import Here, behind, inside

Touched: TypeAlias = tuple[Effect, ...]


@dataclass(frozen=True, slots=True)
class Flight:
    """A copy that may not be complete, and its age: the least number of groups since it started; 0 if it is in no
    group. `is_new`: whether it was started in the current iteration of the innermost loop that forms groups.
    """

    copy: Effect
    age: int = 0
    is_new: bool = True


State: TypeAlias = tuple[Flight, ...]


@dataclass(frozen=True, slots=True)
class Reach:
    """The effects of statements before a block barrier, and whether a path through them has no barrier."""

    touched: Touched = ()
    passes: bool = True

    def then(self, following: Reach) -> Reach:
        """The reach of these statements followed by others."""
        return Reach(_joined(self.touched, following.touched), following.passes) if self.passes else self


@dataclass(slots=True, eq=False)
class Walk:
    """One kernel, the target buffers of its asynchronous copies, and cached reaches of statements, by identity."""

    launch: Launch
    copied: frozenset[str]
    reaches: dict[int, tuple[Statement, Reach]] = field(default_factory=dict)

    def reach(self, statement: Statement) -> Reach:
        """The effects of a statement before a barrier."""
        entry = self.reaches.get(id(statement))
        if entry is None:
            entry = self.reaches[id(statement)] = statement, self._reach(statement)
        return entry[1]

    def _reach(self, statement: Statement) -> Reach:
        match statement:
            case Barrier(scope):
                return Reach(passes=scope != "block")
            case For(kind=Level(), body=body) if self.launch.share(statement) == "one":
                return self.reach_of(body.statements)
            case For(body=body):
                return Reach(self.reach_of(body.statements).touched)
            case If(Condition(below), body):
                inner = self.reach_of(body.statements).touched
                return Reach(tuple(_guarded(effect, below) for effect in inner))
            case _:
                return Reach(tuple(dict.fromkeys(effects_of(statement, Around(self.copied)))))

    def reach_of(self, statements: Sequence[Statement]) -> Reach:
        """The effects of a sequence of statements before a barrier."""
        reach = Reach()
        for statement in reversed(statements):
            reach = self.reach(statement).then(reach)
        return reach


@dataclass(frozen=True, slots=True)
class Context:
    """The context of a block: the known facts; the indices of enclosing loops, which are fixed for a thread in one
    iteration; and what is touched after the block, before a barrier.
    """

    here: Here
    indices: frozenset[NatVar] = frozenset()
    touched: Touched = ()


def await_copies(kernel: GpuKernel) -> GpuKernel:
    """The kernel with the necessary waits."""
    copies = copies_in(kernel.body)
    if not copies:
        return kernel
    walk = Walk(kernel.launch, frozenset(copy.buffer.name for copy in copies))
    body, state = _block(walk, kernel.body, Context(Here(Around(walk.copied))), ())
    if state:
        body = Block((*body.statements, AwaitCopies(state[-1].copy.origin)))
    return replace(kernel, body=body)


def _block(walk: Walk, block: Block, context: Context, state: State) -> tuple[Block, State]:
    """The block with waits, given the copies in flight before it (the same object if it needs none); and the copies in
    flight after it.
    """
    reaches = [Reach(context.touched)]
    for statement in reversed(block.statements):
        reaches.append(walk.reach(statement).then(reaches[-1]))
    placed: list[Statement] = []
    for statement, following in zip(block.statements, reversed(reaches[:-1]), strict=True):
        at_statement = replace(context, touched=following.touched)
        replacement, state = _place(walk, statement, at_statement, state)
        placed += replacement
        context = replace(context, here=behind(statement, context.here))
    return rebuilt(block, placed), state


def _place(walk: Walk, statement: Statement, context: Context, state: State) -> tuple[list[Statement], State]:
    match statement:
        case CommitCopies():
            return [statement], tuple(replace(flight, age=flight.age + 1) for flight in state)
        case AwaitCopies(_, prior):
            return [statement], _after_wait(state, prior)
        case Barrier(_, origin):
            waits, state = _wait(walk, state, context.touched, frozenset(), origin)
            return [*waits, statement], state
        case For() if _forms_groups(statement):
            return _pipeline(walk, statement, context, state)
        case For():
            return _loop(walk, statement, context, state)
        case If(body=body):
            inner = replace(context, here=inside(walk.launch, statement, context.here))
            new_body, last = _block(walk, body, inner, state)
            placed = statement if new_body is body else replace(statement, body=new_body)
            return [placed], _joined_flights(state, last)
        case _:
            effects = effects_of(statement, context.here.around)
            waits, state = _wait(walk, state, effects, context.indices, statement.origin)
            started = [effect for effect in effects if effect.kind == "write"] if _copies(statement) else ()
            return [*waits, statement], _joined_flights(state, map(Flight, started))


def _wait(
    walk: Walk, state: State, touched: Iterable[Effect], indices: frozenset[NatVar], origin: Origin
) -> tuple[list[Statement], State]:
    """The wait for the copies in flight to elements that are touched, if there are any, and the copies in flight after
    it. `indices` are those of enclosing loops, if the same thread touches the elements, in the same iteration.
    """
    met = [
        flight.age
        for flight in state
        if any(may_meet(flight.copy, effect, walk.launch, indices) for effect in touched)
    ]
    if not met:
        return [], state
    prior = min(met) - 1 if min(met) else None
    return [AwaitCopies(origin, prior)], _after_wait(state, prior)


def _after_wait(state: State, prior: int | None) -> State:
    return () if prior is None else tuple(flight for flight in state if flight.age <= prior)


def _forms_groups(loop: For) -> bool:
    return any(isinstance(statement, CommitCopies) for statement, _ in statements(loop.body))


def _pipeline(walk: Walk, loop: For, context: Context, state: State) -> tuple[list[Statement], State]:
    """A loop that forms groups: copies from before it and from earlier iterations are awaited inside."""
    inner = _inner(walk, loop, context)
    around = tuple(replace(flight, is_new=False) for flight in state)
    repeats = _repeats(walk, loop)
    _, own = _block(walk, loop.body, inner, ())
    earlier = tuple(replace(flight, is_new=False) for flight in _earlier(walk, own, loop)) if repeats else ()
    body, last = _block(walk, loop.body, inner, _joined_flights(around, earlier))
    is_in_order = not isinstance(loop.kind, Level)
    left: list[Flight] = []
    for flight in last:
        if flight.is_new and is_in_order:
            flight = replace(flight, copy=moved(flight.copy, loop.index, loop.count - 1))
            if any(is_nonnegative(a - b) for a, b in flight.copy.guards):
                continue  # the last iteration did not start it
            left.append(flight)
        else:
            left += _at((flight,), loop, NatVar(f"{loop.index.name} at any time", loop.count))
    placed = loop if body is loop.body else replace(loop, body=body)
    return [placed], _joined_flights(state, (replace(flight, is_new=True) for flight in left))


def _loop(walk: Walk, loop: For, context: Context, state: State) -> tuple[list[Statement], State]:
    """A loop that forms no groups."""
    inner, repeats = _inner(walk, loop, context), _repeats(walk, loop)
    body, pending = _block(walk, loop.body, inner, ())
    before: list[Statement] = []
    if state:
        prior = _least_prior(body, _block(walk, body, inner, state)[0])
        if prior != ():
            before, state = [AwaitCopies(loop.origin, *prior)], _after_wait(state, *prior)
    if pending and repeats and _block(walk, body, inner, _earlier(walk, pending, loop))[0] is not body:
        body, pending = Block((*body.statements, AwaitCopies(pending[-1].copy.origin))), ()
    new_loop = loop if body is loop.body else replace(loop, body=body)
    any_time = NatVar(f"{loop.index.name} at any time", loop.count)
    return [*before, new_loop], _joined_flights(state, _at(pending, loop, any_time))


def _least_prior(block: Block, with_waits: Block) -> tuple[()] | tuple[int | None]:
    """The `prior` of the strongest wait that only the second block has; empty if there is none."""
    known = {id(statement) for statement, _ in statements(block)}
    more = [
        statement.prior
        for statement, _ in statements(with_waits)
        if isinstance(statement, AwaitCopies) and id(statement) not in known
    ]
    if not more:
        return ()
    return (
        (min((prior for prior in more if prior is not None), default=None),) if None not in more else (None,)
    )


def _inner(walk: Walk, loop: For, context: Context) -> Context:
    """The context of a loop's body."""
    touched = _joined(context.touched, walk.reach(loop).touched if _repeats(walk, loop) else ())
    return Context(inside(walk.launch, loop, context.here), context.indices | {loop.index}, touched)


def _repeats(walk: Walk, loop: For) -> bool:
    return not isinstance(loop.kind, Level) or walk.launch.share(loop) == "many"


def _copies(statement: Statement) -> bool:
    return isinstance(statement, Assign) and statement.asynchronous


def _guarded(effect: Effect, below: Guards) -> Effect:
    """The effect with additional guards, whose loop indices may have any value."""
    moving = (v for pair in below for a in pair for v in variables_in(a) if v.upper is not None)
    own = tuple(dict.fromkeys((*effect.own, *moving)))
    return replace(effect, guards=(*effect.guards, *below), own=own)


def _joined(first: Touched, second: Touched) -> Touched:
    return tuple(dict.fromkeys((*first, *second)))


def _joined_flights(first: Iterable[Flight], second: Iterable[Flight]) -> State:
    """The copies in flight on either path, each with its least age."""
    flights: dict[Effect, Flight] = {}
    for flight in (*first, *second):
        known = flights.setdefault(flight.copy, flight)
        if flight.age < known.age or (flight.age == known.age and flight.is_new and not known.is_new):
            flights[flight.copy] = flight
    return tuple(flights.values())


def _earlier(walk: Walk, state: State, loop: For) -> State:
    """The copies that a thread started in earlier iterations, relative to the current one."""
    distance, step = NatVar(f"{loop.index.name} ago", loop.count), nat(1)
    if isinstance(loop.kind, Level) and loop.kind.name != "block":
        step = walk.launch.extent(loop.kind)
    return _reindexed(state, loop, nat(loop.index) - step * (nat(distance) + 1), distance)


def _at(state: State, loop: For, index: NatVar) -> State:
    """The copies in flight of any iteration."""
    return _reindexed(state, loop, nat(index), index)


def _reindexed(state: State, loop: For, to: Nat, own: NatVar) -> State:
    return tuple(
        replace(flight, copy=moved(_released(flight.copy, loop.index), loop.index, to, (own,)))
        for flight in state
    )


def _released(effect: Effect, index: NatVar) -> Effect:
    """The effect with an index that no longer identifies the units of its loop."""
    units = tuple(pair for pair in effect.units if pair[1] is not index)
    return replace(effect, own=tuple(v for v in effect.own if v is not index), units=units)
