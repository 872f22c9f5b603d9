"""Linear algebra, reductions and scans in straightforward numpy. Does not measure time."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from _plain.kinds import MEGA, PICTURE, SIDE, Array, Peer


def trsv(lower: Array, b: Array) -> Array:
    """The solution of a triangular system, row by row."""
    solved = np.zeros_like(b)
    for i, row in enumerate(lower):
        solved[i] = (b[i] - row[:i] @ solved[:i]) / row[i]
    return solved


def solvable(lower: Array, b: Array) -> tuple[Array, Array]:
    """A matrix with a dominant diagonal."""
    return lower / np.float32(len(lower)) + np.eye(len(lower), dtype=lower.dtype), b


def logsumexp(rows: Array) -> Array:
    """The logarithm of the sum of exponentials of each row."""
    tops = rows.max(axis=1)
    return tops + np.log(np.exp(rows - tops[:, None]).sum(axis=1))


def segmented_sum(rows: tuple[Array, Array]) -> Array:
    """All running sums, minus the sum before the last flag."""
    flags, values = rows
    totals = np.cumsum(values, axis=1)
    places = np.maximum.accumulate(np.where(flags, np.arange(flags.shape[1]), -1), axis=1)
    before = np.take_along_axis(totals - values, np.maximum(places, 0), axis=1)
    return totals - np.where(places < 0, np.float32(0), before)


def moments(xs: Array) -> tuple[Any, tuple[Any, Any]]:
    """The count, the mean and the sum of squared deviations, in two passes."""
    mean = xs.mean()
    return np.float32(len(xs)), (mean, ((xs - mean) ** 2).sum())


def covariance(share: Any, table: Array) -> Array:
    """The covariances of the columns, by a matrix product."""
    centred = table - share * table.sum(axis=0)
    return share * (centred.T @ centred)


def mean_share(share: Any, table: Array) -> tuple[Any, Array]:
    """The weight of one row in the mean, and the table."""
    return np.float32(1 / len(table)), table


SYMMETRIC: Final = "numpy detects that the factors are the same matrix, and computes half of the product"
LINEAR: Final[Mapping[str, Peer]] = {
    "nrm2": Peer({"N": 4 * MEGA}, np.linalg.norm),
    "ger": Peer(PICTURE, lambda alpha, x, y, a: alpha * np.outer(x, y) + a),
    "syrk": Peer({"M": SIDE, "K": SIDE}, lambda alpha, beta, a, c: alpha * (a @ a.T) + beta * c, SYMMETRIC),
    "trmv": Peer({"N": SIDE}, lambda a, x: np.tril(a) @ x),
    "trsv": Peer({"N": SIDE}, trsv, "numpy solves no triangular system: a loop over rows", solvable),
    "logsumexp": Peer(PICTURE, logsumexp),
    "running_max": Peer({"N": MEGA}, np.maximum.accumulate),
    "segmented_sum": Peer(PICTURE, segmented_sum),
    "moments": Peer(
        {"N": MEGA},
        moments,
        "numpy adds, in two passes; the program divides at every element, in its given order",
    ),
    "horner": Peer({"K": 16, "N": MEGA}, np.polyval),
    "min_plus": Peer(
        {"M": 128, "K": 128, "N": 128},
        lambda first, second: (first[:, :, None] + second).min(axis=1),
    ),
    "covariance": Peer({"N": 4096, "D": 256}, covariance, SYMMETRIC, mean_share),
    "dot_i8": Peer({"N": MEGA}, lambda xs, ys: np.dot(xs.astype(np.int32), ys.astype(np.int32))),
}
