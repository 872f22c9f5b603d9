"""Translates maps, reductions, scans, `let` and `toMem`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final, TypeAlias

from rise.naturals import Nat
from rise.part_names import said_by
from rise.terms import Lam
from rise.types import PairType, Space, Type
from shine.imperative.accesses import check_nesting
from shine.imperative.errors import fail
from shine.imperative.nodes import Buffer, Level, LoopKind
from shine.translate.access import holds_array
from shine.translate.accumulators import (
    is_copy,
    is_reduction,
    reader_of,
    starts_in_place,
)
from shine.translate.context import Scope
from shine.translate.core import (
    Call,
    Known,
    LoopState,
    Operand,
    Term,
    Translation,
    Translator,
    is_stored,
    place_before,
    read,
    unwind,
    write,
)
from shine.translate.distinct_indices import has_permutations
from shine.translate.layout import Cells
from shine.translate.levels import level_of
from shine.translate.loop_states import buffers_in, inner_state, store_start, write_used_part
from shine.translate.memory import copy, element_of, place_at, reader_at, share, share_deep
from shine.translate.paths import Path
from shine.translate.slots import Slots
from shine.translate.trampoline import Task, done
from shine.translate.updates import update, update_at
from shine.translate.values import (
    ArrayPlace,
    ArrayReader,
    GuardedPlace,
    Place,
    Reader,
    element,
)
from shine.translate.views import array_of


def binder_name(function: Operand) -> str:
    """The name of a function's parameter, or ""."""
    match function:
        case Term(Lam(name)):
            return name
        case _:
            return ""


def write_map(kind: LoopKind) -> Callable[[Translator, Call, Place], Task[None]]:
    """Emit a loop that writes the function of element i to element i of the place."""

    def write_loop(tr: Translator, call: Call, place: Place) -> Task[None]:
        function, operand = call.operands
        array = array_of(call.parameters[1])
        if (
            isinstance(function, Term)
            and is_copy(function.expr)
            and is_reduction(operand)
            and not isinstance(kind, Level)
        ):
            buffers: dict[str, Buffer] = yield buffers_in(tr, place, array)
            if buffers:
                yield write(tr, place, operand)
                return
        if isinstance(function, Term) and is_copy(function.expr) and not isinstance(kind, Level):
            is_written: bool = yield write_used_part(tr, place, array, operand)
            if is_written:
                return
        xs: Reader = yield read(tr, operand)

        def write_element(i: Nat) -> Task[None]:
            target: Place = yield element_of(place, i)
            yield inside(tr, target, call.path, lambda cell: fill(cell, i))

        def fill(cell: Place, i: Nat) -> Task[None]:
            x: Reader = yield element(xs, i)
            yield write(tr, cell, function, Known(x, array.element))

        loop = yield tr.loop(kind, array.size, binder_name(function), call.path, write_element)
        if loop is not None and (kind == "parallel" or isinstance(kind, Level)):
            check_nesting(loop)

    return write_loop


def inside(tr: Translator, place: Place, path: Path, fill: Callable[[Place], Task[None]]) -> Task[None]:
    """Fill a place, under the guards around it."""
    if isinstance(place, GuardedPlace):
        guarded = place.place
        yield tr.when(place.condition, path, lambda: inside(tr, guarded, path, fill))
    else:
        yield fill(place)


def write_level(tr: Translator, call: Call, place: Place) -> Task[None]:
    """A loop over a level of the GPU, along the dimension that the program names."""
    yield write_map(level_of(call))(tr, call, place)


def read_map(tr: Translator, call: Call) -> Task[Reader]:
    """For a `map` that is not lowered: the function of an element, computed where it is read."""
    function, operand = call.operands
    xs: Reader = yield read(tr, operand)
    s = array_of(call.parameters[1]).element
    t = array_of(call.type).element
    cache: dict[Nat, tuple[Scope, Reader]] = {}

    def at(i: Nat) -> Task[Reader]:
        cached = cache.get(i)
        if cached is not None and tr.sees(cached[0]):
            return cached[1]
        x: Reader = yield element(xs, i)
        value: Reader = yield read(tr, function, Known(x, s))
        value = yield share_deep(tr, value, t, call.path)
        cache[i] = (tr.scope, value)
        return value

    return ArrayReader(at)


def place_map(tr: Translator, call: Call, place: Place) -> Task[Place]:
    """For a function that is a view: the places of its argument, for each element."""
    function = call.operands[0]

    def at(i: Nat) -> Task[Place]:
        target: Place = yield element_of(place, i)
        source: Place = yield place_before(tr, target, function)
        return source

    return done(ArrayPlace(at))


#: emits what is done with an element
Step: TypeAlias = Callable[[Known], Task[None]]
#: reads the array of a reduction, whose last operands are step, start and array; then emits the loop, given its step
Walk: TypeAlias = Callable[[Translator, Call], Task[Callable[[Step], Task[None]]]]


def in_loop(kind: LoopKind) -> Walk:
    """Emit a loop with a step for each element of the array."""

    def walk(tr: Translator, call: Call) -> Task[Callable[[Step], Task[None]]]:
        function, _, operand = call.operands
        array = array_of(call.parameters[2])
        xs: Reader = yield read(tr, operand)

        def run(step: Step) -> Task[None]:
            def at(i: Nat) -> Task[None]:
                x: Reader = yield element(xs, i)
                yield step(Known(x, array.element))

            yield tr.loop(kind, array.size, inner_name(function), call.path, at)

        return run

    return walk


def read_reduce(walk: Walk) -> Callable[[Translator, Call], Task[Reader]]:
    """A loop that accumulates in a temporary."""

    def read_loop(tr: Translator, call: Call) -> Task[Reader]:
        function, start, _ = call.operands[-3:]
        run: Callable[[Step], Task[None]] = yield walk(tr, call)
        cells: Cells = yield accumulator(tr, call, start)
        yield run(lambda x: update(tr, function, (), call.type, cells, (x,), call.path))
        return reader_at(tr, call.type, cells, call.path)

    return read_loop


def inner_name(function: Operand) -> str:
    """The name of a function's second parameter, or ""."""
    match function:
        case Term(Lam(_, _, Lam(name))):
            return name
        case _:
            return ""


def accumulator(tr: Translator, call: Call, start: Operand) -> Task[Cells]:
    """A temporary that holds the start value."""
    t = call.parameters[-2]
    function = call.operands[-3]
    is_called = isinstance(t, PairType) and said_by(call.called, t) is not None
    # a variable that reads a number has the name of the number, so its accumulator does not
    name = call.called if is_called else binder_name(function) or "acc"
    cells, start = state_of(tr, start, t, name, call.path)
    tr.mutable.update(buffer.name for buffer, _ in cells)
    yield store_start(tr, start, place_at(tr, t, cells, call.path), t, call.path)
    return cells


def state_of(tr: Translator, start: Operand, t: Type, name: str, path: Path) -> tuple[Cells, Operand]:
    """Temporaries for a loop's state, and the value to store in them. On a GPU, if the program states a memory for the
    start value, the state is in this memory.
    """
    if tr.is_gpu and tr.slots is None and holds_array(t) and isinstance(start, Term) and is_stored(start):
        space, stored = unwind(start, ()).arguments
        if space.name != "Constant":
            return tr.allocate(t, space.name, name, path), stored
    return tr.allocate_state(t, name, path), start


def write_reduce(walk: Walk) -> Callable[[Translator, Call, Place], Task[None]]:
    """A loop that accumulates in the place if the start value is already there or a temporary would be no better.
    Otherwise it accumulates in a temporary, which is then copied.
    """

    def write_loop(tr: Translator, call: Call, place: Place) -> Task[None]:
        function, start, _ = call.operands[-3:]
        t = call.type
        buffers: dict[str, Buffer] = yield starts_in_place(tr, start, place, t)
        has_started = bool(buffers)
        if not has_started:
            buffers = yield buffers_in(tr, place, t)
        if not buffers:
            result: Reader = yield read_reduce(walk)(tr, call)
            yield copy(tr, result, place, t, call.path)
            return
        accumulator, names = inner_state(tr, place, buffers, t, binder_name(function) or "acc")
        run: Callable[[Step], Task[None]] = yield walk(tr, call)
        if not has_started:
            yield store_start(tr, start, accumulator, t, call.path)
        yield run(_step(tr, call, LoopState(t, accumulator, reader_of(accumulator, t), names)))

    return write_loop


def loop_reduce(walk: Walk) -> Callable[[Translator, Call, LoopState], Task[None]]:
    """The loop of a reduction."""

    def emit_loop(tr: Translator, call: Call, state: LoopState) -> Task[None]:
        run: Callable[[Step], Task[None]] = yield walk(tr, call)
        yield run(_step(tr, call, state))

    return emit_loop


def _step(tr: Translator, call: Call, state: LoopState) -> Step:
    """The step of a reduction with an element."""
    function = call.operands[-3]
    return lambda x: update_at(
        tr, function, (), state.type, state.place, state.current, state.names, (x,), call.path
    )


def write_scan(tr: Translator, call: Call, place: Place) -> Task[None]:
    """A loop that accumulates in a temporary and stores the result after each element."""
    function, start, operand = call.operands
    array = array_of(call.parameters[2])
    t = call.parameters[1]
    xs: Reader = yield read(tr, operand)
    cells: Cells = yield accumulator(tr, call, start)

    def step(i: Nat) -> Task[None]:
        x: Reader = yield element(xs, i)
        yield update(tr, function, (), t, cells, (Known(x, array.element),), call.path)
        target: Place = yield element_of(place, i)
        yield copy(tr, reader_at(tr, t, cells, call.path), target, t, call.path)

    yield tr.loop("seq", array.size, inner_name(function), call.path, step)


def read_to_memory(tr: Translator, call: Call) -> Task[Reader]:
    """Fill a temporary, and read it. Numbers in thread-local memory become variables."""
    (space,) = call.dependent
    assert isinstance(space, Space), f"{space!r} is no memory"
    if space.name == "Constant":
        title = "expected a memory that a kernel can write to, found Constant"
        fail("no-such-memory", title, "use toMem(Global), toMem(Shared) or toMem(Local)", call.path.origin)
    name = call.last.name if isinstance(call.last, Term) else ""
    if tr.slots is not None:
        stored: Reader = yield _in_slot(tr, tr.slots, call, space.name, name or "stored")
        return stored
    if space.name == "Local" and not holds_array(call.type):
        value: Reader = yield read(tr, call.last)
        shared: Reader = yield share(tr, value, call.type, name or "x", call.path)
        return shared
    cells = tr.allocate(call.type, space.name, name or "stored", call.path)
    yield write(tr, place_at(tr, call.type, cells, call.path), call.last)
    if isinstance(call.last, Term) and has_permutations(call.last.expr):
        tr.permutations.update(buffer.name for buffer, _ in cells)
    return reader_at(tr, call.type, cells, call.path)


def _in_slot(tr: Translator, slots: Slots, call: Call, space: str, name: str) -> Task[Reader]:
    """Fill the current slot of a temporary unless it is filled, and read it. Intermediate results have no slots."""
    cells = tr.slot_of(slots, call.type, space, name, call.path)
    if slots.stores:
        tr.slots = None
        yield write(tr, place_at(tr, call.type, cells, call.path), call.last)
        tr.slots = slots
    return reader_at(tr, call.type, cells, call.path)


def bound(tr: Translator, call: Call) -> Task[Known]:
    """The value that `let` binds; numbers are computed here."""
    operand, function = call.operands
    t = call.parameters[0]
    if isinstance(operand, Term):
        operand = replace(operand, name=binder_name(function), called=binder_name(function))
    value: Reader = yield read(tr, operand)
    if not holds_array(t):
        value = yield share(tr, value, t, binder_name(function), call.path)
    return Known(value, t, is_stored(operand))


def read_let(tr: Translator, call: Call) -> Task[Reader]:
    """The body, with the name bound to the value."""
    known: Known = yield bound(tr, call)
    result: Reader = yield read(tr, call.operands[1], known)
    return result


def write_let(tr: Translator, call: Call, place: Place) -> Task[None]:
    """The body, with the name bound to the value."""
    known: Known = yield bound(tr, call)
    yield write(tr, place, call.operands[1], known)


IN_ORDER: Final = in_loop("seq")
UNROLLED: Final = in_loop("unroll")
_MAP: Final = "(read -> write) -> read -> write"
_FOLD: Final = "(read -> read -> write) -> b -> read -> "

MAPS: Final = (
    Translation("mapSeq", _MAP, write=write_map("seq")),
    Translation("mapSeqUnroll", _MAP, write=write_map("unroll")),
    Translation("mapPar", _MAP, write=write_map("parallel")),
    Translation("mapGlobal", _MAP, write=write_level),
    Translation("mapBlock", _MAP, write=write_level),
    Translation("mapThreads", _MAP, write=write_level),
    Translation("mapWarp", _MAP, write=write_level),
    Translation("mapLane", _MAP, write=write_level),
)


def _reduction(name: str, walk: Walk) -> Translation:
    return Translation(
        name,
        _FOLD + "a",
        read=read_reduce(walk),
        write=write_reduce(walk),
        loop=loop_reduce(walk),
        start=1,
    )


REDUCTIONS: Final = (
    _reduction("reduceSeq", IN_ORDER),
    _reduction("reduceSeqUnroll", UNROLLED),
    Translation("scanSeq", _FOLD + "write", write=write_scan),
)

BINDING: Final = (
    Translation("let", "read -> (read -> a) -> a", read=read_let, write=write_let),
    Translation("toMem", "write -> read", read=read_to_memory),
)

#: high-level primitives that may remain where elements are computed on demand, or where they are views
ON_DEMAND: Final = (Translation("map", "(a -> b) -> a -> b", read=read_map, place=place_map),)
