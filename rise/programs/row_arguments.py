"""Arguments with rows of different lengths: the equations of their shapes, and their division into rows.

Depends on types and numpy, but not on terms.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Any

import numpy as np

from rise.arguments.libraries import as_numpy
from rise.arguments.mismatches import brief, found_text, mismatch, refuse
from rise.arguments.ragged_arrays import (
    ONE_BOUND,
    ROW,
    Ragged,
    advice_for_rows,
    check_count,
    joined_rows,
    lengths_at,
    other_rows,
    part_of,
)
from rise.arguments.sizes import dtype_of
from rise.naturals import Nat, nat
from rise.records import dataclass
from rise.size_equations import Equation, value_at
from rise.size_functions import SizeFunction, SizeFunVar, SizeTable, size_sum
from rise.text.nat_printer import show_nat
from rise.types import ArrayType, DepArrayType, IndexType, ScalarType, Type, VectorType, type_at
from rise.values import Leaf, Rows


@dataclass(frozen=True, slots=True, eq=False)
class GivenRows:
    """A dependent array without pairs, as a flat array: `shape` has its sizes, with all rows along `axis`."""

    parameter: str
    type: Type
    count: Nat
    function: SizeFunction
    element: ScalarType | IndexType
    values: Any
    lengths: Leaf | None
    shape: tuple[Nat, ...]
    axis: int

    def equations(self, lengths: tuple[int, ...]) -> list[Equation]:
        """The equations for the shape of the flat array, or for the number of rows."""
        equations = [
            Equation(size, number, self.parameter, axis)
            for axis, (size, number) in enumerate(zip(self.shape, lengths, strict=True))
        ]
        if self.lengths is not None:
            equations[self.axis] = Equation(self.count, len(self.lengths), self.parameter, self.axis)
        return equations

    def check(self, sizes: Mapping[Any, Any]) -> None:
        """Raise RiseError for rows whose lengths differ from those of the type."""
        if self.lengths is None:
            return
        for row, (expected, found) in enumerate(
            zip(self._lengths(sizes), self.lengths.tolist(), strict=True)
        ):
            if expected != found:
                title = f"`{self.parameter}`: expected row {row} to have {expected} elements, found {found}"
                refuse(
                    "ragged-lengths",
                    title,
                    "pass rows with the lengths that the type states",
                    (brief(self.type),),
                )

    def cut(self, sizes: Mapping[Any, Any]) -> Rows:
        """The rows, given all sizes."""
        ends = np.cumsum([0, *self._lengths(sizes)])
        before = (slice(None),) * self.axis
        return Rows(tuple(self.values[(*before, slice(a, b))] for a, b in pairwise(ends.tolist())))

    def _lengths(self, sizes: Mapping[Any, Any]) -> list[int]:
        count = value_at(self.count, sizes)
        table = sizes.get(self.function)
        if isinstance(table, SizeTable) and isinstance(self.function, SizeFunVar):
            count_text = show_nat(self.count)
            check_count(f"`{self.function.name}`", count_text, int(count or 0), len(table.values))
        return lengths_at(self.function, int(count or 0), sizes)


def take_rows(
    parameter: str, t: Type, value: Any, axes: tuple[Nat, ...], expected: DepArrayType
) -> GivenRows:
    """A dependent array without pairs: a list of rows, a `Ragged`, or a flat array; `axes` are the leading axes."""
    part = part_of(expected)
    if part is None:
        title = f"`{parameter}`: expected rows of which only the lengths differ, found {brief(expected)}"
        refuse("parameter-type", title, advice_for_rows(type_at(expected.family, nat(ROW))))
    if ROW in part.element.free:
        title = f"`{parameter}`: expected indices with one bound, found {brief(expected)}"
        refuse("parameter-type", title, ONE_BOUND)
    inner, element = [size_sum(expected.size, part.lengths)], part.element
    while isinstance(element, ArrayType | VectorType):
        inner.append(element.size)
        element = element.element
    if not isinstance(element, ScalarType | IndexType):
        mismatch(parameter, t, found_text(value), "fix its types first with rise.specialise")
    shape, dtype = (*axes, *inner), dtype_of(element)
    flat, lengths = value, None
    if isinstance(value, list):
        value = [as_numpy(parameter, row) for row in value]
        joined = joined_rows(value, dtype, len(shape), len(axes))
        flat, lengths = (value, None) if joined is None else joined
    elif isinstance(value, Ragged) and not axes:
        flat, lengths = value.values, value.lengths
    if isinstance(flat, list | tuple):
        hint = f"pass a list of arrays of {brief(element)}, rise.Ragged(values, lengths), or the flat array of all rows"
        if axes:
            hint = "pass a list of arrays, whose first axis is the batch's: row i has shape (batch, length)"
        is_list = isinstance(value, list)
        description = other_rows(value, dtype, len(shape), len(axes)) if is_list else found_text(value)
        mismatch(parameter, t, description, hint)
    return GivenRows(parameter, t, expected.size, part.lengths, element, flat, lengths, shape, len(axes))


def cut_rows(leaf: Any, sizes: Mapping[Any, Any]) -> Any:
    """A part of a value, where `GivenRows` are divided into rows, since all sizes are known."""
    return leaf.cut(sizes) if isinstance(leaf, GivenRows) else leaf
