"""numpy functions that are implemented as Python functions agree with numpy, on arrays and as programs.

One subject: a program and its arguments for each function.
"""

# The names of the programs describe them.

from __future__ import annotations

import copy
import inspect
import re
import sys
from collections.abc import Callable
from types import FunctionType
from typing import Any

import numpy as np
import pytest

import rise
from rise import RiseError
from rise.embedding import compress, flatnonzero, intersect1d, nonzero, setdiff1d, top_k, union1d, unique
from rise.embedding.alternatives import OF_STATED_LENGTH
from rise.embedding.numpy_definitions import NUMPY_DEFINITIONS
from rise.embedding.results import as_returned
from shine.front.argument_types import kind_of, shapes_of
from tests.examples import some
from tests.rise.embedding import rare_words

RANDOM = np.random.default_rng(3)
X = RANDOM.standard_normal((4, 6))
Y = RANDOM.standard_normal((4, 6))
SQUARE = RANDOM.standard_normal((5, 5))
ROW, OTHER = X[0], Y[0]
HOLES = np.where(np.abs(X) > 1, np.nan, X)
HOLES[:, 2] = np.nan
NUMBERS = np.array([3, -1, 2, 0, 1, -6])
EDGES = np.array([0.0, -0.0, np.inf, -np.inf, np.nan, 2.5])
#: with 0, for which `np.sinc` of numpy 2.2 returns NaN
HALVES = np.float16([0, 1, -2] if np.lib.NumpyVersion(np.__version__) >= "2.3.0" else [1, -2])


def near(x, y):
    return np.isclose(x, y), np.allclose(x, x + 1e-9), np.isclose(x, x, equal_nan=True), np.array_equal(x, y)


def joined(x, y):
    return np.append(x, y), np.append(x, y, axis=0), np.column_stack((x, y)), np.dstack((x, y))


def of_rows(x, y):
    return np.column_stack((x, y)), np.dstack((x, y)), np.atleast_1d(x), np.atleast_2d(x), np.atleast_1d(x[0])


def placed(x, y):
    return np.insert(y, 1, 7.0), np.insert(x, 2, y, axis=0), np.delete(y, 0), np.delete(x, -1, axis=1)


def cut(x):
    first, second = np.split(x, [1], axis=1)
    return first, second, np.vsplit(x, [2])[1], np.hsplit(x, [1, 3])[1]


def halved(x: Any):
    return np.split(x, 2)[1]


def turned(x):
    return np.rot90(x), np.rot90(x, 2), np.rot90(x, -1), np.rot90(x, 4), np.rot90(x, axes=(1, 0))


def tiled(x):
    return np.tile(x, 2), np.tile(x, (2, 3)), np.tile(x, (2, 1, 1)), np.tile(x[0], (2, 2))


def crossed(x, y):
    a, b = np.meshgrid(x, y)
    c, d = np.meshgrid(x, y[:2], indexing="ij")
    return a, b, c, d, np.meshgrid(x, y, sparse=True)[1]


def on_diagonals(x, square):
    return np.diag(x), np.diag(square)


def selected(x):
    return np.select([x < 0, x > 1], [-x, x * 2]), np.select([x < 0], [0.0], x), np.ediff1d(x)


def taken(x, i):
    return np.take(x, i), np.take(x, i % 4, axis=0), np.take(x, i, axis=1), np.take(x, 2, axis=1), x[i % 4, i]


def weighted(x, w):
    return (
        np.average(x),
        np.average(x, axis=1, weights=w),
        np.average(x, weights=x * x),
        np.average(x, axis=0),
    )


def extents(x):
    return np.ptp(x), np.ptp(x, axis=0), np.ptp(x, 1, keepdims=True), np.count_nonzero(x > 0, axis=1)


def counted(x):
    return np.count_nonzero(x), np.count_nonzero(x > 0)


def correlated(x):
    return np.corrcoef(x), np.corrcoef(x, rowvar=False), np.corrcoef(x[0])


def correlated_of_two(x, y):
    return (
        np.corrcoef(x, y),
        np.corrcoef(x[0], y[0]),
        np.cov(x, y),
        np.cov(x[0], y),
        np.cov(x, y, rowvar=False),
    )


def of_integers_summed(x):
    return (
        x.sum(),
        np.prod(x, axis=0),
        x.cumsum(),
        np.cumprod(x, 1),
        np.trace(x),
        np.add.reduce(x),
        np.multiply.accumulate(x),
        x @ x,
        x.sum(dtype=np.int32),
        np.cumsum(x, dtype=np.int16),
    )


def totals(x):
    return np.nansum(x), np.nansum(x, axis=0), np.nanprod(x, axis=1), np.nanmean(x), np.nanmean(x, axis=1)


def extremes(x):
    return np.nanmax(x), np.nanmin(x, axis=1), np.nanmax(x, axis=1), np.nanargmax(x, axis=1), np.nanargmin(x)


def extremes_beside_holes(x):
    of_rows = np.nanmax(x, axis=1), np.nanmin(x, axis=-1, keepdims=True)
    return np.nanmax(x), np.nanmin(x), np.nanmax(x, axis=0), np.nanmin(x, axis=0), *of_rows


def spreads(x):
    return np.nanvar(x), np.nanstd(x, axis=1, ddof=1), np.nanvar(x, axis=1, keepdims=True)


def without_holes(x):
    return np.nansum(x), np.nanmax(x), np.nanmin(x), np.nanmean(x), np.nanvar(x), np.nan_to_num(x)


def areas(y, x):
    return (
        np.trapezoid(y),
        np.trapezoid(y, dx=0.5, axis=0),
        np.trapezoid(y, x),
        np.trapezoid(y, y * 2, axis=1),
    )


def slopes(x):
    a, b = np.gradient(x)
    c, d = np.gradient(x, 2.0, 0.5)
    return a, b, c, d, np.gradient(x, axis=1), np.gradient(x, 3.0, axis=0), np.gradient(x[0])


def convolved(x, v):
    return np.convolve(x, v), np.convolve(x, v, "same"), np.convolve(x, v, mode="valid")


def slid(x, v):
    return np.correlate(x, v), np.correlate(x, v, "full"), np.correlate(x, v, mode="same")


def in_turns(x, y):
    """Functions that work with Python lists, in a loop over a size, and lists and dictionaries that are only read."""
    found, first, columns = np.zeros((len(x), 4)), {"row": 0}, ["a", "b", "c", "d"]
    for k in range(len(x)):
        place = columns.index("b")
        found[k, place] = np.tensordot(x[k, :, None], y, axes=([0], [1]))[
            first["row"], first.get("column", 2)
        ]
        found[k, columns.index("c")] = np.vander(x[k], 3)[1, 0]
        found[k, columns.index("d")] = np.meshgrid(x[k], y[k])[1][3, 2]
    return found


def products(x, y):
    return np.kron(x, y), np.tensordot(x, y, axes=([0], [0])), np.tensordot(x, y.T, 1), np.tensordot(x, y)


def of_vectors(x, y):
    return np.cross(x[:, :3], y[:, 3:]), np.kron(x[0], y[0]), np.tensordot(x[0], y[0], axes=(0, 0))


def powers(a):
    return np.linalg.matrix_power(a, 0), np.linalg.matrix_power(a, 1), np.linalg.matrix_power(a, 5)


def polynomials(x):
    return np.polyval([2.0, -1.0, 3.0], x), np.vander(x, 3), np.vander(x, 3, increasing=True)


def solved(a, b):
    return np.linalg.solve(a, b), np.linalg.solve(a, b[:, 0]), np.linalg.inv(a), np.linalg.det(a)


def triangular(a):
    return np.linalg.cholesky(a @ a.T)


def binned(x):
    return np.histogram(x, 4)


def counted_in(i, w):
    return (
        np.bincount(i, minlength=5),
        np.bincount(i, w, minlength=8),
        np.bincount(i, weights=w, minlength=len(w)),
    )


def changed_at(a, m, i, b, r):
    np.add.at(a, i, b)
    np.maximum.at(m, i, r)
    np.minimum.at(a, i, 0.5)
    np.add.at(m, i, 1)
    return a, m


def of_every_day(x, i):
    return (
        np.isin(i, [1, 2]),
        np.isin(x, x[0]),
        np.nancumsum(x, axis=1),
        np.float_power(i, 2),
        np.float_power(2, x),
        np.fix(x),
        np.degrees(x) + np.rad2deg(x),
        np.interp(x, np.arange(4.0), np.arange(4) ** 2),
    )


def changed_at_several(a, i, j, b):
    np.add.at(a, (i, j), b)
    np.maximum.at(a, (i[:, None], j[:, None]), 0.25)
    np.add.at(a, i, a[0] * 2)
    return a


def binned_in(x):
    return np.histogram(x, 4, (-0.5, 1.0)), np.histogram(x, bins=3, range=(-1, 2), weights=x * x)


def of_stated_length(x, i):
    return (
        flatnonzero(i, 4),
        flatnonzero(x > 0, 6, -1),
        compress(x > 0, x, 5, -1.0),
        compress(i, x, len(x), 2),
        unique(i % 3, 5),
        union1d(i, i % 3, 5),
        intersect1d(i * 2, i, 6, -1),
        setdiff1d(i * 2, i, 6),
        top_k(x, 3),
        top_k(i, 2),
    )


def of_matrices(x):
    return *nonzero(x > 0, x.size), compress(x[:, 0] > 0, x, 4), compress(x > 0, x, 30, np.inf)


def at_edges(x):
    return (
        np.heaviside(x, 0.5),
        np.nan_to_num(x),
        np.nan_to_num(x, nan=1.0, posinf=2.0, neginf=3.0),
        np.sinc(x),
    )


def of_two(x, y):
    return np.fmax(x, y), np.fmin(x, y), np.copysign(x, y), np.logaddexp(x, y)


def divided(x, y):
    return np.divmod(x, y)[0], np.divmod(x, y)[1], np.floor_divide(x, y), x // y, x // 0.3, 7.5 // y


def of_integers(x, y):
    return np.divmod(x, y)[0], np.floor_divide(x, y), x // y, np.nan_to_num(x), np.nansum(x)


def rounded(x):
    return np.round(x, 1), np.round(x, -1), np.around(x, 2), x.round(2)


def norms(x):
    vectors = [np.linalg.norm(x, one, axis=1) for one in (None, 1, 2, 3, 0, np.inf, -np.inf)]
    matrices = [np.linalg.norm(x, one) for one in (None, "fro", 1, -1, np.inf, -np.inf)]
    return np.stack(vectors), np.stack(matrices), np.linalg.norm(x[0], 1), np.linalg.norm(x, 1, axis=(1, 0))


def spread_out(x):
    return (
        np.broadcast_to(x[:, :1], x.shape),
        np.broadcast_to(x[0], x.shape),
        np.roll(x, (1, -2), axis=(0, 1)),
    )


def summed_as(x):
    return (
        x.sum(dtype=np.float32),
        x.sum(axis=1, dtype="i4"),
        np.prod(x, 0, np.float32),
        np.amax(x),
        np.amin(x, 1),
    )


def taken_lists(x, i):
    return (
        np.take(x, [3, 1], axis=1),
        np.take(x, [[0, -1], [1, 0]], axis=1),
        np.take(x, i, axis=-1),
        np.take(x, [2]),
    )


def gathered_between(x, i):
    y = np.stack((x, 2 * x, 3 * x))
    lists = x[np.arange(4), i[:4]], x[[[0], [-1]], i], x[[0, 1, 3], [1, -2, 0]]
    return y[i % 3, 1, i], y[i % 3, -1, i % 2], y[0, i % 4, i], y[i % 3, i % 4, 2], lists


def zero_determinant(x):
    return np.linalg.det(x), np.linalg.det(x - x)


def of_complex(x):
    return np.nansum(x), np.nanprod(x), np.nanmean(x), np.nanvar(x), np.nanstd(x), np.nan_to_num(x)


def slid_complex(x, v):
    return (
        np.correlate(x, v),
        np.correlate(x, v, "full"),
        np.convolve(x, v),
        np.cov(x),
        np.cov(np.stack((x, 2j * x))),
    )


def edges_of_two(x, y):
    return (
        x // y,
        np.divmod(x, y)[0],
        x // np.inf,
        np.copysign(x, 0.0),
        np.copysign(x, -0.0),
        np.copysign(x, -2),
        np.copysign(1.5, x),
    )


def signs(x):
    return np.copysign(2.0, x), np.heaviside(x, 1.0), np.fmax(0.5, x), np.fmin(x, 0.5)


def no_columns(x):
    return np.vander(x, 0), np.vander(x, 1)


def in_order(x, i):
    return (
        np.sort(x),
        np.sort(x, axis=0),
        np.sort(x, axis=None),
        np.sort(i > 0),
        np.sort(i),
        np.argsort(x, axis=0),
    )


def placed_in_order(x, y):
    order = np.argsort(x[0])
    return (
        x[0][order],
        x[:, order],
        np.take_along_axis(x, np.argsort(y, axis=1), 1),
        np.lexsort((x[0], y[0])),
        y[:, 0].argsort(),
    )


def parted(x):
    return np.partition(x, 2, axis=0)[2], x[0][np.argpartition(x[0], 1)][1]


def along(x, i):
    rows = i.reshape(2, 3) % 4
    return (
        np.take_along_axis(x[:, :3], rows, axis=0),
        np.take_along_axis(x, i, None),
        np.take_along_axis(x[:1], rows, -1),
    )


def searched(x, v):
    s = np.sort(x)
    return (
        np.searchsorted(s, v),
        np.searchsorted(s, v, side="right"),
        s.searchsorted(0.5),
        np.searchsorted(x, v, sorter=np.argsort(x)),
    )


def in_bins(x, v):
    falling = np.digitize(x, np.sort(v)[::-1]), np.digitize(x, np.sort(v)[::-1], right=True)
    return np.digitize(x, np.sort(v)), np.digitize(x, np.sort(v), right=True), *falling


def middles(x):
    return (
        np.median(x),
        np.median(x, axis=0),
        np.median(x, axis=1, keepdims=True),
        np.median(x, axis=(0, 1)),
        np.nanmedian(x),
        np.nanmedian(x, 1),
        np.nanmedian(x, 0, keepdims=True),
    )


def middles_of_integers(i):
    return (
        np.median(i),
        np.nanmedian(i),
        np.median(i.reshape(2, 3), axis=1),
        np.quantile(i, 0.3),
        np.percentile(i, (0, 40, 100)),
    )


def shares(x):
    return (
        np.quantile(x, 0.3),
        np.quantile(x, 0.75, axis=0),
        np.percentile(x, [10, 50, 99.5], axis=1),
        np.percentile(x, 30, axis=1, keepdims=True),
        np.percentile(x, 37, (0, 1)),
        *(np.quantile(x, 0.4, axis=1, method=one) for one in ("lower", "higher", "midpoint")),
    )


def shares_of_data(x, q):
    return np.quantile(x, q), np.percentile(x, 100 * q, axis=1, keepdims=True)


def shares_by_numbers(x, q, p):
    return np.quantile(x, q), np.percentile(x, p), np.quantile(x, q, axis=1, method="midpoint")


def extremes_of_truth(x):
    m = x > 0.5
    return (
        m.max(),
        m.min(axis=0),
        np.argmax(m),
        np.argmin(m, axis=1),
        np.max(m, axis=1, keepdims=True),
        np.ptp(x),
    )


def binned_integers(i):
    return np.histogram(i, bins=4), np.histogram(i, bins=3, range=(0, 3))[0]


def interpolated(x, places, values):
    p = np.sort(places)
    return np.interp(x, p, values), np.interp(x, p, values, left=-9.0, right=9.0), np.interp(0.25, p, values)


def gathered(x, i):
    return x[i % 4], x[0][i], x[i % 4, 1], x[:, i], x[0, i], x[-1][i[::2]]


def between_ends(x, row):
    ends = np.diff(x, prepend=0.0), np.diff(x, append=x[:, :1]), np.diff(x, 2, 0, prepend=1, append=x)
    return *ends, np.diff(row, prepend=row[:2], append=0.5), np.diff(x > 0, axis=0)


def in_parts(x, i):
    part, whole = np.modf(x)
    return part, whole, np.modf(i)[0], np.signbit(x), np.signbit(i)


def divisors(i, j):
    return np.gcd(i, j), np.lcm(i, j), np.gcd(i, 4), np.gcd(np.abs(i)[:, None], np.abs(j))


def bits(i, j, k):
    return np.bitwise_count(i), np.bitwise_count(j), np.bitwise_count(k)


def by_parts(x):
    return (
        np.piecewise(x, [x < 0, x > 1], [lambda v: -v, lambda v: v * v]),
        np.piecewise(x, [x < 0, x < -1], [1.0, 2.0, lambda v: v + 3.0]),
    )


def in_blocks(x, y, row):
    return np.block([[x, y], [y, x]]), np.block([row, row]), np.block([[row], [row]]), np.diagflat(x[:2, :2])


def without_diagonal(x):
    y, z = x.copy(), x.copy()
    np.fill_diagonal(y, 2.0)
    np.fill_diagonal(z, x[:, 5])
    return y, z


def copied_to(x, row):
    a, b, c, d = x.copy(), x.copy(), x.copy(), x.copy()
    np.copyto(a, row)
    np.copyto(b, row, where=b > 0)
    np.putmask(c, c < 0, 2 * row)
    np.put(d, [0, 7, -1], [1.0, 2.0, 3.0])
    return a, b, c, d


def into_arrays(x, row):
    a, b, c = x.copy(), np.zeros_like(x[:, 0]), x.copy()
    np.cumsum(a, axis=0, out=a)
    np.sum(x, axis=1, out=b)
    np.clip(x, -0.5, 0.5, out=c)
    np.max(x, axis=1, out=c[:, 0])
    return a, b, c, row.cumsum(out=np.zeros_like(row))


def alike(x, row):
    a, b, c = np.broadcast_arrays(x, row, x[:, :1])
    return a, b, c


def counted_along(i):
    a, b, c = np.unravel_index(i, (3, 4, 5))
    return a, b, c, np.ravel_multi_index((a, b, c), (3, 4, 5)), np.unravel_index(i, 60)[0]


def put_along(x, i):
    a, b, c = x.copy(), x.copy(), x[0].copy()
    np.put_along_axis(a, i[:, None] % 6, 7.0, 1)
    np.put_along_axis(b, np.argsort(x, axis=0), x * 2, 0)
    np.put_along_axis(c, i % 6, 1.0, 0)
    return a, b, c


def unwound(x):
    return np.unwrap(5 * x), np.unwrap(5 * x, axis=0, period=4.0), np.unwrap(5 * x, discont=4.0)


def shares_of_numbers(x, holes):
    return (
        np.nanquantile(holes[0], 0.3),
        np.nanpercentile(x, 30, axis=1),
        np.nanquantile(holes, 0.75, axis=0, keepdims=True),
        np.nanquantile(holes, 1.0),
    )


def size_of_determinant(square):
    sign, size = np.linalg.slogdet(square)
    return sign, size


def by_rows(x):
    return (
        np.apply_along_axis(lambda row: row / row.sum(), 1, x),
        np.apply_along_axis(np.sort, 0, x),
        np.apply_along_axis(np.mean, -1, x),
        np.apply_along_axis(lambda row: row[:, None] * row[:2], 0, x),
    )


def products_of_vectors(z, w, x):
    return (
        np.vecdot(z, w),
        np.vecdot(z, w, axis=0),
        np.matvec(x, x[0]),
        np.vecmat(w[:, 0], z),
        np.vecdot(x, x[1]),
    )


def bits_of(b):
    rows = b.reshape(-1, 2)
    ways = (
        np.unpackbits(rows, axis=1, bitorder="little"),
        np.unpackbits(rows, axis=0),
        np.unpackbits(b, count=11),
    )
    return np.unpackbits(b), *ways


def one_by_one(x, i):
    return (
        np.hypot.reduce(x),
        np.subtract.reduce(x, axis=1, keepdims=True),
        np.divide.reduce(i),
        np.fmax.reduce(x[0]),
        np.logaddexp.accumulate(x, axis=1),
        np.subtract.accumulate(i),
        np.logical_xor.reduce(i),
    )


def of_all_bits(i, b, m):
    return (
        np.bitwise_xor.reduce(i),
        np.bitwise_and.reduce(b),
        np.bitwise_or.accumulate(i),
        np.bitwise_xor.reduce(m),
        np.bitwise_and.reduce(m),
        np.bitwise_or.accumulate(m),
        np.logical_or.reduce(i),
    )


def of_all_pairs(x, row):
    return np.add.outer(x, row), np.less.outer(row, x), np.copysign.outer(row, row), np.multiply.outer(x, 2.0)


def set_at(x, i, row):
    a, b, c, d, e, f = (x.copy() for _ in range(6))
    a[i % 4] = 1.0
    b[i % 4] = row
    c[:, i] = 7.0
    d[[0, -1]] = x[1:3]
    d[:, [1, 2]] += 2.0
    e[i % 4, i] = np.arange(i.shape[0])
    f[1, i.reshape(2, -1)] = 3.0
    return a, b, c, d, e, f


def set_on_diagonal(square):
    i = np.arange(square.shape[0])
    square[i, i] = 0.0
    square[i, square.shape[0] - 1 - i] += 1.0
    return square


def in_brackets(x, row, i):
    return (
        np.c_[row, row + 1],
        np.c_[x[:, 0], x, np.ones(len(x))],
        np.r_[0.5, row, i, 1],
        np.r_[0:3, i, 2 : len(i)],
        np.r_[x, x],
    )


def grids(x, i):
    n, m = x.shape
    rows, columns = np.mgrid[0:n, 1:m]
    halves, small = np.ogrid[1:n, :m:2]
    points = np.mgrid[0:1:3j, :n]
    return (
        rows * 10 + columns,
        halves * small,
        np.mgrid[:n] * 2,
        points,
        np.ogrid[1 : len(i)],
        np.mgrid[0:2, 0:3],
    )


def listed(x, i):
    y = np.asarray(x, dtype=np.float64)
    z = np.array(y)
    z[0] = 7.0
    shares = np.array([(i == k).mean() for k in range(3)])
    return y, z, shares, np.array([[x[0, 0], 1], [2, 0.5]]), np.array([i.argmax(), 2]), np.array([i[0], 0.5])


def listed_with_options(x, i):
    return (
        np.array([x[0], x[1]], ndmin=3, copy=True),
        np.array(x[0, 0], ndmin=2),
        np.asarray(x, np.float64, order="F"),
        np.asarray([i[0], i[1]], np.float32),
        np.ascontiguousarray(x[0, 0]),
    )


def ends_of_their_type(i, c):
    """`np.pad` and `np.insert` keep the type of the array."""
    return np.pad(c, 1), np.pad(c, (0, 2), constant_values=1), np.insert(c, 1, 2), np.insert(i, 0, 2.5)


def joined_types(i, j):
    return np.concatenate([i, j]), np.stack([i, j * 0.5]), np.hstack([i.argsort(), j])


def numbers_alone(x):
    return (
        np.where(x > 0, 100_000, 0) * 100_000,
        np.select([x > 0], [5], 7),
        np.clip(np.where(x > 0, 5, 7), 0, 6),
        np.where(x > 0, True, False),
    )


def of_masked(x):
    m = x > 0
    return (
        np.sum(x, where=m),
        np.sum(x, axis=1, where=m, keepdims=True),
        np.sum(m, where=m),
        np.sum(x, axis=0, where=m[:, :1]),
        x.mean(where=m),
        np.mean(x, axis=0, where=x > -9, keepdims=True),
        np.var(x, where=m),
        np.std(x, axis=1, where=x > -9, ddof=1),
        np.prod(x, where=m),
        np.any(x > 1, axis=0, where=m),
        np.all(m, axis=1, where=x > -1),
        np.max(x, where=m, initial=-1),
        x.min(axis=0, initial=5, where=m),
        np.add.reduce(x, axis=1, where=m[0], initial=1),
    )


def with_initial(x):
    return (
        np.sum(x, initial=2),
        np.max(x[:0], initial=9),
        np.prod(x, axis=1, initial=3),
        np.min(x > 0, initial=True),
    )


def powers_of(x):
    return np.vander(x, 3)


def of_64_bits(u, i):
    return u + i, u * i, np.maximum(u, i), np.where(i > 0, u, i), u / (i * i + 1)


def beside_limits(b, u):
    return b < 256, b == 300, b >= -1, u > -1, u != -7, np.less(b, 1000)


def of_truth(x, i):
    return np.logical_and(x, i), np.logical_not(i), np.logical_xor(x, 1), np.logical_or(i, 0.0)


def whole_and_rest(i):
    return *divmod(i, 4), divmod(100, i * i + 1)[1], np.radians(i)


def among_lists(x):
    return np.digitize(x, [-1, 0, 1]), np.digitize(x, [1.5, 0, -1]), np.searchsorted([-1, 0.5, 2], x)


def between_lists(x):
    return np.interp(x, [0, 1, 2], [3.0, 4, 9]), np.histogram(x, bins=4, density=True)[0]


CASES: list[tuple[FunctionType, tuple[Any, ...]]] = [
    (near, (X, Y)),
    (by_rows, (X,)),
    (products_of_vectors, (X + 1j * Y, Y - 1j * X, X)),
    (bits_of, (np.array([3, 200, 255, 0, 17, 128], np.uint8),)),
    (one_by_one, (X, NUMBERS)),
    (of_all_bits, (NUMBERS, NUMBERS.astype("u1"), NUMBERS > 0)),
    (of_all_pairs, (X, ROW)),
    (set_at, (X, np.array([3, 1, 5, 0]), ROW)),
    (set_on_diagonal, (SQUARE,)),
    (in_brackets, (X, np.arange(4.0), NUMBERS[:4])),
    (grids, (X, NUMBERS[:4])),
    (listed, (X, NUMBERS)),
    (listed_with_options, (X, NUMBERS)),
    (ends_of_their_type, (NUMBERS, NUMBERS > 2)),
    (joined_types, (NUMBERS, NUMBERS.astype("i4"))),
    (of_64_bits, (np.abs(NUMBERS).astype("u8"), NUMBERS)),
    (of_64_bits, (np.abs(NUMBERS).astype("u8"), NUMBERS.astype("i2"))),
    (beside_limits, (NUMBERS.astype("u1"), np.abs(NUMBERS).astype("u8"))),
    (of_truth, (ROW, NUMBERS)),
    (whole_and_rest, (NUMBERS,)),
    (among_lists, (ROW,)),
    (among_lists, (NUMBERS,)),
    (between_lists, (ROW,)),
    (between_ends, (X, ROW)),
    (in_parts, (EDGES, NUMBERS)),
    (in_parts, (EDGES.astype("f4"), NUMBERS.astype("i4"))),
    (divisors, (NUMBERS * 12, NUMBERS[::-1] * 18)),
    (divisors, (NUMBERS.astype("i4") * 10, NUMBERS[::-1].astype("i4") * 4)),
    (bits, (NUMBERS, NUMBERS.astype("i1") * 20, (NUMBERS % 7).astype("u4") << 29)),
    (by_parts, (X,)),
    (in_blocks, (X, Y, ROW)),
    (without_diagonal, (X,)),
    (copied_to, (X, ROW)),
    (into_arrays, (X, ROW)),
    (alike, (X, ROW)),
    (counted_along, (np.arange(0, 60, 7),)),
    (put_along, (X, NUMBERS[:4])),
    (unwound, (X,)),
    (shares_of_numbers, (X, HOLES)),
    (shares_of_numbers, (X.astype("f4"), HOLES.astype("f4"))),
    (size_of_determinant, (SQUARE,)),
    (joined, (X, Y)),
    (in_turns, (X, Y)),
    (of_rows, (ROW, OTHER)),
    (placed, (X, ROW)),
    (cut, (X,)),
    (turned, (X,)),
    (tiled, (X,)),
    (crossed, (ROW, OTHER[:4])),
    (on_diagonals, (ROW, SQUARE)),
    (selected, (ROW,)),
    (taken, (X, NUMBERS)),
    (gathered, (X, NUMBERS)),
    (in_order, (HOLES, NUMBERS)),
    (placed_in_order, (X, Y)),
    (parted, (X,)),
    (along, (X, NUMBERS)),
    (searched, (ROW, OTHER)),
    (searched, (HOLES[0], np.append(HOLES[0], EDGES))),
    (in_bins, (X, OTHER)),
    *((middles, (one,)) for one in (X, HOLES, np.float32(X[:3]), np.float16(X))),
    (middles_of_integers, (NUMBERS,)),
    *((shares, (one,)) for one in (X, HOLES, np.float32(X))),
    (shares_of_data, (np.float32(X), np.array([0.0, 0.31, 1.0]))),
    (shares_of_data, (np.float32(X), np.float32([[0.0, 0.25, 1.0], [0.5, 0.125, 0.75]]))),
    (shares_by_numbers, (np.float32(X), np.float32(0.3), np.float32(30))),
    (shares_by_numbers, (NUMBERS.reshape(2, 3), np.float64(0.3), np.int64(30))),
    (extremes_of_truth, (X,)),
    (binned_integers, (np.uint8(NUMBERS % 5),)),
    (interpolated, (np.append(HOLES[0], EDGES), ROW, OTHER)),
    (interpolated, (np.float32(X), np.repeat(ROW[:3], 2), OTHER)),
    (interpolated, (HOLES[0], ROW[:1], OTHER[:1])),
    (weighted, (X, np.abs(ROW))),
    (extents, (X,)),
    (counted, (X,)),
    (correlated, (X,)),
    (correlated_of_two, (X, Y)),
    (correlated, (np.float32(X),)),
    (correlated_of_two, (np.float32(X), Y)),
    (numbers_alone, (X,)),
    *((of_masked, (values,)) for values in (X, np.float32(X), NUMBERS.reshape(2, 3) - 2)),
    (with_initial, (X,)),
    *((powers_of, (values,)) for values in (np.float32(ROW), np.float16(ROW), NUMBERS.astype("i2"))),
    *((of_integers_summed, (np.arange(100, 116).astype(t).reshape(4, 4),)) for t in ("u1", "i2", "u4", "i8")),
    (totals, (HOLES,)),
    *((extremes_beside_holes, (one,)) for one in (HOLES, HOLES.T.copy(), HOLES * np.inf, np.float32(HOLES))),
    (extremes, (np.where(np.isnan(HOLES[:, :2]), 0, HOLES[:, :2]),)),
    (spreads, (HOLES,)),
    (without_holes, (NUMBERS,)),
    (areas, (X, np.cumsum(np.abs(ROW)))),
    (slopes, (X,)),
    (convolved, (ROW, OTHER[:3])),
    (convolved, (ROW, OTHER[:4])),
    (convolved, (ROW, np.array([np.inf, 1.0, np.nan], ROW.dtype))),
    (slid, (ROW, OTHER[:3])),
    (slid, (ROW, OTHER[:4])),
    (slid, (ROW, np.array([1.0, -np.inf, 2.0], ROW.dtype))),
    (products, (X, Y)),
    (of_vectors, (X, Y)),
    (powers, (SQUARE,)),
    (polynomials, (ROW,)),
    (solved, (SQUARE, Y.T[:5])),
    (triangular, (SQUARE,)),
    (binned, (ROW,)),
    (binned_in, (ROW,)),
    (counted_in, (np.abs(NUMBERS) % 5, ROW)),
    (changed_at, (ROW.copy(), X.copy(), NUMBERS % 4, OTHER, Y[[0, 1, 2, 3, 0, 1]])),
    (of_every_day, (HOLES, NUMBERS)),
    (changed_at_several, (X.copy(), NUMBERS % 4, NUMBERS[::-1] % 4, OTHER)),
    (of_stated_length, (ROW, NUMBERS)),
    (of_matrices, (X,)),
    (at_edges, (EDGES,)),
    (of_two, (EDGES, EDGES[::-1].copy())),
    (divided, (X, Y)),
    (of_integers, (NUMBERS, NUMBERS * 2 + 1)),
    (rounded, (X * 30,)),
    (norms, (X,)),
    (spread_out, (X,)),
    (summed_as, (X,)),
    (taken_lists, (X, NUMBERS[:4].reshape(2, 2))),
    (gathered_between, (X, NUMBERS)),
    (zero_determinant, (SQUARE,)),
    (of_complex, (HOLES[0] + 1j * HOLES[1],)),
    (slid_complex, (ROW + 1j * OTHER, (OTHER + 2j * ROW)[:3])),
    (edges_of_two, (np.repeat(EDGES, 6), np.tile(EDGES, 6))),
    (no_columns, (ROW,)),
    (at_edges, (HALVES,)),
    (signs, (np.float16([0, 1, -2, -0.0]),)),
    *rare_words.CASES,
]
TRIED = [
    pytest.param(function, arguments, id=f"{function.__name__}-{number}")
    for number, (function, arguments) in enumerate(CASES)
]


def typed(function: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
    """The function as a program, for arrays of these types."""
    names = list(inspect.signature(function).parameters)
    shapes = shapes_of([kind_of(one, False) for one in arguments], False, names)
    return rise.program(function, types={name: s.text for name, s in zip(names, shapes, strict=True) if s})


def same(xs: Any) -> Any:
    """The elements of an array, whose number must be known."""
    return np.stack([xs, xs])[0]


def leaves(given: Any) -> list[Any]:
    return [leaf for one in given for leaf in leaves(one)] if isinstance(given, tuple) else [given]


@pytest.mark.parametrize(("function", "arguments"), some(TRIED, 14))
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_a_program_agrees_with_numpy(function: FunctionType, arguments: tuple[Any, ...]) -> None:
    expected = leaves(function(*copy.deepcopy(arguments)))
    program = typed(function, arguments)
    found = leaves(as_returned(program.layout, program(*arguments)))
    assert len(found) == len(expected)
    for one, other in zip(expected, found, strict=True):
        assert np.shape(one) == np.shape(other) and np.asarray(one).dtype == np.asarray(other).dtype
        np.testing.assert_allclose(
            other, one, rtol=1e-6 if np.asarray(one).dtype == "f4" else 1e-9, atol=1e-12
        )


@pytest.mark.parametrize("wrong", [-1, 6])
def test_segments_begin_at_elements(wrong: int) -> None:
    starts = np.array([0, wrong])
    with pytest.raises(IndexError):
        np.add.reduceat(ROW, starts)
    with pytest.raises(RiseError, match="found 6"):
        typed(lambda x, i: np.add.reduceat(x, i), (ROW, starts))(ROW, starts)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_even_parts_need_a_promise() -> None:
    program = rise.program(halved, types={"x": "N.M.f64"}, where="2 divides N")
    np.testing.assert_array_equal(program(X), X[2:])
    with pytest.raises(RiseError):
        typed(halved, (SQUARE,))(SQUARE)


def test_the_longer_array_comes_first_if_lengths_are_symbolic() -> None:
    program = typed(slid, (ROW, OTHER[:3]))
    with pytest.raises(RiseError):
        program(ROW[:2], OTHER)


def test_every_function_has_a_case() -> None:
    source = inspect.getsource(sys.modules[__name__]) + inspect.getsource(rare_words)
    used = set(re.findall(r"np\.((?:\w+\.)?\w+)\(", source))
    names = {
        f"linalg.{f.__name__}" if "linalg" in f.__module__ else f.__name__
        for f in NUMPY_DEFINITIONS
        if getattr(f, "__module__", None)
    }
    names |= {f.__name__ for f in NUMPY_DEFINITIONS if isinstance(f, np.ufunc)}
    names |= {
        f"{f.__self__.__name__}.at"
        for f in NUMPY_DEFINITIONS
        if isinstance(getattr(f, "__self__", None), np.ufunc)
    }
    assert names - used == set()


WRONG: dict[str, tuple[Callable[..., Any], str]] = {
    "a mode": (lambda x: np.convolve(x[0], x[1], "some"), "a mode of `np.convolve`, found 'some'"),
    "a mode of another": (lambda x: np.correlate(x[0], x[1], "all"), "a mode of `np.correlate`, found 'all'"),
    "a way to list": (lambda x: np.array([x[0]], like=x), "`ndmin`, found `like`"),
    "a place": (lambda x: np.insert(x, x[0, 0], 1.0), "a Python number as the place"),
    "a place to delete": (lambda x: np.delete(x, x[0, 0]), "a Python number as the place"),
    "a diagonal": (lambda x: np.diag(x, 1), "found k=1"),
    "an exponent": (lambda x: np.linalg.matrix_power(x, -1), "at least 0 as the exponent, found -1"),
    "weights": (lambda x: np.average(x, weights=x[0]), "expected weights of one axis or of 2, found 1"),
    "distances": (lambda x: np.gradient(x, 1.0, 2.0, 3.0), "expected no distance, one, or 2, found 3"),
    "places": (lambda x: np.gradient(x[:, :3], [1.0, 2.0], axis=1), "expected 3 coordinates, found 2"),
    "a product": (lambda x: np.kron(x, x[0]), "expected 2 axes, found 1"),
    "matrices": (lambda x: np.linalg.inv(np.stack((x, x))), "expected one matrix, found an array of 3 axes"),
    "ranks": (lambda x: np.array_equal(x, x[0]), "expected arrays of the same shape, found (N, M) and (M)"),
    "lengths": (lambda x: np.array_equal(x, x[:1]), "of the same shape, found (N, M) and (1, M)"),
    "complex numbers": (lambda x: np.round(x + 1j), "`round` expected real numbers, found c128"),
    "a norm": (lambda x: np.linalg.norm(x, 2), "found ord=2 of 2 axes"),
    "complex numbers in order": (lambda x: np.sort(x + 1j), "expected real numbers, found c128"),
    "fields in order": (lambda x: np.sort(x, order="f0"), "found an order of fields"),
    "a scalar in order": (lambda x: np.argsort(x[0, 0]), "expected an array, found a scalar"),
    "a side": (lambda x: np.searchsorted(x[0], x, "above"), "found 'above'"),
    "a table": (lambda x: np.searchsorted(x, x[0]), "a sorted array of one axis, found 2"),
    "a method": (lambda x: np.quantile(x, 0.5, method="weibull"), "found 'weibull'"),
    "axes along": (lambda x: np.take_along_axis(x, np.argsort(x[0]), 0), "as many axes, found 2 and 1"),
    "keys": (lambda x: np.lexsort((x, x)), "expected keys with one axis"),
    "lists of values": (lambda x: x[[0, x[0, 0]], [1, 0]], "found several arrays or lists"),
    "a number of a list": (lambda x: x[:2][[0, 2], [1, 0]], "expected an index from -2 to 1, found 2"),
    "extremes of nothing": (lambda x: x[:0].max(axis=0), "`max` expected at least one element, found none"),
    "a length of data": (lambda x: np.bincount(x.astype("i4")[0]), "expected the length of the result"),
    "a type with two meanings": (lambda x: x.astype("i8"), "8 bits in programs and 8 bytes in numpy"),
    "bits of another width": (
        lambda x: x.view(np.uint32),
        "expected types of numbers with as many bits, found f64",
    ),
    "a degree": (lambda x: np.polyfit(x[0], x[1], x[0, 0]), "a Python number of at least 0 as the degree"),
    "greatest of a mask": (lambda x: np.max(x, where=x > 0), "selects expected `initial`, found none"),
    "mask of more axes": (lambda x: np.sum(x[0], where=x > 0), "expected a mask that fits the shape (M)"),
    "one value of two": (lambda x: np.where(x > 0, x), "expected a condition and two values"),
    "places of a mask": (lambda x: same(np.where(x > 0)[0]), "or of a mask"),
    "truth values of a mask": (lambda x: x[0][(x[0] > 0)[x[0] < 1]], "found an unknown number of indices"),
    "a large number": (lambda x: x.astype(np.int8) + 300, "expected a number of type i8, found 300"),
}


@pytest.mark.parametrize("what", WRONG)
def test_unsupported_arguments_are_reported(what: str) -> None:
    function, expected = WRONG[what]
    with pytest.raises(RiseError) as caught:
        rise.program(function, types={"x": "N.M.f64"})
    assert expected in str(caught.value) and caught.value.diagnostic.hint


def test_extremes_and_narrow_integers_check_sizes_at_the_call() -> None:
    """Also if the name of a size is a keyword of the language."""
    n, val = rise.sizes("N val")
    least = rise.program(lambda x: np.min(x, axis=1), types={"x": rise.f32[n, val]})
    assert least(np.ones((0, 2), np.float32)).shape == (0,)
    with pytest.raises(RiseError, match="the program promises `1 <= 0`"):
        least(np.ones((2, 0), np.float32))
    added = rise.program(lambda x, n: x + n, types={"x": "N.i8", "n": "nat"})
    assert added(np.zeros(1, np.int8), 127).tolist() == [127]
    with pytest.raises(RiseError, match="the program promises `128 <= 127`"):
        added(np.zeros(1, np.int8), 128)


@pytest.mark.parametrize("function", OF_STATED_LENGTH, ids=lambda f: f.__name__)
def test_functions_of_unknown_length_suggest_one_with_a_stated_length(function: Any) -> None:
    """The code in the hint computes what numpy computes."""
    call = OF_STATED_LENGTH[function]
    name, _, rest = call.partition("(")
    count = rest.count(",")

    def as_in_numpy(x, y):
        return same(leaves(function(*(x, y)[:count]))[0])

    with pytest.raises(RiseError) as caught:
        typed(as_in_numpy, (NUMBERS, NUMBERS))
    assert call in (caught.value.diagnostic.hint or "")
    stated = getattr(rise.embedding, name)

    def of_stated_length(x, y):
        return leaves(stated(*(x, y)[:count], 3))[0]

    given = NUMBERS * 2 - 2, NUMBERS
    expected = leaves(function(*given[:count]))[0].reshape(-1)
    found = leaves(typed(of_stated_length, given)(*given))[0]
    assert found[: len(expected)].tolist() == expected[:3].tolist()
