"""Between values and buffers: loads, stores, copies. Knows no terms and no primitive."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from rise.indices import lane_index
from rise.naturals import Nat, NatVar, const, nat
from rise.types import ArrayType, DepArrayType, FragmentType, IndexType, PairType, Type, VectorType, type_at
from shine.imperative.nodes import (
    I64,
    Assign,
    Block,
    Condition,
    Index,
    Load,
    Local,
    MapFragment,
    Operation,
    Piece,
    Value,
    scalar_of,
)
from shine.imperative.vectors import lane_of
from shine.imperative.walk import loads
from shine.translate.context import Context
from shine.translate.layout import Cells, count_leaves, inner_cells, lanes_of
from shine.translate.paths import Path
from shine.translate.rows import Rows
from shine.translate.trampoline import Task, done
from shine.translate.values import (
    ArrayPlace,
    ArrayReader,
    CellPlace,
    FragmentPlace,
    FragmentReader,
    GuardedPlace,
    IndexReader,
    PairPlace,
    PairReader,
    Place,
    Reader,
    ScalarReader,
    VectorPlace,
    as_index,
    element,
    half,
    is_atomic,
    rows,
)

#: operations nested deeper than this go through a variable
DEEPEST_VALUE: Final = 24
#: values with at least so many are not computed twice
DEEPEST_REPEATED: Final = 4


def reader_at(cx: Context, t: Type, cells: Cells, path: Path) -> Reader:
    """Read a value from its buffers."""
    shape = rows(t)
    if shape is not None:
        size, inner = cx.measured(shape[0], path), shape[1]
        return ArrayReader(lambda i: done(reader_at(cx, inner, inner_cells(cells, size, i), path)))
    if isinstance(t, DepArrayType):
        return _rows_reader(cx, t, cells, path)
    if isinstance(t, PairType):
        first, second = t.first, t.second
        n = count_leaves(first)
        return PairReader(
            lambda: done(reader_at(cx, first, cells[:n], path)),
            lambda: done(reader_at(cx, second, cells[n:], path)),
        )
    ((buffer, at),) = cells
    match t:
        case VectorType():
            lanes = lanes_of(t, path.origin)
            return ScalarReader(Load(buffer, at * lanes, lanes, cx.is_aligned(buffer, at * lanes, lanes), t))
        case FragmentType():
            return FragmentReader(Piece(buffer, at))
        case IndexType(size):
            return IndexReader(cx.define_index(Load(buffer, at, 1, True, I64), size, path))
        case _:
            return ScalarReader(Load(buffer, at, 1, True, scalar_of(t)))


def _rows_reader(cx: Context, t: DepArrayType, cells: Cells, path: Path) -> Reader:
    rows_there: Rows[Reader] = Rows(
        t,
        lambda inner, found: reader_at(cx, inner, found, path),
        lambda at: ArrayReader(lambda j: done(at(j))),
        lambda one, two: PairReader(lambda: done(one), lambda: done(two)),
        lambda a: cx.measured(a, path),
        path.origin,
    )

    def flat(position: Nat) -> Task[Reader]:
        found = rows_there.flat(cells, position)
        assert found is not None, t
        return done(found)

    is_flat = isinstance(type_at(t.family, const(0)), ArrayType)
    return ArrayReader(lambda i: done(rows_there.row(cells, i)), flat if is_flat else None)


def _rows_place(cx: Context, t: DepArrayType, cells: Cells, path: Path) -> Place:
    rows_there: Rows[Place] = Rows(
        t,
        lambda inner, found: place_at(cx, inner, found, path),
        lambda at: ArrayPlace(lambda j: done(at(j))),
        lambda one, two: PairPlace(lambda: done(one), lambda: done(two)),
        lambda a: cx.measured(a, path),
        path.origin,
    )
    return ArrayPlace(lambda i: done(rows_there.row(cells, i)))


def place_at(cx: Context, t: Type, cells: Cells, path: Path) -> Place:
    """Write a value to its buffers."""
    shape = rows(t)
    if shape is not None:
        size, inner = cx.measured(shape[0], path), shape[1]
        return ArrayPlace(lambda i: done(place_at(cx, inner, inner_cells(cells, size, i), path)))
    if isinstance(t, DepArrayType):
        return _rows_place(cx, t, cells, path)
    if isinstance(t, PairType):
        first, second = t.first, t.second
        n = count_leaves(first)
        return PairPlace(
            lambda: done(place_at(cx, first, cells[:n], path)),
            lambda: done(place_at(cx, second, cells[n:], path)),
        )
    ((buffer, at),) = cells
    if isinstance(t, VectorType):
        lanes = lanes_of(t, path.origin)
        return VectorPlace(lambda lane: done(CellPlace(buffer, at * lanes + lane)))
    return FragmentPlace(Piece(buffer, at)) if isinstance(t, FragmentType) else CellPlace(buffer, at)


def store(cx: Context, place: Place, reader: Reader, t: Type, path: Path) -> Task[None]:
    """Store a value that holds no array: all of it is computed before any of it is stored."""
    parts: list[tuple[Place, Value, Type]] = []
    yield _parts(cx, place, reader, t, parts)
    if _is_overwritten(parts):
        parts = [(target, cx.define(value, "new", path), inner) for target, value, inner in parts]
    for target, value, inner in parts:
        yield _store_one(cx, target, value, inner, path)


def _is_overwritten(parts: list[tuple[Place, Value, Type]]) -> bool:
    """Whether a value may load what an earlier one is stored to."""
    written: set[str] = set()
    for target, value, _ in parts:
        if written and any(load.buffer.name in written or "" in written for load in loads(value)):
            return True
        written.add(_buffer(target))
    return False


def _parts(
    cx: Context, place: Place, reader: Reader, t: Type, parts: list[tuple[Place, Value, Type]]
) -> Task[None]:
    match t:
        case PairType(first, second):
            for which, inner in enumerate((first, second)):
                value: Reader = yield half(reader, which)
                target: Place = yield half_of(place, which)
                yield _parts(cx, target, value, inner, parts)
        case IndexType():
            parts.append((place, Index(as_index(reader), I64), t))
        case _:
            assert isinstance(reader, ScalarReader), reader
            parts.append((place, reader.value, t))


def half_of(place: Place, which: int) -> Task[Place]:
    """The place of one half of a pair."""
    match place:
        case PairPlace(first, second):
            found: Place = yield (second() if which else first())
            return found
        case GuardedPlace(condition, inner):
            part: Place = yield half_of(inner, which)
            return GuardedPlace(condition, part)
    raise AssertionError(f"{place!r} is no place of a pair")


def element_of(place: Place, index: Nat) -> Task[Place]:
    """The place of an array's element."""
    match place:
        case ArrayPlace(element):
            found: Place = yield element(index)
            return found
        case GuardedPlace(condition, inner):
            guarded: Place = yield element_of(inner, index)
            return GuardedPlace(condition, guarded)
    raise AssertionError(f"{place!r} is no place of an array")


def lane_place(place: Place, lane: Nat) -> Task[Place]:
    """The place of one lane of a vector."""
    match place:
        case VectorPlace(lanes):
            found: Place = yield lanes(lane)
            return found
        case GuardedPlace(condition, inner):
            guarded: Place = yield lane_place(inner, lane)
            return GuardedPlace(condition, guarded)
    raise AssertionError(f"{place!r} is no place of a vector")


def _buffer(place: Place) -> str:
    """The name of the buffer that a number is stored to; "" if it is not known here."""
    match place:
        case CellPlace(buffer):
            return buffer.name
        case GuardedPlace(_, inner):
            return _buffer(inner)
        case _:
            return ""


def _store_one(cx: Context, place: Place, value: Value, t: Type, path: Path) -> Task[None]:
    match place:
        case GuardedPlace(condition, inner):
            yield cx.when(condition, path, lambda: _store_one(cx, inner, value, t, path))
        case CellPlace(buffer, index):
            cx.emit(Assign(buffer, index, value, True, path.origin))
        case VectorPlace(lane):
            assert isinstance(t, VectorType)
            yield _store_vector(cx, lane, value, t, path)
        case _:
            raise AssertionError(f"{place!r} is no place of {t!r}")


def _store_vector(
    cx: Context, lane: Callable[[Nat], Task[Place]], value: Value, t: VectorType, path: Path
) -> Task[None]:
    count = lanes_of(t, path.origin)
    symbol = NatVar("lane", const(count))
    target: Place = yield lane(nat(symbol))
    if isinstance(target, CellPlace):
        start = lane_index(target.index, symbol)
        if start is not None:
            is_aligned = cx.is_aligned(target.buffer, start, count)
            cx.emit(Assign(target.buffer, start, value, is_aligned, path.origin))
            return
    value = cx.define(value, "lanes", path)
    run = _first_lanes(target, symbol)
    if run is not None:
        first, whole, part = run
        is_aligned = cx.is_aligned(first.buffer, first.index, count)

        def together() -> Task[None]:
            cx.emit(Assign(first.buffer, first.index, value, is_aligned, path.origin))
            yield done(None)

        def apart(number: Nat) -> Task[None]:
            inner: Place = yield lane(number)
            yield _store_one(cx, inner, lane_of(value, number), scalar_of(t), path)

        def rest() -> Task[None]:
            yield cx.loop("seq", const(count), "lane", path, apart)

        yield cx.when(whole, path, together)
        yield cx.when(part, path, rest)
        return
    for number in range(count):
        cell: Place = yield lane(const(number))
        yield _store_one(cx, cell, lane_of(value, const(number)), scalar_of(t), path)


def _first_lanes(place: Place, lane: NatVar) -> tuple[CellPlace, Condition, Condition] | None:
    """Where a vector's lanes go one behind the other, the first of them at least: where, when all do, when not."""
    match place:
        case GuardedPlace(Condition(((a, b),)), CellPlace(buffer, index)):
            start, low = lane_index(index, lane), lane_index(a, lane)
            if start is None or low is None or lane in b.free or lane.upper is None:
                return None
            end = b - (lane.upper - 1)
            return CellPlace(buffer, start), Condition(((low, end),)), Condition(((end, low + 1),))
    return None


def share(cx: Context, reader: Reader, t: Type, name: str, path: Path, is_pair: bool = False) -> Task[Reader]:
    """A value without arrays, computed once: what is more than a variable gets one. Halves that are loads
    stay.
    """
    match t, reader:
        case PairType(first, second), PairReader(find_first, find_second):
            one: Reader = yield find_first()
            one = yield share(cx, one, first, f"{name}_1", path, True)
            two: Reader = yield find_second()
            two = yield share(cx, two, second, f"{name}_2", path, True)
            return PairReader(lambda: done(one), lambda: done(two))
        case _, ScalarReader(value) if not (is_pair and isinstance(value, Load)):
            return ScalarReader(cx.define(value, name, path))
        case _:
            return reader


def share_deep(cx: Context, reader: Reader, t: Type, path: Path) -> Task[Reader]:
    """A number that is used again as it is, or through a variable if it has many operations."""
    if isinstance(reader, ScalarReader) and reader.depth >= DEEPEST_REPEATED:
        shared: Reader = yield share(cx, reader, t, "x", path)
        return shared
    return reader


def copy(cx: Context, reader: Reader, place: Place, t: Type, path: Path) -> Task[None]:
    """Copy a value, element by element."""
    shape = rows(t)
    if isinstance(place, GuardedPlace):
        behind = place.place
        yield cx.when(place.condition, path, lambda: copy(cx, reader, behind, t, path))
    elif shape is not None:
        size, inner = shape

        def one(i: Nat) -> Task[None]:
            value: Reader = yield element(reader, i)
            target: Place = yield element_of(place, i)
            yield copy(cx, value, target, inner, path)

        yield cx.loop("seq", cx.measured(size, path), "copy", path, one)
    elif isinstance(t, DepArrayType):
        family = t.family

        def one_row(i: Nat) -> Task[None]:
            row: Reader = yield element(reader, i)
            row_place: Place = yield element_of(place, i)
            yield copy(cx, row, row_place, cx.measured(type_at(family, i), path), path)

        yield cx.loop("seq", cx.measured(t.size, path), "copy", path, one_row)
    elif isinstance(t, PairType):
        for which, part in enumerate((t.first, t.second)):
            value: Reader = yield half(reader, which)
            target: Place = yield half_of(place, which)
            yield copy(cx, value, target, part, path)
    elif isinstance(t, FragmentType):
        assert isinstance(place, FragmentPlace) and isinstance(reader, FragmentReader), (place, reader)
        number = Local(cx.names.fresh("number"), scalar_of(t.element))
        cx.emit(MapFragment(place.piece, (reader.piece,), (number,), Block(()), number, path.origin))
    else:
        yield store(cx, place, reader, t, path)


def operation(
    cx: Context, name: str, arguments: tuple[ScalarReader, ...], t: Type, path: Path
) -> ScalarReader:
    """A scalar function of values. What is nested too deeply becomes a variable."""
    assert not isinstance(t, IndexType | PairType)
    value_type = t if isinstance(t, VectorType) else scalar_of(t)
    depth = 1 + max((one.depth for one in arguments), default=0)
    value: Value = Operation(name, tuple(one.value for one in arguments), value_type)
    return nested(cx, value, depth, path)


def nested(cx: Context, value: Value, depth: int, path: Path) -> ScalarReader:
    """A value that is so deep; a variable instead if that is too deep."""
    if depth < DEEPEST_VALUE or is_atomic(value):
        return ScalarReader(value, depth)
    return ScalarReader(cx.define(value, "x", path))
