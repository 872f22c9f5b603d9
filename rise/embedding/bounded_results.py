"""Functions whose number of results depends on data, padded or truncated to a stated length; and `top_k`.

The functions also run on numpy arrays.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rise.dsl.printer import TypeNode
from rise.embedding import shapes as sh
from rise.embedding.conversions import as_part, inner
from rise.embedding.elementwise import common, select
from rise.embedding.functions import arange, as_size, scope_in
from rise.embedding.lengths import shape_text
from rise.embedding.numpy_definitions.sets import is_first
from rise.embedding.operands import Operation
from rise.embedding.places import refuse
from rise.embedding.reductions import is_true
from rise.embedding.trace import Part, apply, computed
from rise.embedding.values import wrap
from rise.naturals import Nat
from rise.types import BOOL, ArrayType

#: the operation whose operands are the elements and the fill value: these get one type
_FILL = Operation("compress", "data", select)


def compress(condition: Any, x: Any, size: Any, fill_value: Any = 0) -> Any:
    """The first `size` elements for which a condition holds, in order, padded with `fill_value`.

    A condition with one axis selects along the first axis. A condition with as many axes as `x` selects as
    `x[condition]` does.

    >>> compress(np.array([True, False, True]), np.array([5, 6, 7]), 3).tolist()
    [5, 7, 0]
    """
    scope = scope_in([condition, x, size])
    if scope is None:
        chosen = np.asarray(x)[np.asarray(condition, bool)][:size]
        dtype = np.result_type(chosen, fill_value)
        rest = np.full((size - len(chosen), *chosen.shape[1:]), fill_value, dtype)
        return np.concatenate((chosen.astype(dtype), rest))
    mask, (xs, fill) = (
        as_part(condition, scope),
        common(_FILL, [inner(x, scope), inner(fill_value, scope)], scope),
    )
    return wrap(_compressed(mask if mask.element == BOOL else is_true(mask), xs, as_size(size), fill))


def _compressed(mask: Part, xs: Part, size: Nat, fill: Part) -> Part:
    if len(mask.shape) == len(xs.shape) > 1 and mask.shape == xs.shape:
        mask, xs = sh.flat(mask), sh.flat(xs)
    if len(mask.shape) != 1 or not xs.shape:
        shapes = f"{shape_text(mask.shape)} and {shape_text(xs.shape)}"
        title = f"expected one condition for each element, found the shapes {shapes}"
        refuse("shape-mismatch", title, "flatten both arrays: `np.ravel(x)`")
    sh.zipped(mask, xs)  # of the same length
    rows = ArrayType(size, xs.type.element) if isinstance(xs.type, ArrayType) else xs.type
    fill = sh.repeated(fill, xs.shape[1:]) if not fill.shape else fill
    return computed(
        rows, apply("compress", TypeNode(size), mask.syntax, fill.syntax, xs.syntax), mask, fill, xs
    )


def flatnonzero(x: Any, size: Any, fill_value: int = 0) -> Any:
    """The indices of the first `size` elements that are not 0, in order, padded with `fill_value`.

    `np.count_nonzero(x)` is the number of such elements.
    """
    flat = np.ravel(x)
    return compress(flat, arange(flat.shape[0]), size, fill_value)


def nonzero(x: Any, size: Any) -> tuple[Any, ...]:
    """The indices along each axis of the first `size` elements that are not 0, in order, padded with 0.

    >>> [one.tolist() for one in nonzero(np.array([[0, 1], [2, 0]]), 3)]
    [[0, 1, 0], [1, 0, 0]]
    """
    places = flatnonzero(x, size)
    found: tuple[Any, ...] = ()
    for axis in reversed(range(1, x.ndim)):
        found = (places % x.shape[axis], *found)
        places = places // x.shape[axis]
    return (places, *found)


def unique(x: Any, size: Any) -> Any:
    """The first `size` distinct elements in ascending order, padded with the smallest one.

    >>> unique(np.array([3, 1, 3, 2]), 4).tolist()
    [1, 2, 3, 1]
    """
    ordered = np.sort(np.ravel(x))
    return compress(is_first(ordered), ordered, size, ordered[0])


def union1d(x: Any, y: Any, size: Any) -> Any:
    """The first `size` distinct elements of two arrays in ascending order, padded with the smallest one."""
    return unique(np.concatenate((np.ravel(x), np.ravel(y))), size)


def intersect1d(x: Any, y: Any, size: Any, fill_value: Any = 0) -> Any:
    """The first `size` distinct elements that occur in both arrays, in ascending order, padded with `fill_value`.

    >>> intersect1d(np.array([3, 1, 3, 2]), np.array([3, 0, 1]), 3).tolist()
    [1, 3, 0]
    """
    ordered, is_new, is_in = _members(x, y)
    return compress(is_new & is_in, ordered, size, fill_value)


def setdiff1d(x: Any, y: Any, size: Any, fill_value: Any = 0) -> Any:
    """The first `size` distinct elements that occur only in the first array, in ascending order, padded with
    `fill_value`.

    >>> setdiff1d(np.array([3, 1, 3, 2]), np.array([3, 0, 1]), 2).tolist()
    [2, 0]
    """
    ordered, is_new, is_in = _members(x, y)
    return compress(is_new & ~is_in, ordered, size, fill_value)


def _members(x: Any, y: Any) -> tuple[Any, Any, Any]:
    """The elements in ascending order; whether each is the first of equal ones; and whether each occurs in another
    array.
    """
    ordered = np.sort(np.ravel(x))
    return ordered, is_first(ordered), np.isin(ordered, y)


def top_k(x: Any, k: Any) -> tuple[Any, Any]:
    """The k largest elements along the last axis in descending order, and their indices; ties are resolved in favour
    of the first. NaNs come last.

    >>> values, indices = top_k(np.array([2, 9, 5, 9]), 3)
    >>> values.tolist(), indices.tolist()
    ([9, 9, 5], [1, 3, 2])
    """
    order = np.argsort(~x if x.dtype.kind in "iu" else -x, axis=-1, kind="stable")[..., :k]
    return np.take_along_axis(x, order, axis=-1), order
