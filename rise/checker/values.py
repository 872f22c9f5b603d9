"""Denotations of terms for all sizes at once: values over opaque symbols. Independent of primitives and comparisons.

An array is its length and a function from an index to an element; indices and lengths are naturals. What cannot be
computed further is neutral: a symbol, a part of one, an operation, a choice, a fold. Only neutral values have the
types of numbers and of type variables: `reflect` expands all others, so a value of an array type is an `Array`, one of
a pair type a `Pair`; one of a dependent pair type is a `Pair` of an `Index`, its number, and a value.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeAlias

from rise.naturals import Nat, const
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
    """A function of a value, or of a size, a type or a space; `name` is that of its parameter."""

    call: Callable[[Any], Value]
    name: str = "x"


class Array:
    """An array, a vector, or a row of a fragment. An element is computed once in each state of knowledge."""

    __slots__ = ("_compute", "_known", "length")

    def __init__(self, length: Nat, compute: Callable[[Nat], Value]) -> None:
        self.length = length
        self._compute = compute
        self._known: dict[tuple[Nat, int], tuple[Value, Any]] = {}

    def element(self, index: Nat, state: Any) -> Value:
        """The element at an index, as it is computed with what a state knows."""
        key = (index, id(state))
        if key not in self._known:
            self._known[key] = (self._compute(index), state)  # with the state, so that its id stays valid
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
    """A literal: equal if type and bits are."""

    bits: Any
    type: Type


@dataclass(frozen=True, slots=True, eq=False)
class Operation:
    """A primitive that is not taken apart, with its sizes and types, and its operands with their types."""

    name: str
    parameters: tuple[Argument, ...]
    operands: tuple[tuple[Value, Type], ...]


@dataclass(frozen=True, slots=True, eq=False)
class Unspecified:
    """Any value of its type; it may differ each time it is read."""


@dataclass(frozen=True, slots=True, eq=False)
class Choice:
    """One of two values, by a condition."""

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
NEUTRAL: Final = (Symbol, Element, Half, Call, Number, Operation, Unspecified, Choice, Fold)


def elements_of(t: Type) -> tuple[Nat, Callable[[Nat], Type]] | None:
    """The length, and the type of the element at each index, of an array, a vector or a fragment."""
    match t:
        case ArrayType(size, element) | VectorType(size, element):
            return size, lambda i: element
        case DepArrayType(size, family):
            return size, lambda i: type_at(family, i)
        case FragmentType(rows, columns, _, element, _, _):
            return rows, lambda i: ArrayType(columns, element)
    return None


def halves_of(t: Type | None, pair: Pair) -> tuple[Type | None, Type] | None:
    """The types of the halves of a pair; the number of a dependent one has none."""
    match t:
        case PairType(first, second):
            return first, second
        case DepPairType(family):
            return None, type_at(family, pair.first.nat)
    return None


def array_form(t: Type) -> Type:
    """The type with arrays instead of vectors and fragments: equal for values of the same form."""
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
