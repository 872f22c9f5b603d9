"""Decides which arrays in shared memory may share bytes. Independent of sizes and offsets.

Two arrays may share bytes if, on each path through a kernel,

- neither is written while the other has a value that is still read. Values are lost where an array is allocated;
- a barrier of all threads is between an access to the one and an access to the other, if one of them writes, and no
  asynchronous copy to the one is under way at an access to the other. A copy counts as a write up to the wait for it.

Arrays are distinguished only by name: any two elements of different arrays may share bytes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from math import prod
from typing import Final

from rise.records import dataclass
from shine.imperative.kernels import LANES, GpuKernel, Launch
from shine.imperative.nodes import (
    Allocate,
    Assign,
    AwaitCopies,
    Barrier,
    Block,
    Buffer,
    CommitCopies,
    For,
    If,
    Level,
    Statement,
)
from shine.passes.gpu.effects import Around, effects_of

#: a set of arrays: bit i stands for array i
Arrays = int
_NONE: Final[Arrays] = 0


@dataclass(frozen=True, slots=True)
class Touched:
    """The arrays that a statement without a body reads and writes, and whether it starts an asynchronous copy."""

    reads: Arrays
    writes: Arrays
    copies: bool


@dataclass(frozen=True, slots=True)
class State:
    """What may hold before a statement: the arrays that were read and written since the last barrier, those that were
    written since they were allocated, and the copies in flight, each with the least number of groups since it started.
    """

    read: Arrays = _NONE
    written: Arrays = _NONE
    stored: Arrays = _NONE
    copies: tuple[tuple[int, int], ...] = ()

    def join(self, other: State) -> State:
        """What may hold after either path."""
        ages = dict(self.copies)
        for array, age in other.copies:
            ages[array] = min(age, ages.get(array, age))
        copies = tuple(sorted(ages.items()))
        return State(self.read | other.read, self.written | other.written, self.stored | other.stored, copies)


@dataclass(slots=True, eq=False)
class Walk:
    """One kernel; what its statements touch, and what is live after them, by identity; and the pairs of arrays that
    were found to need separate bytes, as a set for each array.
    """

    launch: Launch
    numbers: Mapping[str, int]
    touched: dict[int, Touched] = field(default_factory=dict)
    live: dict[int, Arrays] = field(default_factory=dict)
    apart: list[Arrays] = field(default_factory=list)

    def of(self, statement: Statement) -> Touched:
        """What a statement without a body touches."""
        if id(statement) not in self.touched:
            reads = writes = _NONE
            for effect in effects_of(statement, Around(frozenset(self.numbers))):
                array = 1 << self.numbers[effect.buffer.name]
                reads |= array if effect.kind != "write" else _NONE
                writes |= array if effect.kind != "read" else _NONE
            copies = isinstance(statement, Assign) and statement.asynchronous
            self.touched[id(statement)] = Touched(reads, writes, copies)
        return self.touched[id(statement)]

    def keep_apart(self, array: int, others: Arrays) -> None:
        """Record that an array must not share bytes with others."""
        self.apart[array] |= others & ~(1 << array)


def kept_apart(kernel: GpuKernel, arrays: Sequence[Buffer]) -> tuple[frozenset[int], ...]:
    """For each shared array of a kernel, the numbers of those that must not share bytes with it.

    The kernel must have its barriers and waits already, and its allocations where arrays are filled.
    """
    numbers = {buffer.name: number for number, buffer in enumerate(arrays)}
    walk = Walk(kernel.launch, numbers, apart=[_NONE] * len(arrays))
    _live_before(walk, kernel.body, _NONE)
    _behind(walk, kernel.body, State())
    for array, others in enumerate(walk.apart):
        for other in _members(others):
            walk.apart[other] |= 1 << array
    return tuple(frozenset(_members(others)) for others in walk.apart)


def _members(arrays: Arrays) -> list[int]:
    return [number for number in range(arrays.bit_length()) if arrays >> number & 1]


def _live_before(walk: Walk, block: Block, live: Arrays) -> Arrays:
    """The arrays whose values before a block are read later; `live` are those after it."""
    for statement in reversed(block.statements):
        match statement:
            case Allocate(buffer) if buffer.name in walk.numbers:
                live &= ~(1 << walk.numbers[buffer.name])
            case If(body=body):
                live |= _live_before(walk, body, live)
            case For(body=body):
                while (before := live | _live_before(walk, body, live)) != live:
                    live = before
            case _:
                touched = walk.of(statement)
                walk.live[id(statement)] = walk.live.get(id(statement), _NONE) | live
                live |= touched.reads
    return live


def _behind(walk: Walk, block: Block, state: State) -> State:
    """What may hold after a block; records the pairs of arrays that need separate bytes."""
    for statement in block.statements:
        match statement:
            case Allocate(buffer) if buffer.name in walk.numbers:
                state = replace(state, stored=state.stored & ~(1 << walk.numbers[buffer.name]))
            case Barrier(scope):
                if scope == "block" or prod(walk.launch.block) <= LANES:
                    state = replace(state, read=_NONE, written=_NONE)
            case CommitCopies():
                state = replace(state, copies=tuple((array, age + 1) for array, age in state.copies))
            case AwaitCopies(_, prior):
                state = _awaited(state, prior)
            case If(body=body):
                state = state.join(_behind(walk, body, state))
            case For():
                state = _behind_loop(walk, statement, state)
            case _:
                state = _accessed(walk, statement, state)
    return state


def _behind_loop(walk: Walk, loop: For, state: State) -> State:
    """What may hold after a loop, whose iterations follow each other unless each unit runs one of them."""
    if isinstance(loop.kind, Level) and walk.launch.share(loop) == "one":
        return _behind(walk, loop.body, state)
    while (after := state.join(_behind(walk, loop.body, state))) != state:
        state = after
    known = loop.count.constant
    is_run = not isinstance(loop.kind, Level) and known is not None and known > 0
    return _behind(walk, loop.body, state) if is_run else state


def _awaited(state: State, prior: int | None) -> State:
    """What holds after a wait: complete copies count as written before it."""
    left = () if prior is None else tuple(copy for copy in state.copies if copy[1] <= prior)
    written = state.written
    for array, _ in state.copies:
        written |= _NONE if any(array == other for other, _ in left) else 1 << array
    return replace(state, written=written, copies=left)


def _accessed(walk: Walk, statement: Statement, state: State) -> State:
    """What holds after a statement without a body."""
    touched = walk.of(statement)
    under_way = _NONE
    for array, _ in state.copies:
        under_way |= 1 << array
    for array in _members(touched.reads | touched.writes):
        walk.keep_apart(array, state.written | under_way)
    for array in _members(touched.writes):
        live = walk.live[id(statement)] & state.stored
        walk.keep_apart(array, touched.reads | touched.writes | state.read | live)
    copies = state.copies
    if touched.copies:
        started = State(copies=tuple((array, 0) for array in _members(touched.writes)))
        copies = state.join(started).copies
    return State(
        state.read | touched.reads, state.written | touched.writes, state.stored | touched.writes, copies
    )
