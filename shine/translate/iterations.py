"""Translates repeated application of a function: a number of times, or while a condition holds."""

from __future__ import annotations

from typing import Final

from rise.naturals import Nat, const
from rise.quotients import integer_power
from rise.types import BOOL, ArrayType
from shine.imperative.errors import fail
from shine.imperative.nodes import Assign, Condition, Constant, Load
from shine.translate.core import Call, Known, LoopState, Translation, Translator, read, write
from shine.translate.layout import Cells
from shine.translate.loop_states import store_start
from shine.translate.memory import copy, place_at, reader_at
from shine.translate.patterns import binder_name, state_of
from shine.translate.scalars import as_condition, as_scalar
from shine.translate.trampoline import Task
from shine.translate.updates import update, update_at
from shine.translate.values import Place, Reader, ScalarReader
from shine.translate.views import array_of, natural

MAX_UNROLLED_STEPS: Final = 64


def write_iterate(tr: Translator, call: Call, place: Place) -> Task[None]:
    """Write each step to its own temporary; if no size changes, a loop with one temporary."""
    steps, factor = natural(call, 0), call.implicits[1]
    assert isinstance(factor, Nat)
    function, operand = call.operands
    result = array_of(call.type)
    if factor.constant == 1:
        yield _iterate_loop(tr, call, place, steps)
        return
    step_count = steps.constant
    if step_count is None or step_count > MAX_UNROLLED_STEPS:
        title = (
            f"expected a known number of steps of at most {MAX_UNROLLED_STEPS}, for arrays that get shorter"
        )
        fail("iterate", title, "fix it with rise.specialise", call.path.origin)
    if step_count == 0:
        source: Reader = yield read(tr, operand)
        yield copy(tr, source, place, result, call.path)
        return
    current = operand
    for remaining in reversed(range(step_count)):
        size = result.size * integer_power(factor, const(remaining))
        if remaining == 0:
            yield write(tr, place, function, size, current)
        else:
            t = ArrayType(size, result.element)
            cells = tr.allocate_state(t, "step", call.path)
            yield write(tr, place_at(tr, t, cells, call.path), function, size, current)
            current = Known(reader_at(tr, t, cells, call.path), t)


def _iterate_loop(tr: Translator, call: Call, place: Place, steps: Nat) -> Task[None]:
    function, operand = call.operands
    t = array_of(call.type)
    cells, start = state_of(tr, operand, t, "step", call.path)
    tr.mutable.update(buffer.name for buffer, _ in cells)
    if start is operand:
        source: Reader = yield read(tr, operand)
        yield copy(tr, source, place_at(tr, t, cells, call.path), t, call.path)
    else:
        yield write(tr, place_at(tr, t, cells, call.path), start)
    yield tr.loop(
        "seq", steps, "step", call.path, lambda _: update(tr, function, (t.size,), t, cells, (), call.path)
    )
    yield copy(tr, reader_at(tr, t, cells, call.path), place, t, call.path)


def read_iterate_while(tr: Translator, call: Call) -> Task[Reader]:
    """A loop that changes a temporary until the condition, which it stores before each iteration, is false."""
    _, step, start = call.operands
    t, path = call.type, call.path
    cells, start = state_of(tr, start, t, binder_name(step) or "state", path)
    names = frozenset(buffer.name for buffer, _ in cells)
    tr.mutable.update(names)
    place, current = place_at(tr, t, cells, path), reader_at(tr, t, cells, path)
    yield store_start(tr, start, place, t, path)
    yield _while(tr, call, LoopState(t, place, current, names), cells)
    return current


def loop_while(tr: Translator, call: Call, state: LoopState) -> Task[None]:
    """The loop of `iterateWhile`."""
    yield _while(tr, call, state)


def _while(tr: Translator, call: Call, state: LoopState, cells: Cells = ()) -> Task[None]:
    condition, step, _ = call.operands
    path = call.path
    ((going, at),) = tr.allocate(BOOL, "Local", "goes_on", path)
    tr.mutable.add(going.name)
    tr.emit(Assign(going, at, Constant(1, BOOL), True, path.origin))

    def goes_on() -> Condition:
        return as_condition(tr, ScalarReader(Load(going, at, 1, True, BOOL)), path)

    def change() -> Task[None]:
        yield update_at(tr, step, (), state.type, state.place, state.current, state.names, (), path, cells)

    def test() -> Task[None]:
        holds: Reader = yield read(tr, condition, Known(state.current, state.type))
        tr.emit(Assign(going, at, as_scalar(holds).value, True, path.origin))
        yield tr.when(goes_on(), path, change)

    yield tr.loop("seq", natural(call, 0), "step", path, lambda _: tr.when(goes_on(), path, test))


def write_iterate_while(tr: Translator, call: Call, place: Place) -> Task[None]:
    """Copy the last value of the temporary."""
    result: Reader = yield read_iterate_while(tr, call)
    yield copy(tr, result, place, call.type, call.path)


ITERATIONS: Final = (
    Translation("iterate", "(read -> write) -> read -> write", write=write_iterate),
    Translation(
        "iterateWhile",
        "(read -> read) -> (read -> write) -> b -> a",
        read=read_iterate_while,
        write=write_iterate_while,
        loop=loop_while,
        start=2,
    ),
)
