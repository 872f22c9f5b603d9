"""Expected results of each case, by numpy in float64, and their tolerances. Independent of RISE.

See Note [Bounds] in `cases/bounds.py`. The bounds of what goes through `exp` are stated in the functions that use it.
The answers of most other cases are in files by subject.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

import numpy as np

from cases.bounds import (
    Array,
    Expected,
    Tree,
    exactly,
    gamma,
    polynomial,
    product,
    wide,
    within,
)
from cases.grids import GRIDS
from cases.learning import LEARNING
from cases.linear import LINEAR
from cases.ragged_rows import RAGGED
from cases.science import SCIENCE
from cases.systems import SYSTEMS

__all__ = ["ANSWERS", "Expected", "Tree", "exactly", "product"]

LEAST_EXPONENT: Final = 104.0  # exp(-x) is 0 in f32 for every x above
EXP_ULPS: Final = 8  # no library's exp is off by more


def windows(xs: Array, size: int) -> Array:
    """All windows of this size."""
    return np.stack([xs[i : i + size] for i in range(len(xs) - size + 1)])


def conv1d(weights: Array, xs: Array) -> Array:
    return np.asarray(windows(xs, len(weights)) @ weights)


def conv2d(weights: Array, image: Array) -> Array:
    rows, columns = (a - b + 1 for a, b in zip(image.shape, weights.shape, strict=True))
    result = np.zeros((rows, columns))
    for (y, x), weight in np.ndenumerate(weights):
        result += weight * image[y : y + rows, x : x + columns]
    return result


def neighbours(grid: Array, **pad: Any) -> Array:
    """The sum of the four neighbours. The arguments of `numpy.pad` say what is outside."""
    padded = np.pad(grid, 1, **pad)
    vertical, horizontal = padded[:, 1:-1], padded[1:-1]
    return np.asarray(vertical[:-2] + vertical[2:] + horizontal[:, :-2] + horizontal[:, 2:])


def laplace(grid: Array) -> Expected:
    numbers = wide(grid)
    around, magnitude = neighbours(numbers), neighbours(np.abs(numbers))
    return within(around - 4 * numbers, magnitude + 4 * np.abs(numbers), 6)


def block_sums(xs: Array) -> Array:
    return np.asarray(xs.reshape(-1, 8).sum(axis=1))


def prefix_sum(xs: Array) -> Expected:
    return exactly(np.cumsum(xs, dtype=np.int64).astype(np.int32))


def rolling_hash(text: Array) -> Expected:
    hashes = [7]
    for letter in text.tolist():
        hashes.append((hashes[-1] * 31 + letter) % 2**32)
    return exactly(np.array(hashes[1:], np.uint32))


def _softmax(rows: Array) -> Array:
    if rows.size == 0:
        return rows
    weights = np.exp(rows - rows.max(axis=-1, keepdims=True))
    return np.asarray(weights / weights.sum(axis=-1, keepdims=True))


def _softmax_roundings(length: int) -> int:
    """The number of roundings of a share. `exp` turns the rounding of d = x - max into a relative error of |d| u, in a
    weight and in the sum of weights; where |d| is large, the weight is 0.
    """
    return 2 * (int(LEAST_EXPONENT) + EXP_ULPS + 1) + length + 2


def softmax(rows: Array) -> Expected:
    shares = _softmax(wide(rows))
    return within(shares, shares, _softmax_roundings(rows.shape[1]))


def attention(scale: Any, queries: Array, keys: Array, values: Array) -> Expected:
    """An error d in the scores causes a relative error of exp(2 d) - 1 in the shares; the factor 2 accounts for
    products of errors.
    """
    scale, queries, keys, values = map(wide, (scale, queries, keys, values))
    shares = _softmax(scale * (queries @ keys.T))
    score_magnitude = np.abs(scale) * (np.abs(queries) @ np.abs(keys).T)
    score_error = gamma(queries.shape[1] + 2) * score_magnitude.max(axis=1, keepdims=True)
    share_error = shares * (np.expm1(2 * score_error) + gamma(_softmax_roundings(len(keys))))
    bound = 2 * (share_error @ np.abs(values)) + gamma(len(keys) + 1) * (shares @ np.abs(values))
    return Expected(shares @ values, bound)


def argmax(xs: Array) -> Tree:
    if len(xs) == 0:
        return exactly(-np.inf), exactly(-1)
    return exactly(wide(xs).max()), exactly(xs.argmax())


def nearest(points: tuple[Array, Array], queries: tuple[Array, Array]) -> Tree:
    """Exact if the coordinates are small integers."""
    (px, py), (qx, qy) = map(wide, points), map(wide, queries)
    if len(px) == 0:
        return exactly(np.full(len(qx), np.inf)), exactly(np.full(len(qx), -1))
    distances = (px - qx[:, None]) ** 2 + (py - qy[:, None]) ** 2
    return exactly(distances.min(axis=1)), exactly(distances.argmin(axis=1))


def min_max(xs: Array) -> Tree:
    numbers = wide(xs)
    return exactly(numbers.min(initial=np.inf)), exactly(numbers.max(initial=-np.inf))


def mean_variance(share: Any, xs: Array) -> Tree:
    """The sums here are as inexact as those of the program, so the bound is doubled."""
    share, xs = wide(share), wide(xs)
    mean, magnitude = share * xs.sum(), np.abs(share) * np.abs(xs).sum()
    variance = share * ((xs - mean) ** 2).sum()
    squares = np.abs(share) * ((np.abs(xs) + magnitude) ** 2).sum()
    roundings = 2 * (3 * len(xs) + 8)
    return within(mean, magnitude, roundings, "f64"), within(variance, squares, roundings, "f64")


def complex_product(xs: tuple[Array, Array], ys: tuple[Array, Array]) -> Tree:
    (a, b), (c, d) = map(wide, xs), map(wide, ys)
    real, imaginary = np.abs(a * c) + np.abs(b * d), np.abs(a * d) + np.abs(b * c)
    return within(a * c - b * d, real, 3), within(a * d + b * c, imaginary, 3)


def relu(xs: Array) -> Tree:
    return exactly(np.where(xs > 0, wide(xs), 0.0)), exactly(xs > 0)


def quantise(xs: Array) -> Expected:
    return exactly(np.clip(np.trunc(wide(xs) * 16), -128, 127))


def divide(xs: Array, ys: Array) -> Tree:
    """The sign of the quotient is that of the product; the sign of the remainder is that of the dividend."""
    x, y = xs.astype(np.int64), ys.astype(np.int64)
    quotient = np.sign(x) * np.sign(y) * (np.abs(x) // np.maximum(np.abs(y), 1))
    remainder = np.where(y == 0, 0, x - quotient * y)
    return exactly(quotient.astype(np.int32)), exactly(remainder.astype(np.int32))


def histogram(bins: Array, xs: Array) -> Expected:
    return exactly((bins[:, None] == xs).sum(axis=1))


def sparse_mv(rows: tuple[Array, Array], x: Array) -> Expected:
    columns, values = rows
    entries = wide(values) * wide(x)[columns]
    return within(entries.sum(axis=1), np.abs(entries).sum(axis=1), columns.shape[1] + 2)


ANSWERS: Final[Mapping[str, Callable[..., Tree]]] = {
    "dot": polynomial(np.dot, lambda xs, ys: len(xs) + 2),
    "asum": polynomial(lambda xs: np.abs(xs).sum(), lambda xs: len(xs) + 1),
    "axpy": polynomial(lambda alpha, xs, ys: alpha * xs + ys, lambda *_: 3),
    "axpy_f16": polynomial(lambda alpha, xs, ys: alpha * xs + ys, lambda *_: 3, "f16"),
    "gemv": product(lambda alpha, beta, a, x, y: alpha * (a @ x) + beta * y, left=2),
    "mm": product(lambda a, b: a @ b),
    "mm_left_transposed": product(lambda at, b: at.T @ b),
    "mm_right_transposed": product(lambda a, bt: a @ bt.T),
    "mm_both_transposed": product(lambda at, bt: at.T @ bt.T),
    "gemm": product(lambda alpha, beta, a, b, c: alpha * (a @ b) + beta * c, left=2),
    "gemm_f32": product(lambda alpha, beta, a, b, c: alpha * (a @ b) + beta * c, left=2),
    "gemm_plain": product(lambda a, b: a @ b),
    "gemm_bf16": product(lambda a, b: a @ b),
    "gemm_bias": product(lambda a, b, bias: a @ b + bias),
    "gemm_left_transposed": product(lambda alpha, beta, at, b, c: alpha * (at.T @ b) + beta * c, left=2),
    "gemm_alpha": product(lambda alpha, a, b: alpha * (a @ b), left=1),
    "batched_mm": product(lambda a, b: a @ b),
    "matrix_chain": polynomial(lambda a, b, c: a @ b @ c, lambda a, b, c: sum(b.shape) + 4),
    "conv1d": polynomial(conv1d, lambda weights, xs: len(weights) + 2),
    "conv2d": polynomial(conv2d, lambda weights, image: weights.size + 2),
    "jacobi": polynomial(lambda grid: neighbours(grid, mode="edge") / 4, lambda grid: 11),
    "laplace": laplace,
    "moving_average": polynomial(lambda xs: windows(xs, 3).mean(axis=1), lambda xs: 5),
    "block_sums": polynomial(block_sums, lambda xs: 9),
    "prefix_sum": prefix_sum,
    "running_totals": polynomial(lambda rows: rows.cumsum(axis=1), lambda rows: rows.shape[1] + 1),
    "rolling_hash": rolling_hash,
    "softmax": softmax,
    "attention": attention,
    "argmax": argmax,
    "nearest": nearest,
    "min_max": min_max,
    "mean_variance": mean_variance,
    "complex_product": complex_product,
    "outer_product": polynomial(np.outer, lambda xs, ys: 1),
    "relu": relu,
    "quantise": quantise,
    "divide": divide,
    "histogram": histogram,
    "sparse_mv": sparse_mv,
    **LINEAR,
    **GRIDS,
    **LEARNING,
    **SCIENCE,
    **SYSTEMS,
    **RAGGED,
}
