"""Converts users' values, sizes, numbers, tuples, lists and numpy arrays to parts of terms.

Independent of operators.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from rise.dsl.printer import ArrayLiteral
from rise.embedding import shapes as sh
from rise.embedding import trace as t
from rise.embedding.cells import Cell
from rise.embedding.loop_numbers import variables
from rise.embedding.operands import Size, Unassigned, Weak, converted, default_type
from rise.embedding.places import refuse
from rise.embedding.python_numbers import number
from rise.embedding.symbolic_sizes import SymbolicSize
from rise.embedding.trace import Part, Scope
from rise.embedding.unknown_lengths import SpannedSymbol
from rise.naturals import const
from rise.records import dataclass
from rise.scalars import SCALARS
from rise.types import I64, ScalarType

#: elements of the longest array of numpy that is a literal where longer ones may be parameters: a table of bytes
LONGEST_LITERAL: Final = 256
_SCALAR_NAMES: Final = {facts.dtype: name for name, facts in SCALARS.items()}


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Symbol:
    """An object for users that contains a part of the term, which assignments may change."""

    cell: Cell

    @property
    def part(self) -> Part:
        """The current value."""
        return self.cell.part


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class WeakSymbol:
    """An object for users that contains a number without a type."""

    weak: Weak

    def __trunc__(self) -> Any:
        """The number rounded towards zero."""
        raise AssertionError("rise.embedding.symbolic_numbers defines it")


def is_by_data(items: tuple[Any, ...]) -> bool:
    """Whether an item in brackets is a slice whose bounds or step depend on data, or such a slice of indices."""
    return any(
        _is_slice_by_data(item)
        if isinstance(item, slice)
        else isinstance(item, SpannedSymbol) and item.turns is not None
        for item in items
    )


def has_step(given: slice) -> bool:
    """Whether a slice has a step other than 1, as far as is known."""
    return isinstance(given.step, Symbol | SymbolicSize) or given.step not in (None, 1)


def _is_slice_by_data(given: slice) -> bool:
    """Whether the bounds or the step of a slice depend on data, or on numbers of loops beside a step."""
    if any(isinstance(one, Symbol) for one in (given.start, given.stop, given.step)):
        return True
    return has_step(given) and any(
        isinstance(one, SymbolicSize) and bool(variables(one.nat, one.scope.trace))
        for one in (given.start, given.stop, given.step)
    )


def as_part(value: Any, scope: Scope, like: Any = None) -> Part:
    """The result of a user's function as a part: a value, a number, a list, a tuple or a numpy array."""
    match inner(value, scope):
        case Part() as part:
            return part
        case SpannedSymbol() as symbol:
            symbol.refuse_as_array()
        case Size() as size:
            return converted(size, like or I64, scope)
        case Weak() as weak:
            return converted(weak, like or scope.trace.floating, scope)
        case tuple() as items if items:
            parts = [as_part(item, scope) for item in items]
            pair = parts[-1]
            for item in reversed(parts[:-1]):
                pair = sh.paired(item, pair)
            return pair
        case list() as items if items:
            return sh.stacked([as_part(item, scope) for item in items])
        case bool() | int() | float() | complex() as python_number:
            return number(python_number, like or default_type([python_number], scope), scope)
    if isinstance(value, Unassigned):
        value.fail()
    hint = "return a value, a number, or a tuple of them"
    refuse(
        "no-value",
        f"expected a value, found {type(value).__name__}",
        hint + "; is a `return` missing?" * (value is None),
    )


def inner(value: Any, scope: Scope) -> Any:
    """A user's value as the other files of this package represent it."""
    match value:
        case Symbol():
            return value.part
        case WeakSymbol():
            return value.weak
        case SymbolicSize():
            return Size(value.nat, value.scope)
        case np.generic():
            return constant(np.asarray(value), scope)
        case np.ndarray():
            return constant(value, scope)
        case tuple():
            return tuple(inner(item, scope) for item in value)
        case list():
            return [inner(item, scope) for item in value]
        case slice():
            return slice(*(inner(item, scope) for item in (value.start, value.stop, value.step)))
    return value


def constant(xs: np.ndarray[Any, Any], scope: Scope) -> Part:
    """A numpy array as a literal of the text, or as a parameter if it is long and may be one; without elements, as an
    array of 0.
    """
    name = _SCALAR_NAMES.get(xs.dtype)
    if name is None:
        title = f"expected an array of numbers, found one of {xs.dtype}"
        refuse("type-mismatch", title, f"use an array of one of the types {', '.join(SCALARS)}")
    if not xs.size:
        return sh.repeated(number(0, ScalarType(name), scope), [const(length) for length in xs.shape])
    if not xs.shape:
        return number(xs.item(), ScalarType(name), scope)
    root = scope.trace.root
    if xs.size > LONGEST_LITERAL and root.trace.constants is not None:
        return root.trace.constant(xs, t.array_of(list(map(const, xs.shape)), ScalarType(name)))
    rows = [constant(row, scope) for row in xs]
    return Part(
        t.array_of([const(len(rows))], rows[0].type), ArrayLiteral(tuple(row.syntax for row in rows)), root
    )
