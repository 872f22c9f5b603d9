"""Texts, orders, signals and small systems in straightforward numpy. Does not measure time."""

from __future__ import annotations

from collections.abc import Mapping
from functools import reduce
from typing import Any, Final

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from _plain.grids import around, laplacian
from _plain.kinds import MEGA, PICTURE, SIDE, Array, Peer

Pair = tuple[Array, Array]
Three = tuple[Array, Pair]


def floyd_warshall(direct: Array) -> Array:
    """The lengths of shortest paths: paths through one node after the other are added."""
    ways = np.abs(direct)
    for k in range(len(ways)):
        ways = np.minimum(ways, ways[:, k, None] + ways[k])
    return ways


def median(xs: Array) -> Array:
    """The medians of three neighbours."""
    p = np.pad(xs, 1, mode="edge")
    a, b, c = p[:-2], p[1:-1], p[2:]
    return np.maximum(np.minimum(a, b), np.minimum(np.maximum(a, b), c))


def opening(image: Array) -> Array:
    """The opening of an image: minima of shifted images, then maxima."""
    return reduce(np.maximum, around(reduce(np.minimum, around(image))))


def haar(xs: Array) -> Array:
    """Means of pairs, then halves of their differences."""
    half = np.float32(0.5)
    return np.concatenate([half * (xs[::2] + xs[1::2]), half * (xs[::2] - xs[1::2])])


def max_subarray(xs: Array) -> Any:
    """The largest difference of two prefix sums."""
    sums = np.concatenate([[0], np.cumsum(xs)])
    return (sums - np.minimum.accumulate(sums)).max()


def signs(xs: Array) -> tuple[Array]:
    """Numbers of which as many are negative as positive."""
    return (xs - np.int32(5),)


def word_count(text: Array) -> Any:
    """The number of letters that follow a space or begin the text."""
    return ((text[:-1] == 0) & (text[1:] != 0)).sum() + (text[0] != 0)


def run_lengths(text: Array) -> Array:
    """The distance to the last different letter, or to the beginning of the text."""
    places = np.arange(len(text), dtype=np.int32)
    starts = np.concatenate([[True], text[1:] != text[:-1]])
    return places - np.maximum.accumulate(np.where(starts, places, 0)) + 1


def binary(text: Array) -> tuple[Array]:
    """A text of two letters."""
    return (text % 2,)


def exponential_average(share: Any, rows: Array) -> Array:
    """Exponential averages of rows; all rows take each step together."""
    kept = 1 / (1 + share * share)
    averages, average = np.empty_like(rows), np.zeros(len(rows), rows.dtype)
    for i in range(rows.shape[1]):
        average = kept * average + (1 - kept) * rows[:, i]
        averages[:, i] = average
    return averages


def gray_scott(feed: Any, kill: Any, grid: Pair) -> Pair:
    """One step of two substances that spread and react."""
    near_u, near_v = (around(part) for part in grid)
    u, v = grid
    made = u * v * v
    new_u = u + np.float32(0.16) * laplacian(near_u) - made + feed * (1 - u)
    return new_u, v + np.float32(0.08) * laplacian(near_v) + made - (feed + kill) * v


def page_rank(rest: Any, links: Pair, ranks: Array) -> Array:
    """One step of the ranks of pages."""
    return rest + np.float32(0.85) * (links[1] * ranks[links[0]]).sum(axis=1)


def viterbi_step(transitions: Array, states: Pair) -> Pair:
    """The best score of each state and the state before it, over all pairs of states."""
    ways = transitions + states[0]
    return ways.max(axis=1) + states[1], ways.argmax(axis=1)


def alpha_blend(pictures: Three) -> Array:
    """Two images mixed by a mask, computed in 32 bits."""
    mask, over, under = (part.astype(np.uint32) for part in (pictures[0], *pictures[1]))
    return ((mask * over + (255 - mask) * under + 127) // 255).astype(np.uint8)


def lorenz(points: Three) -> Three:
    """Ten steps of Lorenz's system by Euler's method."""
    x, (y, z) = points
    short = np.float32(0.01)
    for _ in range(10):
        dx, dy, dz = 10 * (y - x), x * (28 - z) - y, x * y - np.float32(2.5) * z
        x, y, z = x + short * dx, y + short * dy, z + short * dz
    return x, (y, z)


def conjugate_gradient(a: Array, state: Three) -> Three:
    """One step of the conjugate gradient method."""
    x, (residuals, directions) = state
    images = a @ directions
    square = residuals @ residuals
    length = square / (directions @ images)
    left = residuals - length * images
    kept = left @ left / square
    return x + length * directions, (left, left + kept * directions)


def positive(a: Array, state: Three) -> tuple[Array, Three]:
    """A matrix with a dominant diagonal, so that it is well conditioned."""
    return a / np.float32(len(a)) + np.eye(len(a), dtype=a.dtype), state


def determinants(matrices: Array) -> Array:
    """Determinants, expanded along the first row."""
    m = matrices.reshape(-1, 9).T
    first = m[0] * (m[4] * m[8] - m[5] * m[7])
    return first - m[1] * (m[3] * m[8] - m[5] * m[6]) + m[2] * (m[3] * m[7] - m[4] * m[6])


SORTED: Final = "numpy sorts in N log N steps; the program counts, in N * N"
SYSTEMS: Final[Mapping[str, Peer]] = {
    "floyd_warshall": Peer({"N": 256}, floyd_warshall, "a loop over nodes, all paths at once"),
    "integral_image": Peer(
        PICTURE, lambda image: image.cumsum(axis=1, dtype=np.int32).cumsum(axis=0, dtype=np.int32)
    ),
    "median": Peer({"N": MEGA}, median),
    "opening": Peer(PICTURE, opening),
    "haar": Peer({"N": MEGA // 2}, haar),
    "max_subarray": Peer({"N": MEGA}, max_subarray, tame=signs),
    "word_count": Peer({"N": MEGA}, word_count),
    "run_lengths": Peer({"N": MEGA}, run_lengths, tame=binary),
    "find": Peer(
        {"K": 4, "N": MEGA}, lambda word, text: (sliding_window_view(text, len(word)) == word).all(axis=1)
    ),
    "exponential_average": Peer(
        PICTURE, exponential_average, "numpy has no scan of a function: a loop over columns, all rows at once"
    ),
    "gray_scott": Peer(PICTURE, gray_scott),
    "page_rank": Peer({"N": MEGA // 16, "K": 16}, page_rank),
    "viterbi_step": Peer({"S": SIDE}, viterbi_step),
    "rank_sort": Peer({"N": SIDE}, np.sort, SORTED),
    "alpha_blend": Peer(PICTURE, alpha_blend),
    "lorenz": Peer({"N": MEGA}, lorenz),
    "conjugate_gradient": Peer(
        {"N": SIDE},
        conjugate_gradient,
        tame=positive,
        note="three loops on threads, over vectors of 1,024: waking a thread takes longer than it saves",
    ),
    "determinants": Peer({"N": MEGA // 8}, determinants),
}
