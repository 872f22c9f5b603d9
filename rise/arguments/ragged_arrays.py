"""Rows of different lengths as callers pass and receive them, and their layout by type.

Depends on types and numpy, but not on terms. The rows of a dependent array are stored one after the other in a flat
array; a dependent array of pairs is a pair of these.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from rise.arguments.mismatches import found_text, refuse
from rise.diagnostics import bytes_text, number_text
from rise.natural_values import evaluate_natural, substitute_naturals
from rise.naturals import Nat, NatVar, nat
from rise.records import dataclass
from rise.size_functions import (
    SizeFunction,
    SizeFunVar,
    SizeMap,
    SizeTable,
    size_at,
    size_map,
    values_of,
)
from rise.text.type_printer import brief_type
from rise.types import (
    ArrayType,
    DepArrayType,
    IndexType,
    PairType,
    Type,
    VectorType,
    abstract_dependent,
    dependent_array,
    type_at,
    type_family,
)
from rise.values import check_room

#: the row in the type of a row
ROW: Final = NatVar("%row", None)
#: what to do about inputs whose indices have a bound for each row, which is not checked
ONE_BOUND: Final = "pass indices below one size, or numbers"


@dataclass(frozen=True, slots=True, eq=False)
class Ragged:
    """Concatenated rows: `values` has the elements of all rows, `lengths` the length of each row.

    >>> [row.tolist() for row in Ragged(np.arange(4), [3, 0, 1])]
    [[0, 1, 2], [], [3]]
    """

    values: Any
    lengths: Any

    def __post_init__(self) -> None:
        is_array = hasattr(self.values, "__len__") and getattr(self.values, "ndim", 1) > 0
        if not is_array or isinstance(self.values, list | tuple | str):
            title = f"expected the values of all rows in one array, found {found_text(self.values)}"
            refuse("argument-type", title, "pass a numpy array: numpy.concatenate(rows)")
        lengths = np.asarray(self.lengths)
        if (
            lengths.ndim != 1
            or (lengths.dtype.kind not in "iu" and lengths.size)
            or (lengths.size and lengths.min() < 0)
        ):
            problem = (
                f"{lengths.min()} among them"
                if lengths.dtype.kind in "iu" and lengths.ndim == 1
                else found_text(lengths)
            )
            title = f"expected the lengths of rows, integers >= 0, found {problem}"
            refuse("ragged-lengths", title, "pass one length for each row")
        total, count = sum(lengths.tolist()), len(self.values)  # exact
        if total != count:
            title = f"expected lengths of rows that add up to {count} elements, found lengths that add up to {total}"
            refuse(
                "ragged-lengths",
                title,
                "pass one length for each row; from row pointers: numpy.diff(pointers)",
            )
        object.__setattr__(self, "lengths", lengths.astype(np.int64))

    @property
    def offsets(self) -> NDArray[np.int64]:
        """The start of each row, and the end of the last one."""
        return np.concatenate((np.zeros(1, np.int64), np.cumsum(self.lengths, dtype=np.int64)))

    def __len__(self) -> int:
        return len(self.lengths)

    def __iter__(self) -> Any:
        return iter(rows_in(self.values, self.lengths))


def rows_in(values: Any, lengths: Any, axis: int = 0) -> list[Any]:
    """The rows of an array that is cut along an axis."""
    starts = [0, *np.cumsum(np.asarray(lengths, np.int64)).tolist()]
    if axis == 0:  # there may be many
        return [values[start:end] for start, end in pairwise(starts)]
    before = (slice(None),) * axis
    return [values[(*before, slice(start, end))] for start, end in pairwise(starts)]


def joined_rows(rows: Sequence[Any], dtype: np.dtype[Any], rank: int, axis: int) -> tuple[Any, Any] | None:
    """Separate rows joined along an axis, and their lengths; None if they do not fit together."""
    arrays = [_array(row) for row in rows]
    if any(a.dtype != dtype or a.ndim != rank for a in arrays):
        return None
    if any(_without(a.shape, axis) != _without(arrays[0].shape, axis) for a in arrays):
        return None
    if not arrays:
        return np.empty((0,) * rank, dtype), np.zeros(0, np.int64)
    return np.concatenate(arrays, axis), np.array([a.shape[axis] for a in arrays], np.int64)


def _array(row: Any) -> np.ndarray[Any, Any]:
    """A row as an array; an array of objects if it is not one, such as a list of rows of different lengths."""
    try:
        return np.asarray(row)
    except ValueError:
        return np.empty((), object)


def _without(shape: tuple[int, ...], axis: int) -> tuple[int, ...]:
    return shape[:axis] + shape[axis + 1 :]


def other_rows(rows: Sequence[Any], dtype: np.dtype[Any], rank: int, axis: int = 0) -> str:
    """A description of rows that do not fit together for a message: the first one that differs."""
    arrays = [_array(row) for row in rows]
    for index, (row, array) in enumerate(zip(rows, arrays, strict=True)):
        is_other = array.dtype != dtype or array.ndim != rank
        if is_other or _without(array.shape, axis) != _without(arrays[0].shape, axis):
            return f"a list whose row {index} is {found_text(row)}"
    return "a list of other arrays"


@dataclass(frozen=True, slots=True)
class Part:
    """The layout of a dependent array in a flat one: `lengths(i)` elements of row i, all of the same type."""

    element: Type
    lengths: SizeFunction


def halves_of(t: DepArrayType) -> tuple[Type, Type] | None:
    """The types of the two arrays that represent a dependent array of pairs, or of arrays of pairs; else None."""
    sizes: list[Nat] = []
    row = type_at(t.family, nat(ROW))
    while isinstance(row, ArrayType):
        sizes.append(row.size)
        row = row.element
    if not isinstance(row, PairType):
        return None

    def half(inner: Type) -> Type:
        for size in reversed(sizes):
            inner = ArrayType(size, inner)
        return dependent_array(t.size, type_family("i", abstract_dependent(inner, ROW)))

    return half(row.first), half(row.second)


def has_one_layout(element: Type) -> bool:
    """Whether the elements of all rows are stored in the same way: their sizes do not mention the row, except for the
    bounds of indices, all of which are stored as numbers of 64 bits.
    """
    waiting = [element]
    while waiting:
        match waiting.pop():
            case IndexType():
                continue
            case ArrayType(size, inner) | VectorType(size, inner) if ROW not in size.free:
                waiting.append(inner)
            case PairType(first, second):
                waiting += [first, second]
            case t if ROW in t.free:
                return False
    return True


def advice_for_rows(t: Type) -> str:
    """What to do about rows of these types, which have no layout."""
    match t:
        case IndexType():
            return "make the index of each row a number: `indexAsInt(i)`"
        case ArrayType(_, ArrayType()):
            return "make each row one array: `join` its rows, and `split` it where they are needed"
    return "make each row an array of elements of one type"


def shown_rows(t: Type) -> str:
    """The type of row i as text."""
    return brief_type(t).replace(ROW.name, "i")


def part_of(t: DepArrayType) -> Part | None:
    """The layout of a dependent array as a flat one, if only the lengths of its rows differ; else None."""
    match type_at(t.family, nat(ROW)):
        case ArrayType(size, element) if has_one_layout(element):
            return Part(element, size_map("i", abstract_dependent(size, ROW)))
    return None


def lengths_at(function: SizeFunction, count: int, values: Mapping[Any, Any]) -> list[int]:
    """The first values of a function of sizes. Raises RiseError if they are too many, or not naturals."""
    length = substitute_naturals(size_at(function, nat(ROW)), values)
    if isinstance(table := size_map("i", abstract_dependent(length, ROW)), SizeTable):
        name = f"`{function.name}`" if isinstance(function, SizeFunVar) else "the function of sizes"
        check_count(name, str(count), count, len(table.values))
        return list(table.values[:count])
    function = size_map("i", abstract_dependent(length, ROW))
    try:
        check_room(count)
    except MemoryError:
        title = f"there is no memory for the lengths of {number_text(count)} rows: {bytes_text(8 * count)}"
        refuse("out-of-memory", title, "use smaller sizes")
    assert isinstance(function, SizeMap), function
    lengths = list(values_of(function, count, evaluate_natural))
    wrong_row = next((i for i, value in enumerate(lengths) if not isinstance(value, int) or value < 0), None)
    if wrong_row is not None:
        title = f"expected row {wrong_row} to have a natural number of elements, found {lengths[wrong_row]}"
        refuse("size-not-natural", title, "use other sizes")
    return [int(value) for value in lengths]


def check_count(name: str, shown: str, wanted: int, count: int) -> None:
    """Raise RiseError for a function of sizes that has fewer values than are needed."""
    if wanted > count:
        needed = shown if shown == str(wanted) else f"{shown} = {wanted}"
        title = f"expected {needed} values of {name}, found {count}"
        refuse("size-mismatch", title, "pass one value for each row")


def table_of(name: str, values: Any) -> SizeTable:
    """The function of sizes that a caller gives by its values."""
    return SizeTable(tuple(table_values(name, values).tolist()))


def table_values(name: str, values: Any) -> NDArray[Any]:
    """The values of a function of sizes that a caller gives. Raises RiseError unless they are naturals."""
    numbers = np.asarray(values)
    if (
        numbers.ndim != 1
        or (numbers.dtype.kind not in "iu" and numbers.size)
        or (numbers.size and numbers.min() < 0)
    ):
        title = (
            f"`{name}`: expected the values of a function of sizes, integers >= 0, found {found_text(values)}"
        )
        refuse("argument-type", title, f"pass an array or a list: sizes={{{name!r}: [3, 0, 2]}}")
    return numbers


def is_written_out(function: SizeFunction) -> bool:
    """Whether a function of sizes is given by a formula or its values, not by a name."""
    return isinstance(function, SizeMap | SizeTable)
