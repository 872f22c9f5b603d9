"""Functions whose result has as many elements as data decides, cut to a length that the program states; and `top_k`.

They are written in numpy's words, so that they run on arrays, too. What does not fit in the length is left out.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rise.embedding.functions import arange


def flatnonzero(x: Any, size: Any, fill_value: int = 0) -> Any:
    """The indices of the first `size` elements that are not 0, in order; then, if these are fewer, `fill_value`.

    `size` is at most the number of elements. `np.count_nonzero(x)` is how many there are.
    """
    is_zero = np.ravel(~x if x.dtype == np.bool_ else x == 0)
    order = np.argsort(is_zero, kind="stable").astype(np.int64)[:size]
    return np.where(arange(size) < np.count_nonzero(x), order, fill_value)


def compress(condition: Any, x: Any, size: Any, fill_value: Any = 0) -> Any:
    """The first `size` elements for which a condition holds, in order; then, if these are fewer, `fill_value`.

    >>> compress(np.array([True, False, True]), np.array([5, 6, 7]), 3).tolist()
    [5, 7, 0]
    """
    order = np.argsort(~condition, kind="stable")
    return np.where(arange(size) < np.count_nonzero(condition), x[order][:size], fill_value)


def unique(x: Any, size: Any) -> Any:
    """The first `size` different elements in ascending order; then, if these are fewer, the least one again.

    >>> unique(np.array([3, 1, 3, 2]), 4).tolist()
    [1, 2, 3, 1]
    """
    ordered = np.sort(np.ravel(x))
    is_new = np.concatenate((ordered[:1] == ordered[:1], ordered[1:] != ordered[:-1]))
    return compress(is_new, ordered, size, ordered[0])


def top_k(x: Any, k: Any) -> tuple[Any, Any]:
    """The k greatest elements along the last axis in descending order, and their indices; of equal ones the first. NaN
    come last.

    >>> values, indices = top_k(np.array([2, 9, 5, 9]), 3)
    >>> values.tolist(), indices.tolist()
    ([9, 9, 5], [1, 3, 2])
    """
    order = np.argsort(~x if x.dtype.kind in "iu" else -x, axis=-1, kind="stable")[..., :k]
    return np.take_along_axis(x, order, axis=-1), order
