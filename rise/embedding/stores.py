"""The effects of `x[..]`, `x[..] = y` and `x += y` on the cells of arrays.

Depends on views and branches, but not on operators.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import EllipsisType

from rise.embedding.assignments import assigned, fit, matching, wide_as
from rise.embedding.cells import Cell, Path, at_path, numbers
from rise.embedding.elementwise import counted_beside, select
from rise.embedding.indexing import Item, indexed
from rise.embedding.operands import Operand, Size
from rise.embedding.places import refuse
from rise.embedding.trace import Part, all_of, changes
from rise.types import BOOL


def shown(cell: Cell, items: Sequence[Item]) -> Cell:
    """The elements for the items in brackets: a view if they are numbers and slices, otherwise a copy, as in numpy."""
    place = cell.place(items)
    now = _read(cell, items)
    if not now.shape or not all(
        item is None or isinstance(item, int | Size | slice | EllipsisType) for item in items
    ):
        return Cell(now)
    base = cell.root.focus is None and place is not None
    path, tail = place or ((), None)
    view = Cell(now, cell, lambda base: indexed(base, items), path, tail, cell.now if base else None)
    view.items = tuple(items)
    view.is_contiguous = cell.is_contiguous and are_rows(items)
    return view


def are_rows(items: Sequence[Item]) -> bool:
    """Whether items in brackets select consecutive elements: numbers, a slice, and then whole axes."""
    selected = [item for item in items if item is not None]
    while selected and isinstance(selected[0], int | Size):
        del selected[0]
    if selected and isinstance(selected[0], slice) and selected[0].step in (None, 1):
        del selected[0]
    return all(item is Ellipsis or item == slice(None) for item in selected)


def _read(cell: Cell, items: Sequence[Item]) -> Part:
    place, root = cell.place(items), cell.root
    if place is None or not place[0] or root.is_moved:
        return indexed(cell.part, items)
    cell.trace.accesses.append((root, place[0]))
    if root.focus is not None:
        return at_path(root, *place)
    return indexed(root.now, [*numbers(root, place[0]), *place[1]])


def assign(cell: Cell, items: Sequence[Item], value: Operand | Cell) -> None:
    """`x[items] = value`."""
    if isinstance(value, Cell):
        if value.base is cell and value.items == tuple(items):
            return  # `x[i] += y` has changed it already
        value = value.part
    if not cell.now.shape:
        refuse("assignment", "expected an array, found a number, which has no elements", "assign to its name")
    if cell.root.is_merged:
        title = "expected a single array, found one of two arrays, chosen by a branch"
        refuse("alias", title, "assign to a copy, `y = y.copy()`, or assign in both sides of the branch")
    place = cell.place(items)
    if place is not None:
        _store(cell, place, value)
        return
    if cell.base is None or cell.items is None or None in cell.items:
        title = "expected an array or a slice of one, found another view of an array, such as its transpose"
        refuse("assignment", title, "assign to the array itself, or to a copy: `x.T.copy()`")
    # part of a slice: assign the slice with its new elements
    assign(cell.base, cell.items, _changed(cell.part, items, value))  # type: ignore[arg-type]  # items


def update(cell: Cell, new: Part) -> None:
    """`x += y`, given the array with the new elements."""
    assign(cell, (), new)


def _store(
    cell: Cell,
    place: tuple[Path, tuple[Item, ...]],
    value: Operand,
    change: Callable[..., Part] | None = None,
) -> None:
    root = cell.root
    path, tail = place
    root.check_name()
    root.trace.accesses.append((root, path))
    change = change or _changed
    if root.focus is None:
        old = root.now
        root.store(change(old, [*numbers(root, path), *tail], value))
        changes(old)
        return
    prefix, part = root.focus
    at_path(root, path, ())
    root.record()
    root.focus = prefix, change(part, [*numbers(root, path[len(prefix) :]), *tail], value)
    changes(part)


def part_at(root: Cell, path: Path) -> Part:
    """The part of an array at a path."""
    root.trace.accesses.append((root, path))
    return indexed(root.now, numbers(root, path)) if root.focus is None else at_path(root, path, ())


def put(root: Cell, path: Path, tail: tuple[Item, ...], value: Part) -> None:
    """Assign the result of a loop, which already depends on the enclosing branches."""
    if path or tail or root.focus is not None:
        _store(root, (path, tail), value, assigned)
    else:
        root.trace.accesses.append((root, ()))
        old = root.now
        root.store(value)
        changes(old)


def _changed(xs: Part, items: Sequence[Item], value: Operand) -> Part:
    """The array after an assignment, which depends on whether the enclosing branches are taken."""
    condition = all_of(xs.trace.conditions)
    if condition is None:
        return assigned(xs, items, value)
    xs = counted_beside(xs, value)
    given = matching(xs, value)
    masks = [item for item in items if isinstance(item, Part) and item.element == BOOL]
    if masks:
        taken_ones = select(masks[0], condition, False)
        return assigned(xs, [taken_ones if item is masks[0] else item for item in items], given)
    old = indexed(xs, items)
    given = fit(given, old.shape)
    return assigned(xs, items, select(condition, wide_as(given, old.shape), old))
