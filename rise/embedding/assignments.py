"""Assignments to parts of arrays, `x[1:-1] = y`, as new arrays.

Depends on numpy's indices and broadcasting, but not on cells.
"""

from __future__ import annotations

from collections.abc import Sequence

from rise.dsl.printer import TypeNode
from rise.embedding import scalars as op
from rise.embedding import shapes as sh
from rise.embedding.blends import Span, blend, chosen, shifted
from rise.embedding.computed_indices import place_of
from rise.embedding.elementwise import (
    counted_beside,
    element,
    elementwise,
    first,
    over,
    select,
    with_elements,
    with_length,
)
from rise.embedding.indexing import Item, element_at, full_items, indexed, not_from_end
from rise.embedding.lengths import broadcast, refuse_shapes, shape_text
from rise.embedding.loop_numbers import integer, variables
from rise.embedding.operand_types import joint_type
from rise.embedding.operands import Operand, Size, cast, check_operand, converted
from rise.embedding.places import refuse
from rise.embedding.slices import bounds, item_text, span_down, window_of
from rise.embedding.trace import Part, apply, computed, function, piped, scalar_name, shown, viewed
from rise.naturals import Nat, const, nat
from rise.quotients import floor_quotient, is_nonnegative, linear_in
from rise.scalars import SCALARS
from rise.types import BOOL, I64, IndexType, Type

_HINT = "assign to numbers, sizes and slices, `x[i, 1:-1] = y`, or by a mask, `x[x < 0] = 0`"


def assigned(xs: Part, items: Sequence[Item], value: Operand) -> Part:
    """The array `xs` with the elements that the items select replaced by a value, which is broadcast to their shape."""
    xs = counted_beside(xs, value)
    full = full_items(xs, items)
    for item in full:
        is_scalar = isinstance(item, Part) and (not item.shape or item.element == BOOL)
        if not isinstance(item, int | slice | Size) and not is_scalar:
            refuse("assignment", f"expected a part of an array, found {item_text(item)} as an index", _HINT)
    given = matching(xs, value)
    masks = [place for place, item in enumerate(full) if isinstance(item, Part) and item.shape]
    if len(masks) > 1:
        refuse(
            "assignment", "expected a single mask, found several", "for all pairs, `x[m[:, None] & n] = y`"
        )
    if masks:
        return _masked(xs, full, masks[0], given)
    shape = indexed(xs, items).shape
    return _assigned(xs, full, fit(given, shape))


def matching(xs: Part, value: Operand) -> Part:
    """A value with the element type of an array. Converts integers, types that numpy converts to that type when it
    combines the two, floats of other types, and all numbers to truth values. Raises RiseError for other types.
    """
    check_operand(value)
    if xs.element == BOOL:
        value = _is_nonzero(value)
    given = converted(value, xs.element, xs.scope)
    if isinstance(given.element, IndexType) and given.element != xs.element:
        given = with_elements(given, I64)
    if joint_type([given.element, xs.element]) == xs.element:
        return with_elements(given, xs.element)
    if _are("integral", given.element, xs.element) or _are("floating", given.element, xs.element):
        return with_elements(given, xs.element)
    if given.element != xs.element:
        title = f"expected a value of type {shown(xs.element)}, found {shown(given.element)}"
        refuse("type-mismatch", title, f'convert it: `.astype("{shown(xs.element)}")`')
    return given


def _is_nonzero(value: Operand) -> Operand:
    if isinstance(value, int | float | complex):
        return bool(value)
    return value if isinstance(value, Part) and value.element == BOOL else elementwise(op.NE, value, 0)


def _are(kind: str, *types: Type) -> bool:
    return all(kind in SCALARS[name].classes if (name := scalar_name(t)) else False for t in types)


def fit(value: Part, shape: tuple[Nat, ...]) -> Part:
    """The value, with the lengths of a shape in place of lengths whose equality only a call can check. Refuse a value
    that cannot be broadcast to the shape.
    """
    for axis in range(1, min(len(value.shape), len(shape)) + 1):
        if value.shape[-axis] != const(1):
            value = with_length(value, len(value.shape) - axis, shape[-axis])
    if len(value.shape) > len(shape) or broadcast([value.shape, shape]) != shape:
        title = f"expected a value of the shape {shape_text(shape)}, found {shape_text(value.shape)}"
        hint = "use the same name for equal sizes; only axes of length 1 are repeated"
        refuse("shape-mismatch", title, hint)
    return value


def wide_as(value: Part, shape: tuple[Nat, ...]) -> Part:
    """A value broadcast to a shape."""
    if value.shape == shape:
        return value
    if len(value.shape) < len(shape):
        return sh.repeated(wide_as(value, shape[1:]), shape[:1])
    if value.shape[0] != shape[0]:
        return sh.repeated(wide_as(first(value), shape[1:]), shape[:1])
    return over(lambda row: wide_as(row, shape[1:]), [value])


def _masked(xs: Part, items: Sequence[Item], at: int, value: Part) -> Part:
    """The array after an assignment to the elements of a mask, `items[at]`, among numbers and slices."""
    mask, before, after = items[at], items[:at], items[at + 1 :]
    assert isinstance(mask, Part), mask
    rank = len(mask.shape)
    whole: list[Item] = [*before, *[slice(None)] * rank, *after]
    while whole and whole[-1] == slice(None):
        whole.pop()
    block = indexed(xs, whole)
    axis = sum(isinstance(item, slice) for item in before)
    wanted = block.shape[axis : axis + rank]
    if mask.shape != wanted:
        title = f"expected a mask of the shape {shape_text(block.shape)}, found {shape_text(mask.shape)}"
        refuse_shapes(mask.shape, wanted, title, "compare the array itself: `x[x < 0] = 0`")
    rows = len(block.shape) - axis - rank
    is_moved = axis > 0 and len(before) > axis  # numpy moves the axis of the mask to the front
    is_one = rank == 1 and len(value.shape) > rows and value.shape[-rows - 1] == const(1)
    if value.shape and (is_moved or not (len(value.shape) <= rows or is_one)):
        title = "expected a number for the elements of a mask, or an array to repeat for each, found another array"
        refuse("data-dependent-size", title, "choose with `np.where(mask, y, x)`")
    flags = mask
    for size in block.shape[axis + rank :]:
        flags = deep(flags, size)
    flags = sh.repeated(flags, block.shape[:axis])
    fitted = fit(value, block.shape) if value.shape else value
    return _assigned(xs, whole, select(flags, wide_as(fitted, block.shape) if value.shape else value, block))


def deep(mask: Part, size: Nat) -> Part:
    """A mask whose elements are repeated along a new last axis."""
    if not mask.shape:
        return sh.repeated(mask, [size])
    return over(lambda row: deep(row, size), [mask])


def _assigned(xs: Part, items: Sequence[Item], value: Part) -> Part:
    if not items:
        return wide_as(value, xs.shape)
    item, rest = items[0], items[1:]
    if isinstance(item, slice):
        return _slice_assigned(xs, item, rest, value)
    assert isinstance(item, int | Size | Part), item
    size = xs.shape[0]
    if not isinstance(item, Part) and not (isinstance(item, Size) and item.changes):
        start = item.nat if isinstance(item, Size) else const(item) if item >= 0 else size + item
        row = _assigned(element_at(xs, item), rest, value)
        result = _between(xs, start, start + 1, sh.stacked([row]))
        if isinstance(item, int):
            xs.trace.rows[id(result.syntax)] = xs, item, result
        return result
    index = IndexType(size)

    def choose(j: Part) -> Part:
        if isinstance(item, Part):
            at = place_of(cast(item, I64), size)
        else:
            nat = not_from_end(item.nat, size)
            at = integer(nat, xs.trace)
            # in a branch that is not taken, the number may be the index of an element all the same
            may_be_apart = xs.trace.conditions and not is_nonnegative(size - nat - 1)
            at = place_of(at, size) if may_be_apart or not is_nonnegative(nat) else at
        here = computed(BOOL, apply("eq", apply("indexAsInt", j.syntax), at.syntax), j, at)
        there = viewed(element(xs), piped("idx", j.syntax, xs.syntax), j, xs)
        return chosen(here, _assigned(there, rest, value), there)

    f = function(xs.trace, ["k"], [index], choose, [TypeNode(index)])
    return computed(xs.type, apply("generate", f.syntax), f, xs)


def _slice_assigned(xs: Part, item: slice, rest: Sequence[Item], value: Part) -> Part:
    size = xs.shape[0]
    step = 1 if item.step is None else item.step
    window = window_of(item)
    block = None if window is None else _block(xs, *window)
    if window is not None and block is not None:
        return _in_block(xs, window[1], block, rest, value)
    start, stop = (
        (window[0], window[0] + window[1])
        if window
        else bounds(item, size)
        if step > 0
        else span_down(item, size)
    )
    rows = _rows_assigned(xs, item, rest, value)
    if step < 0:
        between = sh.backwards(sh.take(sh.drop(xs, start), stop - start))
        rows = sh.backwards(_every_assigned(between, -step, rows))
    elif step > 1:
        rows = _every_assigned(sh.take(sh.drop(xs, start), stop - start), step, rows)
    return _between(xs, start, stop, rows)


def _every_assigned(xs: Part, step: int, rows: Part) -> Part:
    """The array with the first of every `step` elements replaced by those of `rows`."""
    if step == 1:
        return rows
    groups = sh.split(sh.longer(xs, rows.shape[0] * step), const(step))
    new = over(
        lambda group, row: sh.concatenated(sh.stacked([row]), sh.drop(group, const(1))), [groups, rows]
    )
    return sh.take(sh.join(new), xs.shape[0])


def _rows_assigned(xs: Part, item: slice, rest: Sequence[Item], value: Part) -> Part:
    """The elements of a slice after a value is assigned to them, or to parts of them."""
    part = indexed(xs, [item])
    if not rest:
        return wide_as(value, part.shape)
    kept = 1 + sum(isinstance(each, slice) for each in rest) + len(xs.shape) - len(rest) - 1
    if len(value.shape) == kept and value.shape[0] == const(1) and part.shape[0] != const(1):
        value = first(value)
    has_rows = len(value.shape) == kept
    is_whole = (item.start, item.stop, item.step) == (None, None, None)
    if is_whole and all(map(_is_known, rest)) and all(size.constant is not None for size in xs.shape[1:]):
        return _columns_assigned(xs, rest, value, has_rows)
    if not has_rows:
        return over(lambda row: _assigned(row, rest, value), [part])
    return over(lambda row, new: _assigned(row, rest, new), [part, value])


def _is_known(item: Item) -> bool:
    bounds = (item.start, item.stop, item.step) if isinstance(item, slice) else (item,)
    return all(each is None or isinstance(each, int) for each in bounds)


def _columns_assigned(xs: Part, rest: Sequence[Item], value: Part, has_rows: bool) -> Part:
    """The array with the same elements of all rows replaced; `has_rows` if the value has one for each row.

    What was assigned to other elements of the rows before is assigned to each row in the same `map`: in a chain of
    maps, each of which reads all elements of its row, the work of fusion grows exponentially.
    """
    base, before, _ = xs.trace.columns.get(id(xs.syntax), (xs, [], xs))
    done = [*(one for one in before if one[0] != rest), (rest, value, has_rows)]
    values = {id(given.syntax): given for _, given, is_array in done if is_array}

    def changed(row: Part, *elements: Part) -> Part:
        at = dict(zip(values, elements, strict=True))
        return _in_turn(
            row, [(items, at[id(one.syntax)] if is_array else one) for items, one, is_array in done]
        )

    result = over(changed, [base, *values.values()])
    xs.trace.columns[id(result.syntax)] = base, done, result
    return result


def _in_turn(xs: Part, changes: Sequence[tuple[Sequence[Item], Part]]) -> Part:
    """The array after several assignments; the list of its elements, if at least half of them are assigned to."""
    if not changes:
        return xs
    items, value = changes[-1]
    if not items:
        return wide_as(value, xs.shape)
    size = xs.shape[0].constant
    if isinstance(size, int) and 2 * len(changes) >= size and all(_is_element(each) for each, _ in changes):
        parts: list[list[tuple[Sequence[Item], Part]]] = [[] for _ in range(size)]
        for (place, *rest), given in changes:
            assert isinstance(place, int)
            parts[place].append((rest, given))
        return sh.stacked([_in_turn(element_at(xs, place), part) for place, part in enumerate(parts)])
    return _assigned(_in_turn(xs, changes[:-1]), items, value)


def _is_element(items: Sequence[Item]) -> bool:
    return bool(items) and all(isinstance(item, int) for item in items)


def _between(xs: Part, start: Nat, stop: Nat, rows: Part) -> Part:
    """The array with the elements from `start` to `stop` replaced by those of `rows`.

    It counts as computed, like those of other assignments: a name for `rows` alone would keep a loop that reads other
    elements of the array from writing it in place.
    """
    if variables(start, xs.trace):
        rest: list[Span | None] = [None] * (len(xs.shape) - 1)
        return blend(shifted(rows, xs.shape[0], 1, const(0) - start), xs, [(start, stop), *rest])
    ends = stop == xs.shape[0]
    if start != const(0):
        rows = sh.concatenated(sh.take(xs, start), rows, is_view=not ends)
    return rows if ends else sh.concatenated(rows, sh.drop(xs, stop), is_view=False)


def _block(xs: Part, start: Nat, length: Nat) -> tuple[Nat, Nat] | None:
    """The number of the block of this length that starts there, and the number of all blocks up to the last one that
    the loop selects; None if a slice may start or end elsewhere. A call checks that the array has these blocks.
    """
    [*atoms] = variables(start, xs.trace)
    linear = linear_in(start, atoms[0]) if len(atoms) == 1 and atoms[0] not in length.free else None
    if linear is None or linear[0] != length or length == const(0) or atoms[0].upper is None:
        return None
    before = floor_quotient(linear[1], length)
    count = atoms[0].upper + before
    spare = xs.shape[0] - count * length
    is_checked = not xs.trace.conditions and not is_nonnegative(const(-1) - spare)
    if (
        before * length != linear[1]
        or not is_nonnegative(before)
        or not (is_nonnegative(spare) or is_checked)
    ):
        return None
    return nat(atoms[0]) + before, count


def _in_block(xs: Part, length: Nat, block: tuple[Nat, Nat], rest: Sequence[Item], value: Part) -> Part:
    """The array after an assignment to elements of one of its blocks, `x[i * n : (i + 1) * n, ...] = y`."""
    place, count = block
    size = count * length
    blocks = sh.split(xs if size == xs.shape[0] else sh.take(xs, size), length)
    elements = [slice(None), *rest] if rest else []
    joined = sh.join(_assigned(blocks, [Size(place, xs.trace.root), *elements], value))
    return joined if size == xs.shape[0] else sh.concatenated(joined, sh.drop(xs, size), is_view=False)
