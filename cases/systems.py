"""Expected results of the cases about texts, orders, signals and small systems, by numpy. Independent of RISE."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias

import numpy as np

from cases.bounds import Array, Expected, Tree, exactly, polynomial, wide
from cases.grids import around
from cases.rounding import Rounded, constant, exp, matmul, rounded, sqrt, stack, tanh

Pair: TypeAlias = tuple[Array, Array]


def floyd_warshall(direct: Array) -> Expected:
    """A path is a sum with at most as many terms as there are nodes."""
    ways = np.abs(wide(direct))
    for k in range(len(ways)):
        ways = np.minimum(ways, ways[:, k, None] + ways[k])
    return Expected(ways, ways * len(ways) * 2.0**-23)


def integral_image(image: Array) -> Expected:
    return exactly(image.cumsum(axis=0, dtype=np.int32).cumsum(axis=1, dtype=np.int32))


def median(xs: Array) -> Expected:
    padded = np.pad(wide(xs), 1, mode="edge")
    return exactly(np.sort([padded[:-2], padded[1:-1], padded[2:]], axis=0)[1])


def opening(image: Array) -> Expected:
    eroded = np.min([one.value for one in around(image)], axis=0)
    return exactly(np.max([one.value for one in around(eroded)], axis=0).astype(np.uint8))


def haar(xs: Array) -> Expected:
    pairs = rounded(xs.reshape(-1, 2))
    means, halves = (pairs[:, 0] + pairs[:, 1]) * 0.5, (pairs[:, 0] - pairs[:, 1]) * 0.5
    parts = [np.concatenate([getattr(one, name) for one in (means, halves)]) for name in ("value", "error")]
    return Expected(*parts)


def max_subarray(xs: Array) -> Expected:
    sums = [0, *(int(xs[i:j].sum()) for i in range(len(xs)) for j in range(i + 1, len(xs) + 1))]
    return exactly(np.int32(max(sums)))


def word_count(text: Array) -> Expected:
    words = bytes(1 if letter else 32 for letter in text.tolist()).split()
    return exactly(np.int32(len(words)))


def run_lengths(text: Array) -> Expected:
    lengths = []
    for i, letter in enumerate(text.tolist()):
        goes_on = i > 0 and text[i - 1] == letter
        lengths.append(lengths[-1] + 1 if goes_on else 1)
    return exactly(np.array(lengths, np.int32))


def find(word: Array, text: Array) -> Expected:
    places = range(len(text) - len(word) + 1)
    return exactly(np.array([(text[i : i + len(word)] == word).all() for i in places], bool))


def exponential_average(share: Any, rows: Array) -> Expected:
    kept = rounded(1.0) / (rounded(share) * wide(share) + 1.0)
    average, columns = rounded(np.zeros(len(rows))), []
    for column in wide(rows).T:
        average = kept * average + (1.0 - kept) * column
        columns.append(average)
    return stack(columns, axis=1).expected if columns else exactly(np.zeros(rows.shape))


def rms_norm(share: Any, scale: Array, batch: Array) -> Expected:
    xs = rounded(batch)
    squares = (xs * xs).sum(1) * np.abs(wide(share))
    root = sqrt(squares + constant(1e-5)).apply(lambda part: part[:, None])
    return (xs / root * wide(scale)).expected


def rotary(angles: Pair, rows: Array) -> Expected:
    (cosines, sines), pairs = map(wide, angles), rounded(rows.reshape(len(rows), rows.shape[1] // 2, 2))
    x, y = pairs[:, :, 0], pairs[:, :, 1]
    turned = stack([x * cosines - y * sines, x * sines + y * cosines], axis=2)
    return turned.apply(lambda part: part.reshape(rows.shape)).expected


def gray_scott(feed: Any, kill: Any, grid: Pair) -> Tree:
    near = [around(part) for part in grid]
    spread = [one[1] + one[3] + one[5] + one[7] - one[4] * 4 for one in near]
    u, v = near[0][4], near[1][4]
    made = u * v * v
    new_u = u + spread[0] * constant(0.16) - made + (1.0 - u) * wide(feed)
    new_v = v + spread[1] * constant(0.08) + made - v * (rounded(wide(feed)) + wide(kill))
    return new_u.expected, new_v.expected


def page_rank(rest: Any, links: Pair, ranks: Array) -> Expected:
    pages, shares = links
    return ((rounded(shares) * wide(ranks)[pages]).sum(1) * constant(0.85) + wide(rest)).expected


def viterbi_step(transitions: Array, states: Pair) -> Tree:
    scores, emissions = map(wide, states)
    ways = wide(transitions) + scores
    if len(scores) == 0:
        return exactly(np.zeros(0)), exactly(np.zeros(0, np.int64))
    return exactly(ways.max(axis=1) + emissions), exactly(ways.argmax(axis=1))


def alpha_blend(pictures: tuple[Array, tuple[Array, Array]]) -> Expected:
    mask, over, under = (part.astype(np.uint32) for part in (pictures[0], *pictures[1]))
    return exactly(((mask * over + (255 - mask) * under + 127) // 255).astype(np.uint8))


def sigmoid(x: Array) -> Rounded:
    return rounded(1.0) / (exp(rounded(-wide(x))) + 1.0)


def lstm_cell(gates: tuple[Pair, Pair], cells: Array) -> Tree:
    (entering, forgetting), (candidate, leaving) = gates
    new = sigmoid(forgetting) * wide(cells) + sigmoid(entering) * tanh(rounded(candidate))
    return (sigmoid(leaving) * tanh(new)).expected, new.expected


def lorenz(points: tuple[Array, tuple[Array, Array]]) -> Tree:
    x, y, z = map(rounded, (points[0], *points[1]))
    short = constant(0.01)
    for _ in range(10):
        dx, dy, dz = (y - x) * 10.0, x * (28.0 - z) - y, x * y - z * 2.5
        x, y, z = x + dx * short, y + dy * short, z + dz * short
    return x.expected, (y.expected, z.expected)


def conjugate_gradient(a: Array, state: tuple[Array, tuple[Array, Array]]) -> Tree:
    x, residuals, directions = map(rounded, (state[0], *state[1]))
    images = matmul(a, directions.apply(lambda part: part[:, None]))[:, 0]
    square = (residuals * residuals).sum(0)
    length = square / (directions * images).sum(0)
    left = residuals - images * length
    kept = (left * left).sum(0) / square
    return (x + directions * length).expected, (left.expected, (left + directions * kept).expected)


def determinants(matrices: Array) -> Expected:
    m = rounded(matrices.reshape(-1, 9)).apply(np.transpose)
    first = m[0] * (m[4] * m[8] - m[5] * m[7])
    return (first - m[1] * (m[3] * m[8] - m[5] * m[6]) + m[2] * (m[3] * m[7] - m[4] * m[6])).expected


SYSTEMS: Final[Mapping[str, Callable[..., Tree]]] = {
    "floyd_warshall": floyd_warshall,
    "integral_image": integral_image,
    "median": median,
    "opening": opening,
    "haar": haar,
    "max_subarray": max_subarray,
    "word_count": word_count,
    "run_lengths": run_lengths,
    "find": find,
    "exponential_average": exponential_average,
    "embedding": polynomial(lambda words, table, places: table[words.astype(int)] + places, lambda *_: 1),
    "rms_norm": rms_norm,
    "rotary": rotary,
    "gray_scott": gray_scott,
    "page_rank": page_rank,
    "viterbi_step": viterbi_step,
    "rank_sort": lambda xs: exactly(np.sort(xs)),
    "alpha_blend": alpha_blend,
    "lstm_cell": lstm_cell,
    "lorenz": lorenz,
    "conjugate_gradient": conjugate_gradient,
    "determinants": determinants,
}
