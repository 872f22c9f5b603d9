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
    is_variable,
    memory_for,
    reader_of,
    starts_in_place,
    with_buffers,
)
from shine.translate.context import Scope
from shine.translate.core import (
    Call,
    Known,
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
            buffers: dict[str, Buffer] = yield _accumulator_in(tr, place, array)
            if buffers:
                yield write(tr, place, operand)
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


def store_start(tr: Translator, start: Operand, place: Place, t: Type, path: Path) -> Task[None]:
    """Store a reduction's start value."""
    if is_variable(start) and holds_array(t):
        value: Reader = yield read(tr, start)
        yield copy(tr, value, place, t, path)
    else:
        yield write(tr, place, start)


def _accumulator_in(tr: Translator, place: Place, t: Type) -> Task[dict[str, Buffer]]:
    """The buffers of a place, by name, if a reduction accumulates there instead of in a temporary; otherwise none."""
    found: dict[str, Buffer] = {}
    if not tr.is_gpu and holds_array(t):
        found = yield memory_for(place, t)
    return found


def write_reduce(walk: Walk) -> Callable[[Translator, Call, Place], Task[None]]:
    """A loop that accumulates in the place if the start value is already there or a temporary would be no better.
    Otherwise it accumulates in a temporary, which is then copied.
    """

    def write_loop(tr: Translator, call: Call, place: Place) -> Task[None]:
        function, start, _ = call.operands[-3:]
        buffers: dict[str, Buffer] = yield starts_in_place(tr, start, place, call.type)
        has_started = bool(buffers)
        if not has_started:
            buffers = yield _accumulator_in(tr, place, call.type)
        if not buffers:
            result: Reader = yield read_reduce(walk)(tr, call)
            yield copy(tr, result, place, call.type, call.path)
            return
        name = binder_name(function) or "acc"
        inner = {outer: replace(buffer, name=tr.names.fresh(name)) for outer, buffer in buffers.items()}
        tr.merged.update((buffer.name, buffers[outer]) for outer, buffer in inner.items())
        tr.mutable.update(buffer.name for buffer in inner.values())
        accumulator = with_buffers(place, inner)
        current = reader_of(accumulator, call.type)
        names = frozenset(buffer.name for buffer in inner.values())
        run: Callable[[Step], Task[None]] = yield walk(tr, call)
        if not has_started:
            yield store_start(tr, start, accumulator, call.type, call.path)
        yield run(
            lambda x: update_at(tr, function, (), call.type, accumulator, current, names, (x,), call.path)
        )

    return write_loop


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

REDUCTIONS: Final = (
    Translation("reduceSeq", _FOLD + "a", read=read_reduce(IN_ORDER), write=write_reduce(IN_ORDER)),
    Translation("reduceSeqUnroll", _FOLD + "a", read=read_reduce(UNROLLED), write=write_reduce(UNROLLED)),
    Translation("scanSeq", _FOLD + "write", write=write_scan),
)

BINDING: Final = (
    Translation("let", "read -> (read -> a) -> a", read=read_let, write=write_let),
    Translation("toMem", "write -> read", read=read_to_memory),
)

#: high-level primitives that may remain where elements are computed on demand, or where they are views
ON_DEMAND: Final = (Translation("map", "(a -> b) -> a -> b", read=read_map, place=place_map),)
