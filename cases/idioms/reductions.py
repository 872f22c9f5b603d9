"""Reductions over any axes of arrays of two to four, alone and in chains. Does not measure time."""
# ruff: noqa: F722, F821

import numpy as np

from cases.idioms.idiom import Sizes, idiom
from cases.idioms.sources import REDUCTIONS
from rise.embedding import arange, fold, generate


def of(large: Sizes, small: Sizes, **more):
    """An idiom of this module."""
    return idiom(REDUCTIONS, large, small, **more)


SQUARE = {"M": 1024, "N": 1024}, {"M": 32, "N": 32}
TALL = {"M": 16384, "N": 64}, {"M": 128, "N": 8}
WIDE = {"M": 64, "N": 16384}, {"M": 8, "N": 128}
CUBE = {"B": 64, "M": 128, "N": 256}, {"B": 8, "M": 16, "N": 8}
IMAGES = {"B": 8, "H": 64, "W": 64, "C": 64}, {"B": 2, "H": 8, "W": 8, "C": 8}
PLANES = {"B": 8, "C": 64, "H": 64, "W": 64}, {"B": 2, "C": 8, "H": 8, "W": 8}
SHORT_ROWS = {"M": 1 << 18}, {"M": 256}


@of(*SQUARE)
def column_sums(x: "M.N.f32"):
    """The sums of the columns of a square matrix."""
    return x.sum(axis=0)


@of(*TALL)
def column_sums_tall(x: "M.N.f32"):
    """The sums of the columns of a tall matrix."""
    return x.sum(axis=0)


@of(*WIDE)
def column_sums_wide(x: "M.N.f32"):
    """The sums of the columns of a wide matrix."""
    return x.sum(axis=0)


@of(*SHORT_ROWS)
def column_sums_of_three(x: "M.3.f32"):
    """The sums of three columns."""
    return x.sum(axis=0)


@of(*SHORT_ROWS)
def column_greatest_of_eight(x: "M.8.f32"):
    """The maxima of eight columns."""
    return x.max(axis=0)


@of(*SHORT_ROWS)
def row_norms_of_three(x: "M.3.f32"):
    """The lengths of vectors in space."""
    return np.linalg.norm(x, axis=1)


@of(*SHORT_ROWS)
def row_softmax_of_eight(x: "M.8.f32"):
    """The softmax of rows of eight elements."""
    e = np.exp(x - x.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


@of(*SQUARE)
def column_norms_of_difference(x: "M.N.f32", y: "M.N.f32"):
    """The lengths of columns, after a map."""
    return np.sqrt(((x - y) ** 2).sum(axis=0))


@of(*SQUARE)
def transposed_row_sums(x: "M.N.f32"):
    """The row sums of the transposed matrix: along its columns."""
    return x.T.sum(axis=1)


@of(*SQUARE)
def transposed_column_means(x: "M.N.f32"):
    """The column means of the transposed matrix: along its rows."""
    return x.T.mean(axis=0)


@of(*SQUARE)
def column_ranges(x: "M.N.f32"):
    """The range of each column: two reductions of one array."""
    return x.max(axis=0) - x.min(axis=0)


@of(*SQUARE)
def column_variances(x: "M.N.f32"):
    """The variance of each column: two reductions, one after the other."""
    return x.var(axis=0)


@of(*SQUARE)
def positive_in_columns(x: "M.N.f32"):
    """The number of positive elements in each column."""
    return (x > 0).sum(axis=0)


@of(*SQUARE)
def column_greatest_at(x: "M.N.f32"):
    """The index of the maximum of each column."""
    return x.argmax(axis=0)


@of(*SQUARE)
def row_least_at(x: "M.N.f32"):
    """The index of the minimum of each row."""
    return x.argmin(axis=1)


@of(*SQUARE)
def log_sum_exp_of_columns(x: "M.N.f32"):
    """Two reductions, the second of an expensive map."""
    top = x.max(axis=0)
    return top + np.log(np.exp(x - top).sum(axis=0))


@of(*SQUARE)
def softmax_of_columns(x: "M.N.f32"):
    """Two reductions, and a map."""
    e = np.exp(x - x.max(axis=0))
    return e / e.sum(axis=0)


@of(*TALL)
def centred_columns(x: "M.N.f32"):
    """Columns minus their means: a reduction and a map."""
    return x - x.mean(axis=0)


@of(*TALL)
def standardised_tall(x: "M.N.f32"):
    """The columns of a tall matrix, with mean 0 and standard deviation 1."""
    return (x - x.mean(axis=0)) / x.std(axis=0)


@of(*SQUARE)
def standardised_whole(x: "M.N.f32"):
    """All numbers, with mean 0 and standard deviation 1."""
    return (x - x.mean()) / x.std()


@of(*SQUARE)
def standardised_rows(x: "M.N.f32"):
    """Rows with mean 0 and standard deviation 1."""
    return (x - x.mean(axis=1, keepdims=True)) / x.std(axis=1, keepdims=True)


@of(*SQUARE)
def running_columns(x: "M.N.f32"):
    """Running sums down the columns."""
    return np.cumsum(x, axis=0)


@of(*CUBE)
def middle_means(x: "B.M.N.f32"):
    """The mean over the middle axis of three."""
    return x.mean(axis=1)


@of(*CUBE)
def leading_greatest(x: "B.M.N.f32"):
    """The maximum over the first axis of three."""
    return x.max(axis=0)


@of(*CUBE)
def leading_two_sums(x: "B.M.N.f32"):
    """The sum over all axes but the last."""
    return x.sum(axis=(0, 1))


@of(*CUBE)
def outer_two_means(x: "B.M.N.f32"):
    """The mean over all axes but the middle one."""
    return x.mean(axis=(0, 2))


@of(*CUBE)
def trailing_two_variances(x: "B.M.N.f32"):
    """The variance over all axes but the first."""
    return x.var(axis=(1, 2))


@of(*CUBE)
def softmax_of_middle(x: "B.M.N.f32"):
    """The softmax along the middle axis."""
    e = np.exp(x - x.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


@of(*CUBE)
def layer_norm_of_two(x: "B.M.N.f32"):
    """Layer normalisation over the last two axes."""
    centred = x - x.mean(axis=(1, 2), keepdims=True)
    return centred / np.sqrt((centred**2).mean(axis=(1, 2), keepdims=True) + 1e-5)


@of(*IMAGES)
def channel_means_last(x: "B.H.W.C.f32"):
    """The mean of each channel of images whose channels are the last axis."""
    return x.mean(axis=(0, 1, 2))


@of(*PLANES)
def channel_means_middle(x: "B.C.H.W.f32"):
    """The mean of each channel of images whose channels are the second axis."""
    return x.mean(axis=(0, 2, 3))


@of(*IMAGES)
def pooled_middle_axes(x: "B.H.W.C.f32"):
    """The mean over the two middle axes."""
    return x.mean(axis=(1, 2))


@of(*IMAGES)
def batch_norm_last(x: "B.H.W.C.f32"):
    """Channels with mean 0 and standard deviation 1; channels are the last axis."""
    return (x - x.mean(axis=(0, 1, 2))) / np.sqrt(x.var(axis=(0, 1, 2)) + 1e-5)


@of(*PLANES)
def batch_norm_middle(x: "B.C.H.W.f32"):
    """Channels with mean 0 and standard deviation 1; channels are the second axis."""
    mean, variance = x.mean(axis=(0, 2, 3), keepdims=True), x.var(axis=(0, 2, 3), keepdims=True)
    return (x - mean) / np.sqrt(variance + 1e-5)


def orthonormal(a):
    """Gram-Schmidt by columns: each is subtracted from those after it."""
    q = a.copy()
    for k in range(a.shape[1]):
        q[:, k] /= np.linalg.norm(q[:, k])
        q[:, k + 1 :] -= np.outer(q[:, k], q[:, k] @ q[:, k + 1 :])
    return q


@of({"M": 512, "N": 128}, {"M": 32, "N": 16}, tiny={"M": 5, "N": 3}, plain=orthonormal)
def gram_schmidt(a: "M.N.f32"):
    """Orthonormal columns."""
    at = arange(a.shape[1])

    def step(left, k):
        place = k.astype(np.int64)
        column = left[:, k] / np.sqrt((left[:, k] ** 2).sum())
        rest = np.where(at > place, left - np.outer(column, column @ left), left)
        return np.where(at == place, column[:, None], rest)

    return fold(step, a, generate(lambda i: i, a.shape[1]))


@of(
    *SQUARE,
    text="fun(x: M.N.f32, y: M.N.f32 => zip(transpose(x), transpose(y)) |> map(fun(p =>"
    " zip(fst(p), snd(p)) |> map(mul) |> reduce(add, 0.0))))",
)
def column_dots(x, y):
    """The inner products of the columns of two matrices."""
    return (x * y).sum(axis=0)


@of(
    *SQUARE,
    text="fun(x: M.N.f32 => x |> map(fun(row => row |> map(abs) |> reduce(add, 0.0))) |> reduce(max, 0.0))",
)
def greatest_row_sum(x):
    """The largest row sum: a reduction of reductions."""
    return np.abs(x).sum(axis=1).max()


@of(
    *SQUARE,
    text="fun(x: M.N.f32 => transpose(x) |> map(fun(column => column |> map(abs) |> reduce(add, 0.0)))"
    " |> reduce(max, 0.0))",
)
def greatest_column_sum(x):
    """The largest column sum: a reduction of reductions along columns."""
    return np.abs(x).sum(axis=0).max()


@of(
    {"N": 1 << 18},
    {"N": 256},
    text="fun(x: (4*N).f32 => x |> split(4) |> transpose |> map(reduce(add, 0.0)))",
)
def every_fourth(x):
    """Sums of every fourth number."""
    return x.reshape(-1, 4).sum(axis=0)


@of(
    *CUBE,
    text="fun(x: B.M.N.f32 => x |> map(transpose) |> transpose |> map(fun(m => m |> join |> reduce(min, inf))))",
)
def least_of_outer_two(x):
    """The minimum over all axes but the last, by views."""
    return x.min(axis=(0, 1))
