"""numpy's functions of `np.linalg` that eliminate the columns of a matrix: solve, inv, det and slogdet.

Note [Panels]
~~~~~~~~~~~~~
The columns of a large matrix are eliminated in panels of a known number of columns, as in LAPACK: each panel is
factored by loops, with the pivots of elimination without panels; all other columns are then changed by products, which
are as fast as other products. A panel is transposed, so that its columns are contiguous, and its rows are not
exchanged: `position` is where each row would be after the exchanges so far, and `row_at` is the row at each place. The
rows of the matrix are exchanged.

The factors are a lower triangle, which contains the pivots, and an upper one with ones on the diagonal. A panel's lower
triangle is inverted, so that it is applied to the other columns by products. The last rows and columns, as many as a
few panels have, are eliminated one by one. This is all that is done for a small matrix: if a call does not
decide whether a matrix is small, loops over panels have no iterations.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from rise.embedding.places import refuse
from rise.embedding.symbolic_sizes import is_below

#: unused rows and columns: the elements of a column are never a power of two apart, which caches handle badly
PADDING: Final = 8
#: matrices of at most so many panels are eliminated faster without panels, and so are the last columns of larger ones,
#: unless there are many right sides
FEW_PANELS: Final = 3


def solve(a: Any, b: Any) -> Any:
    """`np.linalg.solve` of one matrix, by elimination with partial pivoting. A singular matrix results in infinities or
    NaN.
    """
    _check_square(a)
    dtype = np.result_type(_floats(a).dtype, _floats(b).dtype)
    a, b = a.astype(dtype), b.astype(dtype)
    columns = b if b.ndim == 2 else b[:, None]
    if _is_small(a):
        found = _solved(np.concatenate((a, columns), axis=1), len(a))
    elif b.ndim == 2:
        return _solved_by_panels(a, b)
    else:
        return _vector_by_panels(np.concatenate((a, columns), axis=1))
    return found if b.ndim == 2 else found[:, 0]


def inverse(a: Any) -> Any:
    """`np.linalg.inv` of one matrix."""
    return solve(a, np.eye(len(a), dtype=_floats(a).dtype))


def determinant(a: Any) -> Any:
    """`np.linalg.det` of one matrix."""
    sign, pivots = _pivots(a)
    return sign * np.prod(pivots)


def slogdet(a: Any) -> tuple[Any, Any]:
    """`np.linalg.slogdet` of one matrix."""
    sign, pivots = _pivots(a)
    sizes = np.abs(pivots)
    return sign * np.prod(pivots / np.where(sizes > 0, sizes, 1.0)), np.log(sizes).sum()


def _pivots(a: Any) -> tuple[Any, Any]:
    """The sign of the permutation of rows that elimination leads to, and its pivots."""
    _check_square(a)
    a = _floats(a)
    if _is_small(a):
        return _last_pivots(a.copy(), len(a))
    n, size = len(a), _panel_size(a.dtype)
    m, pivots, exchanges = _eliminated_by_panels(a, None, is_divided=False)
    whole = size * _panels(a, 1)
    sign, last = _last_pivots(m[whole : n + 1, whole:n].copy(), n - whole)
    return np.where(exchanges % 2 == 1, -sign, sign), np.concatenate((pivots, last))


def _last_pivots(m: Any, n: Any) -> tuple[Any, Any]:
    """The sign and the pivots of the first n rows. There may be one more row, of zeros, if n may be 0."""
    sign = np.ones((), dtype=m.dtype)
    for k in range(n):
        m, p = _eliminated(m, k)
        sign = np.where(p == k, sign, -sign)
    return sign, np.diagonal(m)[:n]


def _vector_by_panels(a: Any) -> Any:
    """The solution of equations, given as the rows of a square matrix and their right sides in the last column."""
    n, size = len(a), _panel_size(a.dtype)
    whole = size * _panels(a, 1)
    m, _, _ = _eliminated_by_panels(a, None)
    x = np.zeros(n, dtype=a.dtype)
    x[whole:] = _solved(m[whole : n + 1, whole : n + 1], n - whole)[:, 0]
    for i in range(whole):
        k = whole - 1 - i
        x[k] = m[k, n] - m[k, k + 1 : n] @ x[k + 1 :]
    return x


def _solved_by_panels(a: Any, b: Any) -> Any:
    n, size = len(a), _panel_size(a.dtype)
    whole = size * _panels(a, 2)
    columns = (b.shape[1] + size - 1) // size
    m, _, _ = _eliminated_by_panels(a, b)
    width = size * (n // size) + size
    right = m[:, width : width + size * columns]
    last = _solved(np.concatenate((m[whole : n + 1, whole:n], right[whole : n + 1]), axis=1), n - whole)
    inverses = np.zeros((whole, size), dtype=m.dtype)
    for i in range(whole // size):
        row = size * i
        inverses[row : row + size] = _upper_inverse(m[row : row + size, row : row + size])
    x = np.zeros((columns, width, size), dtype=m.dtype)
    for j in range(columns):
        column = size * j
        y = np.zeros((width, size), dtype=m.dtype)
        y[whole:n] = last[:, column : column + size]
        for i in range(whole // size):
            row = whole - size - size * i
            block = right[row : row + size, column : column + size].copy()
            for k in range(i + 1 + n // size - whole // size):
                below = width - size - size * k
                block -= m[row : row + size, below : below + size] @ y[below : below + size]
            y[row : row + size] = inverses[row : row + size] @ block
        x[j] = y
    return x.transpose(1, 0, 2).reshape(width, size * columns)[:n, : b.shape[1]]


def _eliminated_by_panels(a: Any, b: Any, is_divided: bool = True) -> tuple[Any, Any, Any]:
    """Eliminate whole panels of the columns of a square matrix, which may have one more column. `b` are right sides, or
    None. Returns the upper triangle of these panels, beside it the last columns and then the right sides, each padded
    to panels; the pivots of the panels; and the number of exchanges of rows. Unless `is_divided`, a pivot of 0 leads to
    zeros instead of a division.

    See Note [Panels].
    """
    n, size = len(a), _panel_size(a.dtype)
    panels, blocks = _panels(a, 1 if b is None else 2), n // size
    width, height = size * blocks + size, size * blocks + size + PADDING
    columns = 0 if b is None else (b.shape[1] + size - 1) // size
    m = np.concatenate((a, np.zeros((n, width - a.shape[1]), dtype=a.dtype)), axis=1)
    if b is not None:
        m = np.concatenate((m, b, np.zeros((n, size * columns - b.shape[1]), dtype=a.dtype)), axis=1)
    m = np.concatenate((m, np.zeros((n, PADDING), dtype=a.dtype)), axis=1)
    m = np.concatenate((m, np.zeros((height - n, m.shape[1]), dtype=a.dtype)))
    rows = np.arange(height)
    pivots = np.ones(panels * size, dtype=a.dtype)
    exchanged = np.zeros(panels * size, dtype=np.int64)
    for i in range(panels):
        first = size * i
        panel = m[:, first : first + size].T.copy()
        position = np.arange(height)
        row_at = np.arange(height)
        upper = np.zeros((size, size), dtype=a.dtype)
        for c in range(size):
            k = first + c
            magnitudes = np.where(position < k, -1.0, _magnitude(panel[c]))
            greatest = np.max(magnitudes)
            chosen = np.min(np.where(magnitudes == greatest, position, height - 1))
            p = row_at[chosen]
            other = row_at[k]
            row_at[k] = p
            row_at[chosen] = other
            position[p] = k
            position[other] = chosen
            exchanged[k] = chosen != k
            m = np.where((rows == k)[:, None], m[chosen], np.where((rows == chosen)[:, None], m[k], m))
            pivot = panel[c, p]
            pivots[k] = pivot
            factors = np.where(pivot != 0, panel[:, p] / pivot, 0.0)
            upper[c] = np.where(np.arange(size) > c, factors, np.arange(size) == c)
            below = np.where(position <= k, 0.0, panel[c])
            for d in range(size):
                panel[d] = np.where(d > c, panel[d] - factors[d] * below, panel[d])
        lower = np.zeros((height, size), dtype=a.dtype)
        for r in range(height):
            lower[r] = panel[:, row_at[r]]
        inverted = _lower_inverse(lower[first : first + size].copy(), is_divided)
        for j in range(i, blocks + columns):
            column = size * j + size
            block = m[first : first + size, column : column + size]
            m[first : first + size, column : column + size] = inverted @ block
        for j in range(i, blocks + columns):
            column = size * j + size
            for r in range(i, blocks):
                row = size * r + size
                product = lower[row : row + size] @ m[first : first + size, column : column + size]
                m[row : row + size, column : column + size] -= product
        m[first : first + size, first : first + size] = upper
    return m, pivots, exchanged.sum()


def _lower_inverse(l: Any, is_divided: bool) -> Any:
    """The inverse of a lower triangular matrix."""
    x = np.zeros_like(l)
    for i in range(len(l)):
        row = (np.arange(len(l)) == i).astype(l.dtype)
        for k in range(i):
            row -= l[i, k] * x[k]
        x[i] = row / l[i, i] if is_divided else np.where(l[i, i] != 0, row / l[i, i], 0.0)
    return x


def _upper_inverse(u: Any) -> Any:
    """The inverse of an upper triangular matrix with ones on the diagonal."""
    x = np.zeros_like(u)
    for j in range(len(u)):
        i = len(u) - 1 - j
        row = (np.arange(len(u)) == i).astype(u.dtype)
        for k in range(i + 1, len(u)):
            row -= u[i, k] * x[k]
        x[i] = row
    return x


def _solved(m: Any, n: Any) -> Any:
    """The solution of n equations, given as the rows of a square matrix with right sides to the right of it. There may
    be one more row, of zeros, if n may be 0.
    """
    for k in range(n):
        m, _ = _eliminated(m, k)
    x = np.zeros_like(m[:n, n:])
    for k in range(n - 1, -1, -1):
        x[k] = (m[k, n:] - m[k, k + 1 : n] @ x[k + 1 :]) / m[k, k]
    return x


def _eliminated(m: Any, k: Any) -> tuple[Any, Any]:
    """A step of elimination: exchanges row k with the row of the pivot, and subtracts multiples of it from the rows
    below. The factors are stored below the pivot. Also returns the row of the pivot. A column of zeros is left alone.
    """
    rows = np.arange(len(m))
    p = k + np.argmax(_magnitude(m[k:, k]))
    m = np.where((rows == k)[:, None], m[p], np.where((rows == p)[:, None], m[k], m))
    m[k + 1 :, k] = np.where(m[k, k] != 0, m[k + 1 :, k] / m[k, k], 0.0)
    m[k + 1 :, k + 1 :] -= m[k + 1 :, k][:, None] * m[k, k + 1 :]
    return m, p


def _magnitude(x: Any) -> Any:
    """What pivots are chosen by, as in LAPACK: absolute values; of complex numbers, the sums of those of the parts."""
    return np.abs(x) if x.dtype.kind == "f" else np.abs(np.real(x)) + np.abs(np.imag(x))


def _panel_size(dtype: Any) -> int:
    """The number of columns of a panel. Wider ones have faster products, but longer loops over columns."""
    return max(32, 256 // int(dtype.itemsize))


def _panels(a: Any, axes: int) -> Any:
    """The number of panels; `axes` is that of the right sides, and 1 if there are none."""
    blocks = len(a) // _panel_size(a.dtype)
    return blocks if axes == 2 else blocks - min(blocks, FEW_PANELS)


def _is_small(a: Any) -> bool:
    """Whether a matrix is too small for panels, if that is known, or a call decides it."""
    return is_below(len(a), (FEW_PANELS + 1) * _panel_size(a.dtype))


def _floats(a: Any) -> Any:
    return a if a.dtype.kind in "fc" else a.astype(np.float64)


def _check_square(a: Any) -> None:
    if a.ndim != 2:
        title = f"expected one matrix, found an array of {a.ndim} axes"
        refuse("unsupported", title, "write a loop over the matrices")
