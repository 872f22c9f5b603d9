"""Symbolic values to read and places to write, by the structure of their type. Independent of terms and primitives.

An array is a function from an index, which is a natural, to its element. Views compose these functions, so that no
views remain when a scalar is loaded or stored. Finding an element is a task: it may emit statements.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from rise.naturals import Nat
from rise.records import dataclass
from rise.types import ArrayType, Type
from shine.imperative.errors import fail
from shine.imperative.nodes import Buffer, Condition, Constant, Index, Local, Origin, Piece, Value
from shine.translate.trampoline import Task


@dataclass(frozen=True, slots=True, eq=False)
class ScalarReader:
    """A number or a vector. `depth` is the nesting depth of its operations."""

    value: Value
    depth: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class IndexReader:
    """An index."""

    value: Nat


@dataclass(frozen=True, slots=True, eq=False)
class PairReader:
    """Two values, found on demand."""

    first: Callable[[], Task[Reader]]
    second: Callable[[], Task[Reader]]


@dataclass(frozen=True, slots=True, eq=False)
class ArrayReader:
    """An array. `flat` returns the element at a position of the concatenated rows of a dependent array that is stored
    in this way. `numbers` are all of its numbers in row-major order, if they are known.
    """

    element: Callable[[Nat], Task[Reader]]
    flat: Callable[[Nat], Task[Reader]] | None = None
    numbers: tuple[Constant, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class FragmentReader:
    """A fragment, whose layout the hardware determines."""

    piece: Piece


Reader: TypeAlias = ScalarReader | IndexReader | PairReader | ArrayReader | FragmentReader


@dataclass(frozen=True, slots=True, eq=False)
class CellPlace:
    """One scalar, at an index of a buffer."""

    buffer: Buffer
    index: Nat


@dataclass(frozen=True, slots=True, eq=False)
class VectorPlace:
    """The places of a vector's lanes."""

    lane: Callable[[Nat], Task[Place]]


@dataclass(frozen=True, slots=True, eq=False)
class PairPlace:
    """The places of a pair's components."""

    first: Callable[[], Task[Place]]
    second: Callable[[], Task[Place]]


@dataclass(frozen=True, slots=True, eq=False)
class ArrayPlace:
    """The places of an array's elements."""

    element: Callable[[Nat], Task[Place]]


@dataclass(frozen=True, slots=True, eq=False)
class FragmentPlace:
    """A fragment's place."""

    piece: Piece


@dataclass(frozen=True, slots=True, eq=False)
class GuardedPlace:
    """A place that exists only where a condition holds (None: never)."""

    condition: Condition | None
    place: Place


Place: TypeAlias = CellPlace | VectorPlace | PairPlace | ArrayPlace | FragmentPlace | GuardedPlace


def rows(t: Type) -> tuple[Nat, Type] | None:
    """The length and element type of an array."""
    return (t.size, t.element) if isinstance(t, ArrayType) else None


def is_atomic(value: Value) -> bool:
    """Whether a value is simple enough to need no variable."""
    return isinstance(value, Constant | Local | Index)


def element(reader: Reader, index: Nat) -> Task[Reader]:
    """The element of an array."""
    assert isinstance(reader, ArrayReader), reader
    result: Reader = yield reader.element(index)
    return result


def flat_element(reader: Reader, index: Nat, origin: Origin) -> Task[Reader]:
    """The element at a position of the concatenated rows of a dependent array. Raises TranslationError."""
    assert isinstance(reader, ArrayReader), reader
    if reader.flat is None:
        title = "expected rows that are stored one after another, found rows that are computed"
        fail("rows-not-stored", title, "store them first: `toMem(Local)` before `depJoin`", origin)
    result: Reader = yield reader.flat(index)
    return result


def half(reader: Reader, which: int) -> Task[Reader]:
    """The first (0) or second (1) of a pair."""
    assert isinstance(reader, PairReader), reader
    component: Reader = yield (reader.second() if which else reader.first())
    return component


def as_index(reader: Reader) -> Nat:
    """The natural of an index."""
    assert isinstance(reader, IndexReader), reader
    return reader.value
