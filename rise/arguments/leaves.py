"""Splits a type into its arrays, each with its shape and numpy type, and reports values that differ from it."""

from __future__ import annotations

from typing import Any

import numpy as np

from rise.arguments.libraries import cast_hint, described
from rise.arguments.library import dtype_text
from rise.arguments.mismatches import found_text, given_number, is_python_number, mismatch, refuse
from rise.arguments.ragged_arrays import halves_of, part_of
from rise.naturals import Nat
from rise.records import dataclass
from rise.scalars import SCALARS
from rise.size_functions import SizeFunction, size_sum
from rise.text.type_printer import brief_type
from rise.types import ArrayType, DepArrayType, IndexType, PairType, ScalarType, Type, VectorType


@dataclass(frozen=True, slots=True)
class Leaf:
    """An array of scalars in a parameter: its shape in sizes, its numpy type; `end` is the exclusive bound of indices.

    `rows` describes the rows of a dependent array, which are concatenated along an axis.
    """

    parameter: str
    type: Type
    shape: tuple[Nat, ...]
    dtype: np.dtype[Any]
    end: Nat | None
    rows: RowsLeaf | None = None


@dataclass(frozen=True, slots=True)
class RowsLeaf:
    """The number of rows, the length of each, and the axis of the flat array along which they are concatenated."""

    count: Nat
    lengths: SizeFunction
    axis: int


def leaves_of(parameter: str, t: Type) -> list[Leaf]:
    """The arrays of a type, in order: an array of pairs is a pair of arrays. Raises RiseError for other types."""
    leaves: list[Leaf] = []
    work: list[tuple[Type, tuple[Nat, ...], RowsLeaf | None]] = [(t, (), None)]
    while work:
        part_type, axes, rows = work.pop()
        match part_type:
            case ArrayType(size, element) | VectorType(size, element):
                work.append((element, (*axes, size), rows))
            case PairType(first, second):
                work += [(second, axes, rows), (first, axes, rows)]
            case ScalarType(name):
                leaves.append(Leaf(parameter, t, axes, SCALARS[name].dtype, None, rows))
            case IndexType(size):
                leaves.append(Leaf(parameter, t, axes, np.dtype(np.int64), size, rows))
            case DepArrayType(size) if rows is None and (halves := halves_of(part_type)) is not None:
                work += [(halves[1], axes, None), (halves[0], axes, None)]
            case DepArrayType(size) if rows is None and (rows_part := part_of(part_type)) is not None:
                total = size_sum(size, rows_part.lengths)
                work.append((rows_part.element, (*axes, total), RowsLeaf(size, rows_part.lengths, len(axes))))
            case _:
                hint = "compile a program whose parameters and result are numbers, vectors, pairs and arrays"
                refuse(
                    "parameter-type",
                    f"`{parameter}`: a kernel cannot take or return {brief_type(part_type)}",
                    hint,
                )
    return leaves


def values_of(parameter: str, t: Type, value: Any) -> list[Any]:
    """The values for the arrays of a type, in order; a pair must be a tuple of two, or of more as `both_of` says."""
    values: list[Any] = []
    work: list[tuple[Type, Any, bool]] = [(t, value, False)]
    while work:
        part_type, part, in_array = work.pop()
        match part_type:
            case ArrayType(_, element) | VectorType(_, element):
                work.append((element, part, True))
            case DepArrayType() if (halves := halves_of(part_type)) is not None:
                if not isinstance(part, tuple) or len(part) != 2:
                    hint = "pass a tuple of two: dependent arrays of pairs are pairs of dependent arrays"
                    mismatch(parameter, t, found_text(part), hint)
                work += [(halves[1], part[1], in_array), (halves[0], part[0], in_array)]
            case PairType(first, second):
                two = both_of(second, part)
                if two is None:
                    arrays = " arrays: an array of pairs is a pair of arrays" if in_array else ""
                    mismatch(parameter, t, found_text(part), f"pass a tuple of two{arrays}")
                work += [(second, two[1], in_array), (first, two[0], in_array)]
            case _:
                values.append(part)
    return values


def both_of(second: Type, value: Any) -> tuple[Any, Any] | None:
    """The parts of a value that is passed as a pair with this second type; None if it is not a pair.

    A tuple of three is the pair of the first and the pair of the others, where that is the type.
    """
    if isinstance(value, tuple) and len(value) > 2 and isinstance(second, PairType):
        return value[0], value[1:]
    return (value[0], value[1]) if isinstance(value, tuple) and len(value) == 2 else None


def tree_of(t: Type, arrays: list[Any]) -> Any:
    """Assemble the arrays of a type: tuples for pairs."""
    rest = iter(arrays)
    trees: list[Any] = []
    work: list[Type | None] = [t]
    while work:
        match work.pop():
            case None:
                second, first = trees.pop(), trees.pop()
                trees.append((first, second))
            case ArrayType(_, element) | VectorType(_, element):
                work.append(element)
            case PairType(first_type, second_type):
                work += [None, second_type, first_type]
            case DepArrayType() as rows if (halves := halves_of(rows)) is not None:
                work += [None, *reversed(halves)]
            case _:
                trees.append(next(rest))
    return trees[0]


def scalar_value(leaf: Leaf, value: Any, given: Any = None) -> Any:
    """Convert a number or an array of a subclass to a plain array. Raises RiseError for anything else. Messages
    describe `given`, the array of another library that the value was read from, if there is one.
    """
    given = value if given is None else given
    if not leaf.shape and is_python_number(value):
        return given_number(leaf.parameter, leaf.type, value, leaf.dtype)
    if isinstance(value, np.ma.MaskedArray):
        mismatch(
            leaf.parameter, leaf.type, "a masked array", "fill it: .filled(...); a mask cannot be passed"
        )
    if not isinstance(value, np.ndarray | np.generic):
        hint = f"pass a numpy array: numpy.asarray(..., dtype={dtype_text(leaf.dtype)})" if leaf.shape else ""
        mismatch(leaf.parameter, leaf.type, found_text(value), hint)
    if value.dtype != leaf.dtype:
        native = value.dtype.newbyteorder("=") == leaf.dtype
        value_text = f"{described(given, value)}{' in non-native byte order' if native else ''}"
        mismatch(leaf.parameter, leaf.type, value_text, cast_hint(given, value.dtype, leaf.dtype))
    if value.ndim != len(leaf.shape):
        axes = "1 axis" if len(leaf.shape) == 1 else f"{len(leaf.shape)} axes"
        mismatch(
            leaf.parameter,
            leaf.type,
            described(given, value),
            f"pass an array with {axes}, or a number" * bool(axes),
        )
    return np.asarray(value)
