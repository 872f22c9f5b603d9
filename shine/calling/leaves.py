"""The arrays in a type of values: for each, its shape and numpy type; what is said where a value differs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from rise.arguments.mismatches import found_text, given_number, is_python_number, mismatch, refuse
from rise.arguments.ragged import halves_of, part_of
from rise.naturals import Nat
from rise.scalars import SCALARS
from rise.size_functions import SizeFunction, size_sum
from rise.text.type_printer import brief_type
from rise.types import ArrayType, DepArrayType, IndexType, PairType, ScalarType, Type, VectorType


@dataclass(frozen=True, slots=True)
class Leaf:
    """An array of scalars in a parameter: its shape in sizes, its numpy type; `end` bounds indices.

    `rows` says of the rows of a dependent array, which lie behind each other along an axis, what makes them.
    """

    parameter: str
    type: Type
    shape: tuple[Nat, ...]
    dtype: np.dtype[Any]
    end: Nat | None
    rows: RowsLeaf | None = None


@dataclass(frozen=True, slots=True)
class RowsLeaf:
    """How many rows there are, how long each is, and along which axis of the flat array they lie."""

    count: Nat
    lengths: SizeFunction
    axis: int


def leaves_of(parameter: str, t: Type) -> list[Leaf]:
    """The arrays of a type, in order: an array of pairs is a pair of arrays."""
    found: list[Leaf] = []
    work: list[tuple[Type, tuple[Nat, ...], RowsLeaf | None]] = [(t, (), None)]
    while work:
        one, axes, rows = work.pop()
        match one:
            case ArrayType(size, element) | VectorType(size, element):
                work.append((element, (*axes, size), rows))
            case PairType(first, second):
                work += [(second, axes, rows), (first, axes, rows)]
            case ScalarType(name):
                found.append(Leaf(parameter, t, axes, SCALARS[name].dtype, None, rows))
            case IndexType(size):
                found.append(Leaf(parameter, t, axes, np.dtype(np.int64), size, rows))
            case DepArrayType(size) if rows is None and (halves := halves_of(one)) is not None:
                work += [(halves[1], axes, None), (halves[0], axes, None)]
            case DepArrayType(size) if rows is None and (part := part_of(one)) is not None:
                total = size_sum(size, part.lengths)
                work.append((part.element, (*axes, total), RowsLeaf(size, part.lengths, len(axes))))
            case _:
                hint = "compile a program whose parameters and result are numbers, vectors, pairs and arrays"
                refuse(
                    "parameter-type", f"`{parameter}`: a kernel cannot take or give {brief_type(one)}", hint
                )
    return found


def values_of(parameter: str, t: Type, value: Any) -> list[Any]:
    """The values for the arrays of a type, in order; a pair must be a tuple of two."""
    found: list[Any] = []
    work: list[tuple[Type, Any, bool]] = [(t, value, False)]
    while work:
        one, here, in_array = work.pop()
        match one:
            case ArrayType(_, element) | VectorType(_, element):
                work.append((element, here, True))
            case DepArrayType() if (halves := halves_of(one)) is not None:
                if not isinstance(here, tuple) or len(here) != 2:
                    hint = "give a tuple of two: dependent arrays of pairs are pairs of dependent arrays"
                    mismatch(parameter, t, found_text(here), hint)
                work += [(halves[1], here[1], in_array), (halves[0], here[0], in_array)]
            case PairType(first, second):
                if not isinstance(here, tuple) or len(here) != 2:
                    arrays = " arrays: an array of pairs is a pair of arrays" if in_array else ""
                    mismatch(parameter, t, found_text(here), f"give a tuple of two{arrays}")
                work += [(second, here[1], in_array), (first, here[0], in_array)]
            case _:
                found.append(here)
    return found


def tree_of(t: Type, arrays: list[Any]) -> Any:
    """The arrays of a type put together: tuples for pairs."""
    rest = iter(arrays)
    done: list[Any] = []
    work: list[Type | None] = [t]
    while work:
        match work.pop():
            case None:
                second, first = done.pop(), done.pop()
                done.append((first, second))
            case ArrayType(_, element) | VectorType(_, element):
                work.append(element)
            case PairType(first_type, second_type):
                work += [None, second_type, first_type]
            case DepArrayType() as rows if (halves := halves_of(rows)) is not None:
                work += [None, *reversed(halves)]
            case _:
                done.append(next(rest))
    return done[0]


def scalar_value(leaf: Leaf, value: Any) -> Any:
    """A value that is no plain array: a number, or an array of a subclass; anything else is refused."""
    if not leaf.shape and is_python_number(value):
        return given_number(leaf.parameter, leaf.type, value, leaf.dtype)
    if isinstance(value, np.ma.MaskedArray):
        mismatch(
            leaf.parameter, leaf.type, "a masked array", "fill it: .filled(...); a mask cannot be passed"
        )
    if not isinstance(value, np.ndarray | np.generic):
        hint = f"give a numpy array: numpy.asarray(..., dtype={leaf.dtype.name!r})" if leaf.shape else ""
        mismatch(leaf.parameter, leaf.type, found_text(value), hint)
    if value.dtype != leaf.dtype:
        native = value.dtype.newbyteorder("=") == leaf.dtype
        mend = f".astype({leaf.dtype.name!r})"
        hint = f"convert it: {mend}; nothing is converted silently"
        found = f"{found_text(value)}{' in foreign byte order' if native else ''}"
        mismatch(leaf.parameter, leaf.type, found, hint)
    if value.ndim != len(leaf.shape):
        axes = "1 axis" if len(leaf.shape) == 1 else f"{len(leaf.shape)} axes"
        mismatch(
            leaf.parameter,
            leaf.type,
            found_text(value),
            f"give an array with {axes}, or a number" * bool(axes),
        )
    return np.asarray(value)
