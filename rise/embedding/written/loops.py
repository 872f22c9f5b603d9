"""numpy's functions that are loops over elements, rows or columns."""

from __future__ import annotations

from typing import Any

import numpy as np

from rise.embedding.places import refuse


def cholesky(a: Any) -> Any:
    """`np.linalg.cholesky` of one matrix: its lower triangle. What is not positive definite gives NaN."""
    if a.ndim != 2:
        title = f"expected one matrix, found an array of {a.ndim} axes"
        refuse("unsupported", title, "write a loop over the matrices: `a[i] = np.linalg.cholesky(a[i])`")
    lower = np.zeros_like(a)
    for i in range(len(a)):
        for j in range(i):
            lower[i, j] = (a[i, j] - lower[i, :j] @ lower[j, :j]) / lower[j, j]
        lower[i, i] = np.sqrt(a[i, i] - lower[i, :i] @ lower[i, :i])
    return lower


def histogram(a: Any, bins: Any = 10, *, weights: Any = None) -> Any:
    """`np.histogram` of as many equal bins between the least and the greatest element; and their edges."""
    values = a.reshape(-1)
    least, greatest = values.min(), values.max()
    is_flat = least == greatest
    first, last = np.where(is_flat, least - 0.5, least), np.where(is_flat, greatest + 0.5, greatest)
    edges = np.linspace(first, last, bins + 1)
    counts = np.zeros(bins, dtype=np.int64 if weights is None else weights.dtype)
    given = np.ones_like(values, dtype=np.int64) if weights is None else weights.reshape(-1)
    for i in range(len(values)):
        place = int((values[i] - first) / (last - first) * bins)
        place = min(place, bins - 1)
        place = place - (values[i] < edges[place])  # the quotient is rounded: the edges decide
        place = place + ((values[i] >= edges[place + 1]) & (place != bins - 1))
        counts[place] += given[i]
    return counts, edges


def solve(a: Any, b: Any) -> Any:
    """`np.linalg.solve` of one matrix, by elimination with the greatest pivot of each column. A singular matrix gives
    infinities or NaN.
    """
    _check_square(a)
    right = b if b.ndim == 2 else b[:, None]
    found = _eliminated(np.concatenate((a, right), axis=1))[:, len(a) :]
    return found if b.ndim == 2 else found[:, 0]


def inverse(a: Any) -> Any:
    """`np.linalg.inv` of one matrix."""
    _check_square(a)
    return _eliminated(np.concatenate((a, np.eye(len(a), dtype=a.dtype)), axis=1))[:, len(a) :]


def _eliminated(rows: Any) -> Any:
    """Rows whose first columns are made those of the unit matrix."""
    n = len(rows)
    m = rows.copy()
    for k in range(n):
        size = np.where(np.arange(n) >= k, np.abs(m[:, k]), -1.0)
        p = np.argmax(size)
        pivot, before = m[p].copy(), m[k].copy()
        m[p] = before
        pivot = pivot / pivot[k]
        m[k] = pivot
        m -= np.where(np.arange(n) == k, 0.0, m[:, k])[:, None] * pivot[None, :]
    return m


def determinant(a: Any) -> Any:
    """`np.linalg.det` of one matrix."""
    _check_square(a)
    n = len(a)
    m = a.copy()
    product = np.ones_like(a[0, 0])
    for k in range(n):
        size = np.where(np.arange(n) >= k, np.abs(m[:, k]), -1.0)
        p = np.argmax(size)
        pivot, before = m[p].copy(), m[k].copy()
        m[p] = before
        m[k] = pivot
        product = product * np.where(p == k, pivot[k], -pivot[k])
        factors = np.where((np.arange(n) > k) & (pivot[k] != 0), m[:, k] / pivot[k], 0.0)
        m -= factors[:, None] * pivot[None, :]
    return product


def _check_square(a: Any) -> None:
    if a.ndim != 2:
        title = f"expected one matrix, found an array of {a.ndim} axes"
        refuse("unsupported", title, "write a loop over the matrices")
