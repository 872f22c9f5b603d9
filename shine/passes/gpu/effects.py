"""The effects of statements on shared memory: which elements, by which threads. Independent of orders."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field, replace
from typing import Literal, TypeAlias

from rise.natural_values import substitute_naturals
from rise.naturals import Atom, Nat, NatLike, NatVar, nat
from rise.records import dataclass
from rise.types import FragmentType
from shine.imperative.accesses import in_memory
from shine.imperative.hashes import HashedOnce
from shine.imperative.nodes import (
    Allocate,
    Assign,
    AtomicUpdate,
    AwaitCopies,
    Barrier,
    Block,
    Buffer,
    CommitCopies,
    Define,
    DefineIndex,
    FillFragment,
    For,
    Guarded,
    If,
    Level,
    Load,
    LoadFragment,
    MapFragment,
    Matrix,
    MultiplyAdd,
    Operation,
    Origin,
    Prefetch,
    Statement,
    StoreFragment,
    Value,
)
from shine.imperative.rewrite import lanes_of, run_of

EffectKind: TypeAlias = Literal["read", "write", "update"]
Guards: TypeAlias = tuple[tuple[Nat, Nat], ...]
Units: TypeAlias = tuple[tuple[Level, NatVar], ...]


@dataclass(frozen=True, slots=True)
class Effect(HashedOnce):
    """A run of `lanes` elements, starting at `index`, that threads of a block read, write or update.

    The variables in `own` take any value; others have the same value for all threads, and in all effects that mention
    them. `units` are the enclosing loops over levels: a thread has the effect in the iterations that it runs, and all
    units of a dimension without a loop have it. There is no effect if `guards` (a < b) do not hold.
    """

    kind: EffectKind
    buffer: Buffer
    index: Nat
    lanes: int
    own: tuple[NatVar, ...]
    units: Units
    guards: Guards
    origin: Origin = field(compare=False)


@dataclass(frozen=True, slots=True)
class Around:
    """The facts that hold at a statement.

    Only effects on the buffers `watched` (None: all) count. `fixed` are the loop indices that have the same value for
    all threads of a block, `known` the values of indices (such as the number of the block). `read` are numbers read at
    run time, which may differ between threads. If `counts_blocks`, loops over blocks are units, too.
    """

    watched: frozenset[str] | None
    fixed: frozenset[NatVar] = frozenset()
    known: tuple[tuple[NatVar, Nat], ...] = ()
    units: Units = ()
    guards: Guards = ()
    read: frozenset[NatVar] = frozenset()
    counts_blocks: bool = False

    def put(self, a: Nat) -> Nat:
        """A natural with the known values of indices substituted."""
        values: dict[Atom, NatLike] = {index: value for index, value in self.known if index in a.free}
        return substitute_naturals(a, values) if values else a

    def when(self, guards: Guards) -> Around:
        """The facts with additional guards."""
        return replace(self, guards=(*self.guards, *((self.put(a), self.put(b)) for a, b in guards)))

    def within(self, loop: For) -> Around:
        """The facts inside a loop, at any iteration."""
        inner = self if loop.count.constant is not None else self.when(((nat(loop.index), loop.count),))
        if isinstance(loop.kind, Level) and (self.counts_blocks or loop.kind.name != "block"):
            return replace(inner, units=(*inner.units, (loop.kind, loop.index)))
        return inner

    def effect(self, kind: EffectKind, buffer: Buffer, index: Nat, lanes: int, origin: Origin) -> Effect:
        """An effect under these facts."""
        index = self.put(index)
        free = {v for a in (index, *(a for pair in self.guards for a in pair)) for v in a.free}
        own = {v for v in free if isinstance(v, NatVar) and v.upper is not None and v not in self.fixed}
        own |= free & self.read
        units = self.units
        if self.known:
            units = tuple((level, _ranged(index, dict(self.known))) for level, index in units)
        moving = tuple(sorted(own | {v for _, v in units if v not in self.fixed}, key=_name))
        return Effect(kind, buffer, index, lanes, moving, units, self.guards, origin)


def _name(variable: NatVar) -> str:
    return variable.name


def effects_of(statement: Statement, around: Around) -> list[Effect]:
    """All effects on the watched buffers, in order; inner loops run in any order."""
    effects: list[Effect] = []
    pending: list[tuple[Statement | Value, Around, Origin]] = [(statement, around, statement.origin)]
    while pending:
        node, here, origin = pending.pop()
        match node:
            case Assign(buffer, index, value, _, origin):
                effects += _loads(value, here, origin)
                effects += _effect("write", buffer, index, run_of(buffer, value), here, origin)
            case AtomicUpdate(_, buffer, index, value, origin):
                effects += _loads(value, here, origin)
                effects += _effect("update", buffer, index, 1, here, origin)
            case Define(_, value, origin) | DefineIndex(_, value, origin) | FillFragment(_, value, origin):
                effects += _loads(value, here, origin)
            case For(body=body):
                pending += _inside(body, here.within(node))
            case If(condition, body):
                pending += _inside(body, here.when(condition.below))
            case LoadFragment(target, source, origin):
                effects += _matrix("read", source, target.type, here, origin)
            case StoreFragment(matrix, fragment, origin):
                effects += _matrix("write", matrix, fragment.type, here, origin)
            case MapFragment(_, _, _, body, value, origin):
                pending.append((value, here, origin))
                pending += _inside(body, here)
            case Allocate() | Barrier() | Prefetch() | AwaitCopies() | CommitCopies() | MultiplyAdd():
                pass
            case _:
                effects += _loads(node, here, origin)
    return effects


def _inside(body: Block, around: Around) -> Iterator[tuple[Statement, Around, Origin]]:
    read = {statement.name for statement in body.statements if isinstance(statement, DefineIndex)}
    if read:
        around = replace(around, read=around.read | read)
    return ((statement, around, statement.origin) for statement in reversed(body.statements))


def _effect(
    kind: EffectKind, buffer: Buffer, index: Nat, lanes: int, around: Around, origin: Origin
) -> list[Effect]:
    if around.watched is not None and buffer.name not in around.watched:
        return []
    return [around.effect(kind, buffer, index, lanes, origin)]


def _loads(value: Value, around: Around, origin: Origin) -> list[Effect]:
    effects: list[Effect] = []
    waiting: list[tuple[Value, Around]] = [(value, around)]
    while waiting:
        node, here = waiting.pop()
        match node:
            case Load(buffer, index, lanes):
                effects += _effect("read", buffer, index, lanes_of(buffer, lanes), here, origin)
            case Operation(_, arguments):
                waiting += ((argument, here) for argument in arguments)
            case Guarded(condition, inner, otherwise):
                waiting += ((inner, here.when(condition.below)), (otherwise, here))
            case _:
                pass
    return effects


def _matrix(
    kind: EffectKind, matrix: Matrix, t: FragmentType, around: Around, origin: Origin
) -> list[Effect]:
    access = in_memory(kind != "read", matrix, t)
    return _effect(kind, access.buffer, access.index, access.lanes, around, origin)


def moved(
    effect: Effect, variable: NatVar, to: Nat, own: tuple[NatVar, ...] = (), guards: Guards = ()
) -> Effect:
    """The effect at another value of an index, with additional own variables and guards."""
    parts = [effect.index, *(a for pair in effect.guards for a in pair)]
    if not any(variable in a.free for a in parts):
        return effect
    result = replaced(effect, {variable: to})
    return replace(result, guards=(*result.guards, *guards), own=(*result.own, *own))


def replaced(effect: Effect, values: Mapping[Atom, NatLike]) -> Effect:
    """The effect with naturals substituted for variables, also in ranges."""

    def put(a: Nat) -> Nat:
        return a if a.free.isdisjoint(values) else substitute_naturals(a, values)

    return replace(
        effect,
        index=put(effect.index),
        own=tuple(_ranged(variable, values) for variable in effect.own),
        units=tuple((level, _ranged(variable, values)) for level, variable in effect.units),
        guards=tuple((put(a), put(b)) for a, b in effect.guards),
    )


def _ranged(variable: NatVar, values: Mapping[Atom, NatLike]) -> NatVar:
    """A variable with the values substituted in its range."""
    if variable.free.isdisjoint(values):
        return variable
    match substitute_naturals(nat(variable), values).terms:
        case ((((NatVar() as renamed, 1),), 1),):
            return renamed
    raise AssertionError(f"{variable!r} is not itself replaced")


def watched_buffers(block: Block) -> frozenset[str]:
    """Shared buffers, and global buffers with several kinds of effects."""
    memory: dict[str, Buffer] = {}
    kinds: dict[str, set[EffectKind]] = {}
    for statement in block.statements:
        for effect in effects_of(statement, Around(None)):
            memory[effect.buffer.name] = effect.buffer
            kinds.setdefault(effect.buffer.name, set()).add(effect.kind)
    return frozenset(
        name
        for name, buffer_kinds in kinds.items()
        if memory[name].space == "Shared" or (memory[name].space == "Global" and len(buffer_kinds) > 1)
    )
