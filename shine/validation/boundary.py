"""The parameters and the result of a procedure, as values of the checker and as buffers of their numbers.

Independent of statements.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias

from rise.checker.state import State
from rise.checker.values import Array, Pair, Value
from rise.naturals import Nat, const
from rise.text.type_printer import brief_type
from rise.types import ArrayType, IndexType, PairType, ScalarType, Type, VectorType
from shine.validation.quotients import quotient

Indices: TypeAlias = "tuple[Nat, ...]"
Read: TypeAlias = Callable[[Indices], Value]


class UnsupportedError(Exception):
    """A part of a program whose value is not known: what it is."""


def flattened(state: State, value: Value, t: Type) -> list[Array]:
    """The buffers that contain a value: the numbers of each array of numbers in it, row after row."""
    return [_flat(state, shape, read) for shape, read in _arrays(state, t, (), lambda _: value)]


def _arrays(state: State, t: Type, shape: Indices, read: Read) -> Iterator[tuple[Indices, Read]]:
    """The arrays of numbers of a type, each with its shape, and with its number at given indices."""
    match t:
        case ArrayType(size, element) | VectorType(size, element):
            yield from _arrays(
                state, element, (*shape, size), lambda at: state.element(read(at[:-1]), at[-1])
            )
        case PairType(first, second):
            yield from _arrays(state, first, shape, lambda at: read(at).first)
            yield from _arrays(state, second, shape, lambda at: read(at).second)
        case ScalarType() | IndexType():
            yield shape, read
        case _:
            raise UnsupportedError(f"a value of type {brief_type(t)}")


def _flat(state: State, shape: Indices, read: Read) -> Array:
    length = const(1)
    for size in shape:
        length = length * size

    def element(address: Nat) -> Value:
        indices: Indices = ()
        for size in reversed(shape[1:]):
            row = quotient(state, address, size)
            indices, address = (address - size * row, *indices), row
        return read((address, *indices)) if shape else read(())

    return Array(length, element)


def assembled(state: State, t: Type, buffers: Sequence[Array]) -> Value:
    """The value of a type whose numbers are in these buffers."""
    rest = iter(buffers)

    def made(t: Type, shape: Indices) -> Read:
        match t:
            case ArrayType(size, element) | VectorType(size, element):
                inner = made(element, (*shape, size))
                return lambda at: Array(size, lambda i: inner((*at, i)))
            case PairType(first, second):
                left, right = made(first, shape), made(second, shape)
                return lambda at: Pair(left(at), right(at))
            case ScalarType() | IndexType():
                buffer = next(rest)
                return lambda at: state.element(buffer, _address(shape, at))
        raise UnsupportedError(f"a result of type {brief_type(t)}")

    return made(t, ())(())


def _address(shape: Indices, indices: Indices) -> Nat:
    address = const(0)
    for size, index in zip(shape, indices, strict=True):
        address = address * size + index
    return address
