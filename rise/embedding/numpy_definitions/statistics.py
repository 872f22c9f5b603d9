"""numpy functions for statistics of arrays: weighted means, ranges, counts, statistics that ignore NaN."""

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np

from rise.embedding.places import refuse

Axis = int | tuple[int, ...] | None


def average(
    a: Any, axis: Axis = None, weights: Any = None, returned: bool = False, *, keepdims: bool = False
) -> Any:
    """`np.average`. Weights with one axis apply to `axis`."""
    if weights is None:
        if returned:
            weights = np.ones_like(a)
        else:
            return np.mean(a, axis=axis, keepdims=keepdims)
    if weights.ndim != a.ndim:
        if weights.ndim != 1 or type(axis) is not int:
            title = f"expected weights of one axis or of {a.ndim}, found {weights.ndim}"
            refuse(
                "shape-mismatch", title, "name the axis of the weights: `np.average(x, axis=0, weights=w)`"
            )
        after = a.ndim - 1 - axis % a.ndim
        weights = weights.reshape(-1, *(1,) * after)
    if a.dtype.kind in "biu":
        a = a.astype(np.float64)
    total = np.sum(a * weights, axis=axis, keepdims=keepdims)
    weight = np.sum(weights + np.zeros_like(a), axis=axis, keepdims=keepdims)
    return (total / weight, weight) if returned else total / weight


#: the number of elements up to which comparing with each is faster than sorting and searching them
MOST_COMPARED: Final = 16


def isin(element: Any, test_elements: Any) -> Any:
    """`np.isin`, by binary search, or by comparisons with each element of a short array."""
    others = np.ravel(test_elements)
    count = others.shape[0]
    if (
        (type(count) is int and count <= MOST_COMPARED)
        or others.dtype.kind == "c"
        or element.dtype.kind == "c"
    ):
        return (element[..., None] == others).any(axis=-1)
    if others.dtype.kind == "b":
        others = others.astype(np.uint8)
    ordered = np.concatenate((np.sort(others), np.zeros(1, others.dtype)))
    places = np.searchsorted(ordered[:count], element)
    return (ordered[places] == element) & (places < count)


def nancumsum(a: Any, axis: int | None = None) -> Any:
    """`np.nancumsum`."""
    return np.cumsum(np.where(np.isnan(a), np.zeros_like(a), a), axis=axis)


def nancumprod(a: Any, axis: int | None = None) -> Any:
    """`np.nancumprod`."""
    return np.cumprod(np.where(np.isnan(a), np.ones_like(a), a), axis=axis)


def ptp(a: Any, axis: Axis = None, *, keepdims: bool = False) -> Any:
    """`np.ptp`: the distance from the least to the greatest element."""
    return np.max(a, axis=axis, keepdims=keepdims) - np.min(a, axis=axis, keepdims=keepdims)


def count_nonzero(a: Any, axis: Axis = None, *, keepdims: bool = False) -> Any:
    """`np.count_nonzero`."""
    return np.sum(a if a.dtype == np.bool_ else a != 0, axis=axis, keepdims=keepdims)


def corrcoef(x: Any, y: Any = None, rowvar: bool = True) -> Any:
    """`np.corrcoef` of the rows or columns of one or two arrays."""
    c = np.cov(x, y, rowvar=rowvar)
    if c.ndim == 0:
        return c / c
    d = np.sqrt(np.diagonal(c))
    return np.clip(c / d[:, None] / d[None, :], -1, 1)


def _is_hole(a: Any) -> Any:
    """Whether each element is NaN, or has a part that is."""
    return np.isnan(a.real) | np.isnan(a.imag) if a.dtype.kind == "c" else np.isnan(a)


def _filled(a: Any, value: float) -> Any:
    """An array with NaN replaced by a number."""
    return np.where(_is_hole(a), value, a) if a.dtype.kind in "fc" else a


def nansum(a: Any, axis: Axis = None, *, keepdims: bool = False) -> Any:
    """`np.nansum`."""
    return np.sum(_filled(a, 0.0), axis=axis, keepdims=keepdims)


def nanprod(a: Any, axis: Axis = None, *, keepdims: bool = False) -> Any:
    """`np.nanprod`."""
    return np.prod(_filled(a, 1.0), axis=axis, keepdims=keepdims)


def _known(found: Any, a: Any, filler: float, axis: Axis, keepdims: bool) -> Any:
    """Extremes of an array whose NaNs are filled, or NaN if all numbers are NaN. Those of all elements and of rows are
    searched for other numbers only if they are the filler. Those of other axes are computed together, without branches.
    """
    are_holes = np.all(np.isnan(a), axis=axis, keepdims=keepdims)
    if axis is None or axis in (-1, a.ndim - 1):
        return np.where(found == filler, np.where(are_holes, np.nan, found), found)
    return found * np.where(are_holes, np.nan, 1.0).astype(a.dtype)


def nanmax(a: Any, axis: Axis = None, *, keepdims: bool = False) -> Any:
    """`np.nanmax`."""
    if a.dtype.kind != "f":
        return np.max(a, axis=axis, keepdims=keepdims)
    return _known(np.max(_filled(a, -np.inf), axis=axis, keepdims=keepdims), a, -np.inf, axis, keepdims)


def nanmin(a: Any, axis: Axis = None, *, keepdims: bool = False) -> Any:
    """`np.nanmin`."""
    if a.dtype.kind != "f":
        return np.min(a, axis=axis, keepdims=keepdims)
    return _known(np.min(_filled(a, np.inf), axis=axis, keepdims=keepdims), a, np.inf, axis, keepdims)


def nanargmax(a: Any, axis: int | None = None, *, keepdims: bool = False) -> Any:
    """`np.nanargmax`."""
    return np.argmax(_filled(a, -np.inf), axis=axis, keepdims=keepdims)


def nanargmin(a: Any, axis: int | None = None, *, keepdims: bool = False) -> Any:
    """`np.nanargmin`."""
    return np.argmin(_filled(a, np.inf), axis=axis, keepdims=keepdims)


def nanmean(a: Any, axis: Axis = None, *, keepdims: bool = False) -> Any:
    """`np.nanmean`."""
    if a.dtype.kind not in "fc":
        return np.mean(a, axis=axis, keepdims=keepdims)
    count = np.sum(~_is_hole(a), axis=axis, keepdims=keepdims)
    return np.sum(_filled(a, 0.0), axis=axis, keepdims=keepdims) / count.astype(a.real.dtype)


def nanvar(a: Any, axis: Axis = None, *, ddof: int = 0, keepdims: bool = False) -> Any:
    """`np.nanvar`."""
    if a.dtype.kind not in "fc":
        return np.var(a, axis=axis, ddof=ddof, keepdims=keepdims)
    count = np.sum(~_is_hole(a), axis=axis, keepdims=keepdims).astype(a.real.dtype)
    around = a - nanmean(a, axis=axis, keepdims=True)
    square = around * around if a.dtype.kind == "f" else np.abs(around) ** 2
    return np.sum(_filled(square, 0.0), axis=axis, keepdims=keepdims) / (count - ddof)


def nanstd(a: Any, axis: Axis = None, *, ddof: int = 0, keepdims: bool = False) -> Any:
    """`np.nanstd`."""
    return np.sqrt(nanvar(a, axis=axis, ddof=ddof, keepdims=keepdims))


def isclose(a: Any, b: Any, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False) -> Any:
    """`np.isclose`."""
    is_near = (np.abs(a - b) <= atol + rtol * np.abs(b)) & np.isfinite(np.abs(b))
    found = is_near | (a == b)
    return found | ((a != a) & (b != b)) if equal_nan else found


def allclose(a: Any, b: Any, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False) -> Any:
    """`np.allclose`."""
    return np.all(isclose(a, b, rtol, atol, equal_nan))


def array_equal(a1: Any, a2: Any) -> Any:
    """`np.array_equal` of arrays of the same shape."""
    first, second = getattr(a1, "shape", ()), getattr(a2, "shape", ())
    is_repeated = any((type(m) is int) != (type(n) is int) for m, n in zip(first, second, strict=False))
    if len(first) != len(second) or is_repeated:
        shapes = f"expected arrays of the same shape, found {_shown(first)} and {_shown(second)}"
        refuse("shape-mismatch", shapes, "numpy returns False for different shapes: compare the shapes first")
    return np.all(a1 == a2)


def _shown(shape: tuple[Any, ...]) -> str:
    return f"({', '.join(map(str, shape))})"


def trapezoid(y: Any, x: Any = None, dx: Any = 1.0, axis: int = -1) -> Any:
    """`np.trapezoid`."""
    rows = np.moveaxis(y, axis, -1)
    if x is not None:
        dx = np.diff(x) if x.ndim == 1 else np.moveaxis(np.diff(x, axis=axis), axis, -1)
    return np.sum(dx * (rows[..., 1:] + rows[..., :-1]) / 2.0, axis=-1)


def gradient(f: Any, *spacing: Any, axis: int | tuple[int, ...] | None = None, edge_order: int = 1) -> Any:
    """`np.gradient`, given a distance or coordinates for each axis: one array for each axis."""
    axes = range(f.ndim) if axis is None else (axis,) if isinstance(axis, int) else axis
    if edge_order not in (1, 2):
        refuse("unsupported", f"expected 1 or 2 as `edge_order`, found {edge_order}", "omit it for 1")
    if len(spacing) not in (0, 1, len(axes)):
        title = f"expected no distance, one, or {len(axes)}, found {len(spacing)}"
        refuse("unsupported", title, "write a distance for each axis")
    if f.dtype.kind in "iu":
        f = f.astype(np.float64)
    distances = spacing * len(axes) if len(spacing) == 1 else spacing or (1.0,) * len(axes)
    found = tuple(_slope(f, h, one, edge_order) for h, one in zip(distances, axes, strict=True))
    return found[0] if len(found) == 1 else found


def _slope(f: Any, h: Any, axis: int, edge_order: int) -> Any:
    rows = np.moveaxis(f, axis, 0)
    middle: Any
    if getattr(h, "ndim", 0):
        n, found = rows.shape[0], h.shape[0]
        if type(n) is int and type(found) is int and n != found:
            title = f"expected {n} coordinates, found {found}"
            refuse("shape-mismatch", title, "write one for each element, or the distance of neighbours")
        steps = np.diff(h).reshape(-1, *(1,) * (f.ndim - 1))
        before, after = steps[:-1], steps[1:]
        first, second, last, last_but_one = steps[:1], steps[1:2], steps[-1:], steps[-2:-1]
        both = before + after
        middle = rows[2:] * before / (after * both) - rows[:-2] * after / (before * both)
        middle = middle + rows[1:-1] * (after - before) / (before * after)
    else:
        first = second = last = last_but_one = h
        middle = (rows[2:] - rows[:-2]) / (2.0 * h)
    if edge_order == 1:
        start, end = (rows[1:2] - rows[:1]) / first, (rows[-1:] - rows[-2:-1]) / last
    else:
        start = _slope_of_end(rows[:1], rows[1:2], rows[2:3], first, second)
        end = -_slope_of_end(rows[-1:], rows[-2:-1], rows[-3:-2], last, last_but_one)
    return np.moveaxis(np.concatenate((start, middle, end)), 0, axis)


def _slope_of_end(a: Any, b: Any, c: Any, near: Any, far: Any) -> Any:
    """The slope at the first of three elements, given the distances between them, of the parabola through them."""
    return (
        b * (near + far) / (near * far)
        - a * (2.0 * near + far) / (near * (near + far))
        - c * near / (far * (near + far))
    )


def unwrap(p: Any, discont: float | None = None, axis: int = -1, *, period: float = 2 * math.pi) -> Any:
    """`np.unwrap`: jumps of more than half a period are reduced by whole periods."""
    rows = np.moveaxis(p, axis, -1)
    steps, half = np.diff(rows), period / 2
    least = half if discont is None else max(discont, half)
    short = (steps + half) % period - half
    short = np.where((short == -half) & (steps > 0), half, short)
    correction = np.where(np.abs(steps) < least, 0.0, short - steps)
    rest = rows[..., 1:] + np.cumsum(correction, axis=-1)
    return np.moveaxis(np.concatenate((rows[..., :1], rest), axis=-1), -1, axis)
