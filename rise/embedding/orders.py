"""Sorting along any axis: sorted arrays, the indices that sort them, and searches in them.

Depends on the parameters of numpy's functions.

The functions take and return `Part`s instead of arrays.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from rise.embedding import reductions as r
from rise.embedding import scalars as op
from rise.embedding import shapes as sh
from rise.embedding import trace as t
from rise.embedding.elementwise import common, element, first, over, spread, with_elements
from rise.embedding.indexing import indexed
from rise.embedding.operands import Operand, cast
from rise.embedding.places import refuse
from rise.embedding.trace import Part, apply, computed, function
from rise.naturals import const
from rise.scalars import SCALARS
from rise.types import BOOL, I64, ArrayType, IndexType


def sort(
    a: Part, axis: int | None = -1, kind: str | None = None, order: None = None, *, stable: bool | None = None
) -> Part:
    """`np.sort`, stable for every `kind`."""
    _refuse_fields(order)
    a, axis = (sh.flat(a), 0) if axis is None else (a, axis)
    keys = _keys("sort", a)
    found = r.on_rows(lambda row: computed(row.type, apply("sort", row.syntax), row), keys, axis)
    return r.is_true(found) if a.element == BOOL else found


def argsort(
    a: Part, axis: int | None = -1, kind: str | None = None, order: None = None, *, stable: bool | None = None
) -> Part:
    """`np.argsort`, stable for every `kind`. The results are indices."""
    _refuse_fields(order)
    a, axis = (sh.flat(a), 0) if axis is None else (a, axis)
    return r.on_rows(_order, _keys("argsort", a), axis)


def _order(row: Part) -> Part:
    type = ArrayType(row.shape[0], IndexType(row.shape[0]))
    return computed(type, apply("argsort", row.syntax), row)


def partition(
    a: Part, kth: Any, axis: int | None = -1, kind: str = "introselect", order: None = None
) -> Part:
    """`np.partition`: the sorted array, which is one of the orders that numpy allows."""
    return sort(a, axis, order=order)


def argpartition(
    a: Part, kth: Any, axis: int | None = -1, kind: str = "introselect", order: None = None
) -> Part:
    """`np.argpartition`: the indices in sorted order, which is one of the orders that numpy allows."""
    return argsort(a, axis, order=order)


def lexsort(keys: Part | Sequence[Part], axis: int = -1) -> Part:
    """`np.lexsort`: the indices that sort by the last key, equal ones by the previous key, and so on."""
    rows = (
        [indexed(keys, [number]) for number in range(_known(keys))] if isinstance(keys, Part) else list(keys)
    )
    if not rows or any(len(row.shape) != 1 for row in rows):
        title = "expected keys with one axis"
        refuse("unsupported", title, "apply it to each row: `map(lambda a, b: np.lexsort((a, b)), x, y)`")
    order = _order(_keys("lexsort", rows[0]))
    for row in rows[1:]:
        order = indexed(order, [_order(indexed(_keys("lexsort", row), [order]))])
    return order


def take_along_axis(arr: Part, indices: Part, axis: int | None = -1) -> Part:
    """`np.take_along_axis`: from each row, the elements at the indices in the same row of `indices`."""
    if axis is None:
        return indexed(sh.flat(arr), [indices])
    if len(arr.shape) != len(indices.shape):
        title = f"expected as many axes, found {len(arr.shape)} and {len(indices.shape)}"
        refuse("shape-mismatch", title, "add axes to the indices: `indices[:, None]`")
    axis = r.axis_of(arr, axis)
    others = [other for other in range(len(arr.shape)) if other != axis]
    rows, places = (sh.permuted(one, [*others, axis]) for one in (arr, indices))
    found = _together(rows, places)
    return sh.permuted(found, sorted(range(len(arr.shape)), key=[*others, axis].__getitem__))


def _together(rows: Part, places: Part) -> Part:
    if len(rows.shape) == 1:
        return indexed(rows, [places])
    if places.shape[0] == const(1) != rows.shape[0]:
        places = first(places)
        return over(lambda row: _together(row, places), [rows])
    if rows.shape[0] == const(1) != places.shape[0]:
        rows = first(rows)
        return over(lambda place: _together(rows, place), [places])
    sh.zipped(rows, places)
    return over(_together, [rows, places])


def searchsorted(
    a: Part | Sequence[Operand], v: Operand, side: str = "left", sorter: Part | None = None
) -> Part:
    """`np.searchsorted`, by binary search; NaN is greater than all other numbers."""
    if side not in ("left", "right"):
        refuse("unsupported", f"expected the side 'left' or 'right', found {side!r}", "write one of them")
    if not isinstance(a, Part):
        scope = next(one.scope for one in (v, *a) if isinstance(one, Part))
        v, *points = common(op.LT, [v, *a], scope)
        a = sh.stacked(points)
    a = a if sorter is None else indexed(a, [sorter])
    a, v = common(op.LT, [a, v], a.scope)
    if len(a.shape) != 1:
        title = f"expected a sorted array of one axis, found {len(a.shape)}"
        refuse("shape-mismatch", title, "search each row: `map(lambda row: np.searchsorted(row, v), x)`")
    precedes = partial(_precedes, is_floating="floating" in SCALARS[t.scalar_name(a.element)].classes)

    def count(x: Part) -> Part:
        def is_before(y: Part) -> Part:
            return precedes(y, x) if side == "left" else op.NEITHER.write(precedes(x, y))

        f = function(a.trace, ["y"], [element(a)], is_before)
        place = computed(IndexType(a.shape[0] + 1), t.piped("partitionPoint", f.syntax, a.syntax), f, a)
        return cast(place, I64)

    return spread(count, [v], v.shape)


def _precedes(x: Part, y: Part, *, is_floating: bool) -> Part:
    """Whether a number comes before another one in sorted order."""
    is_less = op.LT.write(x, y)
    if not is_floating:
        return is_less
    is_number, is_nan = op.EQ.write(x, x), op.NE.write(y, y)
    return op.EITHER.write(is_less, op.BOTH.write(is_number, is_nan))


def _keys(name: str, xs: Part) -> Part:
    """The array as numbers, which can be ordered: indices as i64, and truth values as 0 and 1."""
    if not xs.shape:
        refuse("axis", f"`np.{name}` expected an array, found a scalar", "a scalar needs no sorting")
    if SCALARS.get(t.scalar_name(xs.element), SCALARS["i64"]).part:
        title = f"`np.{name}` expected real numbers, found {t.shown(xs.element)}"
        refuse("type-mismatch", title, "sort the parts: `np.lexsort((x.imag, x.real))` gives numpy's order")
    if xs.element == BOOL:
        return with_elements(xs, r.U8)
    [xs] = common(op.LT, [xs])
    return xs


def _known(xs: Part) -> int:
    size = xs.shape[0].constant if xs.shape else None
    if size is None:
        refuse("symbolic-size", "expected a known number of keys", "pass the keys as a tuple")
    return int(size)


def _refuse_fields(order: object) -> None:
    if order is not None:
        refuse("unsupported", "expected numbers, found an order of fields", "sort by keys: `np.lexsort`")
