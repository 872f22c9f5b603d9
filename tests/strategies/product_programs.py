"""Matrix products in the notation of numpy: factors by rows and columns, batches and epilogues."""

# ruff: noqa: F821  # types of RISE in quotes are no Python

from typing import Final

import numpy as np


def product(a: "M.K.f32", b: "K.N.f32"):
    return a @ b


def left_by_columns(a: "K.M.f32", b: "K.N.f32"):
    return a.T @ b


def right_by_columns(a: "M.K.f32", b: "N.K.f32"):
    return a @ b.T


def both_by_columns(a: "K.M.f32", b: "N.K.f32"):
    return a.T @ b.T


def batch(a: "B.M.K.f32", b: "B.K.N.f32"):
    return a @ b


def subscripts(a: "M.K.f32", b: "K.N.f32"):
    return np.einsum("ij,jk->ik", a, b)


def layer(a: "M.K.f32", b: "K.N.f32", bias: "N.f32"):
    return np.maximum(a @ b + bias, 0)


def residual(a: "M.K.f32", b: "K.N.f32", c: "M.N.f32"):
    return 2 * (a @ b) + 3 * c


def scaled(a: "M.K.f32", b: "K.N.f32", s: "M.f32"):
    return (a * 2) @ b * s[:, None]


def squares(a: "M.K.f32", b: "K.N.f32"):
    sums = a @ b
    return sums * sums


PROGRAMS: Final = (
    product,
    left_by_columns,
    right_by_columns,
    both_by_columns,
    batch,
    subscripts,
    layer,
    residual,
    scaled,
    squares,
)
