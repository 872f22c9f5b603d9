"""The first sixty of the 100 numpy exercises, restated for arrays of any size. Does not measure time."""
# ruff: noqa: F722, F821

import numpy as np

from cases.idioms.idiom import idiom, unit
from rise.embedding import arange, flatnonzero, intersect1d

LINE = {"N": 2**20}, {"N": 1024}
PLANE = {"M": 1024, "N": 1024}, {"M": 32, "N": 32}
SQUARE = {"N": 1024}, {"N": 32}


@idiom("numpy-100 8", *LINE)
def reversed_line(x: "N.f64"):
    """The elements in reverse order."""
    return x[::-1] + 0.0


def one_at_five(x):
    """Zeros and a one at index 4, by assignment."""
    found = np.zeros_like(x)
    found[4] = 1
    return found


@idiom("numpy-100 6", *LINE, {"N": 7}, plain=one_at_five)
def one_hot(x: "N.f64"):
    """Zeros, except for a one at index 4."""
    return np.where(arange(x.shape[0]) == 4, 1.0, np.zeros_like(x))


@idiom("numpy-100 7", *LINE)
def ascending(x: "N.i64"):
    """Numbers in order from 10 on, as many as another array has."""
    return arange(x.shape[0]) + 10


@idiom("numpy-100 9", *PLANE)
def ascending_rows(x: "M.N.i64"):
    """Numbers in order, row by row."""
    return arange(x.shape[0] * x.shape[1]).reshape(x.shape[0], x.shape[1])


def identity_of(x):
    """The identity matrix, by `np.eye`."""
    return np.eye(len(x))


@idiom("numpy-100 11", *SQUARE, plain=identity_of)
def identity(x: "N.N.f64"):
    """The identity matrix of the size of another matrix."""
    at = arange(x.shape[0])
    return np.where(at[:, None] == at, 1.0, np.zeros_like(x))


@idiom("numpy-100 13", *PLANE)
def least_and_greatest(x: "M.N.f64"):
    """The minimum and the maximum of a matrix."""
    return x.min(), x.max()


@idiom("numpy-100 14", *LINE)
def mean_of_line(x: "N.f64"):
    """The mean of a vector."""
    return x.mean()


def border_of_ones(x):
    """Ones around zeros, by assignment."""
    found = np.ones_like(x)
    found[1:-1, 1:-1] = 0
    return found


@idiom("numpy-100 15", *PLANE, plain=border_of_ones)
def border(x: "M.N.f64"):
    """Ones around zeros."""
    return np.pad(np.zeros_like(x[1:-1, 1:-1]), 1, constant_values=1.0)


@idiom("numpy-100 16", *PLANE)
def zero_border(x: "M.N.f64"):
    """Zeros around an array."""
    return np.pad(x, 1)


def below_diagonal_of(x):
    """1, 2, 3 and so on just below the diagonal, by `np.diag`."""
    return np.diag(np.arange(1.0, len(x)), -1)


@idiom("numpy-100 18", *SQUARE, plain=below_diagonal_of)
def below_diagonal(x: "N.N.f64"):
    """1, 2, 3 and so on just below the diagonal."""
    at = arange(x.shape[0])
    return np.where(at[:, None] == at + 1, at[:, None].astype(np.float64), np.zeros_like(x))


def board_by_slices(x):
    """A checkerboard, by assignment to every second element."""
    found = np.zeros_like(x)
    found[1::2, ::2] = 1
    found[::2, 1::2] = 1
    return found


@idiom("numpy-100 19", *PLANE, plain=board_by_slices)
def checkerboard(x: "M.N.i32"):
    """Alternating ones and zeros."""
    rows, columns = arange(x.shape[0]), arange(x.shape[1])
    return ((rows[:, None] + columns) % 2).astype(np.int32)


@idiom("numpy-100 21", {"M": 256, "N": 256}, {"M": 8, "N": 8})
def tiled(x: "M.N.i32"):
    """A pattern repeated four times in both directions."""
    return np.concatenate([np.tile(x, 4)] * 4)


@idiom("numpy-100 22", *PLANE)
def standardised(x: "M.N.f64"):
    """A matrix with mean 0 and standard deviation 1."""
    return (x - np.mean(x)) / np.std(x)


@idiom("numpy-100 24", {"M": 512, "K": 512, "N": 512}, {"M": 16, "K": 64, "N": 16})
def product(a: "M.K.f64", b: "K.N.f64"):
    """The product of two matrices."""
    return a @ b


def negated_in_place(x):
    """Numbers between 3 and 8 negated, with a mask as an index."""
    x = x.copy()
    x[(x > 3) & (x < 8)] *= -1
    return x


@idiom("numpy-100 25", *LINE, plain=negated_in_place)
def negated_between(x: "N.i64"):
    """Numbers between 3 and 8 negated."""
    return np.where((x > 3) & (x < 8), -x, x)


def away_from_zero_of(x):
    """Numbers rounded away from zero, by `np.copysign`."""
    return np.copysign(np.ceil(np.abs(x)), x)


@idiom("numpy-100 29", *LINE, plain=away_from_zero_of)
def away_from_zero(x: "N.f64"):
    """Numbers rounded away from zero."""
    return np.where(x > 0, np.ceil(x), np.floor(x))


@idiom("numpy-100 35", *LINE)
def in_place(a: "N.f64", b: "N.f64"):
    """(a + b) (-a / 2), which numpy can compute in place."""
    return (a + b) * (-a / 2)


@idiom("numpy-100 36", *LINE, inputs={"x": lambda rng, shape: rng.uniform(0, 10, shape)})
def whole_parts(x: "N.f64"):
    """The integer parts of positive numbers, in four ways; `//` is for integers here."""
    return x - x % 1, np.floor(x), x.astype(np.int64), np.trunc(x)


@idiom("numpy-100 37", *PLANE)
def equal_rows(x: "M.N.i64"):
    """Rows of 0, 1, 2 and so on."""
    return np.zeros_like(x) + arange(x.shape[1])


@idiom("numpy-100 39", *LINE)
def between_ends(x: "N.f64"):
    """Numbers at equal distances between 0 and 1, without 0 and 1."""
    return (arange(x.shape[0]) + 1).astype(np.float64) / (x.shape[0] + 1)


@idiom("numpy-100 41", *LINE)
def sum_by_ufunc(x: "N.f64"):
    """The sum by `np.add.reduce`."""
    return np.add.reduce(x)


@idiom("numpy-100 42", *LINE)
def are_equal(a: "N.f64", b: "N.f64"):
    """Whether two arrays are nearly equal, and whether they are exactly equal."""
    return (np.abs(a - b) <= 1e-8 + 1e-5 * np.abs(b)).all(), (a == b).all()


@idiom("numpy-100 44", *LINE)
def polar(z: "N.2.f64"):
    """The polar coordinates of points: distance and angle."""
    x, y = z[:, 0], z[:, 1]
    return np.sqrt(x**2 + y**2), np.arctan2(y, x)


def zero_at_greatest(x):
    """The maximum replaced by zero, by assignment."""
    x = x.copy()
    x[x.argmax()] = 0
    return x


@idiom("numpy-100 45", *LINE, plain=zero_at_greatest)
def greatest_replaced(x: "N.f64"):
    """The maximum replaced by zero."""
    return np.where(arange(x.shape[0]) == np.argmax(x).astype(np.int64), 0.0, x)


def grid_of(x, y):
    """The coordinates of a grid, by `np.meshgrid`."""
    return tuple(np.meshgrid(x, y))


@idiom("numpy-100 46", *PLANE, plain=grid_of)
def grid(x: "N.f64", y: "M.f64"):
    """The coordinates of a grid."""
    flat = np.zeros_like(y[:, None] + x)
    return flat + x, flat + y[:, None]


@idiom("numpy-100 47 (the matrix, not its determinant)", *PLANE, inputs={"x": unit})
def cauchy(x: "M.f64", y: "N.f64"):
    """Cauchy's matrix: 1 divided by all differences."""
    return 1.0 / np.subtract.outer(x, y + 2.0)


@idiom("numpy-100 50", *LINE)
def nearest(x: "N.f64", v: "f64"):
    """The element nearest to a number."""
    return x[np.abs(x - v).argmin()]


@idiom("numpy-100 52", *SQUARE)
def distances(z: "N.2.f64"):
    """Distances between all points, given by coordinates."""
    x, y = z[:, 0], z[:, 1]
    return np.sqrt((x[:, None] - x) ** 2 + (y[:, None] - y) ** 2)


@idiom("numpy-100 53", *LINE, inputs={"x": lambda rng, shape: rng.integers(-99, 99, shape) / 8})
def as_integers(x: "N.f32"):
    """Floats converted to integers."""
    return (x * 100).astype(np.int32)


@idiom("numpy-100 56", *PLANE)
def bell(x: "M.f64", y: "N.f64"):
    """A bell curve of the distance from the middle."""
    d = np.sqrt(x[:, None] ** 2 + y**2)
    return np.exp(-((d - 0.5) ** 2) / 2.0)


@idiom("numpy-100 58", *PLANE)
def rows_centred(x: "M.N.f64"):
    """Rows minus their means."""
    return x - x.mean(axis=1, keepdims=True)


@idiom("numpy-100 60", *PLANE)
def null_columns(x: "M.N.i32"):
    """Whether any column is zero."""
    return (~(x != 0).any(axis=0)).any()


@idiom("numpy-100 3", *LINE)
def zeros(x: "N.f64"):
    """Zeros, as many as another array has elements."""
    return np.zeros_like(x)


def padded_places(x):
    """Indices of elements that are not 0, by `np.flatnonzero`."""
    found = np.flatnonzero(x)
    return np.pad(found, (0, len(x) - len(found)))


@idiom("numpy-100 10 (in a stated length)", *LINE, plain=padded_places)
def places_of_others(x: "N.i64"):
    """The indices of the elements that are not 0."""
    return flatnonzero(x, x.shape[0])


@idiom("numpy-100 40", *LINE)
def in_order(x: "N.f64"):
    """The elements, sorted."""
    return np.sort(x)


@idiom("numpy-100 59", {"M": 2**17}, {"M": 256})
def rows_by_second(a: "M.4.f64"):
    """The rows, sorted by the second column."""
    return a[a[:, 1].argsort()]


def common_padded(x, y):
    """The common numbers by `np.intersect1d`, and zeros."""
    found = np.intersect1d(x, y)
    return np.concatenate((found, np.zeros(len(x) - len(found), found.dtype)))


@idiom("numpy-100 30 (to a stated length)", *LINE, plain=common_padded)
def common(x: "N.i64", y: "N.i64"):
    """The numbers that occur in both arrays, and zeros."""
    return intersect1d(x, y, x.shape[0])
