"""The layout of values in buffers: one buffer for each array of scalars, row after row. Independent of statements.

A vector is stored as n consecutive scalars, an index as an i64, and a fragment as one element.
"""

from __future__ import annotations

from typing import Final, NoReturn, TypeAlias

from rise.arguments.ragged_arrays import ONE_BOUND, ROW, advice_for_rows, has_one_layout, shown_rows
from rise.naturals import Nat, const, nat
from rise.records import dataclass
from rise.size_functions import SizeFunction, size_map, size_sum
from rise.types import (
    ArrayType,
    DepArrayType,
    FragmentType,
    FunType,
    PairType,
    ScalarType,
    Type,
    VectorType,
    abstract_dependent,
    type_at,
)
from shine.imperative.errors import fail
from shine.imperative.nodes import Buffer, Origin, scalar_of
from shine.translate.values import rows

MAX_ARRAY_RANK: Final = 64
#: for each leaf of a type: its buffer, and the index of an element there, counted in elements of the leaf
Cells: TypeAlias = tuple[tuple[Buffer, Nat], ...]


@dataclass(frozen=True, slots=True)
class Leaf:
    """An array of scalars or fragments in a type: the element type and the number of elements."""

    element: ScalarType | FragmentType
    size: Nat


def leaves_of(t: Type, origin: Origin) -> tuple[Leaf, ...]:
    """The leaves of a type, in order."""
    leaves: list[Leaf] = []
    waiting: list[tuple[Type, Nat, int]] = [(t, const(1), 0)]
    while waiting:
        inner, size, rank = waiting.pop()
        if rank > MAX_ARRAY_RANK:
            fail("too-deep", f"expected arrays of rank {MAX_ARRAY_RANK} at most", "join dimensions", origin)
        match rows(inner), inner:
            case (count, element), _:
                waiting.append((element, size * count, rank + 1))
            case _, PairType(first, second):
                waiting += ((second, size, rank), (first, size, rank))
            case _, DepArrayType(count, family):
                waiting += [
                    (part.element, size * part.total(count), rank + 2)
                    for part in reversed(parts_of(family, origin))
                ]
            case _, VectorType(_, element):
                if not isinstance(element, ScalarType):
                    title = f"expected a vector of numbers, found one of {element}"
                    fail("vector-element", title, "make it an array", origin)
                leaves.append(Leaf(element, size * lanes_of(inner, origin)))
            case _, FragmentType():
                leaves.append(Leaf(inner, size))
            case _:
                leaves.append(Leaf(scalar_of(inner), size))
    return tuple(leaves)


def count_leaves(t: Type) -> int:
    """The number of buffers that a value of the type needs."""
    count = 0
    waiting = [t]
    while waiting:
        inner = waiting.pop()
        match rows(inner), inner:
            case (_, element), _:
                waiting.append(element)
            case _, PairType(first, second):
                waiting += (first, second)
            case _, DepArrayType(_, family):
                waiting += (part.element for part in parts_of(family, ()))
            case _:
                assert not isinstance(inner, FunType), "a function is not stored"
                count += 1
    return count


def lanes_of(t: VectorType, origin: Origin) -> int:
    """The number of scalars in a vector."""
    lanes = t.size.constant
    if lanes is None or lanes < 1:
        title = "expected a vector of a known number of lanes, found a symbolic one"
        fail("vector-width", title, "fix it with rise.specialise", origin)
    return lanes


def inner_cells(cells: Cells, size: Nat, index: Nat) -> Cells:
    """The cells of an array's element."""
    return tuple((buffer, at * size + index) for buffer, at in cells)


@dataclass(frozen=True, slots=True)
class Part:
    """The part of a dependent array in one buffer: `lengths(i)` elements of one type for row i."""

    element: Type
    lengths: SizeFunction

    def total(self, count: Nat) -> Nat:
        """The number of elements in the first `count` rows."""
        return size_sum(count, self.lengths)


def parts_of(family: Type, origin: Origin) -> tuple[Part, ...]:
    """The parts of a dependent array with rows of these types: one for each component of pairs."""
    parts: list[Part] = []
    waiting = [type_at(family, nat(ROW))]
    while waiting:
        match waiting.pop():
            case PairType(first, second):
                waiting += (second, first)
            case t if ROW not in t.free:
                parts.append(Part(t, size_map("i", const(1))))
            case ArrayType(size, element) if has_one_layout(element):
                parts.append(Part(element, size_map("i", abstract_dependent(size, ROW))))
            case t:
                refuse_rows(t, origin)
    return tuple(parts)


def refuse_rows(t: Type, origin: Origin) -> NoReturn:
    """Raise TranslationError for rows that cannot be stored one after another."""
    title = f"expected rows of which only the lengths differ, found {shown_rows(t)}"
    fail("dependent-layout", title, advice_for_rows(t), origin)


def refuse_bounds(t: Type) -> None:
    """Raise TranslationError for an input whose indices have a bound that differs from row to row."""
    waiting = [t]
    while waiting:
        match waiting.pop():
            case ArrayType(_, element):
                waiting.append(element)
            case PairType(first, second):
                waiting += [first, second]
            case DepArrayType(_, family):
                for part in parts_of(family, ()):
                    if ROW in part.element.free:
                        title = f"expected indices with one bound, found rows of {shown_rows(part.element)}"
                        fail("dependent-layout", title, ONE_BOUND, ())
            case _:
                continue
