"""numpy functions based on sorting: medians and quantiles, interpolation, bins."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from rise.embedding.places import refuse

Axis = int | tuple[int, ...] | None


def _rows(a: Any, axis: Axis) -> Any:
    """The array with some axes joined and moved to the end."""
    if axis is None:
        return a.reshape(-1)
    if isinstance(axis, tuple):
        axes = sorted(one % a.ndim for one in axis)
        others = [one for one in range(a.ndim) if one not in axes]
        turned = np.transpose(a, (*others, *axes))
        return turned.reshape(*turned.shape[: len(others)], -1)
    return np.moveaxis(a, axis, -1)


def _with_axes(found: Any, a: Any, axis: Axis, keepdims: bool, before: int = 0) -> Any:
    """The result with the reduced axes as axes of length 1, if these are kept."""
    if not keepdims:
        return found
    axes = range(a.ndim) if axis is None else axis if isinstance(axis, tuple) else (axis,)
    for one in sorted(one % a.ndim for one in axes):
        found = np.expand_dims(found, one + before)
    return found


def median(a: Any, axis: Axis = None, *, keepdims: bool = False) -> Any:
    """`np.median`."""
    rows = np.sort(_rows(a, axis), axis=-1)
    n = rows.shape[-1]
    found = np.mean(np.stack((rows[..., (n - 1) // 2], rows[..., n // 2]), axis=-1), axis=-1)
    return _with_axes(_nan_last(found, rows), a, axis, keepdims)


def _nan_last(found: Any, rows: Any) -> Any:
    """The result, or NaN where a sorted row contains one."""
    return np.where(np.isnan(rows[..., -1]), rows[..., -1], found) if rows.dtype.kind == "f" else found


def nanmedian(a: Any, axis: Axis = None, *, keepdims: bool = False) -> Any:
    """`np.nanmedian`."""
    if a.dtype.kind != "f":
        return median(a, axis, keepdims=keepdims)
    rows = np.sort(_rows(a, axis), axis=-1)
    count = np.sum(~np.isnan(rows), axis=-1, keepdims=True)
    middle = np.concatenate(((count - 1) // 2, count // 2), axis=-1)
    return _with_axes(np.mean(np.take_along_axis(rows, middle, axis=-1), axis=-1), a, axis, keepdims)


def nanquantile(a: Any, q: Any, axis: Axis = None, *, keepdims: bool = False) -> Any:
    """`np.nanquantile` for one quantile, by linear interpolation; NaN for rows without numbers."""
    if not isinstance(q, int | float):
        refuse(
            "unsupported",
            "expected one share, a Python number, found an array",
            "compute one quantile at a time",
        )
    if a.dtype.kind != "f":
        return quantile(a, q, axis, keepdims=keepdims)
    rows = np.sort(_rows(a, axis), axis=-1)
    count = np.sum(~np.isnan(rows), axis=-1, keepdims=True)
    place = np.maximum(count - 1, 0).astype(np.float64) * q
    below = np.floor(place)
    low = below.astype(np.int64)
    first = np.take_along_axis(rows, low, axis=-1)
    second = np.take_along_axis(rows, np.minimum(low + 1, np.maximum(count - 1, 0)), axis=-1)
    found = _between(first, second, place - below, a.dtype)
    return _with_axes(np.sum(found, axis=-1), a, axis, keepdims)


def nanpercentile(a: Any, q: Any, axis: Axis = None, *, keepdims: bool = False) -> Any:
    """`np.nanpercentile`, like `nanquantile`."""
    return nanquantile(a, q / 100, axis, keepdims=keepdims)


def quantile(a: Any, q: Any, axis: Axis = None, *, method: str = "linear", keepdims: bool = False) -> Any:
    """`np.quantile`, for one quantile or an array of them."""
    if method not in ("linear", "lower", "higher", "midpoint"):
        title = f"expected the method linear, lower, higher or midpoint, found {method!r}"
        refuse("unsupported", title, "choose one of these, or compute it from `np.sort(x)`")
    rows = np.sort(_rows(a, axis), axis=-1)
    share, result = _share(q, rows), _result(a, q)
    axes = share.ndim
    n = rows.shape[-1]
    place = (n - 1) * share
    below = np.floor(place)
    low = below.astype(np.int64)
    high = np.ceil(place).astype(np.int64) if method in ("higher", "midpoint") else np.minimum(low + 1, n - 1)
    first, second = rows[..., low], rows[..., high]
    if method in ("lower", "higher"):
        found = first if method == "lower" else second
    else:
        part = place - below if method == "linear" else np.where(place == below, 0.0, 0.5).astype(place.dtype)
        found = _between(first, second, part, result)
    if rows.dtype.kind == "f":
        last = rows[..., -1].astype(found.dtype)
        for _ in range(axes):
            last = np.expand_dims(last, -1)
        found = np.where(np.isnan(last), last, found)
    for _ in range(axes):  # the axes of the quantiles come first
        found = np.moveaxis(found, -1, 0)
    return _with_axes(found, a, axis, keepdims, axes)


def _share(q: Any, rows: Any) -> Any:
    """The quantiles as f64."""
    if isinstance(q, list | tuple):
        return np.stack([_share(one, rows) for one in q])
    return q.astype(np.float64) if hasattr(q, "dtype") else _number_like(rows.reshape(-1)[0], q)


def _number_like(scalar: Any, number: Any) -> Any:
    """A Python number, or one computed from sizes, as f64, for use with a scalar of the program."""
    return np.full_like(scalar, number, dtype=np.float64)


def _result(a: Any, q: Any) -> Any:
    """The type of interpolated values. Python numbers do not widen it."""
    if a.dtype.kind != "f":
        return np.float64
    if isinstance(q, list | tuple):
        return np.result_type(a.dtype, *(getattr(one, "dtype", np.float64) for one in q))
    return np.result_type(a.dtype, q.dtype) if hasattr(q, "dtype") else a.dtype


def _between(a: Any, b: Any, part: Any, result: Any) -> Any:
    """numpy's linear interpolation, which is exact at both ends."""
    difference = (b - a).astype(result)
    low, high = a.astype(result), b.astype(result)
    after, before = part.astype(result), (1 - part).astype(result)
    return np.where(part >= 0.5, high - difference * before, low + difference * after)


def percentile(a: Any, q: Any, axis: Axis = None, *, method: str = "linear", keepdims: bool = False) -> Any:
    """`np.percentile`."""
    shares = [_hundredth(one) for one in q] if isinstance(q, list | tuple) else _hundredth(q)
    return quantile(a, shares, axis, method=method, keepdims=keepdims)


def _hundredth(q: Any) -> Any:
    return (q.astype(np.float64) if getattr(getattr(q, "dtype", None), "kind", "f") in "iu" else q) / 100


def digitize(x: Any, bins: Any, right: bool = False) -> Any:
    """`np.digitize`, with bins in ascending or descending order."""
    side: Literal["left", "right"] = "left" if right else "right"
    if isinstance(bins, list | tuple) and not bins[0] > bins[-1]:
        return np.searchsorted(bins, x, side=side)
    bins = np.array(bins) if isinstance(bins, list | tuple) else bins
    falls = bins[0] > bins[-1]
    at = np.searchsorted(np.where(falls, bins[::-1], bins), x, side=side)
    return np.where(falls, bins.shape[0] - at, at)


def interp(x: Any, xp: Any, fp: Any, left: Any = None, right: Any = None) -> Any:
    """`np.interp`, in f64."""
    xp, fp = (np.array(one) if isinstance(one, list | tuple) else one for one in (xp, fp))
    if hasattr(x, "dtype"):  # known arrays become arrays of the program
        xp, fp = (one + np.zeros_like(x.sum()) if isinstance(one, np.ndarray) else one for one in (xp, fp))
    places, values = xp.astype(np.float64), fp.astype(np.float64)
    given = x.astype(np.float64) if hasattr(x, "dtype") else _number_like(places[0], x)
    n = places.shape[0]
    at = np.minimum(np.maximum(np.searchsorted(places, given, side="right") - 1, 0), n - 1)
    after = np.minimum(at + 1, n - 1)
    x0, x1, y0, y1 = places[at], places[after], values[at], values[after]
    slope = (y1 - y0) / (x1 - x0)
    found = slope * (given - x0) + y0
    found = np.where(np.isnan(found), slope * (given - x1) + y1, found)
    found = np.where(np.isnan(found) & (y0 == y1), y0, found)
    found = np.where((given == x0) | (at == n - 1), y0, found)
    found = np.where(given < places[0], values[0] if left is None else left, found)
    found = np.where(given > places[n - 1], values[n - 1] if right is None else right, found)
    # for one point, numpy returns the value, since it only compares
    return np.where(np.isnan(given) & (np.full_like(at, n) > 1), given, found)
