"""The last forty of the 100 numpy exercises, restated for arrays of any size. Does not measure time."""
# ruff: noqa: F722, F821

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from cases.idioms.idiom import idiom
from rise import dsl
from rise.embedding import arange, call

LINE = {"N": 2**20}, {"N": 1024}
PLANE = {"M": 1024, "N": 1024}, {"M": 32, "N": 32}
SQUARE = {"N": 1024}, {"N": 32}


@idiom("numpy-100 61", *PLANE)
def nearest_in_plane(x: "M.N.f64"):
    """The element of a matrix nearest to 0.5."""
    flat = x.ravel()
    return flat[np.abs(flat - 0.5).argmin()]


@idiom("numpy-100 62", *PLANE)
def row_plus_column(a: "M.1.i64", b: "1.N.i64"):
    """The sum of a row and a column, by broadcasting."""
    return a + b


def counted_at(x, places):
    """Occurrences counted by `np.bincount`."""
    return x + np.bincount(places, minlength=len(x))


@idiom("numpy-100 64", {"N": 1024, "K": 2**20}, {"N": 128, "K": 1024}, plain=counted_at)
def ones_added(x: "N.i64", places: "K.idx[N]"):
    """One added for each occurrence of an index."""
    return call(dsl.scatterAdd, places, np.ones_like(places.astype(np.int64)), x)


def summed_at(x, places):
    """Numbers summed by index, by `np.bincount`."""
    return np.bincount(places, x, minlength=1024)


@idiom("numpy-100 65", {"K": 2**20}, {"K": 1024}, {"K": 9}, plain=summed_at)
def accumulated(x: "K.f64", places: "K.idx[1024]"):
    """Numbers summed by index."""
    return call(dsl.scatterAdd, places, x, np.zeros(1024))


def colours_of(image):
    """The number of colours, by `np.unique`."""
    keys = image.astype(np.int32)
    return np.int64(len(np.unique(keys[..., 0] * 65536 + keys[..., 1] * 256 + keys[..., 2])))


@idiom("numpy-100 66", {"H": 512, "W": 512}, {"H": 32, "W": 32}, plain=colours_of)
def number_of_colours(image: "H.W.3.u8"):
    """The number of different colours in an image."""
    keys = image.astype(np.int32)
    order = np.sort((keys[..., 0] * 65536 + keys[..., 1] * 256 + keys[..., 2]).reshape(-1))
    return 1 + (order[1:] != order[:-1]).sum()


@idiom("numpy-100 67", {"A": 32, "B": 32, "C": 32, "D": 32}, {"A": 4, "B": 8, "C": 4, "D": 8})
def sum_of_planes(x: "A.B.C.D.f64"):
    """The sum over the last two of four axes."""
    return x.sum(axis=(-2, -1))


def means_at(x, places):
    """Means by index, by `np.bincount`."""
    return np.bincount(places, x, minlength=64) / np.maximum(np.bincount(places, minlength=64), 1)


@idiom("numpy-100 68", {"K": 2**20}, {"K": 1024}, {"K": 9}, plain=means_at)
def means_of_subsets(x: "K.f64", places: "K.idx[64]"):
    """The mean of the numbers with each index."""
    sums = call(dsl.scatterAdd, places, x, np.zeros(64))
    counts = call(dsl.scatterAdd, places, np.ones_like(x), np.zeros(64))
    return sums / np.maximum(counts, 1)


def diagonal_by_einsum(a, b):
    """The diagonal of a product, by `np.einsum`."""
    return np.einsum("ij,ji->i", a, b)


@idiom("numpy-100 69", *SQUARE, plain=diagonal_by_einsum)
def diagonal_of_product(a: "N.N.f64", b: "N.N.f64"):
    """The diagonal of a product, without computing the rest."""
    return np.sum(a * b.T, axis=1)


def interleaved_in_place(x):
    """Zeros between elements, by assignment to every fourth element."""
    found = np.zeros(4 * len(x) - 3)
    found[::4] = x
    return found


@idiom("numpy-100 70", {"N": 2**18}, {"N": 256}, plain=interleaved_in_place)
def interleaved(x: "N.f64"):
    """Three zeros after each element except the last."""
    return np.pad(x[:, None], ((0, 0), (0, 3))).ravel()[:-3]


@idiom("numpy-100 71", {"M": 512, "N": 512}, {"M": 16, "N": 16})
def colours_scaled(a: "M.N.3.f64", b: "M.N.f64"):
    """Three numbers per element of a matrix, scaled by that element."""
    return a * b[:, :, None]


@idiom("numpy-100 72", *PLANE)
def rows_swapped(a: "M.N.f64"):
    """The first two rows swapped."""
    return np.concatenate([a[1:2], a[:1], a[2:]])


def means_by_sums(x):
    """Means of three neighbours, by differences of running sums."""
    sums = np.cumsum(x)
    sums[3:] = sums[3:] - sums[:-3]
    return sums[2:] / 3


@idiom("numpy-100 75", *LINE, {"N": 6}, plain=means_by_sums)
def moving_average(x: "N.f64"):
    """Means of three neighbours, by windows."""
    return sliding_window_view(x, 3).mean(axis=-1)


@idiom("numpy-100 76", *LINE, {"N": 6})
def rows_of_windows(x: "N.f64"):
    """A row for each window of three neighbours."""
    return sliding_window_view(x, 3) + 0.0


@idiom("numpy-100 77", *LINE)
def negated(b: "N.bool", x: "N.f64"):
    """Booleans and signs negated."""
    return ~b, -x


@idiom("numpy-100 78", {"N": 2**19}, {"N": 512})
def distances_to_lines(p: "N.2.f64", q: "N.2.f64", x: "2.f64"):
    """Distances from a point to lines through two points each."""
    t = q - p
    u = -((p - x) * t).sum(axis=1) / (t**2).sum(axis=1)
    return np.sqrt(((p + u[:, None] * t - x) ** 2).sum(axis=1))


@idiom("numpy-100 79", *PLANE)
def points_to_lines(p: "N.2.f64", q: "N.2.f64", x: "M.2.f64"):
    """Distances from each point to each line."""
    d = q - p
    cross = q[:, 0] * p[:, 1] - q[:, 1] * p[:, 0]
    above = np.abs(d[:, 1] * x[:, 0, None] - d[:, 0] * x[:, 1, None] + cross)
    return above / np.sqrt((d**2).sum(axis=1))


@idiom("numpy-100 80", *PLANE)
def part_around(x: "M.N.f64", i: "idx[M]", j: "idx[N]"):
    """The 5 x 5 elements around a position, with zeros outside."""
    return sliding_window_view(np.pad(x, 2), (5, 5))[i, j] + 0.0


@idiom("numpy-100 81", *LINE, {"N": 6})
def windows_of_four(x: "N.i64"):
    """A row for each window of four neighbours."""
    return sliding_window_view(x, 4) + 0


def most_frequent_of(places):
    """The most frequent index, by `np.bincount`."""
    return np.bincount(places, minlength=1024).argmax()


@idiom("numpy-100 83", {"K": 2**20}, {"K": 1024}, {"K": 9}, plain=most_frequent_of)
def most_frequent(places: "K.idx[1024]"):
    """The most frequent index."""
    ones = np.ones_like(places.astype(np.int64))
    return np.argmax(call(dsl.scatterAdd, places, ones, np.zeros(1024, np.int64)))


@idiom("numpy-100 84", {"M": 340, "N": 340}, {"M": 12, "N": 12}, {"M": 4, "N": 5})
def blocks_of_nine(x: "M.N.f64"):
    """All windows of 3 x 3."""
    return sliding_window_view(x, (3, 3)) + 0.0


def symmetric_of(x):
    """A matrix plus its transpose, minus the diagonal as a matrix."""
    return x + x.T - np.diag(x.diagonal())


@idiom("numpy-100 85 (the values)", *SQUARE, plain=symmetric_of)
def symmetric(x: "N.N.f64"):
    """A matrix plus its transpose, with the diagonal once."""
    at = arange(x.shape[0])
    return x + x.T - np.where(at[:, None] == at, x, 0.0)


def summed_products(m, v):
    """A product summed over two axes at once, by `np.tensordot`."""
    return np.tensordot(m, v, axes=[[0, 2], [0, 1]])


@idiom("numpy-100 86", {"P": 64, "N": 128}, {"P": 4, "N": 16}, plain=summed_products)
def sum_of_matrix_products(m: "P.N.N.f64", v: "P.N.1.f64"):
    """The sum of products of matrices and vectors."""
    return (m @ v).sum(axis=0)


@idiom("numpy-100 87", {"M": 256, "N": 256}, {"M": 8, "N": 8})
def sums_of_blocks(x: "(4*M).(4*N).f64"):
    """The sums of blocks of 4 x 4."""
    return x.reshape(x.shape[0] // 4, 4, x.shape[1] // 4, 4).sum(axis=(1, 3))


def life_in_place(z):
    """A step of the Game of Life, by assignment to the interior."""
    n = z[:-2, :-2] + z[:-2, 1:-1] + z[:-2, 2:] + z[1:-1, :-2]
    n = n + z[1:-1, 2:] + z[2:, :-2] + z[2:, 1:-1] + z[2:, 2:]
    inner = z[1:-1, 1:-1]
    lives = (n == 3) | ((n == 2) & (inner == 1))
    found = np.zeros_like(z)
    found[1:-1, 1:-1][lives] = 1
    return found


@idiom(
    "numpy-100 88",
    *PLANE,
    {"M": 5, "N": 6},
    plain=life_in_place,
    inputs={"z": lambda rng, shape: rng.integers(0, 2, shape)},
)
def life(z: "M.N.i32"):
    """A step of the Game of Life."""
    n = z[:-2, :-2] + z[:-2, 1:-1] + z[:-2, 2:] + z[1:-1, :-2]
    n = n + z[1:-1, 2:] + z[2:, :-2] + z[2:, 1:-1] + z[2:, 2:]
    lives = (n == 3) | ((n == 2) & (z[1:-1, 1:-1] == 1))
    return np.pad(np.where(lives, 1, 0), 1).astype(np.int32)


def largest_of(x):
    """The five largest elements, by a partial sort."""
    return np.sort(np.partition(x, -5)[-5:])[::-1]


@idiom("numpy-100 89", *LINE, {"N": 7}, plain=largest_of)
def five_largest(x: "N.f64"):
    """The five largest elements, one after the other."""
    at = arange(x.shape[0])
    found = []
    for _ in range(5):
        found.append(x.max())
        x = np.where(at == x.argmax().astype(np.int64), -np.inf, x)
    return np.stack(found)


@idiom("numpy-100 90", {"A": 128, "B": 64, "C": 64}, {"A": 4, "B": 8, "C": 8})
def all_combinations(x: "A.i64", y: "B.i64", z: "C.i64"):
    """All combinations of elements of three arrays, one per row."""
    zeros = np.zeros_like(x[:, None, None] + y[:, None] + z)
    every = np.stack([zeros + x[:, None, None], zeros + y[:, None], zeros + z], axis=-1)
    return every.reshape(-1, 3)


@idiom("numpy-100 92", *LINE)
def cubes(x: "N.f64"):
    """Cubes by a power, and by products."""
    return np.power(x, 3), x * x * x


@idiom("numpy-100 93 (the mask)", {"N": 2**18}, {"N": 128})
def rows_with_all(a: "N.3.i32", b: "2.2.i32"):
    """Whether a row contains an element of each row of another matrix."""
    return (a[..., None, None] == b).any(axis=(3, 1)).all(axis=1)


@idiom("numpy-100 94 (the mask)", {"N": 2**18}, {"N": 256})
def rows_of_unequal(x: "N.4.i32"):
    """Whether a row contains different elements."""
    return ~(x[:, 1:] == x[:, :-1]).all(axis=1)


@idiom("numpy-100 95", {"N": 2**17}, {"N": 128})
def binary(x: "N.i32"):
    """The last eight bits of each number."""
    powers = np.array([128, 64, 32, 16, 8, 4, 2, 1], np.int32)
    return ((x[:, None] & powers) != 0).astype(np.int32)


@idiom("numpy-100 97", *SQUARE)
def four_contractions(a: "N.f64", b: "N.f64"):
    """The sum, the elementwise product, the inner product and the outer product."""
    return np.sum(a), (a * b, (np.inner(a, b), np.outer(a, b)))


@idiom("numpy-100 98", *LINE)
def at_equal_distances(x: "N.f64", y: "N.f64"):
    """A path, resampled at equal distances."""
    steps = np.sqrt(np.diff(x) ** 2 + np.diff(y) ** 2)
    along = np.append(np.zeros_like(x[:1]), np.cumsum(steps))
    samples = np.linspace(0.0, along[-1], 200)
    return np.interp(samples, along, x), np.interp(samples, along, y)


@idiom("numpy-100 99 (the mask)", {"N": 2**18}, {"N": 256})
def whole_rows_of_sum(x: "N.4.f64"):
    """Whether a row contains only integers, and its sum is 4."""
    return (x % 1 == 0).all(axis=-1) & (x.sum(axis=-1) == 4)


@idiom("numpy-100 100 (the means)", {"R": 1024, "N": 1024}, {"R": 32, "N": 32})
def means_of_samples(x: "N.f64", places: "R.N.idx[N]"):
    """The means of samples, drawn by indices."""
    return x[places].mean(axis=1)


def edges_of(faces):
    """The number of different edges, by `np.unique` of pairs."""
    pairs = np.sort(np.stack((faces, np.roll(faces, -1, axis=1)), axis=-1).reshape(-1, 2), axis=1)
    return np.int64(len(np.unique(pairs[:, 0] * 100 + pairs[:, 1])))


def corners(rng, shape):
    """Numbers of corners, of which there are 100."""
    return rng.integers(0, 100, shape)


@idiom("numpy-100 73 (how many)", {"N": 2**18}, {"N": 256}, plain=edges_of, inputs={"faces": corners})
def number_of_edges(faces: "N.3.i64"):
    """The number of different edges of triangles, which are given by their corners."""
    others = np.roll(faces, -1, axis=1)
    return len(np.unique(np.minimum(faces, others) * 100 + np.maximum(faces, others)))


def repeated_by_numpy(counts, k):
    """Each index as often as its count says, by `np.repeat`; the last one as often as it takes."""
    found = np.repeat(np.arange(len(counts)), counts)[:k]
    return np.concatenate((found, np.full(k - len(found), len(counts))))


@idiom(
    "numpy-100 74 (to a stated length)",
    {"N": 2**18, "k": 2**20},
    {"N": 256, "k": 1024},
    plain=repeated_by_numpy,
)
def repeated(counts: "N.i64", k: "nat"):
    """An array in which each index occurs as often as its count says."""
    return np.cumsum(np.bincount(np.cumsum(counts), minlength=k))


def low_rank(rng, shape):
    """A matrix of half the rank that it might have."""
    half = shape[0] // 2
    return rng.standard_normal((shape[0], half)) @ rng.standard_normal((half, shape[1]))


@idiom(
    "numpy-100 82 (by orthogonal columns)",
    {"N": 256},
    {"N": 32},
    plain=lambda a: np.int64(np.linalg.matrix_rank(a)),
    inputs={"a": low_rank},
)
def rank(a: "N.N.f64"):
    """The rank of a matrix: how many columns are left if the longest one is taken from all others repeatedly."""
    found, longest = 0, np.sqrt((a * a).sum(axis=0).max())
    for _ in range(a.shape[0]):
        squares = (a * a).sum(axis=0)
        place = np.argmax(squares)
        length = np.sqrt(squares[place])
        if length > 1e-10 * longest:
            found += 1
            column = a[:, place] / length
            a = a - np.outer(column, column @ a)
    return found


def narrow(rng, shape):
    """Small numbers, so that rows are equal."""
    return rng.integers(0, 4, shape)


@idiom("numpy-100 96 (their number and sum)", {"N": 2**18}, {"N": 256}, {"N": 40}, inputs={"x": narrow})
def unequal_rows(x: "N.4.i64"):
    """The different rows of a matrix, counted and added."""
    rows = np.unique(x, axis=0)
    return np.int64(len(rows)), rows.sum(axis=0)
