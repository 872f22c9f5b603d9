"""The basic cases in straightforward numpy. Does not measure time."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from _plain.kinds import MEGA, SIDE, Array, Peer


def pad_neighbours(grid: Array, **pad: Any) -> Array:
    """The sum of the four neighbours."""
    padded = np.pad(grid, 1, **pad)
    return padded[:-2, 1:-1] + padded[2:, 1:-1] + padded[1:-1, :-2] + padded[1:-1, 2:]


def softmax(rows: Array) -> Array:
    """The softmax of each row."""
    weights = np.exp(rows - rows.max(axis=1, keepdims=True))
    return weights / weights.sum(axis=1, keepdims=True)


def nearest(points: tuple[Array, Array], queries: tuple[Array, Array]) -> tuple[Array, Array]:
    """The nearest point for each query, from all distances."""
    distances = (points[0] - queries[0][:, None]) ** 2 + (points[1] - queries[1][:, None]) ** 2
    return distances.min(axis=1), distances.argmin(axis=1)


def rolling_hash(text: Array) -> Array:
    """A scan with a Python function, since numpy has no scan of this operation."""
    step = np.frompyfunc(lambda before, letter: (before * 31 + letter) & 0xFFFFFFFF, 2, 1)
    return step.accumulate(np.concatenate([[7], text]).astype(object))[1:].astype(np.uint32)


def mean_variance(share: float, xs: Array) -> tuple[Any, Any]:
    """The mean and the variance, in two passes."""
    mean = share * xs.sum()
    return mean, share * ((xs - mean) ** 2).sum()


def divide(xs: Array, ys: Array) -> tuple[Array, Array]:
    """Quotients and remainders, truncated towards zero; 0 where the divisor is 0."""
    with np.errstate(divide="ignore", invalid="ignore"):
        quotient = np.where(ys == 0, 0, np.trunc(xs / ys).astype(np.int32))
    return quotient, np.where(ys == 0, 0, np.fmod(xs, np.where(ys == 0, 1, ys)))


def conv2d(weights: Array, image: Array) -> Array:
    """The sum of shifted images."""
    rows, columns = (a - b + 1 for a, b in zip(image.shape, weights.shape, strict=True))
    shifted = (w * image[y : y + rows, x : x + columns] for (y, x), w in np.ndenumerate(weights))
    return sum(shifted, np.zeros((rows, columns), image.dtype))


def sparse_mv(rows: tuple[Array, Array], x: Array) -> Array:
    """A matrix with K entries in each row, times a vector."""
    return np.asarray((rows[1] * x[rows[0]]).sum(axis=1))


def wide(x: Array) -> Array:
    """Small floats in single precision, in which their products are summed."""
    return x.astype(np.float32)


SQUARE: Final = {"M": SIDE, "K": SIDE, "N": SIDE}
BASICS: Final[Mapping[str, Peer]] = {
    "dot": Peer({"N": 4 * MEGA}, np.dot),
    "asum": Peer({"N": 4 * MEGA}, lambda xs: np.abs(xs).sum()),
    "axpy": Peer({"N": 4 * MEGA}, lambda alpha, xs, ys: alpha * xs + ys),
    "axpy_f16": Peer({"N": MEGA}, lambda alpha, xs, ys: alpha * xs + ys),
    "gemv": Peer(
        {"M": 2048, "N": 2048},
        lambda alpha, beta, a, x, y: alpha * (a @ x) + beta * y,
        "two threads: the second one sleeps between calls of half a millisecond",
    ),
    "mm": Peer(SQUARE, lambda a, b: a @ b),
    "mm_left_transposed": Peer(SQUARE, lambda at, b: at.T @ b),
    "mm_right_transposed": Peer(SQUARE, lambda a, bt: a @ bt.T),
    "mm_both_transposed": Peer(SQUARE, lambda at, bt: at.T @ bt.T),
    "gemm": Peer(SQUARE, lambda alpha, beta, a, b, c: alpha * (wide(a) @ wide(b)) + beta * c),
    "gemm_f32": Peer(SQUARE, lambda alpha, beta, a, b, c: alpha * (a @ b) + beta * c),
    "gemm_plain": Peer(SQUARE, lambda a, b: wide(a) @ wide(b)),
    "gemm_bf16": Peer(SQUARE, lambda a, b: wide(a) @ wide(b)),
    "gemm_bias": Peer(SQUARE, lambda a, b, bias: wide(a) @ wide(b) + bias),
    "gemm_left_transposed": Peer(
        SQUARE, lambda alpha, beta, at, b, c: alpha * (wide(at).T @ wide(b)) + beta * c
    ),
    "gemm_alpha": Peer(SQUARE, lambda alpha, a, b: alpha * (wide(a) @ wide(b))),
    "batched_mm": Peer({"P": 16, "M": 256, "K": 256, "N": 256}, lambda a, b: a @ b),
    "matrix_chain": Peer({"M": SIDE, "N": SIDE, "K": SIDE, "L": SIDE}, lambda a, b, c: a @ b @ c),
    "conv1d": Peer({"K": 16, "N": MEGA}, lambda weights, xs: sliding_window_view(xs, len(weights)) @ weights),
    "conv2d": Peer({"H": 3, "W": 3, "M": SIDE, "N": SIDE}, conv2d),
    "jacobi": Peer({"M": SIDE, "N": SIDE}, lambda grid: np.float32(0.25) * pad_neighbours(grid, mode="edge")),
    "laplace": Peer({"M": SIDE, "N": SIDE}, lambda grid: pad_neighbours(grid) - np.float32(4) * grid),
    "moving_average": Peer({"N": MEGA}, lambda xs: (xs[:-2] + xs[1:-1] + xs[2:]) / np.float32(3)),
    "block_sums": Peer({"N": 4 * MEGA}, lambda xs: xs.reshape(-1, 8).sum(axis=1)),
    "prefix_sum": Peer({"N": MEGA}, lambda xs: np.cumsum(xs, dtype=np.int32)),
    "running_totals": Peer({"M": SIDE, "N": SIDE}, lambda rows: np.cumsum(rows, axis=1)),
    "rolling_hash": Peer({"N": MEGA}, rolling_hash),
    "softmax": Peer({"M": SIDE, "N": SIDE}, softmax),
    "attention": Peer(
        {"M": SIDE, "N": SIDE, "D": 64, "E": 64}, lambda scale, q, k, v: softmax(scale * (q @ k.T)) @ v
    ),
    "argmax": Peer({"N": 4 * MEGA}, lambda xs: (xs.max(), xs.argmax())),
    "nearest": Peer({"M": SIDE, "N": SIDE}, nearest),
    "min_max": Peer({"N": 4 * MEGA}, lambda xs: (xs.min(), xs.max())),
    "mean_variance": Peer({"N": 4 * MEGA}, mean_variance),
    "complex_product": Peer({"N": MEGA}, lambda x, y: (x[0] * y[0] - x[1] * y[1], x[0] * y[1] + x[1] * y[0])),
    "outer_product": Peer({"M": SIDE, "N": SIDE}, np.outer),
    "relu": Peer({"N": 4 * MEGA}, lambda xs: (np.maximum(xs, 0), xs > 0)),
    "quantise": Peer({"N": 4 * MEGA}, lambda xs: np.clip(xs * 16, -128, 127).astype(np.int8)),
    "divide": Peer({"N": MEGA}, divide),
    "histogram": Peer(
        {"B": 16, "N": MEGA}, lambda bins, xs: (bins[:, None] == xs).sum(axis=1, dtype=np.int32)
    ),
    "sparse_mv": Peer({"M": 2**16, "K": 16, "N": MEGA}, sparse_mv),
}
