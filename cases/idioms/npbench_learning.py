"""NPBench's neural networks, restated. Does not measure time."""
# ruff: noqa: F722, F821

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from cases.idioms.idiom import idiom


def convolved_in_place(x, w):
    """A convolution, position by position."""
    size = w.shape[0]
    rows, columns = x.shape[1] - size + 1, x.shape[2] - size + 1
    out = np.empty((x.shape[0], rows, columns, w.shape[3]), x.dtype)
    for i in range(rows):
        for j in range(columns):
            out[:, i, j] = np.tensordot(x[:, i : i + size, j : j + size], w, axes=3)
    return out


def convolved(x, w):
    """All windows with all filters; channels come last."""
    size = w.shape[0]
    windows = sliding_window_view(x, (size, size), axis=(1, 2))
    filters = w.transpose(3, 2, 0, 1)
    return (windows[:, :, :, None] * filters).sum(axis=(4, 5, 6))


def with_bias_in_place(x, w, b):
    """A convolution with a bias, position by position."""
    return convolved_in_place(x, w) + b


@idiom(
    "NPBench conv2d_bias",
    {"B": 4, "N": 62, "I": 3, "O": 16},
    {"B": 1, "N": 14, "I": 3, "O": 4},
    plain=with_bias_in_place,
)
def conv2d_bias(x: "B.(N+2).(N+2).I.f32", w: "3.3.I.O.f32", b: "O.f32"):
    """A convolution of images, with a bias."""
    return convolved(x, w) + b


def pooled(x):
    """The maxima of blocks of 2 x 2."""
    b, rows, columns, channels = x.shape
    return x.reshape(b, rows // 2, 2, columns // 2, 2, channels).max(axis=(2, 4))


def network(convolve, x, f, g, w, u, v):
    """Two convolutions and three layers."""
    x = pooled(np.maximum(convolve(x, f), 0))
    x = pooled(np.maximum(convolve(x, g), 0))
    x = x.reshape(x.shape[0], -1)
    x = np.maximum(x @ w, 0)
    return np.maximum(x @ u, 0) @ v


def lenet_in_place(*arguments):
    """LeNet, with convolutions position by position."""
    return network(convolved_in_place, *arguments)


@idiom("NPBench lenet", {"B": 32}, {"B": 1}, {"B": 2}, plain=lenet_in_place)
def lenet(
    x: "B.28.28.1.f32",
    f: "5.5.1.6.f32",
    g: "5.5.6.16.f32",
    w: "256.120.f32",
    u: "120.84.f32",
    v: "84.10.f32",
):
    """LeNet, without biases."""
    return network(convolved, x, f, g, w, u, v)


def normalised(x):
    """Normalisation over the images as in NPBench: divided by the square root of the standard deviation."""
    return (x - x.mean(axis=0)) / np.sqrt(x.std(axis=0) + 1e-5)


def block(convolve, x, f, g, h):
    """Three convolutions with normalisation, added to the input."""
    padded = np.pad(convolve(x, f), ((0, 0), (1, 1), (1, 1), (0, 0)))
    y = np.maximum(normalised(padded), 0)
    y = np.maximum(normalised(convolve(y, g)), 0)
    return np.maximum(normalised(convolve(y, h)) + x, 0)


def resnet_in_place(*arguments):
    """A block of a residual network, with convolutions position by position."""
    return block(convolved_in_place, *arguments)


@idiom(
    "NPBench resnet",
    {"B": 8, "N": 28, "C": 32, "D": 8},
    {"B": 2, "N": 5, "C": 16, "D": 4},
    {"B": 3, "N": 3, "C": 2, "D": 2},
    plain=resnet_in_place,
    tolerance=1e-3,
)
def resnet(x: "B.N.N.C.f32", f: "1.1.C.D.f32", g: "3.3.D.D.f32", h: "1.1.D.C.f32"):
    """A block of a residual network."""
    return block(convolved, x, f, g, h)


@idiom(
    "NPBench mlp", {"B": 64, "I": 512, "H": 512, "O": 256}, {"B": 4, "I": 32, "H": 16, "O": 8}, tolerance=1e-3
)
def mlp(x: "B.I.f32", w: "I.H.f32", b: "H.f32", u: "H.H.f32", c: "H.f32", v: "H.O.f32", d: "O.f32"):
    """Three layers and a softmax."""
    x = np.maximum(x @ w + b, 0)
    x = np.maximum(x @ u + c, 0)
    x = x @ v + d
    e = np.exp(x - np.max(x, axis=-1, keepdims=True))
    return e / np.sum(e, axis=-1, keepdims=True)


@idiom("NPBench softmax", {"A": 4, "B": 4, "C": 256, "N": 256}, {"A": 2, "B": 2, "C": 8, "N": 32})
def softmax_heads(x: "A.B.C.N.f32"):
    """The softmax over the last of four axes."""
    e = np.exp(x - np.max(x, axis=-1, keepdims=True))
    return e / np.sum(e, axis=-1, keepdims=True)
