"""Slices whose bounds change in a loop, `a[i, :j]`, and elements selected by masks, as arrays with valid elements.

The length of an array is part of its type, so such a slice cannot be an array. It is represented by the whole axis and
the bounds of its valid elements: sums omit the other elements, and assignments do not change them. Supports arithmetic,
sums, variances, minima and maxima and their indices, products, scans, more axes, transposition, reversal, and
assignment.

One subject: such arrays and the functions of them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final, NoReturn

import numpy as np

from rise.embedding import reductions as r
from rise.embedding import scalars as op
from rise.embedding import shapes as sh
from rise.embedding.assignments import deep, matching, wide_as
from rise.embedding.blends import Span, blend, shifted
from rise.embedding.complex_words import has_complex
from rise.embedding.elementwise import elementwise, over, select, with_elements
from rise.embedding.indexing import Item, indexed
from rise.embedding.lengths import refuse_shapes, shape_text
from rise.embedding.loop_numbers import end_of
from rise.embedding.operands import Operation, Size, converted
from rise.embedding.places import refuse
from rise.embedding.python_numbers import number
from rise.embedding.slices import counted_from_start, fixed_bound, window_of
from rise.embedding.trace import Part, Trace, scalar_name
from rise.naturals import Nat, const
from rise.quotients import is_nonnegative, maximum
from rise.records import dataclass
from rise.scalars import SCALARS
from rise.types import BOOL


@dataclass(frozen=True, slots=True, eq=False)
class Spanned:
    """An array with whole axes, and for each axis the range of valid elements, or None for all; or a mask of its first
    axes, or of all, which has the valid rows or elements: numpy makes one axis of these.
    """

    part: Part
    spans: tuple[Span | None, ...]
    mask: Part | None = None

    @property
    def shape(self) -> tuple[Nat, ...]:
        """The number of valid elements along each axis."""
        pairs = zip(self.part.shape, self.spans, strict=True)
        return tuple(size if span is None else span[1] - span[0] for size, span in pairs)


def is_selection(items: Sequence[Item]) -> bool:
    """Whether the items are a single mask."""
    return (
        len(items) == 1 and isinstance(items[0], Part) and bool(items[0].shape) and items[0].element == BOOL
    )


def beside_mask(items: Sequence[Item]) -> tuple[list[Item], Part] | None:
    """For a mask in brackets after numbers only, with slices or numbers behind it: the items with a whole axis in its
    place, and the mask. `x[i, m, 1:]` is `x[i, :, 1:][m]`.
    """
    for place, item in enumerate(items):
        if isinstance(item, Part) and item.element == BOOL and len(item.shape) == 1:
            rest = [*items[:place], *items[place + 1 :]]
            is_first = all(isinstance(one, int | Size) for one in items[:place])
            is_plain = all(isinstance(one, int | Size | slice) for one in rest) and not has_span(rest)
            whole: list[Item] = [*items[:place], slice(None), *items[place + 1 :]]
            return (whole, item) if rest and is_first and is_plain else None
    return None


def selected(xs: Part, mask: Part) -> Spanned:
    """`x[mask]`: elements, or rows if the mask has fewer axes."""
    wanted = xs.shape[: len(mask.shape)]
    if mask.shape != wanted:
        title = f"expected a mask of the shape {shape_text(xs.shape)}, found {shape_text(mask.shape)}"
        refuse_shapes(mask.shape, wanted, title, "compare the array itself: `x[x > 0]`")
    return Spanned(xs, (None,) * len(xs.shape), mask)


def has_span(items: Sequence[Item]) -> bool:
    """Whether a slice in brackets has a length that changes in a loop."""
    return any(
        isinstance(bound, Size) and bound.changes
        for item in items
        if isinstance(item, slice) and window_of(item) is None
        for bound in (item.start, item.stop)
    )


def whole_items(items: Sequence[Item]) -> list[Item]:
    """The items with whole axes instead of slices whose bounds change."""
    return [slice(None) if has_span([item]) else item for item in items]


def spanned(xs: Part, items: Sequence[Item]) -> Spanned:
    """`x[items]`."""
    if any(
        item is Ellipsis or isinstance(item, list | tuple) or (isinstance(item, Part) and item.shape)
        for item in items
    ):
        title = "expected numbers, slices and `None` next to a slice whose bounds change in a loop, found another index"
        refuse("index", title, "index one axis after the other")
    spans: list[Span | None] = []
    sizes = iter(xs.shape)
    for item in items:
        if item is None:
            spans.append(None)
            continue
        size = next(sizes, const(0))  # too many items are refused below
        if not isinstance(item, slice):
            continue
        if not has_span([item]):
            spans.append(None)
            continue
        if item.step not in (None, 1):
            title = "expected step 1 in a slice whose bounds change in a loop, found another step"
            refuse("index", title, "reverse the slice, `x[:i][::-1]`, or write a loop")
        given = ((item.start, const(0)), (item.stop, size))
        moves = [isinstance(bound, Size) and bound.changes for bound, _ in given]
        # what a bound that does not move promises of sizes may be needed for one that moves
        order = sorted((0, 1), key=moves.__getitem__)
        ends = {place: _bound(*given[place], size) for place in order}
        spans.append((ends[0], ends[1]))
    part = indexed(xs, whole_items(items))
    spans += [None] * (len(part.shape) - len(spans))
    return Spanned(part, tuple(spans))


def with_axes(xs: Spanned, items: Sequence[Item]) -> Spanned:
    """`x[items]` with whole axes and `None`, which adds an axis of length 1."""
    _no_mask(xs)
    kept = iter(xs.spans)
    spans = [None if item is None else next(kept, None) for item in items]
    return Spanned(indexed(xs.part, items), (*spans, *kept))


def transposed(xs: Spanned) -> Spanned:
    """`x.T`."""
    _no_mask(xs)
    order = list(reversed(range(len(xs.spans))))
    return Spanned(sh.permuted(xs.part, order), xs.spans[::-1])


def _bound(given: Any, otherwise: Nat, size: Nat) -> Nat:
    match given:
        case None:
            return otherwise
        case Size() if given.changes:
            return counted_from_start(given, size)
        case Size():
            return fixed_bound(given, size)
        case int() if not isinstance(given, bool):
            return const(given) if given >= 0 else size + given
    refuse(
        "index", "expected numbers as bounds of a slice, found a value", "use sizes and variables of loops"
    )


def backwards(xs: Spanned) -> Spanned:
    """`x[::-1]`."""
    _no_mask(xs)
    span = xs.spans[0]
    if span is None:
        return Spanned(sh.backwards(xs.part), xs.spans)
    low, high = span
    size = xs.part.shape[0]
    # element p of the result is element low + high - 1 - p
    return Spanned(shifted(xs.part, size, -1, low + high - 1), xs.spans)


def combined(operation: Operation, *operands: Any) -> Spanned:
    """An operation on all valid elements."""
    return applied(lambda *parts: elementwise(operation, *parts), *operands)


def applied(function: Callable[..., Part], *operands: Any) -> Spanned:
    """A function of arrays, which broadcasts them, applied to all valid elements."""
    first = next(operand for operand in operands if isinstance(operand, Spanned))
    if any(isinstance(operand, Spanned) and operand.mask is not None for operand in operands):
        parts = [_same_mask(first, operand) for operand in operands]
        return Spanned(function(*parts), first.spans, first.mask)
    rank = max(len(operand.part.shape) for operand in operands if isinstance(operand, Spanned))
    spans: list[Span | None] = [None] * rank
    sizes = [const(1)] * rank  # of the axes of the result that have spans
    operands = tuple(_beside(first, operand) for operand in operands)
    for operand in operands:
        if isinstance(operand, Spanned):
            for axis, span in enumerate(reversed(operand.spans), 1):
                if spans[-axis] is None and span is not None:
                    spans[-axis], sizes[-axis] = span, operand.part.shape[-axis]
    parts = [
        _aligned(operand, spans, sizes, first) if isinstance(operand, Spanned) else operand
        for operand in operands
    ]
    for operand in operands:
        if isinstance(operand, Part):
            for size, span in zip(operand.shape[::-1], spans[::-1], strict=False):
                if span is not None and size != const(1):
                    _no_shape(first, operand.shape)
    result = function(*parts)
    return Spanned(result, tuple([None] * (len(result.shape) - rank) + spans))


def _same_mask(first: Spanned, operand: Any) -> Any:
    """An operand to combine with what a mask selects: a number, a row to combine with each row, or what the same mask
    selects.
    """
    rank = len(first.part.shape)
    if isinstance(operand, Spanned):
        if operand.mask is first.mask and operand.mask is not None and len(operand.part.shape) == rank:
            return operand.part
        title = "expected elements of one mask, found those of several"
        hint = "name the mask, and use it for all of them: `m = x > 0`"
        if operand.mask is first.mask:
            title = "expected what a mask selects from arrays with as many axes, found other numbers of axes"
            hint = "repeat the elements along the rows before they are selected: `y[:, None]`"
        refuse("shape-mismatch", title, hint)
    if isinstance(operand, Part) and len(operand.shape) > rank - _axes_of_mask(first):
        title = "expected numbers to combine with elements of a mask, found an array"
        refuse("shape-mismatch", title, "select from the array by the same mask, `y[m]`")
    return operand


def _axes_of_mask(xs: Spanned) -> int:
    return 0 if xs.mask is None else len(xs.mask.shape)


def _flags(xs: Spanned, mask: Part) -> Part:
    """The mask of elements for a mask of the first axes."""
    for size in xs.part.shape[len(mask.shape) :]:
        mask = deep(mask, size)
    return mask


def _beside(first: Spanned, operand: Any) -> Any:
    """An operand to combine with a slice: an array is itself a slice along the axes where it has as many elements."""
    if not isinstance(operand, Part) or len(operand.shape) > len(first.spans) or not any(first.spans):
        return operand
    axes = zip(operand.shape[::-1], first.spans[::-1], strict=False)
    spans = [
        (const(0), size) if span is not None and size == span[1] - span[0] else None for size, span in axes
    ]
    return Spanned(operand, tuple(reversed(spans))) if any(spans) else operand


def _aligned(xs: Spanned, spans: Sequence[Span | None], sizes: Sequence[Nat], first: Spanned) -> Part:
    """The array with its valid elements shifted to the positions of other ones, in axes of these sizes. Errors show
    the shape of `first`.
    """
    part = xs.part
    for axis in range(len(xs.spans)):
        wanted, size = spans[axis - len(xs.spans)], sizes[axis - len(xs.spans)]
        found = xs.spans[axis]
        if wanted is None or (wanted == found and part.shape[axis] == size):
            continue
        if found is None:
            if part.shape[axis] == const(1):
                continue
            _no_shape(first, xs.shape)
        if not _have_one_length(wanted, size, found, part.shape[axis], part.trace):
            _no_shape(first, xs.shape)
        part = sh.under(axis, partial(_moved, found[0] - wanted[0], size), part)
    return part


def _have_one_length(one: Span, size: Nat, other: Span, of_other: Nat, trace: Trace) -> bool:
    """Whether ranges in axes of these sizes have the same length, perhaps because a call checks it: `x[:k]` has `k`
    elements if no `k` of the enclosing loops is beyond the end of `x`.
    """
    length, found = one[1] - one[0], other[1] - other[0]
    for clipped, whole, asked in ((length, size, found), (found, of_other, length)):
        most = end_of(asked, trace, 1)
        is_cut = clipped == whole - maximum(const(0), whole - asked)
        if clipped != asked and is_cut and most is not None and not trace.conditions:
            trace.promise_at_most(most, whole)
            return True
    return length == found


def _moved(offset: Nat, size: Nat, row: Part) -> Part:
    """`size` elements of an array from an offset on, with zeros in place of those that it lacks."""
    if offset == const(0) and is_nonnegative(row.shape[0] - size):
        return sh.take(row, size)
    if offset == const(0) and is_nonnegative(size - row.shape[0]):
        return sh.padded(row, const(0), size - row.shape[0], sh.zeros(row))
    return shifted(row, size, 1, offset)


def _no_shape(first: Spanned, found: Sequence[Nat]) -> NoReturn:
    title = f"expected an array of the shape {shape_text(first.shape)}, found {shape_text(found)}"
    refuse(
        "shape-mismatch",
        title,
        "slices whose bounds change need the same length, as `x[:i]` and `y[j:j + i]` have",
    )


def filled(xs: Spanned, value: Any) -> Part:
    """The array with all invalid elements replaced by a value."""
    if xs.mask is not None:
        return select(_flags(xs, xs.mask), xs.part, number(value, xs.part.element, xs.part.scope))
    return blend(xs.part, wide_as(number(value, xs.part.element, xs.part.scope), xs.part.shape), xs.spans)


def reduced(fold: r.Fold, xs: Spanned, axis: Any, keep: bool) -> Part | Spanned:
    """A sum, minimum or maximum of the valid elements."""
    if xs.mask is not None:
        return _reduced_rows(fold, xs, xs.mask, axis, keep)
    axes = r.axes_of(xs.part, axis)
    spans = [span if place in axes else None for place, span in enumerate(xs.spans)]
    given = filled(Spanned(xs.part, tuple(spans)), fold.start_of(xs.part.element))
    result = r.reduced(fold, r.widened(fold, given), axis, keep)
    left = [
        None if place in axes else span for place, span in enumerate(xs.spans) if keep or place not in axes
    ]
    return Spanned(result, tuple(left)) if any(left) else result


def _reduced_rows(fold: r.Fold, xs: Spanned, mask: Part, axis: Any, keep: bool) -> Part | Spanned:
    """A sum, minimum or maximum of what a mask selects; its first axis are the selected elements or rows."""
    axes, every = _axes_of_selected(xs, mask, axis)
    given = xs.part if 0 not in axes else filled(xs, fold.start_of(xs.part.element))
    return _of_selected(r.reduced(fold, r.widened(fold, given), every), mask, axes, keep)


def _axes_of_selected(xs: Spanned, mask: Part, axis: Any) -> tuple[list[int], tuple[int, ...]]:
    """Axes of what a mask selects, and the axes of the whole array that they are."""
    axes, joined = r.axes_of(_joined(xs), axis), len(mask.shape)
    every = [*(range(joined) if 0 in axes else ()), *(place + joined - 1 for place in axes if place)]
    return list(axes), tuple(every)


def _of_selected(result: Part, mask: Part, axes: Sequence[int], keep: bool) -> Part | Spanned:
    """What was computed along axes of what a mask selects: still a selection, unless the first axis is among them."""
    if keep:
        joined = len(mask.shape)
        result = r.with_unit_axes(result, axes if 0 in axes else [place + joined - 1 for place in axes])
    return result if 0 in axes else Spanned(result, (None,) * len(result.shape), mask)


def _joined(xs: Spanned) -> Part:
    """A row along each axis of the mask but the first: an array with as many axes as what the mask selects."""
    part = xs.part
    for _ in range(_axes_of_mask(xs) - 1):
        part = indexed(part, [0])
    return part


def mean(xs: Spanned, axis: Any, keep: bool) -> Part | Spanned:
    """The mean of the valid elements."""
    total, count = reduced(r.SUM, xs, axis, keep), const(1)
    shape = xs.shape if xs.mask is None else _joined(xs).shape
    axes = r.axes_of(xs.part if xs.mask is None else _joined(xs), axis)
    for place in axes:
        count = count * (const(1) if xs.mask is not None and not place else shape[place])
    size = Size(count, xs.part.trace.root)
    if isinstance(total, Spanned):
        return combined(op.DIV, total, size)
    if xs.mask is None:
        return elementwise(op.DIV, total, size)
    selected_ones = with_elements(r.reduced(r.SUM, xs.mask, None), total.element)
    return elementwise(
        op.DIV, total, selected_ones if count == const(1) else elementwise(op.MUL, selected_ones, size)
    )


def valid(xs: Spanned) -> Part:
    """Whether each element is valid, in the shape of the whole array."""
    if xs.mask is not None:
        return _flags(xs, xs.mask)
    yes, no = (sh.repeated(number(truth, BOOL, xs.part.scope), xs.part.shape) for truth in (True, False))
    return blend(yes, no, xs.spans)


def variance(
    function: Callable[..., Part],
) -> Callable[..., Part | Spanned]:
    """`np.var` or `np.std` of the valid elements; the function computes it of the elements that a mask selects."""

    def of_valid(xs: Spanned, axis: Any = None, ddof: int = 0, keepdims: bool = False) -> Part | Spanned:
        if xs.mask is None:
            axes = r.axes_of(xs.part, axis)
            spans = [span if place in axes else None for place, span in enumerate(xs.spans)]
            where = valid(Spanned(xs.part, tuple(spans))) if any(spans) else None
            result = function(xs.part, axis, keepdims, ddof, where)
            left = [
                None if place in axes else span
                for place, span in enumerate(xs.spans)
                if keepdims or place not in axes
            ]
            return Spanned(result, tuple(left)) if any(left) else result
        axes, every = _axes_of_selected(xs, xs.mask, axis)
        result = function(xs.part, every, False, ddof, valid(xs) if 0 in axes else None)
        return _of_selected(result, xs.mask, axes, keepdims)

    return of_valid


def product(left: Any, right: Any) -> Part | Spanned:
    """`@`: sums over the valid elements."""
    if (found := _product_of_selected(left, right)) is not None:
        return found
    xs, ys = (
        one if isinstance(one, Spanned) else Spanned(one, (None,) * len(one.shape)) for one in (left, right)
    )
    _no_mask(xs)
    _no_mask(ys)
    across = max(0, len(ys.spans) - 2)
    a, b = xs.spans[-1], ys.spans[across]
    if a is None and b is None:
        result = r.product(xs.part, ys.part)
    elif a is None or b is None:
        _no_shape(xs, ys.shape)
    else:
        wanted = [*ys.spans]
        wanted[across] = a
        sizes, size = [*ys.part.shape], ys.part.shape[across]
        part = xs.part
        if is_nonnegative(part.shape[-1] - size) and is_nonnegative(size - a[1]):
            part = sh.under(len(xs.spans) - 1, partial(_moved, const(0), size), part)
        sizes[across] = part.shape[-1]
        moved = _aligned(ys, wanted, sizes, Spanned(_axis_of(part, len(ys.spans), across), tuple(wanted)))
        if a[1] - a[0] != b[1] - b[0]:
            _no_shape(xs, ys.shape)
        one = filled(Spanned(part, (None,) * (len(xs.spans) - 1) + (a,)), 0)
        spans = [None] * len(ys.spans)
        other = filled(
            Spanned(moved, tuple(a if place == across else None for place in range(len(spans)))), 0
        )
        result = r.product(one, other)
    left_spans = [*xs.spans[:-1], *(span for place, span in enumerate(ys.spans) if place != across)]
    return Spanned(result, tuple(left_spans)) if any(left_spans) else result


def _product_of_selected(left: Any, right: Any) -> Part | Spanned | None:
    """`@` of the elements that one mask selects from two arrays, or of the rows that it selects and an array; None for
    other operands.
    """
    if not isinstance(left, Spanned) or left.mask is None or len(left.mask.shape) > 1:
        return None
    if isinstance(right, Spanned):
        if right.mask is not left.mask or len(left.part.shape) > 1:
            return None
        weights = left.part
        for size in right.part.shape[1:]:
            weights = deep(weights, size)
        return reduced(r.SUM, combined(op.MUL, Spanned(weights, right.spans, left.mask), right), 0, False)
    if len(left.part.shape) == 1:
        return None
    result = r.product(left.part, right)
    return Spanned(result, (None,) * len(result.shape), left.mask)


def _no_mask(xs: Spanned) -> None:
    if xs.mask is not None:
        title = "programs do not support this for elements selected by a mask"
        refuse(
            "unsupported",
            title,
            "supported are arithmetic, sums, means, minima, maxima and the like; set the other elements to 0 by"
            " `np.where`",
        )


def _axis_of(xs: Part, rank: int, across: int) -> Part:
    """An array with `rank` axes, whose axis `across` is as long as the last axis of `xs`."""
    row = xs
    while len(row.shape) > 1:
        row = indexed(row, [0])
    for _ in range(rank - 1):
        row = sh.repeated(row, [const(1)]) if across else over(lambda x: sh.repeated(x, [const(1)]), [row])
    return row


def blended(old: Spanned, value: Any) -> Part:
    """The array with whole axes after an assignment of a value to the valid elements."""
    if old.mask is not None:
        part = converted(_same_mask(old, value), old.part.element, old.part.scope)
        return select(_flags(old, old.mask), matching(old.part, part), old.part)
    value = _beside(old, value)
    if isinstance(value, Spanned):
        part = _aligned(value, old.spans, old.part.shape, old)
        for size, span, kept in zip(value.shape[::-1], value.spans[::-1], old.spans[::-1], strict=False):
            if span is None and kept is not None and size != const(1):
                _no_shape(old, value.shape)
    else:
        part = converted(value, old.part.element, old.part.scope)
        for size, kept in zip(part.shape[::-1], old.spans[::-1], strict=False):
            if kept is not None and size != const(1):
                _no_shape(old, part.shape)
    return blend(wide_as(matching(old.part, part), old.part.shape), old.part, old.spans)


def outer(xs: Any, ys: Any) -> Spanned:
    """`np.outer` of two arrays with one axis."""
    column, row = (
        with_axes(one, items) if isinstance(one, Spanned) else indexed(one, items)
        for one, items in ((xs, [slice(None), None]), (ys, [None, slice(None)]))
    )
    return combined(op.MUL, column, row)


def norm(xs: Spanned) -> Part:
    """`np.linalg.norm` over all axes: the square root of the sum of squares."""
    is_inexact = has_complex(xs.part) or "floating" in SCALARS[scalar_name(xs.part.element)].classes
    given = xs if is_inexact else Spanned(r.in_double(xs.part), xs.spans, xs.mask)
    squares = applied(lambda part: elementwise(r.SQUARED, part), given)
    total = reduced(r.SUM, squares, None, False)
    assert isinstance(total, Part), "no axis is left"
    return elementwise(op.UFUNCS["sqrt"], total)


def placed(name: str, fold: r.Fold) -> Callable[[Spanned], Part]:
    """`np.argmin` or `np.argmax` of an array with one axis; `fold` is the extreme. Indices start at the first valid
    element.
    """

    def function(xs: Spanned) -> Part:
        _no_mask(xs)
        [span] = xs.spans if len(xs.spans) == 1 else [None]
        if span is None:
            title = f"`{name}` expected a slice with one axis, found {len(xs.spans)}"
            refuse("unsupported", title, "index the other axes, or use the whole array")
        size, count = xs.part.shape[0], span[1] - span[0]
        moved = Spanned(
            shifted(xs.part, size, 1, span[0]), ((const(0), count),)
        )  # ties are resolved in its favour
        return r.placed(name, filled(moved, fold.start_of(xs.part.element)), None)

    return function


def accumulated(fold: r.Fold) -> Callable[..., Spanned]:
    """`np.cumsum` or `np.cumprod` of an array with one axis: elements that are not valid change nothing."""

    def function(xs: Spanned, axis: int | None = None) -> Spanned:
        if len(xs.part.shape) > 1 or axis not in (None, 0, -1):
            title = f"expected a slice with one axis to accumulate, found {len(xs.part.shape)}"
            refuse("unsupported", title, "index the other axes, or use the whole array")
        given = r.widened(fold, filled(xs, fold.start_of(xs.part.element)))
        return Spanned(r.scanned(fold, given, 0), xs.spans, xs.mask)

    return function


def is_any(fold: r.Fold) -> Callable[..., Part | Spanned]:
    """`np.any` or `np.all`."""
    return lambda xs, axis=None, keepdims=False: reduced(
        fold, Spanned(r.is_true(xs.part), xs.spans, xs.mask), axis, keepdims
    )


FUNCTIONS: Final[dict[Any, Callable[..., Any]]] = {
    np.sum: lambda xs, axis=None, keepdims=False: reduced(r.SUM, xs, axis, keepdims),
    np.prod: lambda xs, axis=None, keepdims=False: reduced(r.PRODUCT, xs, axis, keepdims),
    np.max: lambda xs, axis=None, keepdims=False: reduced(r.GREATEST, xs, axis, keepdims),
    np.min: lambda xs, axis=None, keepdims=False: reduced(r.LEAST, xs, axis, keepdims),
    np.mean: lambda xs, axis=None, keepdims=False: mean(xs, axis, keepdims),
    np.cumsum: accumulated(r.SUM),
    np.cumprod: accumulated(r.PRODUCT),
    np.var: variance(r.variance),
    np.std: variance(r.deviation),
    np.any: is_any(r.ANY),
    np.all: is_any(r.ALL),
    np.argmax: placed("argmax", r.GREATEST),
    np.argmin: placed("argmin", r.LEAST),
    np.linalg.norm: norm,
    np.where: lambda condition, yes, no: applied(select, condition, yes, no),
    np.outer: outer,
    np.transpose: transposed,
    np.dot: product,
    np.flip: lambda xs, axis=0: backwards(xs),
    np.copy: lambda xs: xs,
}
