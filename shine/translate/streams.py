"""Translates streams: arrays whose elements a loop requests in order.

As in Shine, a primitive that produces windows keeps a few elements in memory, and each iteration of the loop adds one.
The loop is `iterateStream`. Before it, all elements of the first window except the last one are computed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NoReturn, TypeAlias

from rise.analysis.uses import takes_once
from rise.natural_values import substitute_naturals
from rise.naturals import Nat, NatVar, const
from rise.quotients import is_nonnegative, maximum, minimum, remainder
from rise.records import dataclass
from rise.terms import Primitive
from rise.text.nat_printer import show_nat
from rise.types import ArrayType, Type
from shine.imperative.errors import fail
from shine.translate.core import (
    Call,
    Known,
    Operand,
    Term,
    Translation,
    Translator,
    enter,
    make_call,
    read,
    unwind,
    write,
)
from shine.translate.layout import Cells, inner_cells
from shine.translate.memory import copy, element_of, place_at, reader_at
from shine.translate.paths import Path
from shine.translate.patterns import binder_name, inside, read_map
from shine.translate.trampoline import Task, done
from shine.translate.values import ArrayReader, GuardedPlace, PairReader, Place, Reader, element
from shine.translate.views import array_of, natural

#: the next element, which is requested by the index 0, then 1, 2 and so on
Stream: TypeAlias = Callable[[Nat], Task[Reader]]


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """A stream whose elements are streams themselves, which compute and keep their elements on request."""

    following: Stream

    def __call__(self, i: Nat) -> Task[Reader]:
        return self.following(i)


def stream(tr: Translator, operand: Operand, *extra: Operand) -> Task[Stream]:
    """The elements of an array in order; statements that must run before the first one are emitted."""
    rest: tuple[Any, ...] = extra
    while isinstance(operand, Term):
        parts = unwind(operand, rest)
        if isinstance(parts.head, Primitive):
            call = make_call(parts.head, parts, operand.path)
            if call.name in STREAMED:
                elements: Stream = yield STREAMED[call.name](tr, call)
                return elements
            break
        operand, rest = yield enter(tr, parts, operand.variables)
    xs: Reader = yield read(tr, operand, *rest)
    return lambda i: element(xs, i)


def write_stream(tr: Translator, call: Call, place: Place) -> Task[None]:
    """A loop that takes one element in each iteration."""
    function, operand = call.operands
    array = array_of(call.parameters[1])
    following: Stream = yield stream(tr, operand)
    check_once(following, function, call.path)

    def write_element(i: Nat) -> Task[None]:
        x: Reader = yield following(i)
        target: Place = yield element_of(place, i)
        check_dropped_rows(following, target, i, call.path)
        yield inside(tr, target, call.path, lambda cell: write(tr, cell, function, Known(x, array.element)))

    yield tr.loop("seq", array.size, binder_name(function), call.path, write_element)


def _buffered(tr: Translator, call: Call) -> Task[Stream]:
    """Windows in a ring buffer: element k is at k modulo the size of the buffer."""
    ring, size = natural(call, 0), natural(call, 1)
    if not tr.knows(size, ring + 1):
        n = show_nat(size)
        title = f"expected a buffer of at least {n} elements, the length of a window, found {show_nat(ring)}"
        fail("buffer-size", title, f"write circularBuffer({n}, {n}, ...)", call.path.origin)
    t = _stored_type(call)
    cells = _memory(tr, call, ring)
    following: Stream = yield stream(tr, call.last)

    def put(k: Nat) -> Task[None]:
        yield _put(tr, call, following, k, inner_cells(cells, ring, remainder(k, ring)))

    yield tr.loop("seq", size - 1, "first", call.path, put)

    def window(i: Nat) -> Task[Reader]:
        yield _newest(tr, call, size, lambda _: put(i + size - 1))
        return ArrayReader(
            lambda j: done(reader_at(tr, t, inner_cells(cells, ring, remainder(i + j, ring)), call.path))
        )

    return window


def _rotated(tr: Translator, call: Call) -> Task[Stream]:
    """Windows in registers: all elements move by one place, and the next element becomes the last one."""
    size, t = natural(call, 0), _stored_type(call)
    cells = _memory(tr, call, size)
    following: Stream = yield stream(tr, call.last)

    def at(j: Nat) -> Cells:
        return inner_cells(cells, size, j)

    yield tr.loop("unroll", size - 1, "first", call.path, lambda k: _put(tr, call, following, k, at(k + 1)))

    def move(j: Nat) -> Task[None]:
        source = reader_at(tr, t, at(j + 1), call.path)
        yield copy(tr, source, place_at(tr, t, at(j), call.path), t, call.path)

    def window(i: Nat) -> Task[Reader]:
        yield tr.loop("unroll", size - 1, "rotated", call.path, move)
        yield _newest(tr, call, size, lambda _: _put(tr, call, following, i + size - 1, at(size - 1)))
        return reader_at(tr, ArrayType(size, t), cells, call.path)

    return window


def _newest(tr: Translator, call: Call, size: Nat, put: Callable[[Nat], Task[None]]) -> Task[Any]:
    """Store the newest element of a window, unless the window has size 0."""
    count = const(1) if tr.knows(const(0), size) else minimum(size, 1)
    return tr.loop("seq", count, "newest", call.path, put)


def _stored_type(call: Call) -> Type:
    """The type of the elements of windows."""
    return array_of(array_of(call.type).element).element


def _memory(tr: Translator, call: Call, size: Nat, t: Type | None = None, name: str = "window") -> Cells:
    """A temporary for `size` elements."""
    if natural(call, len(call.dependent) - 1).constant == 0:
        fail(
            "window-size",
            "expected windows of at least 1 element, found 0",
            "slide instead",
            call.path.origin,
        )
    cells = tr.allocate(ArrayType(size, _stored_type(call) if t is None else t), "Local", name, call.path)
    tr.mutable.update(buffer.name for buffer, _ in cells)
    return cells


def _put(tr: Translator, call: Call, following: Stream, k: Nat, cells: Cells) -> Task[None]:
    """Compute element k and store it."""
    x: Reader = yield following(k)
    given = Known(x, array_of(call.parameters[1]).element)
    yield write(tr, place_at(tr, _stored_type(call), cells, call.path), call.operands[0], given)


def _mapped(tr: Translator, call: Call) -> Task[Stream]:
    """The function of each element."""
    function, operand = call.operands
    following: Stream = yield stream(tr, operand)
    s = array_of(call.parameters[1]).element
    check_once(following, function, call.path)

    def next_element(i: Nat) -> Task[Reader]:
        x: Reader = yield following(i)
        argument = Known(x, s)
        if not isinstance(following, Rows):
            value: Reader = yield read(tr, function, argument)
            return value
        inner: Stream = yield stream(tr, function, argument)
        return ArrayReader(inner)

    return Rows(next_element) if isinstance(following, Rows) else next_element


def _zipped(tr: Translator, call: Call) -> Task[Stream]:
    """The pairs of the elements of two streams."""
    first: Stream = yield stream(tr, call.operands[0])
    second: Stream = yield stream(tr, call.operands[1])

    def next_pair(i: Nat) -> Task[Reader]:
        a: Reader = yield first(i)
        b: Reader = yield second(i)
        return PairReader(lambda: done(a), lambda: done(b))

    for part in (first, second):
        if isinstance(part, Rows):
            _not_once(call.path)
    return next_pair


def _lines(tr: Translator, call: Call) -> Task[Stream]:
    """Windows of rows: row k is stored at k modulo (size - 1); the newest row is in registers while its columns are
    read.
    """
    size, t = natural(call, 0), array_of(array_of(array_of(call.type).element).element).element
    source = array_of(call.parameters[1])
    row = array_of(source.element)
    stored = (size if tr.knows(const(0), size) else maximum(size, 1)) - 1
    rows = _memory(tr, call, stored, ArrayType(row.size, t)) if stored.constant != 0 else ()
    following: Stream = yield stream(tr, call.last)

    def compute(place: Place, xs: Reader, j: Nat) -> Task[None]:
        x: Reader = yield element(xs, j)
        yield write(tr, place, call.operands[0], Known(x, row.element))

    def line(k: Nat) -> Cells:
        return inner_cells(rows, stored, remainder(k, stored))

    def put(k: Nat) -> Task[None]:
        xs: Reader = yield following(k)
        yield tr.loop(
            "seq",
            row.size,
            "first",
            call.path,
            lambda j: compute(place_at(tr, t, inner_cells(line(k), row.size, j), call.path), xs, j),
        )

    yield tr.loop("seq", stored, "line", call.path, put)

    def columns(i: Nat) -> Task[Reader]:
        xs: Reader = yield following(i + stored)

        def column(j: Nat) -> Task[Reader]:
            cells = _memory(tr, call, size, t, "column")

            def load_stored(c: Nat) -> Task[None]:
                source = reader_at(tr, t, inner_cells(line(i + c), row.size, j), call.path)
                yield copy(tr, source, place_at(tr, t, inner_cells(cells, size, c), call.path), t, call.path)

            yield tr.loop("unroll", stored, "old", call.path, load_stored)
            newest = inner_cells(cells, size, stored)

            def store_newest(_: Nat) -> Task[None]:
                target = place_at(tr, t, inner_cells(line(i), row.size, j), call.path)
                yield copy(tr, reader_at(tr, t, newest, call.path), target, t, call.path)

            yield _newest(tr, call, size, lambda _: compute(place_at(tr, t, newest, call.path), xs, j))
            if rows:
                yield _newest(tr, call, stored, store_newest)
            return reader_at(tr, ArrayType(size, t), cells, call.path)

        return ArrayReader(column)

    return Rows(columns)


def check_once(following: Stream, function: Operand, path: Path) -> None:
    """Raise TranslationError unless a function takes each element of its row once, in order."""
    if not isinstance(following, Rows):
        return
    if not takes_once(function.expr if isinstance(function, Term) else None):
        _not_once(path)


def _not_once(path: Path) -> NoReturn:
    fail(
        "not-streamed",
        "expected a function that takes the columns of `lineBuffer` once, in order, found another",
        "write fun(row => row |> ...) with mapStream, rotateValues or iterateStream first; or use circularBuffer",
        path.origin,
    )


def check_dropped_rows(following: Stream, place: Place, i: Nat, path: Path) -> None:
    """Raise TranslationError if a row is dropped that later windows need: only the last rows may be dropped."""
    while isinstance(following, Rows) and isinstance(place, GuardedPlace):
        for low, end in () if place.condition is None else place.condition.below:
            if _next(end, i) != end or not is_nonnegative(_next(low, i) - low):
                _not_once(path)
        place = place.place


def _next(a: Nat, i: Nat) -> Nat:
    """A natural with i + 1 substituted for the index i."""
    match i.terms:
        case ((((NatVar() as index, 1),), 1),):
            return substitute_naturals(a, {index: i + 1})
    return a


def refuse_windows(tr: Translator, call: Call) -> Task[Reader]:
    """Raise TranslationError for a stream of windows that is read at an index."""
    fail(
        "not-streamed",
        f"expected `iterateStream` to take the windows of `{call.name}` in order, found them read at an index",
        "map over them with iterateStream, directly or after mapStream and zip; or use `slide`",
        call.path.origin,
    )


#: the primitives that are translated to streams
STREAMED: Final[dict[str, Callable[[Translator, Call], Task[Stream]]]] = {
    "circularBuffer": _buffered,
    "rotateValues": _rotated,
    "lineBuffer": _lines,
    "mapStream": _mapped,
    "map": _mapped,
    "zip": _zipped,
}
_WINDOWS: Final = "(read -> write) -> read -> read"

STREAMS: Final = (
    Translation("circularBuffer", _WINDOWS, read=refuse_windows),
    Translation("rotateValues", _WINDOWS, read=refuse_windows),
    Translation("lineBuffer", _WINDOWS, read=refuse_windows),
    Translation("mapStream", "(read -> read) -> read -> read", read=read_map),
    Translation("iterateStream", "(read -> write) -> read -> write", write=write_stream),
)
