"""Indexing, `x[...]`: single elements, new axes, gathered elements; slices are in `slices`.

Depends on numpy's indexing, but not on operators.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import takewhile
from types import EllipsisType
from typing import TypeAlias

from rise.dsl.printer import ArrayLiteral, TextPiece
from rise.embedding import trace as t
from rise.embedding.computed_indices import element_at_number, element_inside
from rise.embedding.elementwise import element, map_over, spread
from rise.embedding.lengths import broadcast, shape_text
from rise.embedding.loop_numbers import integer, variables
from rise.embedding.operands import Size, cast
from rise.embedding.places import refuse
from rise.embedding.shapes import (
    backwards,
    drop,
    repeated,
    stacked,
    take,
)
from rise.embedding.slices import from_start, item_text, sliced
from rise.embedding.trace import Part, function, once, piped, viewed
from rise.naturals import Nat, const
from rise.quotients import is_nonnegative, linear_in
from rise.scalars import SCALARS
from rise.text.nat_printer import show_nat
from rise.types import I64, ArrayType, IndexType

Item: TypeAlias = "int | Size | slice | EllipsisType | Part | Sequence[Item] | None"


def indexed(xs: Part, items: Sequence[Item]) -> Part:
    """The elements for the items in the brackets, one item for each axis. Equal brackets of numbers have one result."""
    if not xs.shape or not items or not all(map(_is_known, items)):
        return _indexed(xs, full_items(xs, items))
    shown = tuple((one.start, one.stop, one.step) if isinstance(one, slice) else one for one in items)
    key = xs.syntax, shown, bool(xs.trace.conditions)
    return once(xs.scope, key, lambda: _indexed(xs, full_items(xs, items)))


def _is_known(item: object) -> bool:
    """Whether an item is a number, a slice whose bounds are numbers, a new axis, or `...`."""
    if isinstance(item, slice):
        return all(one is None or type(one) is int for one in (item.start, item.stop, item.step))
    return item is None or item is Ellipsis or type(item) is int


def full_items(xs: Part, items: Sequence[Item]) -> list[Item]:
    """The items in brackets without `...` and without whole axes at the end. Raises RiseError if they do not fit the
    array.
    """
    for item in items:
        _check_item(item)
    wanted = sum(item is not None and item is not Ellipsis for item in items)
    rank = len(xs.shape)
    if wanted > rank:
        title = f"expected at most {rank} indices, found {wanted}"
        refuse("index", title, f"the array has the shape {shape_text(xs.shape)}")
    if sum(item is Ellipsis for item in items) > 1:
        refuse("index", "expected one `...`, found several", "remove the others")
    whole: list[Item] = [slice(None)] * (rank - wanted)
    full: list[Item] = []
    for item in items:
        if item is Ellipsis:
            full += whole
            whole = []
        else:
            full.append(item)
    if sum(_is_array(item) for item in full) > 1:
        full = [_as_array(xs, axis, item) for axis, item in zip(_axes(full), full, strict=True)]
    _check_places(full)
    while full and full[-1] == slice(None):
        full.pop()
    return full


def _indexed(xs: Part, items: Sequence[Item]) -> Part:
    if not items:
        return xs
    match items[0]:
        case None:
            return repeated(_indexed(xs, items[1:]), [const(1)])
        case slice() as cut:
            return _below(sliced(xs, cut), items[1:])
        case Part() as index if index.shape:
            last = max(place for place, item in enumerate(items) if isinstance(item, Part))
            between = next((p for p, item in enumerate(items[:last]) if isinstance(item, int | Size)), None)
            if between is not None:  # a number between arrays: its axis is indexed first
                chosen = _indexed(xs, [*[slice(None)] * between, items[between]])
                return _indexed(chosen, [*items[:between], *items[between + 1 :]])
            together = [
                item for item in takewhile(lambda one: isinstance(one, Part), items) if isinstance(item, Part)
            ]
            if sum(bool(part.shape) for part in together) > 1:
                found = _chosen(xs, together)
                return _below(found, items[len(together) :], len(found.shape) - len(xs.shape) + len(together))
            return _below(_gathered(xs, index), items[1:], len(index.shape))
        case Part() | Size() | int() as index:
            return _indexed(element_at(xs, index), items[1:])
        case list() | tuple() as indices:
            return _below(_listed(xs, indices), items[1:], _depth(indices))
    raise AssertionError(items[0])


def _check_item(item: object) -> None:
    """Refuse an item that has no meaning in brackets."""
    hint = "use a number, a size, a value of type idx[N], or a list of them"
    match item:
        case bool():
            hint = "`x[None]` adds an axis, `x[1]` is an element; to choose by a condition: `np.where(condition, x, y)`"
        case list() | tuple():
            if not item:
                refuse("index", "expected indices, found an empty list", "`x[:0]` has no elements")
            for entry in item:
                if entry is None or isinstance(entry, slice | EllipsisType):
                    title = f"expected a list of indices, found one with {item_text(entry)}"
                    refuse("index", title, hint)
                _check_item(entry)
            return
        case None | int() | Size() | Part() | slice() | EllipsisType():
            return
    refuse("index", f"expected an index, found {item_text(item)}", hint)


def _check_places(items: Sequence[Item]) -> None:
    """Refuse several arrays of indices, and one that is not adjacent to other indices: numpy moves its axis to the
    front.
    """
    arrays = [item for item in items if _is_array(item)]
    if len(arrays) > 1 and not all(isinstance(item, Part) for item in arrays):
        title = "expected one list of indices, found several arrays or lists of them"
        refuse("index", title, "make arrays of the lists, or index one axis after the other")
    positions = [i for i, item in enumerate(items) if isinstance(item, int | Size | Part | list | tuple)]
    if arrays and positions[-1] - positions[0] >= len(positions):
        title = "expected an array of indices next to the other indices, found a slice between them"
        refuse("index", title, "index one axis after the other: `x[0][:, indices]`")


def _is_array(item: Item) -> bool:
    """Whether an item is an array of indices, or a list of them."""
    return isinstance(item, list | tuple) or (isinstance(item, Part) and bool(item.shape))


def _axes(items: Sequence[Item]) -> list[int]:
    """For each item, the axis of the array that it indexes."""
    return [sum(one is not None for one in items[:place]) for place in range(len(items))]


def _as_array(xs: Part, axis: int, item: Item) -> Item:
    """A list of numbers as an array, so that it can be combined with other arrays of indices."""
    if not isinstance(item, list | tuple):
        return item
    rows: list[Part] = []
    for one in item:
        row = _as_array(xs, axis, one) if isinstance(one, list | tuple) else one
        if isinstance(row, int):
            _place(xs.shape[axis], row)
            row = t.literal(row, I64, xs.scope)
        if not isinstance(row, Part) or (rows and row.type != rows[0].type):
            return item
        rows.append(row)
    return Part(
        ArrayType(const(len(rows)), rows[0].type),
        ArrayLiteral(tuple(row.syntax for row in rows)),
        xs.trace.root,
    )


def _below(xs: Part, items: Sequence[Item], depth: int = 1) -> Part:
    """Apply the items below `depth` axes."""
    if not items:
        return xs
    if depth == 0:
        return _indexed(xs, items)
    f = function(xs.trace, ["row"], [element(xs)], lambda row: _below(row, items, depth - 1))
    return map_over(f, xs, is_view=True)


def element_at(xs: Part, index: Part | Size | int) -> Part:
    """The element at an index: a number, a number that changes in a loop, or a value."""
    size = xs.shape[0]
    if isinstance(index, Part):
        return _at(xs, index)
    if isinstance(index, Size) and index.changes:
        found = _at_number(xs, index)
        return xs.trace.repeated.get(id(xs.syntax), found)
    if isinstance(index, Size):
        index = replace(index, nat=from_start(index, size))
    else:
        xs = _before_others(xs, index)
    place = _place(size, index)
    if place is None:
        where = index.nat if isinstance(index, Size) else size + index
        xs, place = drop(xs, where), 0
        xs = take(xs, const(1)) if xs.shape[0] != const(1) else xs
    return viewed(element(xs), piped("idx", TextPiece(str(place)), xs.syntax), xs)


def _before_others(xs: Part, index: int) -> Part:
    """The array before assignments to elements other than this one."""
    rows = xs.trace.rows
    while (
        (found := rows.get(id(xs.syntax))) is not None and found[1] != index and (found[1] < 0) == (index < 0)
    ):
        xs = found[0]
    return xs


def _at_number(xs: Part, index: Size) -> Part:
    """The element at a number that changes in a loop.

    The numbers `i + c` and `c - i` of a loop are the indices of a slice; whether there is such a slice, a call checks.
    Other numbers become indices; whether there are such, the program checks where it runs.
    """
    size, trace = xs.shape[0], xs.trace
    nat = not_from_end(index.nat, size)
    atoms = variables(nat, trace)
    linear = linear_in(nat, atoms[0]) if len(atoms) == 1 else None
    if linear is not None and linear[0] in (const(1), const(-1)) and atoms[0].upper is not None:
        count, at = atoms[0].upper, linear[1]
        low = at if linear[0] == const(1) else at - count + 1
        over = low + count - size
        if is_nonnegative(over - 1) and not trace.conditions:
            title = f"expected indices below {show_nat(size)}, found {show_nat(low + count - 1)} in the loop"
            refuse("index-out-of-range", title, "end the loop earlier, or read the element in an `if`")
        is_inside = is_nonnegative(low) and is_nonnegative(const(0) - over)
        may_be_inside = not is_nonnegative(const(-1) - low) and not is_nonnegative(over - 1)
        if is_inside or (may_be_inside and not trace.conditions and not trace.is_of_data(over)):
            part = take(drop(xs, low), count)
            part = part if linear[0] == const(1) else backwards(part)
            i = trace.loops[atoms[0]]
            return viewed(element(xs), piped("idx", i.syntax, part.syntax), i, part)
    number = integer(nat, trace)
    if is_nonnegative(nat) and is_nonnegative(size - nat - 1):
        return element_inside(xs, number)
    return element_at_number(xs, number)


def not_from_end(index: Nat, size: Nat) -> Nat:
    """An index, counted from the start also if it is certainly negative."""
    return index + size if is_nonnegative(const(-1) - index) else index


def position_of(index: Size | int, size: Nat) -> Nat:
    """The position of an element, counted from the start. Raises RiseError if there is none, as far as is known."""
    where = index.nat if isinstance(index, Size) else const(index) if index >= 0 else size + index
    place, known = where.constant, size.constant
    if known is not None and place is not None and not 0 <= place < known:
        wanted = f"an index from {-known} to {known - 1}" if known else "an axis with elements"
        title = f"expected {wanted}, found {item_text(index)}"
        hint = "indices start at 0, and at -1 from the end" if known else "an axis of length 0 has no index"
        refuse("index-out-of-range", title, hint)
    return where


def _place(size: Nat, index: Size | int) -> int | None:
    """The position of an element, or None if it is not known."""
    return position_of(index, size).constant


def _at(xs: Part, index: Part) -> Part:
    if _is_integral(index):
        return element_at_number(xs, cast(index, I64))
    _check_index(xs, index)
    return viewed(element(xs), piped("idx", index.syntax, xs.syntax), index, xs)


def _is_integral(index: Part) -> bool:
    facts = SCALARS.get(t.scalar_name(index.element))
    return facts is not None and "integral" in facts.classes


def _listed(xs: Part, indices: Sequence[Item]) -> Part:
    """The elements for a list of indices: gathered if all indices are known numbers, otherwise taken one by one."""
    literals = _literals(xs, indices)
    if literals is not None:
        return _gathered(xs, literals)
    # `_check_item` has refused slices in lists
    return stacked(
        [
            _listed(xs, index) if isinstance(index, list | tuple) else element_at(xs, index)  # type: ignore[arg-type]  # see above
            for index in indices
        ]
    )


def _depth(indices: Item) -> int:
    """The number of axes of a list of indices."""
    return 1 + _depth(indices[0]) if isinstance(indices, list | tuple) else 0


def _literals(xs: Part, indices: Sequence[Item]) -> Part | None:
    """A list of numbers as indices; None if one is a value, or negative while the length is unknown."""
    size = xs.shape[0]
    literals: list[Part] = []
    for index in indices:
        if isinstance(index, list | tuple):
            row = _literals(xs, index)
        else:
            place = _place(size, index) if isinstance(index, int) else None
            row = None if place is None else Part(IndexType(size), TextPiece(str(place)), xs.trace.root)
        if row is None:
            return None
        literals.append(row)
    if any(index.type != literals[0].type for index in literals):
        refuse(
            "index",
            "expected rows of indices of the same length, found several",
            "write rows of the same length",
        )
    type = ArrayType(const(len(literals)), literals[0].type)
    return Part(type, ArrayLiteral(tuple(index.syntax for index in literals)), xs.trace.root)


def _chosen(xs: Part, indices: Sequence[Part]) -> Part:
    """The elements at several indices, one for each of the first axes; each is one index or an array of indices."""

    def chosen(*places: Part) -> Part:
        found = xs
        for place in places:
            found = element_at(found, place)
        return found

    return spread(chosen, indices, broadcast([index.shape for index in indices]))


def _gathered(xs: Part, indices: Part) -> Part:
    if _is_integral(indices):
        return _chosen(xs, [indices])
    _check_index(xs, indices)
    if len(indices.shape) > 1:
        f = function(indices.trace, ["row"], [element(indices)], lambda row: _gathered(xs, row))
        return map_over(f, indices, is_view=True)
    type = ArrayType(indices.shape[0], element(xs))
    return viewed(type, piped("gather", indices.syntax, xs.syntax), indices, xs)


def _check_index(xs: Part, index: Part) -> None:
    size = xs.shape[0]
    if index.element == IndexType(size):
        return
    if t.scalar_name(index.element) == "bool":
        title = (
            "expected indices, found truth values, which would make the length of the result depend on data"
        )
        refuse("data-dependent-size", title, "keep the length: `np.where(condition, x, 0)`")
    title = f"expected indices of type idx[{show_nat(size)}], found {t.shown(index.element)}"
    hint = (
        f'annotate the parameter as "idx[{show_nat(size)}]" or "M.idx[{show_nat(size)}]", or use `generate`'
    )
    refuse("index", title, hint)
