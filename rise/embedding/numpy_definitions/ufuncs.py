"""The methods of numpy's binary functions: `reduce`, `accumulate`, `reduceat`, `outer`."""

from __future__ import annotations

from typing import Any

import numpy as np

from rise.embedding.places import refuse


def reduce(ufunc: np.ufunc, array: Any, axis: int = 0, *, keepdims: bool = False) -> Any:
    """`np.hypot.reduce` and similar methods, from the first to the last element: it need not be associative."""
    rows = _rows(ufunc, array, axis)
    found = rows[0]
    for i in range(1, len(rows)):
        found = ufunc(found, rows[i])
    return np.expand_dims(found, axis) if keepdims else found


def accumulate(ufunc: np.ufunc, array: Any, axis: int = 0) -> Any:
    """`np.hypot.accumulate` and similar methods."""
    rows = _rows(ufunc, array, axis)
    found = rows.copy()
    for i in range(1, len(rows)):
        found[i] = ufunc(found[i - 1], rows[i])
    return np.moveaxis(found, 0, axis)


def _rows(ufunc: np.ufunc, array: Any, axis: Any) -> Any:
    """The array with an axis moved to the front, and its elements converted to the function's result type."""
    if ufunc.nin != 2 or ufunc.nout != 1 or ufunc.signature is not None:
        title = f"expected a function of two numbers, found `np.{ufunc.__name__}`"
        refuse("unsupported", title, "call the function itself")
    if axis is None or isinstance(axis, tuple):
        title = f"expected one axis for `np.{ufunc.__name__}`, whose order matters, found axis={axis}"
        refuse("axis", title, "flatten the array: `np.ravel(x)`")
    rows = np.moveaxis(array, axis, 0)
    if ufunc.__name__.startswith("logical"):
        rows = rows if rows.dtype == np.bool_ else rows != 0
    dtype = ufunc(rows[:1], rows[:1]).dtype
    if dtype == np.bool_ != rows.dtype:
        title = f"expected a function whose results are of the array's type, found `np.{ufunc.__name__}`"
        refuse("unsupported", title, "compare neighbours: `np.all(x[:-1] < x[1:])`")
    return rows if rows.dtype == dtype else rows.astype(dtype)


def outer(ufunc: np.ufunc, a: Any, b: Any) -> Any:
    """`np.subtract.outer` and similar methods: the function on all pairs, the axes of the first array before the
    others.
    """
    rank = getattr(b, "ndim", 0)
    return ufunc(a[(..., *(None,) * rank)], b) if rank and getattr(a, "ndim", 0) else ufunc(a, b)


def reduceat(ufunc: np.ufunc, array: Any, indices: Any, axis: int = 0) -> Any:
    """`np.add.reduceat` and similar methods: for each index, combines the elements from there up to the next index, or
    returns the element itself if the next index is not greater. As in numpy, an index must be that of an element, and
    is counted from the start.
    """
    if ufunc is np.add or ufunc is np.multiply:
        array = array.astype(ufunc.reduce(array, axis=axis).dtype)
    rows = _rows(ufunc, array, axis)
    length = rows.shape[0]
    bounds = np.concatenate((np.asarray(indices), np.array([length])))
    bounds = np.where(bounds < 0, length, bounds)  # negative indices are out of range
    places, ends = bounds[:-1], bounds[1:]
    found = _accumulated(rows[places])
    for i in range(len(places)):
        k = 1
        while k < length and places[i] + k < ends[i]:
            found[i] = ufunc(found[i], _accumulated(rows[places[i] + k]))
            k += 1
    return np.moveaxis(found.astype(rows.dtype), 0, axis)


def _accumulated(x: Any) -> Any:
    """Floats of 16 bits as f32, the type in which numpy combines them."""
    return x.astype(np.float32) if x.dtype.itemsize == 2 and x.dtype.kind not in "iu" else x
