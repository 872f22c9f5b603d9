"""Denotations of terms for all sizes at once: values over opaque symbols. Independent of primitives and comparisons.

An array consists of its length and a function from an index to an element; indices and lengths are naturals. Values
that cannot be computed further are neutral: a symbol, a part of a symbol, an operation, a choice, a fold. Neutral
values only have the types of numbers and type variables: `reflect` expands all others, so a value of an array type is
an `Array`, and a value of a pair type is a `Pair`; a value of a dependent pair type is a `Pair` of an `Index`, its
number, and a value.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from rise.naturals import Nat, NatVar, const
from rise.records import dataclass
from rise.types import (
    Argument,
    ArrayType,
    DepArrayType,
    DepPairType,
    FragmentType,
    FunType,
    PairType,
    Type,
    VectorType,
    type_at,
)

Value: TypeAlias = Any  # one of the classes below


@dataclass(frozen=True, slots=True, eq=False)
class Pair:
    """A pair of values."""

    first: Value
    second: Value


@dataclass(frozen=True, slots=True, eq=False)
class Index:
    """A value of an index type."""

    nat: Nat


@dataclass(frozen=True, slots=True, eq=False)
class Function:
    """A function of a value, or of a size, a type or a space; `name` is the name of its parameter."""

    call: Callable[[Any], Value]
    name: str = "x"


class Array:
    """An array, a vector, or a row of a fragment. Each element is computed once for each state of what is known."""

    __slots__ = ("_compute", "_known", "length")

    def __init__(self, length: Nat, compute: Callable[[Nat], Value]) -> None:
        self.length = length
        self._compute = compute
        self._known: dict[tuple[Nat, int], tuple[Value, Any]] = {}

    def element(self, index: Nat, state: Any) -> Value:
        """The element at an index, computed with the facts that are known."""
        key = (index, id(state))
        if key not in self._known:
            self._known[key] = (self._compute(index), state)  # keeps the state alive, for its id
        return self._known[key][0]


@dataclass(frozen=True, slots=True, eq=False)
class Symbol:
    """An opaque value: an input, or the variable of a function."""

    name: str


@dataclass(frozen=True, slots=True, eq=False)
class Element:
    """An element of an opaque array."""

    of: Value
    index: Nat


@dataclass(frozen=True, slots=True, eq=False)
class Half:
    """The first (0) or second (1) half of an opaque pair."""

    of: Value
    which: int


@dataclass(frozen=True, slots=True, eq=False)
class Call:
    """An opaque function applied to a value of a type, or, if the type is None, to a size, a type or a space."""

    of: Value
    argument: Any
    type: Type | None


@dataclass(frozen=True, slots=True, eq=False)
class Number:
    """A literal. Literals are equal if their types and bits are."""

    bits: Any
    type: Type


@dataclass(frozen=True, slots=True, eq=False)
class Operation:
    """An opaque primitive, with its sizes and types, and its operands with their types."""

    name: str
    parameters: tuple[Argument, ...]
    operands: tuple[tuple[Value, Type], ...]


@dataclass(frozen=True, slots=True, eq=False)
class Unspecified:
    """Any value of its type; it may differ each time it is read."""


@dataclass(frozen=True, slots=True, eq=False)
class Choice:
    """One of two values, chosen by a condition."""

    condition: Condition
    yes: Callable[[], Value]
    no: Callable[[], Value]


@dataclass(frozen=True, slots=True, eq=False)
class Fold:
    """A start value to which `step(accumulator, index)` is applied for all indices below a length, in order."""

    length: Nat
    step: Callable[[Value, Nat], Value]
    start: Value
    type: Type


@dataclass(frozen=True, slots=True)
class Less:
    """A condition: one natural is less than another."""

    left: Nat
    right: Nat


@dataclass(frozen=True, slots=True)
class Equal:
    """A condition: two naturals are equal."""

    left: Nat
    right: Nat


@dataclass(frozen=True, slots=True)
class Holds:
    """A condition: a truth value, which is neutral."""

    value: Value


Condition: TypeAlias = Less | Equal | Holds


@dataclass(frozen=True, slots=True, eq=False)
class Box:
    """The items of a sum at all indices below these lengths."""

    lengths: tuple[Nat, ...]
    items: Callable[..., list[Item]]


Item: TypeAlias = "Value | Box"


def elements_of(t: Type) -> tuple[Nat, Callable[[Nat], Type]] | None:
    """The length, and the type of the element at each index, of an array, a vector or a fragment; or None."""
    match t:
        case ArrayType(size, element) | VectorType(size, element):
            return size, lambda i: element
        case DepArrayType(size, family):
            return size, lambda i: type_at(family, i)
        case FragmentType(rows, columns, _, element, _, _):
            return rows, lambda i: ArrayType(columns, element)
    return None


def halves_of(t: Type | None, pair: Pair) -> tuple[Type | None, Type] | None:
    """The types of the halves of a pair; the number of a dependent pair has no type. None for other types."""
    match t:
        case PairType(first, second):
            return first, second
        case DepPairType(family):
            return None, type_at(family, pair.first.nat)
    return None


def array_form(t: Type) -> Type:
    """The type with arrays instead of vectors and fragments: types of values of the same form are equal."""
    match t:
        case ArrayType() | VectorType() | FragmentType():
            array = elements_of(t)
            assert array is not None, t
            return ArrayType(array[0], array_form(array[1](const(0))))
        case PairType(first, second):
            return PairType(array_form(first), array_form(second))
        case FunType(parameter, result):
            return FunType(array_form(parameter), array_form(result))
    return t


def variable_of(index: Nat) -> NatVar:
    """The variable that an index is."""
    ((((variable, _),), _),) = index.terms
    assert isinstance(variable, NatVar), index
    return variable


def is_free_of(a: Nat, indices: Sequence[Nat]) -> bool:
    """Whether a natural depends on none of these indices."""
    return all(variable_of(k) not in a.free for k in indices)
