"""NPBench's products of matrices and vectors, restated. Does not measure time."""
# ruff: noqa: F821

import numpy as np

from cases.idioms.idiom import idiom
from rise.embedding import arange

SQUARE = {"N": 1024}, {"N": 32}
TWO = {"M": 1024, "N": 1024}, {"M": 32, "N": 32}
THREE = {"M": 512, "K": 512, "N": 512}, {"M": 16, "K": 64, "N": 16}


@idiom("NPBench gemm", *THREE)
def gemm(alpha: "f64", beta: "f64", c: "M.N.f64", a: "M.K.f64", b: "K.N.f64"):
    """alpha A B + beta C."""
    return alpha * a @ b + beta * c


@idiom("NPBench k2mm", {"M": 384, "K": 384, "L": 384, "N": 384}, {"M": 16, "K": 32, "L": 32, "N": 16})
def two_products(alpha: "f64", beta: "f64", a: "M.K.f64", b: "K.L.f64", c: "L.N.f64", d: "M.N.f64"):
    """A product of three matrices, plus a fourth matrix."""
    return alpha * a @ b @ c + beta * d


@idiom("NPBench k3mm", {"M": 384, "K": 384, "L": 384, "N": 384}, {"M": 16, "K": 32, "L": 32, "N": 16})
def three_products(a: "M.K.f64", b: "K.L.f64", c: "L.N.f64", d: "N.M.f64"):
    """A product of four matrices."""
    return a @ b @ c @ d


@idiom("NPBench atax", *TWO)
def there_and_back(a: "M.N.f64", x: "N.f64"):
    """A matrix times a vector, and the result times the matrix."""
    return (a @ x) @ a


@idiom("NPBench bicg", *TWO)
def both_sides(a: "M.N.f64", p: "N.f64", r: "M.f64"):
    """A matrix multiplied by a vector from each side, separately."""
    return r @ a, a @ p


@idiom("NPBench mvt", *SQUARE)
def two_updates(x: "N.f64", y: "N.f64", u: "N.f64", v: "N.f64", a: "N.N.f64"):
    """Two vectors, to which products with a matrix and its transpose are added."""
    return x + a @ u, y + v @ a


@idiom("NPBench gesummv", *SQUARE)
def sum_of_matrix_vectors(alpha: "f64", beta: "f64", a: "N.N.f64", b: "N.N.f64", x: "N.f64"):
    """The sum of the products of two matrices with one vector."""
    return alpha * a @ x + beta * b @ x


@idiom("NPBench gemver", *SQUARE)
def gemver(
    alpha: "f64",
    beta: "f64",
    a: "N.N.f64",
    p: "N.f64",
    q: "N.f64",
    r: "N.f64",
    s: "N.f64",
    w: "N.f64",
    x: "N.f64",
    y: "N.f64",
    z: "N.f64",
):
    """A matrix with two outer products added, and products with both sides of it, one after the other."""
    a = a + np.outer(p, q) + np.outer(r, s)
    x = x + beta * y @ a + z
    return a, x, w + alpha * a @ x


@idiom("NPBench doitgen", {"R": 64, "Q": 64, "P": 128}, {"R": 4, "Q": 8, "P": 32})
def last_axis_product(a: "R.Q.P.f64", c: "P.P.f64"):
    """The last of three axes multiplied by a matrix."""
    return a @ c


def rank_k(alpha, beta, c, a):
    """A rank-k update of the lower triangle, row by row."""
    c = c.copy()
    for i in range(len(c)):
        c[i, : i + 1] *= beta
        c[i, : i + 1] += alpha * (a[: i + 1] @ a[i])
    return c


@idiom("NPBench syrk", {"N": 512, "K": 512}, {"N": 16, "K": 64}, plain=rank_k)
def syrk(alpha: "f64", beta: "f64", c: "N.N.f64", a: "N.K.f64"):
    """A matrix times its transpose, in the lower triangle; the upper triangle is unchanged."""
    at = arange(c.shape[0])
    return np.where(at[:, None] >= at[None, :], beta * c + alpha * (a @ a.T), c)


def rank_two_k(alpha, beta, c, a, b):
    """A rank-2k update of the lower triangle, row by row."""
    c = c.copy()
    for i in range(len(c)):
        c[i, : i + 1] *= beta
        c[i, : i + 1] += alpha * (a[: i + 1] @ b[i] + b[: i + 1] @ a[i])
    return c


@idiom("NPBench syr2k", {"N": 384, "K": 384}, {"N": 16, "K": 64}, plain=rank_two_k)
def syr2k(alpha: "f64", beta: "f64", c: "N.N.f64", a: "N.K.f64", b: "N.K.f64"):
    """Two products with transposes, in the lower triangle; the upper triangle is unchanged."""
    at = arange(c.shape[0])
    return np.where(at[:, None] >= at[None, :], beta * c + alpha * (a @ b.T + b @ a.T), c)


def from_one_triangle(alpha, beta, c, a, b):
    """A product with a symmetric matrix, assembled from its lower triangle."""
    low = np.tril(a)
    return beta * c + alpha * ((low + np.tril(a, -1).T) @ b)


@idiom("NPBench symm", {"M": 512, "N": 512}, {"M": 16, "N": 64}, plain=from_one_triangle)
def symm(alpha: "f64", beta: "f64", c: "M.N.f64", a: "M.M.f64", b: "M.N.f64"):
    """A product with a symmetric matrix, given by its lower triangle."""
    at = arange(a.shape[0])
    whole = np.where(at[:, None] >= at[None, :], a, a.T)
    return beta * c + alpha * (whole @ b)


def with_one_triangle(alpha, a, b):
    """A product with a triangle whose diagonal is replaced by 1."""
    return alpha * (b + np.tril(a, -1).T @ b)


@idiom("NPBench trmm", {"M": 512, "N": 512}, {"M": 16, "N": 64}, plain=with_one_triangle)
def trmm(alpha: "f64", a: "M.M.f64", b: "M.N.f64"):
    """A product with the transpose of a lower triangle whose diagonal is 1."""
    at = arange(a.shape[0])
    return alpha * (b + np.where(at[:, None] > at[None, :], a, 0.0).T @ b)


def with_np_cov(x):
    """Covariances by `np.cov`."""
    return np.cov(x.T)


@idiom("NPBench covariance", {"N": 1024, "M": 512}, {"N": 32, "M": 16})
def covariance(x: "N.M.f64"):
    """The covariances of all columns."""
    centred = x - x.mean(axis=0)
    return centred.T @ centred / (x.shape[0] - 1)


@idiom("NPBench covariance2", {"N": 1024, "M": 512}, {"N": 32, "M": 16}, plain=with_np_cov)
def covariance_of_rows(x: "N.M.f64"):
    """The covariances of all columns, which are first transposed to rows, as `np.cov` takes them."""
    rows = x.T
    centred = rows - rows.mean(axis=1, keepdims=True)
    return centred @ centred.T / (x.shape[0] - 1)


@idiom("NPBench correlation", {"N": 1024, "M": 512}, {"N": 32, "M": 16})
def correlation(x: "N.M.f64"):
    """The correlations of all columns; a standard deviation near 0 is replaced by 1."""
    deviation = x.std(axis=0)
    z = (x - x.mean(axis=0)) / np.where(deviation <= 0.1, 1.0, deviation)
    return z.T @ z / x.shape[0]
