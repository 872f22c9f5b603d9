"""numpy's functions of `np.linalg` that factor a matrix.

Note [Blocks]
A factorization computes square blocks, each from the blocks above it: a sum of products of blocks at multiples of a
known length, which are as fast as other products. A triangular block on the diagonal is factored by loops over its rows
and then inverted, so that it is applied by a product too. The last columns, fewer than those of a block, are padded to
a block; their own factorization has no blocks. It is all that is done for a small matrix, whose size may not be known
before a call: loops over blocks then have no iterations.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rise.embedding.places import refuse


def cholesky(a: Any) -> Any:
    """`np.linalg.cholesky` of one matrix: the lower triangular factor. NaN unless the matrix is positive definite.

    See Note [Blocks].
    """
    if a.ndim != 2:
        title = f"expected one matrix, found an array of {a.ndim} axes"
        refuse("unsupported", title, "write a loop over the matrices: `a[i] = np.linalg.cholesky(a[i])`")
    if a.dtype.kind not in "fc":
        a = a.astype(np.float64)
    n, size = len(a), _block_size(a.dtype)
    if type(n) is int and n < 2 * size:
        return _adjoint(_upper_factor(a))
    whole = n // size * size
    u = np.zeros((whole, whole + size), dtype=a.dtype)
    padded = np.zeros((whole + size, whole), dtype=a.dtype)
    padded[:n] = a[:, :whole]
    for i in range(n // size):
        row = size * i
        square = _adjoint(a[row : row + size, row : row + size]).copy()
        for k in range(i):
            above = u[size * k : size * k + size, row : row + size]
            square -= _adjoint(above) @ above
        square = _upper_factor(_adjoint(square))
        inverse = _inverse_of_adjoint(square)
        for j in range(i, n // size + 1):
            column = size * j
            block = _adjoint(padded[column : column + size, row : row + size]).copy()
            for k in range(i):
                above = u[size * k : size * k + size]
                block -= _adjoint(above[:, row : row + size]) @ above[:, column : column + size]
            block = np.where(i == j, square, inverse @ block)
            u[row : row + size, column : column + size] = block
    products = np.zeros((size, size), dtype=a.dtype)
    for k in range(n // size):
        last = u[size * k : size * k + size, whole : whole + size]
        products += _adjoint(last) @ last
    rest = _upper_factor(a[whole:, whole:] - products[: n - whole, : n - whole])
    below = np.concatenate((_adjoint(u[:, whole:n]), _adjoint(rest)), axis=1)
    lower = np.concatenate((np.zeros((whole, n), dtype=a.dtype), below))
    for i in range(n // size):
        for j in range(i + 1):
            block = u[size * j : size * j + size, size * i : size * i + size]
            lower[size * i : size * i + size, size * j : size * j + size] = _adjoint(block)
    return lower


def _block_size(dtype: Any) -> int:
    """The number of rows and columns of a block. Greater ones have faster products, but longer loops over rows."""
    return max(32, 256 // int(dtype.itemsize))


def _upper_factor(a: Any) -> Any:
    """The upper triangular factor u, a = u^H u, from the lower triangle of a positive definite matrix."""
    u = np.zeros_like(a)
    for i in range(len(a)):
        row = np.conj(a[:, i]).copy()
        for k in range(i):
            row -= np.conj(u[k, i]) * u[k]
        u[i] = np.where(np.arange(len(a)) < i, u[i], row / np.sqrt(np.real(row[i])))
    return u


def _inverse_of_adjoint(u: Any) -> Any:
    """The inverse of u^H, for an upper triangular matrix."""
    x = np.zeros_like(u)
    for i in range(len(u)):
        row = (np.arange(len(u)) == i).astype(u.dtype)
        for k in range(i):
            row -= np.conj(u[k, i]) * x[k]
        x[i] = row / np.real(u[i, i])
    return x


def _adjoint(a: Any) -> Any:
    return np.conj(a).T
