"""numpy's functions that are loops: Python functions on arrays, which become parts of programs as the user's own do.

Knows no terms: they compute the same on numpy's arrays.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final

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


#: by what they stand for
WRITTEN: Final[Mapping[Any, Callable[..., Any]]] = MappingProxyType(
    {np.histogram: histogram, np.linalg.cholesky: cholesky}
)
