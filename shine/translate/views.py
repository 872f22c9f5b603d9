"""Translates the views of arrays and pairs, which compose functions of indices. Independent of loops."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from rise.naturals import Nat, const
from rise.quotients import floor_quotient, remainder
from rise.types import ArrayType, IndexType, PairType, Type
from shine.translate.core import Call, Known, Translation, Translator, read, write
from shine.translate.guards import choose, condition, element_or_zero
from shine.translate.literal_arrays import read_array
from shine.translate.loop_states import write_part
from shine.translate.memory import half_of
from shine.translate.places import place_view, write_views
from shine.translate.trampoline import Task, done
from shine.translate.values import (
    ArrayReader,
    IndexReader,
    PairReader,
    Place,
    Reader,
    as_index,
    element,
    half,
)

Along = Callable[[Call, Nat], Nat]


def array_of(t: Type) -> ArrayType:
    """The type of an array."""
    assert isinstance(t, ArrayType), t
    return t


def read_same(tr: Translator, call: Call) -> Task[Reader]:
    """The argument itself."""
    reader: Reader = yield read(tr, call.last)
    return reader


def read_pair(tr: Translator, call: Call) -> Task[Reader]:
    """Both components, on demand."""
    first, second = call.operands
    return done(PairReader(lambda: read(tr, first), lambda: read(tr, second)))


def read_half(which: int) -> Callable[[Translator, Call], Task[Reader]]:
    """`fst` and `snd`."""

    def part(tr: Translator, call: Call) -> Task[Reader]:
        pair: Reader = yield read(tr, call.last)
        component: Reader = yield half(pair, which)
        return component

    return part


def halves(tr: Translator, call: Call) -> Task[tuple[Known, Known]]:
    """The components of a pair that is read once."""
    pair: Reader = yield read(tr, call.last)
    pair_type = call.parameters[-1]
    assert isinstance(pair_type, PairType), pair_type
    first: Reader = yield half(pair, 0)
    second: Reader = yield half(pair, 1)
    return Known(first, pair_type.first), Known(second, pair_type.second)


def read_mapped_half(which: int) -> Callable[[Translator, Call], Task[Reader]]:
    """`mapFst` and `mapSnd`: a function of one component; the other one is unchanged."""

    def mapped(tr: Translator, call: Call) -> Task[Reader]:
        both: tuple[Known, Known] = yield halves(tr, call)
        result: Reader = yield read(tr, call.operands[0], both[which])
        first, second = (both[0].reader, result) if which else (result, both[1].reader)
        return PairReader(lambda: done(first), lambda: done(second))

    return mapped


def write_mapped_half(which: int) -> Callable[[Translator, Call, Place], Task[None]]:
    """`mapFst` and `mapSnd`: one component is the function's result, the other one is copied."""

    def mapped(tr: Translator, call: Call, place: Place) -> Task[None]:
        both: tuple[Known, Known] = yield halves(tr, call)
        for component in (0, 1):
            target: Place = yield half_of(place, component)
            if component == which:
                yield write(tr, target, call.operands[0], both[component])
            else:
                yield write(tr, target, both[component])

    return mapped


def read_zip(tr: Translator, call: Call) -> Task[Reader]:
    """Pairs of the elements, or of the rows of dependent arrays, at one index."""
    first: Reader = yield read(tr, call.operands[0])
    second: Reader = yield read(tr, call.operands[1])
    return ArrayReader(lambda i: done(PairReader(lambda: element(first, i), lambda: element(second, i))))


def read_unzip(tr: Translator, call: Call) -> Task[Reader]:
    """The arrays of the first and of the second components."""
    xs: Reader = yield read(tr, call.last)

    def at(i: Nat, which: int) -> Task[Reader]:
        pair: Reader = yield element(xs, i)
        component: Reader = yield half(pair, which)
        return component

    return PairReader(
        lambda: done(ArrayReader(lambda i: at(i, 0))), lambda: done(ArrayReader(lambda i: at(i, 1)))
    )


def along(index: Along) -> Callable[[Translator, Call], Task[Reader]]:
    """A view whose element i is the argument's element `index(call, i)`."""

    def read_along(tr: Translator, call: Call) -> Task[Reader]:
        xs: Reader = yield read(tr, call.last)
        return ArrayReader(lambda i: element(xs, index(call, i)))

    return read_along


def rows_of(index: Callable[[Call, Nat, Nat], Nat]) -> Callable[[Translator, Call], Task[Reader]]:
    """A view whose element j of row i is the argument's element `index(call, i, j)`."""

    def read_rows(tr: Translator, call: Call) -> Task[Reader]:
        xs: Reader = yield read(tr, call.last)
        return ArrayReader(lambda i: done(ArrayReader(lambda j: element(xs, index(call, i, j)))))

    return read_rows


def natural(call: Call, position: int) -> Nat:
    """An explicit natural argument."""
    argument = call.dependent[position]
    assert isinstance(argument, Nat), argument
    return argument


def _divisor(width: Nat) -> Nat:
    """The divisor that gives the row of an index: the length of rows, or 1 for empty rows, to avoid a
    division by zero.
    """
    return const(1) if width.constant == 0 else width


def read_join(tr: Translator, call: Call) -> Task[Reader]:
    """Element k is in row k / m."""
    xs: Reader = yield read(tr, call.last)
    m = _divisor(_width(call))

    def at(k: Nat) -> Task[Reader]:
        row: Reader = yield element(xs, floor_quotient(k, m))
        value: Reader = yield element(row, remainder(k, m))
        return value

    return ArrayReader(at)


def _width(call: Call) -> Nat:
    return array_of(array_of(call.parameters[-1]).element).size


def read_transpose(tr: Translator, call: Call) -> Task[Reader]:
    """Element j of row i is element i of row j."""
    xs: Reader = yield read(tr, call.last)

    def at(i: Nat, j: Nat) -> Task[Reader]:
        row: Reader = yield element(xs, j)
        value: Reader = yield element(row, i)
        return value

    return ArrayReader(lambda i: done(ArrayReader(lambda j: at(i, j))))


def read_concat(tr: Translator, call: Call) -> Task[Reader]:
    """The elements of the first array, then those of the second."""
    first: Reader = yield read(tr, call.operands[0])
    second: Reader = yield read(tr, call.operands[1])
    n, t = array_of(call.parameters[0]).size, array_of(call.type).element
    return ArrayReader(
        lambda i: choose(
            tr, t, condition((i, n)), lambda: element(first, i), lambda: element(second, i - n), call.path
        )
    )


def read_generate(tr: Translator, call: Call) -> Task[Reader]:
    """The function at an index."""
    array = array_of(call.type)
    function = call.last
    from_index = IndexType(array.size)
    return done(ArrayReader(lambda i: read(tr, function, Known(IndexReader(i), from_index))))


def read_element(tr: Translator, call: Call) -> Task[Reader]:
    """The element at an index."""
    index: Reader = yield read(tr, call.operands[0])
    source: Reader = yield read(tr, call.operands[1])
    array = array_of(call.parameters[1])
    value: Reader = yield element_or_zero(tr, source, array, as_index(index), call.path)
    return value


def read_from_end(tr: Translator, call: Call) -> Task[Reader]:
    """The index counted from the end."""
    index: Reader = yield read(tr, call.operands[0])
    assert isinstance(call.type, IndexType), call.type
    return IndexReader(call.type.size - 1 - as_index(index))


def read_gather(tr: Translator, call: Call) -> Task[Reader]:
    """The element at an index that is read from another array."""
    indices: Reader = yield read(tr, call.operands[0])
    xs: Reader = yield read(tr, call.operands[1])
    array = array_of(call.parameters[1])

    def at(i: Nat) -> Task[Reader]:
        index: Reader = yield element(indices, i)
        value: Reader = yield element_or_zero(tr, xs, array, as_index(index), call.path)
        return value

    return ArrayReader(at)


def _split_index(call: Call, i: Nat, j: Nat) -> Nat:
    return i * natural(call, 0) + j


def _slide_index(call: Call, i: Nat, j: Nat) -> Nat:
    return i * natural(call, 1) + j


PAIRS: Final = (
    Translation("id", "a -> a", read=read_same, place=place_view),
    Translation("recompute", "a -> a", read=read_same, place=place_view),
    Translation("pair", "a -> a -> a", read=read_pair, write=write_views),
    Translation("fst", "read -> a", read=read_half(0), write=write_part(0)),
    Translation("snd", "read -> a", read=read_half(1), write=write_part(1)),
    Translation("mapFst", "(read -> a) -> read -> a", read=read_mapped_half(0), write=write_mapped_half(0)),
    Translation("mapSnd", "(read -> a) -> read -> a", read=read_mapped_half(1), write=write_mapped_half(1)),
    Translation("zip", "a -> a -> a", read=read_zip, write=write_views),
    Translation("unzip", "a -> a", read=read_unzip, place=place_view),
)

SHAPES: Final = (
    Translation("split", "a -> a", read=rows_of(_split_index), place=place_view),
    Translation("join", "a -> a", read=read_join, place=place_view),
    Translation("transpose", "a -> a", read=read_transpose, place=place_view),
    Translation("slide", "read -> read", read=rows_of(_slide_index)),
    Translation("take", "a -> a", read=along(lambda call, i: i), place=place_view),
    Translation("drop", "a -> a", read=along(lambda call, i: i + natural(call, 0)), place=place_view),
    Translation("concat", "a -> a -> a", read=read_concat, write=write_views),
)

INDEXING: Final = (
    Translation("generate", "(read -> read) -> read", read=read_generate),
    Translation("makeArray", "a -> a", read=read_array, write=write_views),
    Translation("idx", "read -> read -> read", read=read_element),
    Translation("fromEnd", "read -> read", read=read_from_end),
    Translation("gather", "read -> read -> read", read=read_gather),
)
