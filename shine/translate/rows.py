"""The layout of the rows of a dependent array in its buffers. Independent of loads, stores and terms.

The rows of one array of scalars are stored one after another, without padding.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar

from rise.arguments.ragged_arrays import ROW, has_one_layout
from rise.naturals import Nat, nat
from rise.size_functions import size_map, size_sum
from rise.types import ArrayType, DepArrayType, PairType, Type, abstract_dependent, type_at
from shine.imperative.nodes import Origin
from shine.translate.layout import Cells, count_leaves, refuse_rows

V = TypeVar("V")


class Rows(Generic[V]):
    """The rows of a dependent array, as readers or as places; `make`, `array` and `pair` construct them."""

    def __init__(
        self,
        t: DepArrayType,
        make: Callable[[Type, Cells], V],
        array: Callable[[Callable[[Nat], V]], V],
        pair: Callable[[V, V], V],
        measured: Callable[[Any], Any],
        origin: Origin,
    ) -> None:
        self._type, self._make, self._array, self._pair = t, make, array, pair
        self._measured, self._origin = measured, origin

    def row(self, cells: Cells, index: Nat) -> V:
        """One row."""
        family = self._type.family
        return self._part(type_at(family, nat(ROW)), self._measured(type_at(family, index)), cells, index)

    def flat(self, cells: Cells, position: Nat) -> V | None:
        """The element at a position of the concatenated rows, if these are arrays with one element type."""
        match type_at(self._type.family, nat(ROW)):
            case ArrayType(size, element) if ROW not in element.free:
                total = self._sum(self._type.size, size)
                return self._make(element, tuple((buffer, at * total + position) for buffer, at in cells))
        return None

    def _part(self, of_row: Type, t: Type, cells: Cells, index: Nat) -> V:
        count = self._type.size
        match of_row, t:
            case _ if ROW not in of_row.free:
                return self._make(t, tuple((buffer, at * count + index) for buffer, at in cells))
            case PairType(first_of_row, second_of_row), PairType(first, second):
                n = count_leaves(first)
                return self._pair(
                    self._part(first_of_row, first, cells[:n], index),
                    self._part(second_of_row, second, cells[n:], index),
                )
            case ArrayType(size, element), ArrayType(_, row_element) if has_one_layout(element):
                start, total = self._sum(index, size), self._sum(count, size)
                return self._array(
                    lambda j: self._make(row_element, tuple((b, at * total + start + j) for b, at in cells))
                )
        refuse_rows(t, self._origin)

    def _sum(self, count: Nat, size: Nat) -> Nat:
        total: Nat = self._measured(size_sum(count, size_map("i", abstract_dependent(size, ROW))))
        return total
