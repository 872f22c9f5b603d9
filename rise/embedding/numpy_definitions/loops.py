"""numpy's functions that are loops over elements, rows or columns."""

from __future__ import annotations

from typing import Any

import numpy as np

from rise.embedding.places import refuse


def apply_along_axis(func1d: Any, axis: int, arr: Any, *args: Any, **kwargs: Any) -> Any:
    """`np.apply_along_axis` of a function whose result has a shape that does not depend on data."""
    if axis < 0:
        axis += arr.ndim
    rows = np.moveaxis(arr, axis, -1)
    before = rows.shape[:-1]
    rows = rows.reshape(-1, rows.shape[-1])
    one = func1d(rows[0], *args, **kwargs)
    found = np.zeros((rows.shape[0], *one.shape), dtype=one.dtype)
    for i in range(rows.shape[0]):
        found[i] = func1d(rows[i], *args, **kwargs)
    found = found.reshape(*before, *one.shape)
    for k in range(one.ndim):
        found = np.moveaxis(found, len(before) + k, axis + k)
    return found


def vectorized(function: Any, arguments: Any, named: Any, types: Any) -> Any:
    """A function made by `np.vectorize`, on arrays and numbers: its function of the elements, in row-major order."""
    given = [*arguments, *named.values()]
    is_array = [np.ndim(each) > 0 for each in given]
    if not any(is_array):
        return function(*arguments, **named)
    wide = np.broadcast_arrays(*[each for each in given if np.ndim(each) > 0])
    rows = [each.reshape(-1) for each in wide]
    flat = [rows[sum(is_array[:place])] if is_array[place] else each for place, each in enumerate(given)]
    count = len(rows[0])

    def element(k: Any) -> Any:
        at = [each[k] if has_elements else each for each, has_elements in zip(flat, is_array, strict=True)]
        return function(*at[: len(arguments)], **dict(zip(named, at[len(arguments) :], strict=True)))

    found = np.array([element(k) for k in range(count)]).reshape(*wide[0].shape)
    return found if types is None else found.astype(np.dtype(types))


def bincount(x: Any, weights: Any = None, minlength: Any = 0) -> Any:
    """`np.bincount` with a length that the program states; greater numbers are not counted."""
    if type(minlength) is int and minlength == 0:
        title = "expected the length of the result, found none: it would depend on data"
        refuse("data-dependent-size", title, "state it: `np.bincount(x, minlength=256)`")
    counts = np.zeros(minlength, dtype=np.int64 if weights is None else np.float64)
    given = np.ones_like(x, dtype=np.int64) if weights is None else weights.astype(np.float64)
    for i in range(len(x)):
        if x[i] < minlength:
            counts[x[i]] += given[i]
    return counts


def add_at(a: Any, indices: Any, b: Any) -> None:
    """`np.add.at` of elements or rows, at indices of one axis, or at a tuple of the indices of several axes."""
    each, given = _places(indices), _each(a, indices, b)
    for k in range(len(each[0])):
        a[tuple([one[k] for one in each])] += given(k)


def minimum_at(a: Any, indices: Any, b: Any) -> None:
    """`np.minimum.at` of elements or rows, like `add_at`."""
    each, given = _places(indices), _each(a, indices, b)
    for k in range(len(each[0])):
        at = tuple([one[k] for one in each])
        a[at] = np.minimum(a[at], given(k))


def maximum_at(a: Any, indices: Any, b: Any) -> None:
    """`np.maximum.at` of elements or rows, like `add_at`."""
    each, given = _places(indices), _each(a, indices, b)
    for k in range(len(each[0])):
        at = tuple([one[k] for one in each])
        a[at] = np.maximum(a[at], given(k))


def _places(indices: Any) -> list[Any]:
    """The indices of each axis, as arrays of one axis."""
    return [one.reshape(-1) for one in (indices if isinstance(indices, tuple) else (indices,))]


def _each(a: Any, indices: Any, b: Any) -> Any:
    """The value for each index: always the same, unless it also has the axes of the indices."""
    given = indices if isinstance(indices, tuple) else (indices,)
    rank, kept = given[0].ndim, a.ndim - len(given)
    if getattr(b, "ndim", 0) <= kept:
        return lambda k: b
    values = b.reshape(-1, *b.shape[rank:])
    return lambda k: values[k]


def histogram(
    a: Any, bins: Any = 10, range: Any = None, density: bool = False, weights: Any = None
) -> Any:  # numpy's name
    """`np.histogram` with a number of equal bins over a range, or from the least to the greatest element, or with an
    array of edges; and the edges of the bins.
    """
    if density:
        counts, edges = histogram(a, bins, range, weights=weights)
        return counts / np.diff(edges) / counts.sum(), edges
    values = a.reshape(-1) if a.dtype.kind == "f" else a.reshape(-1).astype(np.float64)
    given = np.ones_like(values, dtype=np.int64) if weights is None else weights.reshape(-1)
    if getattr(bins, "ndim", 0):
        return _between(values, bins.astype(values.dtype), given), bins
    if range is None:
        return _binned(values, values.min(), values.max(), bins, given)
    least, greatest = (np.full_like(values[0], one) for one in range)
    is_inside = (values >= least) & (values <= greatest)
    return _binned(values, least, greatest, bins, np.where(is_inside, given, np.zeros_like(given)))


def _binned(values: Any, least: Any, greatest: Any, bins: Any, given: Any) -> Any:
    is_flat = least == greatest
    first, last = np.where(is_flat, least - 0.5, least), np.where(is_flat, greatest + 0.5, greatest)
    edges = np.linspace(first, last, bins + 1, dtype=first.dtype)
    counts = np.zeros(bins, dtype=given.dtype)
    for i in range(len(values)):
        place = int((values[i] - first) / (last - first) * bins)
        place = max(min(place, bins - 1), 0)
        place = place - (values[i] < edges[place])  # the quotient is rounded, so compare with the edges
        place = place + ((values[i] >= edges[place + 1]) & (place != bins - 1))
        counts[max(place, 0)] += given[i]
    return counts, edges


def _between(values: Any, edges: Any, given: Any) -> Any:
    """The sums of `given` over the values between neighbouring edges; the last edge belongs to the last bin."""
    bins = edges.shape[0] - 1
    counts = np.zeros(bins, dtype=given.dtype)
    places = np.searchsorted(edges, values, side="right") - 1
    for i in range(len(values)):
        if values[i] >= edges[0] and values[i] <= edges[-1]:
            counts[min(places[i], bins - 1)] += given[i]
    return counts


def put(a: Any, items: tuple[Any, ...], value: Any) -> None:
    """`a[items] = value` if some items are arrays of indices; of several values for one element, the last one is
    assigned.
    """
    places = [place for place, item in enumerate(items) if _is_indices(item)]
    first, last = places[0], places[-1]
    between = items[first : last + 1]
    if any(item is None or item is Ellipsis for item in items) or any(
        isinstance(one, slice) for one in between
    ):
        title = "expected adjacent arrays of indices, found `None`, `...` or a slice among the items"
        refuse(
            "assignment", title, "write whole axes as `:`, and move the indexed axes together: `np.moveaxis`"
        )
    arrays = [np.array(item) if isinstance(item, list) else item for item in between]
    if len(arrays) > 1:
        arrays = list(np.broadcast_arrays(*arrays))
    kept = a.ndim - len(items) + sum(isinstance(item, slice) for item in items[last + 1 :])
    each = _placed(value, kept, arrays[0])
    flat = [one.reshape(-1) for one in arrays]
    for k in range(flat[0].shape[0]):
        a[(*items[:first], *(one[k] for one in flat), *items[last + 1 :])] = each(k)


def _is_indices(item: Any) -> bool:
    return isinstance(item, list) or getattr(item, "ndim", 0) > 0


def _placed(value: Any, kept: int, indices: Any) -> Any:
    """The value for each index; `kept` is the number of axes of the array after the indexed ones."""
    values = np.array(value) if isinstance(value, list) else value
    extra = getattr(values, "ndim", 0) - kept
    if extra <= 0:
        return lambda k: values
    if indices.ndim > 1:
        if extra < indices.ndim:
            values = np.broadcast_to(values, (*indices.shape, *values.shape[extra:]))
            extra = indices.ndim
        before = values.shape[: extra - indices.ndim]
        values = values.reshape(*before, -1, *values.shape[extra:])
        extra = len(before) + 1
    whole: Any = (slice(None),) * (extra - 1)
    if type(values.shape[extra - 1]) is int and values.shape[extra - 1] == 1:
        return lambda k: values[(*whole, 0)]
    return lambda k: values[(*whole, k)]


def put_along_axis(arr: Any, indices: Any, values: Any, axis: int) -> None:
    """`np.put_along_axis` of an array with one or two axes."""
    if arr.ndim > 2 or indices.ndim != arr.ndim:
        title = f"expected arrays of one axis or two, found {arr.ndim} and {indices.ndim}"
        refuse("unsupported", title, "write a loop over the matrices")
    is_number = getattr(values, "ndim", 0) == 0
    given: Any = values if is_number else np.broadcast_to(values, indices.shape)
    for i in range(indices.shape[0]):
        if arr.ndim == 1:
            arr[indices[i]] = values if is_number else given[i]
        else:
            for j in range(indices.shape[1]):
                if axis % 2:
                    arr[i, indices[i, j]] = values if is_number else given[i, j]
                else:
                    arr[indices[i, j], j] = values if is_number else given[i, j]
