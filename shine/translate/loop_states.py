"""Loops with a state of several parts, one of which is the result: it accumulates directly in the place of the result.

The other parts are in temporaries. A part that starts from what the place already contains is not copied. Independent
of the kinds of loops.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from rise.primitives import PROJECTIONS
from rise.records import dataclass
from rise.terms import App, DepLam, Lam, Primitive
from rise.types import PairType, Type
from shine.imperative.errors import not_written
from shine.imperative.nodes import Buffer
from shine.translate.access import holds_array
from shine.translate.accumulators import (
    components_of,
    is_variable,
    memory_for,
    reader_of,
    starts_in_place,
    with_buffers,
)
from shine.translate.core import (
    Call,
    LoopState,
    Operand,
    Term,
    Translator,
    calls_at_size,
    enter,
    make_call,
    read,
    unwind,
    write,
)
from shine.translate.memory import copy, place_at, reader_at
from shine.translate.next_parts import Selectors
from shine.translate.paths import Path
from shine.translate.trampoline import Task, done
from shine.translate.values import PairPlace, PairReader, Place, Reader, half


@dataclass(frozen=True, slots=True)
class Stored:
    """A part of a loop's state that accumulates in a place of its own, whose buffers have these names. `start` is the
    same place, to which the start value is written under the names outside of the loop; None if it is there already.
    """

    place: Place
    names: frozenset[str]
    start: Place | None = None


def store_start(tr: Translator, start: Operand, place: Place, t: Type, path: Path) -> Task[None]:
    """Store the start value of a loop's state."""
    if is_variable(start) and holds_array(t):
        value: Reader = yield read(tr, start)
        yield copy(tr, value, place, t, path)
    else:
        yield write(tr, place, start)


def buffers_in(tr: Translator, place: Place, t: Type) -> Task[dict[str, Buffer]]:
    """The buffers of a place, by name, if a loop accumulates there instead of in a temporary; otherwise none."""
    found: dict[str, Buffer] = {}
    if not tr.is_gpu and holds_array(t):
        found = yield memory_for(place, t)
    return found


def inner_state(
    tr: Translator, place: Place, buffers: dict[str, Buffer], t: Type, name: str
) -> tuple[Place, frozenset[str]]:
    """A place as the state of a loop, whose buffers have names of their own while the loop is translated."""
    inner = {outer: replace(buffer, name=tr.names.fresh(name)) for outer, buffer in buffers.items()}
    tr.merged.update((buffer.name, buffers[outer]) for outer, buffer in inner.items())
    tr.mutable.update(buffer.name for buffer in inner.values())
    return with_buffers(place, inner), frozenset(buffer.name for buffer in inner.values())


def write_part(which: int) -> Callable[[Translator, Call, Place], Task[None]]:
    """`fst` and `snd` of the last state of a loop, or of a part of it."""

    def write_component(tr: Translator, call: Call, place: Place) -> Task[None]:
        part: tuple[Selectors, Call, Term] | None = yield _used_part(tr, call.last, (which,))
        if part is None:
            not_written(f"`{call.name}`", call.path.origin)
        is_written: bool = yield write_used_part(tr, place, call.type, call.last, (which,))
        if not is_written:
            state: Reader = yield read(tr, call.last)
            component: Reader = yield half(state, which)
            yield copy(tr, component, place, call.type, call.path)

    return write_component


def write_used_part(
    tr: Translator, place: Place, t: Type, operand: Operand, selectors: Selectors = ()
) -> Task[bool]:
    """Fill a place with a part of the last state of a loop: the part, of type t, of the operand that the selectors
    choose. False if this is not such a part, or if a temporary would be as good.
    """
    found: tuple[Selectors, Call, Term] | None = yield _used_part(tr, operand, selectors)
    if found is None or tr.is_gpu:
        return False
    selectors, call, start = found
    chosen = start
    for which in selectors:
        components = components_of(chosen)
        if components is None:
            return False
        chosen = components[which]
    buffers: dict[str, Buffer] = yield starts_in_place(tr, chosen, place, t)
    has_started = bool(buffers)
    if not has_started:
        buffers = yield buffers_in(tr, place, t)
    if not buffers:
        return False
    part, names = inner_state(tr, place, buffers, t, "result")
    yield run_loop(tr, call, start, {selectors: Stored(part, names, None if has_started else place)})
    return True


def run_loop(tr: Translator, call: Call, start: Term, stored: Mapping[Selectors, Stored]) -> Task[LoopState]:
    """Emit a loop with a state of which some parts are stored already. Returns its last state."""
    record = tr.record(call)
    assert record.loop is not None, call
    state: LoopState = yield started_state(tr, call.parameters[record.start], start, stored, call.path)
    yield record.loop(tr, call, state)
    return state


def loop_of(tr: Translator, operand: Term) -> Task[tuple[Call, Term] | None]:
    """A loop with a state that is a pair, and its start value; None for other operands. If its number of iterations is
    an index, this is read.
    """
    parts, is_inside = unwind(operand, ()), False
    while calls_at_size(parts.head) or (is_inside and isinstance(parts.head, DepLam | Lam)):
        entered, rest = yield enter(tr, parts, operand.variables)
        if not isinstance(entered, Term):
            return None
        operand, is_inside = entered, True
        parts = unwind(operand, rest)
    if not isinstance(parts.head, Primitive) or not isinstance(parts.type, PairType):
        return None
    call = make_call(parts.head, parts, operand.path)
    record = tr.record(call)
    start = call.operands[record.start] if record.loop is not None else None
    return (call, start) if isinstance(start, Term) else None


def _used_part(
    tr: Translator, operand: Operand, selectors: Selectors
) -> Task[tuple[Selectors, Call, Term] | None]:
    """For a part of the last state of a loop: the projections, from the outside in the state, the loop, and its start
    value. None for other operands.
    """
    while isinstance(operand, Term):
        match operand.expr:
            case App(Primitive(name), pair) if name in PROJECTIONS:
                selectors = (PROJECTIONS.index(name), *selectors)
                operand = Term(pair, operand.variables, operand.path.child(1))
                continue
        found: tuple[Call, Term] | None = None
        if selectors:
            found = yield loop_of(tr, operand)
        return None if found is None else (selectors, *found)
    return None


def started_state(
    tr: Translator,
    t: Type,
    start: Operand,
    stored: Mapping[Selectors, Stored],
    path: Path,
    at: Selectors = (),
) -> Task[LoopState]:
    """The state of a loop that contains its start value: the parts that are stored already, and temporaries."""
    part = stored.get(at)
    if part is not None:
        if part.start is not None:
            yield store_start(tr, start, part.start, t, path)
        return LoopState(t, part.place, reader_of(part.place, t), part.names)
    if not any(selectors[: len(at)] == at for selectors in stored):
        cells = tr.allocate_state(t, "state", path)
        names = frozenset(buffer.name for buffer, _ in cells)
        tr.mutable.update(names)
        place = place_at(tr, t, cells, path)
        yield store_start(tr, start, place, t, path)
        return LoopState(t, place, reader_at(tr, t, cells, path), names)
    components = components_of(start)
    assert components is not None and isinstance(t, PairType), "a part of the start value is stored"
    first: LoopState = yield started_state(tr, t.first, components[0], stored, path, (*at, 0))
    second: LoopState = yield started_state(tr, t.second, components[1], stored, path, (*at, 1))
    return LoopState(
        t,
        PairPlace(lambda: done(first.place), lambda: done(second.place)),
        PairReader(lambda: done(first.current), lambda: done(second.current)),
        first.names | second.names,
    )
