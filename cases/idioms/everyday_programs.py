"""Everyday programs: what people write around products, normalisations and reductions. Does not measure time."""
# ruff: noqa: F722, F821

import numpy as np

from cases.idioms.idiom import anywhere, idiom, unit
from cases.idioms.sources import EVERYDAY


@idiom(EVERYDAY, {"M": 512, "K": 512, "N": 512}, {"M": 16, "K": 64, "N": 16})
def dense_relu(x: "M.K.f32", w: "K.N.f32", b: "N.f32"):
    """A layer: bias and activation after a product."""
    return np.maximum(x @ w + b, 0)


@idiom(EVERYDAY, {"M": 512, "N": 512}, {"M": 32, "N": 32})
def residual_layer(x: "M.N.f32", w: "N.N.f32", b: "N.f32"):
    """A layer whose result is added to its input."""
    return x + np.maximum(x @ w + b, 0)


@idiom(EVERYDAY, {"M": 384, "K": 512, "N": 384}, {"M": 24, "K": 32, "N": 24})
def sum_of_products(a: "M.K.f32", b: "K.N.f32", c: "M.K.f32", d: "K.N.f32"):
    """Two products of one shape."""
    return a @ b + c @ d


@idiom(EVERYDAY, {"B": 16, "M": 256, "K": 64, "N": 256}, {"B": 2, "M": 16, "K": 16, "N": 16})
def batched_transposed(x: "B.M.K.f32", y: "B.N.K.f32"):
    """Products of matrices; the second matrix of each is transposed."""
    return x @ np.swapaxes(y, 1, 2)


@idiom(EVERYDAY, {"B": 16, "M": 256, "K": 64, "N": 256}, {"B": 2, "M": 16, "K": 16, "N": 16})
def batched_left_transposed(x: "B.K.M.f32", y: "B.K.N.f32"):
    """Products of matrices; the first matrix of each is transposed."""
    return x.transpose(0, 2, 1) @ y


@idiom(EVERYDAY, {"B": 1024, "N": 1024}, {"B": 8, "N": 128})
def softmax_rows(x: "B.N.f32"):
    """The softmax of each row."""
    e = np.exp(x - x.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


@idiom(EVERYDAY, {"B": 1024, "N": 1024}, {"B": 32, "N": 32})
def softmax_columns(x: "B.N.f32"):
    """The softmax of each column."""
    e = np.exp(x - x.max(axis=0))
    return e / e.sum(axis=0)


@idiom(EVERYDAY, {"B": 1024, "N": 1024}, {"B": 8, "N": 128})
def log_sum_exp_rows(x: "B.N.f32"):
    """The logarithm of the sum of exponentials of each row."""
    top = x.max(axis=1)
    return top + np.log(np.exp(x - top[:, None]).sum(axis=1))


@idiom(EVERYDAY, {"B": 1024, "N": 1024}, {"B": 32, "N": 32})
def log_sum_exp_columns(x: "B.N.f32"):
    """The logarithm of the sum of exponentials of each column."""
    top = x.max(axis=0)
    return top + np.log(np.exp(x - top).sum(axis=0))


@idiom(EVERYDAY, {"B": 1024, "N": 1024}, {"B": 8, "N": 128})
def layer_norm_keepdims(x: "B.N.f32", g: "N.f32", b: "N.f32"):
    """Rows with mean 0 and variance 1, scaled and shifted."""
    mean = x.mean(axis=-1, keepdims=True)
    variance = x.var(axis=-1, keepdims=True)
    return g * (x - mean) / np.sqrt(variance + 1e-5) + b


@idiom(EVERYDAY, {"B": 1024, "N": 1024}, {"B": 8, "N": 128})
def layer_norm_indexed(x: "B.N.f32"):
    """The same without a scale, with new axes instead of `keepdims`."""
    centred = x - x.mean(axis=1)[:, None]
    return centred / np.sqrt((centred**2).mean(axis=1) + 1e-5)[:, None]


@idiom(EVERYDAY, {"N": 4096, "D": 256}, {"N": 32, "D": 32})
def standardised_columns(x: "N.D.f32"):
    """Columns with mean 0 and standard deviation 1."""
    return (x - x.mean(axis=0)) / x.std(axis=0)


@idiom(EVERYDAY, {"N": 4096, "D": 256}, {"N": 32, "D": 32})
def scaled_to_unit(x: "N.D.f32"):
    """Columns scaled to the range from 0 to 1."""
    low = x.min(axis=0)
    high = x.max(axis=0)
    return (x - low) / (high - low)


@idiom(EVERYDAY, {"N": 4096, "D": 256}, {"N": 32, "D": 32})
def unit_rows(x: "N.D.f32"):
    """Rows of length 1."""
    return x / np.linalg.norm(x, axis=1, keepdims=True)


@idiom(EVERYDAY, {"M": 1024, "N": 1024, "D": 3}, {"M": 32, "N": 32, "D": 3})
def pairwise_distances(x: "M.D.f32", y: "N.D.f32"):
    """Distances between all points, from all differences."""
    return np.sqrt(((x[:, None, :] - y[None, :, :]) ** 2).sum(axis=-1))


@idiom(EVERYDAY, {"M": 1024, "N": 1024, "D": 64}, {"M": 32, "N": 32, "D": 16}, tolerance=1e-3)
def pairwise_by_product(x: "M.D.f32", y: "N.D.f32"):
    """Squared distances between all points, by a matrix product."""
    return (x**2).sum(axis=1)[:, None] + (y**2).sum(axis=1) - 2 * (x @ y.T)


@idiom(EVERYDAY, {"S": 512, "D": 64}, {"S": 32, "D": 32})
def attention(q: "S.D.f32", k: "S.D.f32", v: "S.D.f32"):
    """One head of attention, step by step."""
    scores = q @ k.T / 8.0
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return (e / e.sum(axis=-1, keepdims=True)) @ v


@idiom(EVERYDAY, {"H": 8, "S": 256, "D": 64}, {"H": 2, "S": 16, "D": 32})
def attention_heads(q: "H.S.D.f32", k: "H.S.D.f32", v: "H.S.D.f32"):
    """Several heads of attention; divides by the sums after the second product."""
    e = np.exp(0.125 * (q @ k.transpose(0, 2, 1)))
    return (e @ v) / e.sum(axis=-1)[..., None]


@idiom(EVERYDAY, {"A": 64, "B": 128, "C": 128}, {"A": 8, "B": 8, "C": 16})
def sum_leading(x: "A.B.C.f32"):
    """The sum over the first axis of three."""
    return x.sum(axis=0)


@idiom(EVERYDAY, {"A": 64, "B": 128, "C": 128}, {"A": 8, "B": 8, "C": 16})
def sum_middle(x: "A.B.C.f32"):
    """The sum over the second axis of three."""
    return x.sum(axis=1)


@idiom(EVERYDAY, {"A": 64, "B": 128, "C": 128}, {"A": 8, "B": 8, "C": 16})
def sum_trailing(x: "A.B.C.f32"):
    """The sum over the last axis of three."""
    return x.sum(axis=2)


@idiom(EVERYDAY, {"A": 64, "B": 128, "C": 128}, {"A": 8, "B": 8, "C": 16})
def mean_outer_axes(x: "A.B.C.f32"):
    """The mean over the first and the last axis of three."""
    return x.mean(axis=(0, 2))


@idiom(EVERYDAY, {"A": 64, "B": 128, "C": 128}, {"A": 8, "B": 8, "C": 16})
def max_and_place(x: "A.B.C.f32"):
    """The maxima along the middle axis, and their indices."""
    return x.max(axis=1), x.argmax(axis=1).astype(np.int64)


@idiom(EVERYDAY, {"M": 1024, "N": 1024}, {"M": 32, "N": 32})
def outer_update(a: "M.N.f32", x: "M.f32", y: "N.f32"):
    """A matrix plus an outer product."""
    return a - 0.1 * np.outer(x, y)


@idiom(EVERYDAY, {"N": 2**20}, {"N": 1024})
def masked_mean(x: "N.f32"):
    """The mean of the positive numbers."""
    mask = x > 0
    return np.where(mask, x, 0.0).sum() / mask.astype(np.float32).sum()


@idiom(EVERYDAY, {"N": 2**20}, {"N": 1024})
def leaky(x: "N.f32"):
    """Negative numbers multiplied by a hundredth."""
    return np.where(x > 0, x, 0.01 * x)


@idiom(EVERYDAY, {"N": 2**20}, {"N": 1024})
def clipped_gradient(w: "N.f32", g: "N.f32"):
    """A step with a gradient whose norm is limited to 1."""
    norm = np.sqrt((g * g).sum())
    return w - 0.01 * g * np.minimum(1.0, 1.0 / (norm + 1e-6))


@idiom(EVERYDAY, {"N": 2**20}, {"N": 1024})
def momentum(w: "N.f32", v: "N.f32", g: "N.f32"):
    """A step with momentum: both results depend on a value that is used twice."""
    after = 0.9 * v + np.clip(g, -1, 1)
    return w - 0.1 * after, after


@idiom(EVERYDAY, {"N": 2**20}, {"N": 1024})
def central_differences(x: "N.f32"):
    """The gradient of samples, one-sided at the ends."""
    first = x[1:2] - x[0:1]
    last = x[-1:] - x[-2:-1]
    return np.concatenate([first, 0.5 * (x[2:] - x[:-2]), last])


@idiom(EVERYDAY, {"M": 1024, "N": 1024}, {"M": 32, "N": 32}, {"M": 5, "N": 6})
def gradient_magnitude(x: "M.N.f32"):
    """The magnitude of the gradient of an image, by differences in both directions."""
    dx = x[1:-1, 2:] - x[1:-1, :-2]
    dy = x[2:, 1:-1] - x[:-2, 1:-1]
    return np.sqrt(dx * dx + dy * dy)


@idiom(EVERYDAY, {"M": 1024, "N": 1024}, {"M": 32, "N": 32}, {"M": 7, "N": 8})
def blur_twice(x: "M.N.f32"):
    """An image averaged over rows, then over columns, twice."""
    for _ in range(2):
        x = (x[:, :-2] + x[:, 1:-1] + x[:, 2:]) / 3
        x = (x[:-2] + x[1:-1] + x[2:]) / 3
    return x


@idiom(EVERYDAY, {"M": 1024, "N": 1024}, {"M": 32, "N": 32}, {"M": 7, "N": 8}, inputs={"x": unit})
def sharpened(x: "M.N.f32"):
    """An image minus its blur, with repeated edges."""
    padded = np.pad(x, 1, mode="edge")
    across = 0.25 * padded[:, :-2] + 0.5 * padded[:, 1:-1] + 0.25 * padded[:, 2:]
    blurred = 0.25 * across[:-2] + 0.5 * across[1:-1] + 0.25 * across[2:]
    return np.clip(2 * x - blurred, 0, 1)


@idiom(EVERYDAY, {"N": 2**20}, {"N": 1024})
def running_sum(x: "N.f64"):
    """The running sum."""
    return np.cumsum(x)


@idiom(EVERYDAY, {"M": 1024, "N": 1024}, {"M": 32, "N": 32})
def running_sum_rows(x: "M.N.f64"):
    """The running sum along each row."""
    return np.cumsum(x, axis=1)


@idiom(EVERYDAY, {"M": 1024, "N": 1024}, {"M": 32, "N": 32})
def running_sum_columns(x: "M.N.f64"):
    """The running sum along each column."""
    return np.cumsum(x, axis=0)


@idiom(EVERYDAY, {"N": 2**20}, {"N": 1024})
def running_mean_variance(x: "N.f64"):
    """The mean and the variance of all samples so far."""
    n = np.cumsum(np.ones_like(x))
    mean = np.cumsum(x) / n
    return mean, np.cumsum(x * x) / n - mean * mean


@idiom(EVERYDAY, {"N": 2**20}, {"N": 1024})
def polynomial(x: "N.f32"):
    """A polynomial by Horner's scheme."""
    y = 0.5 * x + 0.25
    for c in (0.125, -1.0, 2.0, -0.5, 1.0):
        y = y * x + c
    return y


@idiom(EVERYDAY, {"N": 2**20}, {"N": 1024}, inputs={"x": unit})
def power_series(x: "N.f64"):
    """A polynomial as a sum of powers."""
    return 1 + x + x**2 / 2 + x**3 / 6 + x**4 / 24


@idiom(EVERYDAY, {"S": 1024, "D": 512}, {"S": 16, "D": 32}, {"S": 3, "D": 4})
def rotary_halves(x: "S.(2*D).f32", c: "S.D.f32", s: "S.D.f32"):
    """Rotary embedding of the first half of each row with the second."""
    d = c.shape[1]
    left = x[:, :d]
    right = x[:, d:]
    return np.concatenate([left * c - right * s, right * c + left * s], axis=1)


@idiom(EVERYDAY, {"S": 1024, "D": 512}, {"S": 16, "D": 32}, {"S": 3, "D": 4})
def rotary_pairs(x: "S.(2*D).f32", c: "S.D.f32", s: "S.D.f32"):
    """Rotary embedding of pairs of neighbours."""
    even = x[:, ::2]
    odd = x[:, 1::2]
    turned = np.stack([even * c - odd * s, even * s + odd * c], axis=-1)
    return turned.reshape(x.shape[0], x.shape[1])


@idiom(EVERYDAY, {"N": 2**20}, {"N": 1024})
def gelu_chain(x: "N.f32"):
    """A chain in which each stage uses the previous value and the input."""
    inner = 0.7978846 * (x + 0.044715 * x**3)
    gate = 0.5 * (1 + np.tanh(inner))
    return x * gate + 0.1 * gate


@idiom(EVERYDAY, {"M": 1024, "N": 1024}, {"M": 8, "N": 128})
def medians(x: "M.N.f32"):
    """The median of each row."""
    return np.median(x, axis=1)


@idiom(EVERYDAY, {"K": 256, "N": 2**20}, {"K": 64, "N": 1024})
def placed_in_bins(edges: "K.f32", x: "N.f32"):
    """Where each number belongs among sorted edges."""
    return np.searchsorted(np.sort(edges), x)


@idiom(
    EVERYDAY,
    {"H": 1024, "W": 1024, "M": 1024, "N": 1024},
    {"H": 32, "W": 32, "M": 32, "N": 32},
    inputs={"rows": anywhere, "columns": anywhere},
)
def bilinear_warp(image: "H.W.f32", rows: "M.N.f32", columns: "M.N.f32"):
    """An image at computed positions, interpolated between four pixels; beyond the edges, the edge pixels are
    repeated.
    """
    y = rows * image.shape[0]
    x = columns * image.shape[1]
    top = np.floor(y)
    left = np.floor(x)
    i = np.clip(top.astype(np.int64), 0, image.shape[0] - 1)
    j = np.clip(left.astype(np.int64), 0, image.shape[1] - 1)
    below = np.clip(top.astype(np.int64) + 1, 0, image.shape[0] - 1)
    right = np.clip(left.astype(np.int64) + 1, 0, image.shape[1] - 1)
    above = image[i, j] + (x - left) * (image[i, right] - image[i, j])
    under = image[below, j] + (x - left) * (image[below, right] - image[below, j])
    return above + (y - top) * (under - above)


@idiom(EVERYDAY, {"N": 1024}, {"N": 32})
def symmetric_part(x: "N.N.f32"):
    """The average of a matrix and its transpose."""
    return (x + x.T) * 0.5


@idiom(EVERYDAY, {"M": 1000, "N": 1020}, {"M": 20, "N": 50})
def less_transposed(x: "M.N.f32", y: "N.M.f32"):
    """A matrix minus a transposed one; no size is a multiple of a tile's."""
    return x - y.T


@idiom(EVERYDAY, {"M": 1024, "N": 1024}, {"M": 32, "N": 32})
def weighted_transposed(x: "M.N.f32", y: "N.M.f32"):
    """Exponentials of a transposed matrix, multiplied by weights."""
    return np.exp(x.T) * y


@idiom(EVERYDAY, {"L": 128, "M": 64, "N": 128}, {"L": 8, "M": 16, "N": 8})
def plus_reversed_axes(x: "L.M.N.f32", y: "N.M.L.f32"):
    """The sum of two arrays, of which the axes of one are reversed."""
    return np.swapaxes(x, 0, 2) + y
