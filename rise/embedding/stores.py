"""What `x[..]`, `x[..] = y` and `x += y` do to the cells of arrays. Knows views and branches, no operators."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import EllipsisType

from rise.embedding.assignments import assigned, fit, matching, wide_as
from rise.embedding.cells import Cell, view_of
from rise.embedding.elementwise import Operand, Size, select
from rise.embedding.indexing import Item, indexed
from rise.embedding.places import refuse
from rise.embedding.trace import Part, apply, computed
from rise.types import BOOL


def shown(cell: Cell, items: Sequence[Item]) -> Cell:
    """The elements for the items in brackets: a view if they are numbers and slices, otherwise a copy, as in numpy."""
    now = indexed(cell.part, items)
    if not now.shape or not all(
        item is None or isinstance(item, int | Size | slice | EllipsisType) for item in items
    ):
        return Cell(now)
    write: Callable[[Part, Part], Part] | None = None
    if all(item is not None for item in items):
        write = lambda base, new: assigned(base, items, new)  # noqa: E731  # one of two
    view = view_of(cell, lambda base: indexed(base, items), write)
    view.items = tuple(items)
    return view


def assign(cell: Cell, items: Sequence[Item], value: Operand | Cell) -> None:
    """`x[items] = value`."""
    if isinstance(value, Cell):
        if value.base is cell and value.items == tuple(items):
            return  # `x[i] += y` has changed it already
        value = value.part
    _check(cell)
    xs = cell.part
    if not xs.shape:
        refuse("assignment", "expected an array, found a number, which has no elements", "assign to its name")
    condition = condition_of(xs)
    if condition is not None:
        given = matching(xs, value)
        is_mask = [isinstance(item, Part) and item.element == BOOL for item in items]
        if any(is_mask):
            [mask] = [item for item in items if isinstance(item, Part)]
            both = select(mask, condition, False)
            cell.store(assigned(xs, [both], given))
            return
        old = indexed(xs, items)
        fit(given, old.shape)
        value = select(condition, wide_as(given, old.shape), old)
    cell.store(assigned(xs, items, value))


def update(cell: Cell, new: Part) -> None:
    """`x += y`, for the array that has the new elements."""
    _check(cell)
    old = cell.part
    new = matching(old, new)
    fit(new, old.shape)
    condition = condition_of(old)
    cell.store(new if condition is None else select(condition, new, old))


def condition_of(xs: Part) -> Part | None:
    """Whether the branches around are taken, or None outside of branches."""
    conditions = xs.trace.conditions
    if not conditions:
        return None
    both = conditions[0]
    for condition in conditions[1:]:
        both = computed(BOOL, apply("and", both.syntax, condition.syntax), both, condition)
    return both


def _check(cell: Cell) -> None:
    if not cell.can_be_assigned:
        title = "expected an array or a slice of one, found another view of an array, such as its transpose"
        refuse("assignment", title, "assign to the array itself, or to a copy: `x.T.copy()`")
