"""numpy's functions that rest on sorted arrays: medians and quantiles, interpolation, bins."""

from __future__ import annotations

from typing import Any

import numpy as np

from rise.embedding.places import refuse

Axis = int | tuple[int, ...] | None


def _rows(a: Any, axis: Axis) -> Any:
    """The elements along some axes, as the last one."""
    if axis is None:
        return a.reshape(-1)
    if isinstance(axis, tuple):
        axes = sorted(one % a.ndim for one in axis)
        others = [one for one in range(a.ndim) if one not in axes]
        turned = np.transpose(a, (*others, *axes))
        return turned.reshape(*turned.shape[: len(others)], -1)
    return np.moveaxis(a, axis, -1)


def _with_axes(found: Any, a: Any, axis: Axis, keepdims: bool, before: int = 0) -> Any:
    """The result with axes of length 1, if these are kept."""
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
    """NaN where a sorted row has one."""
    return np.where(np.isnan(rows[..., -1]), rows[..., -1], found) if rows.dtype.kind == "f" else found


def nanmedian(a: Any, axis: Axis = None, *, keepdims: bool = False) -> Any:
    """`np.nanmedian`."""
    if a.dtype.kind != "f":
        return median(a, axis, keepdims=keepdims)
    rows = np.sort(_rows(a, axis), axis=-1)
    count = np.sum(~np.isnan(rows), axis=-1, keepdims=True)
    middle = np.concatenate(((count - 1) // 2, count // 2), axis=-1)
    return _with_axes(np.mean(np.take_along_axis(rows, middle, axis=-1), axis=-1), a, axis, keepdims)


def quantile(a: Any, q: Any, axis: Axis = None, *, method: str = "linear", keepdims: bool = False) -> Any:
    """`np.quantile`, of one share or of an array of them."""
    if method not in ("linear", "lower", "higher", "midpoint"):
        title = f"expected the method linear, lower, higher or midpoint, found {method!r}"
        refuse("unsupported", title, "choose one of these, or compute it from `np.sort(x)`")
    rows = np.sort(_rows(a, axis), axis=-1)
    share = _share(q, rows)
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
        is_own = a.dtype.kind == "f" and isinstance(q, int | float)  # Python numbers do not widen
        found = _between(first, second, part, a.dtype if is_own else np.float64)
    if getattr(share, "ndim", 0):
        last = rows[..., -1:].astype(found.dtype)
        found = np.where(np.isnan(last), last, found) if rows.dtype.kind == "f" else found
        found = np.moveaxis(found, -1, 0)
    else:
        found = _nan_last(found, rows)
    return _with_axes(found, a, axis, keepdims, getattr(share, "ndim", 0))


def _share(q: Any, rows: Any) -> Any:
    """The shares as f64."""
    if isinstance(q, list | tuple):
        return np.stack([_share(one, rows) for one in q])
    return np.full_like(rows.reshape(-1)[0], q, dtype=np.float64) if isinstance(q, int | float) else q


def _between(a: Any, b: Any, part: Any, result: Any) -> Any:
    """numpy's linear interpolation, which is exact at both ends."""
    difference = (b - a).astype(result)
    low, high = a.astype(result), b.astype(result)
    after, before = part.astype(result), (1 - part).astype(result)
    return np.where(part >= 0.5, high - difference * before, low + difference * after)


def percentile(a: Any, q: Any, axis: Axis = None, *, method: str = "linear", keepdims: bool = False) -> Any:
    """`np.percentile`."""
    shares = [one / 100 for one in q] if isinstance(q, list | tuple) else q / 100
    return quantile(a, shares, axis, method=method, keepdims=keepdims)


def digitize(x: Any, bins: Any, right: bool = False) -> Any:
    """`np.digitize` with bins in ascending order."""
    return np.searchsorted(bins, x, side="left" if right else "right")


def interp(x: Any, xp: Any, fp: Any, left: Any = None, right: Any = None) -> Any:
    """`np.interp`, in f64."""
    places, values = xp.astype(np.float64), fp.astype(np.float64)
    given = np.full_like(places[0], x) if isinstance(x, int | float) else x.astype(np.float64)
    n = len(places)
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
    return np.where(np.isnan(given), given, found)
