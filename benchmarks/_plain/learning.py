"""Machine learning in straightforward numpy. Does not measure time."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from _plain.kinds import MEGA, SIDE, Array, Peer

SMALL: Final = np.float32(1e-5)
BATCH: Final = {"B": SIDE, "N": SIDE}


def normalised(batch: Array, axis: int) -> Array:
    """The batch with mean 0 and variance 1 along an axis."""
    centred = batch - batch.mean(axis=axis, keepdims=True)
    return centred / np.sqrt((centred * centred).mean(axis=axis, keepdims=True) + SMALL)


def rms_norm(share: Any, scale: Array, batch: Array) -> Array:
    """Each row divided by its root mean square, and scaled."""
    squares = (batch * batch).sum(axis=1, keepdims=True)
    return scale * (batch / np.sqrt(abs(share) * squares + SMALL))


def cross_entropy(labels: Array, scores: Array) -> Array:
    """The logarithm of the sum of exponentials, minus the score of the label."""
    tops = scores.max(axis=1)
    sums = np.exp(scores - tops[:, None]).sum(axis=1)
    return tops + np.log(sums) - scores[np.arange(len(labels)), labels]


def kmeans_step(centres: Array, points: Array) -> Array:
    """One step of k-means, from all distances."""
    labels = ((points[:, None] - centres) ** 2).sum(axis=2).argmin(axis=1)
    belongs = labels == np.arange(len(centres))[:, None]
    counts = belongs.sum(axis=1)[:, None].astype(np.float32)
    return np.where(counts > 0, (belongs.astype(np.float32) @ points) / np.maximum(counts, 1), centres)


def conv1d_layer(filters: Array, bias: Array, channels: Array) -> Array:
    """A convolution layer, as a matrix product."""
    windows = sliding_window_view(channels, filters.shape[2], axis=1)
    return np.tensordot(filters, windows, axes=([1, 2], [0, 2])) + bias[:, None]


def conv2d_layer(filters: Array, bias: Array, image: Array) -> Array:
    """A convolution layer, as a matrix product."""
    windows = sliding_window_view(image, (3, 3), axis=(1, 2))
    return np.tensordot(filters, windows, axes=([1, 2, 3], [0, 3, 4])) + bias[:, None, None]


def max_pool(channels: Array) -> Array:
    """The maxima of blocks of 2 x 2."""
    count, rows, columns = channels.shape
    return channels.reshape(count, rows // 2, 2, columns // 2, 2).max(axis=(2, 4))


def gelu(xs: Array) -> Array:
    """The Gaussian error linear unit, approximated with tanh."""
    return (
        np.float32(0.5)
        * xs
        * (1 + np.tanh(np.float32(0.7978846) * (xs + np.float32(0.044715) * xs * xs * xs)))
    )


def adam(rate: Any, gradients: Array, state: tuple[Array, tuple[Array, Array]]) -> Any:
    """One step of Adam."""
    weight, (mean, square) = state
    m = np.float32(0.9) * mean + np.float32(0.1) * gradients
    s = np.float32(0.999) * np.abs(square) + np.float32(0.001) * gradients**2
    return weight - rate * m / (np.sqrt(s) + np.float32(1e-8)), (m, s)


def cosine_similarity(left: Array, right: Array) -> Array:
    """The cosines of all pairs of rows, by a matrix product."""
    return left @ right.T / np.outer(np.linalg.norm(left, axis=1), np.linalg.norm(right, axis=1))


def rotary(angles: tuple[Array, Array], rows: Array) -> Array:
    """Rotary embedding: each even column is rotated with the column after it."""
    cosines, sines = angles
    x, y = rows[:, ::2], rows[:, 1::2]
    turned = np.empty_like(rows)
    turned[:, ::2], turned[:, 1::2] = x * cosines - y * sines, x * sines + y * cosines
    return turned


def sigmoid(x: Array) -> Array:
    """The logistic function."""
    return 1 / (1 + np.exp(-x))


def lstm_cell(gates: Any, cells: Array) -> tuple[Array, Array]:
    """One step of LSTM cells."""
    (entering, forgetting), (candidate, leaving) = gates
    new = sigmoid(forgetting) * cells + sigmoid(entering) * np.tanh(candidate)
    return sigmoid(leaving) * np.tanh(new), new


LAYER: Final = "numpy copies the windows and multiplies matrices; our kernel reads the windows in place"
LEARNING: Final[Mapping[str, Peer]] = {
    "linear_layer": Peer(
        {"B": SIDE, "I": SIDE, "O": SIDE},
        lambda weights, bias, batch: np.maximum(batch @ weights.T + bias, 0),
    ),
    "layer_norm": Peer(BATCH, lambda scale, shift, batch: scale * normalised(batch, 1) + shift),
    "batch_norm": Peer(BATCH, lambda learnt, batch: learnt[0] * normalised(batch, 0) + learnt[1]),
    "rms_norm": Peer(BATCH, rms_norm),
    "cross_entropy": Peer({"B": SIDE, "C": SIDE}, cross_entropy),
    "kmeans_step": Peer({"K": 16, "D": 8, "N": MEGA // 16}, kmeans_step),
    "conv1d_layer": Peer({"O": 16, "C": 16, "K": 8, "N": MEGA // 16}, conv1d_layer, LAYER),
    "conv2d_layer": Peer({"O": 8, "C": 4, "M": 512, "N": 512}, conv2d_layer, LAYER),
    "max_pool": Peer({"C": 4, "M": 256, "N": 256}, max_pool),
    "gelu": Peer({"N": MEGA}, gelu),
    "adam": Peer({"N": MEGA}, adam),
    "cosine_similarity": Peer(
        {"M": SIDE, "D": 64, "N": SIDE},
        cosine_similarity,
        "the program computes the lengths of both vectors again for each pair; the numpy code computes them once",
    ),
    "embedding": Peer({"N": 2**14, "V": 2**14, "D": 64}, lambda words, table, places: table[words] + places),
    "rotary": Peer({"N": SIDE, "H": SIDE // 2}, rotary),
    "lstm_cell": Peer({"N": MEGA}, lstm_cell),
}
