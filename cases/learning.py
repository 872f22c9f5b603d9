"""Expected results of the cases about machine learning, by numpy. Independent of RISE."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

import numpy as np

from cases.bounds import Array, Expected, Tree, exactly, polynomial, wide, within
from cases.rounding import (
    Rounded,
    constant,
    exp,
    log,
    matmul,
    maximum,
    rounded,
    sqrt,
    tanh,
)


def linear_layer(weights: Array, bias: Array, batch: Array) -> Expected:
    return maximum(matmul(batch, weights.T) + wide(bias), 0.0).expected


def mean(x: Rounded, axis: int) -> Rounded:
    """The mean along an axis, which is kept with length 1."""
    sums = x.sum(axis) / float(x.value.shape[axis])
    return sums.apply(lambda part: np.expand_dims(part, axis))


def normalised(batch: Array, axis: int) -> Rounded:
    centred = rounded(batch) - mean(rounded(batch), axis)
    return centred / sqrt(mean(centred * centred, axis) + constant(1e-5))


def layer_norm(scale: Array, shift: Array, batch: Array) -> Expected:
    return (normalised(batch, 1) * wide(scale) + wide(shift)).expected


def batch_norm(learnt: tuple[Array, Array], batch: Array) -> Expected:
    scale, shift = map(wide, learnt)
    return (normalised(batch, 0) * scale + shift).expected


def cross_entropy(labels: Array, scores: Array) -> Expected:
    tops = wide(scores).max(axis=1)
    sums = exp(rounded(scores) - tops[:, None]).sum(1)
    return (log(sums) + tops - rounded(scores)[np.arange(len(labels)), labels]).expected


def kmeans_step(centres: Array, points: Array) -> Expected:
    """Sums are exact if coordinates are small integers; there is one division."""
    old, xs = wide(centres), wide(points)
    labels = ((xs[:, None] - old) ** 2).sum(axis=2).argmin(axis=1)
    belongs = labels == np.arange(len(old))[:, None]
    counts = belongs.sum(axis=1)[:, None]
    new = np.where(counts > 0, (belongs @ xs) / np.maximum(counts, 1), old)
    return within(new, np.abs(new), 1)


def conv1d_layer(filters: Array, bias: Array, channels: Array) -> Array:
    width = filters.shape[2]
    windows = np.lib.stride_tricks.sliding_window_view(channels, width, axis=1)
    return np.asarray(np.einsum("ock,cnk->on", filters, windows) + bias[:, None])


def conv2d_layer(filters: Array, bias: Array, image: Array) -> Array:
    windows = np.lib.stride_tricks.sliding_window_view(image, (3, 3), axis=(1, 2))
    return np.asarray(np.einsum("ocij,cmnij->omn", filters, windows) + bias[:, None, None])


def max_pool(channels: Array) -> Expected:
    count, rows, columns = channels.shape
    return exactly(wide(channels).reshape(count, rows // 2, 2, columns // 2, 2).max(axis=(2, 4)))


def gelu(xs: Array) -> Expected:
    x = rounded(xs)
    inner = constant(0.7978846) * (x + constant(0.044715) * x * x * x)
    return (x * 0.5 * (tanh(inner) + 1.0)).expected


def adam(rate: Any, gradients: Array, state: tuple[Array, tuple[Array, Array]]) -> Tree:
    weight, (mean, square) = state
    gradient = rounded(gradients)
    m = constant(0.9) * wide(mean) + constant(0.1) * gradient
    s = constant(0.999) * np.abs(wide(square)) + constant(0.001) * gradient * gradient
    moved = rounded(weight) - m * wide(rate) / (sqrt(s) + constant(1e-8))
    return moved.expected, (m.expected, s.expected)


def cosine_similarity(left: Array, right: Array) -> Expected:
    a, b = rounded(left), rounded(right)
    lengths = [sqrt((x * x).sum(1)) for x in (a, b)]
    outer = lengths[0].apply(lambda part: part[:, None]) * lengths[1]
    return (matmul(a, b.apply(np.transpose)) / outer).expected


LEARNING: Final[Mapping[str, Callable[..., Tree]]] = {
    "linear_layer": linear_layer,
    "layer_norm": layer_norm,
    "batch_norm": batch_norm,
    "cross_entropy": cross_entropy,
    "kmeans_step": kmeans_step,
    "conv1d_layer": polynomial(conv1d_layer, lambda filters, *_: filters[0].size + 3),
    "conv2d_layer": polynomial(conv2d_layer, lambda filters, *_: filters[0].size + 3),
    "max_pool": max_pool,
    "gelu": gelu,
    "adam": adam,
    "cosine_similarity": cosine_similarity,
}
