"""numpy's functions that return the indices of elements: of triangles, of diagonals, of whole arrays."""

from __future__ import annotations

from typing import Any

import numpy as np

from rise.embedding.places import refuse


def tril_indices(n: Any, k: Any = 0, m: Any = None) -> tuple[Any, Any]:
    """`np.tril_indices`."""
    columns = n if m is None else m
    lengths = np.clip(np.arange(n) + (k + 1), 0, columns)
    return _along_rows(lengths, np.zeros_like(lengths), tri_size(n, columns, k))


def triu_indices(n: Any, k: Any = 0, m: Any = None) -> tuple[Any, Any]:
    """`np.triu_indices`."""
    columns = n if m is None else m
    firsts = np.clip(np.arange(n) + k, 0, columns)
    return _along_rows(columns - firsts, firsts, n * columns - tri_size(n, columns, k - 1))


def tril_indices_from(arr: Any, k: Any = 0) -> tuple[Any, Any]:
    """`np.tril_indices_from`."""
    return tril_indices(arr.shape[0], k, arr.shape[1])


def triu_indices_from(arr: Any, k: Any = 0) -> tuple[Any, Any]:
    """`np.triu_indices_from`."""
    return triu_indices(arr.shape[0], k, arr.shape[1])


def _along_rows(lengths: Any, firsts: Any, count: Any) -> tuple[Any, Any]:
    """The indices of the elements of rows, where each row has `lengths` elements from `firsts` on; `count` elements in
    all.
    """
    ends, places = np.cumsum(lengths), np.arange(count)
    rows = np.searchsorted(ends, places, side="right")
    offsets = firsts + lengths - ends
    return rows, places + np.take(offsets, rows, mode="clip")


def tri_size(n: Any, m: Any, k: Any) -> Any:
    """The number of elements of `np.tri(n, m, k)` that are 1.

    >>> bool(tri_size(3, 4, 1) == np.tri(3, 4, 1).sum())
    True
    """
    # the elements of an unbounded triangle, minus those above, minus those to the right, plus those in both
    return _triangle(n + k) - _triangle(k) - _triangle(n + k - m) + _triangle(k - m)


def _triangle(side: Any) -> Any:
    side = max(side, 0)
    return side * (side + 1) // 2


def diag_indices(n: Any, ndim: int = 2) -> tuple[Any, ...]:
    """`np.diag_indices`."""
    return (np.arange(n),) * ndim


def diag_indices_from(arr: Any) -> tuple[Any, ...]:
    """`np.diag_indices_from` of an array whose axes have the same length."""
    if any(size != arr.shape[0] for size in arr.shape):
        refuse(
            "shape-mismatch", f"expected axes of equal length, found {arr.shape}", "use a square part of it"
        )
    return diag_indices(arr.shape[0], arr.ndim)


def indices(dimensions: Any, dtype: Any = np.int64, sparse: bool = False) -> Any:
    """`np.indices`."""
    grids: list[Any] = []
    for axis, size in enumerate(dimensions):
        around = (1,) * axis, (1,) * (len(dimensions) - 1 - axis)
        line = np.arange(size, dtype=dtype).reshape(*around[0], size, *around[1])
        grids = [*grids, line if sparse else np.broadcast_to(line, tuple(dimensions))]
    return tuple(grids) if sparse else np.stack(grids)


def ix_(*args: Any) -> tuple[Any, ...]:
    """`np.ix_` of arrays of numbers."""
    return tuple([one.reshape(*(1,) * k, -1, *(1,) * (len(args) - 1 - k)) for k, one in enumerate(args)])


def fromfunction(function: Any, shape: Any, *, dtype: Any = np.float64) -> Any:
    """`np.fromfunction`: the function applied to arrays with the indices of all elements."""
    places = indices(shape, dtype)
    return function(*[places[axis] for axis in range(len(shape))])
