"""How values lie in buffers: one buffer for each array of scalars, rows one behind the other. Knows no
statements.

A vector is n scalars in a row; an index is an i64; a fragment is one element.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, TypeAlias

from rise.naturals import Nat, const
from rise.types import FragmentType, FunType, PairType, ScalarType, Type, VectorType
from shine.imperative import Buffer, Origin
from shine.translate.errors import fail
from shine.translate.values import rows, scalar_of

HIGHEST_RANK: Final = 64
#: for each leaf of a type: its buffer, and the index of an element there, counted in elements of the leaf
Cells: TypeAlias = tuple[tuple[Buffer, Nat], ...]


@dataclass(frozen=True, slots=True)
class Leaf:
    """An array of scalars or fragments in a type: what it holds, and how many."""

    element: ScalarType | FragmentType
    size: Nat


def leaves_of(t: Type, origin: Origin) -> tuple[Leaf, ...]:
    """The leaves of a type, in order."""
    found: list[Leaf] = []
    waiting: list[tuple[Type, Nat, int]] = [(t, const(1), 0)]
    while waiting:
        inner, size, rank = waiting.pop()
        if rank > HIGHEST_RANK:
            fail("too-deep", f"expected arrays of rank {HIGHEST_RANK} at most", "join dimensions", origin)
        match rows(inner), inner:
            case (count, element), _:
                waiting.append((element, size * count, rank + 1))
            case _, PairType(first, second):
                waiting += ((second, size, rank), (first, size, rank))
            case _, VectorType(_, element):
                if not isinstance(element, ScalarType):
                    title = f"expected a vector of numbers, found one of {element}"
                    fail("vector-element", title, "make it an array", origin)
                found.append(Leaf(element, size * lanes_of(inner, origin)))
            case _, FragmentType():
                found.append(Leaf(inner, size))
            case _:
                found.append(Leaf(scalar_of(inner), size))
    return tuple(found)


def count_leaves(t: Type) -> int:
    """How many buffers a value of the type needs."""
    count = 0
    waiting = [t]
    while waiting:
        inner = waiting.pop()
        match rows(inner), inner:
            case (_, element), _:
                waiting.append(element)
            case _, PairType(first, second):
                waiting += (first, second)
            case _:
                assert not isinstance(inner, FunType), "a function is not stored"
                count += 1
    return count


def lanes_of(t: VectorType, origin: Origin) -> int:
    """How many scalars a vector has."""
    known = t.size.constant
    if known is None or known < 1:
        title = "expected a vector of a known number of lanes, found a symbolic one"
        fail("vector-width", title, "fix it with rise.specialise", origin)
    return known


def inner_cells(cells: Cells, size: Nat, index: Nat) -> Cells:
    """The cells of an array's element."""
    return tuple((buffer, at * size + index) for buffer, at in cells)
