"""Launches of correct kernels in which some of the threads meet at barriers, or threads wait for copies by barriers in
memory.
"""

from collections.abc import Iterator

import ml_dtypes
import numpy as np

from shine.simulator import im2col_map, tensor_map
from tests.simulator.corpus import Case

RANDOM = np.random.default_rng(17)


def asynchronous_samples() -> Iterator[Case]:
    """All of `kernels/samples` that use numbered barriers, barriers in shared memory, and bulk copies."""
    yield from _named_barriers()
    yield from _mbarriers()
    yield from _tensors()
    yield from _warpgroups()
    yield from _clusters()
    yield from _types_of_warpgroups()


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


def _mbarriers() -> Iterator[Case]:
    file, tiles = "samples/mbarriers.cu", 8
    x = RANDOM.integers(-9, 10, (2, tiles, 32)).astype(np.int32)
    sums = np.zeros((2, 3, 32), np.int32)
    lanes = np.arange(32) ^ np.arange(1, 4)[:, None]
    for i in range(tiles):
        sums = 3 * sums + x[:, i, lanes]
    arguments = [x, np.zeros_like(sums), np.int32(tiles)]
    yield Case(file, "produced_by_a_warp", (2,), (128,), arguments, 1, sums)
    x = RANDOM.integers(-9, 10, (2, tiles, 128)).astype(np.int32)
    sums = np.zeros((2, 128), np.int32)
    for i in range(tiles):
        sums = 3 * sums + x[:, i, ::-1]
    arguments = [x, np.zeros_like(sums), np.int32(tiles)]
    yield Case(file, "copied_in_bulk", (2,), (160,), arguments, 1, sums)
    rows = RANDOM.integers(-9, 10, (7, 128)).astype(np.float32)
    arguments = [rows, np.ones(128, np.float32), np.int32(7)]
    yield Case(file, "reduced_in_bulk", (3,), (128,), arguments, 1, rows.sum(0) + 1)
    x = RANDOM.integers(-9, 10, (5, 128)).astype(np.int32)
    stored = x.reshape(5, 64, 2)[:, :, ::-1].reshape(5, 128)
    arguments = [x, np.zeros((6, 128), np.int32), np.int32(5)]
    yield Case(file, "stored_in_bulk", (1,), (128,), arguments, 1, np.vstack([stored, stored[1:2]]))
    x = RANDOM.integers(-9, 10, (5, 64)).astype(np.int32)
    yield Case(file, "copies_arrive", (1,), (64,), [x, np.zeros_like(x), np.int32(5)], 1, x[:, ::-1])
    x = x[0].copy()
    yield Case(file, "split_barrier", (1,), (64,), [x, np.zeros_like(x), np.int32(2)], 1, 2 * x + x[::-1])


def _tensors() -> Iterator[Case]:
    x = RANDOM.integers(-9, 10, (44, 72)).astype(np.float32)
    y = np.zeros((72, 44), np.float32)
    maps = [tensor_map(x, (32, 32), swizzle=128), tensor_map(y, (32, 32))]
    file = "samples/tensors_by_maps.cu"
    yield Case(file, "transposed_by_maps", (3, 2), (128,), maps, 1, x.T)
    images = np.arange(1, 2 * 4 * 4 * 8 + 1, dtype=np.float32).reshape(2, 4, 4, 8)
    framed = np.pad(images, ((0, 0), (1, 1), (1, 1), (0, 0)))
    sums = sum(
        (3 * down + right + 1) * framed[:, down : down + 4, right : right + 4]
        for down in range(3)
        for right in range(3)
    )
    arguments = [im2col_map(images, 8, 16, (-1, -1), (-1, -1)), np.zeros_like(images)]
    yield Case(file, "sums_of_windows", (2,), (128,), arguments, 1, sums)


def _warpgroups() -> Iterator[Case]:
    file, k = "samples/warpgroups.cu", 192
    a, b = (RANDOM.integers(-3, 4, shape).astype(np.float16) for shape in ((128, k), (k, 32)))
    c = np.zeros((128, 32), np.float32)
    maps = [tensor_map(a, (64, 64), swizzle=128), tensor_map(b, (16, 64), swizzle=32)]
    product = a.astype(np.float32) @ b.astype(np.float32)
    yield Case(file, "product_of_a_warpgroup", (2, 2), (128,), [*maps, c, np.int32(k)], 2, product)
    a, b = a[:64, :16].copy(), b[:16, :16].copy()
    sums = np.arange(16) % 2 + 4 * (np.arange(16) // 8) + 2 * (np.arange(64)[:, None] // 8 % 2)
    product = sums - a.astype(np.float32) @ b.astype(np.float32)
    arguments = [a.view(np.uint32), b.T.copy().view(np.uint16), np.zeros((64, 16), np.float32)]
    yield Case(file, "left_factor_in_registers", (1,), (128,), arguments, 2, product)


def _types_of_warpgroups() -> Iterator[Case]:
    file, steps = "samples/warpgroup_types.cu", 3
    for kernel, left, right, sums in (
        ("product_of_tf32", np.float32, np.float32, np.float32),
        ("product_of_bytes", np.int8, np.uint8, np.int32),
        ("product_of_narrow", ml_dtypes.float8_e4m3fn, ml_dtypes.float8_e5m2, np.float32),
    ):
        k = 32 * steps // np.dtype(left).itemsize
        a, b = RANDOM.integers(-3, 4, (64, k)).astype(left), RANDOM.integers(0, 4, (8, k)).astype(right)
        product = a.astype(sums) @ b.astype(sums).T
        arguments = [a.view(np.uint32), b.view(np.uint32), np.zeros((64, 8), sums), np.int32(steps)]
        yield Case(file, kernel, (1,), (128,), arguments, 2, product)


def _clusters() -> Iterator[Case]:
    file = "samples/clusters.cu"
    x = RANDOM.integers(0, 64, 500).astype(np.int32)
    counts = np.bincount(x, minlength=64).astype(np.int32)
    yield Case(file, "shared_histogram", (8,), (32,), [x, np.zeros(64, np.int32), np.int32(500)], 1, counts)
    x = RANDOM.integers(-9, 10, (2, 4, 64)).astype(np.int32)
    turned = x
    for _ in range(3):
        turned = np.roll(turned, 1, 1).reshape(2, 4, 32, 2)[..., ::-1].reshape(2, 4, 64) + 1
    yield Case(file, "ring", (8,), (64,), [x, np.zeros_like(x), np.int32(3)], 1, turned)
    x = RANDOM.integers(-9, 10, (2, 2, 64)).astype(np.int32)
    sums = x
    for _ in range(3):
        sums = 3 * sums + sums[:, ::-1, ::-1]
    yield Case(file, "exchanged", (4,), (64,), [x, np.zeros_like(x), np.int32(3)], 1, sums)
    tiles = 5
    x = RANDOM.integers(-9, 10, (tiles, 4, 64)).astype(np.int32)
    sums = np.zeros((8, 64), np.int32)
    threads = np.arange(64) ^ (np.arange(8) % 4)[:, None]
    for part in x.reshape(-1, 64):
        sums = 3 * sums + part[threads]
    yield Case(file, "loaded_for_all", (8,), (64,), [x, np.zeros_like(sums), np.int32(tiles)], 1, sums)
    rows = RANDOM.integers(-9, 10, (16, 32)).astype(np.float32)
    both = np.concatenate([rows, 10 * rows])
    arguments = [tensor_map(rows, (32, 8)), np.zeros_like(both)]
    yield Case(file, "tensor_for_both", (2,), (32,), arguments, 1, both)
    x = RANDOM.integers(-9, 10, (2, 4, 32)).astype(np.int32)
    sums = x.sum(2)
    stored = np.zeros((2, 32), np.int32)
    stored[:, :16] = (sums[:, :, None] * np.arange(1, 5)).reshape(2, 16)
    stored[:, 31] = sums.sum(1)
    yield Case(file, "sums_of_blocks", (8,), (32,), [x, np.zeros_like(stored)], 1, stored)
