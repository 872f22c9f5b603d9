"""numpy's functions of sets, whose number of results depends on data, in numpy's words.

The elements are sorted, and a mask selects the first of equal ones. Independent of how programs represent what a mask
selects.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rise.embedding.places import refuse


def is_first(ordered: Any, equal_nan: bool = True) -> Any:
    """Whether each element of a sorted array differs from the previous one; NaNs are equal if `equal_nan`."""
    differs = ordered[1:] != ordered[:-1]
    if equal_nan and ordered.dtype.kind in "fc":  # NaNs are the last ones
        differs = differs & ~np.isnan(ordered[:-1])
    return np.concatenate((np.ones_like(ordered[:1], dtype=np.bool_), differs))


def unique(
    ar: Any,
    return_index: bool = False,
    return_inverse: bool = False,
    return_counts: bool = False,
    axis: int | None = None,
    *,
    equal_nan: bool = True,
    sorted: bool = True,
) -> Any:
    """`np.unique` of all elements, or of the rows of a matrix; the results are always sorted."""
    if axis is not None:
        if ar.ndim != 2 or axis not in (0, -2):
            title = f"expected a matrix and axis 0, found {ar.ndim} axes and axis {axis}"
            refuse(
                "unsupported",
                title,
                "transpose the array, or reshape it to a matrix: `x.reshape(len(x), -1)`",
            )
        order = _order_of_rows(ar)
        ordered = ar[order]
        first = np.concatenate((order[:1] == order[:1], np.any(ordered[1:] != ordered[:-1], axis=1)))
    else:
        flat = np.ravel(ar)
        order = np.argsort(flat, kind="stable") if return_index or return_inverse else None
        ordered = np.sort(flat) if order is None else flat[order]
        first = is_first(ordered, equal_nan)
    results = [ordered[first]]
    if return_index and order is not None:
        results.append(order[first])
    if return_inverse and order is not None:
        inverse = np.zeros_like(order)
        inverse[order] = np.cumsum(first) - 1
        results.append(inverse if axis is not None else inverse.reshape(np.shape(ar)))
    if return_counts:
        results.append(_lengths(first)[first])
    return tuple(results) if len(results) > 1 else results[0]


def _order_of_rows(xs: Any) -> Any:
    """The indices of the rows in ascending order; the first column decides first."""
    order = np.arange(xs.shape[0])
    for k in range(xs.shape[1]):
        column = xs[:, xs.shape[1] - 1 - k]
        order = order[np.argsort(column[order], kind="stable")]
    return order


def _lengths(first: Any) -> Any:
    """For each first element of equal ones, how many these are; other positions are unspecified."""
    places = np.cumsum(np.ones_like(first, dtype=np.int64)) - 1  # `np.arange` needs a function with a source
    starts = np.where(first, places, first.shape[0])
    ends = np.concatenate((starts[1:], np.full_like(starts[:1], first.shape[0])))
    return np.minimum.accumulate(ends[::-1])[::-1] - places


def union1d(ar1: Any, ar2: Any) -> Any:
    """`np.union1d`."""
    return unique(np.concatenate((np.ravel(ar1), np.ravel(ar2))))


def intersect1d(ar1: Any, ar2: Any, assume_unique: bool = False) -> Any:
    """`np.intersect1d`, without the places of the elements."""
    ordered = np.sort(np.ravel(ar1).astype(np.result_type(ar1.dtype, ar2.dtype)))
    return ordered[is_first(ordered) & np.isin(ordered, ar2)]


def setdiff1d(ar1: Any, ar2: Any, assume_unique: bool = False) -> Any:
    """`np.setdiff1d`: of distinct elements, in their order; of others, in ascending order."""
    if assume_unique:
        flat = np.ravel(ar1)
        return flat[~np.isin(flat, ar2)]
    ordered = np.sort(np.ravel(ar1))
    return ordered[is_first(ordered) & ~np.isin(ordered, ar2)]
