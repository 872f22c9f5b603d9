"""Rows of different lengths where they enter a program: what their shapes say, and how they are cut.

Knows types and numpy, no terms.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from rise.arguments.mismatches import brief, found_text, mismatch, refuse
from rise.arguments.ragged import Ragged, check_count, joined_rows, lengths_at, other_rows, part_of
from rise.arguments.sizes import dtype_of
from rise.naturals import Nat
from rise.size_equations import Equation, value_at
from rise.size_functions import SizeFunction, SizeFunVar, SizeTable, size_sum
from rise.text.nat_printer import show_nat
from rise.types import ArrayType, DepArrayType, IndexType, ScalarType, Type, VectorType
from rise.values import Leaf, Rows


@dataclass(frozen=True, slots=True, eq=False)
class GivenRows:
    """A dependent array of no pairs as a flat one: its shape in sizes, where along `axis` all rows lie."""

    parameter: str
    type: Type
    count: Nat
    function: SizeFunction
    element: ScalarType | IndexType
    values: Any
    lengths: Leaf | None
    shape: tuple[Nat, ...]
    axis: int

    def equations(self, found: tuple[int, ...]) -> list[Equation]:
        """What the shape of the flat array says, or how many rows there are."""
        known = [
            Equation(size, number, self.parameter, axis)
            for axis, (size, number) in enumerate(zip(self.shape, found, strict=True))
        ]
        if self.lengths is not None:
            known[self.axis] = Equation(self.count, len(self.lengths), self.parameter, self.axis)
        return known

    def check(self, sizes: Mapping[Any, Any]) -> None:
        """Refuse rows that are not as long as the type says."""
        if self.lengths is None:
            return
        for row, (wanted, found) in enumerate(zip(self._lengths(sizes), self.lengths.tolist(), strict=True)):
            if wanted != found:
                title = f"`{self.parameter}`: expected row {row} to have {wanted} elements, found {found}"
                refuse("ragged-lengths", title, "give rows as long as the type says", (brief(self.type),))

    def cut(self, sizes: Mapping[Any, Any]) -> Rows:
        """The rows."""
        ends = np.cumsum([0, *self._lengths(sizes)])
        before = (slice(None),) * self.axis
        return Rows(tuple(self.values[(*before, slice(a, b))] for a, b in pairwise(ends.tolist())))

    def _lengths(self, sizes: Mapping[Any, Any]) -> list[int]:
        count = value_at(self.count, sizes)
        table = sizes.get(self.function)
        if isinstance(table, SizeTable) and isinstance(self.function, SizeFunVar):
            shown = show_nat(self.count)
            check_count(f"`{self.function.name}`", shown, int(count or 0), len(table.values))
        return lengths_at(self.function, int(count or 0), sizes)


def take_rows(
    parameter: str, t: Type, value: Any, axes: tuple[Nat, ...], expected: DepArrayType
) -> GivenRows:
    """A dependent array of no pairs: rows in a list, `Ragged`, or all in one flat array; `axes` are those before."""
    part = part_of(expected)
    if part is None:
        title = f"`{parameter}`: expected rows of which only the lengths differ, found {brief(expected)}"
        refuse("parameter-type", title, "let each row be an array of one type of elements")
    inner, element = [size_sum(expected.size, part.lengths)], part.element
    while isinstance(element, ArrayType | VectorType):
        inner.append(element.size)
        element = element.element
    if not isinstance(element, ScalarType | IndexType):
        mismatch(parameter, t, found_text(value), "fix its types first with rise.specialise")
    shape, dtype = (*axes, *inner), dtype_of(element)
    flat, lengths = value, None
    if isinstance(value, list):
        together = joined_rows(value, dtype, len(shape), len(axes))
        flat, lengths = (value, None) if together is None else together
    elif isinstance(value, Ragged) and not axes:
        flat, lengths = value.values, value.lengths
    if isinstance(flat, list | tuple):
        hint = f"give a list of arrays of {brief(element)}, rise.Ragged(values, lengths), or the flat array of all rows"
        if axes:
            hint = "give a list of arrays, whose first axis is the batch's: row i has shape (batch, length)"
        is_list = isinstance(value, list)
        found = other_rows(value, dtype, len(shape), len(axes)) if is_list else found_text(value)
        mismatch(parameter, t, found, hint)
    return GivenRows(parameter, t, expected.size, part.lengths, element, flat, lengths, shape, len(axes))


def cut_rows(leaf: Any, sizes: Mapping[Any, Any]) -> Any:
    """A part of a value: rows that were given are cut, when all sizes are known."""
    return leaf.cut(sizes) if isinstance(leaf, GivenRows) else leaf
