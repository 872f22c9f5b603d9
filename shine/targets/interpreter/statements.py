"""Compiles statements of the IR to Python functions of a frame. Independent of procedures.

The iterations of parallel loops, SIMD loops and loops over levels run in a shuffled order, the same in each run, to
find results that depend on the order.
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
    CommitCopies,
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
from shine.imperative.statements import while_true
from shine.imperative.vectors import lanes_of
from shine.targets.interpreter.arithmetic import OPERATIONS
from shine.targets.interpreter.memory import ParallelLoop, allocate
from shine.targets.interpreter.values import (
    Frame,
    Place,
    accessed,
    condition,
    dtype_of,
    natural,
    value,
)

Step: TypeAlias = Callable[[Frame], None]
MAX_LISTED_ITERATIONS: Final = 1 << 20  # longer loops are not shuffled as a list


class Slots:
    """Gives every name of a procedure a slot in the frame; slot 0 is reserved. `noted` records what depends
    on sizes; `is_specified` is that of the procedure.
    """

    def __init__(self, is_specified: bool = True) -> None:
        self.is_specified = is_specified
        self.count = 1
        self.noted = Noted()

    def fresh(self) -> int:
        """A new slot."""
        self.count += 1
        return self.count - 1


def block(body: Block, visible: dict[Hashable, int], slots: Slots) -> Step:
    """Run the statements in order."""
    inner = dict(visible)
    steps: Sequence[Step] = [_statement(statement, inner, slots) for statement in body.statements]
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
            evaluate = value(v, place)
            return _store(evaluate, _declare(local, visible, slots))
        case DefineIndex(name, v, _):
            read = value(v, place)
            return _store(lambda frame: int(read(frame)), _declare(name, visible, slots))
        case Allocate(buffer, _):
            assert not isinstance(buffer.element, FragmentType), f"{buffer!r} was not expanded"
            note_bytes(slots.noted, (buffer,))
            size, dtype, lanes = (
                natural(buffer.size, place),
                dtype_of(buffer.element),
                lanes_of(buffer.element),
            )
            return _store(
                lambda frame: allocate(buffer, size(frame), lanes, dtype, len(frame[0]), slots.is_specified),
                _declare(buffer, visible, slots),
            )
        case For():
            return _loop(statement, visible, slots)
        case If(test, body, _):
            evaluate_test, then = condition(test, place), block(body, visible, slots)

            def choose(frame: Frame) -> None:
                if evaluate_test(frame):
                    then(frame)

            return choose
        case AtomicUpdate():
            return _update(statement, place)
        case Barrier() | Prefetch() | AwaitCopies() | CommitCopies():
            return _nothing
        case LoadFragment() | StoreFragment() | FillFragment() | MultiplyAdd() | MapFragment():
            raise AssertionError(f"{statement!r} was not expanded")
        case _:
            assert_never(statement)


def _nothing(frame: Frame) -> None:
    """Do nothing: the interpreter runs threads one after the other, so they never wait for each other."""


def _update(statement: AtomicUpdate, place: Place) -> Step:
    slot, index = place.slot(statement.buffer), natural(statement.index, place)
    evaluate, combine, origin = value(statement.value, place), OPERATIONS[statement.name], statement.origin

    def update(frame: Frame) -> None:
        memory, position = frame[slot], index(frame)
        memory.check_bounds(position, 1, False, origin)
        memory.note_update(position, origin)
        memory.array[position] = combine(memory.array[position], evaluate(frame))

    return update


def _declare(name: Hashable, visible: dict[Hashable, int], slots: Slots) -> int:
    visible[name] = slots.fresh()
    return visible[name]


def _store(evaluate: Callable[[Frame], object], slot: int) -> Step:
    def store(frame: Frame) -> None:
        frame[slot] = evaluate(frame)

    return store


def _assign(statement: Assign, place: Place) -> Step:
    slot, index, evaluate = (
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
        new = evaluate(frame)
        position = index(frame)
        memory.check_bounds(position, lanes, aligned, origin)
        memory.note_write(position, lanes, frame[0], origin)
        if lanes == 1 and not is_vector:
            memory.array[position] = new
        else:  # a vector, of one lane too
            memory.array[position : position + lanes] = new

    is_vector = statement.value.type != statement.buffer.element
    assert statement.value.type == statement.buffer.element or (
        isinstance(statement.value.type, VectorType)
        and statement.value.type.element == statement.buffer.element
    ), f"{statement.value.type!r} is stored to {statement.buffer.name} of {statement.buffer.element!r}"
    return assign


def _shuffled(count: int, origin: Origin) -> Iterable[int]:
    """The numbers below a count in a pseudorandom order that is the same in each run; large counts need no list."""
    generator = random.Random(zlib.crc32(repr((origin, count)).encode()))
    if count <= MAX_LISTED_ITERATIONS:
        order = list(range(count))
        generator.shuffle(order)
        return order
    step = generator.randrange(count // 3, count) | 1
    while gcd(step, count) > 1:
        step += 2
    first = generator.randrange(count)
    return ((first + step * turn) % count for turn in range(count))


def _loop(loop: For, visible: dict[Hashable, int], slots: Slots) -> Step:
    place = Place(visible, loop.origin, slots.noted)
    count = natural(loop.count, place)
    slot = slots.fresh()
    body = block(loop.body, {**visible, loop.index: slot}, slots)

    ending = while_true(loop)
    goes_on = value(ending[0], place) if ending else None

    def in_order(frame: Frame) -> None:
        for i in range(count(frame)):
            if goes_on is not None and not goes_on(frame):
                break
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
