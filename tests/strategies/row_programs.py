"""Programs that compute from rows what any of their threads can, in the notation of numpy."""

# ruff: noqa: F821  # types of RISE in quotes are no Python

from typing import Final

import numpy as np


def softmax(x: "M.N.f32"):
    weights = np.exp(x - x.max(axis=1, keepdims=True))
    return weights / weights.sum(axis=1, keepdims=True)


def logarithms_of_softmax(x: "M.N.f32"):
    relative = x - x.max(axis=1, keepdims=True)
    return relative - np.log(np.exp(relative).sum(axis=1, keepdims=True))


def masked_softmax(x: "B.M.N.f32", mask: "B.M.N.f32"):
    scores = 0.125 * x + mask
    weights = np.exp(scores - scores.max(axis=2, keepdims=True))
    return weights / weights.sum(axis=2, keepdims=True)


def softmax_of_halves(x: "M.N.f16"):
    weights = np.exp(x - x.max(axis=1, keepdims=True))
    return weights / weights.sum(axis=1, keepdims=True)


def layer_norm(x: "M.N.f32", scale: "N.f32", shift: "N.f32"):
    mean = x.mean(axis=1, keepdims=True)
    variance = ((x - mean) ** 2).mean(axis=1, keepdims=True)
    return (x - mean) / np.sqrt(variance + 1e-5) * scale + shift


def rms_norm(x: "M.N.f32", scale: "N.f32"):
    return x / np.sqrt((x * x).mean(axis=1, keepdims=True) + 1e-6) * scale


def shares(x: "B.M.N.f64"):
    return x / x.sum(axis=2, keepdims=True)


def cosines(x: "M.N.f32", y: "M.N.f32"):
    return (x * y).sum(axis=1) / np.sqrt((x * x).sum(axis=1) * (y * y).sum(axis=1))


def gradient_of_softmax(p: "M.N.f32", d: "M.N.f32"):
    return p * (d - (p * d).sum(axis=1, keepdims=True))


def ranges(x: "M.N.i32"):
    return x - x.min(axis=1, keepdims=True)


def reversed_shares(x: "M.N.f32"):
    return x[:, ::-1] / x.sum(axis=1, keepdims=True)


def sums_so_far(x: "M.N.f32"):
    return np.cumsum(x, axis=1) / x.sum(axis=1, keepdims=True)


def sums(x: "M.N.f32"):
    return np.cumsum(x, axis=1)


def maxima(x: "M.N.f32"):
    return np.maximum.accumulate(x, axis=1)


def counts(x: "M.N.i32"):
    return np.cumsum(x, axis=1, dtype=np.int32)


def precise_sums(x: "B.M.N.f64"):
    return np.cumsum(x, axis=2)


def weighted_sums(x: "M.N.f32", weights: "N.f32"):
    return np.cumsum(x * weights, axis=1)


def sums_from_the_end(x: "M.N.f32"):
    return np.cumsum(x[:, ::-1], axis=1)


PROGRAMS: Final = (
    softmax,
    logarithms_of_softmax,
    masked_softmax,
    softmax_of_halves,
    layer_norm,
    rms_norm,
    shares,
    cosines,
    gradient_of_softmax,
    ranges,
)
#: programs that read other places of a row, too
NOT_IN_PLACE: Final = (reversed_shares, sums_so_far)
#: scans of rows
SCANS: Final = (sums, maxima, counts, precise_sums, weighted_sums, sums_from_the_end)
