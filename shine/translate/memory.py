"""Moves values to and from buffers: loads, stores, copies. Independent of terms and primitives."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from rise.indices import is_multiple, lane_index
from rise.naturals import Nat, NatVar, const, nat
from rise.types import ArrayType, DepArrayType, FragmentType, IndexType, PairType, Type, VectorType, type_at
from shine.imperative.names import part_names
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
from shine.imperative.vectors import first_of_neighbours, lane_of
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

#: a value with operations nested this deep becomes a variable
MAX_VALUE_DEPTH: Final = 24
#: a value with operations nested this deep is not computed twice
MIN_SHARED_DEPTH: Final = 4


def reader_at(cx: Context, t: Type, cells: Cells, path: Path) -> Reader:
    """A reader of a value that is stored in buffers."""
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
    layout: Rows[Reader] = Rows(
        t,
        lambda inner, its_cells: reader_at(cx, inner, its_cells, path),
        lambda at: ArrayReader(lambda j: done(at(j))),
        lambda first, second: PairReader(lambda: done(first), lambda: done(second)),
        lambda a: cx.measured(a, path),
        path.origin,
    )

    def flat(position: Nat) -> Task[Reader]:
        row_element = layout.flat(cells, position)
        assert row_element is not None, t
        return done(row_element)

    is_flat = isinstance(type_at(t.family, const(0)), ArrayType)
    return ArrayReader(lambda i: done(layout.row(cells, i)), flat if is_flat else None)


def _rows_place(cx: Context, t: DepArrayType, cells: Cells, path: Path) -> Place:
    layout: Rows[Place] = Rows(
        t,
        lambda inner, its_cells: place_at(cx, inner, its_cells, path),
        lambda at: ArrayPlace(lambda j: done(at(j))),
        lambda first, second: PairPlace(lambda: done(first), lambda: done(second)),
        lambda a: cx.measured(a, path),
        path.origin,
    )
    return ArrayPlace(lambda i: done(layout.row(cells, i)))


def place_at(cx: Context, t: Type, cells: Cells, path: Path) -> Place:
    """The place for a value in buffers."""
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
    """Store a value without arrays. All of it is computed before any of it is stored."""
    parts: list[tuple[Place, Value, Type]] = []
    yield _parts(cx, place, reader, t, parts)
    if _is_overwritten(parts):
        parts = [(target, cx.define(value, "updated", path), inner) for target, value, inner in parts]
    for target, value, inner in parts:
        yield _store_one(cx, target, value, inner, path)


def _is_overwritten(parts: list[tuple[Place, Value, Type]]) -> bool:
    """Whether a value may load from the target of an earlier one."""
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
    """The place of one component of a pair."""
    match place:
        case PairPlace(first, second):
            component: Place = yield (second() if which else first())
            return component
        case GuardedPlace(condition, inner):
            guarded: Place = yield half_of(inner, which)
            return GuardedPlace(condition, guarded)
    raise AssertionError(f"{place!r} is no place of a pair")


def element_of(place: Place, index: Nat) -> Task[Place]:
    """The place of an array's element."""
    match place:
        case ArrayPlace(element):
            cell: Place = yield element(index)
            return cell
        case GuardedPlace(condition, inner):
            guarded: Place = yield element_of(inner, index)
            return GuardedPlace(condition, guarded)
    raise AssertionError(f"{place!r} is no place of an array")


def lane_place(place: Place, lane: Nat) -> Task[Place]:
    """The place of one lane of a vector."""
    match place:
        case VectorPlace(lanes):
            cell: Place = yield lanes(lane)
            return cell
        case GuardedPlace(condition, inner):
            guarded: Place = yield lane_place(inner, lane)
            return GuardedPlace(condition, guarded)
    raise AssertionError(f"{place!r} is no place of a vector")


def _buffer(place: Place) -> str:
    """The name of the buffer that a number is stored to, or "" if unknown."""
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
    symbol = cx.lane_of_next(count)
    cx.vectors += 1
    target: Place = yield lane(nat(symbol))
    cx.vectors -= 1
    if isinstance(target, GuardedPlace) and target.condition == Condition(()):
        target = target.place  # whatever the lane
    if isinstance(target, CellPlace):
        start = lane_index(target.index, symbol) or first_of_neighbours(target.index, symbol, count)
        if start is not None:
            is_aligned = cx.is_aligned(target.buffer, start, count)
            cx.emit(Assign(target.buffer, start, value, is_aligned, path.origin))
            return
    value = cx.define(value, "lanes", path)
    run = _first_lanes(target, symbol, cx.divisors)
    if run is not None:
        first, whole, part = run
        is_aligned = cx.is_aligned(first.buffer, first.index, count)

        def store_whole() -> Task[None]:
            cx.emit(Assign(first.buffer, first.index, value, is_aligned, path.origin))
            yield done(None)

        def store_lane(number: Nat) -> Task[None]:
            inner: Place = yield lane(number)
            yield _store_one(cx, inner, lane_of(value, number), scalar_of(t), path)

        def store_part() -> Task[None]:
            yield cx.loop("seq", const(count), "lane", path, store_lane)

        yield cx.when(whole, path, store_whole)
        if part is not None:
            yield cx.when(part, path, store_part)
        return
    for number in range(count):
        cell: Place = yield lane(const(number))
        yield _store_one(cx, cell, lane_of(value, const(number)), scalar_of(t), path)


def _first_lanes(
    place: Place, lane: NatVar, divisors: Mapping[NatVar, int]
) -> tuple[CellPlace, Condition, Condition | None] | None:
    """For consecutive lanes under one guard: the first lane's cell, the condition for all lanes, and the condition for
    some lanes, which is None if the guard holds either for all lanes or for none.
    """
    match place:
        case GuardedPlace(Condition(((a, b),)), CellPlace(buffer, index)):
            if lane.upper is None or lane.upper.constant is None:
                return None
            start = lane_index(index, lane) or first_of_neighbours(index, lane, int(lane.upper.constant))
            low = lane_index(a, lane)
            if start is None or low is None or lane in b.free:
                return None
            if is_multiple(b - low, lane.upper, divisors):
                return CellPlace(buffer, start), Condition(((low, b),)), None
            end = b - (lane.upper - 1)
            return CellPlace(buffer, start), Condition(((low, end),)), Condition(((end, low + 1),))
    return None


def share(cx: Context, reader: Reader, t: Type, name: str, path: Path) -> Task[Reader]:
    """A value without arrays for repeated use: compound values become variables, except loads in pairs."""
    if isinstance(t, PairType):
        names = iter(part_names(name or "x", count_leaves(t)))
        shared: Reader = yield _share_parts(cx, reader, t, names, path)
        return shared
    return ScalarReader(cx.define(reader.value, name, path)) if isinstance(reader, ScalarReader) else reader


def _share_parts(cx: Context, reader: Reader, t: Type, names: Iterator[str], path: Path) -> Task[Reader]:
    """The same as `share` for the numbers in nested pairs, each with the next name."""
    match t, reader:
        case PairType(first, second), PairReader(find_first, find_second):
            first_reader: Reader = yield find_first()
            first_reader = yield _share_parts(cx, first_reader, first, names, path)
            second_reader: Reader = yield find_second()
            second_reader = yield _share_parts(cx, second_reader, second, names, path)
            return PairReader(lambda: done(first_reader), lambda: done(second_reader))
        case _:
            name = next(names)
            match reader:
                case ScalarReader(value) if not isinstance(value, Load):
                    return ScalarReader(cx.define(value, name, path))
                case _:
                    return reader


def share_deep(cx: Context, reader: Reader, t: Type, path: Path, name: str = "") -> Task[Reader]:
    """A number for repeated use: the number itself, or a variable if its operations are deeply nested."""
    if isinstance(reader, ScalarReader) and reader.depth >= MIN_SHARED_DEPTH:
        shared: Reader = yield share(cx, reader, t, name or "x", path)
        return shared
    return reader


def copy(cx: Context, reader: Reader, place: Place, t: Type, path: Path) -> Task[None]:
    """Copy a value, element by element."""
    shape = rows(t)
    if isinstance(place, GuardedPlace):
        guarded = place.place
        yield cx.when(place.condition, path, lambda: copy(cx, reader, guarded, t, path))
    elif shape is not None:
        size, inner = shape

        def copy_element(i: Nat) -> Task[None]:
            value: Reader = yield element(reader, i)
            target: Place = yield element_of(place, i)
            yield copy(cx, value, target, inner, path)

        yield cx.loop("seq", cx.measured(size, path), "copy", path, copy_element)
    elif isinstance(t, DepArrayType):
        family = t.family

        def copy_row(i: Nat) -> Task[None]:
            row: Reader = yield element(reader, i)
            row_place: Place = yield element_of(place, i)
            yield copy(cx, row, row_place, cx.measured(type_at(family, i), path), path)

        yield cx.loop("seq", cx.measured(t.size, path), "copy", path, copy_row)
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
    """A scalar operation on values. If it is nested too deeply, it becomes a variable."""
    assert not isinstance(t, IndexType | PairType)
    value_type = t if isinstance(t, VectorType) else scalar_of(t)
    depth = 1 + max((argument.depth for argument in arguments), default=0)
    value: Value = Operation(name, tuple(argument.value for argument in arguments), value_type)
    return nested(cx, value, depth, path)


def nested(cx: Context, value: Value, depth: int, path: Path) -> ScalarReader:
    """A value whose operations are nested `depth` deep, or a variable if that is too deep."""
    if depth < MAX_VALUE_DEPTH or is_atomic(value):
        return ScalarReader(value, depth)
    return ScalarReader(cx.define(value, "x", path))
