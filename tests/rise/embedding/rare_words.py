"""Programs with rarely used functions of numpy, each with arguments: exponents, segments, triangles, fits, indices of
masks.
"""

from __future__ import annotations

from types import FunctionType
from typing import Any

import numpy as np

RANDOM = np.random.default_rng(8)
X = RANDOM.standard_normal((4, 6))
ROW = X[0]
SQUARE = RANDOM.standard_normal((5, 5))
POINTS = RANDOM.random(20)
SEGMENTS = np.array([0, 3, 3, 5, 2])
TYPES = (np.float16, np.float32, np.float64)


def edges(dtype: Any) -> Any:
    """Numbers of a type with random bits, and its extreme and special values."""
    width = np.dtype(dtype).itemsize
    bits = RANDOM.integers(0, 256, 60 * width, np.uint8)
    limits = np.finfo(dtype)
    extremes = [0, -0.0, 1, -1, np.inf, -np.inf, np.nan, limits.max, limits.tiny, limits.smallest_subnormal]
    return np.concatenate((bits.view(dtype), np.array(extremes, dtype)))


def exponents(x, k):
    return np.ldexp(x, k), *np.frexp(x), np.ldexp(x, 3)


def beside(x, y):
    return np.nextafter(x, y), np.nextafter(x, 0.0), np.nextafter(1.0, x)


def sets(i, j):
    found = (
        np.union1d(i, j).size,
        np.intersect1d(i, j).max(),
        np.setdiff1d(i, j).min(),
        np.trim_zeros(j).sum(),
    )
    return np.unique(i).sum(), *found


def members(x, y):
    return (
        np.isin(x, y),
        np.isin(x > 0, y > 0),
        np.isin(x, y[:0]),
        np.isin(x.astype("f4"), y),
        np.isin(x, y[:3]),
    )


def distances(x):
    return np.spacing(x)


def of_whole_numbers(i):
    return np.ldexp(1.5, i), *np.frexp(i), np.spacing(i), np.nextafter(i, 2.0)


def same_bits(x):
    return x.view(np.uint32), (x.view(np.int32) >> 3).view(np.float32)


def by_segments(x, i):
    return (
        np.add.reduceat(x, i),
        np.maximum.reduceat(x, [0, 2]),
        np.add.reduceat(x, i),
        np.hypot.reduceat(x, i),
    )


def by_segments_of_rows(x, i):
    return np.add.reduceat(x, i % 4), np.minimum.reduceat(x, i, axis=1)


def whole_by_segments(x, b, i):
    return (
        np.add.reduceat(x, i),
        np.multiply.reduceat(x, i),
        np.add.reduceat(b, i),
        np.logical_or.reduceat(b, i),
    )


def halves_by_segments(x, i):
    return np.add.reduceat(x, i)


def triangles(a, b):
    upper, lower = np.triu_indices_from(b, 1), np.tril_indices_from(b, -1)
    return a[np.triu_indices(len(a))], a[np.tril_indices(len(a), 1)], *upper, *lower


def diagonals(a):
    a = a.copy()
    a[np.diag_indices(len(a))] = 0
    return a, a[np.diag_indices_from(a)] + 1


def other_diagonals(a, m):
    above, below = np.diagonal(a, 1), np.trace(a, -1)
    placed = np.diag(a[0], 2), np.diag(a[0], -1), np.diag(a, -1)
    part = m[:2, :3]
    return above, below, np.diagonal(part), np.trace(part, 1), *placed


def of_batches(b):
    return (
        np.diagonal(b, 1, 2, 1),
        np.trace(b, axis1=1, axis2=2),
        b.trace(0, -1, -2),
        b.diagonal(axis1=1, axis2=-1),
    )


def grids(x):
    table = np.fromfunction(lambda i, j: i * 10 + j, x.shape)
    return np.indices(x.shape), *np.indices(x.shape, sparse=True), table


def chosen_rows(x, i):
    return x[np.ix_(i % 4, i)]


def fitted(x, y, w):
    several = np.stack((y, x, w), axis=1)
    return np.polyfit(x, y, 3), np.polyfit(x, y, 1, w=w), np.polyfit(x, several, 2), np.polyfit(x, y, 0)


def of_polynomials(p, q):
    return np.polyadd(p, q), np.polymul(p, q), np.polyder(p, 2), np.polyint(p), np.polyint(p, 2, 3.0)


def kinds(x, z):
    return np.isposinf(x), np.isneginf(x), np.isreal(x), np.iscomplex(x), np.isreal(z), np.iscomplex(z)


def in_powers_of_two(x, y):
    return np.logaddexp2(x, y)


def by_functions(x):
    first, second = np.unstack(x[:2])
    sizes = np.ndim(x) * np.size(x) + np.size(x, 1) + np.shape(x)[0]
    return np.atleast_3d(x), np.matrix_transpose(x), np.astype(x, np.float32), first, second, x * sizes


def cut_deep(x):
    return np.dsplit(x, [1, 2])[1]


def sequences(x):
    n = len(x)
    spaced = np.logspace(0, 2, n), np.geomspace(1, 1000, n), np.geomspace(-2.0, -32, n, endpoint=False)
    return *spaced, np.hanning(n), np.hamming(n), np.blackman(n), np.bartlett(n)


def without_holes(x):
    return np.nancumprod(x), np.nancumprod(x, axis=1)


def at_places(x):
    y = x.copy()
    y[np.where(x > 0.5)] = 0
    rows, columns = np.nonzero(x < -0.5)
    y[rows, columns] = y[rows, columns] * 2
    return y, x[np.nonzero(x)].sum(), x[(x > 0).nonzero()].max(), columns.mean(), rows.min()


def at_places_of_a_line(x):
    places = np.where(x > x.min())[0]
    y = x.copy()
    y[places] = -x[places]
    return y, places.max(), len(places), places.size, x[x > x.min()].shape[0] * x[0]


def slices_counted(x):
    total = 0.0
    for i in range(1, len(x)):
        total += len(x[:i]) * x[:i].sum() + x[i:].size
    return total


def of_sizes(x, y):
    n, m = len(x), len(y)
    return (
        np.array([n, 2]),
        np.array([n / 2, 3]),
        np.array(m),
        np.zeros(max(n, m)),
        x[: min(n, m)],
        x * np.gcd(n, 4),
    )


def at_the_ends(x):
    first, second = np.gradient(x, 2.0, 0.5, axis=(1, 0), edge_order=2)
    return first, second, np.gradient(x[0], np.cumsum(np.abs(x[1]) + 0.1), edge_order=2)


def weighed(x):
    return np.average(x, 0, returned=True), np.average(x, axis=1, weights=np.abs(x[0]), returned=True)[1]


def in_double(x, i):
    means = x.mean(dtype=np.float64), np.mean(x, 0, np.float64), np.mean(i, dtype=np.float32)
    return *means, x.var(axis=1, dtype=np.float64), x.std(None, np.float64, ddof=1)


def in_tens(i, u):
    return np.round(i, -1), i.round(-2), np.around(u, -1), np.round(i, 2), np.round(u), np.sign(u)


def of_complex_numbers(z):
    return np.angle(z, deg=True), np.isclose(z, z + 1e-9), np.isclose(z, z, equal_nan=True), np.allclose(z, z)


def by_place(x, i):
    kept = np.max(x, 0, None, True), np.sum(x, 1, None, None, True), np.any(x > 1, 0, None, True)
    spread = np.std(x, 0, None, None, 1), np.var(x[x > 0], None, None, None, 1), x.std(0, None, None, 1)
    return *kept, *spread, np.clip(x, -1, 1, None), np.take(x, i, 1, None, "clip"), np.mean(i, 0, np.float64)


def without_nan(x):
    y = x.copy()
    return np.nan_to_num(x, True, 3.0), np.nan_to_num(y, False, 2.0), y


def alone(x):
    return (x + 1,)


HOLES = np.where(X > 1, np.nan, X)
CASES: list[tuple[FunctionType, tuple[Any, ...]]] = [
    *((exponents, (edges(t), RANDOM.integers(-200, 200, 70).astype(np.int32))) for t in TYPES),
    *((beside, (edges(t), edges(t)[::-1].copy())) for t in TYPES),
    *((distances, (edges(t),)) for t in (np.float32, np.float64)),
    (of_whole_numbers, (np.arange(-3, 4),)),
    (same_bits, (edges(np.float32),)),
    (by_segments, (ROW, SEGMENTS)),
    (by_segments_of_rows, (X, SEGMENTS)),
    (whole_by_segments, (np.int8(X[0] * 60), ROW > 0, SEGMENTS)),
    (halves_by_segments, (np.float16(ROW), SEGMENTS)),
    (triangles, (SQUARE, X)),
    (diagonals, (SQUARE,)),
    (other_diagonals, (SQUARE, X)),
    (of_batches, (np.stack((SQUARE, SQUARE.T)),)),
    (grids, (X,)),
    (chosen_rows, (X, SEGMENTS)),
    (fitted, (POINTS, POINTS**3 - POINTS, POINTS[::-1] + 1)),
    (of_polynomials, (POINTS[:5], ROW[:3])),
    (kinds, (edges(np.float64), edges(np.float32) + 0j)),
    (kinds, (np.arange(3), X + 1j * (X > 0))),
    (in_powers_of_two, (np.repeat(edges(np.float64)[-10:], 10), np.tile(edges(np.float64)[-10:], 10))),
    (by_functions, (X,)),
    (cut_deep, (X.reshape(2, 3, 4),)),
    (sequences, (ROW,)),
    (sequences, (POINTS[:2],)),
    (without_holes, (HOLES,)),
    (at_places, (X,)),
    (at_places_of_a_line, (ROW,)),
    (slices_counted, (ROW,)),
    (of_sizes, (ROW, POINTS)),
    (at_the_ends, (X,)),
    (weighed, (X,)),
    (in_double, (np.float32(X) + 1e4, np.arange(7))),
    (in_tens, (np.array([-155, -15, -5, 0, 4, 5, 15, 149]), np.arange(0, 250, 5, np.uint8))),
    (of_complex_numbers, (np.array([1 + 2j, 0, -3j, np.nan, 1j * np.inf, -2]),)),
    (by_place, (X, SEGMENTS)),
    (without_nan, (HOLES,)),
    (alone, (ROW,)),
    (members, (np.array([[1.0, np.nan], [-0.0, 2.5]]), np.repeat([np.nan, 0.0, 2.5], 8))),
    (members, (np.zeros((2, 0)), POINTS)),
    (sets, (SEGMENTS, np.array([0, 2, 7, 0]))),
]
