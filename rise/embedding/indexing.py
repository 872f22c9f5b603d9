"""`x[...]`: slices, single elements, new axes, gathered elements. Knows what numpy's brackets mean, no operators."""

from __future__ import annotations

from collections.abc import Sequence
from types import EllipsisType
from typing import TypeAlias

from rise.dsl.written import Written
from rise.embedding import trace as t
from rise.embedding.elementwise import Size, element, map_over, shape_text
from rise.embedding.places import refuse
from rise.embedding.shapes import drop, every, repeated, take
from rise.embedding.trace import Part, function, piped, viewed
from rise.naturals import Nat, const
from rise.text.nat_printer import show_nat
from rise.types import ArrayType, IndexType

Item: TypeAlias = "int | Size | slice | EllipsisType | Part | None"


def indexed(xs: Part, items: Sequence[Item]) -> Part:
    """The elements that the items between the brackets say, one item for an axis."""
    wanted = sum(one is not None and one is not Ellipsis for one in items)
    rank = len(xs.shape)
    if wanted > rank:
        title = f"expected at most {rank} indices, found {wanted}"
        refuse("index", title, f"the array has the shape {shape_text(xs.shape)}")
    if sum(one is Ellipsis for one in items) > 1:
        refuse("index", "expected one `...`, found several", "leave one of them out")
    whole: list[Item] = [slice(None)] * (rank - wanted)
    full: list[Item] = []
    for one in items:
        if one is Ellipsis:
            full += whole
            whole = []
        else:
            full.append(one)
    if sum(isinstance(one, Part) and bool(one.shape) for one in full) > 1:
        title = "expected one array of indices, found several"
        refuse("index", title, "take elements along one axis after the other, or by `map`")
    while full and full[-1] == slice(None):
        full.pop()
    return _indexed(xs, full)


def _indexed(xs: Part, items: Sequence[Item]) -> Part:
    if not items:
        return xs
    match items[0]:
        case None:
            return repeated(_indexed(xs, items[1:]), [const(1)])
        case slice() as cut:
            return _below(_sliced(xs, cut), items[1:])
        case Part() as index if index.shape:
            return _below(_gathered(xs, index), items[1:])
        case Part() | Size() | int() as index:
            return _indexed(_element(xs, index), items[1:])
    raise AssertionError(items[0])


def _below(xs: Part, items: Sequence[Item]) -> Part:
    if not items:
        return xs
    f = function(xs.trace, ["row"], [element(xs)], lambda row: _indexed(row, items))
    return map_over(f, xs, is_view=True)


def _sliced(xs: Part, cut: slice) -> Part:
    size = xs.shape[0]
    step = 1 if cut.step is None else cut.step
    if isinstance(step, bool) or not isinstance(step, int) or step < 1:
        title = f"expected a step of 1 or more, found {_item_text(step)}"
        refuse("index", title, "walk backwards by `generate` and indices, or reorder the input in numpy")
    known = size.constant
    if known is not None and all(one is None or isinstance(one, int) for one in (cut.start, cut.stop)):
        start, stop, _ = cut.indices(known)
        first, last = const(start), const(max(start, stop))
    else:
        first = _bound(cut.start, size, const(0))
        last = _bound(cut.stop, size, size)
    xs = take(drop(xs, first), last - first)
    return xs if step == 1 else every(xs, step)


def _bound(value: object, size: Nat, otherwise: Nat) -> Nat:
    match value:
        case None:
            return otherwise
        case Size(nat, _):
            return nat
        case int() if not isinstance(value, bool):
            return const(value) if value >= 0 else size + value
    title = f"expected a slice from numbers or sizes, found {_item_text(value)}"
    refuse(
        "index",
        title,
        "the length of a slice is part of its type: bounds are numbers, sizes, or sums of them",
    )


def _element(xs: Part, index: Part | Size | int) -> Part:
    size = xs.shape[0]
    if isinstance(index, Part):
        return _at(xs, index)
    where = index.nat if isinstance(index, Size) else const(index) if index >= 0 else size + index
    place, known = where.constant, size.constant
    if known is not None and place is not None and not 0 <= place < known:
        refuse(
            "index-out-of-range",
            f"expected an index below {known}, found {_item_text(index)}",
            "indices count from 0",
        )
    if place is None:
        xs, place = drop(xs, where), 0
        xs = take(xs, const(1)) if xs.shape[0] != const(1) else xs
    return viewed(element(xs), piped("idx", Written(str(place)), xs.syntax), xs)


def _at(xs: Part, index: Part) -> Part:
    _check_index(xs, index)
    return viewed(element(xs), piped("idx", index.syntax, xs.syntax), index, xs)


def _gathered(xs: Part, indices: Part) -> Part:
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
        title = "expected indices, found truth values: the length of the result would depend on data"
        refuse("data-dependent-size", title, "keep the length: `np.where(condition, x, 0)`")
    title = f"expected indices of type idx[{show_nat(size)}], found {t.shown(index.element)}"
    hint = (
        f'annotate the parameter as "idx[{show_nat(size)}]" or "M.idx[{show_nat(size)}]", or use `generate`'
    )
    refuse("index", title, hint)


def _item_text(value: object) -> str:
    match value:
        case Size(nat, _):
            return show_nat(nat)
        case Part():
            return f"a value of type {t.shown(value.type)}"
        case int() | float() | str():
            return repr(value)
    return type(value).__name__
