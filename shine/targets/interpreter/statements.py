"""Statements of the IR as Python functions of a frame. Knows no procedures.

The iterations of parallel loops, SIMD loops and loops over levels run in an order that is shuffled, the same at each
run: what depends on their order is found.
"""

from __future__ import annotations

import random
import zlib
from collections.abc import Callable, Hashable, Iterable, Sequence
from math import gcd
from typing import Final, TypeAlias, assert_never

from rise.types import FragmentType, VectorType
from shine.imperative.limits import Noted, note_bytes
from shine.imperative.nodes import (
    Allocate,
    Assign,
    AtomicUpdate,
    AwaitCopies,
    Barrier,
    Block,
    Define,
    DefineIndex,
    FillFragment,
    For,
    If,
    Level,
    LoadFragment,
    MapFragment,
    MultiplyAdd,
    Origin,
    Prefetch,
    Statement,
    StoreFragment,
)
from shine.targets.interpreter.arithmetic import OPERATIONS
from shine.targets.interpreter.memory import ParallelLoop, allocate
from shine.targets.interpreter.values import (
    Frame,
    Place,
    accessed,
    condition,
    dtype_of,
    lanes_of,
    natural,
    value,
)

Step: TypeAlias = Callable[[Frame], None]
LISTED: Final = 1 << 20  # iterations of a shuffled loop that are listed first


class Slots:
    """Gives every name of a procedure a slot in the frame; slot 0 is taken. `noted` has what it computes of sizes."""

    def __init__(self) -> None:
        self.count = 1
        self.noted = Noted()

    def fresh(self) -> int:
        """One more."""
        self.count += 1
        return self.count - 1


def block(body: Block, visible: dict[Hashable, int], slots: Slots) -> Step:
    """Run the statements in order."""
    inner = dict(visible)
    steps: Sequence[Step] = [_statement(one, inner, slots) for one in body.statements]
    if len(steps) == 1:
        return steps[0]

    def run(frame: Frame) -> None:
        for step in steps:
            step(frame)

    return run


def _statement(statement: Statement, visible: dict[Hashable, int], slots: Slots) -> Step:
    """Run one statement; what it declares becomes visible."""
    place = Place(visible, statement.origin, slots.noted)
    match statement:
        case Assign():
            return _assign(statement, place)
        case Define(local, v, _):
            found = value(v, place)
            return _keep(found, _declare(local, visible, slots))
        case DefineIndex(name, v, _):
            read = value(v, place)
            return _keep(lambda frame: int(read(frame)), _declare(name, visible, slots))
        case Allocate(buffer, _):
            assert not isinstance(buffer.element, FragmentType), f"{buffer!r} was not expanded"
            note_bytes(slots.noted, (buffer,))
            size, dtype, lanes = (
                natural(buffer.size, place),
                dtype_of(buffer.element),
                lanes_of(buffer.element),
            )
            return _keep(
                lambda frame: allocate(buffer, size(frame), lanes, dtype, len(frame[0])),
                _declare(buffer, visible, slots),
            )
        case For():
            return _loop(statement, visible, slots)
        case If(test, body, _):
            holds, then = condition(test, place), block(body, visible, slots)

            def choose(frame: Frame) -> None:
                if holds(frame):
                    then(frame)

            return choose
        case AtomicUpdate():
            return _update(statement, place)
        case Barrier() | Prefetch() | AwaitCopies():
            return _nothing
        case LoadFragment() | StoreFragment() | FillFragment() | MultiplyAdd() | MapFragment():
            raise AssertionError(f"{statement!r} was not expanded")
        case _:
            assert_never(statement)


def _nothing(frame: Frame) -> None:
    """Threads wait for each other: here they run one after the other."""


def _update(statement: AtomicUpdate, place: Place) -> Step:
    slot, index = place.slot(statement.buffer), natural(statement.index, place)
    found, combine, origin = value(statement.value, place), OPERATIONS[statement.name], statement.origin

    def update(frame: Frame) -> None:
        memory, at = frame[slot], index(frame)
        memory.check_bounds(at, 1, False, origin)
        memory.note_update(at, origin)
        memory.array[at] = combine(memory.array[at], found(frame))

    return update


def _declare(name: Hashable, visible: dict[Hashable, int], slots: Slots) -> int:
    visible[name] = slots.fresh()
    return visible[name]


def _keep(found: Callable[[Frame], object], slot: int) -> Step:
    def keep(frame: Frame) -> None:
        frame[slot] = found(frame)

    return keep


def _assign(statement: Assign, place: Place) -> Step:
    slot, index, found = (
        place.slot(statement.buffer),
        natural(statement.index, place),
        value(statement.value, place),
    )
    lanes, aligned, origin = (
        accessed(statement.buffer, statement.value.type),
        statement.aligned,
        statement.origin,
    )

    def assign(frame: Frame) -> None:
        memory = frame[slot]
        new = found(frame)
        at = index(frame)
        memory.check_bounds(at, lanes, aligned, origin)
        memory.note_write(at, lanes, frame[0], origin)
        if lanes == 1 and not is_vector:
            memory.array[at] = new
        else:  # a vector, of one lane too
            memory.array[at : at + lanes] = new

    is_vector = statement.value.type != statement.buffer.element
    assert statement.value.type == statement.buffer.element or (
        isinstance(statement.value.type, VectorType)
        and statement.value.type.element == statement.buffer.element
    ), f"{statement.value.type!r} is stored to {statement.buffer.name} of {statement.buffer.element!r}"
    return assign


def _shuffled(count: int, origin: Origin) -> Iterable[int]:
    """The numbers below a count in an order without a pattern, the same at each run; of very many without a list."""
    chance = random.Random(zlib.crc32(repr((origin, count)).encode()))
    if count <= LISTED:
        order = list(range(count))
        chance.shuffle(order)
        return order
    step = chance.randrange(count // 3, count) | 1
    while gcd(step, count) > 1:
        step += 2
    first = chance.randrange(count)
    return ((first + step * turn) % count for turn in range(count))


def _loop(loop: For, visible: dict[Hashable, int], slots: Slots) -> Step:
    place = Place(visible, loop.origin, slots.noted)
    count = natural(loop.count, place)
    slot = slots.fresh()
    body = block(loop.body, {**visible, loop.index: slot}, slots)

    def in_order(frame: Frame) -> None:
        for i in range(count(frame)):
            frame[slot] = i
            body(frame)

    def shuffled(frame: Frame) -> None:
        running = ParallelLoop()
        frame[0].append(running)
        for i in _shuffled(count(frame), loop.origin):
            frame[slot] = running.iteration = i
            body(frame)
        frame[0].pop()

    return shuffled if isinstance(loop.kind, Level) or loop.kind in ("parallel", "simd") else in_order
