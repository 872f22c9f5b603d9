"""Translates dependent arrays: loops over rows, and views to and from flat arrays."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from rise.naturals import Nat
from rise.size_functions import SizeFunction, size_sum
from rise.types import Type, type_at
from shine.imperative.accesses import check_nesting
from shine.imperative.nodes import Level, LoopKind
from shine.translate.core import Call, Known, Translation, Translator, read, write
from shine.translate.levels import level_of
from shine.translate.memory import element_of
from shine.translate.patterns import inside
from shine.translate.places import write_views
from shine.translate.trampoline import Task, done
from shine.translate.values import (
    ArrayPlace,
    ArrayReader,
    IndexReader,
    Place,
    Reader,
    element,
    flat_element,
)
from shine.translate.views import natural, read_zip


def write_dep_map(kind: LoopKind) -> Callable[[Translator, Call, Place], Task[None]]:
    """Emit a loop that writes the function of i and row i to row i of the place."""

    def write_loop(tr: Translator, call: Call, place: Place) -> Task[None]:
        function, operand = call.operands
        size, family, result = call.implicits
        assert isinstance(size, Nat) and isinstance(family, Type) and isinstance(result, Type)
        xs: Reader = yield read(tr, operand)

        def write_row(i: Nat) -> Task[None]:
            target: Place = yield element_of(place, i)
            yield inside(tr, target, call.path, lambda cell: fill(cell, i))

        def fill(cell: Place, i: Nat) -> Task[None]:
            x: Reader = yield element(xs, i)
            yield write(tr, cell, function, i, Known(x, tr.measured(type_at(family, i), call.path)))

        loop = yield tr.loop(kind, size, "row", call.path, write_row)
        if loop is not None and (kind == "parallel" or isinstance(kind, Level)):
            check_nesting(loop)

    return write_loop


def write_dep_level(tr: Translator, call: Call, place: Place) -> Task[None]:
    """A loop over a level of the GPU, along the dimension that the program names."""
    yield write_dep_map(level_of(call))(tr, call, place)


def read_index(tr: Translator, call: Call) -> Task[Reader]:
    """A size as a value, such as the index of a loop over rows."""
    return done(IndexReader(natural(call, 0)))


def _lengths(call: Call, position: int) -> SizeFunction:
    lengths = call.implicits[position]
    assert isinstance(lengths, SizeFunction), lengths
    return lengths


def read_dep_join(tr: Translator, call: Call) -> Task[Reader]:
    """Element k of all rows, concatenated."""
    xs: Reader = yield read(tr, call.last)
    return ArrayReader(lambda k: flat_element(xs, k, call.path.origin))


def place_dep_join(tr: Translator, call: Call, place: Place) -> Task[Place]:
    """Element j of row i comes after all elements of the rows before i."""
    lengths = _lengths(call, 1)

    def at(i: Nat) -> Task[Place]:
        start: Nat = tr.measured(size_sum(i, lengths), call.path)
        return done(ArrayPlace(lambda j: element_of(place, start + j)))

    return done(ArrayPlace(at))


def read_partition(tr: Translator, call: Call) -> Task[Reader]:
    """Element j of row i comes after all elements of the rows before i."""
    xs: Reader = yield read(tr, call.last)
    lengths = _lengths(call, 0)

    def at(i: Nat) -> Task[Reader]:
        start: Nat = tr.measured(size_sum(i, lengths), call.path)
        return done(ArrayReader(lambda j: element(xs, start + j)))

    return ArrayReader(at, lambda k: element(xs, k))


def read_dep_slide(tr: Translator, call: Call) -> Task[Reader]:
    """Element j of window i is at i * sp + j."""
    xs: Reader = yield read(tr, call.last)
    step = natural(call, 1)
    return ArrayReader(lambda i: done(ArrayReader(lambda j: element(xs, i * step + j))))


def read_dep_tile(tr: Translator, call: Call) -> Task[Reader]:
    """Element j of tile i is at i * tile + j."""
    xs: Reader = yield read(tr, call.last)
    size = natural(call, 0)
    return ArrayReader(lambda i: done(ArrayReader(lambda j: element(xs, i * size + j))))


_MAP: Final = "(read -> write) -> read -> write"

DEPENDENT: Final = (
    Translation("depMapSeq", _MAP, write=write_dep_map("seq")),
    Translation("depMapPar", _MAP, write=write_dep_map("parallel")),
    Translation("depMapGlobal", _MAP, write=write_dep_level),
    Translation("depMapBlock", _MAP, write=write_dep_level),
    Translation("depMapThreads", _MAP, write=write_dep_level),
    Translation("depMapWarp", _MAP, write=write_dep_level),
    Translation("depMapLane", _MAP, write=write_dep_level),
    Translation("natAsIndex", "read", read=read_index),
    Translation("indexAsNat", "read -> a -> a"),  # a step of `enter`
    # removed before translation: `rise.programs.dependent_pairs`
    Translation("makeDepPair", "a -> a"),
    Translation("dmatch", "read -> (read -> a) -> a"),
    Translation("depZip", "a -> a -> a", read=read_zip, write=write_views),
    Translation("depJoin", "a -> a", read=read_dep_join, place=place_dep_join),
    Translation("partition", "read -> read", read=read_partition),
    Translation("depSlide", "read -> read", read=read_dep_slide),
    Translation("depTile", "read -> read", read=read_dep_tile),
)
