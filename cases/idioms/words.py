"""Functions of numpy, each alone or with what it is usually combined with: one program per function. Does not measure
time.
"""
# ruff: noqa: F821

import numpy as np

from cases.idioms.idiom import Sizes, anywhere, idiom, unit
from cases.idioms.sources import WORDS
from rise.embedding import compress, flatnonzero, scan, top_k

LINE = {"N": 1 << 20}, {"N": 1024}
SQUARE = {"M": 1024, "N": 1024}, {"M": 32, "N": 32}
GROUPS = {"G": 256, "N": 1 << 20}, {"G": 16, "N": 1024}
ROWS = {"G": 256, "N": 1 << 14, "D": 64}, {"G": 16, "N": 64, "D": 16}


def of(large: Sizes, small: Sizes, **more):
    """An idiom of this module."""
    return idiom(WORDS, large, small, **more)


def byte(rng, shape):
    """Integers from 0 to 255."""
    return rng.integers(0, 256, shape)


def kind(rng, shape):
    """Integers from 0 to 2."""
    return rng.integers(0, 3, shape)


@of(*GROUPS, inputs={"i": kind})
def checked_indices(x: "G.f32", i: "N.i64"):
    """Integers as indices, which are checked."""
    return x[i]


@of(*GROUPS)
def clamped_indices(x: "G.f32", i: "N.i64"):
    """Indices that are clamped."""
    return np.take(x, i, mode="clip")


@of(*GROUPS)
def wrapping_indices(x: "G.f32", i: "N.i64"):
    """Indices that wrap around."""
    return np.take(x, i, mode="wrap")


@of(*LINE, inputs={"x": byte})
def histogram_of_bytes(x: "N.u8"):
    """A histogram by key, in one pass."""
    return np.bincount(x, minlength=256)


@of(*LINE, inputs={"i": kind})
def weighted_counts(i: "N.i64", w: "N.f64"):
    """`bincount` with weights."""
    return np.bincount(i, weights=w, minlength=16)


@of(*LINE, inputs={"x": unit})
def histogram_of_range(x: "N.f64"):
    """A histogram with equal bins in a range."""
    return np.histogram(x, bins=64, range=(0.0, 1.0))[0]


@of(*ROWS, inputs={"i": kind})
def scattered_rows(start: "G.D.f32", x: "N.D.f32", i: "N.i64"):
    """Rows added to the rows at indices."""
    out = start.copy()
    np.add.at(out, i, x)
    return out


@of(*GROUPS, inputs={"i": kind})
def scattered_maxima(start: "G.f32", x: "N.f32", i: "N.i64"):
    """The maximum for each index."""
    out = start.copy()
    np.maximum.at(out, i, x)
    return out


@of(*GROUPS, inputs={"i": kind})
def assigned_at_indices(start: "G.f32", x: "N.f32", i: "N.i64"):
    """`x[i] = y`."""
    out = start.copy()
    out[i] = x
    return out


@of(*LINE)
def sorted_line(x: "N.f32"):
    """`np.sort`."""
    return np.sort(x)


@of(*SQUARE)
def sorted_rows(x: "M.N.f32"):
    """`np.sort` of each row."""
    return np.sort(x, axis=1)


@of(*LINE)
def order_of_line(x: "N.f32"):
    """`np.argsort`."""
    return np.argsort(x, kind="stable")


@of(*LINE)
def three_greatest(x: "N.f32"):
    """`top_k`."""
    return top_k(x, 3)[0]


@of(*LINE)
def kept_and_count(x: "N.f32"):
    """`filter` with its count: the positive numbers, in an array of a stated length."""
    return compress(x > 0, x, x.shape[0]), np.count_nonzero(x > 0)


@of(*LINE)
def places_of_positive(x: "N.f32"):
    """A boolean selection with a bound."""
    return flatnonzero(x > 0, x.shape[0])


@of({"M": 1024}, {"M": 32}, inputs={"a": unit})
def iterated_while(a: "M.M.f64", x: "M.f64"):
    """A loop whose state is an array, and whose end depends on data."""
    y = x
    k = 0
    while k < 8 and np.abs(y).max() < 1e30:
        y = a @ y
        k += 1
    return y


@of(*LINE)
def size_as_number(x: "N.f32"):
    """A size used in arithmetic."""
    return x / x.shape[0] + len(x)


@of(*LINE)
def sum_of_type(x: "N.f32"):
    """The type in which a sum is accumulated."""
    return x.sum(dtype=np.float64)


@of(*LINE)
def power_of_signal(x: "N.f64", y: "N.f64"):
    """Complex numbers."""
    z = (x + 1j * y) * (y - 1j * x)
    return np.abs(z), (z * np.conj(z)).real


@of(*SQUARE)
def reflected_border(x: "M.N.f32"):
    """Reflected borders."""
    return np.pad(x, 2, mode="reflect")


@of(*SQUARE)
def wrapped_border(x: "M.N.f32"):
    """Wrapped borders."""
    return np.pad(x, 2, mode="wrap")


@of(*LINE)
def windows(x: "N.f32"):
    """Windows of three elements; a shorter array has none."""
    return np.lib.stride_tricks.sliding_window_view(x, 3).sum(axis=1)


@of(*LINE)
def times_mask(x: "N.f32", mask: "N.bool"):
    """A Boolean used as a number."""
    return x * mask


@of(*SQUARE)
def positive_in_rows(x: "M.N.f32"):
    """The sum of Booleans."""
    return (x > 0).sum(axis=1)


@of(*LINE)
def numbered(x: "N.f64"):
    """`np.arange` of a symbolic size."""
    return x * np.arange(len(x))


@of({"N": 1024}, {"N": 32})
def triangles(x: "N.N.f64"):
    """`np.eye`, `np.tril`, `np.triu` of symbolic sizes."""
    return np.tril(x, -1) + np.eye(x.shape[0]), np.triu(x)


@of(*LINE)
def slice_assigned(x: "N.f32"):
    """An assignment to a slice."""
    y = x.copy()
    y[1:-1] = x[2:] - x[:-2]
    return y


@of(*LINE)
def weak_number(x: "N.u8"):
    """A Python number combined with integers of few bits."""
    return x * 2 + 1


@of({"N": 1 << 16}, {"N": 1024}, tiny={"N": 12})
def convolved(x: "N.f32"):
    """`np.convolve` with a short filter."""
    return np.convolve(x, x[:8], mode="valid")


@of(*SQUARE, inputs={"w": unit})
def weighted_average(x: "M.N.f64", w: "N.f64"):
    """`np.average` with weights."""
    return np.average(x, axis=1, weights=w)


@of({"M": 128, "N": 4096}, {"M": 8, "N": 64})
def covariances(x: "M.N.f64"):
    """`np.cov`."""
    return np.cov(x)


@of({"M": 128, "N": 4096}, {"M": 8, "N": 64})
def correlations(x: "M.N.f64"):
    """`np.corrcoef`."""
    return np.corrcoef(x)


@of(*LINE)
def median_of_line(x: "N.f64"):
    """`np.median`."""
    return np.median(x)


@of(*LINE)
def slopes(x: "N.f64"):
    """`np.gradient`."""
    return np.gradient(x)


@of(*SQUARE)
def mesh(x: "M.f64", y: "N.f64"):
    """`np.meshgrid`."""
    a, b = np.meshgrid(x, y)
    return a * a + b * b


@of({"N": 1024}, {"N": 32})
def traces(x: "N.N.f64"):
    """`np.trace`."""
    return np.trace(x)


@of(*LINE)
def extent(x: "N.f32"):
    """`np.ptp`."""
    return np.ptp(x)


@of({"M": 32, "N": 32}, {"M": 8, "N": 4})
def kronecker(x: "M.M.f64", y: "N.N.f64"):
    """`np.kron`."""
    return np.kron(x, y)


@of(*LINE, inputs={"x": kind})
def not_zero(x: "N.i32"):
    """`np.count_nonzero`."""
    return np.count_nonzero(x)


@of(*LINE)
def lengths(x: "N.f64", y: "N.f64"):
    """`np.hypot`."""
    return np.hypot(x, y)


@of(*LINE)
def running_maximum(x: "N.f32"):
    """A scan with an operator other than the sum."""
    return np.maximum.accumulate(x)


def _exceeded(x):
    y = np.empty(len(x), bool)
    state = 0.0
    for i in range(len(x)):
        state = 0.5 * state + x[i]
        y[i] = state > 1
    return y


def _smoothed_and_compared(before, x):
    state = 0.5 * before[0] + x
    return state, state > 1


@of({"N": 1 << 14}, {"N": 1024}, plain=_exceeded)
def scan_of_another_type(x: "N.i32"):
    """A scan whose results have a type different from those of the state and of the elements."""
    return scan(_smoothed_and_compared, (np.float64(0.0), False), x).second


@of({"H": 512, "W": 512, "N": 1 << 18}, {"H": 32, "W": 32, "N": 1024}, inputs={"u": anywhere, "v": anywhere})
def nearest_pixels(image: "H.W.f32", u: "N.f32", v: "N.f32"):
    """A gather at computed coordinates; `bilinear_warp` interpolates."""
    i = np.clip((u * image.shape[0]).astype(np.int64), 0, image.shape[0] - 1)
    j = np.clip((v * image.shape[1]).astype(np.int64), 0, image.shape[1] - 1)
    return image[i, j]
