"""Values as they are read and places as they are written, in the shape of a type. Knows no terms and no
primitive.

Both are symbolic: the element of an array is found for an index, which is a natural. Views compose these
functions, so that no view is left when a scalar is loaded or stored. Finding an element is a task: it may
emit statements.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from rise.naturals import Nat
from rise.types import ArrayType, Type
from shine.imperative.errors import fail
from shine.imperative.nodes import Buffer, Condition, Constant, Index, Local, Origin, Piece, Value
from shine.translate.trampoline import Task


@dataclass(frozen=True, slots=True, eq=False)
class ScalarReader:
    """A number or a vector. `depth` is how deep its operations are nested."""

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
    """An array; `flat` is the element at a position of all rows of a dependent one, behind each other, if known."""

    element: Callable[[Nat], Task[Reader]]
    flat: Callable[[Nat], Task[Reader]] | None = None


@dataclass(frozen=True, slots=True, eq=False)
class FragmentReader:
    """A fragment: its numbers are where the machine wants them."""

    piece: Piece


Reader: TypeAlias = ScalarReader | IndexReader | PairReader | ArrayReader | FragmentReader


@dataclass(frozen=True, slots=True, eq=False)
class CellPlace:
    """One scalar, at an index of a buffer."""

    buffer: Buffer
    index: Nat


@dataclass(frozen=True, slots=True, eq=False)
class VectorPlace:
    """A vector, by where each of its lanes is."""

    lane: Callable[[Nat], Task[Place]]


@dataclass(frozen=True, slots=True, eq=False)
class PairPlace:
    """Where the halves of a pair are written."""

    first: Callable[[], Task[Place]]
    second: Callable[[], Task[Place]]


@dataclass(frozen=True, slots=True, eq=False)
class ArrayPlace:
    """Where the elements of an array are written."""

    element: Callable[[Nat], Task[Place]]


@dataclass(frozen=True, slots=True, eq=False)
class FragmentPlace:
    """Where a fragment is kept."""

    piece: Piece


@dataclass(frozen=True, slots=True, eq=False)
class GuardedPlace:
    """A place that exists only where a condition holds (None: nowhere)."""

    condition: Condition | None
    place: Place


Place: TypeAlias = CellPlace | VectorPlace | PairPlace | ArrayPlace | FragmentPlace | GuardedPlace


def rows(t: Type) -> tuple[Nat, Type] | None:
    """The length and element type of an array."""
    return (t.size, t.element) if isinstance(t, ArrayType) else None


def is_atomic(value: Value) -> bool:
    """Whether a value may be written down twice."""
    return isinstance(value, Constant | Local | Index)


def element(reader: Reader, index: Nat) -> Task[Reader]:
    """The element of an array."""
    assert isinstance(reader, ArrayReader), reader
    found: Reader = yield reader.element(index)
    return found


def flat_element(reader: Reader, index: Nat, origin: Origin) -> Task[Reader]:
    """The element at a position of the rows of a dependent array, behind each other."""
    assert isinstance(reader, ArrayReader), reader
    if reader.flat is None:
        title = "expected rows that lie in memory behind each other, found rows that are computed"
        fail("rows-not-stored", title, "store them first: `toMem(Local)` before `depJoin`", origin)
    found: Reader = yield reader.flat(index)
    return found


def half(reader: Reader, which: int) -> Task[Reader]:
    """The first (0) or second (1) of a pair."""
    assert isinstance(reader, PairReader), reader
    found: Reader = yield (reader.second() if which else reader.first())
    return found


def as_index(reader: Reader) -> Nat:
    """The natural that an index is."""
    assert isinstance(reader, IndexReader), reader
    return reader.value
