"""numpy's functions that join, repeat, pad and flip arrays. Independent of reductions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any, Final

import numpy as np

from rise.embedding import reductions as r
from rise.embedding import shapes as sh
from rise.embedding.array_likes import leaves
from rise.embedding.elementwise import common, elementwise, first, over, select
from rise.embedding.operands import Operand, Operation, Size, Weak, check_operand, converted, size_of
from rise.embedding.places import refuse
from rise.embedding.scalars import NE, SUB
from rise.embedding.slices import item_text
from rise.embedding.trace import Part, Scope, shown
from rise.naturals import Nat, const
from rise.quotients import is_nonnegative, remainder
from rise.types import BOOL, I64, IndexType, Type

#: the functions that create an array from a list, or return an array unchanged
LISTING: Final = frozenset({np.array, np.asarray, np.asanyarray, np.ascontiguousarray})
#: the operation whose operands are the arrays that are joined: these get one type
_JOINED: Final = Operation("concatenate", "data", select)
#: the functions that join the arrays in a list, or the rows of an array
JOINING: Final = frozenset({np.concatenate, np.stack, np.hstack, np.vstack})


def moveaxis(xs: Part, source: int | Sequence[int], destination: int | Sequence[int]) -> Part:
    """`np.moveaxis` of one axis, or of several."""
    sources, destinations = r.different_axes(xs, source), r.different_axes(xs, destination)
    if len(sources) != len(destinations):
        title = f"expected as many destinations as axes to move, {len(sources)}, found {len(destinations)}"
        refuse("axis", title, "write a place for each axis")
    order = [axis for axis in range(len(xs.shape)) if axis not in sources]
    for place, axis in sorted(zip(destinations, sources, strict=True)):
        order.insert(place, axis)
    return sh.permuted(xs, order)


def concatenate(parts: Sequence[Any] | Part, axis: int = 0) -> Part:
    """`np.concatenate`, of a list of arrays or of the rows of an array."""
    if isinstance(parts, Part):
        return _rows_concatenated(parts, axis)
    arrays = _arrays(parts)
    at = r.axis_of(arrays[0], axis)
    moved = [moveaxis(array, at, 0) for array in arrays]
    result = moved[0]
    for array in moved[1:]:
        result = sh.concatenated(result, array)
    return moveaxis(result, 0, at)


def _rows_concatenated(xs: Part, axis: int) -> Part:
    """The rows of an array, one after the other along one of their axes."""
    if len(xs.shape) < 2:
        title = (
            f"expected a list of arrays, or an array with two axes, found a value of type {shown(xs.type)}"
        )
        refuse("type-mismatch", title, "write a list, `[x, y]`")
    at = r.axis_of(first(xs), axis)
    shape = list(xs.shape[1:])
    shape[at] = xs.shape[0] * shape[at]
    return sh.reshaped(moveaxis(xs, 0, at), shape)


def stack(parts: Sequence[Any] | Part, axis: int = 0) -> Part:
    """`np.stack`, of a list of arrays or of the rows of an array."""
    return moveaxis(parts if isinstance(parts, Part) else sh.stacked(_arrays(parts)), 0, axis)


def vstack(parts: Sequence[Any] | Part) -> Part:
    """`np.vstack`, of a list of arrays or of the rows of an array: arrays with one axis are rows."""
    if isinstance(parts, Part):
        return _rows_concatenated(parts, 0) if len(parts.shape) > 2 else parts
    arrays = _arrays(parts)
    return concatenate(
        [sh.repeated(array, [const(1)]) if len(array.shape) < 2 else array for array in arrays]
    )


def hstack(parts: Sequence[Any] | Part) -> Part:
    """`np.hstack`, of a list of arrays or of the rows of an array."""
    if isinstance(parts, Part):
        return _rows_concatenated(parts, min(1, len(parts.shape) - 2)) if len(parts.shape) > 1 else parts
    arrays = [array if array.shape else sh.stacked([array]) for array in _arrays(parts)]
    return concatenate(arrays, min(1, len(arrays[0].shape) - 1))


def _arrays(given: Sequence[Any]) -> list[Part]:
    """The arrays in a user's list; numbers, and lists of numbers, get the type of the others."""
    if isinstance(given, Part):
        title = f"expected a list of arrays, found a value of type {shown(given.type)}"
        refuse("type-mismatch", title, "write a list, `[x, y]`; to join the rows of x: `x.reshape(-1)`")
    items = list(leaves(given))
    sized = next((one for one in items if isinstance(one, Size | Weak)), None)
    if sized is not None and not any(isinstance(one, Part) for one in items):
        is_whole = all(isinstance(one, Size | int) for one in items)
        wanted = I64 if is_whole else sized.scope.trace.floating
        items = [converted(one, wanted, sized.scope) for one in items]
    types = {one.element for one in items if isinstance(one, Part)}
    assert types, "numpy calls these functions for symbolic values only"
    if len(types) > 1 or not all(isinstance(one, Part) for one in items):
        operation = (
            replace(_JOINED, kind="num") if any(isinstance(one, IndexType) for one in types) else _JOINED
        )
        items = common(operation, items)
    alike = iter(items)
    symbolic = next(one for one in items if isinstance(one, Part))
    return [_array(_rebuilt(one, alike), symbolic.element, symbolic.scope) for one in given]


def _rebuilt(given: Any, leaves: Iterator[Any]) -> Any:
    """A list of lists with other leaves."""
    return [_rebuilt(one, leaves) for one in given] if isinstance(given, list | tuple) else next(leaves)


def listed(given: Any) -> Part:
    """`np.array` of a list of values, numbers and sizes, or of a single one; an array stays the same."""
    if isinstance(given, Part):
        return given
    return sh.stacked(_arrays(given)) if isinstance(given, list | tuple) else _arrays([given])[0]


def _array(given: Any, element: Type, scope: Scope) -> Part:
    if isinstance(given, list | tuple) and given:
        return sh.stacked([_array(item, element, scope) for item in given])
    check_operand(given)
    return converted(given, element, scope)


def flip(xs: Part, axis: int | tuple[int, ...] | None = None) -> Part:
    """`np.flip`."""
    for flipped_axis in r.axes_of(xs, axis):
        xs = sh.under(flipped_axis, sh.backwards, xs)
    return xs


def diff(xs: Part, n: int = 1, axis: int = -1, prepend: Any = None, append: Any = None) -> Part:
    """`np.diff`, with elements added before and after the array if these are given, as arrays or numbers."""
    at = r.axis_of(xs, axis)
    if prepend is not None or append is not None:
        parts = (prepend, xs, append)
        xs = concatenate([_end(one, xs, at) for one in parts if one is not None], at)
    for _ in range(n):
        after = sh.under(at, lambda row: sh.drop(row, const(1)), xs)
        before = sh.under(at, lambda row: sh.take(row, row.shape[0] - 1), xs)
        xs = elementwise(NE if xs.element == BOOL else SUB, after, before)  # as numpy does
    return xs


def _end(given: Any, xs: Part, axis: int) -> Any:
    """The array to add before or after another one: an array itself, or a number as an array of length 1."""
    if isinstance(given, list | tuple) or (isinstance(given, Part) and given.shape):
        return given
    check_operand(given)
    shape = [const(1) if at == axis else length for at, length in enumerate(xs.shape)]
    return sh.repeated(converted(given, xs.element, xs.scope), shape)


def repeat(xs: Part, repeats: Any, axis: int | None = None) -> Part:
    """`np.repeat`, with the same number of repeats for all elements."""
    times = size_of(repeats)
    xs = sh.flat(_axes(xs)) if axis is None else xs
    at = r.axis_of(xs, axis or 0)
    return sh.under(at, lambda row: sh.join(over(lambda x: sh.repeated(x, [times]), [row])), xs)


def _axes(xs: Part) -> Part:
    return xs if xs.shape else sh.stacked([xs])


def roll(xs: Part, shift: Any, axis: int | tuple[int, ...] | None = None) -> Part:
    """`np.roll` of one or several axes, each by its own shift, or all by the same."""
    if isinstance(axis, tuple):
        shifts = shift if isinstance(shift, tuple) else (shift,) * len(axis)
        for one, along in zip(shifts, axis, strict=True):
            xs = roll(xs, one, along)
        return xs
    if axis is None and len(xs.shape) != 1:
        return sh.reshaped(roll(sh.flat(xs), shift), xs.shape)

    def rolled(row: Part) -> Part:
        size = row.shape[0]
        cut = _start_of_rolled(size, shift)
        return row if cut in (const(0), size) else sh.concatenated(sh.drop(row, cut), sh.take(row, cut))

    return sh.under(r.axis_of(xs, axis or 0), rolled, xs)


def _start_of_rolled(size: Nat, shift: Any) -> Nat:
    """The index of the element that becomes the first one if an axis is shifted."""
    known = size.constant
    if isinstance(shift, Size) and not shift.changes:
        if is_nonnegative(shift.nat):
            return size - remainder(shift.nat, size)
        if is_nonnegative(const(0) - shift.nat):
            return remainder(const(0) - shift.nat, size)
    if not isinstance(shift, int):
        title = f"expected a number by which `np.roll` shifts, found {item_text(shift)}"
        refuse("symbolic-size", title, "index the array: `x[(np.arange(n) - shift) % n]`")
    by = shift if known is None else shift % known if known else 0
    return size - by if by >= 0 else const(-by)


#: for numpy's modes, functions of the numbers of elements to add, which return the elements before and after a row
_ENDS: Final[Mapping[str, Callable[[Part, Nat, Nat], tuple[Part, Part]]]] = MappingProxyType(
    {
        "reflect": lambda row, left, right: (
            sh.backwards(sh.take(sh.drop(row, const(1)), left)),
            sh.backwards(sh.take(sh.drop(row, row.shape[0] - 1 - right), right)),
        ),
        "symmetric": lambda row, left, right: (
            sh.backwards(sh.take(row, left)),
            sh.backwards(sh.drop(row, row.shape[0] - right)),
        ),
        "wrap": lambda row, left, right: (sh.drop(row, row.shape[0] - left), sh.take(row, right)),
    }
)


def pad(xs: Part, pad_width: Any, mode: str = "constant", constant_values: Operand = 0) -> Part:
    """`np.pad`, with a constant, or with elements from near the edges or from the other end."""
    widths = _widths(pad_width, len(xs.shape))
    if mode not in ("constant", "edge", *_ENDS):
        known = ", ".join(f'"{name}"' for name in ("constant", "edge", *_ENDS))
        refuse(
            "unsupported",
            f"expected one of the modes {known}, found {mode!r}",
            "pad the array with numpy before the call",
        )
    value = None
    if mode == "constant":
        check_operand(constant_values)
        if xs.element == BOOL and isinstance(constant_values, int | float):
            constant_values = bool(constant_values)
        value = converted(constant_values, xs.element, xs.scope)
    for axis, (left, right) in enumerate(widths):
        below = xs.shape[axis + 1 :]

        def at_ends(row: Part, left: Nat = left, right: Nat = right, below: Sequence[Nat] = below) -> Part:
            if mode not in _ENDS:
                return sh.padded(row, left, right, None if value is None else sh.repeated(value, below))
            before, after = _ENDS[mode](row, left, right)
            result = row if left == const(0) else sh.concatenated(before, row)
            return result if right == const(0) else sh.concatenated(result, after)

        if (left, right) != (const(0), const(0)):
            xs = sh.under(axis, at_ends, xs)
    return xs


def _widths(given: Any, rank: int) -> list[tuple[Nat, Nat]]:
    if not isinstance(given, tuple | list):
        return [(size_of(given), size_of(given))] * rank
    if not isinstance(given[0], tuple | list):
        left, right = given if len(given) == 2 else (given[0], given[0])
        return [(size_of(left), size_of(right))] * rank
    widths = [(size_of(width[0]), size_of(width[-1])) for width in given]
    if len(widths) not in (1, rank):
        refuse(
            "shape-mismatch",
            f"expected widths of {rank} axes, found {len(widths)}",
            "write a pair for each axis",
        )
    return widths * rank if len(widths) == 1 else widths
