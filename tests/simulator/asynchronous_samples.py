"""Launches of correct kernels whose threads meet in part, or wait for copies by barriers in memory."""

from collections.abc import Iterator

import numpy as np

from tests.simulator.corpus import Case

RANDOM = np.random.default_rng(17)


def asynchronous_samples() -> Iterator[Case]:
    """All of `kernels/samples` on barriers by number."""
    yield from _named_barriers()


def _named_barriers() -> Iterator[Case]:
    file, tiles = "samples/named_barriers.cu", 5
    x = RANDOM.integers(-9, 10, (2, tiles, 64)).astype(np.int32)
    sums = np.zeros((2, 64), np.int32)
    for i in range(tiles):
        sums = 3 * sums + x[:, i, ::-1]
    yield Case(file, "loaded_by_warps", (2,), (128,), [x, np.zeros_like(sums), np.int32(tiles)], 1, sums)
    x = RANDOM.integers(-9, 10, (6, 64)).astype(np.int32)
    exchanged = x.reshape(6, 32, 2)[:, :, ::-1].reshape(6, 64) * (x > 0).sum(1, keepdims=True)
    yield Case(file, "ping_pong", (1,), (128,), [x, np.zeros_like(x), np.int32(3)], 1, exchanged)
