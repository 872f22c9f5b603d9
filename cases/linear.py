"""Expected results of the cases about linear algebra, reductions and scans, by numpy. Independent of RISE."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

import numpy as np

from cases.bounds import Array, Expected, Tree, exactly, polynomial, wide
from cases.rounding import Rounded, exp, log, matmul, rounded, sqrt, stack


def nrm2(xs: Array) -> Expected:
    numbers = rounded(xs)
    return sqrt((numbers * numbers).sum(0)).expected


def trsv(lower: Array, b: Array) -> Expected:
    solved: list[Rounded] = []
    for i, row in enumerate(lower):
        sums = (rounded(row[:i]) * stack(solved)).sum(0) if solved else rounded(0.0)
        solved.append((rounded(b[i]) - sums) / row[i])
    return stack(solved).expected if solved else exactly(np.zeros(0))


def logsumexp(rows: Array) -> Expected:
    if rows.size == 0:
        return exactly(np.full(len(rows), -np.inf))
    tops = rows.max(axis=1)
    return (tops + log(exp(rounded(rows) - tops[:, None]).sum(1))).expected


def segmented_sum(rows: tuple[Array, Array]) -> Expected:
    flags, values = rows
    totals = rounded(np.zeros(len(flags)))
    columns = []
    for flag, column in zip(flags.T, values.T, strict=True):
        totals = rounded(column) + totals * np.where(flag, 0.0, 1.0)
        columns.append(totals)
    return stack(columns, axis=1).expected if columns else exactly(np.zeros(flags.shape))


def moments(xs: Array) -> Tree:
    """Computed by the program's own steps, which cancel less than any other method."""
    mean, squares = rounded(0.0), rounded(0.0)
    for n, x in enumerate(wide(xs)):
        apart = x - mean
        mean += apart * (rounded(1.0) / (n + 1))
        squares += apart * apart * n / (n + 1)
    return exactly(float(len(xs))), (mean.expected, squares.expected)


def horner(coefficients: Array, points: Array) -> Array:
    return np.asarray(np.polyval(coefficients, points)) if len(coefficients) else np.zeros(len(points))


def min_plus(first: Array, second: Array) -> Expected:
    sums = wide(first)[:, :, None] + wide(second)
    lengths = sums.min(axis=1, initial=np.inf)
    return Expected(lengths, np.abs(sums).max(axis=1, initial=0.0) * 2.0**-24)


def packed_product(packed: Array, x: Array) -> Array:
    n = len(x)
    a = np.zeros((n, n))
    a[np.tril_indices(n)] = packed
    return np.asarray(a @ x)


def covariance(share: Any, table: Array) -> Expected:
    columns = rounded(table) - rounded(table).sum(0) * wide(share)
    return (matmul(columns.apply(np.transpose), columns) * wide(share)).expected


def dot_i8(xs: Array, ys: Array) -> Expected:
    return exactly((xs.astype(np.int32) * ys.astype(np.int32)).sum(dtype=np.int32))


LINEAR: Final[Mapping[str, Callable[..., Tree]]] = {
    "nrm2": nrm2,
    "ger": polynomial(lambda alpha, x, y, a: alpha * np.outer(x, y) + a, lambda *_: 4),
    "syrk": polynomial(
        lambda alpha, beta, a, c: alpha * (a @ a.T) + beta * c, lambda _, __, a, c: a.shape[1] + 5
    ),
    "trmv": polynomial(lambda a, x: np.tril(a) @ x, lambda a, x: len(x) + 2),
    "trmv_packed": polynomial(packed_product, lambda a, x: len(x) + 2),
    "short_windows": polynomial(
        lambda xs: np.array([xs[i : i + 5].sum() for i in range(0, len(xs), 3)]), lambda xs: 7
    ),
    "trsv": trsv,
    "logsumexp": logsumexp,
    "running_max": lambda xs: exactly(np.maximum.accumulate(wide(xs))),
    "segmented_sum": segmented_sum,
    "moments": moments,
    "horner": polynomial(horner, lambda coefficients, _: 2 * len(coefficients) + 2),
    "chosen_degree": lambda chosen, points: polynomial(horner, lambda cs, _: 2 * len(cs) + 2)(
        chosen[1], points
    ),
    "min_plus": min_plus,
    "covariance": covariance,
    "dot_i8": dot_i8,
}
